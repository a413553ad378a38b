//! Opens and filters a recording of a million entries (1 GB) through the handle, as the window does,
//! and compares with what bare SQLite needs for a LIKE over the same rows. Times are those of one run
//! on one machine; the ratio is what can be compared, and on a busy machine the time of the processor,
//! which counts all threads.

#![allow(clippy::print_stdout, missing_docs)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use midwire::engine::Handle;
use midwire::engine::view::{Command, Event, State, View};
use midwire::model::{Channel, Entry, EntryKind, Flags, Recording, Role, Side, Transport};
use midwire::store::Writer;

/// Entries in the recording.
const ENTRIES: u64 = 1_000_000;
/// Bytes of an entry, about.
const SIZE: usize = 900;
/// One call in so many holds the word that is searched for.
const RARE: u64 = 10_000;

fn main() {
    // `cargo test --benches` only asks whether it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let path = recording();
    println!("recording: {} ({} MB)", path.display(), std::fs::metadata(&path).map_or(0, |file| file.len()) >> 20);
    let like = median(3, || like(&path));
    row("SQLite, count of LIKE over all rows", like, None);
    let folder = std::env::temp_dir().join("midwire-bench-empty");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let window = Window { handle: Handle::start(folder, || {}) };
    let begun = Clock::now();
    window.handle.send(Command::Open(path));
    window.until(|event| matches!(event, Event::Opened(_)));
    row("opened", begun.took(), None);
    window.handle.send(Command::Rows { first: 0, count: 60 });
    window.until(|event| matches!(event, Event::Rows { rows, .. } if rows.len() == 60));
    row("first 60 rows", begun.took(), None);
    window.state(|state| state.read == ENTRIES);
    let read = begun.took();
    row("all entries read", read, None);
    println!("{:>50} {:.0}/s of the processor", "", ENTRIES as f64 / read.busy.as_secs_f64());
    println!("{:>50} {} MB", "memory", memory() >> 20);
    window.scroll();
    for filter in ["method:tools/call", "tool:search", "is:error", "tool:read and latency>1ms", "size>1kB or id:77"] {
        window.filter(View::Exchanges, filter, like);
        window.filter(View::Messages, filter, like);
    }
    for filter in ["\"needle\"", "\"jsonrpc\"", "tool:read \"needle\"", "/need[l]e/"] {
        window.filter(View::Exchanges, filter, like);
    }
    window.filter(View::Messages, "\"needle\"", like);
}

struct Window {
    handle: Handle,
}

impl Window {
    fn until(&self, mut wanted: impl FnMut(&Event) -> bool) {
        loop {
            match self.handle.poll() {
                Some(event) if wanted(&event) => return,
                Some(_) => {}
                None => std::thread::sleep(Duration::from_micros(200)),
            }
        }
    }

    fn state(&self, mut wanted: impl FnMut(&State) -> bool) {
        self.until(|event| matches!(event, Event::State(state) if wanted(state)));
    }

    /// Fetches pages from all over the recording.
    fn scroll(&self) {
        let mut slowest = Took::default();
        for page in 0..500 {
            let begun = Clock::now();
            let first = page * 7919 % (ENTRIES / 2 - 60);
            self.handle.send(Command::Rows { first, count: 60 });
            self.until(|event| matches!(event, Event::Rows { first: sent, .. } if *sent == first));
            slowest = slowest.max(begun.took());
        }
        row("slowest of 500 pages of 60 rows", slowest, None);
    }

    /// Applies a filter: when the first rows are there, and when all are.
    fn filter(&self, view: View, filter: &str, like: Took) {
        self.handle.send(Command::Show { view, filter: String::new() });
        self.state(|state| state.filtered >= 1.0 && state.matching == state.total);
        // Nothing is under way any more, so every state from here on is about the filter.
        std::thread::sleep(Duration::from_millis(100));
        while self.handle.poll().is_some() {}
        let begun = Clock::now();
        self.handle.send(Command::Show { view, filter: filter.to_owned() });
        let mut first = None;
        let mut matching = 0;
        self.state(|state| {
            assert_eq!(state.filter_error, None, "{filter}");
            if state.matching > 0 {
                first.get_or_insert_with(|| begun.took());
            }
            matching = state.matching;
            state.filtered >= 1.0
        });
        let all = begun.took();
        row(&format!("{filter} ({view:?}): first"), first.unwrap_or(all), None);
        row(&format!("{matching} rows, all"), all, Some(like));
    }
}

/// When something began, on the clock and for the processor.
struct Clock {
    at: Instant,
    busy: Duration,
}

/// How long something took, on the clock and for the processor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Took {
    wall: Duration,
    busy: Duration,
}

impl Clock {
    fn now() -> Self {
        Self { at: Instant::now(), busy: busy() }
    }

    fn took(&self) -> Took {
        Took { wall: self.at.elapsed(), busy: busy().saturating_sub(self.busy) }
    }
}

/// Time of the processor that all threads have used, in steps of ten milliseconds, where the platform
/// tells.
fn busy() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    Duration::from_millis(fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() * 10)
}

fn row(what: &str, took: Took, base: Option<Took>) {
    let ratio = |took: Duration, base: Duration| took.as_secs_f64() / base.as_secs_f64();
    let ratio = base.map_or_else(String::new, |base| {
        format!("  {:.2} x LIKE, processor {:.2} x", ratio(took.wall, base.wall), ratio(took.busy, base.busy))
    });
    println!("{what:>50} {:>8.1} ms, processor {:>5} ms{ratio}", took.wall.as_secs_f64() * 1e3, took.busy.as_millis());
}

fn median(runs: usize, mut run: impl FnMut() -> Took) -> Took {
    let mut times: Vec<Took> = (0..runs).map(|_| run()).collect();
    times.sort();
    times[runs / 2]
}

fn like(path: &Path) -> Took {
    let connection = rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
        .expect("SQLite opens it");
    let begun = Clock::now();
    let count: i64 = connection
        .query_row("SELECT count(*) FROM entries WHERE bytes LIKE '%needle%'", [], |row| row.get(0))
        .expect("SQLite counts");
    assert!(count > 0);
    begun.took()
}

/// Resident memory of this process, where the platform tells.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// The recording, made once and kept in the temporary folder.
fn recording() -> PathBuf {
    let path = std::env::temp_dir().join("midwire-bench-million-1.midwire");
    if path.exists() {
        return path;
    }
    let building = path.with_extension("building");
    let _ = std::fs::remove_file(&building);
    let begun = Clock::now();
    let mut writer = Writer::create(&building, &facts()).expect("the recording can be made");
    writer.channel(&Channel::stdio(1)).expect("written");
    for batch in 0..ENTRIES / 1000 {
        writer.begin().expect("begun");
        for seq in batch * 1000 + 1..=(batch + 1) * 1000 {
            writer.insert(&entry(seq)).expect("written");
        }
        writer.commit().expect("committed");
    }
    writer.close(ENTRIES as i64 * 1_000_000, 0).expect("closed");
    std::fs::rename(&building, &path).expect("renamed");
    println!("made in {:?}", begun.took());
    path
}

fn facts() -> Recording {
    Recording {
        name: "million".to_owned(),
        role: Role::Tap,
        transport: Transport::Stdio,
        command: vec!["server".to_owned()],
        left_out: 0,
        url: None,
        directory: None,
        host: None,
        recorder: 1,
        program: "0.0.0".to_owned(),
        started: 0,
        ended: None,
        lost: 0,
    }
}

/// A call and its answer by turns, of several tools, one in fifty an error.
fn entry(seq: u64) -> Entry {
    let id = seq.div_ceil(2);
    let asks = seq % 2 == 1;
    let tool = ["read", "write", "search", "list", "fetch"][id as usize % 5];
    let word = if id.is_multiple_of(RARE) { "needle" } else { "common" };
    let filler = filler(seq);
    let text = if asks {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"path":"/data/{id}","text":"{word} {filler}"}},"_meta":{{"progressToken":{id}}}}}}}"#
        )
    } else if id.is_multiple_of(50) {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"bad","data":"{filler}"}}}}"#)
    } else {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{filler}"}}]}}}}"#)
    };
    let bytes = format!("{text}\n").into_bytes();
    let at = seq as i64 * 1_000_000 + (id % 7) as i64 * 100_000;
    Entry {
        seq,
        at,
        until: at,
        channel: 1,
        side: Some(if asks { Side::Client } else { Side::Server }),
        kind: EntryKind::Frame,
        flags: Flags::default(),
        size: bytes.len() as u64,
        bytes,
    }
}

/// Text that looks like text: words of different lengths, never the one that is searched for.
fn filler(seed: u64) -> String {
    const WORDS: [&str; 12] =
        ["lorem", "a", "dolor", "need", "path/to/file.rs", "let", "0x1f", "\\n", "value", "nee", "result", "the"];
    let mut text = String::with_capacity(SIZE);
    let mut state = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    while text.len() < SIZE - 130 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(WORDS[(state >> 33) as usize % WORDS.len()]);
        text.push(' ');
    }
    text
}
