//! HTTP requests with their responses, as far as they were seen: what a row, the HTTP tab and the filter
//! need without reading the heads again.

use super::Name;
use crate::model::{ChannelId, HttpEnd, Nanos, Seq};

/// One HTTP request with its response. Their heads and bodies are entries of its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Http {
    /// Its channel; there is one for each request.
    pub channel: ChannelId,
    /// The entry of the request's head.
    pub request: Seq,
    /// The entry of the request's body, where it has one.
    pub body: Option<Seq>,
    /// The entry of the response's head, once it has come; informational ones (1xx) do not count.
    pub response: Option<Seq>,
    /// The method, such as `POST`.
    pub method: Name,
    /// The target as in the request line, at most 200 characters of it; empty where a recording has very many
    /// different ones.
    pub target: Name,
    /// The status of the response.
    pub status: Option<u16>,
    /// The response's media type without parameters, such as `text/event-stream`.
    pub media: Name,
    /// The `Mcp-Session-Id` of the request, or of the response when the request had none; empty where a
    /// recording has very many different ones.
    pub session: Name,
    /// When the request's head began.
    pub at: Nanos,
    /// When the request was complete, where that was seen.
    pub sent: Option<Nanos>,
    /// When the response's head was complete.
    pub responded: Option<Nanos>,
    /// When the first byte of the response's body came.
    pub first_byte: Option<Nanos>,
    /// When the last byte of the response came so far.
    pub last_byte: Option<Nanos>,
    /// When all was over; `None` while the response may go on.
    pub ended: Option<Nanos>,
    /// How it ended.
    pub end: Option<HttpEnd>,
    /// How many events of SSE came, comments and priming events included.
    pub events: u32,
    /// How many of them carried data.
    pub messages: u32,
    /// Bytes of the request's body.
    pub sent_bytes: u64,
    /// Bytes of the response's body.
    pub received_bytes: u64,
    /// The exchange that stands for it in the view of exchanges: the first whose request came on it, or
    /// else the one that its body belongs to, as an answer or a cancellation does.
    pub exchange: Option<u32>,
    /// The entry that stands for it in the view of exchanges when no exchange does.
    pub row: Option<Seq>,
    /// Whether it changed since that was last asked.
    pub(super) touched: bool,
    /// Whether an event with an id came, so that its stream can be continued.
    pub(super) resumable: bool,
    /// The hash of what its request asks for, where it may be sent again.
    pub(super) params: Option<u64>,
}

impl Http {
    /// Whether more may still come.
    pub const fn is_open(&self) -> bool {
        self.ended.is_none()
    }
}

/// A response that has begun and is silent: its exchange waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// When something came last: the head of the response, or an event.
    pub since: Nanos,
    /// How many events of SSE have come.
    pub events: u32,
}
