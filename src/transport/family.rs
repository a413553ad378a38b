//! The processes that descend from us: who they are, and how all of them are ended.
//!
//! A process that leaves its group or session (`setsid`, a double fork) still descends from its
//! subreaper, so on Linux the family is found by parents, not by groups. Elsewhere nothing is found
//! here: the process group or the job must do.

use std::time::Duration;

/// How often the family is looked at again while it is being ended: processes may start others
/// while they die. With 5 ms between, two seconds.
const ROUNDS: u32 = 400;

/// Whoever descends from process `ancestor` and has not ended yet.
pub fn descendants(ancestor: u32) -> Vec<u32> {
    let mut found = vec![ancestor];
    let everyone = everyone();
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(everyone.iter().filter(|one| one.parent == parent && one.pid != ancestor).map(|one| one.pid));
        next += 1;
    }
    let ended = |pid: &u32| everyone.iter().any(|one| one.pid == *pid && one.ended);
    found.into_iter().skip(1).filter(|pid| !ended(pid)).collect()
}

/// Ends whoever descends from this process, at once, and says who that was. Looks again until
/// nobody is left, for at most two seconds.
pub fn end_descendants(gently: bool) -> Vec<u32> {
    let mut ended = Vec::new();
    for round in 0..ROUNDS {
        let left = descendants(std::process::id());
        if left.is_empty() {
            break;
        }
        for pid in left {
            if !ended.contains(&pid) {
                ended.push(pid);
                if gently {
                    end(pid, TERMINATE);
                }
            }
            if !gently || round >= PATIENCE {
                end(pid, KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    ended
}

const TERMINATE: i32 = 15;
const KILL: i32 = 9;
/// Rounds that a process gets to end in good order when it is asked gently: 300 ms.
const PATIENCE: u32 = 60;

struct One {
    pid: u32,
    parent: u32,
    ended: bool,
}

#[cfg(target_os = "linux")]
fn everyone() -> Vec<One> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(stat).collect()
}

/// One line of `/proc/PID/stat`: `pid (name) state parent …`, where the name may hold anything.
#[cfg(target_os = "linux")]
fn stat(pid: u32) -> Option<One> {
    let line = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after = memchr::memrchr(b')', &line)?;
    let rest = std::str::from_utf8(&line[after + 1..]).ok()?;
    let mut words = rest.split_whitespace();
    let ended = matches!(words.next()?, "Z" | "X");
    Some(One { pid, parent: words.next()?.parse().ok()?, ended })
}

#[cfg(not(target_os = "linux"))]
fn everyone() -> Vec<One> {
    Vec::new()
}

#[cfg(unix)]
fn end(pid: u32, signal: i32) {
    super::signals::send(pid, signal);
}

#[cfg(not(unix))]
fn end(_: u32, _: i32) {}

/// Makes this process the one to whom orphaned descendants are handed. Linux only; elsewhere it does
/// nothing.
pub fn guard() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Asks for a TERM signal when the parent dies. Linux only.
pub fn leave() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
}

/// Whether our parent is still process `keeper`; an orphan is handed to another parent.
pub fn keeper_is(keeper: u32) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::parent_id() == keeper;
    #[cfg(not(unix))]
    return keeper != 0;
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_grandchild_is_found_and_an_ended_child_is_not() {
        let mut shell = std::process::Command::new("sh").args(["-c", "sleep 321.5 & wait"]).spawn().expect("sh starts");
        let grandchild = (0..200).find_map(|_| {
            std::thread::sleep(Duration::from_millis(10));
            descendants(shell.id()).first().copied()
        });
        let grandchild = grandchild.expect("sleep appears");
        assert!(descendants(std::process::id()).contains(&grandchild));
        crate::transport::send(grandchild, KILL);
        shell.wait().expect("sh ends");
        assert_eq!(descendants(shell.id()), Vec::<u32>::new());
    }
}
