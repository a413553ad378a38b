//! One stream on its way into entries: its coding undone, cut by its framing, secrets of OAuth masked. It
//! writes steps into a draft and holds at most a piece, whatever is sent.

mod body;

use sha2::{Digest, Sha256};

use self::body::Body;
use super::coding::{Decoder, Progress};
use super::draft::{Amendment, Draft, Opening, Step};
use super::queue::{Coding, Flow, Framing, Stream};
use super::redact::Media;
use crate::model::{EntryKind, Flags, Nanos};
use crate::wire::sse::Events;
use crate::wire::{Lines, PIECE, Piece};

/// One stream on its way into entries.
#[derive(Debug)]
pub struct Cut {
    stream: Stream,
    kind: EntryKind,
    cutter: Cutter,
    coded: Option<Coded>,
    /// Which secrets it may hold.
    media: Media,
    max_entry: u64,
    entry: Growing,
    /// When bytes came last.
    pub fed: Nanos,
    /// Whether somebody will look whether its writer has paused.
    pub is_watched: bool,
    undelivered: bool,
}

/// What cuts it.
#[derive(Debug)]
enum Cutter {
    Lines(Lines),
    Events(Events),
    Body(Body),
}

/// Bytes that were compressed on the wire.
#[derive(Debug)]
struct Coded {
    decoder: Decoder,
    /// What came as long as nothing was made of it, should it turn out to be something else.
    raw: Vec<u8>,
    /// Whether something was made of it.
    made: bool,
}

/// The entry that is being read.
#[derive(Debug, Default)]
struct Growing {
    /// When its first byte came.
    at: Option<Nanos>,
    size: u64,
    hash: Sha256,
    flags: Flags,
}

impl Cutter {
    fn push(&mut self, chunk: &[u8], emit: &mut dyn FnMut(Piece<'_>)) {
        match self {
            Self::Lines(lines) => lines.push(chunk, emit),
            Self::Events(events) => events.push(chunk, emit),
            Self::Body(body) => body.push(chunk, emit),
        }
    }

    fn flush(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        match self {
            Self::Lines(lines) => lines.flush(emit),
            Self::Events(events) => events.flush(emit),
            Self::Body(body) => body.flush(emit),
        }
    }

    fn finish(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        match self {
            Self::Lines(lines) => lines.finish(emit),
            Self::Events(events) => events.finish(emit),
            Self::Body(body) => body.finish(emit),
        }
    }

    fn held(&self) -> usize {
        match self {
            Self::Lines(lines) => lines.held(),
            Self::Events(events) => events.held(),
            Self::Body(body) => body.held().len(),
        }
    }

    fn begun(&self) -> bool {
        match self {
            Self::Lines(lines) => lines.begun(),
            Self::Events(events) => events.begun(),
            Self::Body(body) => body.begun(),
        }
    }
}

impl Cut {
    /// A stream from here on; `max_entry` bytes of one entry are kept.
    pub fn new(stream: Stream, framing: Framing, media: Media, max_entry: u64) -> Self {
        let (kind, cutter, coding) = match framing {
            Framing::Lines if stream.flow == Flow::Error => {
                (EntryKind::Stderr, Cutter::Lines(Lines::new()), Coding::Identity)
            }
            Framing::Lines => (EntryKind::Frame, Cutter::Lines(Lines::new()), Coding::Identity),
            // What is compressed in a way that nobody knows has no events.
            Framing::Events(Coding::Unknown) | Framing::Body(Coding::Unknown) => {
                (EntryKind::Body, Cutter::Body(Body::default()), Coding::Unknown)
            }
            Framing::Events(coding) => (EntryKind::Event, Cutter::Events(Events::new()), coding),
            Framing::Body(coding) => (EntryKind::Body, Cutter::Body(Body::default()), coding),
        };
        let coded = Decoder::new(coding).map(|decoder| Coded { decoder, raw: Vec::new(), made: false });
        let entry = Growing::default();
        Self { stream, kind, cutter, coded, media, max_entry, entry, fed: 0, is_watched: false, undelivered: false }
    }

    /// Takes bytes that were read. When the draft became full, says how many of them were used: the rest,
    /// be it empty, is to be given again.
    pub fn feed(&mut self, at: Nanos, chunk: &[u8], draft: &mut Draft) -> Option<usize> {
        draft.steps.push(Step::Chunk(self.stream));
        self.fed = at;
        self.entry.at.get_or_insert(at);
        let full = if self.coded.is_some() {
            self.decode(chunk, draft)
        } else {
            self.give(draft, false, |cutter, emit| cutter.push(chunk, emit));
            None
        };
        let goes_on = self.cutter.held() > 0 || self.cutter.begun();
        self.entry.at = if goes_on { self.entry.at.or(Some(at)) } else { None };
        full
    }

    /// Whether the start of an entry should be written because its writer pauses.
    pub fn may_flush(&self) -> bool {
        match &self.cutter {
            Cutter::Body(body) => !body.held().is_empty() && (body.begun() || !self.media.may_hide(body.held())),
            other => other.held() > 0,
        }
    }

    /// Writes what is held of an entry; the entry goes on.
    pub fn flush(&mut self, draft: &mut Draft) {
        self.give(draft, false, Cutter::flush);
    }

    /// The stream has ended, in order or not.
    pub fn finish(&mut self, draft: &mut Draft) {
        if let Some(coded) = self.coded.take_if(|coded| !coded.made && !coded.decoder.is_whole()) {
            self.give(draft, false, |cutter, emit| cutter.push(&coded.raw, emit));
        }
        self.give(draft, true, Cutter::finish);
    }

    /// Of the last chunk only so many bytes could be delivered, and of later ones none.
    pub fn undelivered(&mut self, delivered: usize, draft: &mut Draft) {
        self.undelivered = true;
        draft.steps.push(Step::Undelivered { stream: self.stream, delivered });
    }

    fn decode(&mut self, chunk: &[u8], draft: &mut Draft) -> Option<usize> {
        let mut used = 0;
        let mut output = std::mem::take(&mut draft.scratch);
        output.resize(PIECE / 4, 0);
        let mut full = None;
        while let Some(coded) = &mut self.coded {
            match coded.decoder.decode(&chunk[used..], &mut output) {
                Ok(Progress { used: 0, made: 0 }) if used == chunk.len() => {
                    if !coded.made {
                        coded.raw.extend_from_slice(chunk);
                    }
                    // A header that long is none.
                    if coded.raw.len() > PIECE {
                        self.broken(&[], draft);
                    }
                    break;
                }
                Ok(Progress { made: 0, used: more }) if more > 0 => used += more,
                Ok(Progress { made, used: more }) if made > 0 => {
                    used += more;
                    coded.made = true;
                    coded.raw = Vec::new();
                    self.give(draft, false, |cutter, emit| cutter.push(&output[..made], emit));
                    if draft.is_full() {
                        full = Some(used);
                        break;
                    }
                }
                _ => self.broken(chunk, draft),
            }
        }
        draft.scratch = output;
        full
    }

    /// Its coding is not what was said. What was decoded so far is an entry; what comes from this chunk on,
    /// which may be in both, is kept as it came.
    fn broken(&mut self, chunk: &[u8], draft: &mut Draft) {
        if self.coded.as_ref().is_some_and(|coded| coded.made) {
            self.give(draft, true, Cutter::finish);
            (self.kind, self.cutter) = (EntryKind::Body, Cutter::Body(Body::default()));
        }
        let Some(coded) = self.coded.take() else { return };
        self.give(draft, false, |cutter, emit| {
            cutter.push(&coded.raw, emit);
            cutter.push(chunk, emit);
        });
    }

    fn give(&mut self, draft: &mut Draft, ending: bool, from: impl FnOnce(&mut Cutter, &mut dyn FnMut(Piece<'_>))) {
        let mut base = if self.undelivered { Flags::UNDELIVERED } else { Flags::default() };
        let is_coded = self.coded.as_ref().is_some_and(|coded| coded.made);
        if is_coded {
            base = base.with(Flags::DECODED);
        }
        let Self { stream, kind, cutter, media, max_entry, entry, fed, .. } = self;
        let held = cutter.held();
        let mut given = 0_usize;
        from(cutter, &mut |piece| {
            given += piece.bytes.len();
            // Where in the chunk a decoded entry ended is not known; then it counts as its end.
            let end = if is_coded { usize::MAX } else { given.saturating_sub(held) };
            let stamp = Stamp { now: *fed, base, end, max: *max_entry, kind: *kind, media: *media, ending };
            entry.add(*stream, piece, stamp, draft);
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
    kind: EntryKind,
    media: Media,
    ending: bool,
}

impl Stamp {
    /// What is special about an entry that ends with these bytes.
    fn flags(&self, last: &[u8]) -> Flags {
        let lacks_end = match self.kind {
            EntryKind::Frame | EntryKind::Stderr => !last.ends_with(b"\n"),
            EntryKind::Event => self.ending && last.iter().any(|byte| !matches!(byte, b'\r' | b'\n')),
            _ => false,
        };
        if lacks_end { self.base.with(Flags::NO_NEWLINE) } else { self.base }
    }
}

impl Growing {
    fn add(&mut self, stream: Stream, piece: Piece<'_>, stamp: Stamp, draft: &mut Draft) {
        let at = *self.at.get_or_insert(stamp.now);
        let masked = if piece.first { stamp.media.mask(piece.bytes) } else { None };
        if masked.is_some() {
            self.flags = Flags::REDACTED;
        }
        // What fits into a piece is there whole, unless less than that is to be kept.
        let is_whole = piece.first && piece.last && piece.bytes.len() as u64 <= stamp.max;
        let kept = self.keep(masked.as_deref().unwrap_or(piece.bytes), stamp.max, draft);
        if piece.first {
            let flags = if is_whole { stamp.flags(piece.bytes) } else { stamp.base.with(Flags::UNFINISHED) };
            let flags = flags.with(self.flags);
            let size = piece.bytes.len() as u64;
            let opening =
                Opening { stream, kind: stamp.kind, at, until: stamp.now, flags, size, bytes: kept, end: stamp.end };
            draft.steps.push(Step::Open(opening));
        } else if !kept.is_empty() {
            draft.steps.push(Step::More { stream, bytes: kept });
        }
        self.size += piece.bytes.len() as u64;
        if !is_whole {
            self.hash.update(piece.bytes);
        }
        if piece.last {
            let grown = std::mem::take(self);
            if !is_whole {
                let ending = grown.seal(piece.bytes, stamp);
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

    fn seal(self, last: &[u8], stamp: Stamp) -> Amendment {
        let mut flags = stamp.flags(last).with(self.flags);
        if self.size > stamp.max {
            flags = flags.with(Flags::TRUNCATED);
        }
        Amendment { flags, size: self.size, until: stamp.now, sha256: self.hash.finalize().into() }
    }
}
