//! The recording with its trace, and the messages in it.

use std::path::Path;

use crate::engine::live::transcript::Transcript;
use crate::engine::live::view::View;
use crate::model::{EntryKind, Flags, Nanos, Seq};
use crate::trace::{Note, NoteKind, Place, Trace};
use crate::wire::{self, Frame, Item, Message};

/// A recording that was read to its end.
pub(super) struct Tape {
    transcript: Transcript,
}

/// What stands in one place of it.
pub(super) struct Said {
    bytes: Vec<u8>,
    item: u32,
    /// When its first byte was seen.
    pub(super) at: Nanos,
}

impl Tape {
    /// Opens and reads; the error fits after "failed to".
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let mut transcript = Transcript::open(path, View::Messages, "").map_err(|error| error.to_string())?;
        transcript.read().map_err(|error| error.to_string())?;
        Ok(Self { transcript })
    }

    pub(super) const fn trace(&self) -> &Trace {
        self.transcript.trace()
    }

    /// What a person should know about the file.
    pub(super) fn warning(&self) -> Option<String> {
        self.transcript.warning().map(str::to_owned)
    }

    /// The message in this place; a sentence where it is not there as it was.
    pub(super) fn said(&self, place: Place) -> Result<Said, String> {
        let seq = place.seq;
        let entry = self.transcript.entry(seq).map_err(|error| format!("failed to {error}"))?;
        let entry = entry.ok_or_else(|| format!("entry {seq} cannot be read"))?;
        if entry.flags.has(Flags::TRUNCATED) || entry.flags.has(Flags::UNFINISHED) {
            return Err(format!("entry {seq} was not kept whole"));
        }
        let bytes = wire::payload(entry.kind, &entry.bytes).into_owned();
        Ok(Said { bytes, item: place.item, at: entry.at })
    }

    /// The bytes of an entry, whatever it is: a body, the data of an event.
    pub(super) fn body(&self, seq: Seq) -> Vec<u8> {
        let entry = self.transcript.entry(seq).ok().flatten();
        entry.map(|entry| wire::payload(entry.kind, &entry.bytes).into_owned()).unwrap_or_default()
    }

    /// The bytes of the head in this entry.
    pub(super) fn head(&self, seq: Seq) -> Option<Vec<u8>> {
        let entry = self.transcript.entry(seq).ok().flatten()?;
        (entry.kind == EntryKind::Head).then_some(entry.bytes)
    }

    /// The note of a message: of the entry, or of that message of a batch.
    pub(super) fn note(&self, place: Place) -> Option<&Note> {
        let note = self.trace().note(place.seq)?;
        if note.kind == NoteKind::Batch { self.trace().items(place.seq).get(place.item as usize) } else { Some(note) }
    }
}

impl Said {
    /// The message; nothing where it is none.
    pub(super) fn message(&self) -> Option<Message<'_>> {
        match wire::read(&self.bytes) {
            Frame::Message(message) => Some(message),
            Frame::Batch(items) => match items.into_iter().nth(self.item as usize)? {
                Item::Message(message) => Some(message),
                Item::NotRpc { .. } => None,
            },
            _ => None,
        }
    }
}
