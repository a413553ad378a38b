//! What the real server said, added to the recording that had no answer.

use midwire::engine::serve::adding::Adding;
use midwire::engine::serve::recording;
use midwire::model::{Era, Revision};
use midwire::peer::server::{Step, Text};
use midwire::recorded::{Outcome, Session};
use midwire::store::{Reader, Writer};

use super::recorded::kept;

const CALL: &str =
    r#"{"jsonrpc":"2.0","id":"x-1","method":"tools/call","params":{"name":"new","arguments":{"a":1.0}}}"#;

fn answered() -> [Step; 1] {
    [Step::Result { result: Text::Fixed(b"{\"content\":[],\"n\":1.50}"[..].into()), bare: true, id: None }]
}

/// A copy of a recording that may be written to.
fn copy(name: &str) -> (tempfile::TempDir, std::path::PathBuf, Session) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::copy(kept(name), &path).expect("it is copied");
    let session = recording::read(&path).expect("it is read");
    (folder, path, session)
}

#[test]
fn an_exchange_is_there_the_next_time_and_read_by_its_revision() {
    let (_folder, path, before) = copy("demo-legacy.midwire");
    let mut adding = Adding::new(&path, &before);
    adding.add(Era::Legacy, CALL.as_bytes(), &answered()).expect("it is added");
    let second =
        CALL.replace("x-1", "x-2").replace("1.0", "2.0").replace("{\"name\"", r#"{"_meta":{"progressToken":7},"name""#);
    let progress = Step::Progress {
        progress: Text::Fixed(b"1"[..].into()),
        total: Some(Text::Fixed(b"2.0"[..].into())),
        message: Some(Text::Fixed(b"half"[..].into())),
    };
    let [result] = answered();
    adding.add(Era::Legacy, second.as_bytes(), &[progress.clone(), result]).expect("it is added");
    let after = recording::read(&path).expect("it is read");
    let new: Vec<_> = after.calls[before.calls.len()..].iter().collect();
    assert_eq!(
        new.iter().map(|call| call.method.as_str()).collect::<Vec<_>>(),
        ["initialize", "tools/call", "tools/call"]
    );
    assert_eq!((&new[1].revision, &*new[1].message), (&Revision::V2025_11_25, CALL.as_bytes()));
    assert_eq!(new[1].outcome, Outcome::Result(b"{\"content\":[],\"n\":1.50}"[..].into()));
    assert_eq!(new[2].steps.iter().map(|(_, step)| step).collect::<Vec<_>>(), [&progress]);
    assert_eq!(after.calls[..before.calls.len()], before.calls[..]);
    assert_eq!(std::fs::read_dir(path.parent().expect("a folder")).expect("a folder").count(), 1, "one file is left");
}

#[test]
fn two_that_add_at_once_get_numbers_of_their_own() {
    let (_folder, path, before) = copy("demo-modern.midwire");
    let request = |id: usize| {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"new","arguments":{{"id":{id}}},{meta}}}}}"#
        )
    };
    std::thread::scope(|scope| {
        for start in [1000, 2000] {
            let (path, before, request) = (&path, &before, &request);
            scope.spawn(move || {
                let mut adding = Adding::new(path, before);
                for id in start..start + 20 {
                    adding.add(Era::Modern, request(id).as_bytes(), &answered()).expect("it is added");
                }
            });
        }
    });
    let after = recording::read(&path).expect("it is read");
    assert_eq!(after.calls.len(), before.calls.len() + 40);
    assert!(after.calls[before.calls.len()..].iter().all(midwire::recorded::Call::is_answered));
}

#[test]
fn one_that_is_being_recorded_is_left_alone() {
    let (folder, path, session) = copy("demo-legacy.midwire");
    let facts = Reader::open(&path).expect("it opens").recording().expect("it has facts");
    let live = folder.path().join("live.midwire");
    let facts = midwire::model::Recording { ended: None, recorder: std::process::id(), started: i64::MAX / 2, ..facts };
    let writer = Writer::create(&live, &facts).expect("it is made");
    let why = Adding::new(&live, &session).add(Era::Legacy, CALL.as_bytes(), &answered()).expect_err("it is live");
    assert!(why.ends_with("it is being recorded; the exchange is in this run's own recording alone"), "{why}");
    drop(writer);
}
