//! An HTTP tap at work: its threads, its recorder, and its end in order.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::forward::Rules;
use super::options::{Mode, Options, ServeTls};
use super::plan::{Outline, masked};
use super::secure::Identity;
use super::site::Endpoints;
use super::tap::{Role, Tap};
use super::{StartError, listener};
use crate::engine::clock::Clock;
use crate::engine::doors::Doors;
use crate::engine::paths;
use crate::engine::record::{self, Plan, Queue, Say, Stream};
use crate::engine::tap::host;
use crate::model::{Lifecycle, Recording};
use crate::transport::http::{Connector, Proxies};

/// What relays: most of the time is spent in the system.
const THREADS: usize = 2;
/// How long open exchanges have to be noted as stopped.
const PATIENCE: Duration = Duration::from_secs(2);

/// A tap that was started. It goes on until it is stopped or dropped.
pub struct Running {
    url: String,
    recording: Option<PathBuf>,
    queue: Arc<Queue>,
    recorder: Option<JoinHandle<()>>,
    runtime: Option<Runtime>,
    listening: tokio::task::JoinHandle<()>,
    stop: watch::Sender<bool>,
    identity: Arc<Identity>,
    last: Arc<AtomicU32>,
    /// Ends when nobody is served any more.
    busy: mpsc::Receiver<()>,
}

impl Running {
    /// What a client is to be pointed at: the tap's origin with the path of the upstream's URL; for a
    /// forward proxy, the proxy's URL.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// The file that it records into; `None` when there is no folder for it.
    pub fn recording(&self) -> Option<PathBuf> {
        self.recording.clone()
    }

    /// What clients must be given to trust the certificates that it shows.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// How many requests were recorded so far.
    pub fn requests(&self) -> u32 {
        self.last.load(Ordering::Relaxed)
    }

    /// Whether it still listens.
    pub fn is_running(&self) -> bool {
        !self.listening.is_finished()
    }

    /// Ends it in order: open exchanges are recorded as stopped, the recording is closed.
    pub fn stop(self) {
        drop(self);
    }

    fn end(&mut self) {
        // Nobody listens when the tap has ended by itself.
        let _ = self.stop.send(true);
        if let Some(runtime) = self.runtime.take() {
            let gone = async { timeout(PATIENCE, self.busy.recv()).await };
            let _ = runtime.block_on(gone);
            runtime.shutdown_timeout(PATIENCE);
        }
        self.queue.close();
        if let Some(recorder) = self.recorder.take() {
            // If it panicked, that was said.
            let _ = recorder.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("url", &self.url).field("recording", &self.recording).finish_non_exhaustive()
    }
}

/// Starts an HTTP tap, and comes back once it listens. `say` puts a line before whoever started it.
pub fn start(options: Options, say: Say) -> Result<Running, StartError> {
    let outline = Outline::of(&options)?;
    let identity = Arc::new(Identity::of(&options)?);
    let connector = Connector::new(&options.trust, Proxies::from_env())?;
    let runtime = Builder::new_multi_thread().worker_threads(THREADS).thread_name("http").enable_all().build();
    let runtime = runtime.map_err(StartError::Threads)?;
    let listen = |why: String| StartError::Listen { listen: options.listen.clone(), why };
    let bound = runtime.block_on(listener::bind(&outline.addresses));
    let listener = bound.map_err(|error| listen(format!("{error}; choose another port, or 0 for any free one")))?;
    let address = listener.local_addr().map_err(|error| listen(error.to_string()))?;
    let scheme = if options.serve_tls == ServeTls::No { "http" } else { "https" };
    let host = if address.ip().is_unspecified() { "127.0.0.1".to_owned() } else { host_in_url(address.ip()) };
    let ours = format!("{scheme}://{host}:{}", address.port());

    let queue = Arc::new(Queue::new(record::ROOM, Clock::start()));
    let parent = if options.keeper.is_some() { None } else { host::parent() };
    let facts = outline.facts(queue.now(), parent.map(host::describe));
    let recording = paths::folder(options.recordings.as_deref())
        .ok()
        .map(|folder| folder.join(paths::file_name(facts.started, &facts.name, facts.recorder)));
    let recorder =
        record::start(Arc::clone(&queue), plan(&options, facts), Arc::clone(&say)).map_err(StartError::Threads)?;
    let url = format!("{ours}{}", outline.path);
    queue.happened(Stream::WHOLE, Lifecycle::Listening { url: masked(&url, options.keep_secrets) });
    announce(&options, &outline, &url, &say);
    if let Some(advice) = identity.advice(options.has_command) {
        say(&advice);
    }

    let role = match (&outline.site, &options.mode) {
        (Some(site), _) => Role::Reverse(Arc::clone(site)),
        (None, Mode::Forward { only }) => Role::Forward(Rules::new(only)),
        (None, Mode::Reverse { .. }) => Role::Forward(Rules::default()),
    };
    let doors = Doors {
        port: address.port(),
        allow_remote: options.allow_remote,
        origins: options.allow_origins,
        remedy: "start the tap with --allow-origin",
    };
    let last = Arc::default();
    let tap = Arc::new(Tap {
        queue: Arc::clone(&queue),
        connector,
        role,
        identity: Arc::clone(&identity),
        doors,
        headers: outline.headers,
        endpoints: Arc::new(Endpoints::default()),
        say,
        last: Arc::clone(&last),
        told_of_oauth: AtomicBool::new(false),
    });
    let (stop, stopped) = watch::channel(false);
    let (held, busy) = mpsc::channel(1);
    let listening = runtime.spawn(listener::serve(listener, tap, stopped, held));
    Ok(Running {
        url,
        recording,
        queue,
        recorder: Some(recorder),
        runtime: Some(runtime),
        listening,
        stop,
        busy,
        identity,
        last,
    })
}

/// Says where it listens, and what somebody should know of that.
fn announce(options: &Options, outline: &Outline, url: &str, say: &Say) {
    match &outline.url {
        Some(upstream) => say(&format!("listening at {url} for {upstream}")),
        None => say(&format!("listening at {url} as a proxy")),
    }
    if outline.addresses.iter().any(|address| !address.ip().is_loopback()) {
        say("anybody who can reach this port can use the server, with the credentials that midwire adds");
    }
    if options.allow_origins.iter().any(|origin| origin == "*") {
        say("pages of every origin may use the server: any web site that is open in a browser here can");
    }
}

/// What the recorder needs to know, put together on its own thread.
fn plan(options: &Options, facts: Recording) -> impl FnOnce() -> Plan + Send + 'static {
    let (recordings, max_entry, keep_secrets) = (options.recordings.clone(), options.max_entry, options.keep_secrets);
    move || {
        let folder = paths::folder(recordings.as_deref()).map_err(|error| error.to_string());
        Plan { folder, facts, max_entry, keep_secrets }
    }
}

fn host_in_url(address: std::net::IpAddr) -> String {
    match address {
        std::net::IpAddr::V4(address) => address.to_string(),
        std::net::IpAddr::V6(address) => format!("[{address}]"),
    }
}
