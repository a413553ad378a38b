//! Misbehaviour on purpose: the bytes that a client of the real binary gets, and that our own client survives each.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const CALL: &str =
    r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"NAME","_meta":{"progressToken":"p"}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#;
const RESULT: &str = r#"{"content":[{"type":"text","text":"x"}]}"#;

/// What comes on stdout, byte for byte, for a call of a tool with this fault and a ping behind it. `R` is the result.
const CASES: [(&str, &str); 18] = [
    ("no-answer", "PONG"),
    ("wrong-id", "{\"jsonrpc\":\"2.0\",\"id\":1000007,\"result\":R}\nPONG"),
    ("id-type", "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"result\":R}\nPONG"),
    ("null-id", "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":R}\nPONG"),
    ("duplicate-answer", "ANSWERANSWERPONG"),
    (
        "answer-and-error",
        "ANSWER{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32603,\"message\":\"an error after the result\"}}\nPONG",
    ),
    (
        "result-and-error",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":R,\"error\":{\"code\":-32603,\"message\":\"an error beside the result\"}}\nPONG",
    ),
    ("unasked-answer", "{\"jsonrpc\":\"2.0\",\"id\":1000007,\"result\":{}}\nANSWERPONG"),
    ("malformed-json", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":R,}\nPONG"),
    ("truncated", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"co\nPONG"),
    ("break-midway", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"co"),
    ("break", ""),
    ("batch", "[{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":R}]\nPONG"),
    ("wrong-version", "{\"jsonrpc\":\"1.0\",\"id\":7,\"result\":R}\nPONG"),
    ("noise", "this line is no message\nANSWERPONG"),
    ("crash", ""),
    (
        "progress-after-answer",
        "ANSWER{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p\",\"progress\":1}}\nPONG",
    ),
    (
        "wrong-token",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"nobody gave this token\",\"progress\":1}}\nANSWERPONG",
    ),
];

/// How our client's `call` ends for each fault on stdio, and a word of what it says; see `midwire help exit-codes`.
const SURVIVED: [(&str, &[i32]); 24] = [
    ("no-answer", &[5]),
    ("wrong-id", &[5]),
    ("id-type", &[0, 5]),
    ("null-id", &[5]),
    ("duplicate-answer", &[0]),
    ("answer-and-error", &[0]),
    ("result-and-error", &[0, 1, 6]),
    ("unasked-answer", &[0]),
    ("malformed-json", &[5, 6]),
    ("truncated", &[5, 6]),
    ("break-midway", &[3, 6]),
    ("break", &[3]),
    ("invalid-utf8", &[0, 5, 6]),
    ("batch", &[0, 5, 6]),
    ("wrong-version", &[0]),
    ("lost-session", &[1]),
    ("progress-backwards", &[0]),
    ("progress-after-answer", &[0]),
    ("wrong-token", &[0]),
    ("delay", &[5]),
    ("late", &[5]),
    ("noise", &[0]),
    ("oversized", &[0]),
    ("crash", &[3]),
];

/// A mock with a tool for each fault.
fn mock(folder: &std::path::Path) -> std::path::PathBuf {
    let faults = CASES.iter().map(|(name, _)| *name).chain(SURVIVED.iter().map(|(name, _)| *name));
    let faults: std::collections::BTreeSet<&str> = faults.collect();
    let tool = |fault: &str| format!("[[tool]]\nname = \"{fault}\"\nanswer = \"x\"\nfault = \"{fault}\"\n");
    let path = folder.join("faults.mock.toml");
    std::fs::write(&path, faults.into_iter().map(tool).collect::<String>()).expect("a file");
    path
}

/// A server that has been shaken hands with.
struct Served {
    child: Child,
    stdin: ChildStdin,
    bytes: Receiver<Vec<u8>>,
    folder: tempfile::TempDir,
}

impl Served {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
        command.arg("serve").arg(mock(folder.path())).arg("--quiet").env("MIDWIRE_RECORDINGS", folder.path().join("r"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("midwire starts");
        let stdin = child.stdin.take().expect("it is piped");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sends, bytes) = sync_channel(100);
        std::thread::Builder::new()
            .name("stdout".to_owned())
            .spawn(move || {
                let mut first = String::new();
                if stdout.read_line(&mut first).is_ok() && sends.send(first.into_bytes()).is_ok() {
                    let mut piece = [0; 4096];
                    while let Ok(count @ 1..) = stdout.read(&mut piece) {
                        if sends.send(piece[..count].to_vec()).is_err() {
                            break;
                        }
                    }
                }
            })
            .expect("a thread");
        let mut served = Self { child, stdin, bytes, folder };
        served.say(HELLO);
        let hello = served.bytes.recv_timeout(Duration::from_mins(1)).expect("it answers");
        assert!(hello.starts_with(br#"{"jsonrpc":"2.0","id":1,"result""#), "{}", String::from_utf8_lossy(&hello));
        served.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        served
    }

    /// Says a line; that it may be gone already is part of it.
    fn say(&mut self, line: &str) {
        let _ = self.stdin.write_all(format!("{line}\n").as_bytes());
    }

    /// What comes, up to so many bytes, or its end.
    fn hears(&self, count: usize) -> String {
        let mut all = Vec::new();
        while all.len() < count {
            let Ok(more) = self.bytes.recv_timeout(Duration::from_mins(1)) else { break };
            all.extend(more);
        }
        String::from_utf8_lossy(&all).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = &self.folder;
    }
}

#[test]
fn every_fault_is_on_stdout_byte_for_byte() {
    for (fault, expected) in CASES {
        let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{RESULT}}}\n");
        let expected = expected
            .replace("ANSWER", &answer)
            .replace("PONG", "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{}}\n")
            .replace("\"result\":R", &format!("\"result\":{RESULT}"));
        let mut served = Served::new();
        served.say(&CALL.replace("NAME", fault));
        let before = expected.split("{\"jsonrpc\":\"2.0\",\"id\":8").next().unwrap_or_default().len();
        let mut said = served.hears(before);
        if expected.len() > before {
            served.say(PING);
            said.push_str(&served.hears(expected.len() - said.len()));
        } else {
            // It has ended: nothing more comes.
            said.push_str(&served.hears(1));
        }
        assert_eq!(said, expected, "{fault}");
        if fault == "crash" {
            assert_eq!(served.child.wait().expect("it ended").code(), Some(1));
        }
    }
}

#[test]
fn our_own_client_survives_every_fault_and_says_what_happened() {
    let folder = tempfile::tempdir().expect("a folder");
    let mock = mock(folder.path());
    let mut wrong = Vec::new();
    for (fault, codes) in SURVIVED {
        let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
        command.args(["call", fault, "--era", "legacy", "--timeout", "2", "--"]).arg(env!("CARGO_BIN_EXE_midwire"));
        command.arg("serve").arg(&mock).arg("--quiet").env("MIDWIRE_RECORDINGS", folder.path().join("r"));
        let output = command.stdin(Stdio::null()).output().expect("midwire runs");
        let code = output.status.code();
        let said = String::from_utf8_lossy(&output.stderr);
        let clear = code == Some(0) || said.lines().any(|line| line.len() > 10);
        if !code.is_some_and(|code| codes.contains(&code)) || !clear || said.contains("panicked") {
            wrong.push(format!("{fault}: {code:?} {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
