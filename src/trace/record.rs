//! One entry after another: what it is, and who is to be told.

use super::bodies::Belief;
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
        let ends = self.ends(entry.flags, &note, entry.until);
        let own = self.own_row(&note, entry.kind, before, ends);
        self.rows.extend((before..self.exchanges.len()).map(|exchange| RowRef::Exchange(exchange as u32)));
        if own {
            self.rows.push(RowRef::Entry(note.seq));
        }
    }

    /// Takes in that an entry has grown, ended, or could not be delivered.
    fn record_again(&mut self, index: usize, entry: &Entry) {
        let old = self.notes[index];
        let before = self.exchanges.len();
        let ended = old.kind == NoteKind::Unfinished && !entry.flags.has(Flags::UNFINISHED);
        let note = if ended { self.read(entry) } else { Note { size: entry.size, flags: entry.flags, ..old } };
        self.notes[index] = note;
        let news = entry.flags.has(Flags::ENDS) && !old.flags.has(Flags::ENDS);
        let ends = news && self.ends(entry.flags, &note, entry.until);
        let lacks_row = self.https.of(note.channel).is_some_and(|http| http.row.is_none() && http.exchange.is_none());
        if ended || (ends && lacks_row) {
            let kind = if ended { entry.kind } else { note.entry_kind() };
            let own = self.own_row(&note, kind, before, ends);
            self.replace_rows(note.seq, before, own);
        }
    }

    /// Puts the rows of an entry that was read again in the place of what it had.
    fn replace_rows(&mut self, seq: Seq, before: usize, own: bool) {
        let new = (before..self.exchanges.len()).map(|exchange| RowRef::Exchange(exchange as u32));
        let new: Vec<RowRef> = new.chain(own.then_some(RowRef::Entry(seq))).collect();
        let start = self.rows.partition_point(|row| self.row_seq(*row) < seq);
        let mut end = start + self.rows[start..].partition_point(|row| self.row_seq(*row) <= seq);
        let mut at = start;
        // What began an exchange before has that row already.
        while at < end && matches!(self.rows[at], RowRef::Exchange(exchange) if (exchange as usize) < before) {
            at += 1;
        }
        end = end.max(at);
        if self.rows[at..end] != new[..] {
            self.rows.splice(at..end, new);
            self.reordered += 1;
        }
    }

    /// The entry by whose number a row is in its place.
    pub(super) fn row_seq(&self, row: RowRef) -> Seq {
        match row {
            RowRef::Entry(seq) => seq,
            RowRef::Exchange(exchange) => self.exchanges[exchange as usize].request.seq,
        }
    }

    /// Takes in that a side has said all that it says on an HTTP channel; whether it has.
    fn ends(&mut self, flags: Flags, note: &Note, until: Nanos) -> bool {
        let ends = flags.has(Flags::ENDS) && note.side.is_some();
        if let Some(side) = note.side.filter(|_| ends) {
            self.side_ended(note.channel, side, until);
        }
        ends
    }

    /// Whether the exchange view shows an entry itself, besides the exchanges that it began.
    fn own_row(&mut self, note: &Note, kind: EntryKind, before: usize, ends: bool) -> bool {
        let began = (before < self.exchanges.len()).then_some(before as u32);
        let is_http = !matches!(kind, EntryKind::Frame | EntryKind::Stderr);
        let of_http = if is_http { self.http_row(note, kind, began, ends) } else { None };
        of_http.unwrap_or_else(|| self.has_row(note))
    }

    /// Whether the exchange view shows an entry as a row of its own, besides those of its exchanges.
    pub(super) fn has_row(&self, note: &Note) -> bool {
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
            (EntryKind::Head, _) => self.head(entry, note),
            _ if entry.flags.has(Flags::UNFINISHED) => Note { kind: NoteKind::Unfinished, ..note },
            (EntryKind::Body, _) => self.body(entry, note),
            (EntryKind::Event, _) => self.event(entry, note),
            (EntryKind::Frame, _) => self.frame(entry, &entry.bytes, note, Belief::Due),
        }
    }

    /// Reads what may be messages; `bytes` are the part of the entry that is read.
    pub(super) fn frame(&mut self, entry: &Entry, bytes: &[u8], note: Note, belief: Belief) -> Note {
        let side = entry.side.unwrap_or(Side::Client);
        let repaired = entry.flags.has(Flags::TRUNCATED).then(|| super::truncated::envelope(bytes));
        let frame = match &repaired {
            Some(Some(head)) => wire::read(head),
            Some(None) if belief == Belief::Due => return Note { kind: NoteKind::Truncated, ..note },
            Some(None) => return Note { kind: NoteKind::Body, ..note },
            None => wire::read(bytes),
        };
        match frame {
            frame if !belief.takes(&frame) => Note { kind: NoteKind::Body, ..note },
            Frame::NotJson(_) | Frame::NotRpc { .. } if repaired.is_some() => {
                Note { kind: NoteKind::Truncated, ..note }
            }
            Frame::Blank if entry.kind == EntryKind::Body => Note { kind: NoteKind::Body, ..note },
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
        if side == Side::Client && heard.chan.is_http() {
            let era = self.exchanges.get(found.exchange as usize).and_then(|exchange| exchange.era);
            self.check_mirrored(&heard, found.subject, era.filter(|_| kind == NoteKind::Request));
        }
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
