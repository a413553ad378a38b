//! `midwire serve` as a process, spoken to line by line: on stdio itself, or over HTTP through our bridge.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use midwire::engine::serve::{self, Options, Source, recording};
use midwire::peer::server::Pace;
use midwire::recorded::Session;

use super::recorded::kept;
use super::replay::Replay;
use super::wire::Wire;

/// How long something that was recorded as never answered is waited for.
const SILENCE: Duration = Duration::from_millis(300);
/// How long anything else is.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts the process for one client.
type Start = Box<dyn Fn() -> Command>;

/// A client's end.
pub struct Lines {
    start: Start,
    child: Option<(Child, ChildStdin, Receiver<Vec<u8>>)>,
    /// Whether an answer is expected.
    pub patient: bool,
}

impl Lines {
    pub fn new(start: impl Fn() -> Command + 'static) -> Self {
        Self { start: Box::new(start), child: None, patient: true }
    }

    /// Ends the process in order.
    fn end(&mut self) {
        let Some((mut child, stdin, _)) = self.child.take() else { return };
        drop(stdin);
        child.wait().expect("it ends");
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if let Some((mut child, ..)) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Wire for Lines {
    fn fresh(&mut self) {
        self.end();
        let mut command = (self.start)();
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (send, receive) = sync_channel(10_000);
        let read = move || {
            for line in stdout.split(b'\n') {
                let Ok(line) = line else { return };
                if send.send(line).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("stdout".into()).spawn(read).expect("a thread");
        self.child = Some((child, stdin, receive));
    }

    fn send(&mut self, message: &[u8]) {
        let (_, stdin, _) = self.child.as_mut().expect("it runs");
        stdin.write_all(&[message, b"\n"].concat()).expect("it reads");
        stdin.flush().expect("it reads");
    }

    fn expect(&mut self, answer: bool) {
        self.patient = answer;
    }

    fn hear(&mut self) -> Option<Vec<u8>> {
        let (_, _, receive) = self.child.as_ref()?;
        receive.recv_timeout(if self.patient { PATIENCE } else { SILENCE }).ok()
    }
}

/// `midwire` with its recordings in a folder.
pub fn midwire(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.args(words).env("MIDWIRE_RECORDINGS", folder);
    command
}

/// What a recorded client hears otherwise than it was recorded.
pub fn differences(session: &Session, mut wire: Lines) -> Vec<String> {
    let differences = Replay::new(&mut wire).all(session);
    wire.end();
    differences.iter().map(|it| format!("{} {}: {}", it.seq, it.method, it.what)).collect()
}

#[test]
fn recorded_clients_get_the_recorded_answers_on_stdio() {
    for name in ["demo-legacy.midwire", "demo-modern.midwire"] {
        let session = recording::read(&kept(name)).expect("it can be read");
        let folder = tempfile::tempdir().expect("a folder");
        let (path, here) = (kept(name), folder.path().to_owned());
        let wire = Lines::new(move || {
            let mut command = midwire(&here, &["serve", "--pace", "none"]);
            command.arg(&path);
            command
        });
        let wrong = differences(&session, wire);
        assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    }
}

#[test]
fn recorded_clients_get_the_recorded_answers_over_http() {
    for name in ["demo-legacy.midwire", "demo-modern.midwire"] {
        let session = recording::read(&kept(name)).expect("it can be read");
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = Options::new(Source::Recordings(vec![kept(name)]));
        options.settings.pace = Pace::None;
        options.recordings = Some(folder.path().to_owned());
        let running = serve::start(options, Arc::new(|_| {}), Arc::new(|_: &str| {})).expect("it starts");
        let (url, here) = (running.url().expect("it listens"), folder.path().to_owned());
        let wire = Lines::new(move || midwire(&here, &["tap", "--stdio", "--url", &url]));
        let wrong = differences(&session, wire);
        running.stop();
        assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    }
}
