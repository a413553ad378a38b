//! A client of a server of the window, as far as it said who it is.

use crate::engine::view::Json;
use crate::model::{Era, Nanos};
use crate::peer::server::{ClientId, Link, Who};

/// Subscriptions that are kept of each.
const MOST: usize = 50;

/// A client.
#[derive(Debug, Clone)]
pub struct Client {
    /// Its number.
    pub id: ClientId,
    /// What carries it.
    pub link: Link,
    /// Who it is.
    pub who: Option<Who>,
    /// When it came.
    pub at: Nanos,
    /// When it asked something last.
    pub last: Nanos,
    /// Why it went.
    pub left: Option<String>,
    /// What it listened to, and stopped listening to, in words.
    pub listens: Vec<String>,
    /// How many requests it made.
    pub requests: u64,
}

impl Client {
    /// One that has just come.
    pub const fn new(id: ClientId, link: Link, at: Nanos) -> Self {
        Self { id, link, who: None, at, last: at, left: None, listens: Vec::new(), requests: 0 }
    }

    /// Whether it belongs to no session: in 2026-07-28 each request over HTTP comes by itself, and says who asks.
    pub fn is_stateless(&self) -> bool {
        self.link == Link::Http && self.who.as_ref().is_some_and(|who| who.era == Era::Modern)
    }

    /// Its name, with the version where it said one; its number where it did not.
    pub fn name(&self) -> String {
        let identity = self.who.as_ref().and_then(|who| who.identity.as_ref());
        let json = identity.and_then(|bytes| Json::parse(bytes).ok());
        let word = |name| Some(json?.get(name)?.text()?.into_owned());
        match (word("name"), word("version")) {
            (Some(name), Some(version)) => format!("{name} {version}"),
            (Some(name), None) => name,
            (None, _) => format!("client {}", self.id),
        }
    }

    /// What carries it, in a word.
    pub const fn carrier(&self) -> &'static str {
        match self.link {
            Link::Stdio => "stdio",
            Link::Http => "HTTP",
            Link::Sse => "HTTP+SSE",
        }
    }

    /// It listens to something, or no more.
    pub fn listen(&mut self, what: String) {
        if self.listens.len() == MOST {
            self.listens.remove(0);
        }
        self.listens.push(what);
    }
}
