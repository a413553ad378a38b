//! Recordings read as servers.

use std::path::{Path, PathBuf};

use midwire::engine::serve::recording;
use midwire::model::{Era, Revision};
use midwire::peer::server::{Kind, Step};
use midwire::peer::server::{Pace, Settings};
use midwire::recorded::{Outcome, Session};

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
        said += &format!("{} {} {}: {} -> {outcome}", call.seq, call.revision, call.method, steps.join(", "));
        if !call.answered.is_empty() {
            let keys: Vec<&str> = call.answered.iter().map(|answered| &*answered.key).collect();
            said += &format!(" (answered {})", keys.join(", "));
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
fn recorded_clients_get_the_recorded_answers() {
    for name in ["demo-legacy.midwire", "demo-modern.midwire", "v1.midwire", "v2.midwire"] {
        let session = recording::read(&kept(name)).expect("it can be read");
        let (differences, notes) = replayed(&session);
        let said: Vec<String> = differences.iter().map(|it| format!("{} {}: {}", it.seq, it.method, it.what)).collect();
        assert!(said.is_empty(), "{name}:\n{}\n{notes:#?}", said.join("\n"));
    }
}
