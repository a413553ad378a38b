//! A request with its answer and all that belongs to it.

use super::Name;
use crate::model::{ChannelId, Era, Id, Nanos, Seq, Side};

/// Where a message is: an entry, and which message of it when the entry is a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The entry.
    pub seq: Seq,
    /// Which element of a batch, from 0; 0 when the entry is not a batch.
    pub item: u32,
}

/// How an exchange stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not answered yet.
    Pending,
    /// Answered with a result.
    Ok,
    /// Answered with a tool result that says `isError`.
    Failed,
    /// Answered with a JSON-RPC error, refused with an HTTP status, or never brought to the server.
    Error,
    /// Cancelled, and not answered since.
    Cancelled,
    /// Cancelled, and answered nevertheless.
    Late,
    /// Several requests with this id were in flight, so which answer belongs to which cannot be told.
    Ambiguous,
    /// Never answered: the connection ended first.
    Unanswered,
    /// A subscription that was ended, or ended with its connection, without an answer, as they do.
    Closed,
}

impl Status {
    /// Whether an answer is still to be expected.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending)
    }

    /// Whether it ended in an error: a JSON-RPC error, an HTTP status, a tool result that says `isError`.
    pub const fn is_error(self) -> bool {
        matches!(self, Self::Error | Self::Failed)
    }

    /// Whether something is odd about how it ended.
    pub const fn is_odd(self) -> bool {
        matches!(self, Self::Cancelled | Self::Late | Self::Ambiguous)
    }
}

/// What something that belongs to an exchange is to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttachKind {
    /// A progress notification.
    Progress,
    /// A log message.
    Log,
    /// The notification that cancelled it.
    Cancelled,
    /// A line of stderr while it was in flight.
    Stderr,
    /// A request of the other side while it was in flight, such as sampling; the note's exchange is
    /// that request's own.
    Nested,
    /// The acknowledgement of a subscription.
    Acknowledged,
    /// A notification of a subscription.
    Subscription,
    /// A notification about the task that it created.
    TaskStatus,
    /// An answer that may be this exchange's ([`Status::Ambiguous`]).
    PossibleAnswer,
    /// A further answer after the first.
    DuplicateAnswer,
    /// An event that had come before and came again, on a stream that continues an earlier one.
    Replayed,
    /// Another notification that names it, or that came on its response stream.
    Notification,
}

/// One entry that belongs to an exchange besides its request and answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attached {
    /// The entry.
    pub seq: Seq,
    /// Which element of a batch, from 0.
    pub item: u16,
    /// What it is to the exchange.
    pub kind: AttachKind,
    /// Whether it certainly belongs here; otherwise it may as well belong elsewhere.
    pub certain: bool,
}

impl Attached {
    /// Whether it is an answer that may be this exchange's.
    pub(super) fn may_answer(&self) -> bool {
        self.kind == AttachKind::PossibleAnswer
    }
}

/// A request with its answer and all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// Where its request is.
    pub request: Place,
    /// Where its answer is; the first, when there are several.
    pub answer: Option<Place>,
    /// Its id, as sent.
    pub id: Id,
    /// When its request was seen.
    pub at: Nanos,
    /// When its answer was complete, or when the connection ended; `None` while it is pending.
    pub end: Option<Nanos>,
    /// Bytes on the wire of the request, the answer and all that certainly belongs to it.
    pub size: u64,
    /// The method.
    pub method: Name,
    /// What it is about: a tool's name, a URI, a prompt's name.
    pub subject: Name,
    /// How it ended, in words: `16 tools`, `-32602`, `pending`, `cancelled`.
    pub outcome: Name,
    /// The revision by which it is read, or [`Name::NONE`] where that is not known.
    pub revision: Name,
    /// The channel of its request.
    pub channel: ChannelId,
    /// The index of the session that it belongs to, in [`Trace::sessions`](super::Trace::sessions).
    pub session: Option<u32>,
    /// The index of the operation that it is part of, in [`Trace::operations`](super::Trace::operations).
    pub operation: Option<u32>,
    /// What else belongs to it, in order; bounded by [`Exchange::MOST_ATTACHED`].
    pub attached: Vec<Attached>,
    /// How many entries more belong to it than `attached` lists.
    pub more: u32,
    /// Who sent the request.
    pub side: Side,
    /// How it stands.
    pub status: Status,
    /// The era of its revision, where that is known.
    pub era: Option<Era>,
    /// Whether the revision is certain: named in the request, or negotiated by a complete handshake.
    pub certain: bool,
}

impl Exchange {
    /// How many entries an exchange lists as attached; a call that logs for days must stay small.
    pub const MOST_ATTACHED: usize = 10_000;

    /// Nanoseconds from the request to the answer; `None` where there is no answer.
    pub fn duration(&self) -> Option<Nanos> {
        self.answer.and(self.end).map(|end| end - self.at)
    }
}
