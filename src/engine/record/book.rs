//! What has been written and what could not be: numbers the entries, writes a draft as one batch, and
//! keeps the account of losses, so that a recording says itself where it has a hole.

use std::collections::{HashMap, HashSet};

use super::draft::{Amendment, Draft, Opening, Step};
use super::queue::{Flow, Stream};
use crate::model::{ChannelId, Entry, EntryKind, Flags, Lifecycle, Nanos, Seq, Side};
use crate::store::{StoreError, Writer};
use crate::wire::lifecycle;

/// The account of one recording.
#[derive(Debug, Default)]
pub struct Book {
    kept: Kept,
    /// The entries of each stream's last chunk, which may turn out not to be delivered.
    recent: HashMap<Stream, Vec<Recent>>,
    /// Ends of entries that are in the file, when the end itself could not be written.
    owed: Vec<(Seq, Amendment)>,
    lost: u64,
    why: String,
}

/// What a failed batch must not change.
#[derive(Debug, Default, Clone)]
struct Kept {
    last: Seq,
    open: HashMap<Stream, Open>,
    /// Lost entries of which the recording does not know yet.
    unsaid: u64,
    /// Streams that lost something since their last entry.
    holes: HashSet<Stream>,
}

/// The entry of a stream whose end has not been seen.
#[derive(Debug, Default, Clone, Copy)]
enum Open {
    #[default]
    None,
    /// It is in the file, with so many further pieces; `cut` when a piece is missing.
    Written { seq: Seq, pieces: u32, cut: bool },
    /// It was lost, and so will its further pieces be.
    Lost,
}

#[derive(Debug)]
struct Recent {
    seq: Seq,
    flags: Flags,
    size: u64,
    until: Nanos,
    end: usize,
}

impl Book {
    /// How many entries could not be written, all in all.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Writes a draft as one batch. When it fails, neither file nor account have changed, and it can
    /// be written again.
    pub fn write(&mut self, writer: &mut Writer, draft: &Draft, now: Nanos) -> Result<(), StoreError> {
        let before = self.kept.clone();
        let result = self.batch(writer, draft, now);
        if result.is_ok() {
            self.owed.clear();
        } else {
            self.kept = before;
            self.recent.clear();
        }
        result
    }

    /// Gives a draft up.
    pub fn lose(&mut self, draft: &Draft, why: &str) {
        let mut entries = 0;
        for step in &draft.steps {
            match step {
                Step::Open(opening) => {
                    entries += 1;
                    self.kept.holes.insert(opening.stream);
                    let is_unfinished = opening.flags.has(Flags::UNFINISHED);
                    self.kept.open.insert(opening.stream, if is_unfinished { Open::Lost } else { Open::None });
                }
                Step::More { stream, .. } => {
                    if let Some(Open::Written { cut, .. }) = self.kept.open.get_mut(stream) {
                        *cut = true;
                    }
                }
                Step::Seal { stream, ending } => {
                    if let Some((seq, ending)) = self.close(*stream, ending) {
                        self.owed.push((seq, ending));
                    }
                }
                Step::Happened(..) => entries += 1,
                Step::Chunk(stream) => drop(self.recent.remove(stream)),
                Step::Undelivered { .. } | Step::Channel(_) => {}
            }
        }
        self.lost += entries;
        self.kept.unsaid += entries;
        why.clone_into(&mut self.why);
    }

    fn batch(&mut self, writer: &mut Writer, draft: &Draft, now: Nanos) -> Result<(), StoreError> {
        writer.begin()?;
        self.confess(writer, now)?;
        for step in &draft.steps {
            match step {
                Step::Chunk(stream) => drop(self.recent.remove(stream)),
                Step::Channel(channel) => writer.channel(channel)?,
                Step::Open(opening) => self.open(writer, opening, &draft.bytes[opening.bytes.clone()])?,
                Step::More { stream, bytes } => self.more(writer, *stream, &draft.bytes[bytes.clone()])?,
                Step::Seal { stream, ending } => {
                    if let Some((seq, ending)) = self.close(*stream, ending) {
                        amend(writer, seq, &ending)?;
                    }
                }
                Step::Undelivered { stream, delivered } => self.undelivered(writer, *stream, *delivered)?,
                Step::Happened(channel, at, event) => self.event(writer, (*channel, *at), event, Flags::default())?,
            }
        }
        writer.commit()
    }

    /// Writes down what was lost since the last batch that went well.
    fn confess(&mut self, writer: &mut Writer, now: Nanos) -> Result<(), StoreError> {
        for (seq, ending) in &self.owed {
            amend(writer, *seq, ending)?;
        }
        let entries = std::mem::take(&mut self.kept.unsaid);
        if entries == 0 {
            return Ok(());
        }
        let event = Lifecycle::Lost { entries, why: self.why.clone() };
        self.event(writer, (Stream::STDIO, now), &event, Flags::AFTER_LOSS)?;
        writer.fact("lost", self.lost)
    }

    fn event(
        &mut self,
        writer: &mut Writer,
        (channel, at): (ChannelId, Nanos),
        event: &Lifecycle,
        flags: Flags,
    ) -> Result<(), StoreError> {
        let bytes = lifecycle::encode(event);
        self.kept.last += 1;
        writer.insert(&Entry {
            seq: self.kept.last,
            at,
            until: at,
            channel,
            side: None,
            kind: EntryKind::Lifecycle,
            flags,
            size: bytes.len() as u64,
            bytes,
        })
    }

    fn open(&mut self, writer: &mut Writer, opening: &Opening, bytes: &[u8]) -> Result<(), StoreError> {
        let stream = opening.stream;
        let (kind, side) = match stream.flow {
            Flow::Input => (EntryKind::Frame, Side::Client),
            Flow::Output => (EntryKind::Frame, Side::Server),
            Flow::Error => (EntryKind::Stderr, Side::Server),
        };
        let mut flags = opening.flags;
        if self.kept.holes.remove(&stream) {
            flags = flags.with(Flags::AFTER_LOSS);
        }
        self.kept.last += 1;
        let entry = Entry {
            seq: self.kept.last,
            at: opening.at,
            until: opening.until,
            channel: stream.channel,
            side: Some(side),
            kind,
            flags,
            size: bytes.len() as u64,
            bytes: bytes.to_vec(),
        };
        writer.insert(&entry)?;
        let Entry { seq, until, size, .. } = entry;
        let goes_on = flags.has(Flags::UNFINISHED);
        let open = if goes_on { Open::Written { seq, pieces: 0, cut: false } } else { Open::None };
        self.kept.open.insert(stream, open);
        self.recent.entry(stream).or_default().push(Recent { seq, flags, size, until, end: opening.end });
        Ok(())
    }

    fn more(&mut self, writer: &mut Writer, stream: Stream, bytes: &[u8]) -> Result<(), StoreError> {
        let Some(Open::Written { seq, pieces, cut: false }) = self.kept.open.get_mut(&stream) else { return Ok(()) };
        *pieces += 1;
        writer.append(*seq, *pieces, bytes)
    }

    /// The stream's open entry has ended: which one, and what is to be said of it.
    fn close(&mut self, stream: Stream, ending: &Amendment) -> Option<(Seq, Amendment)> {
        let Some(Open::Written { seq, cut, .. }) = self.kept.open.remove(&stream) else { return None };
        let flags = if cut { ending.flags.with(Flags::TRUNCATED) } else { ending.flags };
        Some((seq, Amendment { flags, ..ending.clone() }))
    }

    fn undelivered(&mut self, writer: &mut Writer, stream: Stream, delivered: usize) -> Result<(), StoreError> {
        for recent in self.recent.get(&stream).into_iter().flatten().filter(|recent| recent.end > delivered) {
            let flags = recent.flags.with(Flags::UNDELIVERED);
            writer.amend(recent.seq, flags, recent.size, recent.until, None)?;
        }
        Ok(())
    }
}

fn amend(writer: &mut Writer, seq: Seq, ending: &Amendment) -> Result<(), StoreError> {
    let hash = ending.flags.has(Flags::TRUNCATED).then_some(ending.sha256);
    writer.amend(seq, ending.flags, ending.size, ending.until, hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: Stream = Stream::stdio(Flow::Input);
    const OUTPUT: Stream = Stream::stdio(Flow::Output);
    const ERROR: Stream = Stream::stdio(Flow::Error);
    use crate::engine::clock::Clock;
    use crate::engine::record::draft::Drafter;
    use crate::engine::record::queue::{Batch, Queue};
    use crate::model::{Recording, Role, Transport};
    use crate::store::Reader;
    use crate::wire::PIECE;

    /// What the chunks of one batch come to.
    fn draft(drafter: &mut Drafter, chunks: &[(Stream, &[u8])]) -> Draft {
        let queue = Queue::new(usize::MAX, Clock::start());
        chunks.iter().for_each(|(stream, bytes)| queue.push(*stream, bytes));
        let (mut batch, mut draft) = (Batch::default(), Draft::default());
        queue.take(&mut batch);
        drafter.feed(&mut batch, &mut draft);
        draft
    }

    fn writer(folder: &std::path::Path) -> Writer {
        let facts = Recording {
            name: "t".into(),
            role: Role::Tap,
            transport: Transport::Stdio,
            command: Vec::new(),
            left_out: 0,
            url: None,
            directory: None,
            host: None,
            recorder: 1,
            program: "0".into(),
            started: 0,
            ended: None,
            lost: 0,
        };
        Writer::create(&folder.join("a.midwire"), &facts).unwrap()
    }

    #[test]
    fn a_loss_in_the_middle_of_an_entry_cuts_it_and_is_confessed() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = writer(folder.path());
        let (mut book, mut drafter) = (Book::default(), Drafter::new(u64::MAX));
        let long = vec![b'a'; PIECE];
        let first = draft(&mut drafter, &[(OUTPUT, &long)]);
        let lost = draft(&mut drafter, &[(OUTPUT, &long), (OUTPUT, b"\n{}\n"), (INPUT, b"[]\n")]);
        let last = draft(&mut drafter, &[(OUTPUT, b"1\n"), (OUTPUT, b"2\n"), (ERROR, b"e\n")]);
        book.write(&mut writer, &first, 1).unwrap();
        book.lose(&lost, "the disk is full");
        book.write(&mut writer, &last, 9).unwrap();
        assert_eq!(book.lost(), 2, "what was begun before is there, in part");
        let entries = Reader::open(writer.path()).unwrap().page(1, 99).unwrap();
        let told: Vec<_> =
            entries.iter().map(|entry| (entry.seq, entry.flags, entry.size, entry.bytes.len())).collect();
        let size = 2 * PIECE as u64 + 1;
        assert_eq!(told[0], (1, Flags::TRUNCATED, size, PIECE));
        let event = Lifecycle::Lost { entries: 2, why: "the disk is full".into() };
        assert_eq!((lifecycle::decode(&entries[1].bytes), entries[1].flags), (event, Flags::AFTER_LOSS));
        let rest: Vec<_> = told[2..].iter().map(|(seq, flags, ..)| (*seq, *flags)).collect();
        assert_eq!(rest, [(3, Flags::AFTER_LOSS), (4, Flags::default()), (5, Flags::default())]);
    }

    #[test]
    fn only_what_lies_behind_the_last_byte_delivered_is_undelivered() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = writer(folder.path());
        let (mut book, mut drafter) = (Book::default(), Drafter::new(u64::MAX));
        let whole = draft(&mut drafter, &[(OUTPUT, b"ab"), (OUTPUT, b"c\nde\nfg\nh")]);
        book.write(&mut writer, &whole, 1).unwrap();
        let queue = Queue::new(usize::MAX, Clock::start());
        queue.undelivered(OUTPUT, 6);
        queue.push(OUTPUT, b"i\n");
        let (mut batch, mut failed) = (Batch::default(), Draft::default());
        queue.take(&mut batch);
        drafter.feed(&mut batch, &mut failed);
        book.write(&mut writer, &failed, 2).unwrap();
        let entries = Reader::open(writer.path()).unwrap().page(1, 99).unwrap();
        let told: Vec<_> = entries.iter().map(|entry| (&entry.bytes[..], entry.flags)).collect();
        let (fine, not) = (Flags::default(), Flags::UNDELIVERED);
        assert_eq!(told, [(&b"abc\n"[..], fine), (b"de\n", fine), (b"fg\n", not), (b"hi\n", not)]);
    }
}
