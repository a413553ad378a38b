//! What an independent recorder (`shared/peers/tee.py`) saw: the exact bytes of the three streams of each
//! process that ran behind it.

use std::fs;
use std::path::Path;

use base64::Engine as _;

/// The streams of one process, as seen by one witness.
#[derive(Default)]
pub(super) struct Streams {
    process: u64,
    pub(super) client: Vec<u8>,
    pub(super) server: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) exit: Option<i32>,
}

impl Streams {
    /// The witness nearer to the client saw what the one nearer to the server saw.
    pub(super) fn assert_same(&self, inner: &Self) {
        assert_bytes(&self.client, &inner.client, "from the client");
        assert_bytes(&self.server, &inner.server, "from the server");
        assert_bytes(&self.stderr, &inner.stderr, "on stderr");
        assert_eq!(self.exit, inner.exit, "the exit that the host sees is the server's");
    }
}

/// Compares two streams without printing megabytes when they differ.
pub(super) fn assert_bytes(left: &[u8], right: &[u8], what: &str) {
    if left == right {
        return;
    }
    let at = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let near =
        |bytes: &[u8]| String::from_utf8_lossy(&bytes[at.min(bytes.len())..bytes.len().min(at + 200)]).into_owned();
    panic!("the bytes {what} differ at {at} of {} and {}:\n{}\n{}", left.len(), right.len(), near(left), near(right));
}

/// Reads a witness's file: the processes in the order in which they were started.
pub(super) fn read(path: &Path) -> Vec<Streams> {
    let mut all: Vec<Streams> = Vec::new();
    for line in fs::read_to_string(path).unwrap_or_default().lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of tee.py");
        let process = line["conn"].as_u64().expect("conn");
        let streams = if let Some(at) = all.iter().position(|streams| streams.process == process) {
            &mut all[at]
        } else {
            all.push(Streams { process, ..Streams::default() });
            all.last_mut().expect("just pushed")
        };
        let bytes = bytes_of(&line);
        match line["dir"].as_str() {
            Some("c2s") => streams.client.extend(bytes),
            Some("s2c") => streams.server.extend(bytes),
            Some("stderr") => streams.stderr.extend(bytes),
            _ => streams.exit = exit_of(&bytes).or(streams.exit),
        }
    }
    all
}

/// The exit code in a note such as `exit -15`; a signal as the code that a shell gives, since that is
/// what the witness itself exits with.
fn exit_of(note: &[u8]) -> Option<i32> {
    let code: i32 = std::str::from_utf8(note).ok()?.trim().strip_prefix("exit ")?.parse().ok()?;
    Some(if code < 0 { 128 - code } else { code })
}

fn bytes_of(line: &serde_json::Value) -> Vec<u8> {
    let mut bytes = match line["raw_b64"].as_str() {
        Some(encoded) => base64::engine::general_purpose::STANDARD.decode(encoded).expect("base64"),
        None => line["raw"].as_str().unwrap_or_default().as_bytes().to_vec(),
    };
    if line["no_newline"] != true {
        bytes.push(b'\n');
    }
    bytes
}
