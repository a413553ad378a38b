//! An HTTP tap as a program: until a signal ends it, or until the command that was started behind it has
//! ended. Processes and signals only; what is relayed is not seen here.

use std::ffi::OsString;
use std::process::ExitCode;

use super::options::Options;
#[cfg(not(unix))]
use super::running::Running;
use super::running::start;
use crate::engine::record::Say;

/// Runs the tap until a signal ends it.
pub fn until_signal(options: Options, say: &Say) -> ExitCode {
    // Before anything is started, so that no signal is missed.
    #[cfg(unix)]
    let watch = match crate::transport::watch() {
        Ok(watch) => watch,
        Err(error) => {
            say(&format!("failed to watch signals: {error}"));
            return ExitCode::from(2);
        }
    };
    let running = match start(options, say.clone()) {
        Ok(running) => running,
        Err(error) => {
            say(&format!("failed to {error}"));
            return ExitCode::from(2);
        }
    };
    #[cfg(unix)]
    watch.each(&mut |noticed| !ends(noticed));
    #[cfg(not(unix))]
    wait(&running);
    running.stop();
    ExitCode::SUCCESS
}

/// Whether somebody asks for the end.
#[cfg(unix)]
const fn ends(noticed: crate::transport::Noticed) -> bool {
    const ENDS: [i32; 4] = [1, 2, 3, 15];
    matches!(noticed, crate::transport::Noticed::Signal(signal) if signal == ENDS[0] || signal == ENDS[1] || signal == ENDS[2] || signal == ENDS[3])
}

/// Until the process is ended from outside: its recording is whole at any time.
#[cfg(not(unix))]
fn wait(running: &Running) {
    while running.is_running() {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}

/// Runs the tap while `command` runs as its client, and exits as that did.
pub fn run(options: Options, command: &[OsString], say: &Say) -> ExitCode {
    let _ = (options, command);
    say("a command behind --forward cannot be started yet");
    ExitCode::from(2)
}
