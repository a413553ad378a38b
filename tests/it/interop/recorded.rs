//! What the tap recorded, read from disk with the store and understood with the trace.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use midwire::model::{Entry, EntryKind, Era, Flags, Recording, Side};
use midwire::store::Reader;
use midwire::trace::{AttachKind, Exchange, Marks, NoteKind, Status, Trace};

use super::witness::{Streams, assert_bytes};

/// One recording.
pub(super) struct Recorded {
    facts: Recording,
    entries: Vec<Entry>,
    trace: Trace,
}

impl Recorded {
    /// The recordings of a folder, in the order in which they were begun.
    pub(super) fn all_in(folder: &Path) -> Vec<Self> {
        let files = fs::read_dir(folder).expect("the folder of recordings").map(|file| file.expect("a file").path());
        let recordings = files.filter(|path| path.extension().is_some_and(|ending| ending == "midwire"));
        let mut all: Vec<Self> = recordings.map(|path| Self::open(&path)).collect();
        all.sort_by_key(|recorded| recorded.facts.started);
        all
    }

    fn open(path: &Path) -> Self {
        let reader = Reader::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(reader.warning(), None, "a recording that was closed in order opens without a warning");
        let facts = reader.recording().expect("the facts");
        let mut entries = Vec::new();
        let read = reader.scan(1, &mut |entry| {
            entries.push(entry.to_entry());
            ControlFlow::Continue(())
        });
        read.expect("every entry can be read");
        let mut trace = Trace::new(facts.transport);
        reader.channels().expect("the channels").into_iter().for_each(|channel| trace.open_channel(channel));
        for entry in &entries {
            trace.record(entry);
        }
        Self { facts, entries, trace }
    }

    /// The frames and lines are the bytes that the witness between the tap and the server saw.
    pub(super) fn assert_holds(&self, witness: &Streams) {
        assert_bytes(&self.stream(EntryKind::Frame, Side::Client), &witness.client, "recorded from the client");
        assert_bytes(&self.stream(EntryKind::Frame, Side::Server), &witness.server, "recorded from the server");
        assert_bytes(&self.stream(EntryKind::Stderr, Side::Server), &witness.stderr, "recorded from stderr");
    }

    /// It was closed in order, nothing is missing, and every message has its place: each request of the
    /// client has its answer, and each answer its request.
    pub(super) fn assert_whole(&self) -> &Self {
        assert!(self.facts.ended.is_some(), "it was closed");
        assert_eq!(self.facts.lost, 0, "nothing was lost");
        let seqs = self.entries.iter().map(|entry| entry.seq);
        assert!(seqs.eq(1..=self.entries.len() as u64), "the numbers have no gap");
        let unfinished = self.entries.iter().filter(|entry| entry.flags.has(Flags::UNFINISHED)).count();
        assert_eq!(unfinished, 0, "every entry was finished");
        for exchange in self.trace.exchanges().iter().filter(|exchange| exchange.side == Side::Client) {
            assert!(self.is_settled(exchange), "{} ended as {:?}", self.tell(exchange), exchange.status);
        }
        let odd = Marks::ORPHAN.0 | Marks::AMBIGUOUS.0 | Marks::DUPLICATE.0;
        let odd = self.trace.notes().iter().filter(|note| note.marks.0 & odd != 0).map(|note| note.seq);
        assert_eq!(odd.collect::<Vec<_>>(), Vec::<u64>::new(), "answers to nothing, doubtful or doubled");
        let asked = self.trace.exchanges().len();
        let requests = self.trace.notes().iter().filter(|note| note.kind == NoteKind::Request).count();
        assert_eq!(asked, requests, "one exchange for each request");
        assert!(requests > 0, "they talked");
        self
    }

    /// Answered; or cancelled by its sender; or a subscription, which is answered only when it ends.
    fn is_settled(&self, exchange: &Exchange) -> bool {
        let answered =
            exchange.answer.is_some() && matches!(exchange.status, Status::Ok | Status::Failed | Status::Error);
        let cancelled = exchange.attached.iter().any(|attached| attached.kind == AttachKind::Cancelled);
        answered || cancelled || &**self.trace.name(exchange.method) == "subscriptions/listen"
    }

    /// Every exchange of the client is read by a revision of this era. A probe of the other era that was
    /// refused belongs to that other era.
    pub(super) fn assert_era(&self, era: Era) -> &Self {
        let probe = |exchange: &Exchange| {
            &**self.trace.name(exchange.method) == "server/discover" && exchange.status == Status::Error
        };
        let exchanges =
            self.trace.exchanges().iter().filter(|exchange| exchange.side == Side::Client && !probe(exchange));
        for exchange in exchanges {
            assert_eq!(exchange.era, Some(era), "{}", self.tell(exchange));
            let revision = self.trace.revision(exchange).expect("its revision is known");
            let expected = if era == Era::Modern { "2026-07-28" } else { "2025-11-25" };
            assert_eq!(revision.text(), expected, "{}", self.tell(exchange));
        }
        self
    }

    /// How many requests of the server have this method.
    pub(super) fn asked(&self, method: &str) -> usize {
        let from_server = self.trace.exchanges().iter().filter(|exchange| exchange.side == Side::Server);
        from_server.filter(|exchange| &**self.trace.name(exchange.method) == method).count()
    }

    /// How many rounds the client's one operation of this method and subject took.
    pub(super) fn rounds(&self, method: &str, subject: &str) -> u32 {
        let exchange = self.one(method, subject);
        exchange.operation.map_or(1, |operation| self.trace.operations()[operation as usize].rounds)
    }

    /// How many progress notifications belong to the client's exchange of this method and subject.
    pub(super) fn progress(&self, method: &str, subject: &str) -> usize {
        let attached = self.one(method, subject).attached.iter();
        attached.filter(|attached| attached.kind == AttachKind::Progress && attached.certain).count()
    }

    /// The size of the largest entry in bytes.
    pub(super) fn largest(&self) -> u64 {
        self.entries.iter().map(|entry| entry.size).max().unwrap_or_default()
    }

    pub(super) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stream(EntryKind::Stderr, Side::Server)).into_owned()
    }

    fn one(&self, method: &str, subject: &str) -> &Exchange {
        let mut exchanges = self.trace.exchanges().iter();
        let found = exchanges.find(|exchange| {
            &**self.trace.name(exchange.method) == method && &**self.trace.name(exchange.subject) == subject
        });
        found.unwrap_or_else(|| panic!("no exchange {method} {subject}"))
    }

    fn stream(&self, kind: EntryKind, side: Side) -> Vec<u8> {
        let entries = self.entries.iter().filter(|entry| entry.kind == kind && entry.side == Some(side));
        entries.flat_map(|entry| entry.bytes.iter().copied()).collect()
    }

    fn tell(&self, exchange: &Exchange) -> String {
        format!("#{} {} {}", exchange.request.seq, self.trace.name(exchange.method), self.trace.name(exchange.subject))
    }
}
