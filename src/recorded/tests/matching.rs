//! Which recorded call answers.

use super::{HOST, MODERN_HOST, Who, call, modern, player, result, says, session};
use crate::model::Seq;
use crate::peer::server::{Kind, Link, Order, Script};
use crate::recorded::session::{By, Listing, Loose, LooseWhat};
use crate::recorded::{Call, MatchWay, Matching, Outcome, Player};

const WEATHER: &str = r#"{"name":"weather","arguments":{"city":"Oslo","days":3}}"#;

fn weather(seq: Seq, answer: &str) -> Call {
    call(seq, "tools/call", WEATHER, result(answer))
}

#[test]
fn what_is_volatile_and_how_it_is_written_does_not_count() {
    let fits = [
        WEATHER,
        r#"{"arguments":{"days":3.0,"city":"\u004fslo"},"name":"weather"}"#,
        r#"{"name":"weather","arguments":{"city":"Oslo","days":30e-1},"_meta":{"progressToken":7}}"#,
        r#"{"name":"weather","arguments":{"city":"Oslo","days":3,"time":"now"},"requestState":"x","inputResponses":{"a":{}}}"#,
    ];
    for params in fits {
        let mut player = player(vec![weather(4, "{}")], MatchWay::Params);
        assert_eq!(says(&mut player, HOST, "tools/call", params), "recorded call 4 1: result {}", "{params}");
    }
    let others = [
        r#"{"name":"weather","arguments":{"city":"Oslo","days":"3"}}"#,
        r#"{"name":"weather","arguments":{"city":"Oslo"}}"#,
        r#"{"name":"weather","arguments":{"city":["Oslo"],"days":3}}"#,
        r#"{"name":"weather","arguments":[]}"#,
        "[1]",
        "",
    ];
    for params in others {
        let mut player = player(vec![weather(4, "{}")], MatchWay::Params);
        assert!(says(&mut player, HOST, "tools/call", params).starts_with("miss"), "{params}");
    }
    let far = |days: &str| format!(r#"{{"name":"weather","arguments":{{"days":{days}}}}}"#);
    let mut player = player(vec![call(4, "tools/call", &far("9007199254740993"), result("{}"))], MatchWay::Params);
    assert!(says(&mut player, HOST, "tools/call", &far("9007199254740992")).starts_with("miss"));
    assert!(says(&mut player, HOST, "tools/call", &far("9007199254740993.0")).starts_with("recorded"));
}

#[test]
fn no_params_ask_what_empty_ones_ask_and_order_counts_in_lists() {
    for params in ["", "{}", r#"{"_meta":{"a":1}}"#] {
        let mut player = player(vec![call(4, "x/y", "", result("{}"))], MatchWay::Params);
        assert_eq!(says(&mut player, HOST, "x/y", params), "recorded call 4 1: result {}", "{params}");
    }
    let mut player = player(vec![call(4, "x/y", r#"{"a":[1,2]}"#, result("{}"))], MatchWay::Params);
    assert!(says(&mut player, HOST, "x/y", r#"{"a":[2,1]}"#).starts_with("miss"));
}

#[test]
fn the_same_call_again_gets_the_next_answer_and_the_last_from_then_on() {
    let calls = || {
        let given_up = Call { outcome: Outcome::Nothing, ..weather(9, "") };
        vec![weather(4, "1"), weather(6, "2"), given_up]
    };
    let mut params = player(calls(), MatchWay::Params);
    let said: Vec<String> = (0..5).map(|_| says(&mut params, HOST, "tools/call", WEATHER)).collect();
    let (first, second) = ("recorded call 4 1: result 1", "recorded call 6 2: result 2");
    let open = "recorded call 9 3: ";
    // What was never answered is repeated once, and not for ever.
    assert_eq!(said, [first, second, open, "recorded call 6 4: result 2", "recorded call 6 5: result 2"]);
    let mut strict = player(calls(), MatchWay::Strict);
    let said: Vec<String> = (0..4).map(|_| says(&mut strict, HOST, "tools/call", WEATHER)).collect();
    assert_eq!(said[..3], [first, second, open]);
    assert_eq!(said[3], "miss: all recorded calls that ask this (3 of tools/call) have answered already");
}

#[test]
fn in_recorded_order_params_do_not_count() {
    let calls = vec![weather(4, "1"), call(5, "x/y", "", result("x")), call(6, "tools/call", "{}", result("2"))];
    let mut player = player(calls, MatchWay::Order);
    assert_eq!(says(&mut player, HOST, "tools/call", "[]"), "recorded call 4 1: result 1");
    assert_eq!(says(&mut player, HOST, "tools/call", WEATHER), "recorded call 6 2: result 2");
    assert_eq!(says(&mut player, HOST, "x/y", "{}"), "recorded call 5 1: result x");
    assert!(says(&mut player, HOST, "tools/call", WEATHER).contains("(2 of tools/call) have answered already"));
}

#[test]
fn a_client_that_comes_anew_begins_anew_and_the_second_takes_the_place_of_the_second() {
    let second = Call { client: Some(1), ..weather(8, "other") };
    let mut player = player(vec![weather(4, "1"), weather(6, "2"), second], MatchWay::Params);
    let mut of = |client| says(&mut player, Who { client, ..HOST }, "tools/call", WEATHER);
    assert_eq!(of(1), "recorded call 4 1: result 1");
    assert_eq!(of(2), "recorded call 8 1: result other");
    assert_eq!(of(1), "recorded call 6 2: result 2");
    assert_eq!(of(3), "recorded call 4 1: result 1");
}

#[test]
fn over_http_all_requests_of_nobody_in_particular_are_one_clients() {
    let calls = vec![modern(weather(4, "1")), modern(weather(6, "2"))];
    let mut player = player(calls, MatchWay::Params);
    let mut of = |client| says(&mut player, Who { client, link: Link::Http, ..MODERN_HOST }, "tools/call", WEATHER);
    assert_eq!((of(5).as_str(), of(6).as_str()), ("recorded call 4 1: result 1", "recorded call 6 2: result 2"));
}

#[test]
fn the_first_recording_that_has_an_answer_counts() {
    let other = vec![weather(7, "7"), call(8, "x/y", "", result("8"))];
    let mut player = Player::new(vec![session(vec![weather(4, "4")]), session(other)], Matching::default());
    assert_eq!(says(&mut player, HOST, "tools/call", WEATHER), "recorded call 4 of a.midwire 1: result 4");
    assert_eq!(says(&mut player, HOST, "tools/call", WEATHER), "recorded call 4 of a.midwire 2: result 4");
    assert_eq!(says(&mut player, HOST, "x/y", ""), "recorded call 8 of a.midwire 1: result 8");
}

#[test]
fn lists_are_answered_as_recorded_and_by_the_machine_where_they_are_asked_for_otherwise() {
    let page = |seq, params: &str, answer: &str| call(seq, "tools/list", params, result(answer));
    let mut recorded = session(vec![
        page(4, "", r#"{"tools":[1],"nextCursor":"c"}"#),
        page(6, r#"{"cursor":"c"}"#, r#"{"tools":[2]}"#),
        page(9, "", r#"{"tools":[3]}"#),
    ]);
    let list = |seq, items: &[&str]| Listing {
        kind: Kind::Tools,
        seq,
        items: items.iter().map(|item| item.as_bytes().into()).collect(),
        whole: true,
    };
    recorded.lists = vec![list(4, &["1", "2"]), list(9, &["3"])];
    let mut player = Player::new(vec![recorded], Matching::default());
    let tools = |player: &Player| player.list(Kind::Tools).iter().map(|item| item.to_vec()).collect::<Vec<_>>();
    assert_eq!(tools(&player), [b"1", b"2"]);
    assert!(says(&mut player, HOST, "tools/list", "").contains("nextCursor"));
    assert_eq!(
        says(&mut player, HOST, "tools/list", r#"{"cursor":"c"}"#),
        r#"recorded call 6 1: result {"tools":[2]}"#
    );
    assert_eq!(says(&mut player, HOST, "tools/list", r#"{"cursor":"other"}"#), "own");
    // In the other era the machine lists, and what it lists changes as it did.
    let other = Who { client: 2, ..MODERN_HOST };
    assert_eq!((says(&mut player, other, "tools/list", ""), tools(&player).len()), ("own".to_owned(), 2));
    assert_eq!((says(&mut player, other, "tools/list", ""), tools(&player).len()), ("own".to_owned(), 1));
}

#[test]
fn what_came_loose_comes_again_after_its_call_and_once() {
    let mut recorded = session(vec![weather(4, "1")]);
    let loose = |after, what| Loose { seq: 5, by: By::Call(0), after, what };
    recorded.loose =
        vec![loose(20, LooseWhat::Notify("x/y".to_owned(), None)), loose(10, LooseWhat::Changed(Kind::Tools))];
    let mut player = Player::new(vec![recorded], Matching::default());
    assert_eq!((player.due(100), player.due_at()), (None, None));
    says(&mut player, HOST, "tools/call", WEATHER);
    assert_eq!((player.due(1000), player.due_at()), (None, Some(1010)));
    says(&mut player, HOST, "tools/call", WEATHER);
    assert_eq!((player.due(1015), player.due(1015)), (Some(Order::Changed(Kind::Tools)), None));
    assert_eq!(player.due(1020), Some(Order::Notify(Some(1), "x/y".to_owned(), None)));
    assert_eq!((player.due(9999), player.due_at()), (None, None));
}
