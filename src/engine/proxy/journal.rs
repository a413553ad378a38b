//! What is noted of one request with its response. Whatever becomes of the exchange, dropping its journal
//! says that no more will come, so that each has one end in the recording. Writes nothing itself.

use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::record::{Coding, Flow, Framing, Queue, Stream};
use crate::model::{Channel, ChannelId, HttpEnd, Lifecycle, Transport};
use crate::wire::http::Head;

/// The notes of one exchange.
#[derive(Debug)]
pub struct Journal {
    queue: Arc<Queue>,
    number: ChannelId,
    channel: Mutex<Channel>,
    /// Not to be recorded: then nothing here does anything.
    silent: bool,
}

impl Journal {
    /// Begins the notes of an exchange: makes its channel known.
    pub fn open(queue: &Arc<Queue>, channel: Channel) -> Self {
        queue.open(channel.clone());
        Self { queue: Arc::clone(queue), number: channel.id, channel: Mutex::new(channel), silent: false }
    }

    /// The notes of an exchange that is not to be recorded.
    pub fn silent(queue: &Arc<Queue>) -> Self {
        let channel = Channel { transport: Transport::HttpRequest, ..Channel::stdio(Stream::WHOLE) };
        Self { queue: Arc::clone(queue), number: channel.id, channel: Mutex::new(channel), silent: true }
    }

    /// Makes known what became known of the channel since it was opened.
    pub fn learn(&self, change: impl FnOnce(&mut Channel)) {
        let mut channel = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut channel);
        if !self.silent {
            self.queue.open(channel.clone());
        }
    }

    /// Notes a head or trailers.
    pub fn head(&self, flow: Flow, head: &[u8]) {
        if !self.silent {
            self.queue.head(self.stream(flow), head);
        }
    }

    /// Notes how the body that follows a head is cut.
    pub fn body(&self, flow: Flow, head: &Head, is_events: bool) {
        if !self.silent {
            let coding = coding(head);
            let framing = if is_events { Framing::Events(coding) } else { Framing::Body(coding) };
            self.queue.frame(self.stream(flow), framing);
        }
    }

    /// Notes bytes of a body.
    pub fn data(&self, flow: Flow, bytes: &[u8]) {
        if !self.silent {
            self.queue.push(self.stream(flow), bytes);
        }
    }

    /// Lets the recorder have what was noted, once that is on its way.
    pub fn wake(&self) {
        if !self.silent {
            self.queue.wake();
        }
    }

    /// Notes that a message was complete.
    pub fn ended(&self, flow: Flow) {
        if !self.silent {
            self.queue.ended(self.stream(flow));
        }
    }

    /// Notes that what was noted last of a flow did not reach its receiver.
    pub fn undelivered(&self, flow: Flow) {
        if !self.silent {
            self.queue.undelivered(self.stream(flow), 0);
        }
    }

    /// Notes that something was passed on otherwise than it came.
    pub fn changed(&self, what: &str, to: &str) {
        self.happened(Lifecycle::Changed { what: what.to_owned(), to: to.to_owned() });
    }

    /// Notes how the exchange ended, where it did not end with its response.
    pub fn over(&self, how: HttpEnd, why: impl Into<String>) {
        self.happened(Lifecycle::HttpEnded { how, why: why.into() });
    }

    fn happened(&self, event: Lifecycle) {
        if !self.silent {
            self.queue.happened(self.number, event);
        }
    }

    const fn stream(&self, flow: Flow) -> Stream {
        Stream { channel: self.number, flow }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.silent {
            // An exchange that was cut off in its middle has no end yet. This is no second one for another.
            self.over(HttpEnd::Stopped, "");
            self.queue.closed(self.number);
        }
    }
}

/// How a body was compressed, by its head.
pub fn coding(head: &Head) -> Coding {
    let mut codings = head.all("content-encoding").flat_map(|value| value.split(|byte| *byte == b','));
    let (first, second) = (codings.next(), codings.next());
    let Some(first) = first else { return Coding::Identity };
    if second.is_some() {
        return Coding::Unknown;
    }
    match first.trim_ascii().to_ascii_lowercase().as_slice() {
        b"" | b"identity" => Coding::Identity,
        b"gzip" | b"x-gzip" => Coding::Gzip,
        b"deflate" => Coding::Deflate,
        b"br" => Coding::Brotli,
        b"zstd" => Coding::Zstd,
        _ => Coding::Unknown,
    }
}
