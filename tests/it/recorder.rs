//! The recorder by itself, fed with streams of HTTP: that secrets reach no file, that nothing else is
//! changed, and what remains when the file cannot be written for a while.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use midwire::engine::clock::Clock;
use midwire::engine::jsonl::export;
use midwire::engine::record::{self, Coding, Flow, Framing, Plan, Queue, Stream};
use midwire::model::{Channel, ChannelId, Entry, EntryKind, Flags, Lifecycle, Recording, Transport};
use midwire::store::Reader;
use midwire::wire::lifecycle;

use crate::recordings::facts;

/// A recorder that runs.
struct Running {
    queue: Arc<Queue>,
    thread: JoinHandle<()>,
}

impl Running {
    fn start(folder: &Path, keep_secrets: bool) -> Self {
        let queue = Arc::new(Queue::new(record::ROOM, Clock::start()));
        let facts = Recording { transport: Transport::HttpRequest, ..facts() };
        let plan = Plan { folder: Ok(folder.to_owned()), facts, max_entry: 1 << 20, keep_secrets };
        let thread = record::start(Arc::clone(&queue), move || plan, Arc::new(|_| ())).unwrap();
        Self { queue, thread }
    }

    fn open(&self, channel: ChannelId) -> (Stream, Stream) {
        self.queue.open(Channel { transport: Transport::HttpRequest, ..Channel::stdio(channel) });
        (Stream { channel, flow: Flow::Input }, Stream { channel, flow: Flow::Output })
    }

    fn message(&self, stream: Stream, head: &[u8], coding: Coding, body: &[u8]) {
        self.queue.head(stream, head);
        self.queue.frame(stream, Framing::Body(coding));
        body.chunks(40).for_each(|chunk| self.queue.push(stream, chunk));
        self.queue.ended(stream);
        self.queue.wake();
    }

    fn finish(self) {
        self.queue.close();
        self.thread.join().unwrap();
    }
}

fn file(folder: &Path) -> PathBuf {
    let mut files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.find(|path| path.extension().is_some_and(|end| end == "midwire")).expect("a recording")
}

fn entries(folder: &Path) -> Vec<Entry> {
    Reader::open(&file(folder)).unwrap().page(0, usize::MAX).unwrap()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A token request and a call of a tool, as heads and bodies.
const TALK: [(&str, &str); 4] = [
    (
        "POST /token?client_secret=s3cret-0 HTTP/1.1\r\nAuthorization: Basic s3cret-1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n",
        "grant_type=authorization_code&code=s3cret-2&code_verifier=s3cret-3&client_id=me",
    ),
    (
        "HTTP/1.1 200 OK\r\nSet-Cookie: sid=s3cret-4; HttpOnly\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n",
        r#"{"access_token":"s3cret-5","token_type":"Bearer","refresh_token":"s3cret-6"}"#,
    ),
    (
        "POST /mcp HTTP/1.1\r\nAUTHORIZATION: Bearer s3cret-7\r\nMcp-Session-Id: kept-1\r\nX-Api-Key:s3cret-8\r\nContent-Type: application/json\r\n\r\n",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"access_token":"kept-2"}}}"#,
    ),
    (
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: /cb?code=s3cret-9&state=kept-3\r\nDPoP: s3cret-10\r\n\r\n",
        "see there",
    ),
];

fn talk(folder: &Path, keep_secrets: bool) {
    let running = Running::start(folder, keep_secrets);
    for (channel, pair) in (1..).zip(TALK.chunks(2)) {
        let (input, output) = running.open(channel);
        running.message(input, pair[0].0.as_bytes(), Coding::Identity, pair[0].1.as_bytes());
        running.message(output, pair[1].0.as_bytes(), Coding::Gzip, &gzip(pair[1].1.as_bytes()));
        running.queue.closed(channel);
    }
    running.finish();
}

#[test]
fn secrets_reach_neither_the_file_nor_what_is_made_of_it() {
    let folder = tempfile::tempdir().unwrap();
    talk(folder.path(), false);
    let path = file(folder.path());
    let mut exported = Vec::new();
    export(&Reader::open(&path).unwrap(), &mut exported).unwrap();
    let shown = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_midwire")).args(words).arg(&path).output().unwrap();
        output.stdout
    };
    let forms = [fs::read(&path).unwrap(), exported, shown(&["show"]), shown(&["show", "--json"])];
    for (form, text) in forms.iter().enumerate() {
        let holds = |word: &str| text.windows(word.len()).any(|window| window == word.as_bytes());
        assert!(!text.is_empty() && !holds("s3cret"), "form {form}: {}", String::from_utf8_lossy(text));
        let kept = ["kept-1", "kept-2", "kept-3", "HttpOnly", "grant_type=authorization_code", "token_type"];
        assert!(form > 1 || kept.into_iter().all(holds), "form {form} lacks what is no secret");
    }
    assert!(entries(folder.path()).iter().filter(|entry| entry.flags.has(Flags::REDACTED)).count() >= 6);
}

#[test]
fn with_secrets_kept_every_byte_is_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    talk(folder.path(), true);
    let list = entries(folder.path());
    let expected: Vec<&[u8]> = TALK.iter().flat_map(|(head, body)| [head.as_bytes(), body.as_bytes()]).collect();
    assert_eq!(list.iter().map(|entry| &entry.bytes[..]).collect::<Vec<_>>(), expected);
    assert!(list.iter().all(|entry| !entry.flags.has(Flags::REDACTED)));
}

/// Every channel that has entries has a request's head and one end of its response.
fn has_one_end_each(list: &[Entry]) {
    let mut ends: BTreeMap<ChannelId, (usize, usize)> = BTreeMap::new();
    for entry in list.iter().filter(|entry| entry.channel != Stream::WHOLE) {
        let (heads, ends) = ends.entry(entry.channel).or_default();
        let is_request = entry.kind == EntryKind::Head && entry.bytes.starts_with(b"POST");
        *heads += usize::from(is_request);
        let says = entry.side.is_none() && matches!(lifecycle::decode(&entry.bytes), Lifecycle::HttpEnded { .. });
        let is_marked = entry.side == Some(midwire::model::Side::Server) && entry.flags.has(Flags::ENDS);
        *ends += usize::from(says || is_marked);
    }
    for (channel, (heads, ends)) in ends {
        assert_eq!((heads, ends), (1, 1), "channel {channel}: heads and ends");
    }
}

#[test]
fn a_file_that_somebody_holds_for_a_while_lacks_nothing_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::start(folder.path(), false);
    let (input, output) = running.open(1);
    running.message(input, b"POST /mcp HTTP/1.1\r\n\r\n", Coding::Identity, b"{}");
    running.queue.head(output, b"HTTP/1.1 200 OK\r\n\r\n");
    running.queue.frame(output, Framing::Events(Coding::Identity));
    running.queue.push(output, b"data: 1\n\n");
    running.queue.wake();
    let start = std::time::Instant::now();
    let is_written = || {
        let path = fs::read_dir(folder.path()).ok()?.next()?.ok()?.path();
        // The file is empty at first, and its companions come and go.
        let reader = Reader::open(&path.with_extension("midwire")).ok()?;
        reader.count().ok().filter(|count| *count >= 4)
    };
    while is_written().is_none() {
        assert!(start.elapsed() < Duration::from_mins(1), "nothing is recorded");
        std::thread::sleep(Duration::from_millis(20));
    }
    // Longer than the recorder waits before it tells of it.
    let holder = rusqlite::Connection::open(file(folder.path())).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    for channel in 2..=50 {
        let (input, output) = running.open(channel);
        running.message(input, b"POST /mcp HTTP/1.1\r\n\r\n", Coding::Identity, b"{}");
        running.message(output, b"HTTP/1.1 200 OK\r\n\r\n", Coding::Identity, b"[]");
        running.queue.closed(channel);
    }
    running.queue.push(output, b"data: 2\n\n");
    std::thread::sleep(Duration::from_millis(6500));
    holder.execute_batch("COMMIT").unwrap();
    drop(holder);
    running.finish();
    let list = entries(folder.path());
    has_one_end_each(&list);
    assert_eq!(list.len(), 4 + 49 * 4 + 2, "an event more, and that it was stopped");
    assert_eq!(Reader::open(&file(folder.path())).unwrap().recording().unwrap().lost, 0);
}

#[test]
#[ignore = "mounts a tmpfs; needs root"]
#[cfg(target_os = "linux")]
fn a_full_disk_costs_entries_but_no_request_its_head_or_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(&disk).status().unwrap();
    assert!(mount.success());
    let _unmount = crate::losses::Unmount(disk.clone());
    let running = Running::start(&disk.join("r"), false);
    let mut pushed = 0;
    let event = [&b"data: "[..], &vec![b'x'; 20_000], b"\n\n"].concat();
    let begin = |channel| {
        let (input, output) = running.open(channel);
        running.message(input, b"POST /mcp HTTP/1.1\r\n\r\n", Coding::Identity, b"{}");
        running.queue.head(output, b"HTTP/1.1 200 OK\r\n\r\n");
        running.queue.frame(output, Framing::Events(Coding::Identity));
        output
    };
    for channel in 1..=500 {
        let output = begin(channel);
        running.queue.push(output, &event);
        running.queue.wake();
        pushed += 4;
        if channel % 2 == 0 {
            running.queue.ended(output);
            running.queue.closed(channel);
        }
        if channel % 100 == 0 {
            std::thread::sleep(Duration::from_millis(300));
        }
    }
    let more = Command::new("mount").args(["-o", "remount,size=64m"]).arg(&disk).status().unwrap();
    assert!(more.success());
    std::thread::sleep(Duration::from_millis(2500));
    for channel in (1..=500).step_by(2) {
        running.queue.push(Stream { channel, flow: Flow::Output }, b"data: last\n\n");
        running.queue.ended(Stream { channel, flow: Flow::Output });
        running.queue.closed(channel);
        pushed += 1;
    }
    running.finish();
    let list = entries(&disk.join("r"));
    let lost = Reader::open(&file(&disk.join("r"))).unwrap().recording().unwrap().lost;
    let seen = list.iter().filter(|entry| entry.side.is_some()).count() as u64;
    assert!(lost > 0, "the disk was not full");
    assert_eq!(seen + lost, pushed, "each is there or counted");
    has_one_end_each(&list);
    assert!(list.is_sorted_by_key(|entry| entry.seq));
    assert!(list.iter().any(|entry| entry.flags.has(Flags::AFTER_LOSS)));
}

#[test]
fn two_recordings_that_would_have_one_name_are_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let both = [Running::start(folder.path(), false), Running::start(folder.path(), false)];
    for (channel, running) in (1..).zip(&both) {
        let (input, _) = running.open(channel);
        running.message(input, b"GET / HTTP/1.1\r\n\r\n", Coding::Identity, b"");
    }
    both.into_iter().for_each(Running::finish);
    let files = fs::read_dir(folder.path()).unwrap().map(|file| Reader::open(&file.unwrap().path()).unwrap());
    let mut channels: Vec<ChannelId> = files.flat_map(|reader| reader.channels().unwrap()).map(|it| it.id).collect();
    channels.sort_unstable();
    assert_eq!(channels, [1, 2]);
}
