//! What a recording lacks and should have as soon as it can be written again: without their channels and
//! heads the entries that come later could not be understood. Bounded; what does not fit is lost.

use std::collections::BTreeMap;

use super::{Amendment, Book, amend};
use crate::engine::record::draft::Opening;
use crate::model::{Channel, ChannelId, Flags, Lifecycle, Nanos, Seq};
use crate::store::{StoreError, Writer};

/// So many channels are remembered, and so many bytes of heads.
const MOST: (usize, usize) = (4096, 1 << 20);

/// What is owed.
#[derive(Debug, Default)]
pub struct Owed {
    /// Ends of entries that are in the file.
    endings: Vec<(Seq, Amendment)>,
    channels: BTreeMap<ChannelId, Debt>,
    heads: usize,
    bytes: usize,
}

/// What is owed of one channel.
#[derive(Debug, Default)]
struct Debt {
    channel: Option<Channel>,
    heads: Vec<(Opening, Vec<u8>)>,
    end: Option<(Nanos, Lifecycle)>,
    is_closed: bool,
}

impl Owed {
    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.endings.is_empty() && self.channels.is_empty()
    }

    /// How many entries are.
    pub fn entries(&self) -> u64 {
        self.heads as u64
    }

    /// Nothing is any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The end of an entry that is in the file.
    pub fn ending(&mut self, ending: (Seq, Amendment)) {
        self.endings.push(ending);
    }

    /// A channel.
    pub fn channel(&mut self, channel: &Channel) {
        if let Some(debt) = self.debt(channel.id) {
            debt.channel = Some(channel.clone());
        }
    }

    /// A head; says whether there was room for it.
    pub fn head(&mut self, opening: &Opening, bytes: &[u8]) -> bool {
        if self.bytes + bytes.len() > MOST.1 {
            return false;
        }
        let Some(debt) = self.debt(opening.stream.channel) else { return false };
        debt.heads.push((opening.clone(), bytes.to_vec()));
        self.heads += 1;
        self.bytes += bytes.len();
        true
    }

    /// How the response on a channel ended.
    pub fn end(&mut self, channel: ChannelId, at: Nanos, event: Lifecycle) {
        if let Some(debt) = self.debt(channel) {
            debt.end = Some((at, event));
        }
    }

    /// Whether heads of a channel are owed.
    pub fn has_heads(&self, channel: ChannelId) -> bool {
        self.channels.get(&channel).is_some_and(|debt| !debt.heads.is_empty())
    }

    /// No more will come on a channel. Where nothing of it is in the file, so that only heads would be, it is
    /// given up; says how many entries that are.
    pub fn close(&mut self, channel: ChannelId, is_written: bool) -> usize {
        let Some(debt) = self.channels.get_mut(&channel) else { return 0 };
        debt.is_closed = true;
        if is_written {
            return 0;
        }
        let dropped = self.channels.remove(&channel).unwrap_or_default();
        self.heads -= dropped.heads.len();
        self.bytes -= dropped.heads.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        dropped.heads.len()
    }

    /// Writes all of it, in the order of time.
    pub fn write(&self, book: &mut Book, writer: &mut Writer) -> Result<(), StoreError> {
        for (seq, ending) in &self.endings {
            amend(writer, *seq, ending)?;
        }
        let mut entries = Vec::new();
        for (id, debt) in &self.channels {
            if let Some(channel) = &debt.channel {
                writer.channel(channel)?;
            }
            entries.extend(debt.heads.iter().map(|(opening, bytes)| (opening.at, Due::Head(opening, bytes))));
            entries.extend(debt.end.iter().map(|(at, event)| (*at, Due::End(*id, event))));
        }
        entries.sort_by_key(|(at, _)| *at);
        for (at, due) in entries {
            match due {
                Due::Head(opening, bytes) => book.open_late(writer, opening, bytes)?,
                Due::End(channel, event) => book.event(writer, (channel, at), event, Flags::default())?,
            }
        }
        for (id, _) in self.channels.iter().filter(|(_, debt)| debt.is_closed) {
            book.close(*id);
        }
        Ok(())
    }

    fn debt(&mut self, channel: ChannelId) -> Option<&mut Debt> {
        if self.channels.len() >= MOST.0 && !self.channels.contains_key(&channel) {
            return None;
        }
        Some(self.channels.entry(channel).or_default())
    }
}

/// One entry that is due.
enum Due<'a> {
    Head(&'a Opening, &'a [u8]),
    End(ChannelId, &'a Lifecycle),
}
