//! Where clients come in: takes each connection and lets it be served until it ends or the server does.

use std::net::TcpListener as Socket;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

use super::connection::Connection;
use super::site::Site;
use crate::engine::proxy::address;
use crate::engine::serve::StartError;
use crate::transport::http::Stream;

/// How long to wait when no connection can be taken: too many are open.
const RESPITE: Duration = Duration::from_millis(50);

/// A listener that is bound.
#[derive(Debug)]
pub struct Bound {
    /// It.
    pub socket: Socket,
    /// Its port.
    pub port: u16,
    /// Its origin, `http://127.0.0.1:4000`.
    pub origin: String,
}

/// Binds an address of this machine.
pub fn bind(listen: &str) -> Result<Bound, StartError> {
    let fault = |why: String| StartError::Listen { listen: listen.to_owned(), why };
    let addresses = address::of(listen, false).map_err(|why| fault(local_only(&why)))?;
    let socket = Socket::bind(&*addresses);
    let socket = socket.map_err(|error| fault(format!("{error}; choose another port, or 0 for any free one")))?;
    socket.set_nonblocking(true).map_err(|error| fault(error.to_string()))?;
    let address = socket.local_addr().map_err(|error| fault(error.to_string()))?;
    Ok(Bound { socket, port: address.port(), origin: format!("http://{address}") })
}

/// The reason without the way out that a tap has and a server has not.
fn local_only(why: &str) -> String {
    why.split(", or say --allow-remote").next().unwrap_or(why).to_owned()
}

/// Serves clients until `stop` says so. `busy` is held as long as anybody is served.
pub async fn serve(socket: Socket, site: Arc<Site>, mut stop: watch::Receiver<bool>, busy: mpsc::Sender<()>) {
    let Ok(listener) = TcpListener::from_std(socket) else { return };
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = stop.changed() => return,
        };
        match taken {
            Ok((stream, _)) => drop(tokio::spawn(welcome(stream, Arc::clone(&site), stop.clone(), busy.clone()))),
            Err(_) => tokio::time::sleep(RESPITE).await,
        }
    }
}

async fn welcome(stream: TcpStream, site: Arc<Site>, stop: watch::Receiver<bool>, busy: mpsc::Sender<()>) {
    let ip = stream.peer_addr().map_or_else(|_| "?".to_owned(), |address| address.ip().to_canonical().to_string());
    Connection::new(site, Stream::tcp(stream), ip, stop).serve().await;
    drop(busy);
}
