//! The tap on stdio: starts the server, relays its streams, records them, and sees to its end.

mod control;
pub(super) mod host;
#[cfg(unix)]
pub(super) mod keeper;
pub(super) mod ladder;
pub(in crate::engine) mod naming;
mod relay;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::engine::clock::Clock;
use crate::engine::paths;
use crate::engine::record::{self, Plan, Queue, Say, Stream, secrets};
use crate::model::{Lifecycle, Nanos, Recording, Role, Transport};
use crate::transport::{self, Ending, Server, Standard};
use control::Control;

/// What a tap is asked to do.
#[derive(Debug, Clone)]
pub struct Options {
    /// What to call the server; otherwise its command says.
    pub name: Option<String>,
    /// The folder for the recording; otherwise see [`paths::folder`].
    pub recordings: Option<PathBuf>,
    /// How long the server may take to exit by itself after its input ended.
    pub grace: Duration,
    /// How many bytes of one entry are kept.
    pub max_entry: u64,
    /// Whether what looks like a secret in the command is recorded.
    pub keep_secrets: bool,
    /// The server's command with its arguments.
    pub command: Vec<OsString>,
    /// Set when this process is the one inside: who keeps it.
    pub keeper: Option<u32>,
    /// Who started the tap.
    pub host: Option<u32>,
}

/// Runs a tap until its server has ended, and exits as the server did: with its code, or by its
/// signal. `say` puts a line on stderr.
///
/// On Linux this process only keeps watch, and a second one inside does the work: whichever of them is
/// killed, the other is left to end the server and all that it started.
pub fn run(mut options: Options, say: Say) -> ExitCode {
    let is_inside = options.keeper.is_some();
    if !is_inside {
        options.host = host::parent();
    }
    let kept = if is_inside { None } else { keep(&options, &say) };
    exit(kept.unwrap_or_else(|| relay(&options, &say)))
}

#[cfg(target_os = "linux")]
fn keep(options: &Options, say: &Say) -> Option<Ending> {
    let left = "the recorder was killed, so the server was ended; its recording stops here";
    keeper::keep(keeper::tap(options)?, left, say)
}

/// Elsewhere a tap is one process.
#[cfg(not(target_os = "linux"))]
fn keep(_: &Options, _: &Say) -> Option<Ending> {
    None
}

/// Exits as the server did.
#[cfg(unix)]
pub(super) fn exit(ending: Ending) -> ExitCode {
    let code = match ending {
        Ending::Code(code) => code,
        Ending::Signal(signal) => {
            transport::die_by(signal);
            128 + signal
        }
    };
    ExitCode::from((code & 0xFF) as u8)
}

/// Exits as the server did. Codes are 32 bits wide here, which `ExitCode` cannot say.
#[cfg(windows)]
#[allow(clippy::disallowed_methods)]
pub(super) fn exit(ending: Ending) -> ExitCode {
    let (Ending::Code(code) | Ending::Signal(code)) = ending;
    std::process::exit(code)
}

fn relay(options: &Options, say: &Say) -> Ending {
    transport::guard();
    if let Some(keeper) = options.keeper {
        transport::leave();
        if !transport::keeper_is(keeper) {
            return Ending::Code(1);
        }
    }
    // Before the server starts, so that its end is not missed.
    #[cfg(unix)]
    let watch = match transport::watch() {
        Ok(watch) => watch,
        Err(error) => return refuse(say, &format!("failed to watch signals: {error}"), 1),
    };
    #[cfg(not(unix))]
    let watch = ();
    let started = Server::start(&options.command);
    let queue = Arc::new(Queue::new(record::ROOM, Clock::start()));
    let recorder = start_recorder(options, &queue, say);
    let ending = match started {
        Ok(server) => {
            queue.happened(Stream::STDIO, Lifecycle::Spawned { pid: server.pid });
            serve(server, watch, &queue, options, say)
        }
        Err(error) => {
            queue.happened(Stream::STDIO, Lifecycle::SpawnFailed { why: error.to_string() });
            refuse(say, &format!("failed to {error}"), error.code())
        }
    };
    queue.close();
    if let Some(recorder) = recorder {
        // If it panicked, that was said on stderr.
        let _ = recorder.join();
    }
    ending
}

/// What tells of signals and of the ends of processes.
#[cfg(unix)]
type Watch = transport::Watch;
/// Nothing does here: a thread waits for the server.
#[cfg(not(unix))]
type Watch = ();

/// Starts the recorder. Without it traffic goes on all the same.
fn start_recorder(options: &Options, queue: &Arc<Queue>, say: &Say) -> Option<JoinHandle<()>> {
    let started = record::start(Arc::clone(queue), plan(options, queue.now()), Arc::clone(say));
    if let Err(error) = &started {
        queue.close();
        say(&format!("failed to start a thread for the recording: {error}; traffic goes on without one"));
    }
    started.ok()
}

/// Relays the server's streams until it has ended.
fn serve(server: Server, watch: Watch, queue: &Arc<Queue>, options: &Options, say: &Say) -> Ending {
    let control = Standard::take().and_then(|standard| {
        let control = Control::start(server, standard, queue, options)?;
        control.watch(watch)?;
        Ok(control)
    });
    match control {
        Ok(control) => control.run(&options.command, say),
        Err(error) => {
            transport::end_descendants(false);
            refuse(say, &format!("failed to relay the server's streams: {error}"), 1)
        }
    }
}

fn refuse(say: &Say, why: &str, code: i32) -> Ending {
    say(why);
    Ending::Code(code)
}

/// What the recorder needs to know, put together on its own thread.
fn plan(options: &Options, started: Nanos) -> impl FnOnce() -> Plan + Send + 'static {
    let options = options.clone();
    move || {
        let command: Vec<String> = options.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let name = options.name.clone().unwrap_or_else(|| naming::of(&command));
        let (command, left_out) = if options.keep_secrets { (command, 0) } else { secrets::mask(&command) };
        let facts = Recording {
            name,
            role: Role::Tap,
            transport: Transport::Stdio,
            command,
            left_out,
            url: None,
            directory: std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned()),
            host: options.host.map(host::describe),
            recorder: std::process::id(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            started,
            ended: None,
            lost: 0,
        };
        let folder = paths::folder(options.recordings.as_deref()).map_err(|error| error.to_string());
        Plan { folder, facts, max_entry: options.max_entry, keep_secrets: options.keep_secrets }
    }
}
