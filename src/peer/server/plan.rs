//! What is done in answer to one request: steps in their order. A script makes it, the machine carries it out in the
//! client's era.

use super::{Bytes, Kind};
use crate::model::Nanos;

/// Text that is sent: as it is, or to be filled in when its step is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// As it is.
    Fixed(Bytes),
    /// With placeholders, filled in from the request, from what the client answered to the [`Step::Ask`]s before, and
    /// from how often the rule answered.
    Template(Bytes),
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// What made it, for the person at the window: a rule's name, `recorded call 17`, `by hand`.
    pub by: String,
    /// Where that stands: a line of the mock file counting from 1, or the sequence number of the recorded request.
    pub place: Option<u64>,
    /// How often what made it has answered, this time included.
    pub nth: u64,
    /// Values that its templates may name beside what the request says ([`super::fill::Context::values`]), as JSON text:
    /// the variables of a URI template.
    pub values: Vec<(String, Bytes)>,
    /// It is carried out to its end although the client cancels the request, in breach of the protocol.
    pub deaf: bool,
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step. What has no meaning in the client's era or on its link is left out, and that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Let time pass (before [`super::Settings::pace`]).
    Wait(Nanos),
    /// `notifications/progress`, where the client gave a token; JSON numbers and a text.
    Progress {
        /// `progress`.
        progress: Text,
        /// `total`.
        total: Option<Text>,
        /// `message`, as plain text.
        message: Option<Text>,
    },
    /// `notifications/message`, where the client wants such (the level that it set, `logLevel` in 2026-07-28).
    Log {
        /// `level`.
        level: String,
        /// `logger`.
        logger: Option<String>,
        /// `data` as JSON text.
        data: Text,
    },
    /// Any notification. Tokens and ids in it are stamped anew where they are those of the request.
    Notify {
        /// Its method.
        method: String,
        /// Its params as JSON text.
        params: Option<Text>,
        /// It belongs to no request: it goes on the way for such.
        loose: bool,
    },
    /// A list has changed: `notifications/…/list_changed`, to those who are to be told.
    Changed(Kind),
    /// A resource has changed: `notifications/resources/updated`, to those who subscribed to this URI.
    Updated(String),
    /// Something is asked of the client: a request in the legacy era, one of `inputRequests` in 2026-07-28 (asks that
    /// follow each other are one round there), `input_required` within a task. The plan goes on when all of them are
    /// answered; what was said is there for templates under its key.
    Ask {
        /// Its key, unique within the plan.
        key: String,
        /// `sampling/createMessage`, `elicitation/create`, `roots/list`, or anything.
        method: String,
        /// Its params as JSON text.
        params: Option<Text>,
        /// Also of a client that did not declare that it answers such, in breach of the protocol.
        forced: bool,
    },
    /// A round of MRTR that asks nothing, only to come again. Nothing in the legacy era.
    ComeAgain,
    /// From here on the call is a task, and what follows happens within it.
    Task(Task),
    /// The status of the task: `statusMessage`, as plain text.
    Status(Text),
    /// Answer as if the script had said [`super::Answer::Own`]: what stands before it only delays or accompanies the
    /// protocol's own answer.
    Own,
    /// Answer with this result, as JSON text of an object.
    Result {
        /// The result.
        result: Text,
        /// As it is; otherwise what the era wants (`resultType`, identity in `_meta`, caching hints) is added where it
        /// is not there, and what the era does not know of these is taken away.
        bare: bool,
        /// With this id, as JSON text, instead of the request's.
        id: Option<Bytes>,
    },
    /// Answer with this error object, as JSON text.
    Error {
        /// The object: `code`, `message`, perhaps `data`.
        error: Text,
        /// With this id, as JSON text, instead of the request's.
        id: Option<Bytes>,
    },
    /// Bytes as they are, in place of a message.
    Raw(Bytes),
    /// A line on stderr, as plain text.
    Stderr(Text),
    /// Answer the delivery with this response of HTTP.
    Respond {
        /// The status.
        status: u16,
        /// Header fields.
        fields: Vec<(String, String)>,
        /// The body; filled in as plain text.
        body: Text,
    },
    /// Change header fields of the response; no value leaves one out.
    Fields(Vec<(String, Option<String>)>),
    /// End the stream of the response in order, though the plan goes on: the client comes back for the rest with
    /// `Last-Event-ID` (2025-11-25). Only on HTTP with a session.
    Close,
    /// Break the connection off.
    Break,
    /// Forget the client's session.
    LoseSession,
    /// Exit with this code.
    Exit(i32),
}

/// A task that a call becomes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// `ttl` or `ttlMs`, in milliseconds; `None` is without a limit.
    pub ttl: Option<u64>,
    /// `pollInterval` or `pollIntervalMs`, in milliseconds.
    pub poll: Option<u64>,
    /// Also for a client that did not ask for a task or declare that it knows them, in breach of the protocol.
    pub forced: bool,
}
