//! What the tap costs a conversation: round trips over pipes, over a bare byte relay (threads that read
//! and write, and socat where it is installed), and over the tap, in turns in one run, since only the
//! ratios mean anything. And what it costs the start: the time to a server's first byte.
//!
//! `cargo bench --bench relay [-- quick]`
#![allow(clippy::print_stdout)]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A request of common size.
const SIZE: usize = 300;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("--echo") => echo(),
        Some("--relay") => relay(&words[1..]),
        _ => compare(words.iter().any(|word| word == "quick")),
    }
}

/// The server: gives back what it gets.
fn echo() {
    copy(std::io::stdin(), std::io::stdout());
}

/// The bare relay: nothing but two threads that read and write.
fn relay(server: &[String]) {
    let mut child = Command::new(&server[0]).args(&server[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let child = child.as_mut().expect("the server starts");
    let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let up = std::thread::Builder::new().spawn(move || copy(std::io::stdin(), to)).expect("a thread");
    copy(from, std::io::stdout());
    drop(up);
    let _ = child.wait();
}

#[cfg(unix)]
fn copy(from: impl std::os::fd::AsFd, to: impl std::os::fd::AsFd) {
    let file = |fd: std::os::fd::BorrowedFd<'_>| std::fs::File::from(fd.try_clone_to_owned().expect("a handle"));
    let (mut reader, mut writer) = (file(from.as_fd()), file(to.as_fd()));
    drop((from, to));
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        if writer.write_all(&buffer[..count]).is_err() {
            return;
        }
    }
}

#[cfg(not(unix))]
fn copy(mut from: impl Read, mut to: impl Write) {
    let _ = std::io::copy(&mut from, &mut to);
}

/// One way from the client to the server.
struct Way {
    name: &'static str,
    command: Vec<String>,
    trips: Vec<Duration>,
    starts: Vec<Duration>,
}

fn ways(folder: &Path) -> Vec<Way> {
    let me = std::env::current_exe().expect("this program").to_string_lossy().into_owned();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let folder = folder.to_string_lossy();
    let way = |name, command| Way { name, command, trips: Vec::new(), starts: Vec::new() };
    let mut ways = vec![
        way("direct", words(&[])),
        way("bare relay", words(&[&me, "--relay"])),
        way("tap", words(&[env!("CARGO_BIN_EXE_midwire"), "tap", "--recordings", &folder, "--"])),
    ];
    if Command::new("socat").arg("-V").stdout(Stdio::null()).status().is_ok() {
        ways.push(way("socat", words(&["socat", "-"])));
    }
    ways
}

impl Way {
    fn server(&self, server: &[&str], pin: Option<&str>) -> (Child, ChildStdin, ChildStdout) {
        let mut words: Vec<String> =
            pin.map(|cpus| ["taskset", "-c", cpus].map(str::to_owned).to_vec()).unwrap_or_default();
        words.extend(self.command.iter().cloned());
        if self.name == "socat" {
            words.push(format!("EXEC:{},pipes", server.join(" ")));
        } else {
            words.extend(server.iter().map(|word| (*word).to_owned()));
        }
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        (child, to, from)
    }

    fn talk(&mut self, rounds: usize, pin: Option<&str>) {
        let me = std::env::current_exe().expect("this program");
        let (mut child, mut to, mut from) = self.server(&[&me.to_string_lossy(), "--echo"], pin);
        let mut message = vec![b'x'; SIZE];
        message[SIZE - 1] = b'\n';
        let mut answer = vec![0; SIZE];
        for round in 0..rounds + rounds / 10 {
            let start = Instant::now();
            to.write_all(&message).expect("writes");
            from.read_exact(&mut answer).expect("reads");
            if round >= rounds / 10 {
                self.trips.push(start.elapsed());
            }
        }
        drop(to);
        child.wait().expect("ends");
    }

    fn start(&mut self) {
        let start = Instant::now();
        let (mut child, to, mut from) = self.server(&["printf", "x"], None);
        from.read_exact(&mut [0]).expect("a byte");
        self.starts.push(start.elapsed());
        drop(to);
        child.wait().expect("ends");
    }
}

fn compare(quick: bool) {
    let folder = std::env::temp_dir().join(format!("midwire-bench-{}", std::process::id()));
    let (turns, rounds) = if quick { (4, 1000) } else { (15, 4000) };
    let has_taskset = Command::new("taskset").arg("-V").stdout(Stdio::null()).status().is_ok();
    let pins: &[Option<&str>] = if has_taskset { &[None, Some("0"), Some("0,1")] } else { &[None] };
    for pin in pins {
        let mut ways = ways(&folder);
        for _ in 0..turns {
            for way in &mut ways {
                way.talk(rounds, *pin);
            }
        }
        report(
            &format!(
                "round trip, {SIZE} bytes, {}",
                pin.map_or("not pinned".into(), |cpus| format!("pinned to CPU {cpus}"))
            ),
            &mut ways,
            |way| &mut way.trips,
        );
    }
    let mut ways = ways(&folder);
    for _ in 0..if quick { 20 } else { 200 } {
        ways.iter_mut().for_each(Way::start);
    }
    report("start to the server's first byte", &mut ways, |way| &mut way.starts);
    let _ = std::fs::remove_dir_all(PathBuf::from(&folder));
}

fn report(title: &str, ways: &mut [Way], times: impl Fn(&mut Way) -> &mut Vec<Duration>) {
    println!("\n{title}");
    let base = at(times(&mut ways[1]), 0.5);
    for way in ways {
        let name = way.name;
        let times = times(way);
        let (p50, p90, p99) = (at(times, 0.5), at(times, 0.9), at(times, 0.99));
        let ratio = p50.as_secs_f64() / base.as_secs_f64();
        println!("{name:>12}: p50 {p50:>9.1?}  p90 {p90:>9.1?}  p99 {p99:>9.1?}  {ratio:.2} × the bare relay");
    }
}

fn at(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize]
}
