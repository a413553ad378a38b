//! The files in which hosts keep their servers: where they lie and what they say. They are read, never written.
//! Pure: text in, entries out; `engine` reads the files.

mod entry;
mod host;

pub use entry::{Entry, Way};
pub use host::Host;
