//! A session of our client: who asks something of it, what it records, and its end in order.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;
use std::time::Duration;

use super::driver::Driver;
use super::environment::Variables;
use super::http::Remote;
use super::link::Link;
use super::stdio::Pipes;
use super::substitute::Sources;
use super::{Happening, Options, StartError, Tell, Way, facts};
use crate::engine::clock::Clock;
use crate::engine::desk::Desk;
use crate::engine::paths;
use crate::engine::record::{self, Plan, Queue, Say, Stream};
use crate::model::Lifecycle;
use crate::peer::client::{self, Client, Order, State, Told};
use crate::transport::Launch;

/// How long the recorder may take to begin its file before the session goes on without knowing which it is.
const BEGINNING: Duration = Duration::from_secs(2);

/// A session that was started. Dropping it ends it in order, like [`Session::stop`].
pub struct Session {
    recording: Option<PathBuf>,
    desk: Arc<Desk<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Asks for something; never waits. `false` when the session is over, or when so many orders wait that no more are
    /// taken (10,000).
    pub fn order(&self, order: Order) -> bool {
        self.desk.order(order)
    }

    /// The file that it records into; `None` when it cannot be recorded, which was said.
    pub fn recording(&self) -> Option<PathBuf> {
        self.recording.clone()
    }

    /// Whether it is not over: the link is open, or being closed in order.
    pub fn is_running(&self) -> bool {
        !self.desk.is_over()
    }

    /// Begins its end, like [`Order::Close`]. Never waits.
    pub fn close(&self) {
        self.desk.stop();
    }

    /// Shortens the end that is under way, or begins it, without grace: for the second Ctrl+C. Never waits.
    pub fn hurry(&self) {
        self.desk.hurry();
    }

    /// Ends it in order and waits for that: at the most the grace and a few seconds.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.desk.stop();
        if let Some(thread) = self.thread.take() {
            // If it panicked, that was said on stderr.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("recording", &self.recording).finish_non_exhaustive()
    }
}

/// Starts a session: begins the recording, starts the server or stands ready for it, and opens. What comes of it is
/// told; a server that cannot be started or reached is told as [`State::Closed`], so that the recording says it too.
/// `say` puts a line before whoever started it: troubles of the recording.
pub fn start(options: Options, tell: Tell, say: Say) -> Result<Session, StartError> {
    let queue = Arc::new(Queue::new(record::ROOM, Clock::start()));
    let facts = facts::of(&options, queue.now());
    let (recordings, max_entry, keep_secrets) = (options.recordings.clone(), options.max_entry, options.keep_secrets);
    let plan = move || {
        let folder = paths::folder(recordings.as_deref()).map_err(|error| error.to_string());
        Plan { folder, facts, max_entry, keep_secrets }
    };
    let (made, file) = sync_channel(1);
    let made = move |path| drop(made.send(path));
    let recorder = record::start_and_name(Arc::clone(&queue), plan, say, made).map_err(StartError::Threads)?;
    let recording = file.recv_timeout(BEGINNING).ok();
    let desk = Arc::new(Desk::default());
    let work = Work { options, desk: Arc::clone(&desk), queue: Arc::clone(&queue), tell };
    let notes = Arc::clone(&queue);
    let thread = std::thread::Builder::new().name("client".to_owned()).spawn(move || {
        let _closes = Closes(Arc::clone(&work.desk));
        work.run();
        notes.close();
        // If it panicked, that was said on stderr.
        let _ = recorder.join();
    });
    let thread = thread.map_err(|error| {
        queue.close();
        StartError::Threads(error)
    })?;
    Ok(Session { recording, desk, thread: Some(thread) })
}

/// Says that the session is over when its thread has ended, even by a panic.
struct Closes(Arc<Desk<Order>>);

impl Drop for Closes {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// What the thread of a session needs.
struct Work {
    options: Options,
    desk: Arc<Desk<Order>>,
    queue: Arc<Queue>,
    tell: Tell,
}

impl Work {
    fn run(self) {
        // Before anything asynchronous runs: the keychain may ask a person.
        let link = match self.link() {
            Ok(link) => link,
            Err(why) => return self.fail(&why),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return self.fail(&format!("start the client: {error}")),
        };
        let kind = match link {
            Link::Pipes(_) => client::Link::Stdio,
            Link::Remote(_) => client::Link::Http,
        };
        let client = Client::new(self.options.settings, kind);
        runtime.block_on(Driver::new(client, link, self.desk, self.queue, self.tell).run());
        runtime.shutdown_background();
    }

    /// What carries the session; an error fits after "failed to".
    fn link(&self) -> Result<Link, String> {
        let target = &self.options.target;
        match &target.filled(&Sources::system())? {
            Way::Command { command, folder, environment } => {
                let variables = Variables::of(environment, std::env::vars_os(), &Sources::system())?;
                (self.tell)(Happening::Environment(variables.shown()));
                let launch = Launch {
                    command: command.iter().map(Into::into).collect(),
                    folder: folder.clone(),
                    environment: Some(variables.given()),
                };
                let words = facts::shown(target);
                let pipes = Pipes::new(launch, words, self.options.grace, &self.queue, &self.tell);
                Ok(Link::Pipes(Box::new(pipes)))
            }
            Way::Url { url, headers, trust } => Remote::new(url, headers, trust, &Sources::system(), &self.queue)
                .map(|remote| Link::Remote(Box::new(remote))),
        }
    }

    /// Nothing was begun.
    fn fail(&self, why: &str) {
        let is_stdio = matches!(self.options.target.way, Way::Command { .. });
        let place = if is_stdio { Stream::STDIO } else { Stream::WHOLE };
        self.queue.happened(place, Lifecycle::SpawnFailed { why: why.to_owned() });
        let state = State::Closed { why: format!("failed to {why}"), failed: true };
        (self.tell)(Happening::Told(Told::State(state)));
    }
}
