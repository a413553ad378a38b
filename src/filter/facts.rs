//! What a filter may ask of a row.

use crate::model::{ChannelId, Era, Id, Nanos, Seq, Side, Transport};

/// What is known about one row. Fields that are not known are `None` or empty, and then no question
/// about them is answered with yes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts<'a> {
    /// The method of its request or notification; empty when it has none.
    pub method: &'a str,
    /// The tool that is called.
    pub tool: Option<&'a str>,
    /// What it is about: the tool, the URI, the prompt.
    pub subject: Option<&'a str>,
    /// Its JSON-RPC id.
    pub id: Option<&'a Id>,
    /// Who sent its (first) entry.
    pub from: Option<Side>,
    /// What it is and how it stands.
    pub is: Is,
    /// The code of its error.
    pub code: Option<i64>,
    /// From request to answer.
    pub latency: Option<Nanos>,
    /// From the start of the recording to its (first) entry.
    pub since_start: Nanos,
    /// Bytes of all its entries.
    pub size: u64,
    /// Tokens, where they were counted.
    pub tokens: Option<u64>,
    /// The rules of its findings.
    pub rules: &'a [&'a str],
    /// The revision by which it is read.
    pub revision: Option<&'a str>,
    /// Its era.
    pub era: Option<Era>,
    /// The number of its (first) entry.
    pub seq: Seq,
    /// Rounds of MRTR or polls of a task; 1 for a plain exchange.
    pub rounds: u32,
    /// The status of its HTTP response.
    pub status: Option<u16>,
    /// The `Mcp-Session-Id` of its HTTP request or response.
    pub session: Option<&'a str>,
    /// The channel of its (first) entry.
    pub channel: Option<ChannelId>,
    /// How bytes travel on that channel.
    pub transport: Option<Transport>,
}

/// What a row is and how it stands: a small set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Is(pub u32);

/// Declares the set's members, so that the list of words cannot miss one.
macro_rules! is {
    ($($name:ident = $bit:literal, $word:literal, $says:literal;)*) => {
        impl Is {
            $(#[doc = concat!("`is:", $word, "`: ", $says, ".")]
            pub const $name: Self = Self(1 << $bit);)*

            /// Every member with its word in the language and what it says.
            pub const ALL: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$name, $word, $says)),*];
        }
    };
}

is! {
    ERROR = 0, "error", "answered with an error, or with a tool result that says `isError`";
    PENDING = 1, "pending", "not answered yet";
    OK = 2, "ok", "answered with a result";
    LATE = 3, "late", "answered after it was cancelled or given up";
    CANCELLED = 4, "cancelled", "cancelled by its sender";
    UNANSWERED = 5, "unanswered", "never answered: the connection ended first";
    DUPLICATE = 6, "duplicate", "answered twice, or its id was in use already";
    ORPHAN = 7, "orphan", "an answer to nothing";
    REQUEST = 8, "request", "a request, or the exchange that it began";
    NOTIFICATION = 9, "notification", "a notification";
    RESULT = 10, "result", "a result by itself";
    STDERR = 11, "stderr", "a line that the server wrote on stderr";
    LIFECYCLE = 12, "lifecycle", "something that happened, such as the exit of the server";
    BROKEN = 13, "broken", "not JSON, or not JSON-RPC";
    ODD = 14, "odd", "a message that other peers may refuse";
    BATCH = 15, "batch", "a JSON-RPC batch";
    TRUNCATED = 16, "truncated", "too large to be kept whole";
    UNFINISHED = 17, "unfinished", "its end was not seen";
    UNDELIVERED = 18, "undelivered", "the receiver had gone";
    TASK = 19, "task", "belongs to a task";
    HELD = 20, "held", "held back for you to edit, drop or release";
    EDITED = 21, "edited", "changed before it was passed on";
    BLANK = 22, "blank", "an empty line";
    OPEN = 23, "open", "an HTTP response that may still go on";
    STREAM = 24, "stream", "answered by a stream of events (SSE), or part of one";
}

impl Is {
    /// None.
    pub const NONE: Self = Self(0);

    /// Whether all of `other` is in the set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set with `other` added.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set with `other` added where `is_so`.
    #[must_use]
    pub const fn with_if(self, is_so: bool, other: Self) -> Self {
        if is_so { self.with(other) } else { self }
    }
}
