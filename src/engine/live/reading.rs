//! The recording that is open: its file, followed as it grows, and the trace of all that was read of
//! it. Which of its rows are shown is for `shown`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::channels::Channels;
use super::stamp::Stamp;
use super::{visible, watch};
use crate::model::{Entry, EntryKind, Flags, Recording, Seq};
use crate::store::Reader;
use crate::trace::Trace;

/// How often it is asked whether the recorder still runs and the file is still the same.
const SURVEY: Duration = Duration::from_millis(250);
/// So many of the last entries may be spoken of anew by the recorder.
const RECENT: Seq = 64;
/// Entries read between two looks at the clock.
const STRIDE: u32 = 32;

/// Said of a recording that nobody closed and nobody writes.
const KILLED: &str = "the recorder was killed, so the last moments may be missing";

/// How far a recording is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The file may hold more.
    Behind,
    /// All that the file held is read.
    AtEnd,
    /// The same, and the trace knows that nothing more will come.
    Over,
}

/// A recording that is being read.
pub(super) struct Reading {
    /// Its file.
    pub(super) path: PathBuf,
    /// Its facts, as last read.
    pub(super) facts: Recording,
    /// What was read of it.
    pub(super) trace: Trace,
    /// Whether its recorder is running.
    pub(super) live: bool,
    /// Entries in the file, as far as known.
    pub(super) entries: u64,
    /// Size of the file in bytes.
    pub(super) bytes: u64,
    reader: Reader,
    stamp: Option<Stamp>,
    channels: Channels,
    /// The number of the next entry to be read.
    next: Seq,
    /// How far it is read.
    place: Place,
    /// Entries whose end had not been seen when they were read.
    unfinished: Vec<Seq>,
    surveyed: Instant,
    /// The facts may have changed since they were read.
    stale: bool,
    /// What the file was warned of when it was opened or since.
    warned: Option<String>,
    /// Reused for every entry.
    entry: Entry,
}

/// What a look at the file showed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum News {
    /// Nothing, or nothing that is not in the fields.
    Nothing,
    /// Something is new.
    Changed,
    /// The file is gone.
    Gone,
    /// Another file has taken its place.
    Replaced,
}

impl Reading {
    /// Opens the recording at `path`; the error is a sentence.
    pub(super) fn open(path: &Path) -> Result<(Self, Option<String>), String> {
        let stamp = Stamp::of(path);
        let reader = Reader::open(path).map_err(|error| format!("failed to {error}"))?;
        let facts = reader.recording().map_err(|error| format!("failed to {error}"))?;
        let live = watch::is_live(&facts);
        let mut trace = Trace::new(facts.transport);
        let mut channels = Channels::default();
        channels.renew(&reader, &mut trace).map_err(|error| format!("failed to {error}"))?;
        let entries = reader.count().map_err(|error| format!("failed to {error}"))?;
        let warned = reader.warning();
        let killed = (facts.ended.is_none() && !live).then_some(KILLED.to_owned());
        let said: Vec<String> = killed.into_iter().chain(warned.clone()).collect();
        let warning = (!said.is_empty()).then(|| said.join("; "));
        let reading = Self {
            path: path.to_owned(),
            facts,
            trace,
            live,
            entries,
            bytes: stamp.map_or(0, |stamp| stamp.bytes),
            reader,
            stamp,
            channels,
            next: 0,
            place: Place::Behind,
            unfinished: Vec::new(),
            surveyed: Instant::now(),
            stale: false,
            warned,
            entry: empty(),
        };
        Ok((reading, warning))
    }

    /// The number of the last entry that was read; 0 before the first.
    pub(super) fn read(&self) -> Seq {
        self.next.saturating_sub(1)
    }

    /// Whether the file may hold entries that have not been read.
    pub(super) const fn is_behind(&self) -> bool {
        matches!(self.place, Place::Behind)
    }

    /// Reads on until `deadline` or until nothing is left; `seen` is called after each entry. The
    /// error is a sentence, and what was read before it stays.
    pub(super) fn advance(&mut self, deadline: Instant, seen: &mut dyn FnMut(&Trace, &Entry)) -> Result<(), String> {
        let Self { reader, trace, channels, next, unfinished, entry, .. } = self;
        let mut count = 0_u32;
        let mut paused = false;
        let result = reader.scan(*next, &mut |borrowed| {
            entry.seq = borrowed.seq;
            (entry.at, entry.until, entry.channel) = (borrowed.at, borrowed.until, borrowed.channel);
            (entry.side, entry.kind, entry.flags) = (borrowed.side, borrowed.kind, borrowed.flags);
            entry.size = borrowed.size;
            entry.bytes.clear();
            entry.bytes.extend_from_slice(borrowed.bytes);
            *next = entry.seq + 1;
            if entry.flags.has(Flags::UNFINISHED) {
                unfinished.push(entry.seq);
            }
            channels.meet(entry.channel, reader, trace);
            trace.record(entry);
            seen(trace, entry);
            count += 1;
            // One that is megabytes long is a slice by itself.
            paused = (count.is_multiple_of(STRIDE) || entry.bytes.len() > 65_536) && Instant::now() >= deadline;
            if paused { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if self.entry.bytes.capacity() > 4_000_000 {
            self.entry.bytes = Vec::new();
        }
        self.place = if paused { Place::Behind } else { Place::AtEnd };
        self.entries = self.entries.max(self.read());
        result.map_err(|error| format!("failed to {error}"))
    }

    /// Tells the trace that nothing more will come, once that is so.
    pub(super) fn conclude(&mut self) {
        if self.live || self.place != Place::AtEnd {
            return;
        }
        self.place = Place::Over;
        let last = self.trace.notes().last().map_or(self.facts.started, |note| note.at);
        self.trace.end(self.facts.ended.unwrap_or(last));
    }

    /// What the file turned out to lack while it was read, said once.
    pub(super) fn warning(&mut self) -> Option<String> {
        let warning = self.reader.warning();
        let fresh = warning != self.warned;
        self.warned.clone_from(&warning);
        warning.filter(|_| fresh)
    }

    /// Takes in what the recorder has said anew of entries that were read: that they have grown, ended,
    /// or could not be delivered.
    pub(super) fn amend(&mut self, seen: &mut dyn FnMut(&Trace, &Entry)) {
        // What cannot be read now is read with the next change.
        let _ = self.channels.renew(&self.reader, &mut self.trace);
        let read = self.read();
        let mut states = Vec::new();
        for seq in &self.unfinished {
            states.extend(self.reader.states(*seq, *seq).unwrap_or_default());
        }
        states.extend(self.reader.states(read.saturating_sub(RECENT), read).unwrap_or_default());
        for (seq, flags, size) in states {
            let Some(note) = self.trace.note(seq).filter(|note| (note.flags, note.size) != (flags, size)) else {
                continue;
            };
            let ended = note.flags.has(Flags::UNFINISHED) && !flags.has(Flags::UNFINISHED);
            let entry = if ended { self.reader.entry(seq).ok().flatten() } else { None };
            // Only one that has ended is read anew; of the others the trace takes flags and size.
            let entry = entry.unwrap_or(Entry { seq, flags, size, ..empty() });
            self.trace.record(&entry);
            seen(&self.trace, &entry);
        }
        let trace = &self.trace;
        self.unfinished.retain(|seq| trace.note(*seq).is_some_and(|note| note.flags.has(Flags::UNFINISHED)));
    }

    /// Looks whether something has happened to the file. Cheap enough for forty times a second.
    pub(super) fn poll(&mut self) -> News {
        let mut news = News::Nothing;
        if self.reader.changed() {
            self.place = Place::Behind;
            self.stale = true;
            news = News::Changed;
        }
        if self.surveyed.elapsed() < SURVEY {
            return news;
        }
        self.surveyed = Instant::now();
        match self.survey() {
            News::Nothing => news,
            more => more,
        }
    }

    /// Looks at what need not be known at once: facts, size, whether the recorder lives.
    fn survey(&mut self) -> News {
        let stamp = Stamp::of(&self.path);
        let news = match (&self.stamp, &stamp) {
            (Some(_), None) => News::Gone,
            (Some(was), Some(is)) if !was.same_file(is) => News::Replaced,
            _ => News::Nothing,
        };
        self.stamp = stamp;
        if news != News::Nothing {
            self.live = false;
            return news;
        }
        self.bytes = stamp.map_or(self.bytes, |stamp| stamp.bytes);
        let stale = std::mem::take(&mut self.stale);
        if stale {
            if let Ok(facts) = self.reader.recording() {
                self.facts = facts;
            }
            if let Ok(entries) = self.reader.count() {
                self.entries = self.entries.max(entries);
            }
        }
        let live = watch::is_live(&self.facts);
        if std::mem::replace(&mut self.live, live) != live || stale { News::Changed } else { News::Nothing }
    }

    /// An entry with all bytes that were kept of it; the error is a sentence.
    pub(super) fn entry(&self, seq: Seq) -> Result<Option<Entry>, String> {
        self.reader.entry(seq).map_err(|error| format!("failed to {error}"))
    }

    /// The first bytes of an entry, enough for a line in a table.
    pub(super) fn head(&self, seq: Seq) -> Vec<u8> {
        self.reader.head(seq, visible::HEAD).ok().flatten().unwrap_or_default()
    }
}

fn empty() -> Entry {
    Entry {
        seq: 0,
        at: 0,
        until: 0,
        channel: 0,
        side: None,
        kind: EntryKind::Frame,
        flags: Flags::default(),
        size: 0,
        bytes: Vec::new(),
    }
}
