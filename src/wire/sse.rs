//! Server-sent events (WHATWG; protocol.md 3.5): a stream cut into events as its bytes come, and one
//! event read. Lines end with LF, CR or CRLF, in any mixture; every byte is kept. What an event's data
//! means is for others.

mod event;
mod events;

use std::borrow::Cow;

pub use event::{Event, data};
pub use events::Events;

use crate::model::EntryKind;

/// What of an entry's bytes is to be read as JSON: the data of an event, and of everything else all of
/// it. An event without data has nothing to be read.
pub fn payload(kind: EntryKind, bytes: &[u8]) -> Cow<'_, [u8]> {
    match kind {
        EntryKind::Event => data(bytes).unwrap_or_default(),
        _ => Cow::Borrowed(bytes),
    }
}

#[cfg(test)]
mod tests;
