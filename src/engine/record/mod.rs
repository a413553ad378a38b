//! From bytes that were seen to a recording on disk: the queue, the recorder's thread, what it writes and
//! what it could not. Used by every role; knows neither pipes nor sockets.

mod book;
mod coding;
mod cut;
mod draft;
mod drafter;
mod queue;
mod recorder;
mod redact;
pub mod secrets;

pub use queue::{Coding, Flow, Framing, Queue, Stream};
pub use recorder::{Plan, ROOM, Say, start, start_and_name};
pub use redact::{Media, Redactor};
