//! A server at work: who orders something of it, what it records, and its end in order.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::{Options, StartError, Tell};
use crate::engine::Say;
use crate::engine::desk::Desk;
use crate::peer::server::Order;

/// A server that was started. It goes on until its front ends (the end of stdin), it is stopped or dropped.
pub struct Running {
    url: Option<String>,
    recording: Option<PathBuf>,
    desk: Arc<Desk<Order>>,
    /// Its exit code comes out of it.
    thread: Mutex<Option<JoinHandle<i32>>>,
}

impl Running {
    /// Asks for something; never waits. `false` when it is over, or when so many orders wait that no more are taken
    /// (10,000).
    pub fn order(&self, order: Order) -> bool {
        self.desk.order(order)
    }

    /// What a client is to be pointed at; nothing on stdio.
    pub fn url(&self) -> Option<String> {
        self.url.clone()
    }

    /// The file that it records into; `None` when it cannot be recorded, which was said.
    pub fn recording(&self) -> Option<PathBuf> {
        self.recording.clone()
    }

    /// Whether it is not over.
    pub fn is_running(&self) -> bool {
        !self.desk.is_over()
    }

    /// Begins its end in order: who listens is told, what is under way breaks off. Never waits.
    pub fn stop(&self) {
        self.desk.stop();
    }

    /// Waits until it is over, and says with which code the program is to exit: that of
    /// [`Do::Exit`](crate::peer::server::Do::Exit), otherwise 0. Whoever waits second gets 0.
    pub fn wait(&self) -> i32 {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // If it panicked, that was said on stderr.
        thread.and_then(|thread| thread.join().ok()).unwrap_or(0)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("url", &self.url).field("recording", &self.recording).finish_non_exhaustive()
    }
}

/// Starts a server: reads its source, begins the recording, and comes back once it can be spoken to. What comes of it is
/// told. `say` puts a line before whoever started it: where it listens, troubles of the recording.
pub fn start(options: Options, tell: Tell, say: Say) -> Result<Running, StartError> {
    let desk = Arc::new(Desk::default());
    let work = (options, tell, say, Arc::clone(&desk));
    let thread = std::thread::Builder::new().name("serve".to_owned()).spawn(move || {
        drop(work);
        0
    });
    let thread = thread.map_err(StartError::Threads)?;
    Ok(Running { url: None, recording: None, desk, thread: Mutex::new(Some(thread)) })
}
