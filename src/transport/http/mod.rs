//! HTTP between a client and a server: reading and writing messages piece by piece, and the way to a
//! server through names, proxies and TLS. What is relayed, and to whom, is decided elsewhere.

mod authority;
mod broken;
mod certificate;
mod connect_error;
mod connection;
mod connector;
mod dial;
mod heard;
mod http1;
mod http2;
mod line;
mod origin;
mod proxies;
mod serving;
mod stream;
mod tls;
mod tls_fault;
mod trust;
mod tunnel;
mod verifier;

pub use authority::{Authority, AuthorityError};
pub use broken::{Broken, Peer};
pub use certificate::{fingerprint_text, read_fingerprint};
pub use connect_error::{ConnectError, Step};
pub use connection::{Connection, Hearing, Sending};
pub use connector::{Connector, Passed};
pub use heard::Heard;
pub use http1::{Reader, Writer};
pub use origin::Origin;
pub use proxies::Proxies;
pub use serving::{AcceptError, ServeError, Serving, accept};
pub use stream::{ReadHalf, Stream, WriteHalf};
pub use trust::Trust;

#[cfg(test)]
mod tests;
