//! Servers on stdio: both eras, what is said on stderr, and every way in which they end.

use std::time::Duration;

use midwire::engine::client::{Environment, Happening, Way};
use midwire::model::{Lifecycle, Side, StopReason};
use midwire::peer::client::{Call, EraChoice, Order, Outcome, State, Told};

use super::session::{Talk, demo_server, shell};
use crate::tapped::{appears, marker, vanishes};

/// A server of the legacy era for `sh`, which answers `initialize` and then runs `THEN`.
fn legacy(then: &str) -> String {
    format!(
        r#"read line; case $line in *server/discover*) echo '{{"jsonrpc":"2.0","id":1,"error":{{"code":-32601,"message":"no"}}}}'; read line;; esac
        id=${{line#*'"id":'}}; id=${{id%%,*}}
        echo '{{"jsonrpc":"2.0","id":'$id',"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},"serverInfo":{{"name":"s","version":"1"}}}}}}'
        read line
        {then}"#
    )
}

#[test]
fn both_eras_are_spoken_and_recorded_as_sent() {
    for era in [EraChoice::Legacy, EraChoice::Modern, EraChoice::Auto] {
        let mut talk = Talk::with(demo_server(), |options| options.settings.era = era.clone());
        talk.opened();
        let outcome = talk.call(1, "tools/list", "{}");
        let Outcome::Result(result) = &outcome else { panic!("{era:?}: {outcome:?}") };
        let result = String::from_utf8(result.to_vec()).expect("text");
        let sent = talk.told.iter().find_map(|happening| match happening {
            Happening::Told(Told::Sent { call: 1, message, .. }) => Some(message.to_vec()),
            _ => None,
        });
        let recorded = talk.stop();
        let line = [sent.expect("told"), b"\n".to_vec()].concat();
        assert!(recorded.frames(Side::Client).iter().any(|entry| entry.bytes == line), "the bytes that were told of");
        assert!(String::from_utf8_lossy(&recorded.stream(Side::Server)).contains(&result));
        let events = recorded.events();
        assert!(matches!(events[0], Lifecycle::Spawned { pid } if pid > 1), "{events:?}");
        assert!(events.contains(&Lifecycle::ClientClosed) && events.contains(&Lifecycle::Exited { code: 0 }));
        let last = talk.told.iter().rev().find_map(|happening| match happening {
            Happening::Told(Told::State(State::Closed { failed, .. })) => Some(*failed),
            _ => None,
        });
        assert_eq!(last, Some(false), "an end that was asked for is no failure");
    }
}

#[test]
fn much_on_stderr_before_the_answer_delays_nothing() {
    // T-30: 256 KiB, with line ends, without, and as a progress bar.
    let noise = "head -c 262144 /dev/zero | tr '\\0' 'x' >&2; printf '\\n10%%\\r20%%\\rdone\\n' >&2; ";
    let mut talk = Talk::start(shell(&format!("{noise}{}", legacy("cat >/dev/null"))));
    talk.opened();
    // The last line may have been told before or after that.
    let is_last = |happening: &Happening| matches!(happening, Happening::Stderr(line) if line == "done");
    if !talk.told.iter().any(is_last) {
        talk.until("the last line", |happening| is_last(happening).then_some(()));
    }
    let stderr: Vec<&String> =
        talk.told.iter().filter_map(|it| if let Happening::Stderr(line) = it { Some(line) } else { None }).collect();
    assert!(stderr.iter().all(|line| line.len() <= 16 << 10));
    assert_eq!(stderr.iter().filter(|line| line.starts_with('x')).map(|line| line.len()).sum::<usize>(), 262_144);
    assert!(stderr.iter().any(|line| *line == "10%"));
    assert!(talk.stop().stderr().len() > 262_144);
}

#[test]
fn a_server_that_ignores_every_request_to_end_is_killed_step_by_step() {
    // T-28.
    let marker = marker();
    let mut talk = Talk::start(shell(&format!("trap '' TERM; {}", legacy(&format!("sleep {marker}; sleep {marker}")))));
    talk.opened();
    appears(&marker);
    let events = talk.stop().events();
    let steps: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Lifecycle::Stopping { signal, reason: StopReason::EndOfInput } => Some(*signal),
            _ => None,
        })
        .collect();
    assert_eq!(steps, [None, Some(15), Some(9)], "{events:?}");
    assert!(events.contains(&Lifecycle::Signalled { signal: 9 }), "{events:?}");
    vanishes(&marker);
}

#[test]
fn a_server_that_dies_is_explained_and_what_it_left_is_ended() {
    let marker = marker();
    let dies = legacy(&format!("sleep {marker} & echo 'no database at db:5432' >&2; exit 3"));
    let mut talk = Talk::start(shell(&dies));
    let (why, failed) = talk.closed();
    assert!(failed && why.contains("exited with code 3") && why.contains("no database at db:5432"), "{why}");
    assert!(talk.stop().events().contains(&Lifecycle::Exited { code: 3 }));
    vanishes(&marker);
    let mut talk = Talk::with(shell("exit 7 --token s3cret"), |options| options.settings.era = EraChoice::Legacy);
    let (why, _) = talk.closed();
    assert!(why.contains("without a word") && why.contains("exit 7"), "{why}");
    talk.stop();
}

#[test]
fn a_command_that_cannot_run_says_why_and_so_does_its_recording() {
    let command = |words: &[&str], folder: Option<&str>| Way::Command {
        command: words.iter().map(|word| (*word).to_owned()).collect(),
        folder: folder.map(Into::into),
        environment: Environment::default(),
    };
    for (way, part) in [
        (command(&["midwire-no-such-command"], None), "was not found; PATH is"),
        (command(&["cat"], Some("/no/such/folder")), "no folder /no/such/folder"),
        (command(&["/etc/passwd"], None), "chmod +x"),
        (command(&[], None), "was not found"),
    ] {
        let mut talk = Talk::start(way);
        let (why, failed) = talk.closed();
        assert!(failed && why.starts_with("failed to start the server") && why.contains(part), "{why}");
        let events = talk.stop().events();
        assert!(matches!(&events[0], Lifecycle::SpawnFailed { why } if why.contains(part)), "{events:?}");
    }
}

#[test]
fn a_call_that_is_under_way_is_told_when_the_server_dies() {
    let mut talk = Talk::start(shell(&legacy("read line; exit 0")));
    talk.opened();
    talk.order(Order::Call(9, Call { method: "tools/call".into(), ..Call::default() }));
    let outcome = talk.ended(9);
    assert!(matches!(&outcome, Outcome::Lost(why) if why.contains("exited with code 0")), "{outcome:?}");
    talk.stop();
}

#[test]
fn a_server_that_reads_nothing_more_blocks_nobody() {
    let mut talk = Talk::with(shell(&legacy("sleep 60 0<&-")), |options| options.settings.cap = Some(300_000_000));
    talk.opened();
    let large = format!(r#"{{"text":"{}"}}"#, "y".repeat(1 << 20));
    talk.order(Order::Call(1, Call { method: "tools/call".into(), params: Some(large.into()), ..Call::default() }));
    let outcome = talk.ended(1);
    assert!(matches!(outcome, Outcome::TimedOut(_)), "{outcome:?}");
    // The end is not kept waiting by what could not be written, of which the recording has all.
    let recorded = talk.stop();
    assert!(recorded.events().iter().any(|it| matches!(it, Lifecycle::Signalled { .. })), "{:?}", recorded.events());
    assert!(recorded.stream(Side::Client).len() > 1 << 20);
}

#[test]
fn damage_on_stdout_is_told_and_ends_nothing() {
    let noise = r#"echo 'Listening on stdio'; printf '\377\376{}\n'; echo '{"jsonrpc":"2.0","id":77,"result":{}}'; "#;
    let answer = r#"read line; id=${line#*'"id":'}; id=${id%%,*}; echo '{"jsonrpc":"2.0","id":'$id',"result":{"ok":1}}'; cat >/dev/null"#;
    let mut talk = Talk::start(shell(&legacy(&format!("{noise}{answer}"))));
    talk.opened();
    let outcome = talk.call(1, "ping", "");
    assert!(matches!(&outcome, Outcome::Result(result) if **result == *br#"{"ok":1}"#), "{outcome:?}");
    let strays = talk.told.iter().filter(|it| matches!(it, Happening::Told(Told::Stray { .. }))).count();
    assert_eq!(strays, 3, "{:#?}", talk.told);
    talk.stop();
}

#[test]
fn hurrying_skips_the_grace() {
    let marker = marker();
    let then = legacy(&format!("trap '' TERM; sleep {marker}; sleep {marker}"));
    let mut talk = Talk::with(shell(&then), |options| options.grace = Duration::from_hours(1));
    talk.opened();
    talk.session.as_ref().expect("runs").hurry();
    // Without it this would take an hour.
    talk.stop();
    vanishes(&marker);
}
