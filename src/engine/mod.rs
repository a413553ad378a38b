//! Joins wire, trace, store and transport: the tap and its recorder, and the live view of a folder of
//! recordings. The only module that reads the clock.

mod alive;
mod book;
pub mod clock;
mod content;
mod control;
pub mod demo;
mod detail;
mod draft;
mod handle;
mod host;
mod identify;
mod inspect;
pub mod jsonl;
mod judge;
mod keeper;
mod ladder;
pub mod listings;
mod naming;
mod outbox;
pub mod paths;
mod queue;
mod reading;
mod recorder;
mod relay;
mod rows;
mod search;
mod secrets;
mod session;
mod shown;
mod slot;
mod stamp;
mod tally;
pub mod tap;
mod timeline;
pub mod transcript;
pub mod view;
mod visible;
mod watch;

pub use handle::Handle;
pub use visible::is_hidden;
