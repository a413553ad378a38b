//! The way to a server: its address, a connection, a proxy in between, TLS, and which HTTP is spoken.

use super::connect_error::{Cause, ConnectError, Step};
use super::connection::Connection;
use super::dial::dial;
use super::http2::Http2;
use super::line::{Line, Via};
use super::origin::{Origin, bracketed};
use super::proxies::{Proxies, Proxy};
use super::stream::Stream;
use super::tls::Tls;
use super::trust::Trust;
use super::tunnel::tunnel;

/// Hears of each step that was passed on the way to a server, and what was found there.
pub type Passed<'a> = &'a mut (dyn FnMut(Step, String) + Send);

/// Makes connections to servers.
#[derive(Debug)]
pub struct Connector {
    proxies: Proxies,
    tls: Tls,
}

impl Connector {
    /// Reads the files that `trust` names.
    pub fn new(trust: &Trust, proxies: Proxies) -> Result<Self, ConnectError> {
        Ok(Self { proxies, tls: Tls::new(trust)? })
    }

    /// Connects to a server, and agrees with it on HTTP/2 or HTTP/1.1.
    pub async fn connect(&self, origin: &Origin) -> Result<Connection, ConnectError> {
        self.walk(origin, &mut |_, _| ()).await
    }

    /// The same, telling of each step.
    pub async fn walk(&self, origin: &Origin, passed: Passed<'_>) -> Result<Connection, ConnectError> {
        self.reach(origin, passed).await.map_err(|cause| cause.reaching(origin))
    }

    /// A connection on which nothing has been said yet, for a client that asked for it with CONNECT.
    pub async fn tunnel(&self, host: &str, port: u16) -> Result<Stream, ConnectError> {
        let origin = Origin { tls: true, host: host.to_owned(), port };
        let made = self.bare(&origin, &mut |_, _| ()).await;
        made.map_err(|cause| cause.reaching(format!("{}:{port}", bracketed(host))))
    }

    async fn reach(&self, origin: &Origin, passed: Passed<'_>) -> Result<Connection, Cause> {
        if origin.tls {
            let bare = self.bare(origin, passed).await?;
            let (stream, is_http2) = self.tls.secure(bare, &origin.host, true).await?;
            passed(Step::Tls, stream.agreed());
            if is_http2 {
                return Ok(Connection::http2(Http2::begin(stream, origin.clone()).await?));
            }
            return Ok(Connection::http1(Line::new(stream, None)));
        }
        let line = match self.proxies.before(origin)? {
            Some(proxy) => Line::new(self.to_proxy(&proxy, passed).await?, Some(Via::new(origin, proxy.authorization))),
            None => Line::new(Stream::tcp(dial(&origin.host, origin.port, passed).await?), None),
        };
        Ok(Connection::http1(line))
    }

    /// The bytes' way to a server that is spoken to by TLS, before anything was said.
    async fn bare(&self, origin: &Origin, passed: Passed<'_>) -> Result<Stream, Cause> {
        let Some(proxy) = self.proxies.before(origin)? else {
            return Ok(Stream::tcp(dial(&origin.host, origin.port, passed).await?));
        };
        let stream = tunnel(self.to_proxy(&proxy, passed).await?, &proxy, &origin.host, origin.port).await?;
        passed(Step::Proxy, format!("it connects to {}:{}", bracketed(&origin.host), origin.port));
        Ok(stream)
    }

    async fn to_proxy(&self, proxy: &Proxy, passed: Passed<'_>) -> Result<Stream, Cause> {
        passed(Step::Settings, format!("the proxy {} stands before it (from {})", proxy.origin, proxy.variable));
        let named = |cause: Cause| {
            let Proxy { origin, variable, .. } = proxy;
            let why = cause.why.replace("start the server", "start the proxy");
            Cause { why: format!("the proxy {origin} (from {variable}): {why}"), ..cause }
        };
        let stream = Stream::tcp(dial(&proxy.origin.host, proxy.origin.port, passed).await.map_err(named)?);
        if !proxy.origin.tls {
            return Ok(stream);
        }
        let secured = self.tls.secure(stream, &proxy.origin.host, false).await;
        Ok(secured.map_err(named)?.0)
    }
}
