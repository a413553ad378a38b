//! A server at work: who orders something of it, what it records, and its end in order.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::{mpsc, watch};

use super::adding::Adding;
use super::driver::{Driver, Gate};
use super::front::Carrier;
use super::http::{self, Bound, Hall, Site};
use super::hub::Hub;
use super::passing::Passing;
use super::reload::Reload;
use super::stdio::{self, Stdout};
use super::{Front, Happening, Options, StartError, Tell, facts, random, source};
use crate::engine::clock::Clock;
use crate::engine::desk::Desk;
use crate::engine::doors::Doors;
use crate::engine::paths;
use crate::engine::record::{self, Plan, Queue, Say, Stream};
use crate::model::{Lifecycle, Recording};
use crate::peer::server::{Order, Script, Server};
use crate::transport::Standard;

/// How long the recorder may take to begin its file before the server goes on without knowing which it is.
const BEGINNING: Duration = Duration::from_secs(2);

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
/// told. `say` puts a line before whoever started it: troubles of the recording, what the mock says on stderr over HTTP.
pub fn start(options: Options, tell: Tell, say: Say) -> Result<Running, StartError> {
    let (pace, has_real) = (options.settings.pace, options.real.is_some());
    let read = source::read(&options.source, &options.matching, pace, has_real).map_err(StartError::Source)?;
    begin(options, read, tell, say)
}

/// The same with these answers, whatever the source says; they are told as having `words`.
pub fn start_with(
    options: Options,
    script: Box<dyn Script>,
    words: &str,
    tell: Tell,
    say: Say,
) -> Result<Running, StartError> {
    begin(options, source::Read { script, words: words.to_owned(), adding: None }, tell, say)
}

fn begin(options: Options, read: source::Read, tell: Tell, say: Say) -> Result<Running, StartError> {
    let source::Read { script, words, adding } = read;
    let seed = random().map_err(StartError::Random)?;
    let queue = Arc::new(Queue::new(record::ROOM, Clock::start()));
    let door = Door::open(&options.front)?;
    let url = door.url();
    let facts = facts::of(&options, script.as_ref(), url.as_deref(), queue.now());
    let (recorder, recording) = record(&options, facts, &queue, Arc::clone(&say))?;
    if let Some(url) = &url {
        queue.happened(Stream::WHOLE, Lifecycle::Listening { url: url.clone() });
    }
    tell(Happening::Source(Ok(words)));
    tell(Happening::Lists(source::lists(script.as_ref())));
    let server = Server::new(options.settings.clone(), script, seed);
    let desk = Arc::new(Desk::default());
    let adding = adding.filter(|_| options.real.is_some());
    let work = Work { options, adding, door, server, tell, say, queue: Arc::clone(&queue), desk: Arc::clone(&desk) };
    let notes = Arc::clone(&queue);
    let thread = std::thread::Builder::new().name("serve".to_owned()).spawn(move || {
        let _closes = Closes(Arc::clone(&work.desk));
        let code = work.run();
        notes.close();
        // If it panicked, that was said on stderr.
        let _ = recorder.join();
        code
    });
    let thread = thread.map_err(|error| {
        queue.close();
        StartError::Threads(error)
    })?;
    Ok(Running { url, recording, desk, thread: Mutex::new(Some(thread)) })
}

/// Starts the recorder; the file that it begins, where it can.
fn record(
    options: &Options,
    facts: Recording,
    queue: &Arc<Queue>,
    say: Say,
) -> Result<(JoinHandle<()>, Option<PathBuf>), StartError> {
    let (recordings, max_entry, keep_secrets) = (options.recordings.clone(), options.max_entry, options.keep_secrets);
    let plan = move || {
        let folder = paths::folder(recordings.as_deref()).map_err(|error| error.to_string());
        Plan { folder, facts, max_entry, keep_secrets }
    };
    let (made, file) = sync_channel(1);
    let made = move |path| drop(made.send(path));
    let recorder = record::start_and_name(Arc::clone(queue), plan, say, made).map_err(StartError::Threads)?;
    Ok((recorder, file.recv_timeout(BEGINNING).ok()))
}

/// Says that the server is over when its thread has ended, even by a panic.
struct Closes(Arc<Desk<Order>>);

impl Drop for Closes {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Where clients will come in.
enum Door {
    Stdio(Standard),
    Http(Bound, String),
}

impl Door {
    fn open(front: &Front) -> Result<Self, StartError> {
        match front {
            Front::Stdio => stdio::streams().map(Self::Stdio).map_err(StartError::Streams),
            Front::Http { listen, path, .. } => {
                let fault = |why| StartError::Path { path: path.clone(), why };
                if !path.starts_with('/') {
                    return Err(fault("it does not begin with a slash"));
                }
                if !path.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'?' | b'#')) {
                    return Err(fault("only visible ASCII without ? and # can stand in it"));
                }
                Ok(Self::Http(http::bind(listen)?, path.clone()))
            }
        }
    }

    fn url(&self) -> Option<String> {
        match self {
            Self::Stdio(_) => None,
            Self::Http(bound, path) => Some(format!("{}{path}", bound.origin)),
        }
    }
}

/// What the thread of a server needs.
struct Work {
    options: Options,
    adding: Option<Adding>,
    door: Door,
    server: Server,
    tell: Tell,
    say: Say,
    queue: Arc<Queue>,
    desk: Arc<Desk<Order>>,
}

impl Work {
    fn run(mut self) -> i32 {
        let tell = Arc::clone(&self.tell);
        let fail = |error: std::io::Error| {
            tell(Happening::Over(format!("failed to start the server: {error}")));
            1
        };
        let runtime = match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return fail(error),
        };
        let reload = Reload::of(&self.options.source);
        let passing = Passing::new(&self.options, Arc::clone(&self.say));
        let (desk, adding) = (Arc::clone(&self.desk), self.adding.take());
        let code = match runtime.block_on(async { self.open() }) {
            Ok((hub, gate)) => runtime.block_on(Driver { hub, desk, reload, passing, adding, gate }.run()),
            Err(error) => fail(error),
        };
        runtime.shutdown_background();
        code
    }

    /// Lets clients in.
    fn open(self) -> std::io::Result<(Arc<Hub>, Gate)> {
        match self.door {
            Door::Stdio(Standard { input, output, error }) => {
                let stdout = Arc::new(Stdout::new(error, Arc::clone(&self.queue)));
                let carrier = Carrier::Stdio(Arc::clone(&stdout));
                let hub = Arc::new(Hub::new(self.server, carrier, self.tell, self.queue));
                stdio::start(input, output, Arc::clone(&stdout), Arc::clone(&hub))?;
                Ok((hub, Gate::Stdio(stdout)))
            }
            Door::Http(bound, path) => {
                let carrier = Carrier::Http(Hall::default(), self.say);
                let hub = Arc::new(Hub::new(self.server, carrier, self.tell, self.queue));
                let site = Arc::new(site(&self.options.front, Arc::clone(&hub), path, bound.port));
                let (stop, stopped) = watch::channel(false);
                let (held, busy) = mpsc::channel(1);
                tokio::spawn(http::serve(bound.socket, site, stopped, held));
                Ok((hub, Gate::Http(stop, busy)))
            }
        }
    }
}

fn site(front: &Front, hub: Arc<Hub>, path: String, port: u16) -> Site {
    let (sse, sessions, json) = match front {
        Front::Http { sse, sessions, json, .. } => (*sse, *sessions, *json),
        Front::Stdio => (false, false, false),
    };
    let doors = Doors { port, allow_remote: false, origins: Vec::new(), remedy: "" };
    Site { hub, doors, path, sse, sessions, json, last: AtomicU32::new(0), held: AtomicUsize::new(0) }
}
