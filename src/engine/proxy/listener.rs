//! Where clients come in: takes each connection and lets it be served until it ends or the tap does.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

use super::client::Client;
use super::tap::Tap;
use crate::transport::http::Stream;

/// How long to wait when no connection can be taken: too many are open.
const RESPITE: Duration = Duration::from_millis(50);

/// Binds the first of `addresses` that can be bound.
pub async fn bind(addresses: &[SocketAddr]) -> io::Result<TcpListener> {
    TcpListener::bind(addresses).await
}

/// Serves clients until `stop` says so. `busy` is held as long as anybody is served.
pub async fn serve(listener: TcpListener, tap: Arc<Tap>, mut stop: watch::Receiver<bool>, busy: mpsc::Sender<()>) {
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = stop.changed() => return,
        };
        match taken {
            Ok((stream, address)) => {
                let (tap, mut stop, busy) = (Arc::clone(&tap), stop.clone(), busy.clone());
                tokio::spawn(async move {
                    tokio::select! {
                        () = welcome(tap, stream, address) => {}
                        _ = stop.changed() => {}
                    }
                    drop(busy);
                });
            }
            Err(_) => tokio::time::sleep(RESPITE).await,
        }
    }
}

async fn welcome(tap: Arc<Tap>, stream: TcpStream, address: SocketAddr) {
    let ip = address.ip().to_canonical().to_string();
    let host =
        stream.local_addr().map_or_else(|_| "localhost".to_owned(), |address| address.ip().to_canonical().to_string());
    if let Some(stream) = tap.identity.greet(Stream::tcp(stream), &host).await {
        Client::new(tap, stream, ip, None).serve().await;
    }
}
