//! Joins wire, trace, store and transport: the tap and its recorder, and the live view of a folder of
//! recordings. The only module that reads the clock.

mod alive;
mod content;
pub mod demo;
mod detail;
mod handle;
mod identify;
mod inspect;
mod judge;
mod outbox;
pub mod paths;
mod reading;
mod rows;
mod search;
mod session;
mod shown;
mod slot;
mod stamp;
mod tally;
mod timeline;
pub mod view;
mod visible;
mod watch;

pub use handle::Handle;
