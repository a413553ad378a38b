//! Requests over both transports in both eras: ids, unknown members, progress, time-outs, cancelling, notifications
//! (reports.md 2, 5 and 6).

use std::time::Duration;

use midwire::engine::client::Happening;
use midwire::peer::client::{Attempt, Call, Order, Outcome, Settings, State, Told};

use super::server::{ALL, Era, Over, Server, text};
use super::session::Talk;
use crate::http::upstream::Gate;

const SECOND: i64 = 1_000_000_000;

/// Runs a case with each kind of server, all at once.
fn everywhere(case: impl Fn(Over, Era) + Sync) {
    std::thread::scope(|scope| {
        for (over, era) in ALL {
            let case = &case;
            let name = format!("{over:?} {era:?}");
            std::thread::Builder::new().name(name).spawn_scoped(scope, move || case(over, era)).expect("a thread");
        }
    });
}

fn attempt(happening: &Happening) -> Option<&Attempt> {
    if let Happening::Told(Told::Attempt(attempt)) = happening { Some(attempt) } else { None }
}

#[test]
fn each_era_is_found_out_and_each_step_told() {
    everywhere(|over, era| {
        let server = Server::start(over, era, |heard, say| say(&heard.result("{}")));
        let mut talk = Talk::open(server.way(), Settings::default());
        let call = talk.ask("tools/list", "");
        assert_eq!(talk.result(call), "{}");
        let attempts: Vec<&Attempt> = talk.told.iter().filter_map(attempt).collect();
        let expected = match era {
            Era::Legacy => vec!["server/discover with 2026-07-28", "initialize with 2025-11-25"],
            Era::Modern => vec!["server/discover with 2026-07-28"],
        };
        assert_eq!(attempts.iter().map(|attempt| &attempt.what[..]).collect::<Vec<_>>(), expected);
        assert!(attempts.iter().all(|attempt| attempt.ok), "{attempts:?}");
        talk.order(Order::Close);
        assert!(!talk.closed().1, "it was asked for");
        talk.end();
    });
}

/// T-22.
#[test]
fn ids_of_every_kind_reach_the_server_and_come_back() {
    everywhere(|over, era| {
        let server = Server::start(over, era, |heard, say| say(&heard.result(r#"{"content":[]}"#)));
        let mut talk = Talk::open(server.way(), Settings::default());
        for id in ["0", "-7", "\"abc\"", "\"1\"", "9007199254740993", "1.5", "null"] {
            let call = talk.make(Call { method: "tools/call".into(), id: Some(id.into()), ..Call::default() });
            assert_eq!(talk.result(call), r#"{"content":[]}"#, "{id}");
            let heard = server.heard_of("tools/call");
            assert_eq!(heard.last().expect("a call").id(), id);
        }
        talk.end();
    });
}

/// T-60: nothing that is unknown is lost on the way, at any level, and T-11: not a digit.
#[test]
fn unknown_members_arrive_at_every_level() {
    everywhere(|over, era| {
        let answer = r#"{"content":[],"structuredContent":{"id":1915883588174806058,"f":1.0,"e":1e400},"foo":[ ]}"#;
        let server = Server::start(over, era, move |heard, say| say(&heard.result(answer)));
        let mut talk = Talk::open(server.way(), Settings::default());
        let params = r#""name":"x","arguments":{"n":2512292042121000001,"n":1.50},"bar":{"a":null}"#;
        let call = talk.ask("tools/call", &format!(r#"{{{params},"_meta":{{"x":[1,{{}}]}}}}"#));
        assert_eq!(talk.result(call), answer);
        let heard = server.heard_of("tools/call");
        let sent = format!(r#""params":{{{params},"_meta":{{"x":[1,{{}}]"#);
        assert!(heard[0].0.contains(&sent), "{}", heard[0].0);
        let again =
            format!(r#"{{ "foo":1, "jsonrpc":"2.0","id":"again","method":"tools/call","params":{{{params}}} }}"#);
        let call = talk.number();
        talk.order(Order::Again(call, again.clone().into_bytes()));
        assert_eq!(talk.result(call), answer);
        assert_eq!(server.heard_of("tools/call")[1].0, again, "byte for byte");
        talk.end();
    });
}

fn progress(happening: &Happening) -> Option<&str> {
    if let Happening::Told(Told::Progress { progress, .. }) = happening { Some(progress) } else { None }
}

/// T-55: what goes on is not given up, unless it is to be.
#[test]
fn progress_keeps_a_call_alive_and_can_be_told_not_to() {
    everywhere(|over, era| {
        let server = Server::start(over, era, |heard, say| {
            if heard.method() == "tools/call" {
                for step in 1..=6 {
                    std::thread::sleep(Duration::from_millis(400));
                    say(&heard.progress(&format!("{step}.0")));
                }
                say(&heard.result("{}"));
            }
        });
        let patient = Settings { patience: Some(2 * SECOND), ..Settings::default() };
        let mut talk = Talk::open(server.way(), patient.clone());
        let call = talk.ask("tools/call", r#"{"name":"slow"}"#);
        assert_eq!(talk.result(call), "{}");
        let steps: Vec<&str> = talk.told.iter().filter_map(progress).collect();
        assert_eq!(steps, ["1.0", "2.0", "3.0", "4.0", "5.0", "6.0"], "as they were sent");
        talk.end();
        let mut talk = Talk::open(server.way(), Settings { progress_counts: false, ..patient });
        let call = talk.ask("tools/call", r#"{"name":"slow"}"#);
        assert!(matches!(talk.ended(call), Outcome::TimedOut(_)));
        talk.end();
    });
}

/// T-57: without a token there is no progress.
#[test]
fn a_token_is_sent_with_each_call_unless_it_is_not_wanted() {
    everywhere(|over, era| {
        let server = Server::start(over, era, |heard, say| say(&heard.result("{}")));
        for (progress, expected) in [(true, true), (false, false)] {
            let mut talk = Talk::open(server.way(), Settings { progress, ..Settings::default() });
            let call = talk.ask("tools/call", r#"{"name":"x"}"#);
            talk.result(call);
            let heard = server.heard_of("tools/call").pop().expect("a call");
            assert_eq!(!heard.at("/params/_meta/progressToken").is_empty(), expected, "{}", heard.0);
            talk.end();
        }
    });
}

/// T-58: cancelled in the last moment.
#[test]
fn an_answer_after_the_cancel_is_told_as_late() {
    everywhere(|over, era| {
        if (over, era) == (Over::Http, Era::Modern) {
            return; // There the cancel closes the stream; see `http`.
        }
        let (asked, cancelled) = (Gate::new(), Gate::new());
        let (tell, wait, open) = (asked.clone(), cancelled.clone(), cancelled);
        let server = Server::start(over, era, move |heard, say| match heard.method().as_str() {
            "tools/call" => {
                tell.open();
                wait.pass();
                say(&heard.result(r#"{"late":true}"#));
            }
            "notifications/cancelled" => open.open(),
            _ => {}
        });
        let mut talk = Talk::open(server.way(), Settings::default());
        let call = talk.ask("tools/call", r#"{"name":"x"}"#);
        asked.pass();
        talk.order(Order::Cancel(call, "changed my mind".into()));
        assert_eq!(talk.ended(call), Outcome::Cancelled);
        let late = talk.until("it is late", |happening| match happening {
            Happening::Told(Told::Late { call: of, message }) => Some((*of, text(message))),
            _ => None,
        });
        assert!(late.0 == call && late.1.contains(r#"{"late":true}"#), "{late:?}");
        let heard = server.heard();
        let id = heard.iter().find(|heard| heard.method() == "tools/call").expect("a call").id();
        let cancel = heard.iter().find(|heard| heard.method() == "notifications/cancelled").expect("a cancel");
        assert_eq!(
            (cancel.at("/params/requestId"), cancel.at("/params/reason")),
            (id, "\"changed my mind\"".to_owned())
        );
        talk.end();
    });
}

/// T-61, T-76: nothing that a server says vanishes.
#[test]
fn each_kind_of_notification_is_told_also_what_nobody_knows() {
    const KINDS: [&str; 10] = [
        "notifications/message",
        "notifications/progress",
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/elicitation/complete",
        "notifications/tasks/status",
        "notifications/custom",
        "no/prefix",
    ];
    everywhere(|over, era| {
        let server = Server::start(over, era, |heard, say| {
            for kind in KINDS {
                say(&format!(r#"{{"jsonrpc":"2.0","method":"{kind}","params":{{"a":1.0,"_meta":{{"x":[ ]}}}}}}"#));
            }
            say(&heard.result("{}"));
        });
        let mut talk = Talk::open(server.way(), Settings::default());
        let call = talk.ask("tools/call", r#"{"name":"x"}"#);
        talk.result(call);
        let told: Vec<(String, String)> = (talk.told.iter())
            .filter_map(|happening| match happening {
                Happening::Told(Told::Notified { method, message, .. }) => Some((method.clone(), text(message))),
                _ => None,
            })
            .collect();
        let methods: Vec<&str> = told.iter().map(|(method, _)| method.as_str()).collect();
        assert_eq!(methods, KINDS);
        assert!(
            told.iter().all(|(_, message)| message.contains(r#""params":{"a":1.0,"_meta":{"x":[ ]}}"#)),
            "{told:?}"
        );
        talk.end();
    });
}

/// T-10: an answer keeps its digits and its size.
#[test]
fn a_large_answer_arrives_whole() {
    everywhere(|over, era| {
        let large =
            format!(r#"{{"content":[{{"type":"text","text":"{}"}}],"n":1915883588174806058}}"#, "é".repeat(6 << 20));
        let answer = large.clone();
        let server = Server::start(over, era, move |heard, say| say(&heard.result(&answer)));
        let mut talk = Talk::open(server.way(), Settings::default());
        let call = talk.ask("tools/call", r#"{"name":"x"}"#);
        assert!(talk.result(call) == large, "12 MiB, byte for byte");
        talk.end();
    });
}

#[test]
fn noise_ends_nothing() {
    for era in [Era::Legacy, Era::Modern] {
        let server = Server::start(Over::Stdio, era, |heard, say| {
            for noise in ["MCP Nightwatch ready", "", "\u{feff}{}", "{\"level\":\"info\"}", "[]", "{\"jsonrpc\":", "7"]
            {
                say(noise);
            }
            say(&heard.result("{}"));
        });
        let mut talk =
            Talk::open(server.behind("echo '[dotenv@17] injecting env'; printf '\\xff\\xfe\\n'"), Settings::default());
        let call = talk.ask("tools/list", "");
        assert_eq!(talk.result(call), "{}");
        let strays: Vec<String> = (talk.told.iter())
            .filter_map(|happening| match happening {
                Happening::Told(Told::Stray { bytes, .. }) => Some(text(bytes)),
                _ => None,
            })
            .collect();
        for noise in
            ["[dotenv@17] injecting env", "MCP Nightwatch ready", "{\"level\":\"info\"}", "[]", "{\"jsonrpc\":", "7"]
        {
            assert!(strays.iter().any(|stray| stray.contains(noise)), "{noise} in {strays:?}");
        }
        talk.end();
    }
}

#[test]
fn a_server_that_dies_takes_its_calls_with_it_and_says_why() {
    let server = Server::start(Over::Stdio, Era::Modern, |_, _| {});
    let mut talk = Talk::open(server.behind("(sleep 0.5; kill -9 $$) &"), Settings::default());
    let call = talk.ask("tools/call", r#"{"name":"x"}"#);
    assert!(matches!(talk.ended(call), Outcome::Lost(_)));
    let (why, failed) = talk.closed();
    assert!(failed && why.contains('9'), "{why}");
    let states = talk.told.iter().filter(|seen| matches!(seen, Happening::Told(Told::State(State::Closed { .. }))));
    assert_eq!(states.count(), 1);
    talk.end();
}
