//! What has been written and what could not be: numbers the entries, writes a draft as one batch, and
//! keeps the account of losses, so that a recording says itself where it has a hole.

use super::draft::{Amendment, Draft, Opening, Step};
use super::queue::Stream;
use crate::model::{ChannelId, Entry, EntryKind, Flags, Lifecycle, Nanos, Seq, Side};
use crate::store::{StoreError, Writer};
use crate::wire::lifecycle;

/// The one channel of a stdio recording.
pub const CHANNEL: ChannelId = 1;

/// The account of one recording.
#[derive(Debug, Default)]
pub struct Book {
    kept: Kept,
    /// The entries of each stream's last chunk, which may turn out not to be delivered.
    recent: [Vec<Recent>; 3],
    /// Ends of entries that are in the file, when the end itself could not be written.
    owed: Vec<(Seq, Amendment)>,
    lost: u64,
    why: String,
}

/// What a failed batch must not change.
#[derive(Debug, Default, Clone)]
struct Kept {
    last: Seq,
    open: [Open; 3],
    /// Lost entries of which the recording does not know yet.
    unsaid: u64,
    /// Streams that lost something since their last entry.
    holes: [bool; 3],
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
            self.recent.iter_mut().for_each(Vec::clear);
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
                    self.kept.holes[opening.stream as usize] = true;
                    let is_unfinished = opening.flags.has(Flags::UNFINISHED);
                    self.kept.open[opening.stream as usize] = if is_unfinished { Open::Lost } else { Open::None };
                }
                Step::More { stream, .. } => {
                    if let Open::Written { cut, .. } = &mut self.kept.open[*stream as usize] {
                        *cut = true;
                    }
                }
                Step::Seal { stream, ending } => {
                    if let Some((seq, ending)) = self.close(*stream, ending) {
                        self.owed.push((seq, ending));
                    }
                }
                Step::Happened(..) => entries += 1,
                Step::Chunk(stream) => self.recent[*stream as usize].clear(),
                Step::Undelivered { .. } => {}
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
                Step::Chunk(stream) => self.recent[*stream as usize].clear(),
                Step::Open(opening) => self.open(writer, opening, &draft.bytes[opening.bytes.clone()])?,
                Step::More { stream, bytes } => self.more(writer, *stream, &draft.bytes[bytes.clone()])?,
                Step::Seal { stream, ending } => {
                    if let Some((seq, ending)) = self.close(*stream, ending) {
                        amend(writer, seq, &ending)?;
                    }
                }
                Step::Undelivered { stream, delivered } => self.undelivered(writer, *stream, *delivered)?,
                Step::Happened(at, event) => self.event(writer, *at, event, Flags::default())?,
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
        self.event(writer, now, &event, Flags::AFTER_LOSS)?;
        writer.fact("lost", self.lost)
    }

    fn event(&mut self, writer: &mut Writer, at: Nanos, event: &Lifecycle, flags: Flags) -> Result<(), StoreError> {
        let bytes = lifecycle::encode(event);
        self.kept.last += 1;
        writer.insert(&Entry {
            seq: self.kept.last,
            at,
            until: at,
            channel: CHANNEL,
            side: None,
            kind: EntryKind::Lifecycle,
            flags,
            size: bytes.len() as u64,
            bytes,
        })
    }

    fn open(&mut self, writer: &mut Writer, opening: &Opening, bytes: &[u8]) -> Result<(), StoreError> {
        let index = opening.stream as usize;
        let (kind, side) = match opening.stream {
            Stream::Input => (EntryKind::Frame, Side::Client),
            Stream::Output => (EntryKind::Frame, Side::Server),
            Stream::Error => (EntryKind::Stderr, Side::Server),
        };
        let mut flags = opening.flags;
        if std::mem::take(&mut self.kept.holes[index]) {
            flags = flags.with(Flags::AFTER_LOSS);
        }
        self.kept.last += 1;
        let entry = Entry {
            seq: self.kept.last,
            at: opening.at,
            until: opening.until,
            channel: CHANNEL,
            side: Some(side),
            kind,
            flags,
            size: bytes.len() as u64,
            bytes: bytes.to_vec(),
        };
        writer.insert(&entry)?;
        let Entry { seq, until, size, .. } = entry;
        self.kept.open[index] =
            if flags.has(Flags::UNFINISHED) { Open::Written { seq, pieces: 0, cut: false } } else { Open::None };
        self.recent[index].push(Recent { seq, flags, size, until, end: opening.end });
        Ok(())
    }

    fn more(&mut self, writer: &mut Writer, stream: Stream, bytes: &[u8]) -> Result<(), StoreError> {
        let Open::Written { seq, pieces, cut: false } = &mut self.kept.open[stream as usize] else { return Ok(()) };
        *pieces += 1;
        writer.append(*seq, *pieces, bytes)
    }

    /// The stream's open entry has ended: which one, and what is to be said of it.
    fn close(&mut self, stream: Stream, ending: &Amendment) -> Option<(Seq, Amendment)> {
        let open = std::mem::take(&mut self.kept.open[stream as usize]);
        let Open::Written { seq, cut, .. } = open else { return None };
        let flags = if cut { ending.flags.with(Flags::TRUNCATED) } else { ending.flags };
        Some((seq, Amendment { flags, ..ending.clone() }))
    }

    fn undelivered(&mut self, writer: &mut Writer, stream: Stream, delivered: usize) -> Result<(), StoreError> {
        for recent in self.recent[stream as usize].iter().filter(|recent| recent.end > delivered) {
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
