//! How soon a large recording shows its first rows, and how fast it is read from end to end, against bare
//! SQLite on the same file. Prints milliseconds and ratios.
//!
//! `cargo bench --bench open [-- ROWS]`; the recording is made once in `MIDWIRE_BENCH_DIR` (or the
//! temporary folder) and stays there.

#![allow(clippy::print_stdout, reason = "a bench tells its figures")]

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use midwire::model::{Channel, Entry, EntryKind, Flags, Recording, Role, Side, Transport};
use midwire::store::{Reader, Writer};
use rusqlite::{Connection, OpenFlags};

/// How often each takes its turn; the best counts.
const ROUNDS: usize = 5;

fn main() {
    // `cargo test --benches` only asks whether it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let rows: u64 = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1_000_000);
    let folder = std::env::var_os("MIDWIRE_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("midwire-bench-open-{rows}.midwire"));
    if !path.exists() {
        make(&path, rows);
    }
    let size = std::fs::metadata(&path).map_or(0, |file| file.len());
    println!("{rows} entries, {} MB, read from memory, best of {ROUNDS} turns", size / 1_000_000);
    let (mut first, mut last, mut scan, mut bare) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        first = first.min(milliseconds(|| {
            let reader = Reader::open(&path).expect("open");
            black_box((
                reader.recording().expect("facts"),
                reader.channels().expect("channels"),
                reader.count().expect("count"),
            ));
            assert_eq!(black_box(reader.page(1, 60).expect("page")).len(), 60);
        }));
        last = last.min(milliseconds(|| {
            let reader = Reader::open(&path).expect("open");
            assert_eq!(black_box(reader.page(rows - 59, 60).expect("page")).len(), 60);
        }));
        bare = bare.min(milliseconds(|| assert_eq!(by_sqlite(&path), rows)));
        scan = scan.min(milliseconds(|| assert_eq!(by_reader(&path), rows)));
    }
    println!("open, facts, count, first 60 rows   {first:>9.2} ms  (to reach: 300)");
    println!("open, last 60 rows                  {last:>9.2} ms");
    println!("every column, bare SQLite           {bare:>9.0} ms");
    println!("every column, store::Reader         {scan:>9.0} ms, {:.0} MB/s", size as f64 / scan / 1000.0);
    println!("ratio of time to bare SQLite        {:>9.2}", scan / bare);
}

fn milliseconds(turn: impl FnOnce()) -> f64 {
    let start = Instant::now();
    turn();
    start.elapsed().as_secs_f64() * 1000.0
}

fn by_reader(path: &Path) -> u64 {
    let (mut rows, mut sum) = (0, 0_u64);
    let reader = Reader::open(path).expect("open");
    let done = reader.scan(0, &mut |entry| {
        rows += 1;
        sum = sum.wrapping_add(touch(entry.bytes)).wrapping_add(entry.at as u64);
        ControlFlow::Continue(())
    });
    done.expect("scan");
    black_box(sum);
    rows
}

fn by_sqlite(path: &Path) -> u64 {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("open");
    let mut select = connection.prepare("SELECT * FROM entries").expect("prepare");
    let mut found = select.query([]).expect("query");
    let (mut rows, mut sum) = (0, 0_u64);
    while let Some(row) = found.next().expect("row") {
        rows += 1;
        for column in [0, 1, 2, 3, 6, 7] {
            sum = sum.wrapping_add(row.get_ref(column).and_then(|value| Ok(value.as_i64()?)).expect("number") as u64);
        }
        for column in [4, 5] {
            sum = sum
                .wrapping_add(row.get_ref(column).and_then(|value| Ok(value.as_bytes()?.len())).expect("word") as u64);
        }
        sum = sum.wrapping_add(touch(row.get_ref(8).and_then(|value| Ok(value.as_blob()?)).expect("bytes")));
    }
    black_box(sum);
    rows
}

/// Looks at one byte of each cache line.
fn touch(bytes: &[u8]) -> u64 {
    bytes.iter().step_by(64).map(|byte| u64::from(*byte)).sum()
}

fn make(path: &Path, rows: u64) {
    let facts = Recording {
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
    };
    let fill: String = (0..2000_u32).map(|n| char::from(b'a' + (n * 7 % 26) as u8)).collect();
    let mut writer = Writer::create(path, &facts).expect("create");
    writer.channel(&Channel::stdio(1)).expect("channel");
    writer.begin().expect("begin");
    for seq in 1..=rows {
        let start = (seq % 1000) as usize;
        let fill = &fill[start..start + 780 + (seq % 40) as usize];
        let text = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{seq},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{fill}\"}}],\"isError\":false}}}}\n"
        );
        let at = 1_796_055_112_386_000_000 + seq as i64 * 20_000;
        let side = Some(if seq % 2 == 0 { Side::Server } else { Side::Client });
        let (kind, flags, size) = (EntryKind::Frame, Flags::default(), text.len() as u64);
        writer
            .insert(&Entry { seq, at, until: at, channel: 1, side, kind, flags, size, bytes: text.into_bytes() })
            .expect("insert");
        if seq % 1000 == 0 {
            writer.commit().expect("commit");
            writer.begin().expect("begin");
        }
    }
    writer.close(1, 0).expect("close");
}
