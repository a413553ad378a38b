//! Our own client: what it is asked goes in as [`Order`]s, what the server says as frames; what is to be sent
//! comes out as [`Do`], and what happened as [`Told`]. It types nothing away: unknown members, methods and
//! values pass through it as they are.

mod calls;
mod completion;
mod filter;
mod flight;
mod gist;
mod greeting;
mod headers;
mod hearing;
mod ids;
mod input;
mod item;
mod items;
mod listen;
mod lists;
mod machine;
mod made;
mod notices;
mod opening;
mod order;
mod page;
mod past;
mod questions;
mod refusals;
mod repair;
mod replies;
mod rounds;
mod send;
mod settings;
pub mod shelf;
pub(in crate::peer) mod splice;
mod subscribed;
mod task;
mod task_input;
mod tasks;
mod told;

pub use super::edit::renumbered;
pub use completion::completion;
pub use gist::{Caching, Gist};
pub use headers::header_faults;
pub use items::{Item, Items};
pub use machine::Client;
pub use order::{Answer, Call, CallId, Kind, Order, QuestionId};
pub use settings::{EraChoice, Ids, Reply, Settings};
pub use told::{Attempt, Bytes, List, Outcome, Peer, Question, State, TaskState, Told};

use crate::model::Id;

/// The capabilities that a client declares unless told otherwise: all that it can do.
pub const CAPABILITIES: &str = concat!(
    r#"{"roots":{"listChanged":true},"sampling":{"context":{},"tools":{}},"elicitation":{"form":{},"url":{}},"#,
    r#""extensions":{"io.modelcontextprotocol/tasks":{}}}"#
);

/// What carries the client's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The pipes of a process.
    Stdio,
    /// HTTP, in whichever shape the server has.
    Http,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Do {
    /// Send one message (on stdio with a line end), with these header fields on HTTP beside or instead of those that
    /// the protocol wants.
    Send(Bytes, Vec<(String, String)>),
    /// Send bytes as they are.
    SendRaw(Bytes, Vec<(String, String)>),
    /// The answer to the request with this id is not wanted any more: on HTTP its stream is closed.
    Drop(Id),
    /// Break the stream that answers this request, or the one of the session, and resume it.
    Break(Option<Id>),
    /// Start the server's process again, since it ended over the probe. Afterwards `opened` is called again.
    Restart,
    /// Tell.
    Tell(Told),
    /// Nothing is left to do: close the link.
    Finish,
}

/// A request that the link could not carry, or whose response was no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The status of the response; `None` where there was none.
    pub status: Option<u16>,
    /// What it means and what to do.
    pub why: String,
    /// The start of the body.
    pub body: Bytes,
    /// `WWW-Authenticate`.
    pub challenge: Option<String>,
}

#[cfg(test)]
mod tests;
