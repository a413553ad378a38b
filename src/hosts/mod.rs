//! The files in which hosts keep their servers: where they lie and what they say. They are read, never written.
//! Pure: text in, entries out; `engine` reads the files.

mod dotenv;
mod entry;
mod file;
mod host;
mod places;
mod snippet;
mod tree;
mod unwrap;
mod variables;

pub use entry::{Entry, Way};
pub use file::read;
pub use host::Host;
pub use places::{Folders, Place, Platform, places};
pub use snippet::{reaches_http, snippet};
pub use variables::Surroundings;

#[cfg(test)]
mod tests;
