//! One HTTP request with what has come of its answer.

use std::sync::Arc;

use url::Url;

use crate::engine::remote::inlet::Inlet;
use crate::engine::remote::line::{Asked, Line};
use crate::engine::remote::refusal::Refusal;
use crate::model::{ChannelId, Id, Nanos};
use crate::wire::Json;

/// Number of an exchange, and of its channel in the recording.
pub type Number = ChannelId;

/// A request to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `POST`, `GET` or `DELETE`.
    pub method: &'static str,
    /// Where to.
    pub url: Url,
    /// The fields that the protocol wants, in order.
    pub fields: Vec<(String, String)>,
    /// The body; empty for all but `POST`.
    pub body: Arc<[u8]>,
}

impl Request {
    /// The value of one of its fields.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// What the head of a response says, as far as it matters.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// `Content-Type`.
    pub media: String,
    /// `Mcp-Session-Id`.
    pub session: Option<String>,
    /// `WWW-Authenticate`.
    pub challenge: Option<String>,
    /// `Location`.
    pub location: Option<String>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Do {
    /// Send a request.
    Send(Number, Request),
    /// Close the connection of a request; why.
    Abort(Number, &'static str),
    /// What was given of a request's answer is used up: read on.
    ReadOn(Number),
    /// Write to the host.
    Print(Vec<u8>),
    /// What is printed or refused next answers the message that was sent as this one, counted from 1. Said only where
    /// another request with the same id waits too. For a client of ours only.
    Answers(u64),
    /// Tell that a request got no answer, or, with `None`, that something else was not taken as it should be. For a
    /// client of ours only; a host reads it as a line.
    Refused(Option<Id>, Refusal),
    /// Tell of a message that is too long: its start and its length so far.
    Damaged(Vec<u8>, usize),
    /// Say something to whoever looks on.
    Say(String),
    /// Record what the host was given otherwise than the server gave it: what, and as what.
    Changed(Number, String, String),
    /// The stream of an exchange is that of HTTP+SSE.
    IsSse(Number),
    /// Nothing is left to do.
    Finish,
}

/// What a request is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// It carries a line of the host.
    Line,
    /// It carries the host's `initialize` once more, after the server had forgotten the session.
    Greeting,
    /// It carries the host's `notifications/initialized` once more.
    Greeted,
    /// The standalone stream of a session.
    Listening,
    /// It goes on with a stream that broke off; how often that was tried in vain.
    Resume(u32),
    /// It asks for the stream of HTTP+SSE, which begins with `endpoint`.
    Opening,
    /// That stream, once it has begun.
    Stream,
    /// It ends the session.
    Leaving,
}

/// One request with what has come of its answer.
#[derive(Debug)]
pub struct Exchange {
    /// What it is for.
    pub purpose: Purpose,
    /// The line that it carries; its bytes are let go of when they are not needed any more.
    pub line: Option<Line>,
    /// The requests in the line that have no answer yet.
    pub waits: Vec<Asked>,
    /// The session in which it was sent.
    pub session: Option<String>,
    /// When it was sent.
    pub since: Nanos,
    /// The head of its response; [`Answer::status`] is 0 before.
    pub answer: Answer,
    /// How its body is read.
    pub inlet: Inlet,
    /// The start of a body that is looked at when it is complete.
    pub body: Vec<u8>,
    /// The message that is being read.
    pub text: Vec<u8>,
    /// Lines that wait until another exchange has finished its line.
    pub ready: Vec<u8>,
    /// Whether it may read on only when its turn has come.
    pub paused: bool,
    /// The id of the last event.
    pub last_event: Option<String>,
    /// How long to wait before a reconnection, in milliseconds.
    pub retry: Option<u64>,
    /// Whether a message has come.
    pub fruitful: bool,
    /// Whether the server named another event than the one that was asked from: it is to be asked again.
    pub bids: bool,
    /// Whether the host has taken it back, so that nobody waits for its end.
    pub taken_back: bool,
    /// How much of a message was passed over, since it is too long.
    pub skipped: usize,
}

impl Exchange {
    /// One that is about to be sent.
    pub fn new(purpose: Purpose, line: Option<Line>, session: Option<String>, since: Nanos) -> Self {
        Self {
            purpose,
            line,
            waits: Vec::new(),
            session,
            since,
            answer: Answer::default(),
            inlet: Inlet::default(),
            body: Vec::new(),
            text: Vec::new(),
            ready: Vec::new(),
            paused: false,
            last_event: None,
            retry: None,
            fruitful: false,
            bids: false,
            taken_back: false,
            skipped: 0,
        }
    }

    /// Whether it belongs to 2026-07-28 or later.
    pub fn is_modern(&self) -> bool {
        self.line.as_ref().is_some_and(|line| line.version.is_some())
    }

    /// Whether it should come to its end before the bridge does: a stream that stays open does not count.
    pub fn is_awaited(&self) -> bool {
        let is_listen = self.line.as_ref().is_some_and(Line::is_listen);
        let is_posted = matches!(self.purpose, Purpose::Line | Purpose::Greeting | Purpose::Greeted);
        !is_listen && !self.taken_back && (is_posted || !self.waits.is_empty())
    }

    /// How many bytes of the host's it keeps.
    pub fn load(&self) -> usize {
        self.line.as_ref().map_or(0, |line| line.bytes.len())
    }

    /// Whether the server answered that it does not know the session (HL-005; some say so with 400). An
    /// error that is about the method or its parameters means neither.
    pub fn is_lost(&self) -> bool {
        let code = Json::of_frame(&self.body).ok().and_then(|json| json.get("error")?.get("code")?.as_i64());
        let named = || self.body.windows(7).any(|word| word.eq_ignore_ascii_case(b"session"));
        let told = self.answer.status == 404 || (self.answer.status == 400 && named());
        told && !matches!(code, Some(-32602 | -32601)) && self.session.is_some() && !self.is_modern()
    }
}
