//! Signals to us and to others, and the ends of our children. Unix only.
//!
//! As a subreaper we are handed orphans that we never started; all are reaped here by process id, so
//! that nobody's status is taken by somebody else's wait.

use std::collections::HashSet;
use std::io;

use rustix::process::{Pid, Signal, WaitOptions};
use signal_hook::consts::signal::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};
use signal_hook::iterator::Signals;

use super::process::Ending;

/// The signals that are passed on to the server.
const PASSED: [i32; 7] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH];

/// What a watcher noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noticed {
    /// Somebody sent us this signal.
    Signal(i32),
    /// A child of ours, started or adopted, ended.
    Ended(u32, Ending),
}

/// Signals that wait to be noticed.
pub struct Watch(Signals);

/// Begins to catch the signals that are passed on, and the ends of children. Signals that we were
/// started to ignore (`nohup`) stay ignored, here and in the server.
pub fn watch() -> io::Result<Watch> {
    let ignored = ignored();
    let wanted = PASSED.into_iter().filter(|signal| !ignored.contains(signal));
    Signals::new(wanted.chain([SIGCHLD])).map(Watch)
}

impl Watch {
    /// Waits, and hands over whatever is noticed until `take` says `false`.
    pub fn each(mut self, take: &mut dyn FnMut(Noticed) -> bool) {
        for signal in self.0.forever() {
            let goes_on = if signal == SIGCHLD {
                reap().into_iter().all(|(pid, ending)| take(Noticed::Ended(pid, ending)))
            } else {
                take(Noticed::Signal(signal))
            };
            if !goes_on {
                return;
            }
        }
    }
}

/// Calls `told` on a thread of its own for each signal that asks a program to end (HUP, INT, QUIT, TERM), as long as
/// it says `true`. Children are left to those who started them.
pub fn on_interrupt(mut told: impl FnMut() -> bool + Send + 'static) -> io::Result<()> {
    let ignored = ignored();
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|it| !ignored.contains(it)))?;
    let work = move || {
        for _ in signals.forever() {
            if !told() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(work).map(drop)
}

/// The signals that are ignored, from `/proc`; none where there is no `/proc`.
fn ignored() -> HashSet<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}

/// Takes the status of every child that has ended.
pub fn reap() -> Vec<(u32, Ending)> {
    let mut ended = Vec::new();
    while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
        let ending = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Ending::Code(code),
            (None, Some(signal)) => Ending::Signal(signal),
            (None, None) => continue,
        };
        ended.push((pid.as_raw_nonzero().get().unsigned_abs(), ending));
    }
    ended
}

/// Waits until a child of ours has ended; `None` when it is none, or somebody else took its status.
pub fn wait_for(pid: u32) -> Option<Ending> {
    let pid = Pid::from_raw(pid as i32)?;
    loop {
        match rustix::process::waitpid(Some(pid), WaitOptions::empty()) {
            Ok(Some((_, status))) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => return Some(Ending::Code(code)),
                (None, Some(signal)) => return Some(Ending::Signal(signal)),
                (None, None) => {}
            },
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// Sends a signal to one process; that it is gone already is no error.
pub fn send(pid: u32, signal: i32) {
    if let (Some(pid), Some(signal)) = (Pid::from_raw(pid as i32), Signal::from_named_raw(signal)) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// Sends a signal to a process group; that it is gone already is no error.
pub fn send_group(leader: u32, signal: i32) {
    if let (Some(pid), Some(signal)) = (Pid::from_raw(leader as i32), Signal::from_named_raw(signal)) {
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}

/// Ends this process by `signal`, as its server was, without leaving a core file of our own. Comes
/// back only when the signal does not end a process.
pub fn die_by(signal: i32) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}
