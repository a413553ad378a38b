//! Why a message could not be read or written to its end.

use std::io;

use thiserror::Error;

use super::connect_error::plainly;
use super::tls_fault::later;
use crate::wire::chunked::ChunkFault;
use crate::wire::http::HeadFault;

/// Who is at the other end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// Whoever sent the request.
    Client,
    /// Whoever answers it.
    Server,
}

impl Peer {
    const fn message(self) -> &'static str {
        match self {
            Self::Client => "the client's request",
            Self::Server => "the server's response",
        }
    }

    const fn named(self) -> &'static str {
        match self {
            Self::Client => "the client",
            Self::Server => "the server",
        }
    }
}

/// A message that broke off or is not HTTP; the connection is of no use any more. Fits after "failed to".
#[derive(Debug, Error)]
pub enum Broken {
    /// The connection was closed within a head.
    #[error("read {}: {} closed the connection after {got} bytes of its head", .from.message(), .from.named())]
    ClosedInHead {
        /// Who closed it.
        from: Peer,
        /// How much of the head had come.
        got: usize,
    },
    /// The connection was closed before any response.
    #[error("read the server's response: it closed the connection without one")]
    ClosedBefore,
    /// The connection was closed within a body.
    #[error("read {}: {} closed the connection after {got} {}of the body", .from.message(), .from.named(), announced(*.of))]
    ClosedInBody {
        /// Who closed it.
        from: Peer,
        /// How many bytes of the body had come.
        got: u64,
        /// How many were announced, where that was said.
        of: Option<u64>,
    },
    /// Reading failed.
    #[error("read {}: {}", .from.message(), words(.source, *.from))]
    Read {
        /// Whose message it was.
        from: Peer,
        /// What the system said.
        source: io::Error,
    },
    /// Writing failed.
    #[error("write to {}: {}", .to.named(), words(.source, *.to))]
    Write {
        /// Who reads no more.
        to: Peer,
        /// What the system said.
        source: io::Error,
    },
    /// It is not HTTP, or so that its end could not be told.
    #[error("read {}: {source}", .from.message())]
    Head {
        /// Whose message it was.
        from: Peer,
        /// What is wrong with it.
        source: HeadFault,
    },
    /// What came is TLS.
    #[error("read {}: it speaks TLS there, and HTTP was expected; use https:// instead of http://", .from.message())]
    Tls {
        /// Who spoke.
        from: Peer,
    },
    /// The head is too large.
    #[error("read {}: its head is larger than {limit} bytes", .from.message())]
    HeadTooLarge {
        /// Whose message it was.
        from: Peer,
        /// How large it may be.
        limit: usize,
    },
    /// The framing of a chunked body is damaged.
    #[error("read {}: {source}", .from.message())]
    Chunk {
        /// Whose message it was.
        from: Peer,
        /// What is wrong with it.
        source: ChunkFault,
    },
    /// More or less was written than the head announced.
    #[error("write to {}: the body is not as long as its head says ({left} bytes are missing)", .to.named())]
    Length {
        /// To whom.
        to: Peer,
        /// How much is missing; negative when there is too much.
        left: i128,
    },
    /// An earlier write was given up in its middle.
    #[error("write to {}: an earlier write was broken off", .to.named())]
    Torn {
        /// To whom.
        to: Peer,
    },
    /// HTTP/2 ended the stream or the connection.
    #[error("exchange messages by HTTP/2: {why}")]
    Http2 {
        /// What was wrong.
        why: String,
        /// Whether the other end closed or reset it.
        gone: bool,
    },
}

impl Broken {
    /// Whether the other end closed or reset the connection, rather than saying something wrong.
    pub fn is_gone(&self) -> bool {
        match self {
            Self::ClosedInHead { .. }
            | Self::ClosedBefore
            | Self::ClosedInBody { .. }
            | Self::Read { .. }
            | Self::Write { .. } => true,
            Self::Http2 { gone, .. } => *gone,
            _ => false,
        }
    }
}

fn announced(length: Option<u64>) -> String {
    length.map_or_else(|| "bytes ".to_owned(), |length| format!("of {length} bytes "))
}

/// What the system says in few words, said of the one who did it.
fn words(error: &io::Error, peer: Peer) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionReset => format!("{} reset the connection", peer.named()),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionAborted => {
            format!("{} closed the connection", peer.named())
        }
        _ => later(error).unwrap_or_else(|| plainly(error)),
    }
}
