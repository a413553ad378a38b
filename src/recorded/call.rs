//! One call of a recorded client: what it asked, what happened until it was answered, how it ended. Rounds of MRTR, and
//! all that a task was asked, are one call.

use crate::model::{Era, Nanos, Revision, Seq};
use crate::peer::server::{Bytes, Step, Text};

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The sequence number of its request; 0 for what was learnt while serving.
    pub seq: Seq,
    /// Which of the recorded clients asked, counting from 0: a process on stdio, a session on HTTP. `None` where each
    /// request comes from nobody in particular, as over HTTP in 2026-07-28.
    pub client: Option<u32>,
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
        if self.seq == 0 {
            return "what the real server said before".to_owned();
        }
        format!("recorded call {}", self.seq)
    }

    /// Its steps with the times between them, and its end where that is the server's to make, as they were recorded.
    pub fn plan(&self) -> Vec<Step> {
        let waits = |after: Nanos| (after > 0).then_some(Step::Wait(after));
        let fixed = |bytes: &Bytes| Text::Fixed(Bytes::clone(bytes));
        let mut plan: Vec<Step> =
            self.steps.iter().flat_map(|(after, step)| waits(*after).into_iter().chain([step.clone()])).collect();
        let end = match &self.outcome {
            Outcome::Result(result) => Step::Result { result: fixed(result), bare: true, id: None },
            Outcome::Error(error) => Step::Error { error: fixed(error), id: None },
            Outcome::Broken => Step::Break,
            Outcome::Http { status, media, body } => {
                let fields = media.iter().map(|media| ("Content-Type".to_owned(), media.clone())).collect();
                Step::Respond { status: *status, fields, body: fixed(body) }
            }
            Outcome::Nothing | Outcome::Cancelled | Outcome::Lost(_) => return plan,
        };
        plan.extend(waits(self.after));
        plan.push(end);
        plan
    }

    /// Whether it was answered, with whatever.
    pub const fn is_answered(&self) -> bool {
        matches!(self.outcome, Outcome::Result(_) | Outcome::Error(_) | Outcome::Http { .. })
    }

    /// The same for calls that ask the same: of this method, with these params but for what is volatile.
    pub fn key(&self) -> [u8; 32] {
        super::canon::key(&self.method, self.params.as_deref(), &[])
    }

    /// Whether every server answers such by the protocol alone: handshakes, lists, levels, subscriptions, tasks.
    pub fn is_protocols_own(&self) -> bool {
        super::player::protocols_own(&self.method)
    }
}
