//! Makes the channels of a recording known to its trace while both grow: over HTTP there is one for each
//! request. What a channel means is for the trace to say.

use crate::model::{Channel, ChannelId};
use crate::store::{Reader, StoreError};
use crate::trace::Trace;

/// So many of the last channels may be written anew: a session id comes with the response, and what a
/// stream is shows at its first event.
const RECENT: ChannelId = 64;

/// The channels that the trace knows.
#[derive(Debug, Default)]
pub(super) struct Channels {
    last: ChannelId,
}

impl Channels {
    /// Takes in the channels that are new, and the recent ones again.
    pub(super) fn renew(&mut self, reader: &Reader, trace: &mut Trace) -> Result<(), StoreError> {
        let recent = self.last.saturating_sub(RECENT);
        self.take(reader.channels_from(recent)?, trace);
        Ok(())
    }

    /// Takes in the channels that are new, when `channel` is one of them: before its first entry.
    pub(super) fn meet(&mut self, channel: ChannelId, reader: &Reader, trace: &mut Trace) {
        if channel > self.last
            && let Ok(channels) = reader.channels_from(self.last + 1)
        {
            self.take(channels, trace);
            self.last = self.last.max(channel);
        }
    }

    fn take(&mut self, channels: Vec<Channel>, trace: &mut Trace) {
        for channel in channels {
            self.last = self.last.max(channel.id);
            trace.open_channel(channel);
        }
    }
}
