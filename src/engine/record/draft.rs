//! What a batch of chunks comes to: steps that write entries. Plain data; it numbers nothing and writes
//! nothing, so that a batch which could not be written can be written again.

use std::ops::Range;

use super::queue::Stream;
use crate::model::{Channel, ChannelId, EntryKind, Flags, Lifecycle, Nanos};

/// When a draft is written before its batch is used up: four million empty lines fit into one batch,
/// and each of them is a step; and a few compressed bytes may stand for gigabytes.
const FULL: usize = 4 << 20;

/// One step of writing.
#[derive(Debug)]
pub enum Step {
    /// The stream's entries from here on come from its next chunk.
    Chunk(Stream),
    /// An entry: all of it, or its first piece.
    Open(Opening),
    /// A further piece of the stream's open entry.
    More { stream: Stream, bytes: Range<usize> },
    /// The end of the stream's open entry.
    Seal { stream: Stream, ending: Amendment },
    /// The stream ended in order with its last entry, which an earlier draft wrote.
    Ends(Stream, Nanos),
    /// Entries of the stream's last chunk that end behind this offset were not delivered.
    Undelivered { stream: Stream, delivered: usize },
    /// Something happened.
    Happened(ChannelId, Nanos, Lifecycle),
    /// A channel, or what became known of it since.
    Channel(Box<Channel>),
    /// No more will come on a channel.
    Close(ChannelId),
}

/// An entry's beginning.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Whose it is.
    pub stream: Stream,
    /// What it is.
    pub kind: EntryKind,
    /// When its first byte was read.
    pub at: Nanos,
    /// When its last byte so far was read.
    pub until: Nanos,
    /// UNFINISHED when more will follow.
    pub flags: Flags,
    /// Its length so far, before anything was masked.
    pub size: u64,
    /// Its bytes, a range of [`Draft::bytes`].
    pub bytes: Range<usize>,
    /// Where it ends in its chunk.
    pub end: usize,
}

/// What is known about an entry once it has ended.
#[derive(Debug, Clone, Copy)]
pub struct Amendment {
    /// Its flags.
    pub flags: Flags,
    /// Its size on the wire.
    pub size: u64,
    /// When its last byte was read.
    pub until: Nanos,
    /// The hash of all of it.
    pub sha256: [u8; 32],
}

/// Steps with the bytes that they write.
#[derive(Debug, Default)]
pub struct Draft {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Room for whoever decodes.
    pub scratch: Vec<u8>,
    /// Which of the drafts that were made in this place it is.
    edition: u64,
}

/// A step of a draft that says how an entry ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    edition: u64,
    step: usize,
}

impl Draft {
    /// Whether it should be written before more is added.
    pub fn is_full(&self) -> bool {
        self.bytes.len() + self.steps.len() * size_of::<Step>() >= FULL
    }

    /// Empties it, and gives room back that a burst had needed.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(1 << 20);
        self.steps.clear();
        self.steps.shrink_to(1 << 12);
        self.edition += 1;
    }

    /// Where the last entry ended among the steps from number `from` on.
    pub fn last_end(&self, from: usize) -> Option<Place> {
        let ends = |step: &Step| matches!(step, Step::Open(_) | Step::Seal { .. });
        let step = self.steps[from..].iter().rposition(ends)?;
        Some(Place { edition: self.edition, step: from + step })
    }

    /// Adds a flag to an entry that ends there; says whether that step is still here.
    pub fn mark(&mut self, place: Place, flag: Flags) -> bool {
        let step = self.steps.get_mut(place.step).filter(|_| place.edition == self.edition);
        let flags = match step {
            Some(Step::Open(opening)) => &mut opening.flags,
            Some(Step::Seal { ending, .. }) => &mut ending.flags,
            _ => return false,
        };
        *flags = flags.with(flag);
        true
    }
}
