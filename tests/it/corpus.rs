//! Captured conversations between real peers, imported and read into traces.
//!
//! Each file of tests/data/corpus is JSON Lines: `{"ts", "dir": "c2s"|"s2c"|"stderr"|"meta", "transport",
//! "conn", "http", "raw", "raw_b64"?, "no_newline"?}`. Another folder of such files is checked with
//! `MIDWIRE_CAPTURES=FOLDER cargo test -- corpus --ignored --nocapture`.

use std::fmt::Write as _;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use midwire::engine::jsonl;
use midwire::model::{Channel, Entry, Transport};
use midwire::store::Reader;
use midwire::trace::{Marks, Status, Trace};

use crate::playbooks::consistent::consistent;

/// The traces of a captured file: one for each process, or one for all HTTP traffic.
pub fn traces(path: &Path) -> Vec<Trace> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recording = folder.path().join("a.midwire");
    let file = std::fs::File::open(path).expect("the capture can be read");
    let imported = jsonl::import(&mut BufReader::new(file), &recording, "captured").expect("it can be imported");
    assert_eq!(imported.first_bad, [], "{}", path.display());
    let reader = Reader::open(&recording).expect("what was imported opens");
    let channels = reader.channels().expect("has channels");
    let entries = reader.page(0, usize::MAX).expect("has entries");
    if channels.iter().any(|channel| channel.transport != Transport::Stdio) {
        return vec![trace(Transport::HttpRequest, &channels, &entries)];
    }
    let process = |channel: &Channel| {
        let own: Vec<Entry> = entries.iter().filter(|entry| entry.channel == channel.id).cloned().collect();
        trace(Transport::Stdio, std::slice::from_ref(channel), &own)
    };
    channels.iter().map(process).collect()
}

fn trace(transport: Transport, channels: &[Channel], entries: &[Entry]) -> Trace {
    let mut trace = Trace::new(transport);
    channels.iter().cloned().for_each(|channel| trace.open_channel(channel));
    entries.iter().for_each(|entry| trace.record(entry));
    trace
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
    everything-httpsse-2024transport: 7 exchanges, 15 rows
    host-claude-code-everything: 4 exchanges, 1 modern, 1 errors, 14 rows
    host-codex-time: 4 exchanges, 9 rows
    py2-dual_era-http-default: 6 exchanges, 3 modern, 9 rows
    py2-mrtr-stdio-legacy: 6 exchanges, 6 modern, 1 errors, 2 operations, 11 rows
    py2-sse_polling-http-legacy: 3 exchanges, 7 rows
    py2-streaming-http-legacy: 5 exchanges, 1 late, 11 rows
    rmcp311-elicitation-stdio-2026-07-28: 1 exchanges, 1 modern, 9 rows | 3 exchanges, 3 modern, 1 errors, 10 rows
    ts2-elicitation-stdio-modern: 1 exchanges, 1 modern, 6 rows | 9 exchanges, 9 modern, 4 operations, 13 rows
    ts2-parallel-calls-http-legacy: 7 exchanges, 13 rows
    ts2-stateless-legacy-http-legacy: 6 exchanges, 3 modern, 8 rows
    ts2-subscriptions-stdio-modern: 1 exchanges, 1 modern, 6 rows | 3 exchanges, 3 modern, 7 rows | 1 exchanges, 1 modern, 6 rows | 3 exchanges, 3 modern, 7 rows
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
