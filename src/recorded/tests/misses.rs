//! What is said where no recorded call answers, and what is learnt then.

use super::{HOST, ask, call, player, result, says};
use crate::model::{Era, Revision};
use crate::peer::server::{Answer, Asked, Link, Miss, Script, Step, Text};
use crate::recorded::MatchWay;

fn missed(params: &str) -> Miss {
    let recorded = [
        (4, r#"{"name":"add","arguments":{"a":1,"b":2,"deep":{"list":[1,{"x/y":1.50}]}}}"#),
        (6, r#"{"name":"add","arguments":{"a":7,"b":7}}"#),
        (8, r#"{"name":"echo","arguments":{"a":1,"b":2,"deep":{"list":[1,{"x/y":1.5}]}}}"#),
    ];
    let calls = recorded.iter().map(|(seq, params)| call(*seq, "tools/call", params, result("{}"))).collect();
    match ask(&mut player(calls, MatchWay::Params), HOST, "tools/call", params) {
        Answer::Miss(miss) => *miss,
        other => panic!("{params} is answered: {other:?}"),
    }
}

#[test]
fn the_nearest_call_is_named_with_the_first_pointer_that_differs() {
    let params = r#"{"name":"add","arguments":{"a":1,"b":2,"deep":{"list":[1,{"x/y":1.51}]}}}"#;
    let miss = missed(params);
    let names: Vec<&str> = miss.near.iter().map(|near| near.what.as_str()).collect();
    // Another tool is further away than any other arguments.
    assert_eq!(names, ["recorded call 4", "recorded call 6", "recorded call 8"]);
    let near = &miss.near[0];
    assert_eq!((near.pointer.as_str(), near.seq), ("/arguments/deep/list/1/x~1y", Some(4)));
    assert_eq!((near.wanted.as_str(), near.got.as_deref()), ("1.50", Some("1.51")));
    assert!(matches!(near.steps[..], [Step::Result { .. }]));
    assert_eq!(miss.why, "no recorded call of tools/call asks this");
}

#[test]
fn what_is_lacking_or_too_much_is_named() {
    let first = |params: &str| {
        let near = missed(params).near.remove(0);
        (near.what, near.pointer, near.wanted, near.got)
    };
    let found = |seq: u32, pointer: &str, wanted: &str, got: Option<&str>| {
        (format!("recorded call {seq}"), pointer.to_owned(), wanted.to_owned(), got.map(str::to_owned))
    };
    assert_eq!(first(r#"{"name":"add","arguments":{"a":7}}"#), found(6, "/arguments/b", "7", None));
    let more = r#"{"name":"add","arguments":{"a":7,"b":7,"c":null}}"#;
    assert_eq!(first(more), found(6, "/arguments/c", "nothing", Some("null")));
    let other = r#"{"name":"sub","arguments":{"a":7,"b":7}}"#;
    assert_eq!(first(other), found(6, "/name", "\"add\"", Some("\"sub\"")));
}

#[test]
fn a_method_that_was_never_called_is_said_to_be_so() {
    let mut player = player(vec![call(4, "x/y", "", result("{}")), call(5, "a/b", "", result("{}"))], MatchWay::Params);
    assert_eq!(says(&mut player, HOST, "c/d", ""), "miss: no call of c/d is recorded; recorded are a/b, x/y");
}

#[test]
fn depth_costs_no_stack() {
    let deep = format!(r#"{{"a":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let mut player = player(vec![call(4, "x/y", &deep, result("{}"))], MatchWay::Params);
    assert!(says(&mut player, HOST, "x/y", &deep).starts_with("recorded call 4"));
    assert!(says(&mut player, HOST, "x/y", &deep.replace('1', "2")).starts_with("miss"));
}

#[test]
fn what_the_real_server_said_is_known_next_time() {
    let mut player = player(vec![call(4, "x/y", "", result("{}"))], MatchWay::Params);
    let params = r#"{"name":"new"}"#;
    let asked = Asked {
        request: 1,
        client: 1,
        link: Link::Stdio,
        era: Era::Legacy,
        revision: &Revision::V2025_11_25,
        method: "tools/call",
        params: Some(params.as_bytes()),
        message: b"{}",
        identity: None,
        capabilities: None,
    };
    let steps = [Step::Result { result: Text::Fixed(b"{\"real\":1.0}"[..].into()), bare: true, id: None }];
    player.learn(&asked, &steps);
    let learnt = r#"what the real server said before 1: result {"real":1.0} dressed"#;
    assert_eq!(says(&mut player, HOST, "tools/call", params), learnt);
}
