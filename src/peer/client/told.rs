//! What a client tells of what happens: plain data for the window and the command line.

use std::sync::Arc;

use super::{CallId, Items, Kind, QuestionId};
use crate::model::{Era, Id, Nanos, Revision};

/// Bytes as they were on the wire.
pub type Bytes = Arc<[u8]>;

/// Where a connection stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// The era is being found out, or the handshake is under way.
    Opening,
    /// It can be used.
    Open(Arc<Peer>),
    /// It is over, with a sentence that says why and, for a failure, what to do.
    Closed {
        /// Why.
        why: String,
        /// Whether it ended otherwise than was asked for.
        failed: bool,
    },
}

/// Who is at the other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The era in which it is spoken to.
    pub era: Era,
    /// The revision.
    pub revision: Revision,
    /// `serverInfo` as JSON text; in 2026-07-28 from `_meta`, where it may come later or never.
    pub identity: Option<Bytes>,
    /// `capabilities` as JSON text; `None` where `server/discover` was not asked or failed.
    pub capabilities: Option<Bytes>,
    /// `instructions`.
    pub instructions: Option<String>,
    /// `supportedVersions` of 2026-07-28, in the server's order.
    pub supported: Vec<String>,
    /// The whole result of `initialize` or `server/discover`.
    pub greeting: Option<Bytes>,
}

/// One step by which the era was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What was sent: `server/discover with 2026-07-28`, `initialize with 2025-11-25`.
    pub what: String,
    /// What came of it, in words: `error -32601, so the server is legacy`, `no answer for 10 s`.
    pub came: String,
    /// Whether it led on.
    pub ok: bool,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The `result`, as it was sent.
    Result(Bytes),
    /// The `error` object, as it was sent.
    Error(Bytes),
    /// An HTTP response that is no answer.
    Http {
        /// The status; `None` where there was no response.
        status: Option<u16>,
        /// What it means and what to do.
        why: String,
        /// The start of the body.
        body: Bytes,
        /// `WWW-Authenticate`.
        challenge: Option<String>,
    },
    /// It took too long: which clock ran out and after how long, as a sentence. The server was told.
    TimedOut(String),
    /// It was cancelled by us.
    Cancelled,
    /// The connection ended first; why.
    Lost(String),
    /// It was not sent, or given up: why and what to do.
    Refused(String),
}

impl Outcome {
    /// Whether it is a result, and one without `isError`.
    pub fn is_ok(&self) -> bool {
        let is_error = |bytes: &Bytes| {
            let json = crate::wire::Json::parse(bytes).ok();
            json.and_then(|json| json.get("isError")?.as_bool()).unwrap_or(false)
        };
        matches!(self, Self::Result(bytes) if !is_error(bytes))
    }

    /// How it ended in one word, for what programs read.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Result(_) => "result",
            Self::Error(_) => "error",
            Self::Http { .. } => "http",
            Self::TimedOut(_) => "timed-out",
            Self::Cancelled => "cancelled",
            Self::Lost(_) => "lost",
            Self::Refused(_) => "refused",
        }
    }

    /// Why it ended so, where there is a sentence for it.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Http { why, .. } | Self::TimedOut(why) | Self::Lost(why) | Self::Refused(why) => Some(why),
            Self::Result(_) | Self::Error(_) | Self::Cancelled => None,
        }
    }
}

/// What the server asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its number.
    pub id: QuestionId,
    /// `sampling/createMessage`, `elicitation/create`, `roots/list`, or a method that nobody knows.
    pub method: String,
    /// Its params, as sent.
    pub params: Option<Bytes>,
    /// The call in whose course it was asked, where that is known.
    pub call: Option<CallId>,
    /// In MRTR: the key among `inputRequests`, and the round, counting from 1. In a task likewise.
    pub key: Option<String>,
    /// See [`Question::key`]; 0 for a request of the legacy era.
    pub round: u32,
    /// The id of a request of the legacy era.
    pub request: Option<Id>,
}

/// A list of one kind, as far as it was fetched. Told anew with each page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The items of all pages.
    pub items: Items,
    /// How many pages were fetched.
    pub pages: u32,
    /// The cursor of the next page; `None` when it is complete.
    pub next: Option<String>,
    /// What stopped it: the guard against endless cursors, an error, a repeated cursor.
    pub stopped: Option<String>,
    /// `ttlMs` and `cacheScope` of the first page (2026-07-28).
    pub hint: Option<(u64, String)>,
    /// When the first page came.
    pub at: Nanos,
    /// The server has said that it changed since, or its time is up.
    pub stale: bool,
}

/// The state of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskState {
    /// `taskId`.
    pub id: String,
    /// `working`, `input_required`, `completed`, `failed`, `cancelled`, or what the server says.
    pub status: String,
    /// `statusMessage`.
    pub message: Option<String>,
    /// How often it was asked for.
    pub polls: u32,
    /// When it will be asked for next by itself.
    pub next: Option<Nanos>,
    /// The task as sent.
    pub json: Bytes,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Where the connection stands.
    State(State),
    /// A step of finding out the era.
    Attempt(Attempt),
    /// A request of a call left: its id and its bytes; the round counts from 1.
    Sent {
        /// Which call.
        call: CallId,
        /// The round of MRTR.
        round: u32,
        /// The id.
        id: Id,
        /// The message, without a line end.
        message: Bytes,
    },
    /// `notifications/progress` of a call; numbers as sent.
    Progress {
        /// Which call.
        call: CallId,
        /// `progress`.
        progress: String,
        /// `total`.
        total: Option<String>,
        /// `message`.
        message: Option<String>,
    },
    /// A round of a call ended with `input_required`. Unless [`super::Settings::step_rounds`] it goes on when its
    /// questions are answered; otherwise with [`super::Order::Step`], for which `next` holds the params.
    Round {
        /// Which call.
        call: CallId,
        /// The round that ended.
        round: u32,
        /// Its result.
        result: Bytes,
        /// The params of the next round, once all questions are answered.
        next: Option<Bytes>,
    },
    /// The task of a call.
    Task {
        /// Which call.
        call: CallId,
        /// How it stands.
        task: TaskState,
    },
    /// A call is over.
    Ended {
        /// Which call.
        call: CallId,
        /// How.
        outcome: Outcome,
        /// From the first request to the end.
        took: Nanos,
    },
    /// An answer came for a call that was over: cancelled, timed out, answered before.
    Late {
        /// Which call.
        call: CallId,
        /// The message.
        message: Bytes,
    },
    /// The server asks something.
    Asked(Question),
    /// A question needs no answer any more: it was answered, taken back, or its call is over; in words.
    Settled(QuestionId, String),
    /// A list, as far as it was fetched.
    List(Kind, Arc<List>),
    /// A notification, of whatever method; with the call that it certainly belongs to.
    Notified {
        /// Its method.
        method: String,
        /// The message.
        message: Bytes,
        /// Its call; for a subscription the call that listens.
        call: Option<CallId>,
    },
    /// The stream of a `subscriptions/listen`: acknowledged, ended, lost, begun again; in words.
    Stream {
        /// Which call.
        call: CallId,
        /// What happened.
        what: String,
    },
    /// The link did something by itself, or could not: began a lost session again, resumed a stream, fell back to
    /// HTTP+SSE; in words.
    Link(String),
    /// Something that fits nowhere: no JSON, an answer to nothing, an answer without an id; why it fits nowhere.
    Stray {
        /// The bytes.
        bytes: Bytes,
        /// Why.
        why: String,
    },
}
