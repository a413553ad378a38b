//! The demo's server: a depot of parcels that speaks both eras on one pair of pipes, as
//! protocol.md 0.6 and 3.6 allow. This file is its loop; what it answers is in `answers` and `tools`.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use super::catalog::{Catalog, SERVER_INFO};
use super::talk::{Heard, Raw, Talk};

/// The revision of the modern era that the server speaks.
pub(super) const MODERN: &str = "2026-07-28";
/// The revision of the legacy era that the server speaks.
pub(super) const LEGACY: &str = "2025-11-25";

/// The server, over any streams.
pub(super) struct Server<R, W, E> {
    pub(super) talk: Talk<R, W>,
    pub(super) catalog: Catalog,
    /// How long a step of work takes.
    pub(super) step: Duration,
    /// Whether a manifest was imported, which brings one more tool.
    pub(super) imported: bool,
    /// The URI that a legacy client subscribed to.
    pub(super) subscribed: Option<String>,
    /// The id of the open `subscriptions/listen`, as JSON text.
    pub(super) listening: Option<String>,
    /// How often the one task was asked for.
    pub(super) polls: u32,
    /// When the one task was made.
    pub(super) task_made: Option<jiff::Timestamp>,
    log: E,
    /// What was heard while the server waited for something else.
    waiting: VecDeque<Heard>,
    next_id: i64,
}

/// One request of the client.
pub(super) struct Ask {
    /// Its id as JSON text.
    pub(super) id: String,
    pub(super) method: String,
    pub(super) params: Raw,
    /// Whether its `_meta` names a revision, which makes it modern.
    pub(super) modern: bool,
}

/// What the server says to a request.
pub(super) enum Reply {
    /// A result, as the JSON text of its members without the braces.
    Result(String),
    /// A result that a modern client may keep for a while.
    Cacheable(String),
    /// A result of another kind than `complete`, its members with `resultType`.
    Other(String),
    /// An error, with data as JSON text.
    Error(i32, String, Option<String>),
    /// Nothing, now or ever.
    Silence,
}

impl<R: BufRead, W: Write, E: Write> Server<R, W, E> {
    pub(super) fn new(input: R, output: W, log: E, step: Duration) -> Self {
        Self {
            talk: Talk::new(input, output),
            catalog: Catalog::new(),
            step,
            imported: false,
            subscribed: None,
            listening: None,
            polls: 0,
            task_made: None,
            log,
            waiting: VecDeque::new(),
            next_id: 0,
        }
    }

    /// Serves until the client closes its end.
    pub(super) fn run(&mut self) -> io::Result<()> {
        self.grumble("parcels 1.4.0: reading the shelf plan")?;
        // What a server must not do and many do: a line of its own on the protocol's stream (IO-001).
        self.talk.say("parcels 1.4.0 is ready, 3 shelves, 19 parcels")?;
        while let Some(heard) = self.next()? {
            self.take(heard)?;
        }
        self.end_listening()?;
        self.grumble("parcels 1.4.0: end of input, closing")
    }

    /// Writes a line on stderr, where a server's own talk belongs, and lets it go first.
    pub(super) fn grumble(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.log, "{line}")?;
        self.log.flush()?;
        self.rest();
        Ok(())
    }

    /// Lets the time of one step pass.
    pub(super) fn rest(&self) {
        thread::sleep(self.step);
    }

    /// Asks the client something and waits for its answer; legacy only (JR-027).
    pub(super) fn ask(&mut self, method: &str, params: &str) -> io::Result<Option<Raw>> {
        let id = self.next_id.to_string();
        self.next_id += 1;
        self.talk.request(&id, method, params)?;
        while let Some(heard) = self.talk.hear()? {
            match heard {
                Heard::Answer { id: answered, body } if answered == id => return Ok(body.ok()),
                other => self.waiting.push_back(other),
            }
        }
        Ok(None)
    }

    /// Serves on until the request with this id is cancelled; false when the client went away.
    pub(super) fn until_cancelled(&mut self, id: &str) -> io::Result<bool> {
        while let Some(heard) = self.next()? {
            match heard {
                Heard::Notification { method, params }
                    if method == "notifications/cancelled" && params.raw("/requestId").as_deref() == Some(id) =>
                {
                    return Ok(true);
                }
                other => self.take(other)?,
            }
        }
        Ok(false)
    }

    fn next(&mut self) -> io::Result<Option<Heard>> {
        match self.waiting.pop_front() {
            Some(heard) => Ok(Some(heard)),
            None => self.talk.hear(),
        }
    }

    fn take(&mut self, heard: Heard) -> io::Result<()> {
        let Heard::Request { id, method, params } = heard else { return Ok(()) };
        let modern = params.raw("/_meta/io.modelcontextprotocol~1protocolVersion").is_some();
        let ask = Ask { id, method, params, modern };
        let reply = self.answer(&ask)?;
        self.send(&ask, reply)?;
        self.afterwards(&ask)
    }

    fn send(&mut self, ask: &Ask, reply: Reply) -> io::Result<()> {
        let meta = format!(r#""_meta":{{"io.modelcontextprotocol/serverInfo":{SERVER_INFO}}}"#);
        let result = match reply {
            Reply::Silence => return Ok(()),
            Reply::Error(code, message, data) => return self.talk.error(&ask.id, code, &message, data.as_deref()),
            Reply::Result(members) | Reply::Cacheable(members) | Reply::Other(members) if !ask.modern => members,
            Reply::Result(members) => join(&[r#""resultType":"complete""#, &members, &meta]),
            Reply::Cacheable(members) => {
                join(&[r#""resultType":"complete""#, &members, r#""ttlMs":300000,"cacheScope":"public""#, &meta])
            }
            Reply::Other(members) => join(&[&members, &meta]),
        };
        self.talk.result(&ask.id, &format!("{{{result}}}"))
    }

    /// Ends an open subscription in order (SU-008): with its result, which names it.
    fn end_listening(&mut self) -> io::Result<()> {
        let Some(id) = self.listening.take() else { return Ok(()) };
        let meta = format!(
            r#"{{"io.modelcontextprotocol/subscriptionId":{id},"io.modelcontextprotocol/serverInfo":{SERVER_INFO}}}"#
        );
        self.talk.result(&id, &format!(r#"{{"resultType":"complete","_meta":{meta}}}"#))
    }
}

fn join(members: &[&str]) -> String {
    let present: Vec<&str> = members.iter().copied().filter(|member| !member.is_empty()).collect();
    present.join(",")
}
