//! Captured conversations between real peers, read into traces.
//!
//! Each file of tests/data/corpus is JSON Lines: `{"ts", "dir": "c2s"|"s2c"|"stderr"|"meta", "transport",
//! "conn", "http", "raw", "raw_b64"?, "no_newline"?}`. Another folder of such files is checked with
//! `MIDWIRE_CAPTURES=FOLDER cargo test -- corpus --ignored --nocapture`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use midwire::model::{Channel, Entry, EntryKind, Flags, Lifecycle, Nanos, Side, Transport};
use midwire::trace::{Marks, Status, Trace};
use midwire::wire::lifecycle;
use serde_json::Value;

use crate::playbooks::consistent::consistent;

/// The traces of a captured file: one for each process, or one for all HTTP traffic.
pub fn traces(path: &Path) -> Vec<Trace> {
    let text = std::fs::read_to_string(path).expect("the capture can be read");
    let mut readers: Vec<(u64, Reader)> = Vec::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        let conn = line["conn"].as_u64().unwrap_or_default();
        let known = readers.iter().position(|(known, _)| *known == conn);
        let index = known.unwrap_or_else(|| {
            let http = line["transport"] == "http";
            readers.push((conn, Reader::new(if http { Transport::HttpRequest } else { Transport::Stdio })));
            readers.len() - 1
        });
        readers[index].1.line(&line);
    }
    readers.into_iter().map(|(_, reader)| reader.trace).collect()
}

struct Reader {
    trace: Trace,
    seq: u64,
    channels: HashMap<u32, Channel>,
}

impl Reader {
    fn new(transport: Transport) -> Self {
        Self { trace: Trace::new(transport), seq: 0, channels: HashMap::new() }
    }

    fn line(&mut self, line: &Value) {
        let at = (line["ts"].as_f64().expect("a time") * 1e9) as Nanos;
        let raw = bytes(line);
        if line["transport"] == "http" {
            return self.http(at, line, raw);
        }
        let mut raw = raw;
        if line["no_newline"] != true {
            raw.push(b'\n');
        }
        match line["dir"].as_str() {
            Some("c2s") => self.entry(at, 1, Some(Side::Client), EntryKind::Frame, raw),
            Some("s2c") => self.entry(at, 1, Some(Side::Server), EntryKind::Frame, raw),
            Some("stderr") => self.entry(at, 1, Some(Side::Server), EntryKind::Stderr, raw),
            Some("meta") => {
                if let Some(event) = event(raw.trim_ascii_end()) {
                    self.entry(at, 1, None, EntryKind::Lifecycle, lifecycle::encode(&event));
                }
            }
            other => panic!("unknown direction {other:?}"),
        }
    }

    fn http(&mut self, at: Nanos, line: &Value, raw: Vec<u8>) {
        let http = &line["http"];
        let id = http["exchange"].as_u64().expect("an exchange's number") as u32;
        let channel =
            self.channels.entry(id).or_insert_with(|| Channel { transport: transport(http), ..Channel::stdio(id) });
        let is_endpoint = http["sse"]["event"] == "endpoint";
        if is_endpoint {
            channel.transport = Transport::HttpSse;
        }
        let slots = [
            ("mcp-session-id", &mut channel.session),
            ("mcp-protocol-version", &mut channel.version),
            ("last-event-id", &mut channel.resumes),
        ];
        for (name, slot) in slots {
            if slot.is_none() {
                *slot = header(http, name);
            }
        }
        let channel = channel.clone();
        self.trace.open_channel(channel);
        if raw.is_empty() || is_endpoint {
            return;
        }
        let side = if line["dir"] == "c2s" { Side::Client } else { Side::Server };
        self.entry(at, id, Some(side), EntryKind::Frame, raw);
    }

    fn entry(&mut self, at: Nanos, channel: u32, side: Option<Side>, kind: EntryKind, bytes: Vec<u8>) {
        self.seq += 1;
        let (seq, size, flags) = (self.seq, bytes.len() as u64, Flags::default());
        self.trace.record(&Entry { seq, at, until: at, channel, side, kind, flags, size, bytes });
    }
}

fn transport(http: &Value) -> Transport {
    if http["method"] == "GET" { Transport::HttpStream } else { Transport::HttpRequest }
}

fn header(http: &Value, name: &str) -> Option<String> {
    let mut headers = http["headers"].as_array().into_iter().flatten();
    let found = headers.find(|pair| pair[0].as_str().is_some_and(|key| key.eq_ignore_ascii_case(name)));
    found.and_then(|pair| pair[1].as_str()).map(str::to_owned)
}

fn bytes(line: &Value) -> Vec<u8> {
    match line["raw_b64"].as_str() {
        Some(text) => base64::engine::general_purpose::STANDARD.decode(text).expect("raw_b64 is base64"),
        None => line["raw"].as_str().unwrap_or_default().as_bytes().to_vec(),
    }
}

/// `s2c eof`, `exit -15` and the like.
fn event(text: &[u8]) -> Option<Lifecycle> {
    let text = std::str::from_utf8(text).ok()?;
    Some(match text {
        "c2s eof" => Lifecycle::ClientClosed,
        "s2c eof" => Lifecycle::ServerClosed,
        _ => {
            let code: i32 = text.strip_prefix("exit ")?.parse().ok()?;
            if code < 0 { Lifecycle::Signalled { signal: -code } } else { Lifecycle::Exited { code } }
        }
    })
}

/// The figures of a file by which a change of the trace is noticed.
fn sum(traces: &[Trace]) -> String {
    let mut parts = Vec::new();
    for trace in traces {
        let marked = |mark| trace.notes().iter().filter(|note| note.marks.has(mark)).count();
        let status = |wanted: &[Status]| trace.exchanges().iter().filter(|one| wanted.contains(&one.status)).count();
        let modern = trace.exchanges().iter().filter(|one| one.era == Some(midwire::model::Era::Modern)).count();
        let unknown = trace.exchanges().iter().filter(|one| one.era.is_none()).count();
        let figures = [
            ("exchanges", trace.exchanges().len()),
            ("modern", modern),
            ("of unknown era", unknown),
            ("errors", status(&[Status::Error, Status::Failed])),
            ("pending", status(&[Status::Pending])),
            ("unanswered", status(&[Status::Unanswered])),
            ("cancelled", status(&[Status::Cancelled])),
            ("late", status(&[Status::Late])),
            ("ambiguous", status(&[Status::Ambiguous])),
            ("orphans", marked(Marks::ORPHAN)),
            ("duplicates", marked(Marks::DUPLICATE)),
            ("unknown targets", marked(Marks::UNKNOWN_TARGET)),
            ("operations", trace.operations().len()),
            ("rows", trace.rows().len()),
        ];
        let said = figures.iter().filter(|(_, number)| *number > 0).map(|(what, number)| format!("{number} {what}"));
        parts.push(said.collect::<Vec<_>>().join(", "));
    }
    parts.join(" | ")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<_> = list.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    files
}

#[test]
fn captured_conversations_are_paired_as_they_were_held() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus");
    let mut said = String::new();
    for file in files(&folder) {
        let traces = traces(&file);
        let _ = writeln!(said, "{}: {}", file.file_stem().unwrap_or_default().to_string_lossy(), sum(&traces));
        for trace in &traces {
            consistent(trace);
        }
    }
    insta::assert_snapshot!(said, @r#"
    everything-httpsse-2024transport: 7 exchanges, 22 rows
    host-claude-code-everything: 4 exchanges, 1 modern, 1 errors, 13 rows
    host-codex-time: 4 exchanges, 8 rows
    py2-dual_era-http-default: 6 exchanges, 3 modern, 7 rows
    py2-mrtr-stdio-legacy: 6 exchanges, 6 modern, 1 errors, 2 operations, 11 rows
    py2-sse_polling-http-legacy: 3 exchanges, 4 rows
    py2-streaming-http-legacy: 5 exchanges, 1 late, 9 rows
    rmcp311-elicitation-stdio-2026-07-28: 1 exchanges, 1 modern, 8 rows | 3 exchanges, 3 modern, 1 errors, 10 rows
    ts2-elicitation-stdio-modern: 1 exchanges, 1 modern, 5 rows | 9 exchanges, 9 modern, 4 operations, 13 rows
    ts2-parallel-calls-http-legacy: 7 exchanges, 3 orphans, 13 rows
    ts2-stateless-legacy-http-legacy: 6 exchanges, 3 modern, 1 orphans, 8 rows
    ts2-subscriptions-stdio-modern: 1 exchanges, 1 modern, 5 rows | 3 exchanges, 3 modern, 7 rows | 1 exchanges, 1 modern, 5 rows | 3 exchanges, 3 modern, 7 rows
    "#);
}

#[test]
#[ignore = "needs a folder of captures, named by MIDWIRE_CAPTURES"]
fn a_whole_corpus() {
    let folder = std::env::var("MIDWIRE_CAPTURES").expect("MIDWIRE_CAPTURES names a folder of captures");
    let tell = std::env::var_os("MIDWIRE_TELL").is_some();
    for file in files(Path::new(&folder)) {
        let traces = traces(&file);
        println!("{}: {}", file.file_name().unwrap_or_default().to_string_lossy(), sum(&traces));
        for trace in traces.iter().filter(|_| tell) {
            println!("{}", crate::playbooks::told::told(trace));
        }
        traces.iter().for_each(consistent);
    }
}
