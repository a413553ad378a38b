//! One entry after another: what it is, and who is to be told.

use super::scope::Chan;
use super::{AttachKind, Attached, Exchange, Marks, Name, Note, NoteKind, Place, RowRef, Trace};
use crate::model::{Entry, EntryKind, Flags, Nanos, Seq, Side};
use crate::wire::{self, Frame, Item, Message, MessageKind, Oddities};

/// One message as it was seen.
pub(super) struct Heard<'a> {
    pub(super) at: Place,
    pub(super) began: Nanos,
    pub(super) ended: Nanos,
    pub(super) size: u64,
    pub(super) side: Side,
    pub(super) chan: Chan,
    pub(super) message: &'a Message<'a>,
}

/// What a message turned out to be about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) method: Name,
    pub(super) subject: Name,
    pub(super) exchange: u32,
    pub(super) marks: Marks,
}

impl Found {
    /// Something that belongs to no exchange.
    pub(super) const fn alone(method: Name, subject: Name) -> Self {
        Self { method, subject, exchange: Note::NO_EXCHANGE, marks: Marks(0) }
    }

    /// Something that belongs to an exchange.
    pub(super) const fn of(self, exchange: u32) -> Self {
        Self { exchange, ..self }
    }

    pub(super) const fn marked(self, mark: Marks) -> Self {
        Self { marks: self.marks.with(mark), ..self }
    }
}

impl Trace {
    /// Reads the next entry. Entries come in the order of their numbers; an entry that was unfinished
    /// comes again, with the same number, when it has grown or ended.
    pub fn record(&mut self, entry: &Entry) {
        let again = self.notes.last().is_some_and(|last| last.seq >= entry.seq);
        if again {
            if let Some(index) = self.position(entry.seq) {
                self.record_again(index, entry);
            }
            return;
        }
        let before = self.exchanges.len();
        let note = self.read(entry);
        self.notes.push(note);
        self.rows.extend((before..self.exchanges.len()).map(|exchange| RowRef::Exchange(exchange as u32)));
        if self.has_row(&note) {
            self.rows.push(RowRef::Entry(note.seq));
        }
    }

    /// Takes in that an entry has grown, ended, or could not be delivered.
    fn record_again(&mut self, index: usize, entry: &Entry) {
        let old = self.notes[index];
        let ended = old.kind == NoteKind::Unfinished && !entry.flags.has(Flags::UNFINISHED);
        if !ended {
            let note = &mut self.notes[index];
            (note.size, note.flags) = (entry.size, entry.flags);
            return;
        }
        let before = self.exchanges.len();
        let note = self.read(entry);
        self.notes[index] = note;
        let rows = (before..self.exchanges.len()).map(|exchange| RowRef::Exchange(exchange as u32));
        let own = self.has_row(&note).then_some(RowRef::Entry(note.seq));
        let rows: Vec<RowRef> = rows.chain(own).collect();
        // The line was begun a moment ago, so its row is found after a few steps from the end.
        let row = self.rows.iter().rposition(|row| *row == RowRef::Entry(note.seq));
        if let Some(row) = row
            && rows != [RowRef::Entry(note.seq)]
        {
            self.rows.splice(row..=row, rows);
            self.reordered += 1;
        }
    }

    /// Whether the exchange view shows an entry as a row of its own, besides those of its exchanges.
    fn has_row(&self, note: &Note) -> bool {
        match note.kind {
            NoteKind::Request => false,
            NoteKind::Batch => {
                let items = self.items(note.seq);
                items.is_empty() || items.iter().any(|item| item.kind != NoteKind::Request && item.has_own_row())
            }
            _ => note.has_own_row(),
        }
    }

    fn read(&mut self, entry: &Entry) -> Note {
        let note = Note {
            seq: entry.seq,
            at: entry.at,
            size: entry.size,
            method: Name::NONE,
            subject: Name::NONE,
            channel: entry.channel,
            flags: entry.flags,
            oddities: Oddities::default(),
            exchange: Note::NO_EXCHANGE,
            marks: Marks::default(),
            side: entry.side,
            kind: NoteKind::Stderr,
        };
        match (entry.kind, entry.side) {
            (EntryKind::Lifecycle, _) => self.happened(entry, note),
            (EntryKind::Stderr, _) => self.stderr(entry, note),
            (EntryKind::Frame, _) if entry.flags.has(Flags::UNFINISHED) => Note { kind: NoteKind::Unfinished, ..note },
            (EntryKind::Head, _) => Note { kind: NoteKind::Head, ..note },
            (EntryKind::Body, _) => Note { kind: NoteKind::Body, ..note },
            (EntryKind::Event, _) => Note { kind: NoteKind::Event, ..note },
            (EntryKind::Frame, side) => self.frame(entry, side.unwrap_or(Side::Client), note),
        }
    }

    fn frame(&mut self, entry: &Entry, side: Side, note: Note) -> Note {
        let repaired = entry.flags.has(Flags::TRUNCATED).then(|| super::truncated::envelope(&entry.bytes));
        let frame = match &repaired {
            Some(Some(head)) => wire::read(head),
            Some(None) => return Note { kind: NoteKind::Truncated, ..note },
            None => wire::read(&entry.bytes),
        };
        match frame {
            Frame::NotJson(_) | Frame::NotRpc { .. } if repaired.is_some() => {
                Note { kind: NoteKind::Truncated, ..note }
            }
            Frame::Blank => Note { kind: NoteKind::Blank, ..note },
            Frame::NotJson(_) => Note { kind: NoteKind::NotJson, ..note },
            Frame::NotRpc { .. } => Note { kind: NoteKind::NotRpc, ..note },
            Frame::Message(message) => self.message(entry, side, note, &message, (0, entry.size)),
            Frame::Batch(items) => self.batch(entry, side, note, &items),
        }
    }

    fn message(&mut self, entry: &Entry, side: Side, note: Note, message: &Message<'_>, part: (u32, u64)) -> Note {
        let heard = Heard {
            at: Place { seq: entry.seq, item: part.0 },
            began: entry.at,
            ended: entry.until,
            size: part.1,
            side,
            chan: self.channels.get(entry.channel),
            message,
        };
        let (kind, found) = match message.kind {
            MessageKind::Request => (NoteKind::Request, self.request(&heard)),
            MessageKind::Notification => (NoteKind::Notification, self.notification(&heard)),
            MessageKind::Result => (NoteKind::Result, self.answer(&heard)),
            MessageKind::Error => (NoteKind::Error, self.answer(&heard)),
        };
        let Found { method, subject, exchange, marks } = found;
        Note { kind, method, subject, exchange, marks, oddities: message.oddities, ..note }
    }

    /// Each message of a batch is read by itself; the entry's own note sums them up.
    fn batch(&mut self, entry: &Entry, side: Side, note: Note, items: &[Item<'_>]) -> Note {
        let mut notes = Vec::with_capacity(items.len());
        let mut sum = Note { kind: NoteKind::Batch, method: self.names.intern("batch"), ..note };
        for (number, item) in items.iter().enumerate() {
            let blank = Note { size: 0, ..note };
            let one = match item {
                Item::Message(message) => {
                    let size = message.json.raw().len() as u64;
                    self.message(entry, side, Note { size, ..blank }, message, (number as u32, size))
                }
                Item::NotRpc { json, .. } => Note { kind: NoteKind::NotRpc, size: json.raw().len() as u64, ..blank },
            };
            sum.oddities = sum.oddities.with(one.oddities);
            sum.marks = sum.marks.with(one.marks);
            if sum.exchange == Note::NO_EXCHANGE {
                sum.exchange = one.exchange;
            }
            notes.push(one);
        }
        let plural = if items.len() == 1 { "" } else { "s" };
        sum.subject = self.names.intern(&format!("{} message{plural}", items.len()));
        self.items.insert(entry.seq, notes);
        sum
    }

    /// Lists an entry with an exchange. What is certain counts to the exchange's size.
    pub(super) fn attach(&mut self, exchange: u32, at: Place, kind: AttachKind, certain: bool, size: u64) {
        let this = &mut self.exchanges[exchange as usize];
        if this.attached.len() < Exchange::MOST_ATTACHED {
            this.attached.push(Attached { seq: at.seq, item: at.item.min(u32::from(u16::MAX)) as u16, kind, certain });
        } else {
            this.more += 1;
        }
        if certain {
            this.size += size;
        }
        self.touch(exchange);
    }

    pub(super) fn touch(&mut self, exchange: u32) {
        if self.touched.last() != Some(&exchange) {
            self.touched.push(exchange);
        }
    }

    pub(super) fn remark(&mut self, exchange: u32, remark: super::remark::Remark) {
        let list = self.remarks.entry(exchange).or_default();
        // One of each kind is enough, and a stream of them must not grow without bound.
        let same = |known: &super::remark::Remark| std::mem::discriminant(known) == std::mem::discriminant(&remark);
        if !list.iter().any(same) {
            list.push(remark);
        }
    }

    /// The number of the entry with which an exchange began.
    pub(super) fn began(&self, exchange: u32) -> Seq {
        self.exchanges[exchange as usize].request.seq
    }
}
