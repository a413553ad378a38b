//! Makes a draft of what lay in the queue: cuts each stream, masks heads, and sees to it that each HTTP
//! request with its response has one end. Pure; told the time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;

use super::cut::Cut;
use super::draft::{Draft, Opening, Place, Step};
use super::queue::{Batch, Flow, Framing, Item, Stream};
use super::redact::{Media, Redactor};
use crate::model::{ChannelId, EntryKind, Flags, HttpEnd, Lifecycle, Nanos};

/// How long an entry may stay unfinished before its start is recorded.
const PAUSE: Nanos = 500_000_000;

/// Cuts all streams into entries.
#[derive(Debug)]
pub struct Drafter {
    lanes: HashMap<ChannelId, Lane>,
    /// When to look whether a stream's writer has paused.
    watched: BinaryHeap<Reverse<(Nanos, Stream)>>,
    redactor: Option<Redactor>,
    max_entry: u64,
}

/// What is known of a channel on which more may come.
#[derive(Debug, Default)]
struct Lane {
    flows: [Side; 3],
    /// Whether heads were seen on it.
    is_http: bool,
    /// Whether it was said how the response ended.
    has_ended: bool,
}

/// One stream of a channel.
#[derive(Debug, Default)]
struct Side {
    framing: Option<Framing>,
    media: Media,
    cut: Option<Box<Cut>>,
    /// Its last entry, as far as it was not written.
    last: Option<Place>,
}

impl Drafter {
    /// At the start of all streams; `max_entry` bytes of one entry are kept.
    pub fn new(max_entry: u64, keep_secrets: bool) -> Self {
        let redactor = (!keep_secrets).then(Redactor::default);
        Self { lanes: HashMap::new(), watched: BinaryHeap::new(), redactor, max_entry }
    }

    /// Adds what a batch comes to, or as much of it as one draft should hold.
    pub fn feed(&mut self, batch: &mut Batch, draft: &mut Draft) {
        while !draft.is_full() {
            let Some(item) = batch.items.pop_front() else { return };
            match item {
                Item::Chunk(stream, at, range) => {
                    if let Some(rest) = self.chunk(stream, at, range, &batch.bytes, draft) {
                        batch.items.push_front(Item::Chunk(stream, at, rest));
                    }
                }
                Item::Framed(stream, framing) => {
                    let side = self.side(stream);
                    side.finish(draft);
                    side.framing = Some(framing);
                }
                Item::Head(stream, at, range) => self.head(stream, at, &batch.bytes[range], draft),
                Item::Ended(stream, at) => self.ended(stream, at, draft),
                Item::Undelivered(stream, delivered) => {
                    if let Some(cut) = &mut self.side(stream).cut {
                        cut.undelivered(delivered, draft);
                    }
                }
                Item::Happened(channel, at, event) => self.happened(channel, at, event, draft),
                Item::Opened(channel) => draft.steps.push(Step::Channel(Box::new(channel))),
                Item::Closed(channel, at) => self.closed(channel, at, draft),
            }
        }
    }

    /// Adds the start of every entry whose writer has paused.
    pub fn paused(&mut self, now: Nanos, draft: &mut Draft) {
        while let Some(Reverse((due, stream))) = self.watched.peek().copied()
            && due <= now
        {
            self.watched.pop();
            let Some(side) = self.lanes.get_mut(&stream.channel).map(|lane| lane.side(stream.flow)) else { continue };
            let Some(cut) = &mut side.cut else { continue };
            cut.is_watched = false;
            if !cut.may_flush() {
                continue;
            }
            if now - cut.fed >= PAUSE {
                cut.flush(draft);
            } else {
                cut.is_watched = true;
                self.watched.push(Reverse((cut.fed + PAUSE, stream)));
            }
        }
    }

    /// When [`Drafter::paused`] may have something to do.
    pub fn pauses_at(&self) -> Option<Nanos> {
        self.watched.peek().map(|Reverse((due, _))| *due)
    }

    /// Ends every stream.
    pub fn finish(&mut self, now: Nanos, draft: &mut Draft) {
        let mut channels: Vec<ChannelId> = self.lanes.keys().copied().collect();
        channels.sort_unstable();
        for channel in channels {
            self.closed(channel, now, draft);
        }
    }

    fn side(&mut self, stream: Stream) -> &mut Side {
        self.lanes.entry(stream.channel).or_default().side(stream.flow)
    }

    /// Cuts a chunk; says what is left of it when the draft became full.
    fn chunk(
        &mut self,
        stream: Stream,
        at: Nanos,
        range: Range<usize>,
        bytes: &[u8],
        draft: &mut Draft,
    ) -> Option<Range<usize>> {
        let max_entry = self.max_entry;
        let side = self.lanes.entry(stream.channel).or_default().side(stream.flow);
        let from = draft.steps.len();
        let (framing, media) = (side.framing.unwrap_or(Framing::Lines), side.media);
        let cut = side.cut.get_or_insert_with(|| Box::new(Cut::new(stream, framing, media, max_entry)));
        let used = cut.feed(at, &bytes[range.clone()], draft);
        side.last = draft.last_end(from).or(side.last);
        if !cut.is_watched && cut.may_flush() {
            cut.is_watched = true;
            self.watched.push(Reverse((at + PAUSE, stream)));
        }
        used.map(|used| range.start + used..range.end)
    }

    /// Adds a head, behind what came before it on its stream.
    fn head(&mut self, stream: Stream, at: Nanos, raw: &[u8], draft: &mut Draft) {
        let (masked, media) = match &mut self.redactor {
            Some(redactor) => redactor.head(raw),
            None => (None, Media::Other),
        };
        let lane = self.lanes.entry(stream.channel).or_default();
        lane.is_http = true;
        let side = lane.side(stream.flow);
        side.finish(draft);
        side.media = media;
        let (from, start) = (draft.steps.len(), draft.bytes.len());
        draft.bytes.extend_from_slice(masked.as_deref().unwrap_or(raw));
        draft.steps.push(Step::Open(Opening {
            stream,
            kind: EntryKind::Head,
            at,
            until: at,
            flags: if masked.is_some() { Flags::REDACTED } else { Flags::default() },
            size: raw.len() as u64,
            bytes: start..draft.bytes.len(),
            end: 0,
        }));
        side.last = draft.last_end(from);
    }

    /// A stream ended in order: with its last entry, if that is HTTP's.
    fn ended(&mut self, stream: Stream, at: Nanos, draft: &mut Draft) {
        let lane = self.lanes.entry(stream.channel).or_default();
        let (is_http, has_ended) = (lane.is_http, lane.has_ended);
        let side = lane.side(stream.flow);
        side.finish(draft);
        if !is_http || has_ended && stream.flow == Flow::Output {
            return;
        }
        let is_marked = side.last.is_some_and(|last| draft.mark(last, Flags::ENDS));
        if !is_marked {
            draft.steps.push(Step::Ends(stream, at));
        }
        lane.has_ended |= stream.flow == Flow::Output;
    }

    fn happened(&mut self, channel: ChannelId, at: Nanos, event: Lifecycle, draft: &mut Draft) {
        if let Lifecycle::HttpEnded { .. } = event {
            let lane = self.lanes.entry(channel).or_default();
            lane.is_http = true;
            lane.finish(draft);
            // What comes after the end of a response changes nothing for anybody.
            if std::mem::replace(&mut lane.has_ended, true) {
                return;
            }
        }
        draft.steps.push(Step::Happened(channel, at, event));
    }

    /// Forgets a channel. A request of which nobody said how it ended was stopped.
    fn closed(&mut self, channel: ChannelId, at: Nanos, draft: &mut Draft) {
        if let Some(mut lane) = self.lanes.remove(&channel) {
            lane.finish(draft);
            if lane.is_http && !lane.has_ended {
                let event = Lifecycle::HttpEnded { how: HttpEnd::Stopped, why: String::new() };
                draft.steps.push(Step::Happened(channel, at, event));
            }
        }
        draft.steps.push(Step::Close(channel));
    }
}

impl Lane {
    fn side(&mut self, flow: Flow) -> &mut Side {
        &mut self.flows[flow as usize]
    }

    fn finish(&mut self, draft: &mut Draft) {
        self.flows.iter_mut().for_each(|side| side.finish(draft));
    }
}

impl Side {
    /// Writes what is begun.
    fn finish(&mut self, draft: &mut Draft) {
        if let Some(mut cut) = self.cut.take() {
            let from = draft.steps.len();
            cut.finish(draft);
            self.last = draft.last_end(from).or(self.last);
        }
    }
}

#[cfg(test)]
mod tests;
