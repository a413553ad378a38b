//! The two processes between midwire and a server that its client starts, on Linux. Both are subreapers, each dies with
//! the one above it, and whatever the server started ends with them: so nothing is left, whichever of them or midwire is
//! killed with -9. They touch no byte: the server has midwire's pipes themselves.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::record::Say;

/// Whether this program is midwire, so that it can be started again as a keeper. Tests of the library are not.
static IS_MIDWIRE: AtomicBool = AtomicBool::new(false);

/// Says that this program reads midwire's command line.
pub fn is_midwire() {
    IS_MIDWIRE.store(true, Ordering::Relaxed);
}

/// Whether servers are started with a keeper.
pub(super) fn is_possible() -> bool {
    cfg!(target_os = "linux") && IS_MIDWIRE.load(Ordering::Relaxed)
}

/// What a keeper is told by the midwire that starts it.
#[derive(Debug, Clone)]
pub struct Keep {
    /// Process id of midwire.
    pub by: u32,
    /// Whether this is the inner one.
    pub inside: bool,
    /// Where to report: `pid N` of the server or `failed` and why, and at the end `swept` with process ids.
    pub report: PathBuf,
    /// The server's command.
    pub command: Vec<OsString>,
}

/// Starts the server and keeps it until it has ended; exits as it did. `say` is for what has no other place.
#[cfg(target_os = "linux")]
pub fn keep(keep: &Keep, say: &Say) -> ExitCode {
    use crate::transport;

    transport::guard();
    transport::leave();
    if keep.inside { inside(keep, say) } else { outside(keep, say) }
}

/// The outer process, which starts the inner one and exits as that does.
#[cfg(target_os = "linux")]
fn outside(keep: &Keep, say: &Say) -> ExitCode {
    use std::os::unix::process::CommandExt;

    use crate::transport;

    let started = transport::watch().and_then(|watch| {
        let mut inner = std::process::Command::new(transport::own_program()?);
        inner.arg0("midwire").args(["keep", "--inside", "--by", &std::process::id().to_string(), "--report"]);
        inner.arg(&keep.report).arg("--").args(&keep.command).process_group(0);
        if !transport::keeper_is(keep.by) {
            return Err(std::io::Error::other("midwire has gone"));
        }
        Ok((inner.spawn()?.id(), watch))
    });
    let (inner, watch) = match started {
        Ok(started) => started,
        Err(error) => {
            say(&format!("failed to keep a server: {error}"));
            return ExitCode::from(126);
        }
    };
    let (ending, _) = attend(watch, keep.by, inner, &|signal| transport::send(inner, signal));
    crate::engine::tap::exit(ending)
}

/// Waits until process `kept` has ended, or process `by` has gone; signals go to `pass`. Nothing that descends from this
/// process is left then: how it ended, and who else was.
#[cfg(target_os = "linux")]
fn attend(
    watch: crate::transport::Watch,
    by: u32,
    kept: u32,
    pass: &dyn Fn(i32),
) -> (crate::transport::Ending, Vec<u32>) {
    use crate::transport::{self, Ending, Noticed};

    // From here on the pipes are the server's alone; ours would keep them open.
    let _ = transport::forget();
    let mut ending = None;
    watch.each(&mut |noticed| {
        match noticed {
            // Nobody talks with the server any more.
            Noticed::Signal(_) if !transport::keeper_is(by) => return false,
            Noticed::Signal(signal) => pass(signal),
            Noticed::Ended(pid, how) if pid == kept => ending = Some(how),
            Noticed::Ended(..) => {}
        }
        ending.is_none()
    });
    let swept = transport::end_descendants(true);
    (ending.unwrap_or(Ending::Signal(15)), if ending.is_some() { swept } else { Vec::new() })
}

/// The inner process, which starts the server.
#[cfg(target_os = "linux")]
fn inside(keep: &Keep, say: &Say) -> ExitCode {
    use std::io::Write;

    use crate::engine::tap;
    use crate::transport::{self, Server};

    let prepared = std::fs::OpenOptions::new().write(true).open(&keep.report).and_then(|report| {
        // Before the server starts, so that its end is not missed.
        Ok((report, transport::watch()?))
    });
    let (mut report, watch) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            say(&format!("failed to keep a server: {error}"));
            return ExitCode::from(126);
        }
    };
    if !transport::keeper_is(keep.by) {
        return ExitCode::from(1);
    }
    let server = match Server::share(&keep.command) {
        Ok(server) => server,
        Err(error) => {
            let _ = report.write_all(cut(&format!("failed {error}")).as_bytes());
            return ExitCode::from(error.code() as u8);
        }
    };
    let _ = report.write_all(format!("pid {server}\n").as_bytes());
    let (ending, swept) = attend(watch, keep.by, server, &|signal| transport::send_group(server, signal));
    if !swept.is_empty() {
        let pids: Vec<String> = swept.iter().map(u32::to_string).collect();
        let _ = report.write_all(cut(&format!("swept {}\n", pids.join(" "))).as_bytes());
    }
    tap::exit(ending)
}

/// Elsewhere there are no keepers.
#[cfg(not(target_os = "linux"))]
pub fn keep(_: &Keep, say: &Say) -> ExitCode {
    say("midwire keeps servers by other means on this platform");
    ExitCode::from(2)
}

/// What a pipe takes at once, so that it is read at once.
#[cfg(target_os = "linux")]
fn cut(text: &str) -> &str {
    let mut end = text.len().min(4_000);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
