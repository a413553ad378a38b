//! One thing as it was seen on the wire, with its exact bytes.

use super::{ChannelId, Side};

/// Number of an entry in its recording, from 1, in the order in which it was recorded.
pub type Seq = u64;

/// Nanoseconds since 1970-01-01T00:00:00Z; within a recording it never runs backwards.
pub type Nanos = i64;

/// What an entry is, as far as the wire tells without looking into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A frame of the protocol's own stream: one line on stdio. Whether it is JSON-RPC is for `wire`
    /// to say.
    Frame,
    /// The head of an HTTP request or response, from its first line to the empty line, secrets left
    /// out; also an informational response (1xx), or the trailers of a body, which have no first line.
    Head,
    /// The body of an HTTP request or response that is not a stream of events: all of it.
    Body,
    /// One event of an SSE stream, comments and the empty line that ends it included; read its data
    /// with `wire::sse`.
    Event,
    /// A line that the server wrote on stderr.
    Stderr,
    /// Something that happened: the bytes are those of `wire::lifecycle`.
    Lifecycle,
}

/// One recorded thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub seq: Seq,
    /// When its first byte was read.
    pub at: Nanos,
    /// When its last byte was read; equal to `at` when it came in one piece.
    pub until: Nanos,
    /// Where it was seen.
    pub channel: ChannelId,
    /// Who sent it; `None` for lifecycle entries.
    pub side: Option<Side>,
    /// What it is.
    pub kind: EntryKind,
    /// What is special about it.
    pub flags: Flags,
    /// Length in bytes as it was on the wire; more than `bytes.len()` when truncated.
    pub size: u64,
    /// The bytes as they were on the wire, line end included: joined in order, the frames of one
    /// side of one channel are that side's stream.
    pub bytes: Vec<u8>,
}

/// What is special about an entry: a small set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(pub u32);

impl Flags {
    /// Only the head of the bytes was kept; size and SHA-256 are of the whole.
    pub const TRUNCATED: Self = Self(1);
    /// Its end has not been seen: the line is still being written, or the recorder was killed.
    pub const UNFINISHED: Self = Self(2);
    /// The stream ended without the line end that should close this frame.
    pub const NO_NEWLINE: Self = Self(4);
    /// It could not be delivered: the receiver had gone or closed its end.
    pub const UNDELIVERED: Self = Self(8);
    /// Bytes before this entry could not be recorded (the disk was full, for example).
    pub const AFTER_LOSS: Self = Self(16);
    /// With this entry its side has said all that it says on its channel: the HTTP request or response
    /// ended in order.
    pub const ENDS: Self = Self(32);
    /// The bytes were compressed on the wire (`Content-Encoding`) and are kept as they are without it;
    /// `size` is theirs.
    pub const DECODED: Self = Self(64);
    /// Secrets were left out of the bytes; `size` is that on the wire.
    pub const REDACTED: Self = Self(128);

    /// Whether all of `other` is in the set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set with `other` added.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is both in the set and in `other`.
    #[must_use]
    pub const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set with `other` taken away.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}
