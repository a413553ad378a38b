//! Tells whether the process that writes a recording still runs. Reads the process table only; what
//! the recording itself says is for the caller.

use crate::model::Nanos;

/// How far a process may seem to have started after the recording that it made: clocks are set while
/// they run, and the time of boot is known to the second only.
#[cfg(target_os = "linux")]
const SLACK: Nanos = 10_000_000_000;

/// Whether `pid` is a running process that can have begun a recording at `started`; a process id that
/// was given to a younger process since then does not count.
pub(super) fn records(pid: u32, started: Nanos) -> bool {
    pid == std::process::id() || imp::records(pid, started)
}

#[cfg(target_os = "linux")]
mod imp {
    use super::{Nanos, SLACK};

    pub(super) fn records(pid: u32, started: Nanos) -> bool {
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
        // The name in parentheses may hold anything, so the fields are counted after the last one.
        let Some((name, rest)) = stat.rsplit_once(')') else { return false };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        if matches!(fields.first(), Some(&("Z" | "X"))) {
            return false;
        }
        match (fields.get(19).and_then(|ticks| ticks.parse::<i64>().ok()), boot_time()) {
            // A tick of /proc is a hundredth of a second on every architecture that Linux runs on.
            (Some(ticks), Some(boot)) => boot + ticks * 10_000_000 <= started.saturating_add(SLACK),
            _ => name.contains("midwire"),
        }
    }

    /// When the machine was started, read once: the file is long on machines with many cores.
    fn boot_time() -> Option<Nanos> {
        static BOOT: std::sync::OnceLock<Option<Nanos>> = std::sync::OnceLock::new();
        *BOOT.get_or_init(read_boot_time)
    }

    fn read_boot_time() -> Option<Nanos> {
        let stat = std::fs::read_to_string("/proc/stat").ok()?;
        let seconds = stat.lines().find_map(|line| line.strip_prefix("btime "))?;
        Some(seconds.trim().parse::<i64>().ok()? * 1_000_000_000)
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod imp {
    use super::Nanos;

    pub(super) fn records(pid: u32, _started: Nanos) -> bool {
        let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
        // EPERM says that it exists and is somebody else's.
        pid.is_some_and(|pid| matches!(rustix::process::test_kill_process(pid), Ok(()) | Err(rustix::io::Errno::PERM)))
    }
}

#[cfg(not(unix))]
mod imp {
    use super::Nanos;

    // Without a process table to ask, a recording that was not closed is taken for a live one; the
    // watch lets it go when its file has been still for long.
    pub(super) fn records(_pid: u32, _started: Nanos) -> bool {
        true
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::records;

    #[test]
    fn a_process_id_counts_only_while_it_runs_and_only_if_it_is_old_enough() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as i64;
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = child.id();
        assert!(records(pid, now));
        assert!(!records(pid, now - 3_600_000_000_000), "it was born after that recording");
        child.kill().unwrap();
        // Killed and not yet waited for: on a busy machine it takes a moment to die.
        let gone = (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            !records(pid, now)
        });
        assert!(gone, "what was killed and not yet waited for does not count");
        child.wait().unwrap();
        assert!(!records(pid, now));
        assert!(records(std::process::id(), 0));
    }
}
