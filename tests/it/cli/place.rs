//! A place to run the real binary in, and a recording with everything awkward in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use midwire::model::{Channel, Entry, EntryKind, Flags, Lifecycle, Nanos, Recording, Role, Side, Transport};
use midwire::store::Writer;
use midwire::wire::lifecycle;

/// Numbers, names and an order that a JSON library would change.
pub(super) const REQUEST: &str = r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"add","arguments":{"b":1915883588174806058,"a":1.0,"a":1e400,"z":-0.0,"é\u0041":[]}}}"#;
pub(super) const ANSWER: &str = r#"{"jsonrpc":"2.0","id":9007199254740993,"result":{"content":[{"type":"text","text":"\u001b[31mred \u202e"}],"structuredContent":{"sum":18446744073709551616,"sum":1.50}}}"#;

/// A place to run midwire in, with a folder of recordings of its own.
pub(super) struct Place {
    pub(super) home: tempfile::TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("r")).unwrap();
        Self { home }
    }

    pub(super) fn recordings(&self) -> PathBuf {
        self.home.path().join("r")
    }

    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
        command.args(words).current_dir(self.home.path());
        command.env("MIDWIRE_RECORDINGS", self.recordings()).env("TZ", "UTC").env("HOME", self.home.path());
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "NO_COLOR"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(super) fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("midwire runs")
    }

    /// Runs what must go well; gives what it printed.
    pub(super) fn good(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Runs what cannot go well; gives what it said.
    pub(super) fn bad(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", text(&output.stdout));
        assert_eq!(text(&output.stdout), "", "{words:?}");
        text(&output.stderr)
    }

    /// Writes a recording of these entries; live ones stay open as this process's.
    pub(super) fn record(&self, name: &str, started: Nanos, live: bool, entries: &[Entry]) -> PathBuf {
        let path = self.recordings().join(format!("20261130-100000-{name}-7.midwire"));
        let facts = Recording {
            name: name.to_owned(),
            role: Role::Tap,
            transport: Transport::Stdio,
            command: vec!["server".to_owned(), "--flag".to_owned()],
            left_out: 0,
            url: None,
            directory: Some("/work".to_owned()),
            host: None,
            recorder: std::process::id(),
            program: "0.1.0".to_owned(),
            started,
            ended: None,
            lost: 0,
        };
        let mut writer = Writer::create(&path, &facts).unwrap();
        writer.channel(&Channel::stdio(1)).unwrap();
        writer.begin().unwrap();
        for entry in entries {
            writer.insert(entry).unwrap();
        }
        writer.commit().unwrap();
        if live {
            // Dropped, not closed: the recording is unfinished, and its recorder, this process, runs.
            drop(writer);
        } else {
            writer.close(started + 1_000_000_000, 0).unwrap();
        }
        path
    }

    /// A recording with one exchange, a line that attacks terminals, bad UTF-8, and an exit.
    pub(super) fn sample(&self) -> PathBuf {
        let exited = lifecycle::encode(&Lifecycle::Exited { code: 3 });
        let entries = [
            entry(1, Some(Side::Client), EntryKind::Frame, format!("{REQUEST}\n").as_bytes()),
            entry(2, Some(Side::Server), EntryKind::Frame, format!("{ANSWER}\r\n").as_bytes()),
            entry(3, Some(Side::Server), EntryKind::Frame, "\x1b]0;pwned\x07 \u{202e}evil\n".as_bytes()),
            entry(4, Some(Side::Server), EntryKind::Stderr, b"caf\xe9 \xff\n"),
            entry(5, None, EntryKind::Lifecycle, &exited),
        ];
        self.record("sample", START, false, &entries)
    }
}

pub(super) fn now() -> Nanos {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as Nanos
}

pub(super) const START: Nanos = 1_790_000_000_000_000_000;

pub(super) fn entry(seq: u64, side: Option<Side>, kind: EntryKind, bytes: &[u8]) -> Entry {
    let at = START + seq as Nanos * 1_000_000;
    let (size, bytes) = (bytes.len() as u64, bytes.to_vec());
    Entry { seq, at, until: at, channel: 1, side, kind, flags: Flags::default(), size, bytes }
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("midwire prints UTF-8")
}
