//! An HTTP tap as a program: until a signal ends it, or until the client that was started with it has
//! ended. Processes and signals only; what is relayed is not seen here.

use std::ffi::OsString;
use std::process::ExitCode;

use super::StartError;
use super::environment::{self, Variables};
use super::options::Options;
use super::running::{Running, start};
use crate::engine::record::Say;
use crate::engine::tap;
#[cfg(unix)]
use crate::transport::Noticed;
use crate::transport::{self, Ending};

/// Runs the tap until a signal ends it.
pub fn until_signal(options: Options, say: &Say) -> ExitCode {
    // Before anything is started, so that no signal is missed.
    #[cfg(unix)]
    let watch = match transport::watch() {
        Ok(watch) => watch,
        Err(error) => return refuse(say, &format!("failed to watch signals: {error}")),
    };
    let running = match start(options, say.clone()) {
        Ok(running) => running,
        Err(error) => return refuse(say, &format!("failed to {error}")),
    };
    #[cfg(unix)]
    watch.each(&mut |noticed| !matches!(noticed, Noticed::Signal(HUP | INT | QUIT | TERM)));
    // Its recording is whole at any time, so that it may be ended from outside.
    #[cfg(not(unix))]
    while running.is_running() {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    running.stop();
    ExitCode::SUCCESS
}

#[cfg(unix)]
const HUP: i32 = 1;
#[cfg(unix)]
const INT: i32 = 2;
#[cfg(unix)]
const QUIT: i32 = 3;
#[cfg(unix)]
const TERM: i32 = 15;

/// Runs the tap while `command` runs as its client, and exits as that did.
///
/// As with a server on stdio, a process outside keeps watch on Linux, so that no client outlives midwire.
pub fn run(mut options: Options, command: &[OsString], say: &Say) -> ExitCode {
    options.has_command = true;
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    options.name.get_or_insert_with(|| tap::naming::of(&words));
    let kept = if options.keeper.is_some() { None } else { keep(say) };
    match kept {
        Some(ending) => tap::exit(ending),
        None => with_client(options, command, say),
    }
}

#[cfg(target_os = "linux")]
fn keep(say: &Say) -> Option<Ending> {
    let mut inside = tap::keeper::again()?;
    inside.args(std::env::args_os().skip(2));
    tap::keeper::keep(inside, "midwire was killed, so the client was ended; its recording stops here", say)
}

/// Elsewhere a tap is one process.
#[cfg(not(target_os = "linux"))]
fn keep(_: &Say) -> Option<Ending> {
    None
}

#[cfg(unix)]
fn with_client(options: Options, command: &[OsString], say: &Say) -> ExitCode {
    let keeper = options.keeper;
    transport::guard();
    if let Some(keeper) = keeper {
        transport::leave();
        if !transport::keeper_is(keeper) {
            return ExitCode::FAILURE;
        }
    }
    let watch = match transport::watch() {
        Ok(watch) => watch,
        Err(error) => return refuse(say, &format!("failed to watch signals: {error}")),
    };
    let (running, set) = match begin(options, say) {
        Ok(begun) => begun,
        Err(error) => return refuse(say, &format!("failed to {error}")),
    };
    let client = match transport::start_client(command, &set) {
        Ok(client) => client,
        Err(error) => {
            running.stop();
            say(&format!("failed to {error}"));
            return ExitCode::from(error.code() as u8);
        }
    };
    let ending = attend(client, watch, keeper);
    transport::end_descendants(true);
    end(running, say);
    tap::exit(ending)
}

/// Starts the tap, and says what is to be set for the client.
fn begin(options: Options, say: &Say) -> Result<(Running, Variables), StartError> {
    let also = options.trust.ca.clone();
    let running = start(options, say.clone())?;
    let set = environment::of(&running, also)?;
    Ok((running, set))
}

/// Ends the tap, and tells who looks into an empty recording why it is empty.
fn end(running: Running, say: &Say) {
    let requests = running.requests();
    running.stop();
    if requests == 0 {
        say("nothing came through that was to be recorded: the client may not have used the proxy.\n\
             Node heeds HTTP_PROXY from 22.21 and 24.5 on; some programs have a setting for proxies of their own");
    }
}

/// Waits for the client's end, and passes signals on to it.
#[cfg(unix)]
fn attend(client: u32, watch: transport::Watch, keeper: Option<u32>) -> Ending {
    use std::io::IsTerminal;

    // A terminal gives its signals to everybody in the foreground, the client among them.
    let at_terminal = std::io::stdin().is_terminal();
    let mut ending = Ending::Signal(9);
    watch.each(&mut |noticed| match noticed {
        Noticed::Ended(pid, how) if pid == client => {
            ending = how;
            false
        }
        Noticed::Ended(..) => true,
        // Our keeper was killed, and nobody is left to end the client but us.
        Noticed::Signal(_) if keeper.is_some_and(|keeper| !transport::keeper_is(keeper)) => {
            transport::end_descendants(false);
            false
        }
        Noticed::Signal(signal) => {
            if !(at_terminal && tap::keeper::KEYS.contains(&signal)) {
                transport::send(client, signal);
            }
            true
        }
    });
    ending
}

#[cfg(not(unix))]
fn with_client(options: Options, command: &[OsString], say: &Say) -> ExitCode {
    let (running, set) = match begin(options, say) {
        Ok(begun) => begun,
        Err(error) => return refuse(say, &format!("failed to {error}")),
    };
    match transport::run_client(command, &set) {
        Ok(ending) => {
            end(running, say);
            tap::exit(ending)
        }
        Err(error) => {
            say(&format!("failed to {error}"));
            ExitCode::from(error.code() as u8)
        }
    }
}

fn refuse(say: &Say, why: &str) -> ExitCode {
    say(why);
    ExitCode::from(2)
}
