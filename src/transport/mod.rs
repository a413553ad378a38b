//! The bytes' way in and out: child processes and our own standard streams.
//!
//! What differs between platforms lies in this module, behind one set of names.

mod client;
mod family;
pub mod http;
pub mod keychain;
mod process;
#[cfg(unix)]
mod signals;
mod streams;

#[cfg(not(unix))]
pub use client::run_client;
#[cfg(unix)]
pub use client::start_client;
pub use family::{descendants, end_descendants, guard, keeper_is, leave};
pub use process::{Ending, Launch, Server, StartError, own_program};
#[cfg(unix)]
pub use signals::{Noticed, Watch, die_by, on_interrupt, reap, send, send_group, wait_for, watch};
pub use streams::{Standard, forget, has_input, is_writable, read, write};
