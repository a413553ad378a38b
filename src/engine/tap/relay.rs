//! The threads that carry bytes: one for each stream, which reads, notes, passes on, and does nothing
//! else. A receiver that has gone is no reason to stop reading: who writes must never wait for it.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::record::{Flow, Queue, Stream};
use crate::transport;

/// The most that is read at once: what a pipe holds.
const CHUNK: usize = 64 * 1024;
/// What a pipe that is ready takes without waiting.
const ATOMIC: usize = 4096;

/// What the relay's threads tell the tap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The stream's writer closed it; so did we towards its reader.
    Ended(Flow),
    /// The stream's reader takes no more.
    Refused(Flow),
    /// A signal, or the end of a process.
    #[cfg(unix)]
    Noticed(transport::Noticed),
    /// The server ended.
    #[cfg(windows)]
    ServerEnded(transport::Ending),
}

/// Where a stream goes; it can be closed by another thread unless a write is under way.
#[derive(Debug)]
pub struct Outlet(Mutex<Option<File>>);

impl Outlet {
    /// An outlet into `file`.
    pub fn new(file: File) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Some(file))))
    }

    /// Closes it, unless its reader keeps a writer waiting.
    pub fn close(&self) {
        if let Ok(mut file) = self.0.try_lock() {
            file.take();
        }
    }

    /// Passes bytes on. `before_waiting` is called when that may take long.
    fn pass(&self, bytes: &[u8], before_waiting: &dyn Fn()) -> Result<(), (usize, io::Error)> {
        let file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = file.as_ref() else { return Err((0, io::ErrorKind::BrokenPipe.into())) };
        if bytes.len() > ATOMIC || !transport::is_writable(file) {
            before_waiting();
        }
        transport::write(file, bytes)
    }
}

/// What a stream is doing, for those who wait until all has been passed on.
#[derive(Debug, Default)]
pub struct Gauge {
    busy: AtomicBool,
    moved: AtomicU64,
}

impl Gauge {
    /// Whether something that was read has not been passed on.
    pub fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    /// How many bytes were read.
    pub fn moved(&self) -> u64 {
        self.moved.load(Ordering::Acquire)
    }
}

/// One stream's way from its writer to its reader.
#[derive(Debug)]
pub struct Pump {
    /// Which stream it is.
    pub flow: Flow,
    /// Its writer's end.
    pub from: File,
    /// Its reader's end.
    pub to: Arc<Outlet>,
    /// Where it is noted.
    pub queue: Arc<Queue>,
    /// What it is doing.
    pub gauge: Arc<Gauge>,
    /// Who is told of its end.
    pub tell: SyncSender<Told>,
}

impl Pump {
    /// Starts its thread, which ends with the stream.
    pub fn start(self) -> io::Result<()> {
        let name = match self.flow {
            Flow::Input => "stdin",
            Flow::Output => "stdout",
            Flow::Error => "stderr",
        };
        std::thread::Builder::new().name(name.to_owned()).spawn(move || self.run()).map(drop)
    }

    fn run(self) {
        let mut buffer = vec![0; CHUNK];
        let mut refused = false;
        // A read that fails is the end of the stream as much as one that gives nothing.
        while let Ok(count @ 1..) = transport::read(&self.from, &mut buffer) {
            self.gauge.busy.store(true, Ordering::Release);
            self.carry(&buffer[..count], &mut refused);
            self.gauge.moved.fetch_add(count as u64, Ordering::AcqRel);
            self.gauge.busy.store(false, Ordering::Release);
        }
        self.queue.ended(Stream::stdio(self.flow));
        self.to.close();
        // Nobody listens any more when the tap is at its end.
        let _ = self.tell.send(Told::Ended(self.flow));
    }

    /// Notes the bytes and passes them on. They are noted first, because an answer may come, and be
    /// noted, before this thread runs again; the recorder is woken after.
    fn carry(&self, bytes: &[u8], refused: &mut bool) {
        self.queue.push(Stream::stdio(self.flow), bytes);
        if *refused {
            return self.queue.wake();
        }
        match self.to.pass(bytes, &|| self.queue.wake()) {
            Ok(()) => self.queue.wake(),
            Err((delivered, _)) => {
                *refused = true;
                self.queue.undelivered(Stream::stdio(self.flow), delivered);
                let _ = self.tell.send(Told::Refused(self.flow));
            }
        }
    }
}
