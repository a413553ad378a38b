//! What all connections of a server share: where it is, how it answers, and where everything is noted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crate::engine::doors::Doors;
use crate::engine::proxy::journal::Journal;
use crate::engine::serve::hub::Hub;
use crate::model::{Channel, Transport};
use crate::wire::http::Head;

/// So much of a `User-Agent` tells clients of one address apart.
const LONGEST_AGENT: usize = 200;
/// So many bytes of bodies may be held at one time, of all requests together.
const ROOM: usize = 256 << 20;

/// One server on HTTP.
pub struct Site {
    /// The machine.
    pub hub: Arc<Hub>,
    /// Who may come.
    pub doors: Doors,
    /// The path of the endpoint.
    pub path: String,
    /// Whether HTTP+SSE is served.
    pub sse: bool,
    /// Whether sessions are given.
    pub sessions: bool,
    /// Whether single answers are JSON.
    pub json: bool,
    /// The number of the last channel.
    pub last: AtomicU32,
    /// How many bytes of bodies are held.
    pub held: AtomicUsize,
}

impl Site {
    /// The notes of a new exchange, which a request with this head begins.
    pub fn journal(&self, head: &Head, ip: &str) -> Journal {
        let text = |name: &str| head.text(name).map(std::borrow::Cow::into_owned).filter(|text| !text.is_empty());
        let peer = match head.text("user-agent") {
            Some(agent) => format!("{ip} {}", agent.chars().take(LONGEST_AGENT).collect::<String>()),
            None => ip.to_owned(),
        };
        let channel = Channel {
            id: self.last.fetch_add(1, Ordering::Relaxed) + 1,
            transport: Transport::HttpRequest,
            peer: Some(peer),
            session: text("mcp-session-id"),
            version: text("mcp-protocol-version"),
            resumes: text("last-event-id"),
        };
        Journal::open(self.hub.queue(), channel)
    }

    /// Room for so many more bytes of a body; `false` when too much is held already.
    pub fn hold(&self, bytes: usize) -> bool {
        let before = self.held.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > ROOM {
            self.held.fetch_sub(bytes, Ordering::Relaxed);
            return false;
        }
        true
    }

    /// They are held no more.
    pub fn release(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}
