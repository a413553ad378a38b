//! The front on our own stdin and stdout: a thread that reads and one that writes, both block. Nothing but what the machine
//! sends ever stands on stdout.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Happening;
use super::hub::Hub;
use crate::engine::record::{Flow, Queue, Stream};
use crate::model::Lifecycle;
use crate::peer::server::{Bytes, ClientId, Link, Told};
use crate::transport::{self, Standard};

/// The one client.
const CLIENT: ClientId = 1;
/// The most that is read at once: what a pipe holds.
const CHUNK: usize = 64 << 10;
/// The longest line that is read.
const LONGEST: usize = 64 << 20;
/// So much of one that is longer is told.
const EXCERPT: usize = 64 << 10;
/// While more waits to be read by the client, nothing more is heard from it.
const ROOM: usize = 64 << 20;

/// What is to be written to our stdout.
pub struct Stdout {
    held: Mutex<Held>,
    changed: Condvar,
    error: File,
    queue: Arc<Queue>,
}

#[derive(Default)]
struct Held {
    parts: VecDeque<Bytes>,
    load: usize,
    /// Nothing more comes.
    ended: bool,
    /// Nobody writes any more.
    gone: bool,
}

impl Stdout {
    /// With the stderr that lines of the mock go to.
    pub fn new(error: File, queue: Arc<Queue>) -> Self {
        Self { held: Mutex::default(), changed: Condvar::new(), error, queue }
    }

    /// Adds bytes; never waits.
    pub fn send(&self, bytes: &[u8]) {
        let mut held = self.lock();
        if !held.ended && !held.gone {
            held.load += bytes.len();
            held.parts.push_back(bytes.into());
            self.changed.notify_all();
        }
    }

    /// Writes a line on stderr, and notes it. It waits where nobody reads that, as every server does.
    pub fn complain(&self, line: &str) {
        const STREAM: Stream = Stream::stdio(Flow::Error);
        let line = format!("{line}\n");
        self.queue.push(STREAM, line.as_bytes());
        // A host that closed our stderr wants none of it.
        let _ = transport::write(&self.error, line.as_bytes());
        self.queue.wake();
    }

    /// Nothing more comes; waits until all is written, but no longer than this.
    pub fn finish(&self, patience: Duration) {
        let mut held = self.lock();
        held.ended = true;
        self.changed.notify_all();
        let waits = |held: &mut Held| !held.gone;
        drop(self.changed.wait_timeout_while(held, patience, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits while too much waits to be written.
    fn wait_for_room(&self) {
        let waits = |held: &mut Held| held.load > ROOM && !held.gone;
        drop(self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner));
    }

    fn next(&self) -> Option<Bytes> {
        let waits = |held: &mut Held| held.parts.is_empty() && !held.ended;
        let mut held = self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        let bytes = held.parts.pop_front()?;
        held.load -= bytes.len();
        self.changed.notify_all();
        Some(bytes)
    }

    fn gone(&self) {
        let mut held = self.lock();
        held.gone = true;
        held.parts.clear();
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the threads.
pub fn start(input: File, output: File, stdout: Arc<Stdout>, hub: Arc<Hub>) -> io::Result<()> {
    hub.with(|now, core| core.server.joined(now, CLIENT, Link::Stdio));
    let writes = Arc::clone(&hub);
    let ours = Arc::clone(&stdout);
    spawn("stdout", move || write(&output, &ours, &writes))?;
    spawn("stdin", move || read(&input, &stdout, &hub))
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

fn write(to: &File, stdout: &Stdout, hub: &Hub) {
    const STREAM: Stream = Stream::stdio(Flow::Output);
    let queue = hub.queue();
    while let Some(bytes) = stdout.next() {
        queue.push(STREAM, &bytes);
        let written = transport::write(to, &bytes);
        if let Err((delivered, _)) = written {
            queue.undelivered(STREAM, delivered);
            queue.happened(Stream::STDIO, Lifecycle::ClientStoppedReading);
            leave(hub, "the host reads no more");
            break;
        }
        queue.wake();
    }
    queue.ended(STREAM);
    stdout.gone();
}

fn read(from: &File, stdout: &Stdout, hub: &Hub) {
    const STREAM: Stream = Stream::stdio(Flow::Input);
    let (queue, mut lines, mut buffer) = (hub.queue(), Lines::default(), vec![0; CHUNK]);
    // A read that fails is the end of the stream as much as one that gives nothing.
    while let Ok(count @ 1..) = transport::read(from, &mut buffer) {
        queue.push(STREAM, &buffer[..count]);
        lines.take(&buffer[..count], &mut |line| hear(hub, line));
        queue.wake();
        stdout.wait_for_room();
    }
    lines.finish(&mut |line| hear(hub, line));
    queue.ended(STREAM);
    queue.happened(Stream::STDIO, Lifecycle::ClientClosed);
    leave(hub, "the host closed stdin");
}

fn hear(hub: &Hub, line: Result<&[u8], (&[u8], usize)>) {
    hub.with(|now, core| match line {
        Ok(line) => core.server.heard(now, CLIENT, 0, None, line),
        Err((start, size)) => {
            let why = format!(
                "a line of {size} bytes, longer than the {} MiB that a message may have; it was recorded, and not read",
                LONGEST >> 20
            );
            core.tell(Happening::Told(Told::Stray { client: CLIENT, bytes: start.into(), why }));
        }
    });
}

fn leave(hub: &Hub, why: &str) {
    hub.with(|now, core| {
        core.server.left(now, CLIENT, why);
        core.end(why);
    });
}

/// Cuts what is read into lines: whole ones, or the start and size of one that is too long.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
    /// How much of the line was passed over, since it is too long.
    skipped: usize,
}

type Take<'a> = &'a mut dyn FnMut(Result<&[u8], (&[u8], usize)>);

impl Lines {
    fn take(&mut self, mut bytes: &[u8], take: Take<'_>) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            bytes = rest;
            if self.line.is_empty() && self.skipped == 0 {
                take(Ok(line.strip_suffix(b"\r").unwrap_or(line)));
                continue;
            }
            self.gather(line);
            self.end(take);
        }
        self.gather(bytes);
    }

    fn gather(&mut self, bytes: &[u8]) {
        if self.skipped > 0 || self.line.len() + bytes.len() > LONGEST {
            self.skipped += bytes.len();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, take: Take<'_>) {
        let (line, skipped) = (std::mem::take(&mut self.line), std::mem::take(&mut self.skipped));
        if skipped > 0 {
            take(Err((&line[..line.len().min(EXCERPT)], line.len() + skipped)));
        } else {
            take(Ok(line.strip_suffix(b"\r").unwrap_or(&line)));
        }
    }

    /// What came without a line end.
    fn finish(&mut self, take: Take<'_>) {
        if !self.line.is_empty() || self.skipped > 0 {
            self.end(take);
        }
    }
}

/// Our own streams, taken over: stdin and stdout of this process lead nowhere from here on.
pub fn streams() -> io::Result<Standard> {
    Standard::take()
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Lines};

    #[test]
    fn lines_are_cut_wherever_the_pieces_end_and_one_without_end_costs_no_memory() {
        let (mut lines, mut cut) = (Lines::default(), Vec::new());
        let mut take = |line: Result<&[u8], (&[u8], usize)>| {
            cut.push(
                line.map_or_else(|(_, size)| format!("{size} bytes"), |line| String::from_utf8_lossy(line).into()),
            );
        };
        for piece in ["{\"a\":", "1}\r\n\n{}", "\n{\"last\"", ":1}"] {
            lines.take(piece.as_bytes(), &mut take);
        }
        lines.finish(&mut take);
        let piece = vec![b'x'; LONGEST / 2 + 1];
        for _ in 0..4 {
            lines.take(&piece, &mut take);
        }
        assert!(lines.line.capacity() <= LONGEST + piece.len());
        lines.take(b"\n{}\n", &mut take);
        assert_eq!(cut, ["{\"a\":1}", "", "{}", "{\"last\":1}", &format!("{} bytes", piece.len() * 4), "{}"]);
    }
}
