//! A recording as the command line reads it: from the beginning to the end and, if wanted, on as it
//! grows. The same reading, rows and filters as the window's, without its threads and slices.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use super::detail::{self, Outline};
use super::reading::{News, Reading};
use super::shown::Shown;
use super::view::{Attached, Row, RowKey, View};
use super::{inspect, requests};
use crate::model::{Entry, Era, Flags, Id, Recording, Seq, Side};
use crate::trace::{NoteKind, Trace};
use crate::wire;

/// How long one step of reading may take; only a bound for what is one step anyway.
const STEP: Duration = Duration::from_secs(1);

/// Why a recording could not be read as a transcript. Each fits after "failed to".
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The file could not be opened or read; the sentence says why and what to do.
    #[error("{0}")]
    Read(String),
    /// The filter says something that it cannot.
    #[error("read the filter: {why}")]
    Filter {
        /// Where in the filter's text.
        at: Range<usize>,
        /// What is wrong.
        why: String,
    },
}

/// A recording that is read from its beginning.
pub struct Transcript {
    reading: Reading,
    shown: Shown,
    warning: Option<String>,
    reordered: u64,
    /// Index of the next row to be told, among those that the filter lets through.
    next: u64,
    /// Entries that were told before their end had been seen.
    unfinished: Vec<Seq>,
}

/// One row with what a script wants to know of it.
#[derive(Debug, Clone)]
pub struct Line {
    /// The row.
    pub row: Row,
    /// What it is: `exchange`, `request`, `notification`, `result`, `error`, `batch`, `stderr`,
    /// `lifecycle`, `not-json`, `not-json-rpc`, `blank`, `unfinished`, `truncated`; over HTTP `http` (a
    /// request that carries none of JSON-RPC), `head`, `body`, `event`.
    pub kind: &'static str,
    /// Who sent it; of an exchange: who asked.
    pub from: Option<Side>,
    /// The id as JSON text.
    pub id: Option<String>,
    /// The revision by which it is read.
    pub revision: Option<String>,
    /// Its era.
    pub era: Option<Era>,
    /// The entry of the request, or the entry itself.
    pub request: Option<Seq>,
    /// The entry of the answer.
    pub answer: Option<Seq>,
    /// What else belongs to it, each with its first entry.
    pub belongs: Vec<(Seq, Attached)>,
    /// What is unusual about it, each in a sentence.
    pub remarks: Vec<String>,
}

impl Transcript {
    /// Opens the recording at `path`; [`read`](Self::read) reads it.
    pub fn open(path: &Path, view: View, filter: &str) -> Result<Self, TranscriptError> {
        let (reading, warning) = Reading::open(path).map_err(sentence)?;
        let mut shown = Shown::new(view, filter, reading.facts.started);
        if let Some((at, why)) = shown.error.take() {
            return Err(TranscriptError::Filter { at, why });
        }
        Ok(Self { reading, shown, warning, reordered: 0, next: 0, unfinished: Vec::new() })
    }

    /// The recording's facts.
    pub const fn facts(&self) -> &Recording {
        &self.reading.facts
    }

    /// What a person should know about the file.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Whether its recorder is running.
    pub const fn is_live(&self) -> bool {
        self.reading.live
    }

    /// How many entries were read.
    pub fn entries(&self) -> u64 {
        self.reading.trace.notes().len() as u64
    }

    /// The trace of what was read.
    pub const fn trace(&self) -> &Trace {
        &self.reading.trace
    }

    /// Reads all that the file holds by now.
    pub fn read(&mut self) -> Result<(), TranscriptError> {
        self.take_in(false)?;
        while self.reading.is_behind() {
            self.take_in(false)?;
        }
        Ok(())
    }

    /// Looks whether more has come and reads it; false once nothing will come any more.
    pub fn follow(&mut self) -> Result<bool, TranscriptError> {
        let live = self.reading.live;
        let news = self.reading.poll();
        self.take_in(news == News::Changed)?;
        self.read()?;
        Ok(live && !matches!(news, News::Gone | News::Replaced))
    }

    /// The next row that has not been told, in order. An entry whose end had not been seen is told
    /// again when it has.
    pub fn next_line(&mut self) -> Option<Line> {
        if let Some(seq) = self.ended() {
            return self.line(RowKey::Entry(seq));
        }
        let key = self.shown.key(&self.reading.trace, self.next)?;
        self.next += 1;
        if let RowKey::Entry(seq) = key
            && self.is_unfinished(seq)
        {
            self.unfinished.push(seq);
        }
        self.line(key)
    }

    /// An entry with all bytes that were kept of it; `None` when it is not in the file any more.
    pub fn entry(&self, seq: Seq) -> Result<Option<Entry>, TranscriptError> {
        self.reading.entry(seq).map_err(sentence)
    }

    fn take_in(&mut self, changed: bool) -> Result<(), TranscriptError> {
        let Self { reading, shown, .. } = self;
        let mut seen = |trace: &Trace, entry: &Entry| shown.entry(trace, entry);
        if changed {
            reading.amend(&mut seen);
        }
        if reading.is_behind() {
            reading.advance(Instant::now() + STEP, &mut seen).map_err(sentence)?;
        }
        reading.conclude();
        if self.reordered != reading.trace.reordered() {
            self.reordered = reading.trace.reordered();
            shown.moved();
        }
        for index in reading.trace.take_touched() {
            shown.exchange(&reading.trace, index);
        }
        for index in reading.trace.take_touched_https() {
            shown.http(&reading.trace, index);
        }
        while shown.is_busy(&reading.trace) || shown.is_stale() {
            shown.advance(&reading.trace, Instant::now() + STEP).map_err(sentence)?;
        }
        Ok(())
    }

    /// An entry that was told unfinished and has ended since.
    fn ended(&mut self) -> Option<Seq> {
        let at = self.unfinished.iter().position(|seq| !self.is_unfinished(*seq))?;
        Some(self.unfinished.swap_remove(at))
    }

    fn is_unfinished(&self, seq: Seq) -> bool {
        self.reading.trace.note(seq).is_some_and(|note| note.flags.has(Flags::UNFINISHED))
    }

    fn line(&self, key: RowKey) -> Option<Line> {
        let trace = &self.reading.trace;
        let mut head = |seq| self.reading.head(seq);
        let outline = detail::outline(trace, self.shown.view, key, std::path::PathBuf::new(), 0, &mut head)?;
        let (kind, from) = match key {
            RowKey::Exchange(index) => ("exchange", trace.exchanges().get(index as usize).map(|it| it.side)),
            RowKey::Entry(seq) if requests::of_row(trace, self.shown.view, seq).is_some() => {
                ("http", Some(Side::Client))
            }
            RowKey::Entry(seq) => trace.note(seq).map_or(("entry", None), |note| (word(note.kind), note.side)),
        };
        let exchange = match key {
            RowKey::Exchange(index) => Some(index),
            RowKey::Entry(seq) => trace.note(seq).and_then(crate::trace::Note::exchange),
        };
        let exchange = exchange.and_then(|index| trace.exchanges().get(index as usize));
        let id = outline.id.as_ref().and(exchange).map(|exchange| json_text(&exchange.id));
        let Outline { row, revision, era, request, answer, belongs, remarks, .. } = outline;
        // An entry's outline points at its exchange; that is no thing which belongs to the entry.
        let own = matches!(key, RowKey::Exchange(_));
        let read = |seq| self.entry(seq).ok().flatten().map(|entry| entry.bytes).unwrap_or_default();
        let belongs = belongs.into_iter().filter(|_| own);
        let belongs = belongs.map(|belonging| (belonging.seq, inspect::attached(belonging, &read))).collect();
        Some(Line { row, kind, from, id, revision, era, request, answer, belongs, remarks })
    }
}

/// An id as JSON text. Its own text form is for people, who read escapes differently.
fn json_text(id: &Id) -> String {
    match id {
        Id::String(text) => wire::quote(text),
        other => other.to_string(),
    }
}

/// The sentences of `reading` begin with what this error's text must not begin with.
fn sentence(sentence: impl AsRef<str>) -> TranscriptError {
    let sentence = sentence.as_ref();
    TranscriptError::Read(sentence.strip_prefix("failed to ").unwrap_or(sentence).to_owned())
}

const fn word(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Request => "request",
        NoteKind::Notification => "notification",
        NoteKind::Result => "result",
        NoteKind::Error => "error",
        NoteKind::Batch => "batch",
        NoteKind::Stderr => "stderr",
        NoteKind::Lifecycle => "lifecycle",
        NoteKind::NotJson => "not-json",
        NoteKind::NotRpc => "not-json-rpc",
        NoteKind::Blank => "blank",
        NoteKind::Unfinished => "unfinished",
        NoteKind::Head => "head",
        NoteKind::Body => "body",
        NoteKind::Event => "event",
        NoteKind::Truncated => "truncated",
    }
}
