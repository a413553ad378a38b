//! Recordings as files: written, read while they are written, left by a killed writer, damaged, foreign,
//! old. What their bytes mean is not looked at here.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use midwire::model::{Channel, Entry, EntryKind, Flags, Recording, Role, Seq, Side, Transport};
use midwire::store::{OpenError, Reader, StoreError, Writer, settle};
use sha2::{Digest, Sha256};

/// Facts with a value in every field.
pub(crate) fn facts() -> Recording {
    Recording {
        name: "everything".into(),
        role: Role::Tap,
        transport: Transport::Stdio,
        command: ["npx", "-y", "server-everything", "--key=", "ü \"quoted\""].map(String::from).into(),
        left_out: 1,
        url: Some("http://localhost:3001/mcp".into()),
        directory: Some("/home/me/project".into()),
        host: Some(midwire::model::Host {
            pid: 4242,
            program: "claude".into(),
            started: Some(1_796_055_000_000_000_000),
        }),
        recorder: 4711,
        program: "0.1.0".into(),
        started: 1_796_055_112_386_000_000,
        ended: None,
        lost: 0,
    }
}

/// A frame of the client, whole.
pub(crate) fn frame(seq: Seq, bytes: &[u8]) -> Entry {
    let at = 1_796_055_112_386_000_000 + seq as i64 * 1_000_000;
    Entry {
        seq,
        at,
        until: at,
        channel: 1,
        side: Some(if seq.is_multiple_of(2) { Side::Server } else { Side::Client }),
        kind: EntryKind::Frame,
        flags: Flags::default(),
        size: bytes.len() as u64,
        bytes: bytes.to_vec(),
    }
}

/// Bytes that differ for each number.
pub(crate) fn line(seq: Seq) -> Vec<u8> {
    let fill = "x".repeat(700 + (seq as usize * 37) % 400);
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{seq},\"method\":\"ping\",\"fill\":\"{fill}\"}}\n").into_bytes()
}

/// A writer of a new recording with one channel.
pub(crate) fn begin(path: &Path) -> Writer {
    let mut writer = Writer::create(path, &facts()).unwrap();
    writer.channel(&Channel::stdio(1)).unwrap();
    writer
}

/// Writes a batch of frames.
pub(crate) fn batch(writer: &mut Writer, seqs: std::ops::RangeInclusive<Seq>) {
    writer.begin().unwrap();
    for seq in seqs {
        writer.insert(&frame(seq, &line(seq))).unwrap();
    }
    writer.commit().unwrap();
}

/// A closed recording of `count` frames.
pub(crate) fn closed(path: &Path, count: Seq) {
    let mut writer = begin(path);
    batch(&mut writer, 1..=count);
    writer.close(7, 0).unwrap();
}

/// The numbers of all entries that can be read, each checked for its bytes.
pub(crate) fn read(reader: &Reader) -> Vec<Seq> {
    let mut seqs = Vec::new();
    reader
        .scan(0, &mut |entry| {
            assert_eq!(entry.bytes, line(entry.seq), "entry {}", entry.seq);
            seqs.push(entry.seq);
            ControlFlow::Continue(())
        })
        .unwrap();
    seqs
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_closed_recording_is_one_file_with_everything_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = begin(&path);
    batch(&mut writer, 1..=1000);
    writer.fact("note", "kept").unwrap();
    writer.close(1_796_055_113_000_000_000, 3).unwrap();
    assert_eq!(names(folder.path()), ["a.midwire"]);
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.warning(), None);
    let ended = Some(1_796_055_113_000_000_000);
    assert_eq!(reader.recording().unwrap(), Recording { ended, lost: 3, ..facts() });
    assert_eq!(reader.fact("note").unwrap(), Some("kept".into()));
    assert_eq!((reader.count().unwrap(), reader.last_seq().unwrap()), (1000, 1000));
    assert_eq!(read(&reader), (1..=1000).collect::<Vec<_>>());
    assert_eq!(reader.entry(500).unwrap(), Some(frame(500, &line(500))));
    assert_eq!(reader.entry(1001).unwrap(), None);
    let page: Vec<Seq> = reader.page(998, 2).unwrap().iter().map(|entry| entry.seq).collect();
    assert_eq!(page, [998, 999]);
    assert!(reader.page(1, 0).unwrap().is_empty());
}

#[test]
fn channels_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = Writer::create(&path, &facts()).unwrap();
    let mut channel = Channel { transport: Transport::HttpSse, ..Channel::stdio(2) };
    writer.channel(&channel).unwrap();
    channel.session = Some("s-1".into());
    channel.peer = Some("p".into());
    channel.version = Some("2025-11-25".into());
    channel.resumes = Some("17".into());
    writer.channel(&channel).unwrap();
    assert_eq!(Reader::open(&path).unwrap().channels().unwrap(), [channel]);
}

#[test]
fn the_pieces_of_a_large_entry_are_joined_while_it_grows_and_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let pieces: Vec<Vec<u8>> = (0..12u8).map(|n| vec![n; 100_000 + usize::from(n)]).collect();
    let whole = pieces.concat();
    let mut writer = begin(&path);
    writer.insert(&Entry { flags: Flags::UNFINISHED, ..frame(1, &pieces[0]) }).unwrap();
    writer.insert(&frame(2, &line(2))).unwrap();
    let reader = Reader::open(&path).unwrap();
    for (n, piece) in pieces.iter().enumerate().skip(1) {
        writer.append(1, n as u32, piece).unwrap();
        assert_eq!(reader.entry(1).unwrap().unwrap().bytes, pieces[..=n].concat(), "after piece {n}");
    }
    let hash: [u8; 32] = Sha256::digest(&whole).into();
    writer.amend(1, Flags::TRUNCATED, 5_000_000, 99, Some(hash)).unwrap();
    let entry = reader.entry(1).unwrap().unwrap();
    assert_eq!((entry.flags, entry.size, entry.until), (Flags::TRUNCATED, 5_000_000, 99));
    assert!(entry.bytes == whole, "all that was kept is there");
    assert_eq!(reader.sha256(1).unwrap(), Some(hash));
    assert_eq!(reader.sha256(2).unwrap(), None);
    assert_eq!(reader.entry(2).unwrap().unwrap().bytes, line(2), "its neighbour is not touched");
}

#[test]
fn a_batch_is_seen_as_a_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = begin(&path);
    let mut reader = Reader::open(&path).unwrap();
    writer.begin().unwrap();
    writer.insert(&frame(1, &line(1))).unwrap();
    assert!(!reader.changed());
    assert_eq!(reader.count().unwrap(), 0);
    writer.rollback().unwrap();
    writer.rollback().unwrap();
    batch(&mut writer, 1..=2);
    assert!(reader.changed());
    assert_eq!(read(&reader), [1, 2]);
    assert!(writer.insert(&frame(2, b"again")).is_err(), "a number is given once");
    batch(&mut writer, 3..=3);
    assert_eq!(read(&reader), [1, 2, 3], "the writer goes on after an error");
}

#[test]
fn nothing_is_ever_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    fs::write(&path, "precious").unwrap();
    assert!(matches!(Writer::create(&path, &facts()), Err(StoreError::Exists { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    let error = Writer::create(&folder.path().join("no/such/a.midwire"), &facts()).unwrap_err();
    assert!(matches!(error, StoreError::Create { .. }), "{error}");
}

#[test]
#[cfg(unix)]
fn only_the_owner_may_read_a_recording() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let _writer = begin(&path);
    for name in names(folder.path()) {
        let mode = fs::metadata(folder.path().join(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
}

#[test]
fn twenty_readers_follow_a_writer_from_its_first_moment_to_its_last() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for n in 0..20 {
            let (path, done) = (&path, &done);
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    follow(path, done, n % 2 == 0);
                }
            });
        }
        std::thread::sleep(Duration::from_millis(20));
        let mut writer = begin(&path);
        for n in 0..60 {
            batch(&mut writer, n * 10 + 1..=n * 10 + 10);
        }
        writer.close(7, 0).unwrap();
        done.store(true, Ordering::Relaxed);
    });
    settle(&path).unwrap();
    assert_eq!(names(folder.path()), ["a.midwire"]);
    assert_eq!(read(&Reader::open(&path).unwrap()).len(), 600);
}

/// Opens the recording once it is there and reads it until the writer is done, or once.
fn follow(path: &Path, done: &AtomicBool, stay: bool) {
    let mut reader = match Reader::open(path) {
        Ok(reader) => reader,
        // It has not begun, or has just begun.
        Err(OpenError::Missing { .. } | OpenError::Empty { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    loop {
        let seqs = read(&reader);
        assert!(seqs.iter().zip(1..).all(|(seq, n)| *seq == n) && seqs.len().is_multiple_of(10), "whole batches");
        reader.recording().unwrap();
        while !reader.changed() && !done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if !stay || done.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// The path for [`a_writer_that_will_be_killed`] when it is run as a process of its own.
const VICTIM: &str = "MIDWIRE_TEST_VICTIM";

#[test]
#[ignore = "the child process of everything_committed_survives_a_killed_writer"]
fn a_writer_that_will_be_killed() {
    let Some(path) = std::env::var_os(VICTIM) else { return };
    let mut writer = begin(Path::new(&path));
    for n in 0.. {
        batch(&mut writer, n * 10 + 1..=n * 10 + 10);
        writeln!(std::io::stderr(), "{}", n * 10 + 10).unwrap();
    }
}

#[test]
fn everything_committed_survives_a_killed_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "recordings::a_writer_that_will_be_killed"])
        .env(VICTIM, &path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut committed: Seq = said.find_map(|line| line.parse().ok().filter(|seq| *seq > 200)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    committed = said.filter_map(|line| line.parse().ok()).last().unwrap_or(committed);
    assert!(names(folder.path()).len() > 1, "it left a WAL");
    let reader = Reader::open(&path).unwrap();
    let seqs = read(&reader);
    assert!(seqs.len() as Seq >= committed && seqs.len().is_multiple_of(10), "{} of {committed}", seqs.len());
    assert_eq!(reader.recording().unwrap().ended, None);
    drop(reader);
    settle(&path).unwrap();
    assert_eq!(names(folder.path()), ["a.midwire"], "settling makes one file of it");
    assert_eq!(read(&Reader::open(&path).unwrap()), seqs);
    let mut writer = Writer::open(&path).unwrap();
    writer.insert(&frame(seqs.len() as Seq + 1, &line(seqs.len() as Seq + 1))).unwrap();
    writer.close(9, 0).unwrap();
    assert_eq!(Reader::open(&path).unwrap().count().unwrap(), seqs.len() as u64 + 1);
}

#[test]
fn a_copy_of_file_and_wal_holds_what_was_committed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = begin(&path);
    batch(&mut writer, 1..=50);
    writer.begin().unwrap();
    writer.insert(&frame(51, &line(51))).unwrap();
    let copy = folder.path().join("copy.midwire");
    fs::copy(&path, &copy).unwrap();
    fs::copy(wal(&path), wal(&copy)).unwrap();
    assert_eq!(read(&Reader::open(&copy).unwrap()).len(), 50);
    // Without its WAL the copy is an early state of the recording, never an error.
    let early = folder.path().join("early.midwire");
    fs::copy(&path, &early).unwrap();
    let early = Reader::open(&early).unwrap();
    assert_eq!(early.recording().unwrap(), facts());
}

fn wal(path: &Path) -> PathBuf {
    path.with_extension("midwire-wal")
}

#[test]
#[cfg(unix)]
fn a_read_only_file_in_a_read_only_folder_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file: 100% ü?#.midwire");
    closed(&path, 20);
    let allow = |mode, file| {
        fs::set_permissions(&path, PermissionsExt::from_mode(file)).unwrap();
        fs::set_permissions(folder.path(), PermissionsExt::from_mode(mode)).unwrap();
    };
    allow(0o555, 0o444);
    let reader = Reader::open(&path).unwrap();
    assert_eq!((reader.warning(), read(&reader).len()), (None, 20));
    allow(0o755, 0o644);
}

#[test]
fn a_long_scan_hands_out_every_entry_once_while_the_writer_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = begin(&path);
    writer.begin().unwrap();
    for seq in 1..=20_000 {
        writer.insert(&frame(seq, b"x\n")).unwrap();
    }
    writer.commit().unwrap();
    let mut next = 1;
    let reader = Reader::open(&path).unwrap();
    let scan = reader.scan(0, &mut |entry| {
        assert_eq!(entry.seq, next);
        if next == 20_000 {
            writer.insert(&frame(20_001, b"written meanwhile\n")).unwrap();
        }
        next += 1;
        ControlFlow::Continue(())
    });
    scan.unwrap();
    assert!(next == 20_001 || next == 20_002);
    assert_eq!(reader.entry(20_001).unwrap().unwrap().bytes, b"written meanwhile\n");
}
