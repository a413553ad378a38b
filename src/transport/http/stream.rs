//! One connection's bytes: TCP, or TLS on top of it, in either role. Knows nothing of HTTP.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio_rustls::TlsStream;

use super::certificate::{Certificate, fingerprint_text};

/// A connection. TLS may lie within TLS: a server reached through a proxy that is itself reached by it.
#[derive(Debug)]
pub enum Stream {
    /// Plain bytes.
    Tcp(TcpStream),
    /// As client or as server.
    Tls(Box<TlsStream<Self>>),
}

/// What comes in.
#[derive(Debug)]
pub enum ReadHalf {
    /// Plain bytes.
    Tcp(OwnedReadHalf),
    /// Through TLS.
    Tls(tokio::io::ReadHalf<Box<TlsStream<Stream>>>),
}

/// What goes out.
#[derive(Debug)]
pub enum WriteHalf {
    /// Plain bytes.
    Tcp(OwnedWriteHalf),
    /// Through TLS.
    Tls(tokio::io::WriteHalf<Box<TlsStream<Stream>>>),
}

impl Stream {
    /// A connection whose small pieces leave at once.
    pub fn tcp(stream: TcpStream) -> Self {
        // It fails on sockets that are dead already, which the first read says better.
        let _ = stream.set_nodelay(true);
        Self::Tcp(stream)
    }

    /// Both directions, to be used at the same time.
    pub fn split(self) -> (ReadHalf, WriteHalf) {
        match self {
            Self::Tcp(tcp) => {
                let (read, write) = tcp.into_split();
                (ReadHalf::Tcp(read), WriteHalf::Tcp(write))
            }
            Self::Tls(tls) => {
                let (read, write) = tokio::io::split(tls);
                (ReadHalf::Tls(read), WriteHalf::Tls(write))
            }
        }
    }

    /// Both directions as one again; `None` when they are not of one connection.
    pub fn join(read: ReadHalf, write: WriteHalf) -> Option<Self> {
        match (read, write) {
            (ReadHalf::Tcp(read), WriteHalf::Tcp(write)) => read.reunite(write).ok().map(Self::Tcp),
            (ReadHalf::Tls(read), WriteHalf::Tls(write)) if read.is_pair_of(&write) => {
                Some(Self::Tls(read.unsplit(write)))
            }
            _ => None,
        }
    }

    /// The first byte that comes, without taking it; `None` when none comes, or it cannot be told (TLS).
    pub async fn peek(&self) -> Option<u8> {
        let Self::Tcp(tcp) = self else { return None };
        let mut first = [0];
        tcp.peek(&mut first).await.ok().filter(|count| *count == 1).map(|_| first[0])
    }

    /// What was agreed on for TLS, and the certificate that the server showed, in words.
    pub(super) fn agreed(&self) -> String {
        let Self::Tls(tls) = self else { return "no TLS".to_owned() };
        let agreed = tls.get_ref().1;
        let version = agreed.protocol_version().map(|version| format!("{version:?}").replace("TLSv1_", "TLS 1."));
        let http = match agreed.alpn_protocol() {
            Some(b"h2") => "HTTP/2",
            _ => "HTTP/1.1",
        };
        let shown = agreed.peer_certificates().and_then(|chain| chain.first()).map(|der| {
            let read = Certificate::read(der);
            let issuer = read.issuer.map_or_else(String::new, |issuer| format!(" issued by {issuer:?}"));
            format!(", certificate {}{issuer}", fingerprint_text(&read.fingerprint))
        });
        format!("{}, {http}{}", version.unwrap_or_else(|| "TLS".to_owned()), shown.unwrap_or_default())
    }

    /// Who is at the other end.
    pub fn peer(&self) -> io::Result<SocketAddr> {
        match self {
            Self::Tcp(tcp) => tcp.peer_addr(),
            Self::Tls(tls) => tls.get_ref().0.peer(),
        }
    }
}

impl WriteHalf {
    /// Sees to it that the connection is reset, not closed in order, when it is dropped. TLS needs none of
    /// this: it tells a connection that was cut from one that ended.
    pub fn reset(&self) {
        if let Self::Tcp(tcp) = self {
            // It fails on sockets that are dead already.
            let _ = tcp.as_ref().set_zero_linger();
        }
    }
}

/// Passes a read on to whichever kind it is.
macro_rules! reads {
    ($kind:ident) => {
        impl AsyncRead for $kind {
            fn poll_read(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                into: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                match self.get_mut() {
                    Self::Tcp(tcp) => Pin::new(tcp).poll_read(context, into),
                    Self::Tls(tls) => Pin::new(tls).poll_read(context, into),
                }
            }
        }
    };
}

/// Passes writes on to whichever kind it is.
macro_rules! writes {
    ($kind:ident) => {
        impl AsyncWrite for $kind {
            fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
                match self.get_mut() {
                    Self::Tcp(tcp) => Pin::new(tcp).poll_write(context, bytes),
                    Self::Tls(tls) => Pin::new(tls).poll_write(context, bytes),
                }
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                slices: &[IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                match self.get_mut() {
                    Self::Tcp(tcp) => Pin::new(tcp).poll_write_vectored(context, slices),
                    Self::Tls(tls) => Pin::new(tls).poll_write_vectored(context, slices),
                }
            }

            fn is_write_vectored(&self) -> bool {
                match self {
                    Self::Tcp(tcp) => tcp.is_write_vectored(),
                    Self::Tls(tls) => tls.is_write_vectored(),
                }
            }

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                match self.get_mut() {
                    Self::Tcp(tcp) => Pin::new(tcp).poll_flush(context),
                    Self::Tls(tls) => Pin::new(tls).poll_flush(context),
                }
            }

            fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                match self.get_mut() {
                    Self::Tcp(tcp) => Pin::new(tcp).poll_shutdown(context),
                    Self::Tls(tls) => Pin::new(tls).poll_shutdown(context),
                }
            }
        }
    };
}

reads!(Stream);
reads!(ReadHalf);
writes!(Stream);
writes!(WriteHalf);
