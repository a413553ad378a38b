//! What has been written and what could not be: numbers the entries, writes a draft as one batch, and
//! keeps the account of losses, so that a recording says itself where it has a hole.

mod owed;

use std::collections::HashMap;

use self::owed::Owed;
use super::draft::{Amendment, Draft, Opening, Step};
use super::queue::{Flow, Stream};
use crate::model::{ChannelId, EntryKind, Flags, HttpEnd, Lifecycle, Nanos, Seq, Side};
use crate::store::{EntryRef, StoreError, Writer};
use crate::wire::lifecycle;

/// The account of one recording.
#[derive(Debug)]
pub struct Book {
    last: Seq,
    tails: Tails,
    /// The entries of each stream's last chunk, which may turn out not to be delivered.
    recent: HashMap<Stream, Vec<Recent>>,
    owed: Owed,
    /// Entries that are lost for good.
    lost: u64,
    /// Those of which the recording does not know yet.
    unsaid: u64,
    why: String,
    /// When the last of them was read.
    lost_at: Nanos,
    /// The channel on which losses are told.
    place: ChannelId,
}

/// What is known of the streams on which more may come; can be taken back to where a batch began, at a
/// cost that is that of the batch.
#[derive(Debug, Default)]
struct Tails {
    now: HashMap<Stream, Tail>,
    /// What was replaced since the batch began.
    before: Vec<(Stream, Option<Tail>)>,
}

/// How the entries of one stream end so far.
#[derive(Debug, Clone, Copy, Default)]
struct Tail {
    /// Its last entry that is in the file.
    last: Option<Seq>,
    open: Open,
    /// Whether something was lost since then.
    hole: bool,
}

/// The entry of a stream whose end has not been seen.
#[derive(Debug, Default, Clone, Copy)]
enum Open {
    #[default]
    None,
    /// It is in the file, with so many further pieces; `cut` when a piece is missing. The flags are those
    /// that its end does not know.
    Written { seq: Seq, pieces: u32, cut: bool, flags: Flags },
    /// It was lost, and so will its further pieces be.
    Lost,
}

#[derive(Debug)]
struct Recent {
    seq: Seq,
    end: usize,
}

impl Tails {
    fn get(&self, stream: Stream) -> Tail {
        self.now.get(&stream).copied().unwrap_or_default()
    }

    fn set(&mut self, stream: Stream, tail: Tail) {
        self.before.push((stream, self.now.insert(stream, tail)));
    }

    fn remove(&mut self, stream: Stream) {
        if let Some(tail) = self.now.remove(&stream) {
            self.before.push((stream, Some(tail)));
        }
    }

    /// What was done stays.
    fn keep(&mut self) {
        self.before.clear();
        self.before.shrink_to(1 << 12);
    }

    /// What was done since the last [`Tails::keep`] is undone.
    fn undo(&mut self) {
        while let Some((stream, tail)) = self.before.pop() {
            match tail {
                Some(tail) => self.now.insert(stream, tail),
                None => self.now.remove(&stream),
            };
        }
    }
}

const FLOWS: [Flow; 3] = [Flow::Input, Flow::Output, Flow::Error];

impl Book {
    /// An account without entries; losses are told on the channel `place`.
    pub fn new(place: ChannelId) -> Self {
        Self {
            last: 0,
            tails: Tails::default(),
            recent: HashMap::new(),
            owed: Owed::default(),
            lost: 0,
            unsaid: 0,
            why: String::new(),
            lost_at: 0,
            place,
        }
    }

    /// How many entries could not be written, all in all.
    pub fn lost(&self) -> u64 {
        self.lost + self.owed.entries()
    }

    /// Writes a draft as one batch. When it fails, neither file nor account have changed, and it can
    /// be written again.
    pub fn write(&mut self, writer: &mut Writer, draft: &Draft) -> Result<(), StoreError> {
        let (last, unsaid) = (self.last, self.unsaid);
        let result = self.batch(writer, draft);
        if result.is_ok() {
            self.tails.keep();
            self.owed.clear();
        } else {
            self.tails.undo();
            (self.last, self.unsaid) = (last, unsaid);
            self.recent.clear();
        }
        result
    }

    fn batch(&mut self, writer: &mut Writer, draft: &Draft) -> Result<(), StoreError> {
        writer.begin()?;
        self.confess(writer)?;
        for step in &draft.steps {
            match step {
                Step::Chunk(stream) => drop(self.recent.remove(stream)),
                Step::Channel(channel) => writer.channel(channel)?,
                Step::Open(opening) => self.open(writer, opening, &draft.bytes[opening.bytes.clone()])?,
                Step::More { stream, bytes } => self.more(writer, *stream, &draft.bytes[bytes.clone()])?,
                Step::Seal { stream, ending } => {
                    if let Some((seq, ending)) = self.seal(*stream, ending) {
                        amend(writer, seq, &ending)?;
                    }
                }
                Step::Ends(stream, at) => self.ends(writer, *stream, *at)?,
                Step::Undelivered { stream, delivered } => self.undelivered(writer, *stream, *delivered)?,
                Step::Happened(channel, at, event) => self.event(writer, (*channel, *at), event, Flags::default())?,
                Step::Close(channel) => self.close(*channel),
            }
        }
        writer.commit()
    }

    /// Writes down what is owed and what was lost since the last batch that went well.
    fn confess(&mut self, writer: &mut Writer) -> Result<(), StoreError> {
        if self.unsaid == 0 && self.owed.is_empty() {
            return Ok(());
        }
        let owed = std::mem::take(&mut self.owed);
        let result = owed.write(self, writer);
        self.owed = owed;
        result?;
        let entries = std::mem::take(&mut self.unsaid);
        if entries == 0 {
            return Ok(());
        }
        let event = Lifecycle::Lost { entries, why: self.why.clone() };
        self.event(writer, (self.place, self.lost_at), &event, Flags::AFTER_LOSS)?;
        writer.fact("lost", self.lost)
    }

    fn event(
        &mut self,
        writer: &mut Writer,
        (channel, at): (ChannelId, Nanos),
        event: &Lifecycle,
        flags: Flags,
    ) -> Result<(), StoreError> {
        let bytes = &lifecycle::encode(event)[..];
        self.last += 1;
        writer.put(&EntryRef {
            seq: self.last,
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
        let &Opening { stream, kind, at, until, mut flags, size, end, .. } = opening;
        let side = if stream.flow == Flow::Input { Side::Client } else { Side::Server };
        if self.tails.get(stream).hole {
            flags = flags.with(Flags::AFTER_LOSS);
        }
        self.last += 1;
        let seq = self.last;
        let channel = stream.channel;
        writer.put(&EntryRef { seq, at, until, channel, side: Some(side), kind, flags, size, bytes })?;
        let goes_on = flags.has(Flags::UNFINISHED);
        let flags = flags.only(Flags::AFTER_LOSS.with(Flags::REDACTED));
        let open = if goes_on { Open::Written { seq, pieces: 0, cut: false, flags } } else { Open::None };
        self.tails.set(stream, Tail { last: Some(seq), open, hole: false });
        if kind != EntryKind::Head {
            self.recent.entry(stream).or_default().push(Recent { seq, end });
        }
        Ok(())
    }

    /// The same for one that was owed: what was lost since comes behind it.
    fn open_late(&mut self, writer: &mut Writer, opening: &Opening, bytes: &[u8]) -> Result<(), StoreError> {
        let before = self.tails.get(opening.stream);
        self.tails.set(opening.stream, Tail { hole: false, ..before });
        self.open(writer, opening, bytes)?;
        let now = self.tails.get(opening.stream);
        self.tails.set(opening.stream, Tail { hole: before.hole, ..now });
        Ok(())
    }

    fn more(&mut self, writer: &mut Writer, stream: Stream, bytes: &[u8]) -> Result<(), StoreError> {
        let mut tail = self.tails.get(stream);
        let Open::Written { seq, pieces, cut: false, .. } = &mut tail.open else { return Ok(()) };
        *pieces += 1;
        let (seq, pieces) = (*seq, *pieces);
        self.tails.set(stream, tail);
        writer.append(seq, pieces, bytes)
    }

    /// The stream's open entry has ended: which one, and what is to be said of it.
    fn seal(&mut self, stream: Stream, ending: &Amendment) -> Option<(Seq, Amendment)> {
        let tail = self.tails.get(stream);
        let Open::Written { seq, cut, flags, .. } = tail.open else { return None };
        self.tails.set(stream, Tail { open: Open::None, ..tail });
        let flags = ending.flags.with(flags);
        let flags = if cut { flags.with(Flags::TRUNCATED) } else { flags };
        Some((seq, Amendment { flags, ..*ending }))
    }

    /// The stream ended in order behind its last entry, which is in the file, or is lost. A request's end
    /// is noted there; that of a response is said, so that whoever follows the recording hears of it.
    fn ends(&mut self, writer: &mut Writer, stream: Stream, at: Nanos) -> Result<(), StoreError> {
        match (stream.flow, self.tails.get(stream)) {
            (Flow::Output, _) => self.event(writer, (stream.channel, at), &COMPLETE, Flags::default()),
            (_, Tail { last: Some(seq), hole: false, .. }) => writer.mark(seq, Flags::ENDS),
            _ => Ok(()),
        }
    }

    fn undelivered(&mut self, writer: &mut Writer, stream: Stream, delivered: usize) -> Result<(), StoreError> {
        for recent in self.recent.get(&stream).into_iter().flatten().filter(|recent| recent.end > delivered) {
            writer.mark(recent.seq, Flags::UNDELIVERED)?;
        }
        Ok(())
    }

    fn close(&mut self, channel: ChannelId) {
        for flow in FLOWS {
            let stream = Stream { channel, flow };
            self.tails.remove(stream);
            self.recent.remove(&stream);
        }
    }

    /// Gives a draft up.
    pub fn lose(&mut self, draft: &Draft, why: &str) {
        for step in &draft.steps {
            self.lose_step(step, draft);
        }
        self.tails.keep();
        why.clone_into(&mut self.why);
    }

    fn lose_step(&mut self, step: &Step, draft: &Draft) {
        match step {
            Step::Open(opening) => self.lose_entry(opening, &draft.bytes[opening.bytes.clone()]),
            Step::More { stream, .. } => {
                let mut tail = self.tails.get(*stream);
                if let Open::Written { cut, .. } = &mut tail.open {
                    *cut = true;
                    self.tails.set(*stream, tail);
                }
            }
            Step::Seal { stream, ending } => match self.seal(*stream, ending) {
                Some(ending) => self.owed.ending(ending),
                None => self.owe_end(*stream, ending.flags, ending.until),
            },
            Step::Ends(stream, at) => self.owe_end(*stream, Flags::ENDS, *at),
            Step::Happened(channel, at, event @ Lifecycle::HttpEnded { .. }) if self.is_known(*channel) => {
                self.owed.end(*channel, *at, event.clone());
            }
            Step::Happened(_, at, _) => self.lose_one(*at),
            Step::Chunk(stream) => drop(self.recent.remove(stream)),
            Step::Channel(channel) => self.owed.channel(channel),
            Step::Close(channel) => {
                let dropped = self.owed.close(*channel, self.is_written(*channel));
                (0..dropped).for_each(|_| self.lose_one(self.lost_at));
                self.close(*channel);
            }
            Step::Undelivered { .. } => {}
        }
    }

    fn lose_entry(&mut self, opening: &Opening, bytes: &[u8]) {
        let stream = opening.stream;
        if opening.kind == EntryKind::Head && self.owed.head(opening, bytes) {
            return;
        }
        self.lose_one(opening.until);
        let open = if opening.flags.has(Flags::UNFINISHED) { Open::Lost } else { Open::None };
        self.tails.set(stream, Tail { open, hole: true, ..self.tails.get(stream) });
        self.owe_end(stream, opening.flags, opening.until);
    }

    fn lose_one(&mut self, at: Nanos) {
        self.lost += 1;
        self.unsaid += 1;
        self.lost_at = self.lost_at.max(at);
    }

    /// A response ended with an entry that was lost: where its request is known, its end must be too.
    fn owe_end(&mut self, stream: Stream, flags: Flags, at: Nanos) {
        if flags.has(Flags::ENDS) && stream.flow == Flow::Output && self.is_known(stream.channel) {
            self.owed.end(stream.channel, at, COMPLETE);
        }
    }

    /// Whether the file has, or will have, an entry of this channel.
    fn is_known(&self, channel: ChannelId) -> bool {
        self.is_written(channel) || self.owed.has_heads(channel)
    }

    fn is_written(&self, channel: ChannelId) -> bool {
        FLOWS.into_iter().any(|flow| self.tails.get(Stream { channel, flow }).last.is_some())
    }
}

/// How a response ended of which nothing more is to be said.
const COMPLETE: Lifecycle = Lifecycle::HttpEnded { how: HttpEnd::Complete, why: String::new() };

fn amend(writer: &mut Writer, seq: Seq, ending: &Amendment) -> Result<(), StoreError> {
    let hash = ending.flags.has(Flags::TRUNCATED).then_some(ending.sha256);
    writer.amend(seq, ending.flags, ending.size, ending.until, hash)
}

#[cfg(test)]
mod tests;
