//! What a server tells of what happens: plain data for the window and the command line.

use super::{Bytes, ClientId, Link, Miss, RequestNo};
use crate::model::{Era, Id, Nanos, Revision};

/// Who a client is, as far as it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// The era in which it speaks.
    pub era: Era,
    /// The revision that it speaks.
    pub revision: Revision,
    /// `clientInfo`, as JSON text.
    pub identity: Option<Bytes>,
    /// `capabilities`, as JSON text.
    pub capabilities: Option<Bytes>,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// With a result.
    Result(Bytes),
    /// With an error object.
    Error(Bytes),
    /// With something that is no answer, or on purpose with none; in words.
    Otherwise(String),
    /// The client cancelled it, or went away.
    Cancelled,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// A client came.
    Joined(ClientId, Link),
    /// It said who it is.
    Known(ClientId, Who),
    /// It went; why.
    Left(ClientId, String),
    /// A request came.
    Asked {
        /// Its number.
        request: RequestNo,
        /// Who asks.
        client: ClientId,
        /// Its id.
        id: Id,
        /// Its method.
        method: String,
        /// The message.
        message: Bytes,
        /// The era in which it was read.
        era: Era,
    },
    /// What answers it: a rule's name, `recorded call 17`, `the protocol`, `by hand`, `the real server`; where it stands
    /// (see [`super::Plan::place`]) and how often it has answered.
    Matched {
        /// Which request.
        request: RequestNo,
        /// What answers.
        by: String,
        /// Where it stands.
        place: Option<u64>,
        /// How often, this time included; 0 where nobody counts.
        nth: u64,
    },
    /// Nothing answers it, and why.
    Missed(RequestNo, Box<Miss>),
    /// It waits for a person. `near` of a miss, told before, is a start.
    Waiting(RequestNo),
    /// Something was done about it: `progress 1 of 3 sent`, `asked for elicitation: name`; in words.
    Step(RequestNo, String),
    /// What the client answered to something that was asked of it: key and JSON text of the result, or of the error.
    Heard {
        /// Which request.
        request: RequestNo,
        /// The key of the ask.
        key: String,
        /// Whether it is a result.
        ok: bool,
        /// The result, or the error object.
        answer: Bytes,
    },
    /// What a client answered to [`super::Order::Ask`].
    Replied {
        /// Who answers.
        client: ClientId,
        /// What was asked.
        method: String,
        /// Whether it is a result.
        ok: bool,
        /// The result, or the error object.
        answer: Bytes,
    },
    /// It is over.
    Ended {
        /// Which.
        request: RequestNo,
        /// How.
        how: Ended,
        /// From when it came.
        took: Nanos,
    },
    /// A notification of a client's.
    Notified(ClientId, String, Bytes),
    /// A client listens: to what, or no more; in words.
    Listening(ClientId, String),
    /// Something that fits nowhere: no JSON, an answer to nothing; why.
    Stray {
        /// From whom.
        client: ClientId,
        /// The bytes.
        bytes: Bytes,
        /// Why.
        why: String,
    },
    /// A sentence for a person: what was left out and why, what was refused.
    Note(Option<RequestNo>, String),
}
