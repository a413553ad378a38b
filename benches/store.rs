//! How much of SQLite's speed a recording keeps: the writer against bare batched inserts of the same rows,
//! in turns within one run. Prints the rows a second of each and the ratio.
//!
//! `cargo bench --bench store [-- ROWS]`; `MIDWIRE_BENCH_DIR` says where the files go.

#![allow(clippy::print_stdout, reason = "a bench tells its figures")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use midwire::model::{Channel, Entry, EntryKind, Flags, Recording, Role, Side, Transport};
use midwire::store::Writer;
use rusqlite::Connection;

/// Rows in one transaction, as a busy recorder has them.
const BATCH: usize = 256;

/// How often each takes its turn.
const ROUNDS: usize = 5;

fn main() {
    // `cargo test --benches` only asks whether it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let rows = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(100_000);
    let entries = entries(rows);
    let bytes: usize = entries.iter().map(|entry| entry.bytes.len()).sum();
    println!("{rows} rows of {} bytes, {BATCH} in a batch, best of {ROUNDS} turns", bytes / rows);
    let (mut ours, mut theirs, mut tuned) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..ROUNDS {
        theirs = theirs.max(rate(&entries, |path| bare(path, &entries, "")));
        ours = ours.max(rate(&entries, |path| record(path, &entries)));
        let pragmas = "PRAGMA page_size = 16384; PRAGMA cache_size = -4096; PRAGMA wal_autocheckpoint = 512;";
        tuned = tuned.max(rate(&entries, |path| bare(path, &entries, pragmas)));
    }
    println!("bare inserts, SQLite's own page size   {theirs:>9.0} rows/s");
    println!("bare inserts, the writer's page size   {tuned:>9.0} rows/s");
    println!("store::Writer                          {ours:>9.0} rows/s");
    println!("ratio to SQLite's own page size        {:>9.2}", ours / theirs);
    println!("ratio to the writer's page size        {:>9.2}  (to reach: 0.80)", ours / tuned);
}

/// Rows a second of one turn, the file closed and whole.
fn rate(entries: &[Entry], turn: impl Fn(&Path)) -> f64 {
    let folder = std::env::var_os("MIDWIRE_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("midwire-bench-{}.midwire", std::process::id()));
    let start = Instant::now();
    turn(&path);
    let rate = entries.len() as f64 / start.elapsed().as_secs_f64();
    std::fs::remove_file(&path).expect("the file was made");
    rate
}

/// Inserts by the recorder's way.
fn record(path: &Path, entries: &[Entry]) {
    let mut writer = Writer::create(path, &facts()).expect("create");
    writer.channel(&Channel::stdio(1)).expect("channel");
    for batch in entries.chunks(BATCH) {
        writer.begin().expect("begin");
        for entry in batch {
            writer.insert(entry).expect("insert");
        }
        writer.commit().expect("commit");
    }
    writer.close(1, 0).expect("close");
}

/// Inserts by the shortest way that SQLite has.
fn bare(path: &Path, entries: &[Entry], pragmas: &str) {
    let connection = Connection::open(path).expect("create");
    let set_up = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE entries (seq INTEGER PRIMARY KEY, at INTEGER, until INTEGER, channel INTEGER, side TEXT,
            kind TEXT, flags INTEGER, size INTEGER, bytes BLOB);";
    connection.execute_batch(&format!("{pragmas} {set_up}")).expect("set up");
    let mut insert = connection.prepare("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").expect("prepare");
    for batch in entries.chunks(BATCH) {
        connection.execute_batch("BEGIN").expect("begin");
        for entry in batch {
            let (seq, size) = (entry.seq as i64, entry.size as i64);
            let bytes = entry.bytes.as_slice();
            insert.execute((seq, entry.at, entry.until, 1, "client", "frame", 0, size, bytes)).expect("insert");
        }
        connection.execute_batch("COMMIT").expect("commit");
    }
    drop(insert);
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("checkpoint");
}

/// Messages of about 0.9 KB.
fn entries(rows: usize) -> Vec<Entry> {
    let entry = |seq: u64| {
        let fill: String = (0..780 + seq % 40).map(|n| char::from(b'a' + ((n * 7 + seq) % 26) as u8)).collect();
        let text = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{seq},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{fill}\"}}],\"isError\":false}}}}\n"
        );
        let at = 1_796_055_112_386_000_000 + seq as i64 * 20_000;
        Entry {
            seq,
            at,
            until: at,
            channel: 1,
            side: Some(Side::Client),
            kind: EntryKind::Frame,
            flags: Flags::default(),
            size: text.len() as u64,
            bytes: text.into_bytes(),
        }
    };
    (1..=rows as u64).map(entry).collect()
}

fn facts() -> Recording {
    Recording {
        name: "bench".into(),
        role: Role::Tap,
        transport: Transport::Stdio,
        command: Vec::new(),
        left_out: 0,
        url: None,
        directory: None,
        host: None,
        recorder: 0,
        program: String::new(),
        started: 0,
        ended: None,
        lost: 0,
    }
}
