//! Answers that the tap gives itself: to what it does not pass on, and when a server cannot be reached.
//! Plain text for a person; never JSON-RPC, which would look like the server's.

use super::journal::Journal;
use crate::engine::record::Flow;
use crate::model::HttpEnd;
use crate::wire::http::{BodyLength, Head, HeadWriter};

/// An answer in place of the server's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// What was wrong and what to do, in a sentence, with a line end.
    pub why: String,
}

impl Refusal {
    /// An answer with this status and text.
    pub fn new(status: u16, why: impl Into<String>) -> Self {
        let mut why: String = why.into();
        why.insert_str(0, "midwire: ");
        why.push('\n');
        Self { status, why }
    }

    /// Its text for a recording.
    pub fn text(&self) -> &str {
        self.why.trim_start_matches("midwire: ").trim_end()
    }

    /// Its head. The connection is closed after it.
    pub fn head(&self) -> (Head, BodyLength) {
        let length = self.why.len();
        let head = HeadWriter::response(self.status, reason(self.status))
            .field("Content-Type", "text/plain; charset=utf-8")
            .field("Content-Length", length.to_string())
            .field("Connection", "close")
            .finish();
        (head, BodyLength::Exact(length as u64))
    }
}

/// Notes a request that is not passed on.
pub fn note(journal: &Journal, head: &Head, refusal: &Refusal) {
    journal.head(Flow::Input, head.raw());
    journal.over(HttpEnd::Refused, format!("refused with {}: {}", refusal.status, refusal.text()));
}

const fn reason(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        403 => "Forbidden",
        405 => "Method Not Allowed",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        504 => "Gateway Timeout",
        _ => "Bad Gateway",
    }
}
