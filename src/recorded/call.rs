//! One call of a recorded client: what it asked, what happened until it was answered, how it ended. Rounds of MRTR, and
//! all that a task was asked, are one call.

use crate::model::{Era, Nanos, Revision, Seq};
use crate::peer::server::{Bytes, Step};

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The sequence number of its request.
    pub seq: Seq,
    /// The era in which it was asked.
    pub era: Era,
    /// The revision by which it is read.
    pub revision: Revision,
    /// Its method.
    pub method: String,
    /// Its params, as sent.
    pub params: Option<Bytes>,
    /// The whole message, as sent.
    pub message: Bytes,
    /// What happened before it ended: each with the time that passed since what stands before it, the first since the
    /// request. The time in which the client thought about a [`Step::Ask`] does not count.
    pub steps: Vec<(Nanos, Step)>,
    /// What the client answered to what it was asked in [`Call::steps`].
    pub answered: Vec<Answered>,
    /// How it ended.
    pub outcome: Outcome,
    /// How long after the last of [`Call::steps`], counted likewise.
    pub after: Nanos,
    /// What of it could not be read, or has no place in steps, in sentences.
    pub notes: Vec<String>,
}

/// What the recorded client answered to a [`Step::Ask`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The key of the ask.
    pub key: String,
    /// Whether it is a result.
    pub ok: bool,
    /// The result, or the error object, as JSON text.
    pub answer: Bytes,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// With this result, as sent.
    Result(Bytes),
    /// With this error object, as sent.
    Error(Bytes),
    /// It was never answered.
    Nothing,
    /// The client cancelled it, and it was not answered.
    Cancelled,
    /// The connection broke off before it was answered (HTTP).
    Broken,
    /// It was answered, but the answer is not in the recording, or not all of it; why.
    Lost(String),
    /// With a response of HTTP that is no message.
    Http {
        /// The status.
        status: u16,
        /// Its `Content-Type`.
        media: Option<String>,
        /// The body.
        body: Bytes,
    },
}

impl Call {
    /// What it is called: `recorded call 17`.
    pub fn name(&self) -> String {
        format!("recorded call {}", self.seq)
    }
}
