//! Looks for the texts of a filter in the bytes of a recording, on two threads of its own. Says which
//! entries hold which text, in order, as far as it has come; what that means for a row is for `judge`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};

use super::handle::spawn;
use super::outbox::Outbox;
use crate::filter::Pattern;
use crate::model::Seq;
use crate::store::Reader;

/// Threads that search; each has its own connection to the file.
const THREADS: u32 = 2;
/// Entries that a thread takes at a time: some milliseconds of work, so that the first hits come soon
/// and both threads stay near each other.
const PORTION: u64 = 2048;
/// Portions that may wait for the session.
const WAITING: usize = 64;

/// Which entries hold which of a filter's texts: one bit for each.
#[derive(Debug, Default)]
pub(super) struct Hits {
    texts: Vec<Vec<u64>>,
}

impl Hits {
    /// Notes that entry `seq` holds the text of number `text`.
    pub(super) fn add(&mut self, text: usize, seq: Seq) {
        if self.texts.len() <= text {
            self.texts.resize_with(text + 1, Vec::new);
        }
        let (word, bit) = ((seq / 64) as usize, seq % 64);
        let words = &mut self.texts[text];
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        words[word] |= 1 << bit;
    }

    /// Whether entry `seq` holds the text of number `text`.
    pub(super) fn has(&self, text: usize, seq: Seq) -> bool {
        let word = self.texts.get(text).and_then(|words| words.get((seq / 64) as usize));
        word.is_some_and(|word| word >> (seq % 64) & 1 == 1)
    }
}

/// A search that is under way; dropping it ends its threads.
pub(super) struct Search {
    found: Receiver<Portion>,
    cancelled: Arc<AtomicBool>,
    /// Portions that came before their predecessors.
    early: BTreeMap<u64, Portion>,
    next: u64,
    end: Seq,
}

/// What a thread found in one portion.
struct Portion {
    number: u64,
    hits: Vec<(Seq, usize)>,
    failed: Option<String>,
}

/// What a search has come to.
pub(super) enum Progress {
    /// All entries up to this one have been looked at; these hits are new.
    Upto(Seq, Vec<(Seq, usize)>),
    /// Nothing new yet.
    Waiting,
    /// All entries have been looked at.
    Done,
    /// The file could not be read, with the reason.
    Failed(String),
}

impl Search {
    /// Begins to look for `patterns` in the entries up to number `end` of the recording at `path`.
    pub(super) fn start(path: &Path, patterns: Vec<Pattern>, end: Seq, out: &Outbox) -> Self {
        let (sender, found) = sync_channel(WAITING);
        let cancelled = Arc::new(AtomicBool::new(false));
        let next = Arc::new(AtomicU64::new(0));
        let patterns: Arc<[Pattern]> = patterns.into();
        for number in 1..=THREADS {
            let searcher = Searcher {
                path: path.to_owned(),
                patterns: Arc::clone(&patterns),
                end,
                next: Arc::clone(&next),
                cancelled: Arc::clone(&cancelled),
                found: sender.clone(),
            };
            spawn(&format!("search-{number}"), out, move || searcher.run());
        }
        Self { found, cancelled, early: BTreeMap::new(), next: 0, end }
    }

    /// The next hits in order. Never waits.
    pub(super) fn advance(&mut self) -> Progress {
        loop {
            if self.next * PORTION >= self.end {
                return Progress::Done;
            }
            if let Some(portion) = self.early.remove(&self.next) {
                self.next += 1;
                return match portion.failed {
                    Some(why) => Progress::Failed(why),
                    None => Progress::Upto((self.next * PORTION).min(self.end), portion.hits),
                };
            }
            match self.found.try_recv() {
                Ok(portion) => self.early.insert(portion.number, portion),
                Err(TryRecvError::Empty) => return Progress::Waiting,
                // Both threads have ended and something is missing: one of them could not be started.
                Err(TryRecvError::Disconnected) => return Progress::Done,
            };
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// One thread of a search.
struct Searcher {
    path: PathBuf,
    patterns: Arc<[Pattern]>,
    end: Seq,
    next: Arc<AtomicU64>,
    cancelled: Arc<AtomicBool>,
    found: SyncSender<Portion>,
}

impl Searcher {
    fn run(self) {
        let reader = Reader::open(&self.path);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number * PORTION >= self.end || self.cancelled.load(Ordering::Relaxed) {
                return;
            }
            let portion = match &reader {
                Ok(reader) => self.look(reader, number),
                Err(error) => Portion { number, hits: Vec::new(), failed: Some(error.to_string()) },
            };
            if self.found.send(portion).is_err() {
                return;
            }
        }
    }

    fn look(&self, reader: &Reader, number: u64) -> Portion {
        let (first, last) = (number * PORTION + 1, ((number + 1) * PORTION).min(self.end));
        let mut hits = Vec::new();
        let result = reader.scan(first, &mut |entry| {
            if entry.seq > last || self.cancelled.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            for (text, pattern) in self.patterns.iter().enumerate() {
                if pattern.reads(entry.kind) && pattern.is_in(entry.bytes) {
                    hits.push((entry.seq, text));
                }
            }
            if entry.seq == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Portion { number, hits, failed: result.err().map(|error| error.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::Hits;

    #[test]
    fn hits_are_kept_for_each_text_by_itself() {
        let mut hits = Hits::default();
        hits.add(1, 64);
        hits.add(0, 1_000_000);
        assert!(hits.has(1, 64) && hits.has(0, 1_000_000));
        assert!(!hits.has(0, 64) && !hits.has(1, 63) && !hits.has(2, 64) && !hits.has(1, 5_000_000));
    }
}
