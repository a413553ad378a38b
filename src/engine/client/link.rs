//! What carries the client's messages to a server and back: pipes or HTTP, behind one set of names.

use super::http::Remote;
use super::stdio::Pipes;
use crate::model::{Id, Nanos};
use crate::peer::client::{Bytes, Refused, Told};

/// The longest message that is taken from a server; a longer one is told of as damaged.
pub const LONGEST: usize = 256 << 20;
/// So much is kept of one that is longer.
pub const EXCERPT: usize = 64 << 10;

/// What comes over a link.
#[derive(Debug)]
pub enum News {
    /// It stands.
    Opened,
    /// A message, whole; with the place of the message that it answers, counted from 1 as they were sent, where the link
    /// knows that better than the id tells.
    Frame(Vec<u8>, Option<u64>),
    /// Requests that were not carried, or whose response was no answer; likewise.
    Refused(Vec<Id>, Refused, Option<u64>),
    /// It is gone: why, and whether that is a failure.
    Closed(String, bool),
    /// Something that the link noticed.
    Told(Told),
}

/// A link.
pub enum Link {
    /// To a process.
    Pipes(Box<Pipes>),
    /// To a URL.
    Remote(Box<Remote>),
}

impl Link {
    /// Opens it; [`News::Opened`] or [`News::Closed`] follows.
    pub fn open(&mut self) {
        match self {
            Self::Pipes(pipes) => pipes.open(),
            Self::Remote(remote) => remote.open(),
        }
    }

    /// Sends a message, or bytes as they are, with these header fields on HTTP.
    pub fn send(&mut self, bytes: Bytes, fields: Vec<(String, String)>, raw: bool) {
        match self {
            Self::Pipes(pipes) => pipes.send(bytes, raw),
            Self::Remote(remote) => remote.send(bytes, fields, raw),
        }
    }

    /// Closes the stream that answers a request; there is none on pipes.
    pub fn drop_request(&mut self, id: &Id) {
        if let Self::Remote(remote) = self {
            remote.drop_request(id);
        }
    }

    /// Breaks a stream as a bad network would; there is none on pipes.
    pub fn break_stream(&mut self, id: Option<&Id>) {
        if let Self::Remote(remote) = self {
            remote.break_stream(id);
        }
    }

    /// Begins its end.
    pub fn finish(&mut self) {
        match self {
            Self::Pipes(pipes) => pipes.finish(),
            Self::Remote(remote) => remote.finish(),
        }
    }

    /// Shortens its end.
    pub fn hurry(&mut self) {
        match self {
            Self::Pipes(pipes) => pipes.hurry(),
            Self::Remote(remote) => remote.hurry(),
        }
    }

    /// Whether nothing is left of it.
    pub fn is_over(&self) -> bool {
        match self {
            Self::Pipes(pipes) => pipes.is_over(),
            Self::Remote(remote) => remote.is_over(),
        }
    }

    /// Waits for news, sees to what has to be done meanwhile, and comes back also when it is over. May be given up at
    /// any time without losing anything.
    pub async fn next(&mut self) -> Option<News> {
        match self {
            Self::Pipes(pipes) => pipes.next().await,
            Self::Remote(remote) => remote.next().await,
        }
    }
}

/// What is told of a message of `size` bytes, more than is taken, which begins so.
pub fn too_long(start: &[u8], size: usize) -> Told {
    let why = format!(
        "a message of {size} bytes, longer than the {} MiB that one may have; it was recorded, and not read further",
        LONGEST >> 20
    );
    Told::Stray { bytes: start[..start.len().min(EXCERPT)].into(), why }
}

/// How long until `at`.
pub fn until(now: Nanos, at: Nanos) -> std::time::Duration {
    std::time::Duration::from_nanos(u64::try_from(at.saturating_sub(now)).unwrap_or(0))
}
