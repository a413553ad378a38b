//! The real binary as a server on stdio: nothing but messages on stdout, exact lines, and its ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use midwire::model::{EntryKind, Role, Side};
use midwire::store::Reader;

use crate::tapped::{kill, until};

const OPENING: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":"p","result":{}}"#;

fn serve(folder: &std::path::Path) -> Child {
    let mock = folder.join("small.mock.toml");
    std::fs::write(&mock, "[server]\nname = \"small\"\nversion = \"1\"\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.arg("serve").arg(mock).arg("--recordings").arg(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("midwire starts")
}

#[test]
fn lines_are_answered_whatever_their_pieces_and_the_recording_is_the_wire() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut midwire = serve(folder.path());
    let mut input = midwire.stdin.take().expect("stdin");
    let mut output = BufReader::new(midwire.stdout.take().expect("stdout"));
    let mut line = || {
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        line
    };
    input.write_all(format!("{OPENING}\r\n{}", &PING[..9]).as_bytes()).expect("it reads");
    let greeting = line();
    assert!(greeting.contains("2025-11-25") && greeting.ends_with("}}}\n"), "{greeting}");
    // The last line has no end: it is answered when the input ends.
    input.write_all(format!("{}\n\n{PING}", &PING[9..]).as_bytes()).expect("it reads");
    assert_eq!(line(), format!("{PONG}\n"));
    drop(input);
    assert_eq!((line(), line()), (format!("{PONG}\n"), String::new()));
    let status = until("it exits at the end of its input", || midwire.try_wait().expect("a child"));
    assert_eq!(status.code(), Some(0));
    let file = std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "midwire")).expect("a recording");
    let reader = Reader::open(&file).expect("it opens");
    assert_eq!(reader.recording().expect("facts").role, Role::Server);
    let entries = reader.page(1, usize::MAX).expect("entries");
    let bytes = |side| {
        entries
            .iter()
            .filter(|entry| entry.side == Some(side) && entry.kind != EntryKind::Lifecycle)
            .flat_map(|entry| entry.bytes.clone())
            .collect::<Vec<u8>>()
    };
    assert_eq!(String::from_utf8_lossy(&bytes(Side::Client)), format!("{OPENING}\r\n{PING}\n\n{PING}"));
    assert_eq!(String::from_utf8_lossy(&bytes(Side::Server)), format!("{greeting}{PONG}\n{PONG}\n"));
}

#[test]
fn a_signal_ends_it_in_order_and_a_host_that_reads_no_more_ends_it_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut midwire = serve(folder.path());
    let mut input = midwire.stdin.take().expect("stdin");
    input.write_all(format!("{PING}\n").as_bytes()).expect("it reads");
    let mut first = [0; 1];
    midwire.stdout.as_mut().expect("stdout").read_exact(&mut first).expect("an answer");
    kill(midwire.id(), 15);
    let status = until("it ends", || midwire.try_wait().expect("a child"));
    assert_eq!(status.code(), Some(0));
    let mut midwire = serve(folder.path());
    drop(midwire.stdout.take());
    let mut input = midwire.stdin.take().expect("stdin");
    // It may end before all is written.
    let _ = input.write_all(format!("{PING}\n").as_bytes());
    let status = until("it ends without a reader", || midwire.try_wait().expect("a child"));
    assert_eq!(status.code(), Some(0));
}
