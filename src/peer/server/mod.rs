//! Our own server: what clients say goes in as frames; what is to be sent comes out as [`Do`], and what happened as
//! [`Told`]. It speaks all five revisions, to many clients at once. What it says beyond the protocol's own it has from a
//! [`Script`]: a mock file, a recording, or a person.

mod annotated;
mod asking;
mod asks;
mod client;
mod completion;
mod consult;
mod delivery;
mod dress;
mod fault;
pub mod fill;
mod filter;
mod flight;
mod handshake;
mod hearing;
mod kept;
mod levels;
mod lists;
mod machine;
mod modern;
mod notices;
mod obeying;
mod order;
mod own;
mod plan;
mod questions;
mod request;
mod rounds;
mod running;
mod script;
pub mod seal;
mod sending;
mod settings;
mod states;
mod subscriptions;
mod task;
mod task_requests;
mod tasks;
mod telling;
mod told;
mod urls;

pub use machine::Server;
pub use order::Order;
pub use plan::{Plan, Step, Task, Text};
pub use script::{About, Answer, Asked, Miss, Near, Script};
pub use settings::{ByHand, MissPolicy, Pace, Settings};
pub use told::{Ended, Told, Who};

pub use super::client::{Bytes, Kind};

/// Number of a client, given by who carries, from 1: the one at the other end of stdio, a session of HTTP, or the sender
/// of one POST that belongs to none.
pub type ClientId = u64;

/// Number of one delivery, given by who carries, from 1: the POST that brought a message, on whose response what belongs
/// to it is sent. On stdio there are none, and this is 0.
pub type Ticket = u64;

/// Number of a request, given by the server, from 1; never on the wire.
pub type RequestNo = u64;

/// What carries messages between a client and the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Our own stdin and stdout.
    Stdio,
    /// Streamable HTTP, in either shape.
    Http,
    /// HTTP+SSE of 2024-11-05: everything goes over the one stream, and POSTs are only taken.
    Sse,
}

/// On which way a message leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// The response to this delivery.
    Ticket(Ticket),
    /// None in particular: stdout, the stream of HTTP+SSE, or a stream that the client opened with GET, where it waits
    /// until there is one.
    Loose,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Do {
    /// Send one message (on stdio with a line end, on HTTP as a body or an event).
    Send {
        /// To whom.
        client: ClientId,
        /// On which way.
        to: To,
        /// The message, without a line end.
        message: Bytes,
        /// The status that the protocol wants where this is all that is sent (1.8 of the error codes): 200, 400, 404.
        status: u16,
    },
    /// Send bytes as they are: on stdio without a line end of ours, on HTTP as the body or as they stand into the stream.
    Raw {
        /// To whom.
        client: ClientId,
        /// On which way.
        to: To,
        /// The bytes.
        bytes: Bytes,
    },
    /// Nothing more comes on this response: end it. A delivery on which nothing was sent is answered with 202.
    Done(Ticket),
    /// Answer this delivery with that status, these header fields and this body, instead of anything else.
    Respond {
        /// Which.
        ticket: Ticket,
        /// The status.
        status: u16,
        /// Header fields, beside those that have to be there.
        fields: Vec<(String, String)>,
        /// The body as it is.
        body: Bytes,
    },
    /// Header fields of this response are changed: added, or with no value left out, also those that have to be there.
    Fields(Ticket, Vec<(String, Option<String>)>),
    /// End the stream of this response in order for now: what is sent on it later waits for the client to come back with
    /// `Last-Event-ID`. Where it could not, nothing is done.
    Close(Ticket),
    /// Break this response off where it stands, without an end. On stdio (0) the same as [`Do::Exit`] with 0.
    Break(Ticket),
    /// Know nothing any more of the session of this client: what comes for it is answered with 404.
    LoseSession(ClientId),
    /// A line on stderr (stdio) or a note in the recording.
    Stderr(String),
    /// End the program with this exit code at once, as a crash does; what is in the window stops being served.
    Exit(i32),
    /// Ask the real server, and answer with [`Order::Answer`]: the request as it came.
    Pass(RequestNo, Bytes),
    /// Tell.
    Tell(Told),
}

#[cfg(test)]
mod tests;
