//! What the window asks of the engine and what it is told: plain data that crosses threads.
//!
//! The window sends [`Command`]s and drains [`Event`]s; it never reads a file and never waits. Rows
//! are fetched by range; when the recording grows or the filter changes, [`State`] arrives with a new
//! `version`, and the window asks again for the rows that it shows while it goes on showing the old.

mod body;
mod clients;
mod http;
mod servers;
mod taps;

use std::path::PathBuf;
use std::sync::Arc;

/// What a [`Body`] is read with, so that the window need not know where it comes from.
pub use super::content::pieces;
/// What a resource template is expanded with.
pub use crate::mcp::template::{Template, Value as TemplateValue};
use crate::model::{Era, Nanos, Recording, Seq};
pub use crate::wire::{
    Frame, Json, JsonFault, JsonKind, MessageKind, Needle, Pretty, PrettyLine, Token, quote, read as read_frame,
    typed_tokens,
};
pub use body::{Body, Content, ContentKind};
pub use clients::{ClientCommand, ClientEvent, ConnectionId};
pub use http::{Change, Curl, EventView, FieldView, HeadKind, HeadView, HttpDetail, HttpTimes};
pub use servers::{ServerCommand, ServerEvent, ServerId, Turned};
pub use taps::{TapField, TapId, TapInfo, TapWish};

/// How the timeline is drawn up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// One row for each exchange, and one for each entry that belongs to none.
    Exchanges,
    /// One row for each entry.
    Messages,
}

/// What the window asks for. None of these is answered in the same frame.
#[derive(Debug, Clone)]
pub enum Command {
    /// Make the recording at this path the current one.
    Open(PathBuf),
    /// Show no recording.
    Close,
    /// Show only what this filter matches, in this view; empty text shows everything.
    Show {
        /// How to draw up the timeline.
        view: View,
        /// A filter in the filter language.
        filter: String,
    },
    /// Send rows `first .. first + count` of the current view and filter.
    Rows {
        /// Index of the first row, from 0, among those that match.
        first: u64,
        /// How many.
        count: u32,
    },
    /// Send everything about the exchange or entry of this row.
    Inspect(RowKey),
    /// Send the index of this row among those that match, for "reveal".
    Locate(RowKey),
    /// Look for recordings again, and read their facts anew.
    Rescan,
    /// Delete this recording from disk; refused while it is live.
    Delete(PathBuf),
    /// Start a tap on HTTP in this process.
    StartTap(TapWish),
    /// Stop a tap of this process in order.
    StopTap(TapId),
    /// Something for the clients of this window; never replaced by a later one.
    Client(ClientCommand),
    /// Something for the servers of this window; never replaced by a later one.
    Server(ServerCommand),
}

/// What the window is told.
#[derive(Debug, Clone)]
pub enum Event {
    /// The recordings of the folder, live ones first, then newest first.
    Recordings {
        /// The folder that is watched.
        folder: PathBuf,
        /// What lies in it.
        list: Vec<Listing>,
    },
    /// The current recording is open; rows can be asked for.
    Opened(Arc<Opened>),
    /// The recording could not be opened, with a sentence that says why and what to do.
    OpenFailed {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// How far the current recording is read and filtered.
    State(State),
    /// Rows that were asked for; fewer where the end was reached.
    Rows {
        /// The state's version that they belong to.
        version: u64,
        /// Index of the first.
        first: u64,
        /// The rows.
        rows: Vec<Row>,
    },
    /// Everything about one row.
    Inspected(Arc<Detail>),
    /// Where a row is now; `None` when the filter hides it.
    Located {
        /// Which row.
        key: RowKey,
        /// Its index among those that match.
        index: Option<u64>,
    },
    /// Something that a person should read: a failure outside the current recording.
    Notice(String),
    /// The taps that run in this process.
    Taps(Vec<TapInfo>),
    /// The tap that was asked for runs.
    TapStarted(TapInfo),
    /// The tap that was asked for could not be started, with a sentence that says why and what to do.
    TapFailed(String),
    /// Something about the clients of this window.
    Client(ClientEvent),
    /// Something about the servers of this window.
    Server(ServerEvent),
}

/// One recording in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Its file.
    pub path: PathBuf,
    /// Its facts; `Err` says why the file cannot be read.
    pub facts: Result<Recording, String>,
    /// Whether its recorder is running.
    pub live: bool,
    /// How many entries it holds.
    pub entries: u64,
    /// How many exchanges ended in an error, where that is known (it is read in the background).
    pub errors: Option<u64>,
    /// Who the client says it is, such as `claude-code 2.1.0`.
    pub client: Option<String>,
    /// Who the server says it is.
    pub server: Option<String>,
    /// The revision spoken, or both when both were.
    pub revision: Option<String>,
    /// How the server process ended, such as `exited 1`; `None` while it runs or where it is unknown.
    pub outcome: Option<String>,
    /// Size of the file in bytes.
    pub bytes: u64,
}

/// The current recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Its file.
    pub path: PathBuf,
    /// Its facts.
    pub facts: Recording,
    /// Said when it is read in spite of something: a newer format, damage, an unfinished end.
    pub warning: Option<String>,
}

/// How far the current recording is read and filtered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Counts up whenever rows may differ from those sent before.
    pub version: u64,
    /// Whether its recorder is running.
    pub live: bool,
    /// Entries in the file.
    pub entries: u64,
    /// Entries read so far; less than `entries` while a large recording is being read.
    pub read: u64,
    /// Entries that the recorder could not write.
    pub lost: u64,
    /// Rows of the view without filter.
    pub total: u64,
    /// Rows that match the filter, as far as it was applied.
    pub matching: u64,
    /// How much of the filter's work is done, 0 to 1.
    pub filtered: f32,
    /// What is wrong with the filter: the byte range in its text, and a sentence.
    pub filter_error: Option<(std::ops::Range<usize>, String)>,
    /// Exchanges that ended in an error.
    pub errors: u64,
    /// Exchanges without an answer yet.
    pub pending: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// HTTP responses that may still go on.
    pub open: u64,
    /// Methods and subjects (tools, URIs, prompts) seen, for completion while typing a filter.
    pub methods: Arc<[Arc<str>]>,
    /// The tools called or listed.
    pub tools: Arc<[Arc<str>]>,
    /// The session ids of HTTP seen.
    pub sessions: Arc<[Arc<str>]>,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKey {
    /// An exchange, by its index in the trace.
    Exchange(u32),
    /// An entry by itself.
    Entry(Seq),
}

/// The sign at the front of a row; each has a colour of its own as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// → a request or its exchange from the client.
    FromClient,
    /// ← a request or its exchange from the server.
    FromServer,
    /// · a notification.
    Notification,
    /// ! a line of stderr.
    Stderr,
    /// ∙ a lifecycle event.
    Lifecycle,
    /// ? a frame that is not JSON-RPC.
    Broken,
}

/// How a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Nothing to say: a notification, a line.
    None,
    /// Answered with a result.
    Ok,
    /// Answered with an error, or with a tool result that says `isError`.
    Error,
    /// Not answered yet.
    Pending,
    /// Cancelled, answered late, answered twice, or an answer to nothing.
    Odd,
    /// Never answered: the connection ended first.
    Unanswered,
}

/// One row of the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it stands for.
    pub key: RowKey,
    /// The number of its (first) entry.
    pub seq: Seq,
    /// When its (first) entry was seen.
    pub at: Nanos,
    /// The sign at its front.
    pub sign: Sign,
    /// The method, or what the row is (`stderr`, `not JSON`, `exited`).
    pub method: Arc<str>,
    /// What it is about: the tool's name, the URI, the text of the line. One line, controls escaped.
    pub subject: Arc<str>,
    /// How it stands.
    pub status: Status,
    /// The same in words: `ok`, `16 tools`, `-32602`, `pending`, `cancelled, late`.
    pub outcome: Arc<str>,
    /// From request to answer, in nanoseconds; `None` where there is no answer.
    pub duration: Option<Nanos>,
    /// Bytes of all entries of the row.
    pub size: u64,
    /// Rounds of MRTR or polls of a task that this row's operation has; 1 for a plain exchange.
    pub rounds: u32,
    /// Set while its HTTP response has begun and may go on: how far it has come.
    pub going: Option<Going>,
}

/// An HTTP response that has begun and may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Going {
    /// When something of it came last.
    pub since: Nanos,
    /// How many events have come.
    pub events: u32,
    /// Whether somebody waits for an answer on it; otherwise it is a stream that is merely open.
    pub awaited: bool,
}

/// Everything about one row.
#[derive(Debug, Clone)]
pub struct Detail {
    /// The row.
    pub row: Row,
    /// The state's version at which it was read.
    pub version: u64,
    /// The revision by which the exchange is read, and whether that is certain.
    pub revision: Option<String>,
    /// Its era.
    pub era: Option<Era>,
    /// The id, with its JSON type visible (`1`, `"1"`).
    pub id: Option<String>,
    /// The request, or the entry itself.
    pub request: Option<Arc<Body>>,
    /// The answer.
    pub answer: Option<Arc<Body>>,
    /// What else belongs to it: progress, logs, cancellation, stderr in between, further rounds.
    pub belongs: Vec<Attached>,
    /// What is unusual about it, each in a sentence that says what it means.
    pub remarks: Vec<String>,
    /// The HTTP request that it came with, where it came over HTTP.
    pub http: Option<Arc<HttpDetail>>,
}

/// One thing that belongs to an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attached {
    /// Its row, so that it can be opened.
    pub key: RowKey,
    /// Nanoseconds after the request.
    pub after: Nanos,
    /// The sign of its row.
    pub sign: Sign,
    /// What it is: `progress 1 of 3`, `stderr`, `log info`, `cancelled`, `round 2`.
    pub what: String,
    /// Its text, one line.
    pub text: String,
    /// Whether it may as well belong to another exchange (logs on stdio name no request).
    pub certain: bool,
}
