//! A bridge under test: the real binary as a host starts it that speaks only stdio.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::recorded::Recorded;
use super::tap::command;
use crate::tapped::{PATIENCE, kill, until};

/// A running bridge, its host being the test.
pub struct Bridged {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    said: Option<JoinHandle<String>>,
    folder: tempfile::TempDir,
}

/// What a bridge left that has ended.
pub struct Left {
    /// Its exit code.
    pub code: Option<i32>,
    /// The lines that the host had not read before.
    pub lines: Vec<String>,
    /// What it said on stderr.
    pub said: String,
    /// What it recorded.
    pub recorded: Recorded,
    _folder: tempfile::TempDir,
}

impl Bridged {
    /// A bridge to the server at `url`.
    pub fn to(url: &str) -> Self {
        Self::with(url, &[], &[])
    }

    /// The same with further words and variables.
    pub fn with(url: &str, words: &[&str], variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let words = [&["--stdio", "--url", url], words].concat();
        let mut command = command(&folder.path().join("r"), &words);
        command.stdin(Stdio::piped()).envs(variables.iter().copied());
        let mut child = command.spawn().expect("midwire starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let mut complaints = child.stderr.take().expect("piped");
        let (tell, lines) = sync_channel(1024);
        let read = move || {
            let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            lines.for_each(|line| drop(tell.send(String::from_utf8(line).expect("text"))));
        };
        Builder::new().name("stdout".into()).spawn(read).expect("a thread");
        let complain = move || {
            let mut said = String::new();
            let _ = complaints.read_to_string(&mut said);
            said
        };
        let said = Some(Builder::new().name("stderr".into()).spawn(complain).expect("a thread"));
        Self { child, input, lines, said, folder }
    }

    /// The host says a line.
    pub fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        input.write_all(format!("{line}\n").as_bytes()).expect("the bridge reads");
    }

    /// The next line that the host reads.
    pub fn hears(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    /// Asks, and gives the next line.
    pub fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hears()
    }

    /// The handshake of a session, with what the server has to be asked for.
    pub fn greet(&mut self) -> String {
        let answer = self.ask(INITIALIZE);
        self.say(INITIALIZED);
        answer
    }

    /// Sends a signal.
    pub fn signal(&self, signal: i32) {
        kill(self.child.id(), signal);
    }

    /// Ends the input and waits for the end.
    pub fn finish(mut self) -> Left {
        self.input.take();
        self.ends()
    }

    /// Waits for the end.
    pub fn ends(mut self) -> Left {
        let child = &mut self.child;
        let status = until("the bridge ends", || child.try_wait().expect("a child"));
        let said = self.said.take().map(|thread| thread.join().expect("reads")).unwrap_or_default();
        let lines = self.lines.iter().collect();
        let recorded = Recorded::read(&self.folder.path().join("r"));
        Left { code: status.code(), lines, said, recorded, _folder: self.folder }
    }
}

/// The host's first word in a session.
pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}"#;
/// The server's answer.
pub const GREETED: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;
/// The host's second word.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A request of 2026-07-28 with parameters besides `_meta`, such as `"name":"x",`.
pub fn modern(id: &str, method: &str, params: &str) -> String {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","x":1.0}"#;
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{meta}}},"foo":[ 1 ]}}"#)
}
