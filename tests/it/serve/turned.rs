//! Recordings turned into mock files: what is written is read without a fault, and answers as the recording did.

use midwire::engine::serve::{recording, turned};
use midwire::mock;
use midwire::peer::server::{Kind, Pace, Script as _, Settings};
use midwire::recorded::Session;

use super::recorded::kept;
use super::replay::Replay;
use super::wire::Pure;

/// What is wrong with the mock file of a recording: faults, and answers that differ.
pub fn differences(session: &Session) -> Vec<String> {
    let text = mock::write(session);
    let read = mock::read(&text);
    let mut wrong: Vec<String> = read.faults.iter().map(|fault| format!("fault: {fault}")).collect();
    let Some(mock) = read.mock else { return wrong };
    let player = mock::Player::new(mock);
    for kind in [Kind::Tools, Kind::Resources, Kind::Templates, Kind::Prompts] {
        let values = |items: &[std::sync::Arc<[u8]>]| -> Vec<serde_json::Value> {
            items.iter().map(|item| serde_json::from_slice(item).unwrap_or_default()).collect()
        };
        let first = session.lists.iter().find(|list| list.kind == kind).map(|list| values(&list.items));
        let listed = values(player.list(kind));
        if first.as_ref().is_some_and(|first| *first != listed) {
            wrong.push(format!("{kind:?} are listed otherwise"));
        }
    }
    let settings = Settings { pace: Pace::None, revisions: session.spoken.clone(), ..Settings::default() };
    let mut wire = Pure::of(Box::new(player), settings);
    // What the protocol says by itself is this server's: pages, refusals, orders of members.
    let calls = Replay::undressed(&mut wire).all(session).into_iter();
    let own = ["initialize", "server/discover", "tools/list", "resources/list", "prompts/list", "logging/setLevel"];
    let calls = calls.filter(|it| !own.contains(&it.method.as_str()));
    wrong.extend(calls.map(|it| format!("{} {}: {}", it.seq, it.method, it.what)));
    wrong
}

#[test]
fn a_mock_file_answers_as_the_recording_did() {
    for name in ["demo-legacy.midwire", "demo-modern.midwire", "v1.midwire", "v2.midwire"] {
        let session = recording::read(&kept(name)).expect("it can be read");
        let wrong = differences(&session);
        assert!(wrong.is_empty(), "{name}:\n{}\n{}", wrong.join("\n"), mock::write(&session));
    }
}

#[test]
fn what_a_filter_leaves_out_has_no_rule() {
    let turned = turned::into_mock(&[kept("demo-legacy.midwire")], "method:prompts/get").expect("it is turned");
    assert_eq!(turned.warnings, [""; 0]);
    assert!(turned.text.contains("[[prompt]]") && turned.text.contains("[[tool]]"));
    let comments = turned.text.lines().filter(|line| line.starts_with("# recorded call")).count();
    assert_eq!(comments, 1, "{}", turned.text);
    let wrong = turned::into_mock(&[kept("demo-legacy.midwire")], "is:(").expect_err("no filter");
    assert!(wrong.starts_with("read the filter"), "{wrong}");
}
