//! Recordings read as servers.

use std::path::{Path, PathBuf};

use midwire::engine::serve::recording;
use midwire::model::{Era, Flags, Revision};
use midwire::peer::server::{Kind, Step};
use midwire::peer::server::{Pace, Settings};
use midwire::recorded::{Outcome, Session};
use midwire::store::Writer;

use super::replay::{Difference, Replay};
use super::wire::Pure;

/// A recording of the repository.
pub fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings").join(name)
}

/// One line for each call: what it asks, what happens, how it ends.
pub fn told(session: &Session) -> String {
    let mut said = String::new();
    for call in &session.calls {
        let steps: Vec<String> = call.steps.iter().map(|(_, step)| word(step)).collect();
        let outcome = match &call.outcome {
            Outcome::Result(_) => "result".to_owned(),
            Outcome::Error(error) => {
                format!("error {}", String::from_utf8_lossy(error).chars().take(60).collect::<String>())
            }
            Outcome::Http { status, .. } => format!("HTTP {status}"),
            other => format!("{other:?}"),
        };
        let line = format!("{} {} {}: {} -> {outcome}", call.seq, call.revision, call.method, steps.join(", "));
        said.push_str(&line);
        if !call.answered.is_empty() {
            let keys: Vec<&str> = call.answered.iter().map(|answered| &*answered.key).collect();
            said.extend([" (answered ", &keys.join(", "), ")"]);
        }
        said += "\n";
    }
    for loose in &session.loose {
        said += &format!("loose {:?} {:?}\n", loose.by, loose.what).chars().take(140).collect::<String>();
        said += "\n";
    }
    said
}

fn word(step: &Step) -> String {
    match step {
        Step::Progress { .. } => "progress".to_owned(),
        Step::Log { level, .. } => format!("log {level}"),
        Step::Notify { method, .. } => method.clone(),
        Step::Ask { key, method, .. } => format!("ask {key} {method}"),
        Step::Status(_) => "status".to_owned(),
        Step::Task(_) => "task".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_recordings_of_the_repository_are_servers() {
    for (name, revision, era) in [
        ("demo-legacy.midwire", Revision::V2025_11_25, Era::Legacy),
        ("demo-modern.midwire", Revision::V2026_07_28, Era::Modern),
    ] {
        let session = recording::read(&kept(name)).expect("it can be read");
        println!("{name}\n{}{:?}", told(&session), session.about);
        assert_eq!(session.spoken.last(), Some(&revision));
        assert!(session.calls.iter().any(|call| call.era == era));
        assert!(!session.list(Kind::Tools).is_empty(), "{name}");
    }
}

/// What differs when the recorded clients ask again, and what the server told meanwhile.
pub fn replayed(session: &Session) -> (Vec<Difference>, Vec<String>) {
    let settings = Settings { pace: Pace::None, revisions: session.spoken.clone(), ..Settings::default() };
    let mut wire = Pure::new(session, settings);
    let differences = Replay::new(&mut wire).all(session);
    (differences, wire.notes)
}

#[test]
fn a_truncated_entry_loses_only_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.midwire");
    std::fs::copy(kept("demo-legacy.midwire"), &path).expect("it is copied");
    let whole = recording::read(&path).expect("it is read");
    let mut writer = Writer::open(&path).expect("it opens");
    writer.begin().expect("a batch");
    // The answer to `resources/read`, and a log message of a call.
    for seq in [18, 35] {
        writer.mark(seq, Flags::TRUNCATED).expect("it is marked");
    }
    writer.close(1, 0).expect("it closes");
    let damaged = recording::read(&path).expect("it is read");
    assert_eq!(damaged.calls.len(), whole.calls.len());
    let differ: Vec<u64> =
        whole.calls.iter().zip(&damaged.calls).filter(|(one, other)| one != other).map(|(one, _)| one.seq).collect();
    assert_eq!(differ, [17, 31], "{:?}", damaged.warnings);
    let lost = damaged.calls.iter().find(|call| call.seq == 17).expect("it is there");
    assert_eq!(lost.outcome, Outcome::Lost("entry 18 was not kept whole".to_owned()));
    assert_eq!(damaged.warnings, ["entry 18 was not kept whole", "entry 35 was not kept whole"]);
}

#[test]
fn recorded_clients_get_the_recorded_answers() {
    for name in ["demo-legacy.midwire", "demo-modern.midwire", "v1.midwire", "v2.midwire"] {
        let session = recording::read(&kept(name)).expect("it can be read");
        let (differences, notes) = replayed(&session);
        let said: Vec<String> = differences.iter().map(|it| format!("{} {}: {}", it.seq, it.method, it.what)).collect();
        assert!(said.is_empty(), "{name}:\n{}\n{notes:#?}", said.join("\n"));
    }
}
