//! Calls of one era said in the other.

use super::{HOST, MODERN_HOST, Who, call, error, modern, player, result, says};
use crate::model::Revision;
use crate::peer::server::{Bytes, Link, Step, Task, Text};
use crate::recorded::{Call, MatchWay, Outcome};

const CALL: (&str, &str) = ("tools/call", r#"{"name":"t"}"#);

/// What a legacy call says to a host of 2026-07-28.
fn to_modern(call: Call) -> String {
    let (method, params) = (call.method.clone(), call.params.clone().unwrap_or_else(|| b"{}"[..].into()));
    says(&mut player(vec![call], MatchWay::Params), MODERN_HOST, &method, &String::from_utf8_lossy(&params))
}

/// And the reverse.
fn to_legacy(call: Call) -> String {
    let (method, params) = (call.method.clone(), call.params.clone().unwrap_or_else(|| b"{}"[..].into()));
    says(&mut player(vec![modern(call)], MatchWay::Params), HOST, &method, &String::from_utf8_lossy(&params))
}

fn fixed(text: &str) -> Text {
    Text::Fixed(Bytes::from(text.as_bytes()))
}

#[test]
fn results_are_dressed_for_the_other_era_and_verbatim_in_their_own() {
    let call = || call(4, CALL.0, CALL.1, result("{}"));
    assert_eq!(to_modern(call()), "recorded call 4, recorded in 2025-11-25 1: result {} dressed");
    assert_eq!(to_legacy(call()), "recorded call 4, recorded in 2026-07-28 1: result {} dressed");
    let mut own = player(vec![modern(call())], MatchWay::Params);
    assert_eq!(says(&mut own, MODERN_HOST, CALL.0, CALL.1), "recorded call 4 1: result {}");
}

#[test]
fn a_call_of_the_same_era_comes_before_one_of_the_other() {
    let calls = vec![call(4, CALL.0, CALL.1, result("4")), modern(call(6, CALL.0, CALL.1, result("6")))];
    let mut player = player(calls, MatchWay::Params);
    assert_eq!(says(&mut player, MODERN_HOST, CALL.0, CALL.1), "recorded call 6 1: result 6");
    assert_eq!(says(&mut player, HOST, CALL.0, CALL.1), "recorded call 4 1: result 4");
}

#[test]
fn questions_and_tasks_go_over_as_steps() {
    let ask =
        |key: &str| Step::Ask { key: key.to_owned(), method: "roots/list".to_owned(), params: None, forced: false };
    let steps = vec![(5, ask("roots-1")), (0, Step::Task(Task::default())), (7, ask("roots-2"))];
    let call = Call { steps, after: 3, ..call(4, CALL.0, CALL.1, result("{}")) };
    let expected = "ask roots-1 roots/list, Task(Task { ttl: None, poll: None, forced: false }), Wait(7), ask roots-2 \
                    roots/list, Wait(3), result {} dressed";
    assert_eq!(to_modern(call.clone()), format!("recorded call 4, recorded in 2025-11-25 1: Wait(5), {expected}"));
    assert!(to_legacy(call).ends_with(expected));
}

#[test]
fn errors_have_the_codes_of_the_era() {
    let read = |text: &str| call(4, "resources/read", r#"{"uri":"x://1"}"#, error(text));
    assert!(to_modern(read(r#"{"code": -32002,"message":"m"}"#)).ends_with(r#"error {"code": -32602,"message":"m"}"#));
    assert!(to_legacy(read(r#"{"message":"m","code":-32602}"#)).ends_with(r#"error {"message":"m","code":-32002}"#));
    let other = |text: &str| call(4, CALL.0, CALL.1, error(text));
    assert!(to_legacy(other(r#"{"code":-32602,"message":"m"}"#)).ends_with(r#"error {"code":-32602,"message":"m"}"#));
    let cannot = to_modern(other(r#"{"code":-32042,"message":"m"}"#));
    assert!(
        cannot.starts_with("miss: recorded call 4 ended with the error -32042, a demand to visit a URL"),
        "{cannot}"
    );
    assert!(cannot.ends_with("which 2026-07-28 does not have"));
    for code in [-32020, -32021, -32022] {
        let cannot = to_legacy(other(&format!(r#"{{"code":{code},"message":"m"}}"#)));
        assert!(cannot.starts_with("miss:") && cannot.ends_with("which 2025-11-25 does not have"), "{cannot}");
    }
    // In its own era it is said as it is.
    let mut own = player(vec![other(r#"{"code":-32042,"message":"m"}"#)], MatchWay::Params);
    assert!(says(&mut own, HOST, CALL.0, CALL.1).ends_with(r#"error {"code":-32042,"message":"m"}"#));
}

#[test]
fn changes_of_lists_and_resources_go_the_way_of_the_era() {
    let notify = |method: &str, params| Step::Notify { method: method.to_owned(), params, loose: false };
    let steps = vec![
        (0, notify("notifications/tools/list_changed", None)),
        (0, notify("notifications/resources/updated", Some(fixed(r#"{"uri":"x://1"}"#)))),
        (0, notify("acme/odd", None)),
    ];
    let call = Call { steps, ..call(4, CALL.0, CALL.1, result("{}")) };
    assert!(to_modern(call.clone()).contains(r#": Changed(Tools), Updated("x://1"), notify acme/odd, result"#));
    let mut own = player(vec![call], MatchWay::Params);
    assert!(says(&mut own, HOST, CALL.0, CALL.1).contains(": notify notifications/tools/list_changed, notify"));
}

#[test]
fn what_http_refused_is_said_over_http_alone() {
    let refused = || {
        let outcome = Outcome::Http { status: 404, media: Some("text/plain".to_owned()), body: b"gone"[..].into() };
        call(4, CALL.0, CALL.1, outcome)
    };
    let over_http = Who { link: Link::Http, ..HOST };
    // Over HTTP a client is known by its handshake; this one is nobody.
    let mut http = player(vec![refused()], MatchWay::Params);
    assert!(says(&mut http, over_http, CALL.0, CALL.1).contains("Respond { status: 404"));
    let said = says(&mut player(vec![refused()], MatchWay::Params), HOST, CALL.0, CALL.1);
    assert_eq!(
        said,
        "miss: recorded call 4 was refused with the HTTP status 404, which means nothing on this transport"
    );
    assert!(to_modern(refused()).ends_with("which means nothing in the other era"));
    // Where another one answered, it is not even tried.
    let calls = vec![refused(), call(6, CALL.0, CALL.1, result("{}"))];
    assert!(says(&mut player(calls, MatchWay::Params), HOST, CALL.0, CALL.1).starts_with("recorded call 6"));
}

#[test]
fn an_answer_that_was_not_kept_is_a_miss_that_says_so() {
    let lost =
        Call { outcome: Outcome::Lost("entry 5 was not kept whole".to_owned()), ..call(4, CALL.0, CALL.1, result("")) };
    let said = says(&mut player(vec![lost], MatchWay::Params), HOST, CALL.0, CALL.1);
    assert_eq!(said, "miss: recorded call 4 was answered, but the answer is not there: entry 5 was not kept whole");
}

#[test]
fn the_protocols_own_is_the_machines_but_for_what_went_wrong_then() {
    for method in ["server/discover", "subscriptions/listen", "tasks/get", "ping", "logging/setLevel", "prompts/list"] {
        let mut empty = player(vec![call(4, "x/y", "", result("{}"))], MatchWay::Params);
        assert_eq!(says(&mut empty, HOST, method, "{}"), "own", "{method}");
    }
    let failed = call(4, "logging/setLevel", "{}", error(r#"{"code":-32601,"message":"m"}"#));
    assert!(to_modern(failed.clone()).ends_with("own"));
    let mut own = player(vec![failed], MatchWay::Params);
    assert!(says(&mut own, HOST, "logging/setLevel", "{}").contains("-32601"));
    let noisy = Call {
        steps: vec![(5, Step::Notify { method: "x".to_owned(), params: None, loose: false })],
        ..call(4, "ping", "", result("{}"))
    };
    let said = says(&mut player(vec![noisy], MatchWay::Params), HOST, "ping", "");
    assert_eq!(said, "recorded call 4 1: Wait(5), notify x, Own");
}

#[test]
fn a_handshake_is_repeated_where_it_agreed_on_the_same_revision() {
    let greet = |version: &str| {
        let outcome = result(&format!(r#"{{"protocolVersion":"{version}","odd":1.0}}"#));
        call(4, "initialize", r#"{"clientInfo":{"name":"a"}}"#, outcome)
    };
    let other = r#"{"clientInfo":{"name":"b"}}"#;
    let mut same = player(vec![greet(Revision::V2025_11_25.text())], MatchWay::Params);
    assert!(
        says(&mut same, HOST, "initialize", other).ends_with(r#"result {"protocolVersion":"2025-11-25","odd":1.0}"#)
    );
    let mut older = player(vec![greet("2024-11-05")], MatchWay::Params);
    assert_eq!(says(&mut older, HOST, "initialize", other), "own");
}
