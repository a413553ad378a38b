//! Who started the tap, as far as the platform tells.

use crate::model::{Host, Nanos};

/// The process that started this one.
#[cfg(unix)]
pub fn parent() -> Option<u32> {
    Some(std::os::unix::process::parent_id()).filter(|pid| *pid > 1)
}

/// The process that started this one; not known here.
#[cfg(not(unix))]
pub fn parent() -> Option<u32> {
    None
}

/// What is known about process `pid`.
pub fn describe(pid: u32) -> Host {
    Host { pid, program: program(pid).unwrap_or_default(), started: started(pid) }
}

/// The name of its program: what it calls itself, since the file may be only a runtime (`node`).
#[cfg(target_os = "linux")]
fn program(pid: u32) -> Option<String> {
    let called = std::fs::read(format!("/proc/{pid}/comm")).ok()?;
    // The kernel cuts this name at 15 bytes; then the file's own name is longer and better.
    let called = String::from_utf8_lossy(called.trim_ascii_end()).into_owned();
    let file = std::fs::read_link(format!("/proc/{pid}/exe")).ok();
    let file = file.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    Some(file.filter(|file| file.starts_with(&called)).unwrap_or(called))
}

/// When it was started: ticks since boot, in `/proc/PID/stat`, and the time of boot.
#[cfg(target_os = "linux")]
fn started(pid: u32) -> Option<Nanos> {
    /// `USER_HZ`, which is 100 on every architecture that Linux tells user programs of.
    const TICKS_A_SECOND: Nanos = 100;
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after = memchr::memrchr(b')', &stat)?;
    // The name is field 2, the state field 3; the start time is field 22.
    let ticks: Nanos = std::str::from_utf8(&stat[after + 1..]).ok()?.split_whitespace().nth(19)?.parse().ok()?;
    let boot = std::fs::read_to_string("/proc/stat").ok()?;
    let boot: Nanos = boot.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some(boot * 1_000_000_000 + ticks * (1_000_000_000 / TICKS_A_SECOND))
}

#[cfg(not(target_os = "linux"))]
fn program(_: u32) -> Option<String> {
    None
}

#[cfg(not(target_os = "linux"))]
fn started(_: u32) -> Option<Nanos> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_name_and_start() {
        let me = describe(std::process::id());
        assert!(me.program.starts_with("midwire"), "{me:?}");
        let age = crate::engine::clock::wall() - me.started.expect("known");
        assert!((-2_000_000_000..3_600_000_000_000).contains(&age), "{age}");
        assert_eq!(describe(u32::MAX).started, None);
    }
}
