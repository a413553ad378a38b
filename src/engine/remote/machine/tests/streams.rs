//! Streams that are opened by GET: the standalone one, and those that go on where an answer broke off.

use super::script::{SECOND, SSE, Script};

const MILLISECOND: i64 = 1_000_000;

#[test]
fn an_answer_that_broke_off_is_gone_on_with_where_it_was() {
    let mut script = Script::in_session();
    script.call("1");
    script.head(4, 200, SSE, None);
    script.body(4, "id: a1\nretry: 2000\ndata:\n\n");
    script.end(4);
    assert_eq!(script.does().len(), 1, "the call, and nothing for the event without data");
    assert_eq!(script.machine.wakes_at(), Some(2 * SECOND), "not before the server wants it (HL-019)");
    script.passes(2 * SECOND);
    assert_eq!(script.does(), ["GET 5 /mcp [s1] [2025-06-18] [a1]"]);
    script.head(5, 200, SSE, None);
    script.body(5, "id: a2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n");
    script.breaks(5, "gone");
    script.does();
    script.passes(SECOND * 2);
    assert_eq!(script.does(), ["GET 6 /mcp [s1] [2025-06-18] [a2]"], "from the last event that came");
    script.head(6, 200, SSE, None);
    script.body(6, "id: a3\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n");
    script.end(6);
    assert_eq!(script.does(), ["print {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"]);
    assert_eq!(script.machine.wakes_at(), None);
}

#[test]
fn a_stream_that_cannot_be_gone_on_with_is_told() {
    let mut script = Script::in_session();
    script.call("1");
    script.head(4, 200, SSE, None);
    script.body(4, "id: a1\ndata:\n\n");
    script.breaks(4, "gone");
    script.passes(SECOND);
    script.answer(5, 405, "", "");
    let told = script.does();
    assert!(told.last().expect("an error").contains("could not be gone on with"), "{told:?}");
    // Without an event there is nothing to go on from.
    script.call("2");
    script.head(6, 200, SSE, None);
    script.breaks(6, "gone");
    assert!(script.does().last().expect("an error").contains("\"id\":2,\"error\""));
}

#[test]
fn a_stream_that_is_gone_on_with_in_vain_is_given_up() {
    let mut script = Script::in_session();
    script.call("1");
    script.head(4, 200, SSE, None);
    script.body(4, "id: a1\nretry: 1\ndata:\n\n");
    script.end(4);
    let mut number = 5;
    while let Some(at) = script.machine.wakes_at() {
        script.passes(at - script.now);
        script.head(number, 200, SSE, None);
        script.end(number);
        number += 1;
        assert!(number < 20, "tries are bounded");
    }
    assert!(script.does().last().expect("an error").contains("\"id\":1,\"error\""));
    assert_eq!(number, 10, "five tries");
}

#[test]
fn the_standalone_stream_is_opened_again_from_its_last_event_and_given_up_at_last() {
    let mut script = Script::new();
    script.greet("s1");
    script.host(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    script.head(2, 202, "", None);
    script.end(2);
    script.does();
    script.head(3, 200, SSE, None);
    script.body(3, "id: e1\nretry: 500\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/custom\"}\n\n");
    script.body(3, ": ping\n\nevent: other\ndata: {}\n\n");
    assert_eq!(script.does(), ["print {\"jsonrpc\":\"2.0\",\"method\":\"notifications/custom\"}\n"]);
    script.end(3);
    assert_eq!(script.machine.wakes_at(), Some(500 * MILLISECOND));
    let (mut number, mut spans) = (4, Vec::new());
    while let Some(at) = script.machine.wakes_at() {
        spans.push((at - script.now) / MILLISECOND);
        script.passes(at - script.now);
        script.head(number, 200, SSE, None);
        script.end(number);
        number += 1;
        assert!(number < 30, "tries are bounded");
    }
    let told = script.does();
    assert_eq!(told[0], "GET 4 /mcp [s1] [2025-06-18] [e1]");
    assert!(told.last().expect("a word").starts_with("say the stream for the server's own messages"), "{told:?}");
    assert_eq!(spans, [500, 500, 1000, 2000, 4000, 8000, 16000, 30000], "as asked, then longer each time");
}

#[test]
fn a_server_that_has_itself_polled_is_asked_when_it_wants_and_for_ever() {
    let mut script = Script::in_session();
    script.call("1");
    script.head(4, 200, SSE, None);
    script.body(4, "id: a0\nretry: 3000\ndata:\n\n");
    script.end(4);
    for number in 5..25 {
        let at = script.machine.wakes_at().expect("it is polled on");
        let wanted = if number % 2 == 1 { 3000 } else { 100 };
        assert_eq!(at - script.now, wanted * MILLISECOND, "poll {number}");
        script.passes(at - script.now);
        script.head(number, 200, SSE, None);
        // Once in its own time, once with a time so short that it would be a loop.
        script.body(number, if number % 2 == 1 { "retry: 0\nid: b\n\n" } else { "id: c\nretry: 3000\n\n" });
        script.end(number);
    }
    assert!(!script.does().iter().any(|told| told.contains("error")), "it is not given up");
    let mut script = Script::in_session();
    script.call("1");
    script.head(4, 200, SSE, None);
    script.body(4, "id: a0\nretry: 18446744073709551615\ndata:\n\n");
    script.end(4);
    assert_eq!(script.machine.wakes_at(), Some(3600 * SECOND), "what no number of nanoseconds holds");
}

#[test]
fn a_standalone_stream_that_lives_long_is_not_in_vain() {
    let mut script = Script::new();
    script.greet("s1");
    script.host(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    script.head(2, 202, "", None);
    script.end(2);
    for number in 3..30 {
        script.head(number, 200, SSE, None);
        script.passes(60 * SECOND);
        script.breaks(number, "idle");
        script.passes(SECOND);
    }
    assert!(!script.does().iter().any(|told| told.starts_with("say")));
}
