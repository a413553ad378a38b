//! Captured conversations between real peers, imported and served: as recordings, in the other era, and as mock files.
//! Those of tests/data/corpus always; another folder with
//! `MIDWIRE_CAPTURES=FOLDER cargo test -- serve::corpus --ignored --nocapture`.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use midwire::engine::jsonl;
use midwire::engine::serve::recording;
use midwire::recorded::Session;

use super::recorded::{replayed, told};
use super::{crossed, turned};

/// What does not come out as it was recorded, with the reason: capture, entry of the request.
const EXPLAINED: [(&str, u64, &str); 12] = [
    ("conformance-harness-vs-rmcp311-2025-11-25", 659, "it was refused (403) for a Host that stdio does not have"),
    ("conformance-harness-vs-rmcp311-2025-11-25", 683, "it was refused (404) for a session that stdio does not have"),
    ("conformance-harness-vs-rmcp311-2026-07-28", 46, "a server of one era says so in the words of 2026-07-28, -32022"),
    ("conformance-harness-vs-rmcp311-2026-07-28", 50, "the mock refuses by itself a method that the revision has not"),
    ("conformance-harness-vs-rmcp311-2026-07-28", 58, "the mock refuses by itself a method that the revision has not"),
    ("conformance-harness-vs-rmcp311-2026-07-28", 62, "the mock refuses by itself a method that the revision has not"),
    ("conformance-harness-vs-rmcp311-2026-07-28", 245, "it was refused (403) for a Host that stdio does not have"),
    (
        "conformance-harness-vs-rmcp311-2026-07-28",
        399,
        "answers of the wrong shape are refused before the script is asked",
    ),
    (
        "everything-stdio-2025-11-25-full",
        70,
        "a mock file has no rules for the protocol's own, so nothing accompanies it",
    ),
    (
        "py2-mrtr-http-legacy",
        22,
        "the client went back to a round that it had answered otherwise; a replay has one way on",
    ),
    (
        "py2-mrtr-stdio-legacy",
        13,
        "the client went back to a round that it had answered otherwise; a replay has one way on",
    ),
    ("ts2-mrtr-stdio-legacy", 21, "the client answered with an error, and a round of 2026-07-28 has no such answer"),
];

/// The captures of a folder, in order.
pub fn captures(folder: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_dir(folder).expect("the folder can be read");
    let mut files: Vec<_> = list.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    files
}

/// One of them, imported into a folder and read.
pub fn imported(capture: &Path, folder: &Path) -> (PathBuf, Session) {
    let path = folder.join("a.midwire");
    let file = std::fs::File::open(capture).expect("the capture can be read");
    jsonl::import(&mut BufReader::new(file), &path, "captured").expect("it can be imported");
    let session = recording::read(&path).expect("it can be read");
    (path, session)
}

/// Serves all of them; gives what differs without an explanation. `tell` says more.
fn unexplained(folder: &Path, only: &str, tell: bool) -> Vec<String> {
    let mut unexplained = Vec::new();
    let (mut calls, mut same, mut meaningless, mut explained) = (0, 0, 0, 0);
    for capture in captures(folder) {
        let name = capture.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(only) {
            continue;
        }
        let place = tempfile::tempdir().expect("a temporary folder");
        let (_, session) = imported(&capture, place.path());
        let (differences, notes) = replayed(&session);
        let crossed = crossed::crossed(&session);
        let as_recorded = differences.iter().map(|it| (it.seq, format!("{}: {}", it.method, it.what)));
        let numbered = |text: String, how: &str| {
            let seq = text.split(' ').next().and_then(|seq| seq.parse().ok()).unwrap_or(0);
            (seq, format!("{how}: {text}"))
        };
        let others = crossed.wrong.into_iter().map(|text| numbered(text, "in the other era"));
        let mocked = turned::differences(&session).into_iter().map(|text| numbered(text, "as a mock file"));
        for (seq, what) in as_recorded.chain(others).chain(mocked) {
            let why = EXPLAINED.iter().find(|(known, at, _)| *known == name && *at == seq);
            match why {
                Some((.., why)) => {
                    explained += 1;
                    println!("{name} {seq}: {why}");
                }
                None => unexplained.push(format!("{name} {seq} {what}")),
            }
        }
        (calls, same) = (calls + session.calls.len(), same + crossed.same);
        meaningless += crossed.said.len();
        if tell {
            println!("{}{notes:#?}\n{:#?}", told(&session), crossed.said);
        }
    }
    println!(
        "{calls} calls; {explained} differ for a reason; in the other era {same} the same, {meaningless} without meaning"
    );
    unexplained
}

#[test]
fn captured_conversations_are_served() {
    let wrong = unexplained(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus"), "", false);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs a folder of captures, named by MIDWIRE_CAPTURES"]
fn a_whole_corpus_is_served() {
    let folder = std::env::var("MIDWIRE_CAPTURES").expect("MIDWIRE_CAPTURES names a folder of captures");
    let only = std::env::var("MIDWIRE_ONLY").unwrap_or_default();
    let wrong = unexplained(Path::new(&folder), &only, std::env::var_os("MIDWIRE_TELL").is_some());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
