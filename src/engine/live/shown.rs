//! What the window wants to see of the recording that is open: a view and a filter, and how far the
//! filter has been applied. Whether one row matches is for `judge`.

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use super::judge::Judge;
use super::outbox::Outbox;
use super::rows;
use super::search::{Hits, Progress, Search};
use super::timeline::Timeline;
use super::view::{RowKey, View};
use crate::model::{Entry, Nanos, Seq};
use crate::trace::Trace;

/// A view, a filter, and the rows that it lets through.
pub(super) struct Shown {
    /// How the timeline is drawn up.
    pub(super) view: View,
    /// What is wrong with the filter; everything is shown then.
    pub(super) error: Option<(Range<usize>, String)>,
    filter: Judge,
    timeline: Timeline,
    hits: Hits,
    search: Option<Search>,
    /// Entries up to this one have been searched, or nothing is to be searched.
    searched: Seq,
    /// Rows that must be judged again.
    touched: Vec<RowKey>,
    /// The first entry of the first row that has not been judged.
    unjudged: Seq,
}

impl Shown {
    /// A view with a filter, not yet applied to anything, of a recording that began at `started`.
    pub(super) fn new(view: View, text: &str, started: Nanos) -> Self {
        let (filter, error) = match Judge::parse(text, started) {
            Ok(filter) => (filter, None),
            Err(error) => (Judge::default(), Some(error)),
        };
        let timeline = if filter.is_empty() { Timeline::everything() } else { Timeline::filtered() };
        Self {
            view,
            error,
            filter,
            timeline,
            hits: Hits::default(),
            search: None,
            searched: Seq::MAX,
            touched: Vec::new(),
            unjudged: 0,
        }
    }

    /// Begins to apply the filter to a recording of which the entries up to `read` are in the trace.
    pub(super) fn apply(&mut self, path: &Path, read: Seq, out: &Outbox) {
        self.timeline = if self.filter.is_empty() { Timeline::everything() } else { Timeline::filtered() };
        self.hits = Hits::default();
        self.search = None;
        self.searched = Seq::MAX;
        self.touched.clear();
        self.unjudged = 0;
        if !self.filter.texts().is_empty() && read > 0 {
            self.search = Some(Search::start(path, self.filter.texts().to_vec(), read, out));
            self.searched = 0;
        }
    }

    /// Whether work remains that does not wait for anything.
    pub(super) fn is_busy(&self, trace: &Trace) -> bool {
        self.search.is_none() && self.timeline.judged(self.total(trace)) < self.total(trace)
    }

    /// Whether rows that were judged must be judged again.
    pub(super) const fn is_stale(&self) -> bool {
        !self.touched.is_empty()
    }

    /// Whether threads are searching.
    pub(super) const fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Takes note of an entry that was read, or read again.
    pub(super) fn entry(&mut self, trace: &Trace, entry: &Entry) {
        if self.filter.is_empty() {
            return;
        }
        for (text, pattern) in self.filter.texts().iter().enumerate() {
            if pattern.reads(entry.kind) && pattern.is_in(&entry.bytes) {
                self.hits.add(text, entry.seq);
            }
        }
        self.touch(trace, entry.seq);
    }

    /// Takes note that an exchange stands otherwise than before.
    pub(super) fn exchange(&mut self, trace: &Trace, index: u32) {
        let Some(exchange) = trace.exchanges().get(index as usize) else { return };
        self.remember(RowKey::Exchange(index), exchange.request.seq);
        self.remember(RowKey::Entry(exchange.request.seq), exchange.request.seq);
        if let Some(answer) = exchange.answer {
            self.remember(RowKey::Entry(answer.seq), answer.seq);
        }
    }

    /// Takes note that an HTTP request stands otherwise than before.
    pub(super) fn http(&mut self, trace: &Trace, index: u32) {
        let Some(http) = trace.https().get(index as usize) else { return };
        if let Some(row) = http.row {
            self.remember(RowKey::Entry(row), row);
        }
        for seq in [Some(http.request), http.body, http.response].into_iter().flatten() {
            self.remember(RowKey::Entry(seq), seq);
        }
        if let Some(exchange) = http.exchange {
            self.exchange(trace, exchange);
        }
    }

    /// Remembers the rows of an entry: its own, that of the exchange that it belongs to, and that of its
    /// HTTP request.
    fn touch(&mut self, trace: &Trace, seq: Seq) {
        self.remember(RowKey::Entry(seq), seq);
        let note = trace.note(seq);
        let http = note.and_then(|note| trace.http(note.channel));
        let index = note.and_then(crate::trace::Note::exchange).or(http.and_then(|http| http.exchange));
        if let Some(row) = http.and_then(|http| http.row) {
            self.remember(RowKey::Entry(row), row);
        }
        if let Some(exchange) = index.and_then(|index| trace.exchanges().get(index as usize)) {
            self.remember(RowKey::Exchange(index.unwrap_or_default()), exchange.request.seq);
        }
    }

    /// Remembers a row to be judged again, if it is one of the view and was judged before.
    fn remember(&mut self, key: RowKey, first: Seq) {
        let of_view = self.view == View::Exchanges || matches!(key, RowKey::Entry(_));
        if of_view && first < self.unjudged && !self.filter.is_empty() && self.touched.last() != Some(&key) {
            self.touched.push(key);
        }
    }

    /// Works until `deadline`; `Ok(true)` when the rows shown may have changed. The error is a sentence.
    pub(super) fn advance(&mut self, trace: &Trace, deadline: Instant) -> Result<bool, String> {
        let before = (self.timeline.len(self.total(trace)), self.timeline.judged(self.total(trace)));
        let changed = !self.touched.is_empty();
        self.collect(trace, deadline)?;
        self.revise(trace);
        let end = self.judgeable(trace);
        let Self { timeline, filter, hits, view, .. } = self;
        timeline.advance(end, |position| filter.matches(trace, *view, position, hits), || Instant::now() < deadline);
        self.unjudged = self.first_unjudged(trace);
        let after = (self.timeline.len(self.total(trace)), self.timeline.judged(self.total(trace)));
        Ok(changed || before != after)
    }

    /// Takes in what the search has found.
    fn collect(&mut self, trace: &Trace, deadline: Instant) -> Result<(), String> {
        while let Some(search) = &mut self.search {
            match search.advance() {
                Progress::Upto(seq, hits) => {
                    self.searched = seq;
                    for (seq, text) in hits {
                        self.hits.add(text, seq);
                        self.touch(trace, seq);
                    }
                }
                Progress::Waiting => break,
                Progress::Done => {
                    self.search = None;
                    self.searched = Seq::MAX;
                }
                Progress::Failed(why) => {
                    self.search = None;
                    self.searched = Seq::MAX;
                    return Err(format!("cannot search the recording: failed to {why}"));
                }
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Ok(())
    }

    fn revise(&mut self, trace: &Trace) {
        let touched = std::mem::take(&mut self.touched);
        let Self { timeline, filter, hits, view, .. } = self;
        for key in touched {
            if let Some(position) = rows::position(trace, *view, key) {
                timeline.revise(position, || filter.matches(trace, *view, position, hits));
            }
        }
    }

    /// How many rows can be judged: those whose first entry has been searched.
    fn judgeable(&self, trace: &Trace) -> u32 {
        let total = self.total(trace);
        if self.searched == Seq::MAX {
            return total;
        }
        let count = match self.view {
            View::Messages => trace.notes().partition_point(|note| note.seq <= self.searched),
            View::Exchanges => trace.rows().partition_point(|row| rows::row_seq(trace, *row) <= self.searched),
        };
        total.min(count as u32)
    }

    fn first_unjudged(&self, trace: &Trace) -> Seq {
        let judged = self.timeline.judged(self.total(trace));
        match rows::key(trace, self.view, judged) {
            Some(key) => rows::first_seq(trace, key).unwrap_or(Seq::MAX),
            None => Seq::MAX,
        }
    }

    /// Judges all rows again: they have moved.
    pub(super) fn moved(&mut self) {
        self.timeline.rewind(0);
        self.touched.clear();
    }

    /// Rows of the view without filter.
    pub(super) fn total(&self, trace: &Trace) -> u32 {
        rows::total(trace, self.view)
    }

    /// Rows that are shown.
    pub(super) fn len(&self, trace: &Trace) -> u64 {
        self.timeline.len(self.total(trace))
    }

    /// How much of the filter's work is done, 0 to 1.
    pub(super) fn done(&self, trace: &Trace) -> f32 {
        let total = self.total(trace);
        if total == 0 { 1.0 } else { self.timeline.judged(total) as f32 / total as f32 }
    }

    /// The row at `index` among those shown.
    pub(super) fn key(&self, trace: &Trace, index: u64) -> Option<RowKey> {
        rows::key(trace, self.view, self.timeline.position(index, self.total(trace))?)
    }

    /// The index of a row among those shown.
    pub(super) fn index(&self, trace: &Trace, key: RowKey) -> Option<u64> {
        self.timeline.index(rows::position(trace, self.view, key)?)
    }
}
