//! A tap under test: the real binary, started as a host starts it, with everything bounded in time and
//! nothing left behind. Cases are in `stdio` and `process`.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use midwire::model::{Entry, EntryKind, Lifecycle, Recording, Side};
use midwire::store::Reader;
use midwire::wire::lifecycle;

/// How long a test waits for what must happen. Long, since a busy machine is no failure.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A running tap, its host being the test.
pub struct Tapped {
    /// The process that the host knows.
    pub child: Child,
    folder: tempfile::TempDir,
    out: Option<JoinHandle<Vec<u8>>>,
    err: Option<JoinHandle<Vec<u8>>>,
}

/// What came out of a tap that has ended.
pub struct Outcome {
    /// How the process ended.
    pub status: ExitStatus,
    /// What the host read.
    pub out: Vec<u8>,
    /// What the host's user may read.
    pub err: String,
    /// Where the recordings lie.
    pub folder: tempfile::TempDir,
}

/// The command of a tap on `server`, with words of the tap in between.
pub fn command(folder: &Path, words: &[&str], server: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.arg("tap").arg("--recordings").arg(folder).args(words).arg("--").args(server);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Tapped {
    /// Starts a tap on `server` in a process group of its own.
    pub fn start(words: &[&str], server: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let command = command(&folder.path().join("r"), words, server);
        Self::spawn(folder, command)
    }

    /// The same with a command that was changed before.
    pub fn spawn(folder: tempfile::TempDir, mut command: Command) -> Self {
        let mut child = command.process_group(0).spawn().expect("midwire starts");
        let out = child.stdout.take().map(drain);
        let err = child.stderr.take().map(drain);
        Self { child, folder, out, err }
    }

    /// Where the recording lies.
    pub fn recordings(&self) -> PathBuf {
        self.folder.path().join("r")
    }

    /// Sends bytes as the host.
    pub fn send(&mut self, bytes: &[u8]) {
        self.child.stdin.as_mut().expect("open").write_all(bytes).expect("the tap reads");
    }

    /// Ends the input, as a host does that is done.
    pub fn end_input(&mut self) {
        self.child.stdin.take();
    }

    /// Sends a signal to the process that the host knows.
    pub fn signal(&self, signal: i32) {
        kill(self.child.id(), signal);
    }

    /// The process inside, once it is there.
    pub fn inside(&self) -> u32 {
        let pid = self.child.id();
        until("the tap inside appears", || {
            let path = format!("/proc/{pid}/task/{pid}/children");
            fs::read_to_string(path).ok()?.split_whitespace().next()?.parse().ok()
        })
    }

    /// Waits for the end.
    pub fn finish(mut self) -> Outcome {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            if start.elapsed() > PATIENCE {
                let _ = self.child.kill();
                panic!("the tap has not ended");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let read =
            |thread: Option<JoinHandle<Vec<u8>>>| thread.map(|one| one.join().expect("reads")).unwrap_or_default();
        let (out, err) = (read(self.out.take()), read(self.err.take()));
        Outcome { status, out, err: String::from_utf8_lossy(&err).into_owned(), folder: self.folder }
    }
}

impl Outcome {
    /// Starts a tap, sends `input`, ends it, and waits.
    pub fn of(words: &[&str], server: &[&str], input: &[u8]) -> Self {
        let mut tapped = Tapped::start(words, server);
        tapped.send(input);
        tapped.end_input();
        tapped.finish()
    }

    /// The exit code as a shell gives it: 128 and the signal when it was one.
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| 128 + self.status.signal().expect("a code or a signal"))
    }

    /// What was recorded.
    pub fn recorded(&self) -> Recorded {
        Recorded::read(&self.folder.path().join("r"))
    }
}

/// The one recording of a folder.
pub struct Recorded {
    /// Its facts.
    pub facts: Recording,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// Its file.
    pub path: PathBuf,
}

impl Recorded {
    /// Reads the one recording of a folder.
    pub fn read(folder: &Path) -> Self {
        Self::peek(folder).expect("one recording that opens")
    }

    /// The same while its tap runs; `None` while it is not there.
    pub fn peek(folder: &Path) -> Option<Self> {
        let files = fs::read_dir(folder).ok()?.map(|entry| entry.expect("an entry").path());
        let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "midwire")).collect();
        assert!(files.len() <= 1, "one recording: {files:?}");
        let path = files.pop()?;
        let reader = Reader::open(&path).ok()?;
        let facts = reader.recording().ok()?;
        let entries = reader.page(1, usize::MAX).expect("has entries");
        let order: Vec<u64> = entries.iter().map(|entry| entry.seq).collect();
        assert!(order.iter().copied().eq(1..=order.len() as u64), "numbers without holes");
        for side in [None, Some(Side::Client), Some(Side::Server)] {
            // A half line keeps the time of its first byte, so only one stream's times are in order.
            // On HTTP each request is a channel with streams of its own.
            let mut own: Vec<&Entry> =
                entries.iter().filter(|entry| entry.side == side && entry.kind != EntryKind::Stderr).collect();
            own.sort_by_key(|entry| entry.channel);
            let in_order = |pair: &[&Entry]| pair[0].channel != pair[1].channel || pair[0].at <= pair[1].at;
            assert!(own.windows(2).all(in_order), "times run backwards");
        }
        assert!(entries.iter().all(|entry| entry.at <= entry.until), "an entry ends before it begins");
        Some(Self { facts, entries, path })
    }

    /// The frames of a side, joined: its stream.
    pub fn stream(&self, side: Side) -> Vec<u8> {
        self.joined(|entry| entry.kind == EntryKind::Frame && entry.side == Some(side))
    }

    /// What was said on stderr.
    pub fn stderr(&self) -> Vec<u8> {
        self.joined(|entry| entry.kind == EntryKind::Stderr)
    }

    /// The frames of a side.
    pub fn frames(&self, side: Side) -> Vec<&Entry> {
        self.entries.iter().filter(|entry| entry.kind == EntryKind::Frame && entry.side == Some(side)).collect()
    }

    /// What happened, in order.
    pub fn events(&self) -> Vec<Lifecycle> {
        let events = self.entries.iter().filter(|entry| entry.kind == EntryKind::Lifecycle);
        events.map(|entry| lifecycle::decode(&entry.bytes)).collect()
    }

    fn joined(&self, wanted: impl Fn(&Entry) -> bool) -> Vec<u8> {
        self.entries.iter().filter(|entry| wanted(entry)).flat_map(|entry| entry.bytes.iter().copied()).collect()
    }
}

/// Waits until something is there.
pub fn until<T>(what: &str, mut there: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = there() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process, or with a negative number to its group.
pub fn kill(pid: u32, signal: i32) {
    let signal = rustix::process::Signal::from_named_raw(signal).expect("a signal");
    let pid = rustix::process::Pid::from_raw(pid as i32).expect("a process");
    let _ = rustix::process::kill_process(pid, signal);
}

/// A word that no other process has in its command, to find one's own: a number of seconds to sleep.
pub fn marker() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("{}.{}", 40_000 + std::process::id() % 9_999, NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Processes, zombies excepted, with `marker` as a word of their command.
pub fn marked(marker: &str) -> Vec<u32> {
    let pids = fs::read_dir("/proc").expect("proc").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        command.split(|byte| *byte == 0).any(|word| word == marker.as_bytes())
    })
    .collect()
}

/// Waits until a process with the marker runs.
pub fn appears(marker: &str) {
    until("the marked process appears", || (!marked(marker).is_empty()).then_some(()));
}

/// Waits until no process with the marker is left; ends those that are left in the end.
pub fn vanishes(marker: &str) {
    let start = Instant::now();
    while !marked(marker).is_empty() {
        if start.elapsed() > Duration::from_secs(10) {
            let left = marked(marker);
            for pid in &left {
                kill(*pid, 9);
            }
            panic!("left behind: {left:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn drain(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    let work = move || {
        let mut all = Vec::new();
        let _ = from.read_to_end(&mut all);
        all
    };
    std::thread::Builder::new().name("drain".into()).spawn(work).expect("a thread")
}
