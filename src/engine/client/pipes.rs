//! The threads at the pipes of a server that our client talks to: one for each stream, which blocks. What is read and
//! written is noted for the recording on the way.

use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::process::{Ended, Life, Process};
use super::{Happening, Tell};
use crate::engine::record::{Flow, Queue, Stream};
use crate::peer::client::Bytes;
use crate::transport;

/// The most that is read at once: what a pipe holds.
const CHUNK: usize = 64 * 1024;
/// The longest line of stderr that is told in one.
const LONGEST: usize = 16 * 1024;
/// So much of stderr is kept to explain an end.
const KEPT: usize = 2 * 1024;

/// What is heard of a server.
#[derive(Debug)]
pub enum Heard {
    /// Bytes on its stdout.
    Output(Vec<u8>),
    /// The end of its stdout.
    OutputEnded,
    /// It reads no more.
    Deaf,
    /// Its process has ended.
    Ended(Ended),
}

/// The last that a server said on stderr.
#[derive(Debug, Clone, Default)]
pub struct Complaints(Arc<Mutex<Vec<u8>>>);

impl Complaints {
    fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&bytes[bytes.len().saturating_sub(KEPT)..]);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }

    /// The last of it as text.
    pub fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.trim_ascii()).into_owned()
    }
}

/// Starts the threads of a server, which is the `number`th of this link. What is sent into the channel that is given
/// back is written; closing it closes the server's stdin.
pub fn start(
    process: Process,
    number: u32,
    queue: &Arc<Queue>,
    heard: &Sender<(u32, Heard)>,
    complaints: &Complaints,
    tell: &Tell,
) -> io::Result<Sender<Bytes>> {
    let Process { input, output, error, life, .. } = process;
    let (to_server, from_us) = channel(1);
    let news = heard.clone();
    spawn("server", move || wait(life, number, &news))?;
    let (notes, news) = (Arc::clone(queue), heard.clone());
    spawn("stdin", move || write(input, from_us, number, &notes, &news))?;
    let (notes, news) = (Arc::clone(queue), heard.clone());
    spawn("stdout", move || read(&output, number, &notes, &news))?;
    let (notes, complaints, tell) = (Arc::clone(queue), complaints.clone(), Arc::clone(tell));
    spawn("stderr", move || listen(&error, &notes, &complaints, &tell))?;
    Ok(to_server)
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

fn wait(life: Life, number: u32, heard: &Sender<(u32, Heard)>) {
    // Nobody listens any more when the session was given up.
    let _ = heard.blocking_send((number, Heard::Ended(life.wait())));
}

fn write(to: File, mut from: Receiver<Bytes>, number: u32, queue: &Queue, heard: &Sender<(u32, Heard)>) {
    const STREAM: Stream = Stream::stdio(Flow::Input);
    let mut is_deaf = false;
    while let Some(bytes) = from.blocking_recv() {
        // Noted first, because the answer may come, and be noted, before this thread runs again.
        queue.push(STREAM, &bytes);
        if is_deaf {
            queue.wake();
            continue;
        }
        if bytes.len() > CHUNK || !transport::is_writable(&to) {
            queue.wake();
        }
        match transport::write(&to, &bytes) {
            Ok(()) => queue.wake(),
            Err((delivered, _)) => {
                is_deaf = true;
                queue.undelivered(STREAM, delivered);
                let _ = heard.blocking_send((number, Heard::Deaf));
            }
        }
    }
    drop(to);
    queue.ended(STREAM);
}

fn read(from: &File, number: u32, queue: &Queue, heard: &Sender<(u32, Heard)>) {
    const STREAM: Stream = Stream::stdio(Flow::Output);
    let mut buffer = vec![0; CHUNK];
    // A read that fails is the end of the stream as much as one that gives nothing.
    while let Ok(count @ 1..) = transport::read(from, &mut buffer) {
        queue.push(STREAM, &buffer[..count]);
        let _ = heard.blocking_send((number, Heard::Output(buffer[..count].to_vec())));
        queue.wake();
    }
    queue.ended(STREAM);
    let _ = heard.blocking_send((number, Heard::OutputEnded));
}

fn listen(from: &File, queue: &Queue, complaints: &Complaints, tell: &Tell) {
    const STREAM: Stream = Stream::stdio(Flow::Error);
    let (mut buffer, mut line) = (vec![0; CHUNK], Vec::new());
    while let Ok(count @ 1..) = transport::read(from, &mut buffer) {
        let bytes = &buffer[..count];
        queue.push(STREAM, bytes);
        queue.wake();
        complaints.add(bytes);
        lines(bytes, &mut line, &mut |text| tell(Happening::Stderr(text)));
    }
    queue.ended(STREAM);
    if !line.is_empty() {
        tell(Happening::Stderr(text(&line)));
    }
}

/// Cuts what was said into lines, at CR too, since progress bars are drawn so.
fn lines(bytes: &[u8], line: &mut Vec<u8>, take: &mut dyn FnMut(String)) {
    for &byte in bytes {
        if !matches!(byte, b'\r' | b'\n') {
            line.push(byte);
        }
        if matches!(byte, b'\r' | b'\n') && !line.is_empty() || line.len() >= LONGEST {
            take(text(line));
            line.clear();
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Complaints, KEPT, LONGEST, lines};

    #[test]
    fn stderr_is_cut_at_every_line_end_and_where_there_is_none() {
        let (mut line, mut told) = (Vec::new(), Vec::new());
        let said = ["one\r\n\ntwo", " more\r10%\r20%\n", &"x".repeat(LONGEST + 1)].concat();
        for part in said.as_bytes().chunks(7) {
            lines(part, &mut line, &mut |text| told.push(text));
        }
        assert_eq!(told[..4], ["one", "two more", "10%", "20%"]);
        assert_eq!((told.len(), told[4].len(), line.len()), (5, LONGEST, 1));
    }

    #[test]
    fn only_the_last_of_it_is_kept() {
        let complaints = Complaints::default();
        complaints.add(&vec![b'a'; 3 * KEPT]);
        complaints.add(b"the end\n");
        let text = complaints.text();
        assert!(text.ends_with("athe end") && text.len() == KEPT - 1, "{}", text.len());
    }
}
