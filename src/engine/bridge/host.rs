//! The host's side of a bridge: threads that read our input, write our output and wait for signals. They
//! block, as the streams may be pipes, files or a terminal.

use std::fs::File;
use std::io;
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

use super::driver::Sign;
use crate::transport::{self, Standard};

/// How long the host may take to read the last of what it is told.
pub const LAST: Duration = Duration::from_secs(2);
/// The most that is read at once: what a pipe holds.
const CHUNK: usize = 64 * 1024;
/// So many pieces wait for the host to read them.
const PIECES: usize = 8;

/// The ends of the host's streams.
pub struct Host {
    /// What it says; closed at its end.
    pub input: Receiver<Vec<u8>>,
    /// What it is told.
    pub output: Sender<Vec<u8>>,
    /// Signals, and that it reads no more.
    pub signs: Receiver<Sign>,
    /// Resolves when the output is closed and all of it was written.
    pub written: oneshot::Receiver<()>,
}

/// Takes the standard streams over and starts their threads.
pub fn start() -> io::Result<Host> {
    let (signs_to, signs) = channel(8);
    watch(signs_to.clone())?;
    let Standard { input: from, output: to, error: _ } = Standard::take()?;
    let (input_to, input) = channel(1);
    let (output, output_from) = channel(PIECES);
    let (done, written) = oneshot::channel();
    spawn("stdin", move || read(&from, &input_to))?;
    spawn("stdout", move || {
        write(&to, output_from, &signs_to);
        drop(to);
        // Nobody waits any more when the bridge is gone.
        let _ = done.send(());
    })?;
    Ok(Host { input, output, signs, written })
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

fn read(from: &File, to: &Sender<Vec<u8>>) {
    let mut buffer = vec![0; CHUNK];
    // A read that fails is the end of the stream as much as one that gives nothing.
    while let Ok(count @ 1..) = transport::read(from, &mut buffer) {
        if to.blocking_send(buffer[..count].to_vec()).is_err() {
            return;
        }
    }
}

fn write(to: &File, mut from: Receiver<Vec<u8>>, signs: &Sender<Sign>) {
    let mut is_gone = false;
    while let Some(bytes) = from.blocking_recv() {
        if !is_gone && transport::write(to, &bytes).is_err() {
            is_gone = true;
            let _ = signs.blocking_send(Sign::Gone);
        }
    }
}

/// Tells of the signals that ask a program to end.
#[cfg(unix)]
fn watch(signs: Sender<Sign>) -> io::Result<()> {
    /// HUP, INT, QUIT and TERM; the others that are caught are meant for a server's terminal.
    const ENDING: [i32; 4] = [1, 2, 3, 15];
    let watch = transport::watch()?;
    spawn("signals", move || {
        watch.each(&mut |noticed| match noticed {
            transport::Noticed::Signal(signal) if ENDING.contains(&signal) => signs.blocking_send(Sign::Signal).is_ok(),
            _ => true,
        });
    })
}

/// Nothing is told here: the host ends a bridge by closing its input.
#[cfg(not(unix))]
fn watch(_: Sender<Sign>) -> io::Result<()> {
    Ok(())
}
