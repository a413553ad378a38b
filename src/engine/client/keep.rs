//! The process between midwire and a server that its client starts, on Linux: it is a subreaper, it dies with midwire,
//! and whatever the server started ends with it. So nothing is left when midwire is killed with -9. It touches no byte:
//! the server has midwire's pipes themselves.

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
    /// Where to report: `pid N` of the server or `failed` and why, and at the end `swept` with process ids.
    pub report: PathBuf,
    /// The server's command.
    pub command: Vec<OsString>,
}

/// Starts the server and keeps it until it has ended; exits as it did. `say` is for what has no other place.
#[cfg(target_os = "linux")]
pub fn keep(keep: &Keep, say: &Say) -> ExitCode {
    use std::io::Write;

    use crate::engine::tap;
    use crate::transport::{self, Ending, Noticed, Server};

    transport::guard();
    transport::leave();
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
    // From here on the pipes are the server's alone; ours would keep them open.
    let _ = transport::forget();
    let mut ending = None;
    watch.each(&mut |noticed| {
        match noticed {
            // Midwire is gone: nobody talks with the server any more.
            Noticed::Signal(_) if !transport::keeper_is(keep.by) => return false,
            Noticed::Signal(signal) => transport::send_group(server, signal),
            Noticed::Ended(pid, how) if pid == server => ending = Some(how),
            Noticed::Ended(..) => {}
        }
        ending.is_none()
    });
    let swept = transport::end_descendants(true);
    if ending.is_some() && !swept.is_empty() {
        let pids: Vec<String> = swept.iter().map(u32::to_string).collect();
        let _ = report.write_all(cut(&format!("swept {}\n", pids.join(" "))).as_bytes());
    }
    tap::exit(ending.unwrap_or(Ending::Signal(15)))
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
