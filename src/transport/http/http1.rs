//! HTTP/1.1 on one connection, in either role: messages are read in pieces as they come, and written in
//! pieces as they are given. What they mean is not looked at.

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

use super::broken::{Broken, Peer};
use super::heard::Heard;

#[cfg(test)]
mod tests;
