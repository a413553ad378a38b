//! Misbehaviour on purpose: the bytes that a client of the real binary gets, and that our own client survives each.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use midwire::engine::serve::{self, Options, Source};

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

/// The same over HTTP, in the legacy era and in 2026-07-28: a fault as the mock file writes it, the exit codes.
const OVER_HTTP: [(&str, &[i32], &[i32]); 25] = [
    (r#""no-answer""#, &[5], &[5]),
    (r#""wrong-id""#, &[5], &[4]),
    (r#""id-type""#, &[5], &[4]),
    (r#""null-id""#, &[5], &[4]),
    (r#""duplicate-answer""#, &[0], &[0]),
    (r#""answer-and-error""#, &[0], &[0]),
    (r#""result-and-error""#, &[1], &[1]),
    (r#""malformed-json""#, &[4], &[4]),
    (r#""truncated""#, &[4], &[4]),
    (r#""break-midway""#, &[5], &[4]),
    (r#""break""#, &[3], &[3]),
    (r#""invalid-utf8""#, &[0], &[0]),
    (r#""batch""#, &[0], &[0]),
    (r#""wrong-version""#, &[0], &[0]),
    (r#""lost-session""#, &[1], &[1]),
    (r#""progress-backwards""#, &[0], &[0]),
    (r#""progress-after-answer""#, &[0], &[0]),
    (r#""wrong-token""#, &[0], &[0]),
    (r#"{ kind = "delay", delay = "5s" }"#, &[5], &[5]),
    (r#"{ kind = "status", status = 502, body = "bad gateway" }"#, &[4], &[4]),
    (r#"{ kind = "status", status = 401 }"#, &[4], &[4]),
    (r#""missing-header""#, &[4], &[4]),
    (r#"{ kind = "header", headers = { Content-Type = "text/html" } }"#, &[4], &[4]),
    (r#""oversized""#, &[0], &[0]),
    (r#""crash""#, &[3], &[3]),
];

/// Faults of lists, and the exit codes of `midwire tools`.
const OF_LISTS: [(&str, &[i32]); 6] = [
    ("duplicate-names", &[0]),
    ("endless-cursors", &[6]),
    ("cursor-circle", &[6]),
    ("invalid-schemas", &[0]),
    ("missing-schemas", &[0]),
    ("missing-names", &[0]),
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

/// Serves this mock file over HTTP and lets our client do something with it; exit code and what it says.
fn met(mock: &str, words: &[&str], era: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mock.toml");
    std::fs::write(&path, mock).expect("a file");
    let mut options = Options::new(Source::Mock(path));
    options.recordings = Some(folder.path().join("r"));
    let running = serve::start(options, Arc::new(|_| {}), Arc::new(|_: &str| {})).expect("it starts");
    let url = running.url().expect("it listens");
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.args(&words[..1]).arg(&url).args(&words[1..]).args(["--era", era, "--timeout", "1"]);
    command.env("MIDWIRE_RECORDINGS", folder.path().join("c"));
    let output = command.stdin(Stdio::null()).output().expect("midwire runs");
    running.stop();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What is wrong with how our client ended.
fn judged(what: &str, codes: &[i32], (code, said): (Option<i32>, String)) -> Option<String> {
    let clear = code == Some(0) || said.lines().any(|line| line.starts_with("midwire: ") && line.len() > 30);
    let fine = code.is_some_and(|code| codes.contains(&code)) && clear && !said.contains("panicked");
    (!fine).then(|| format!("{what}: {code:?} {said}"))
}

#[test]
fn our_own_client_survives_every_fault_over_http_in_both_eras() {
    let mut wrong = Vec::new();
    for (fault, legacy, modern) in OVER_HTTP {
        let mock = format!("[[tool]]\nname = \"t\"\nanswer = \"x\"\nfault = {fault}\n");
        for (era, codes) in [("legacy", legacy), ("modern", modern)] {
            wrong.extend(judged(&format!("{fault} {era}"), codes, met(&mock, &["call", "t"], era)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn our_own_client_survives_every_fault_of_a_list() {
    let mut wrong = Vec::new();
    for (fault, codes) in OF_LISTS {
        let mock =
            format!("[[tool]]\nname = \"t\"\nanswer = \"x\"\n[[rule]]\nmethod = \"tools/list\"\nfault = \"{fault}\"\n");
        for era in ["legacy", "modern"] {
            wrong.extend(judged(&format!("{fault} {era}"), codes, met(&mock, &["tools"], era)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
