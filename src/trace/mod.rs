//! Entries to exchanges and operations: revision resolution, pairing, linking.
//!
//! [`Trace`] takes a recording's entries one by one, live or from disk, and says what belongs to what.
//! It is pure and incremental: it keeps no bytes, and reading a recording again gives the same trace.
//! A link that is not certain is marked so, and what cannot be told is left unlinked: a wrong link is
//! worse than none. It does not judge by the rules of the protocol; that is for the checks.

mod exchange;
mod names;
mod note;
mod operation;
mod session;

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::{Channel, Entry, Nanos, Revision, Seq, Transport};

pub use exchange::{AttachKind, Attached, Exchange, Place, Status};
pub use names::{Name, Names};
pub use note::{Marks, Note, NoteKind};
pub use operation::{Member, Operation, OperationKind, Part};
pub use session::Session;

/// What a row of the exchange view stands for; rows are in order of their first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowRef {
    /// An exchange, by its index in [`Trace::exchanges`].
    Exchange(u32),
    /// An entry that belongs to no exchange, or only possibly.
    Entry(Seq),
}

/// What a recording's entries mean together, as far as they were recorded.
#[derive(Debug)]
pub struct Trace {
    transport: Transport,
    names: Names,
    notes: Vec<Note>,
    items: HashMap<Seq, Vec<Note>>,
    exchanges: Vec<Exchange>,
    operations: Vec<Operation>,
    sessions: Vec<Session>,
    rows: Vec<RowRef>,
    touched: Vec<u32>,
    reordered: u64,
}

impl Trace {
    /// An empty trace of a recording whose bytes travelled this way.
    pub fn new(transport: Transport) -> Self {
        Self {
            transport,
            names: Names::new(),
            notes: Vec::new(),
            items: HashMap::new(),
            exchanges: Vec::new(),
            operations: Vec::new(),
            sessions: Vec::new(),
            rows: Vec::new(),
            touched: Vec::new(),
            reordered: 0,
        }
    }

    /// Makes a channel known, before its first entry; again when its session id becomes known. A
    /// channel that was not made known is taken for one of the recording's own transport.
    pub fn open_channel(&mut self, channel: Channel) {
        let _ = (channel, self.transport);
    }

    /// Reads the next entry. Entries come in the order of their numbers; an entry that was unfinished
    /// comes again, with the same number, when it has grown or ended.
    pub fn record(&mut self, entry: &Entry) {
        let _ = entry;
    }

    /// Says that nothing more will come and that no recorder is running: what is pending stays
    /// unanswered. Not needed where the recording tells of its end itself.
    pub fn end(&mut self, at: Nanos) {
        let _ = at;
    }

    /// One note for each entry, in order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The note of an entry.
    pub fn note(&self, seq: Seq) -> Option<&Note> {
        self.position(seq).map(|index| &self.notes[index])
    }

    /// Where the note of an entry is in [`Trace::notes`].
    pub fn position(&self, seq: Seq) -> Option<usize> {
        // Numbers have gaps only where entries were lost, so the first guess is nearly always right.
        let guess = usize::try_from(seq).ok()?.wrapping_sub(1);
        if self.notes.get(guess).is_some_and(|note| note.seq == seq) {
            return Some(guess);
        }
        self.notes.binary_search_by_key(&seq, |note| note.seq).ok()
    }

    /// The messages of an entry that is a batch, each as a note of its own; nothing for other entries.
    pub fn items(&self, seq: Seq) -> &[Note] {
        self.items.get(&seq).map_or(&[], Vec::as_slice)
    }

    /// The exchanges, in order of their requests.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// The operations, in the order in which they were found to be some.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Who talked to whom; in order of their beginnings.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// The rows of the exchange view, in order of their first entry. Rows are only ever appended,
    /// except when [`Trace::reordered`] changes.
    pub fn rows(&self) -> &[RowRef] {
        &self.rows
    }

    /// Changes whenever a row was replaced or taken out (an unfinished line turned out to be a
    /// message): indexes into [`Trace::rows`] must be drawn up anew.
    pub const fn reordered(&self) -> u64 {
        self.reordered
    }

    /// The exchanges that began or changed since this was last asked, each at least once, in the
    /// order of their changes; so that a live view filters only those anew.
    pub fn take_touched(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.touched)
    }

    /// An interned string: method, subject, outcome, revision.
    pub fn name(&self, name: Name) -> &Arc<str> {
        self.names.text(name)
    }

    /// How many interned strings there are; their numbers run from 0.
    pub fn name_count(&self) -> usize {
        self.names.count()
    }

    /// The revision by which an exchange is read.
    pub fn revision(&self, exchange: &Exchange) -> Option<Revision> {
        (!exchange.revision.is_none()).then(|| Revision::from_text(self.name(exchange.revision)))
    }

    /// What is unusual about an exchange, each in a sentence that says what it means.
    pub fn remarks(&self, exchange: u32) -> Vec<String> {
        let _ = exchange;
        Vec::new()
    }

    /// What is unusual about an entry, each in a sentence that says what it means.
    pub fn entry_remarks(&self, seq: Seq) -> Vec<String> {
        let _ = seq;
        Vec::new()
    }
}
