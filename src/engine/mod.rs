//! Joins wire, trace, store and transport: the tap and its recorder, and the live view of a folder of
//! recordings. The only module that reads the clock.

mod alive;
mod handle;
mod identify;
mod outbox;
pub mod paths;
mod session;
mod stamp;
pub mod view;
mod watch;

pub use handle::Handle;
