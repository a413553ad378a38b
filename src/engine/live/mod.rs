//! The live view of recordings: lists a folder, reads the open recording, filters it and draws up its
//! rows and details, for the window on threads of its own and for the command line at once. It changes
//! nothing of what was recorded.

mod alive;
mod channels;
mod clients;
mod content;
mod curl;
mod detail;
mod handle;
mod http;
mod identify;
mod inspect;
mod judge;
pub mod listings;
mod outbox;
mod reading;
mod requests;
mod results;
mod rows;
mod search;
mod servers;
mod session;
mod shown;
mod slot;
mod stamp;
mod tally;
mod taps;
mod timeline;
pub mod transcript;
mod turn;
pub mod view;
mod visible;
mod watch;

pub use handle::Handle;
pub use visible::is_hidden;
pub(in crate::engine) use watch::is_live;
