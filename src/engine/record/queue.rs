//! The way from whoever relays to the recorder: chunks of bytes in one order, bounded in bytes.
//!
//! Who pushes waits while the queue is full; that is the back-pressure which keeps a slow disk from
//! losing anything. It copies bytes into one buffer which the recorder swaps for an empty one, so in
//! steady state nothing is allocated. The order of the queue is the order of the recording, and the
//! clock is read under the same lock, so times never contradict it.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::engine::clock::Clock;
use crate::model::{Channel, ChannelId, Lifecycle, Nanos};

/// Which way bytes go on a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flow {
    /// From the client to the server: the server's stdin, an HTTP request.
    Input,
    /// From the server to the client: the server's stdout, an HTTP response.
    Output,
    /// The server's stderr.
    Error,
}

/// One flow of one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stream {
    /// The channel.
    pub channel: ChannelId,
    /// Which way.
    pub flow: Flow,
}

impl Stream {
    /// The one channel of a recording made on stdio.
    pub const STDIO: ChannelId = 1;

    /// No channel: what happens to a recording of HTTP as a whole is said on it, since each of its channels
    /// is one request. It has no row among the channels.
    pub const WHOLE: ChannelId = 0;

    /// A stream of a server on stdio.
    pub const fn stdio(flow: Flow) -> Self {
        Self { channel: Self::STDIO, flow }
    }
}

/// How a stream's bytes are cut into entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// One entry for each line (stdio); so are streams of which nothing else is said.
    Lines,
    /// One entry for each event of SSE.
    Events(Coding),
    /// One entry for all of it.
    Body(Coding),
}

/// How a body was compressed: its `Content-Encoding`. What is recorded is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coding {
    /// Not at all.
    #[default]
    Identity,
    /// `gzip` or `x-gzip`.
    Gzip,
    /// `deflate`: zlib, or bare deflate as some send it.
    Deflate,
    /// `br`.
    Brotli,
    /// `zstd`.
    Zstd,
    /// Something else, or several at once: the bytes are kept as they are.
    Unknown,
}

/// One thing to be recorded.
#[derive(Debug)]
pub enum Item {
    /// A channel, or what became known of it since.
    Opened(Channel),
    /// How a stream is to be cut, from its next chunk on.
    Framed(Stream, Framing),
    /// An HTTP head or trailers, whole; a range of [`Batch::bytes`].
    Head(Stream, Nanos, Range<usize>),
    /// Bytes that were read; a range of [`Batch::bytes`].
    Chunk(Stream, Nanos, Range<usize>),
    /// Of the stream's last chunk only so many bytes could be delivered, and of later ones none.
    Undelivered(Stream, usize),
    /// A stream ended in order.
    Ended(Stream, Nanos),
    /// Something happened on a channel.
    Happened(ChannelId, Nanos, Lifecycle),
    /// No more will come on a channel: what was kept for it can be forgotten.
    Closed(ChannelId, Nanos),
}

/// What lay in the queue.
#[derive(Debug, Default)]
pub struct Batch {
    /// The bytes of the chunks.
    pub bytes: Vec<u8>,
    /// What is to be recorded, in order; taken from the front.
    pub items: VecDeque<Item>,
}

impl Batch {
    fn load(&self) -> usize {
        self.bytes.len() + self.items.len() * size_of::<Item>()
    }
}

/// What [`Queue::wait`] came back with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// As much as was waited for is there.
    Filled,
    /// The time was up.
    TimeUp,
    /// The queue is closed; something may lie in it still.
    Closed,
}

/// The queue.
#[derive(Debug)]
pub struct Queue {
    state: Mutex<State>,
    filled: Condvar,
    drained: Condvar,
    limit: usize,
}

#[derive(Debug)]
struct State {
    batch: Batch,
    clock: Clock,
    closed: bool,
    /// How full it must be before the recorder wants to be woken; `None` while it is at work.
    wakes_at: Option<usize>,
}

impl Queue {
    /// A queue that holds about `limit` bytes.
    pub fn new(limit: usize, clock: Clock) -> Self {
        let state = State { batch: Batch::default(), clock, closed: false, wakes_at: None };
        Self { state: Mutex::new(state), filled: Condvar::new(), drained: Condvar::new(), limit }
    }

    /// What time it is.
    pub fn now(&self) -> Nanos {
        self.lock().clock.now()
    }

    /// Adds bytes that were read from a stream; waits while the queue is full. The recorder is not
    /// woken: [`Queue::wake`] does that once the bytes were passed on.
    pub fn push(&self, stream: Stream, bytes: &[u8]) {
        self.add(bytes, |at, range| Item::Chunk(stream, at, range));
    }

    fn add(&self, bytes: &[u8], item: impl FnOnce(Nanos, Range<usize>) -> Item) {
        let mut state = self.lock();
        while state.batch.load() >= self.limit && !state.closed {
            self.filled.notify_one();
            state = self.drained.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return;
        }
        let at = state.clock.now();
        let start = state.batch.bytes.len();
        state.batch.bytes.extend_from_slice(bytes);
        state.batch.items.push_back(item(at, start..start + bytes.len()));
    }

    /// Makes a channel known before anything is said on it, or what became known of it since.
    pub fn open(&self, channel: Channel) {
        self.lock().batch.items.push_back(Item::Opened(channel));
    }

    /// Says how a stream is to be cut from here on.
    pub fn frame(&self, stream: Stream, framing: Framing) {
        self.lock().batch.items.push_back(Item::Framed(stream, framing));
    }

    /// Adds an HTTP head or trailers, with its secrets still in it: the recorder leaves them out. Waits
    /// while the queue is full, like [`Queue::push`].
    pub fn head(&self, stream: Stream, head: &[u8]) {
        self.add(head, |at, range| Item::Head(stream, at, range));
    }

    /// Says that nothing more will come on a channel.
    pub fn closed(&self, channel: ChannelId) {
        self.note(|at| Item::Closed(channel, at));
    }

    /// Wakes the recorder when it waits for what is there now.
    pub fn wake(&self) {
        let mut state = self.lock();
        if state.wakes_at.is_some_and(|load| state.batch.load() >= load) {
            state.wakes_at = None;
            drop(state);
            self.filled.notify_one();
        }
    }

    /// Adds that something happened. Never waits: events are few and small.
    pub fn happened(&self, channel: ChannelId, event: Lifecycle) {
        self.note(|at| Item::Happened(channel, at, event));
    }

    fn note(&self, item: impl FnOnce(Nanos) -> Item) {
        let mut state = self.lock();
        let at = state.clock.now();
        state.batch.items.push_back(item(at));
        drop(state);
        self.wake();
    }

    /// Adds that a stream ended.
    pub fn ended(&self, stream: Stream) {
        self.note(|at| Item::Ended(stream, at));
    }

    /// Adds that of the stream's last chunk only `delivered` bytes went through.
    pub fn undelivered(&self, stream: Stream, delivered: usize) {
        self.lock().batch.items.push_back(Item::Undelivered(stream, delivered));
        self.wake();
    }

    /// No more is taken: the recorder finishes what is there. Who pushes afterwards pushes into nothing.
    pub fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_one();
        self.drained.notify_all();
    }

    /// Waits until at least `load` bytes lie in the queue, it is closed, or the time is up.
    pub fn wait(&self, load: usize, timeout: Option<Duration>) -> Waited {
        let load = load.min(self.limit);
        let mut state = self.lock();
        state.wakes_at = Some(load);
        let waits = |state: &mut State| state.batch.load() < load && !state.closed;
        state = match timeout {
            Some(limit) => {
                self.filled.wait_timeout_while(state, limit, waits).unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.filled.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner),
        };
        state.wakes_at = None;
        match (state.closed, state.batch.load() >= load) {
            (true, _) => Waited::Closed,
            (false, true) => Waited::Filled,
            (false, false) => Waited::TimeUp,
        }
    }

    /// Swaps what is there for `batch`, which must have been used up. Says whether anything was there.
    pub fn take(&self, batch: &mut Batch) -> bool {
        batch.bytes.clear();
        let mut state = self.lock();
        std::mem::swap(&mut state.batch, batch);
        drop(state);
        self.drained.notify_all();
        !batch.items.is_empty()
    }

    /// A panic in another thread leaves the queue whole, so it can be used on.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const INPUT: Stream = Stream::stdio(Flow::Input);
    const OUTPUT: Stream = Stream::stdio(Flow::Output);

    #[test]
    fn the_order_is_kept_and_times_never_contradict_it() {
        let queue = Queue::new(1 << 20, Clock::start());
        queue.push(INPUT, b"ab");
        queue.happened(1, Lifecycle::ClientClosed);
        queue.push(OUTPUT, b"c");
        queue.ended(OUTPUT);
        let mut batch = Batch::default();
        assert_eq!(queue.wait(1, None), Waited::Filled);
        assert!(queue.take(&mut batch));
        let [Item::Chunk(INPUT, first, a), Item::Happened(1, second, _), Item::Chunk(_, third, b), Item::Ended(..)] =
            &*batch.items.make_contiguous()
        else {
            panic!("another order");
        };
        assert_eq!((&batch.bytes[a.clone()], &batch.bytes[b.clone()]), (&b"ab"[..], &b"c"[..]));
        assert!(first <= second && second <= third);
        batch.items.clear();
        assert_eq!(queue.wait(1, Some(Duration::ZERO)), Waited::TimeUp);
        queue.close();
        assert_eq!(queue.wait(1, None), Waited::Closed);
        assert!(!queue.take(&mut batch));
    }

    #[test]
    fn who_pushes_waits_while_it_is_full() {
        let queue = Arc::new(Queue::new(1000, Clock::start()));
        let pushing = Arc::clone(&queue);
        let pusher = std::thread::Builder::new().name("pusher".into()).spawn(move || {
            for _ in 0..200 {
                pushing.push(INPUT, &[7; 100]);
                pushing.wake();
            }
            pushing.close();
        });
        let (mut batch, mut seen) = (Batch::default(), 0);
        loop {
            let waited = queue.wait(1, None);
            queue.take(&mut batch);
            assert!(batch.bytes.len() <= 1100, "{} bytes at once", batch.bytes.len());
            seen += batch.bytes.len();
            batch.items.clear();
            if waited == Waited::Closed {
                break;
            }
        }
        pusher.expect("starts").join().expect("ends");
        assert_eq!(seen, 20_000);
    }
}
