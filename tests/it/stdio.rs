//! Byte identity on stdio: whatever a side writes, the other receives exactly that, and the recording
//! joins to exactly that. The streams are those of reports about tools that got it wrong.

use std::fs;
use std::io::Read;
use std::time::Duration;

use midwire::model::{EntryKind, Flags, Lifecycle, Side};
use sha2::{Digest, Sha256};

use crate::tapped::{Outcome, Recorded, Tapped, command, until};

const ANSWER: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"n\":1915883588174806058,\"f\":1.0,\"e\":1e400}}";

/// Each stream with its name and how many lines it has.
fn streams() -> Vec<(&'static str, Vec<u8>, usize)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let noise: Vec<u8> = (0..5 << 20).map(|n: u32| (n.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect();
    let lines = |bytes: &[u8]| bytes.split_inclusive(|byte| *byte == b'\n').count();
    let noise_lines = lines(&noise);
    vec![
        ("banner", text(&format!("MCP Nightwatch ready\n[dotenv@17] injecting env\n{ANSWER}\n")), 3),
        ("BOM", text(&format!("\u{FEFF}{ANSWER}\n{ANSWER}\n")), 2),
        ("CRLF", text(&format!("{ANSWER}\r\n\r\n{ANSWER}\r\n")), 3),
        ("CR progress", text(&format!(" 10%\r 20%\r 100%\r\n{ANSWER}\n")), 2),
        ("bad UTF-8", [b"\xFF\xFE\n\xC0\x80\xED\xA0\x80\n".to_vec(), text(ANSWER), b"\n".to_vec()].concat(), 3),
        ("U+2028 and U+0085", text(&format!("\"before\u{2028}after\u{85}\"\n{ANSWER}\n")), 2),
        ("NUL and empty lines", b"\n\n\0\n\0\0\n".to_vec(), 4),
        ("no newline at the end", text(&format!("{ANSWER}\n{ANSWER}")), 2),
        ("5 MiB of noise", noise, noise_lines),
        ("one line of 700 kB", [vec![b'a'; 700_000], b"\n{}\n".to_vec()].concat(), 2),
        ("nothing", Vec::new(), 0),
    ]
}

#[test]
fn what_the_server_writes_is_what_the_host_reads_and_what_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, lines) in streams() {
        let file = folder.path().join("stream");
        fs::write(&file, &bytes).unwrap();
        // 5 MiB come in 4,096 writes this way.
        let outcome = Outcome::of(&[], &["dd", &format!("if={}", file.display()), "bs=1280", "status=none"], b"");
        assert_eq!(outcome.code(), 0, "{name}: {}", outcome.err);
        assert!(outcome.out == bytes, "{name}: the host read something else");
        let recorded = outcome.recorded();
        assert!(recorded.stream(Side::Server) == bytes, "{name}: something else was recorded");
        assert_eq!(recorded.frames(Side::Server).len(), lines, "{name}");
        let last = recorded.frames(Side::Server).last().map(|entry| entry.flags);
        let expected = if bytes.ends_with(b"\n") { Flags::default() } else { Flags::NO_NEWLINE };
        assert_eq!(last.unwrap_or(expected), expected, "{name}");
        assert_eq!(outcome.err, "", "{name}");
    }
}

#[test]
fn what_the_host_writes_is_what_the_server_reads_and_what_is_recorded() {
    for (name, bytes, lines) in streams() {
        let outcome = Outcome::of(&[], &["sh", "-c", "exec cat >&2"], &bytes);
        let recorded = outcome.recorded();
        assert!(recorded.stream(Side::Client) == bytes, "{name}: something else was recorded");
        assert_eq!(recorded.frames(Side::Client).len(), lines, "{name}");
        assert!(recorded.stderr() == bytes, "{name}: the server read something else");
        assert!(outcome.out.is_empty(), "{name}");
    }
}

#[test]
fn an_answer_is_recorded_after_its_request() {
    let mut tapped = Tapped::start(&[], &["cat"]);
    for _ in 0..500 {
        tapped.send(b"{}\n");
    }
    tapped.end_input();
    let recorded = tapped.finish().recorded();
    let mut ahead = 0_i64;
    for entry in recorded.entries.iter().filter(|entry| entry.kind == EntryKind::Frame) {
        ahead += if entry.side == Some(Side::Client) { 1 } else { -1 };
        assert!(ahead >= 0, "entry {} answers what was not asked", entry.seq);
    }
    assert_eq!(ahead, 0);
}

#[test]
fn a_line_without_end_is_relayed_in_constant_memory_and_cut_in_the_recording() {
    const SIZE: usize = 200_000_000;
    let script = format!("head -c {SIZE} /dev/zero | tr '\\0' a; cat");
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&folder.path().join("r"), &["--max-entry", "16"], &["sh", "-c", &script]);
    let mut child = command.spawn().expect("midwire starts");
    let mut out = child.stdout.take().expect("piped");
    let (mut seen, mut buffer) = (0, vec![0; 1 << 16]);
    while seen < SIZE {
        let count = out.read(&mut buffer).expect("reads");
        assert!(count > 0, "the stream ended after {seen} bytes");
        assert!(buffer[..count].iter().all(|byte| *byte == b'a'));
        seen += count;
    }
    for pid in [child.id(), inside(child.id())] {
        let most = peak_memory(pid);
        assert!(most <= 40 << 10, "process {pid} needed {most} KiB");
    }
    drop(child.stdin.take());
    assert!(child.wait().expect("ends").success());
    let recorded = Recorded::read(&folder.path().join("r"));
    let [entry] = recorded.frames(Side::Server)[..] else { panic!("one entry") };
    assert_eq!(entry.size, SIZE as u64);
    assert!(entry.flags.has(Flags::TRUNCATED.with(Flags::NO_NEWLINE)) && !entry.flags.has(Flags::UNFINISHED));
    assert_eq!(entry.bytes.len(), 16 << 20);
    let mut hash = Sha256::new();
    (0..SIZE / 1000).for_each(|_| hash.update([b'a'; 1000]));
    let reader = midwire::store::Reader::open(&recorded.path).unwrap();
    assert_eq!(reader.sha256(entry.seq).unwrap(), Some(hash.finalize().into()));
}

#[test]
fn a_prompt_without_newline_is_seen_while_its_writer_pauses() {
    let mut tapped = Tapped::start(&[], &["sh", "-c", "printf 'Password: '; read x; echo \"got $x\""]);
    let folder = tapped.recordings();
    until("the prompt is recorded", || {
        let recorded = Recorded::peek(&folder)?;
        let frames = recorded.frames(Side::Server);
        let first = frames.first()?;
        assert_eq!((&first.bytes[..], first.flags), (&b"Password: "[..], Flags::UNFINISHED));
        Some(())
    });
    tapped.send(b"x\n");
    let outcome = tapped.finish();
    let recorded = outcome.recorded();
    let [line] = recorded.frames(Side::Server)[..] else { panic!("one line") };
    assert_eq!((&line.bytes[..], line.flags), (&b"Password: got x\n"[..], Flags::default()));
    assert_eq!(line.size, 16);
    assert!(line.until - line.at >= 400_000_000, "it took as long as the pause");
}

#[test]
fn a_server_that_fills_stderr_first_is_drained() {
    let script = "head -c 262144 /dev/zero | tr '\\0' e >&2; printf 'a\\rb\\rc' >&2; read x; echo \"$x\"";
    let outcome = Outcome::of(&[], &["sh", "-c", script], b"ping\n");
    assert_eq!(outcome.out, b"ping\n");
    let expected = "e".repeat(262_144) + "a\rb\rc";
    assert!(outcome.err == expected);
    assert!(outcome.recorded().stderr() == expected.as_bytes());
}

#[test]
fn what_the_server_no_longer_reads_is_recorded_as_undelivered() {
    let mut tapped = Tapped::start(&[], &["sh", "-c", "read x; exec <&-; echo closed; exec sleep 2"]);
    tapped.send(b"one\n");
    let folder = tapped.recordings();
    until("the server has closed its input", || {
        let recorded = Recorded::peek(&folder)?;
        (recorded.stream(Side::Server) == b"closed\n").then_some(())
    });
    tapped.send(b"two\n");
    std::thread::sleep(Duration::from_millis(100));
    tapped.send(b"three\n");
    let recorded = tapped.finish().recorded();
    let flags: Vec<Flags> = recorded.frames(Side::Client).iter().map(|entry| entry.flags).collect();
    assert_eq!(flags, [Flags::default(), Flags::UNDELIVERED, Flags::UNDELIVERED]);
    assert!(recorded.events().contains(&Lifecycle::ServerStoppedReading));
}

#[test]
fn when_the_host_reads_no_more_the_rest_is_recorded_and_the_server_ended() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo one; read x; echo two; echo three; exec sleep 30";
    let mut command = command(&folder.path().join("r"), &["--grace", "0.2"], &["sh", "-c", script]);
    let mut child = command.spawn().unwrap();
    let mut first = [0; 4];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"go\n").unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&child.wait().unwrap()), Some(15));
    let recorded = Recorded::read(&folder.path().join("r"));
    assert_eq!(recorded.stream(Side::Server), b"one\ntwo\nthree\n");
    assert!(recorded.frames(Side::Server)[1].flags.has(Flags::UNDELIVERED));
    assert!(recorded.events().contains(&Lifecycle::ClientStoppedReading));
}

fn inside(outer: u32) -> u32 {
    let children = fs::read_to_string(format!("/proc/{outer}/task/{outer}/children")).expect("proc");
    children.split_whitespace().next().expect("the tap inside").parse().expect("a number")
}

/// The most memory that a process has needed, in KiB, without the pages of the program itself, which are
/// many in a build for tests.
fn peak_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("proc");
    let number = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect(name);
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    };
    number("VmHWM:") - number("RssFile:")
}
