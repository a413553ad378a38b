//! What the trace keeps of one entry: enough for its row, without its bytes.

use super::Name;
use crate::model::{ChannelId, EntryKind, Flags, Nanos, Seq, Side};
use crate::wire::Oddities;

/// What an entry turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A JSON-RPC request.
    Request,
    /// A JSON-RPC notification.
    Notification,
    /// A JSON-RPC answer with a result.
    Result,
    /// A JSON-RPC answer with an error.
    Error,
    /// A JSON-RPC batch; its messages are in [`Trace::items`](super::Trace::items).
    Batch,
    /// A line of stderr.
    Stderr,
    /// A lifecycle event.
    Lifecycle,
    /// A frame that is not JSON.
    NotJson,
    /// JSON that is not JSON-RPC.
    NotRpc,
    /// A line with nothing on it.
    Blank,
    /// The head of an HTTP request or response, or trailers.
    Head,
    /// An HTTP body that is no message: a page of HTML, a document of OAuth, a form.
    Body,
    /// An event of SSE that carries no message: a comment, a priming event, `endpoint`.
    Event,
    /// A frame whose end has not been seen; it is read when it has.
    Unfinished,
    /// A frame of which only the head was kept, so that it cannot be read.
    Truncated,
}

/// What is special about an entry's place in the conversation: a small set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Marks(pub u16);

impl Marks {
    /// An answer to a request that is not in the recording, or that was never sent.
    pub const ORPHAN: Self = Self(1);
    /// An answer that came after its request had been cancelled, or progress after the answer.
    pub const LATE: Self = Self(2);
    /// A further answer to a request that was already answered.
    pub const DUPLICATE: Self = Self(4);
    /// It may belong to one of several exchanges, and which cannot be told.
    pub const AMBIGUOUS: Self = Self(8);
    /// It belongs to its exchange only possibly: nothing in it names the request.
    pub const POSSIBLE: Self = Self(16);
    /// It names a request, a token, a task or a subscription that is not known.
    pub const UNKNOWN_TARGET: Self = Self(32);
    /// It had come before, and came again on a stream that continues an earlier one.
    pub const REPLAYED: Self = Self(64);

    /// Whether all of `other` is in the set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set with `other` added.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What the trace keeps of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// The entry.
    pub seq: Seq,
    /// When its first byte was read.
    pub at: Nanos,
    /// Its length on the wire.
    pub size: u64,
    /// The method of a request or notification, or of the request that an answer answers (empty when
    /// that is not known); the event of a lifecycle entry, such as `exited`.
    pub method: Name,
    /// What it is about: a tool's name, a URI, a lifecycle event's detail. Empty for stderr and for
    /// frames that are not JSON-RPC: their text is their bytes, read with
    /// [`mcp::one_line_of`](crate::mcp::one_line_of) when a row is drawn, and not kept a second time.
    /// Empty also for progress and logs of a recording that has very many different ones.
    pub subject: Name,
    /// Where it was seen.
    pub channel: ChannelId,
    /// The wire's special facts about it.
    pub flags: Flags,
    /// What is unusual about the frame as JSON-RPC (of a batch: of any of its messages).
    pub oddities: Oddities,
    /// The index of the exchange that it begins, answers or belongs to, or [`Note::NO_EXCHANGE`].
    pub(super) exchange: u32,
    /// What is special about its place in the conversation.
    pub marks: Marks,
    /// Who sent it; `None` for lifecycle entries.
    pub side: Option<Side>,
    /// What it turned out to be.
    pub kind: NoteKind,
}

impl Note {
    /// Stands for "no exchange"; half the size of an `Option`.
    pub(super) const NO_EXCHANGE: u32 = u32::MAX;

    /// The index of the exchange that it begins, answers or belongs to (with [`Marks::POSSIBLE`] or
    /// [`Marks::AMBIGUOUS`]: may belong to). Of a batch: of its first message that has one.
    pub const fn exchange(&self) -> Option<u32> {
        if self.exchange == Self::NO_EXCHANGE { None } else { Some(self.exchange) }
    }

    /// The kind of its entry, as far as the row of an HTTP request depends on it.
    pub(super) const fn entry_kind(&self) -> EntryKind {
        match self.kind {
            NoteKind::Head => EntryKind::Head,
            NoteKind::Lifecycle => EntryKind::Lifecycle,
            NoteKind::Stderr => EntryKind::Stderr,
            NoteKind::Event => EntryKind::Event,
            _ => EntryKind::Body,
        }
    }

    /// Whether it is a message, or several.
    pub(super) const fn speaks(&self) -> bool {
        use NoteKind::{Batch, Error, Notification, Request, Result};
        matches!(self.kind, Request | Notification | Result | Error | Batch)
    }

    /// Whether the exchange view shows it as a row of its own.
    pub const fn has_own_row(&self) -> bool {
        let belongs = self.exchange != Self::NO_EXCHANGE && !self.marks.has(Marks::POSSIBLE);
        let never = matches!(self.kind, NoteKind::Stderr | NoteKind::Lifecycle);
        never || !belongs
    }
}

const _: () = assert!(size_of::<Note>() <= 64, "a million notes must stay small");
