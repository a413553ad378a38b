//! What the window is told of one HTTP request with its response: heads, times, events, how it ended,
//! and a command that sends it again. Plain data; texts are as sent, so who shows them makes them safe.

use crate::model::{ChannelId, HttpEnd, Nanos, Seq, Side};

/// One HTTP request with its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpDetail {
    /// The channel, of which there is one for each request.
    pub channel: ChannelId,
    /// The method.
    pub method: String,
    /// The target as in the request line.
    pub target: String,
    /// The URL at the server itself, where the recording tells.
    pub url: Option<String>,
    /// The status, once there is one.
    pub status: Option<u16>,
    /// Whether it was answered by a stream of events.
    pub is_stream: bool,
    /// Every head in order: the request's, informational ones, the response's, trailers.
    pub heads: Vec<HeadView>,
    /// When what happened.
    pub times: HttpTimes,
    /// Bytes of the request's body.
    pub sent_bytes: u64,
    /// Bytes of the response's body.
    pub received_bytes: u64,
    /// How it ended; `None` while it may go on.
    pub end: Option<HttpEnd>,
    /// What was wrong at its end, in a sentence; empty when nothing was.
    pub why: String,
    /// What midwire passed on otherwise than it came.
    pub changes: Vec<Change>,
    /// The events of the stream, as many as are listed.
    pub events: Vec<EventView>,
    /// How many events there are.
    pub event_count: u32,
    /// A command that sends the request again.
    pub curl: Option<Curl>,
}

/// When what happened to an HTTP request, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HttpTimes {
    /// The request's head began.
    pub at: Nanos,
    /// The request was complete.
    pub sent: Option<Nanos>,
    /// The response's head was complete.
    pub responded: Option<Nanos>,
    /// The first byte of the response's body came.
    pub first_byte: Option<Nanos>,
    /// The last byte of the response came.
    pub last_byte: Option<Nanos>,
    /// All was over.
    pub ended: Option<Nanos>,
}

/// Which head it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeadKind {
    /// The request's.
    Request,
    /// An informational response's (1xx).
    Informational,
    /// The response's.
    Response,
    /// The fields behind a body.
    Trailers,
}

/// One head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadView {
    /// Its entry.
    pub seq: Seq,
    /// When it began.
    pub at: Nanos,
    /// Who sent it.
    pub side: Option<Side>,
    /// Which head it is.
    pub kind: HeadKind,
    /// The first line without its end; empty for trailers.
    pub line: String,
    /// The fields in their order.
    pub fields: Vec<FieldView>,
}

/// One field of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldView {
    /// Its name as sent; empty for a line that is no field.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether a secret was left out of the value.
    pub masked: bool,
}

/// Something that midwire changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What: the name of a field, or `endpoint`.
    pub what: String,
    /// What it was passed on as; empty when it was left out.
    pub to: String,
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventView {
    /// Its entry.
    pub seq: Seq,
    /// When its first byte came.
    pub at: Nanos,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Its id.
    pub id: Option<String>,
    /// Its `retry`, in milliseconds.
    pub retry: Option<u64>,
    /// The beginning of its data, or of its comment; one line.
    pub text: String,
    /// Whether it carries data.
    pub has_data: bool,
    /// Its length on the wire.
    pub size: u64,
}

/// A command for a POSIX shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curl {
    /// The command.
    pub text: String,
    /// What must be known to run it: placeholders, a file to be made first.
    pub notes: Vec<String>,
}
