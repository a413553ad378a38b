//! Lets a client start its server, directly or with the tap in between, and keeps what it printed.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use regex::Regex;
use tempfile::TempDir;

use super::peers::Installed;

/// Longer than any of the conversations takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// A folder of one conversation: files that a server may touch, the witnesses' notes, the recordings.
pub(super) struct Sandbox(TempDir);

impl Sandbox {
    pub(super) fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        fs::create_dir_all(folder.files()).expect("a new folder");
        // Three megabytes of lines; each differs, so that nothing can be mistaken for something else.
        let big: String = (0..100_000).map(|line| format!("line {line:>8} of a large file ✓\n")).collect();
        fs::write(folder.files().join("big.txt"), big).expect("a large file");
        folder
    }

    pub(super) fn root(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    /// Where servers may read and write.
    pub(super) fn files(&self) -> PathBuf {
        self.0.path().join("sandbox/fs")
    }

    /// Makes a folder from elsewhere appear in the sandbox under its own name.
    pub(super) fn link(&self, folder: &Path) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder, self.0.path().join(folder.file_name().expect("a name"))).expect("a link");
        #[cfg(not(unix))]
        unimplemented!("the peers are installed on Unix only: {}", folder.display());
    }

    pub(super) fn recordings(&self) -> PathBuf {
        self.0.path().join("recordings")
    }

    pub(super) fn outer(&self) -> PathBuf {
        self.0.path().join("outer.jsonl")
    }

    pub(super) fn inner(&self) -> PathBuf {
        self.0.path().join("inner.jsonl")
    }
}

/// A client and the server that it starts.
pub(super) struct Conversation {
    pub(super) client: Vec<String>,
    pub(super) server: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
}

impl Conversation {
    /// A client of the drivers with its server; `SANDBOX` in their words is the sandbox's folder of files.
    pub(super) fn in_sandbox(client: &[String], server: &[String], sandbox: &Sandbox, peers: &Installed) -> Self {
        let files = words(&sandbox.files());
        let placed = |all: &[String]| all.iter().map(|word| word.replace("SANDBOX", &files)).collect();
        Self { client: placed(client), server: placed(server), environment: peers.environment(sandbox) }
    }

    pub(super) fn direct(&self) -> Outcome {
        self.run(&self.server)
    }

    pub(super) fn through_the_tap(&self, sandbox: &Sandbox) -> Outcome {
        self.run(&[tap(sandbox), self.server.clone()].concat())
    }

    /// Through the tap, with a recorder of another make on either side of it.
    pub(super) fn between_witnesses(&self, sandbox: &Sandbox, peers: &Installed) -> Outcome {
        let (outer, inner) = (peers.witness(&words(&sandbox.outer())), peers.witness(&words(&sandbox.inner())));
        self.run(&[outer, tap(sandbox), inner, self.server.clone()].concat())
    }

    /// With these words behind the client's own.
    pub(super) fn with(&self, words: &[String]) -> Outcome {
        self.run(words)
    }

    fn run(&self, server: &[String]) -> Outcome {
        let mut command = Command::new(&self.client[0]);
        command.args(&self.client[1..]).args(server).envs(self.environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", self.client[0]));
        let output = drain(child.stdout.take());
        let complaints = drain(child.stderr.take());
        let code = wait(&mut child);
        let complaints = complaints.join().expect("the reader of stderr");
        assert!(code.is_some(), "the client did not end in {PATIENCE:?}: {server:?}\n{complaints}");
        Outcome { output: output.join().expect("the reader of stdout"), code: code.unwrap_or_default(), complaints }
    }
}

/// What the client printed, and how it exited (-1 for a signal).
pub(super) struct Outcome {
    pub(super) output: String,
    pub(super) code: i32,
    complaints: String,
}

impl Outcome {
    pub(super) fn assert_same(&self, tapped: &Self) {
        let (direct, through) = (steady(&self.output), steady(&tapped.output));
        let told = format!("\ndirectly: {}\nthrough the tap: {}", self.complaints, tapped.complaints);
        for (direct, through) in direct.lines().zip(through.lines()) {
            assert_eq!(direct, through, "the client prints the same with and without the tap{told}");
        }
        assert_eq!(direct.lines().count(), through.lines().count(), "and as much{told}");
        assert_eq!(self.code, tapped.code, "the client exits alike with and without the tap{told}");
        assert!(!self.output.is_empty() || self.code != 0, "the client printed nothing: {}", self.complaints);
    }
}

/// The text without what differs between any two runs: times, durations, places of the sandbox, sizes of
/// answers that hold such things, names of sessions, weather made up by server-everything.
fn steady(text: &str) -> String {
    let volatile = [
        (r"\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?", "TIME"),
        (r"\w{3} \w{3} \d\d \d{4} [\d:]+ GMT\S*", "TIME"),
        (r"\b\d\d:\d\d:\d\d\b", "TIME"),
        (r"\b\d+ms\b", "MS"),
        (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "SESSION"),
        (r#"/[^\s'"]*/sandbox/fs\b"#, "SANDBOX"),
        (r"\b\d+B\b", "SIZE"),
    ];
    volatile.iter().fold(text.to_owned(), |text, (pattern, name)| {
        Regex::new(pattern).expect("a pattern").replace_all(&text, *name).into_owned()
    })
}

fn tap(sandbox: &Sandbox) -> Vec<String> {
    let midwire = env!("CARGO_BIN_EXE_midwire");
    let recordings = words(&sandbox.recordings());
    [midwire, "tap", "--name", "interop", "--recordings", &recordings, "--"].map(str::to_owned).to_vec()
}

fn drain(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    let reader = thread::Builder::new().name("interop-drain".to_owned());
    let drained = reader.spawn(move || {
        let mut bytes = Vec::new();
        // What came before a failure is worth more than the failure.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    drained.expect("a thread")
}

/// The exit code; `None` when the client had to be killed.
fn wait(child: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("waiting for the client") {
            return Some(status.code().unwrap_or(-1));
        }
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn words(path: &Path) -> String {
    path.to_str().expect("a path in UTF-8").to_owned()
}
