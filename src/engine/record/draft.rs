//! What a batch of chunks comes to: steps that write entries. Pure; it numbers nothing and writes
//! nothing, so that a batch which could not be written can be written again.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::queue::{Batch, Item, Stream};
use crate::model::{Channel, ChannelId, Flags, Lifecycle, Nanos};
use crate::wire::{Lines, Piece};

/// How long a line may stay unfinished before its start is recorded.
const PAUSE: Nanos = 500_000_000;

/// When a draft is written before its batch is used up: four million empty lines fit into one batch,
/// and each of them is a step.
const FULL: usize = 4 << 20;

/// One step of writing.
#[derive(Debug)]
pub enum Step {
    /// The stream's entries from here on come from its next chunk.
    Chunk(Stream),
    /// An entry: all of it, or its first piece.
    Open(Opening),
    /// A further piece of the stream's open entry.
    More { stream: Stream, bytes: std::ops::Range<usize> },
    /// The end of the stream's open entry.
    Seal { stream: Stream, ending: Amendment },
    /// Entries of the stream's last chunk that end behind this offset were not delivered.
    Undelivered { stream: Stream, delivered: usize },
    /// Something happened.
    Happened(ChannelId, Nanos, Lifecycle),
    /// A channel, or what became known of it since.
    Channel(Channel),
}

/// An entry's beginning.
#[derive(Debug)]
pub struct Opening {
    /// Whose it is.
    pub stream: Stream,
    /// When its first byte was read.
    pub at: Nanos,
    /// When its last byte so far was read.
    pub until: Nanos,
    /// UNFINISHED when more will follow.
    pub flags: Flags,
    /// Its bytes, a range of [`Draft::bytes`].
    pub bytes: std::ops::Range<usize>,
    /// Where it ends in its chunk.
    pub end: usize,
}

/// What is known about an entry once it has ended.
#[derive(Debug, Clone)]
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
}

impl Draft {
    fn load(&self) -> usize {
        self.bytes.len() + self.steps.len() * size_of::<Step>()
    }

    /// Empties it, and gives room back that a burst had needed.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(1 << 20);
        self.steps.clear();
        self.steps.shrink_to(1 << 12);
    }
}

/// Cuts the three streams into entries.
#[derive(Debug)]
pub struct Drafter {
    cuts: HashMap<Stream, Cut>,
    max_entry: u64,
}

impl Drafter {
    /// At the start of all streams; `max_entry` bytes of one entry are kept.
    pub fn new(max_entry: u64) -> Self {
        Self { cuts: HashMap::new(), max_entry }
    }

    /// Adds what a batch comes to, or as much of it as one draft should hold.
    pub fn feed(&mut self, batch: &mut Batch, draft: &mut Draft) {
        while draft.load() < FULL {
            let Some(item) = batch.items.pop_front() else { return };
            match item {
                Item::Chunk(stream, at, range) => self.cut(stream).feed(at, &batch.bytes[range], draft),
                Item::Ended(stream) => self.cut(stream).finish(draft),
                Item::Undelivered(stream, delivered) => self.cut(stream).undelivered(delivered, draft),
                Item::Happened(channel, at, event) => draft.steps.push(Step::Happened(channel, at, event)),
                Item::Opened(channel) => draft.steps.push(Step::Channel(channel)),
                Item::Framed(..) => {}
                Item::Head(stream, at, range) => self.cut(stream).feed(at, &batch.bytes[range], draft),
                Item::Closed(channel) => self.cuts.retain(|stream, _| stream.channel != channel),
            }
        }
    }

    /// Adds the start of every line whose writer has paused.
    pub fn paused(&mut self, now: Nanos, draft: &mut Draft) {
        for cut in self.cuts.values_mut() {
            if cut.lines.pending() && now - cut.fed >= PAUSE {
                cut.give(draft, |lines, emit| lines.flush(emit));
            }
        }
    }

    /// When [`Drafter::paused`] will have something to do.
    pub fn pauses_at(&self) -> Option<Nanos> {
        self.cuts.values().filter(|cut| cut.lines.pending()).map(|cut| cut.fed + PAUSE).min()
    }

    /// Ends every stream.
    pub fn finish(&mut self, draft: &mut Draft) {
        for cut in self.cuts.values_mut() {
            cut.finish(draft);
        }
    }

    fn cut(&mut self, stream: Stream) -> &mut Cut {
        let max_entry = self.max_entry;
        self.cuts.entry(stream).or_insert_with(|| Cut::new(stream, max_entry))
    }
}

/// One stream on its way into entries.
#[derive(Debug)]
struct Cut {
    stream: Stream,
    max_entry: u64,
    lines: Lines,
    entry: Growing,
    /// When bytes came last.
    fed: Nanos,
    undelivered: bool,
}

/// The line that is being read.
#[derive(Debug, Default)]
struct Growing {
    /// When its first byte came.
    at: Option<Nanos>,
    size: u64,
    hash: Sha256,
}

impl Cut {
    fn new(stream: Stream, max_entry: u64) -> Self {
        let (lines, entry) = (Lines::default(), Growing::default());
        Self { stream, max_entry, lines, entry, fed: 0, undelivered: false }
    }

    fn feed(&mut self, at: Nanos, chunk: &[u8], draft: &mut Draft) {
        draft.steps.push(Step::Chunk(self.stream));
        self.fed = at;
        self.entry.at.get_or_insert(at);
        self.give(draft, |lines, emit| lines.push(chunk, emit));
        let goes_on = self.lines.pending() || self.lines.begun();
        self.entry.at = if goes_on { self.entry.at.or(Some(at)) } else { None };
    }

    fn finish(&mut self, draft: &mut Draft) {
        self.give(draft, Lines::finish);
    }

    fn undelivered(&mut self, delivered: usize, draft: &mut Draft) {
        self.undelivered = true;
        draft.steps.push(Step::Undelivered { stream: self.stream, delivered });
    }

    fn give(&mut self, draft: &mut Draft, from: impl FnOnce(&mut Lines, &mut dyn FnMut(Piece<'_>))) {
        let Self { stream, max_entry, lines, entry, fed, undelivered } = self;
        let held = lines.held();
        let mut given = 0_usize;
        let base = if *undelivered { Flags::UNDELIVERED } else { Flags::default() };
        from(lines, &mut |piece| {
            given += piece.bytes.len();
            let end = given.saturating_sub(held);
            entry.add(*stream, piece, Stamp { now: *fed, base, end, max: *max_entry }, draft);
        });
    }
}

/// What a piece does not say of itself.
#[derive(Clone, Copy)]
struct Stamp {
    now: Nanos,
    base: Flags,
    end: usize,
    max: u64,
}

impl Growing {
    fn add(&mut self, stream: Stream, piece: Piece<'_>, stamp: Stamp, draft: &mut Draft) {
        let at = *self.at.get_or_insert(stamp.now);
        let kept = self.keep(piece.bytes, stamp.max, draft);
        if piece.first {
            let mut flags = stamp.base;
            if !piece.last {
                flags = flags.with(Flags::UNFINISHED);
            } else if !piece.bytes.ends_with(b"\n") {
                flags = flags.with(Flags::NO_NEWLINE);
            }
            let opening = Opening { stream, at, until: stamp.now, flags, bytes: kept, end: stamp.end };
            draft.steps.push(Step::Open(opening));
        } else if !kept.is_empty() {
            draft.steps.push(Step::More { stream, bytes: kept });
        }
        let is_whole = piece.first && piece.last;
        self.size += piece.bytes.len() as u64;
        if !is_whole {
            self.hash.update(piece.bytes);
        }
        if piece.last {
            let grown = std::mem::take(self);
            if !is_whole {
                let ending = grown.seal(piece.bytes.ends_with(b"\n"), stamp);
                draft.steps.push(Step::Seal { stream, ending });
            }
        }
    }

    /// Copies as much of the bytes as may still be kept of this entry.
    fn keep(&self, bytes: &[u8], max: u64, draft: &mut Draft) -> std::ops::Range<usize> {
        let room = usize::try_from(max.saturating_sub(self.size)).unwrap_or(usize::MAX);
        let start = draft.bytes.len();
        draft.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        start..draft.bytes.len()
    }

    fn seal(self, has_newline: bool, stamp: Stamp) -> Amendment {
        let mut flags = stamp.base;
        if !has_newline {
            flags = flags.with(Flags::NO_NEWLINE);
        }
        if self.size > stamp.max {
            flags = flags.with(Flags::TRUNCATED);
        }
        Amendment { flags, size: self.size, until: stamp.now, sha256: self.hash.finalize().into() }
    }
}
