//! What a client is asked to do, by a person at the window or by a command line.

use std::sync::Arc;

use super::Settings;
use crate::model::Nanos;

/// Number of something that was asked for. Given by who asks, counting up from 1; never on the wire.
pub type CallId = u64;

/// Number of something that the server asks; given by the client, counting up from 1.
pub type QuestionId = u64;

/// What is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    Templates,
    /// `prompts/list`.
    Prompts,
    /// `tasks/list` (2025-11-25).
    Tasks,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Tools, Self::Resources, Self::Templates, Self::Prompts, Self::Tasks];

    /// The method that lists it.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Prompts => "prompts/list",
            Self::Tasks => "tasks/list",
        }
    }

    /// The member of the result that holds the items.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
            Self::Tasks => "tasks",
        }
    }
}

/// A request to be made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Call {
    /// Its method; any text.
    pub method: String,
    /// Its `params` as JSON text, sent byte for byte but for what the client adds to `_meta` (line ends outside of
    /// strings become spaces on stdio). `None`: no such member, unless `_meta` is needed.
    pub params: Option<Vec<u8>>,
    /// Its id as JSON text; `None`: the next one. Any JSON is taken, also one that cannot be an id.
    pub id: Option<Vec<u8>>,
    /// Nothing is added: neither `_meta` of 2026-07-28 nor a progress token.
    pub bare: bool,
    /// Asks for a task of 2025-11-25; the inner value is its `ttl` in milliseconds.
    pub task: Option<Option<u64>>,
    /// Header fields on HTTP, beside or instead of the client's own of the same name.
    pub fields: Vec<(String, String)>,
    /// Instead of [`Settings::patience`], where it is set.
    pub patience: Option<Nanos>,
    /// Instead of [`Settings::cap`], where it is set.
    pub cap: Option<Nanos>,
}

/// An answer to a question of the server's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The result as JSON text, sent as it is.
    Result(Vec<u8>),
    /// An error object as JSON text. In MRTR there are no errors: the call is given up.
    Error(Vec<u8>),
    /// No answer at all, on purpose.
    Silence,
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Make a request. MRTR and tasks that come of it belong to the call.
    Call(CallId, Call),
    /// Send a request again, byte for byte as given (one JSON-RPC request); its answer is taken by the id in it.
    Again(CallId, Vec<u8>),
    /// The same with our next id in the place of its own.
    Anew(CallId, Vec<u8>),
    /// List everything of a kind, page by page by itself.
    List(CallId, Kind),
    /// List one page of a kind; without a cursor the first, which begins the list anew.
    Page(CallId, Kind, Option<String>),
    /// Cancel a call (`notifications/cancelled`, by closing the stream in 2026-07-28 on HTTP, `tasks/cancel` once it
    /// is a task), with a reason where the protocol has one.
    Cancel(CallId, String),
    /// Wait no longer for a call, without a word to the server.
    Forget(CallId),
    /// Answer a question.
    Answer(QuestionId, Answer),
    /// Send the next round of a call, with these `params` where they were edited (JSON text).
    Step(CallId, Option<Vec<u8>>),
    /// Ask for the state of a call's task now.
    Poll(CallId),
    /// Open a stream of 2026-07-28 with `subscriptions/listen`; the filter is the member `notifications`, as JSON text.
    Listen(CallId, String),
    /// Send a notification; the params are JSON text.
    Notify(String, Option<Vec<u8>>),
    /// Send these bytes as they are: on stdio without a line end of ours, on HTTP as the body of a POST with these
    /// header fields beside or instead of our own.
    Raw(Vec<u8>, Vec<(String, String)>),
    /// Break the HTTP stream of a call, or of the session (`None`), as a bad network would; it is then resumed.
    Break(Option<CallId>),
    /// Behave otherwise from now on. What was negotiated stays; changed roots are told of where that is declared.
    Change(Arc<Settings>),
    /// End the session in order.
    Close,
}

impl Order {
    /// The call that it begins or is about.
    pub const fn call(&self) -> Option<CallId> {
        match self {
            Self::Call(call, _)
            | Self::Again(call, _)
            | Self::Anew(call, _)
            | Self::List(call, _)
            | Self::Page(call, ..)
            | Self::Cancel(call, _)
            | Self::Forget(call)
            | Self::Step(call, _)
            | Self::Poll(call)
            | Self::Listen(call, _) => Some(*call),
            Self::Break(call) => *call,
            Self::Answer(..) | Self::Notify(..) | Self::Raw(..) | Self::Change(_) | Self::Close => None,
        }
    }
}
