//! An HTTP tap under test: the real binary, pointed at from its own words on stderr, ended in time.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use super::message;
use super::recorded::Recorded;
use super::socket::Socket;
use super::upstream::Upstream;
use crate::tapped::{PATIENCE, kill, until};

/// A running tap.
pub struct Tap {
    /// Its process.
    pub child: Child,
    folder: Option<tempfile::TempDir>,
    said: Arc<Mutex<String>>,
    reading: Option<JoinHandle<()>>,
    /// What a client is pointed at.
    url: String,
}

/// The command of an HTTP tap, unaffected by what the shell has set for proxies.
pub fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.arg("tap").arg("--recordings").arg(folder).args(words);
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Tap {
    /// On the path `/mcp` of a server.
    pub fn on(upstream: &Upstream) -> Self {
        Self::with(upstream, &[])
    }

    /// The same with further words.
    pub fn with(upstream: &Upstream, words: &[&str]) -> Self {
        Self::start(&[&["--url", &upstream.url("/mcp")], words].concat())
    }

    /// With these words, as soon as it listens.
    pub fn start(words: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let command = command(&folder.path().join("r"), words);
        Self::spawn(folder, command)
    }

    /// The same with a command that was changed before.
    pub fn spawn(folder: tempfile::TempDir, mut command: Command) -> Self {
        let mut child = command.spawn().expect("midwire starts");
        let said: Arc<Mutex<String>> = Arc::default();
        let (keep, err) = (Arc::clone(&said), child.stderr.take().expect("piped"));
        let read = move || {
            for line in BufReader::new(err).lines().map_while(Result::ok) {
                let mut said = keep.lock().expect("whole");
                said.push_str(&line);
                said.push('\n');
            }
        };
        let reading = Some(Builder::new().name("stderr".into()).spawn(read).expect("a thread"));
        let mut tap = Self { child, folder: Some(folder), said, reading, url: String::new() };
        tap.url = tap.listening();
        tap
    }

    fn listening(&mut self) -> String {
        let start = Instant::now();
        loop {
            let said = self.said();
            if let Some((_, rest)) = said.split_once("listening at ") {
                return rest.split_whitespace().next().unwrap_or_default().to_owned();
            }
            let ended = self.child.try_wait().expect("a child").is_some() && !self.reading_on();
            assert!(!ended && start.elapsed() < PATIENCE, "the tap does not listen: {}", self.said());
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    fn reading_on(&self) -> bool {
        self.reading.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// What it said on stderr so far.
    pub fn said(&self) -> String {
        self.said.lock().expect("whole").clone()
    }

    /// What a client is pointed at.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Host and port where it listens.
    pub fn host(&self) -> &str {
        let (_, rest) = self.url.split_once("://").expect("a URL");
        rest.split('/').next().unwrap_or_default()
    }

    /// A client's connection to it.
    pub fn connect(&self) -> Socket {
        Socket::connect(self.host())
    }

    /// A POST of JSON as a client sends it that is pointed at the tap.
    pub fn post(&self, path: &str, lines: &[&str], body: &str) -> String {
        message::post(self.host(), path, lines, body)
    }

    /// A GET likewise.
    pub fn get(&self, path: &str, lines: &[&str]) -> String {
        message::get(self.host(), path, lines)
    }

    /// Sends one request on a connection of its own and gives the response.
    pub fn ask(&self, request: &str) -> message::Message {
        let mut client = self.connect();
        client.send(request);
        client.response_to(request.split(' ').next().unwrap_or_default())
    }

    /// Where the recording lies.
    pub fn recordings(&self) -> PathBuf {
        self.folder.as_ref().expect("until it is read").path().join("r")
    }

    /// What was recorded so far.
    pub fn recorded(&self) -> Recorded {
        Recorded::read(&self.recordings())
    }

    /// Waits until the recording shows something.
    pub fn shows<T>(&self, what: &str, mut there: impl FnMut(&Recorded) -> Option<T>) -> T {
        until(what, || there(&Recorded::peek(&self.recordings())?))
    }

    /// Ends it as a user does, and reads what it recorded.
    pub fn finish(mut self) -> Recorded {
        kill(self.child.id(), 15);
        self.wait();
        let recorded = self.read();
        assert!(recorded.facts.ended.is_some(), "the recording was closed: {}", self.said());
        recorded
    }

    /// Kills it, and reads what it recorded until then.
    pub fn killed(mut self) -> Recorded {
        kill(self.child.id(), 9);
        self.wait();
        self.read()
    }

    fn read(&mut self) -> Recorded {
        let mut recorded = self.recorded();
        recorded.folder = self.folder.take();
        recorded
    }

    fn wait(&mut self) {
        let child = &mut self.child;
        until("the tap ends", || child.try_wait().expect("a child"));
        if let Some(thread) = self.reading.take() {
            thread.join().expect("reads");
        }
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a tap that must end by itself; gives its exit code and what it said.
pub fn refused(words: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut child = command(&folder.path().join("r"), words).spawn().expect("midwire starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the tap has not ended: {words:?}");
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("its output");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}
