//! 2026-07-28: every request for itself.

use super::script::{JSON, SECOND, SSE, Script};

#[test]
fn requests_run_at_once_and_each_keeps_its_own_answer() {
    let mut script = Script::new();
    script.modern("1", "tools/call");
    script.modern("1", "tools/list");
    let sent = script.does();
    assert!(sent[0].starts_with("POST 1 /mcp [2026-07-28] [tools/call] {"), "{sent:?}");
    assert!(sent[1].starts_with("POST 2 /mcp [2026-07-28] [tools/list] {"), "{sent:?}");
    script.head(2, 200, JSON, None);
    script.head(1, 200, SSE, None);
    script.body(1, "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\ndata: {\"jsonrpc\":\"2.0\",");
    script.body(2, "{\n \"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    script.end(2);
    script.body(1, "\ndata: \"id\":1,\"result\":{}}\n\n");
    script.end(1);
    let expected = [
        "print {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n",
        "print {  \"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
        "print {\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{}}\n",
    ];
    assert_eq!(script.does(), expected);
}

#[test]
fn which_of_two_requests_with_one_id_is_answered_is_told_by_its_stream() {
    let mut script = Script::for_client();
    for method in ["a", "b", "c"] {
        script.sends("1", method);
    }
    script.does();
    script.head(2, 200, JSON, None);
    script.body(2, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    script.end(2);
    assert_eq!(script.does(), ["answers 2", "print {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"]);
    script.answer(3, 400, JSON, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"x\"}}");
    assert_eq!(script.does()[0], "answers 3");
    script.answer(1, 500, "", "");
    let told = script.does();
    assert!(told[0].starts_with("changed") && told[1].starts_with("refused"), "this is not in doubt: {told:?}");
    script.sends("2", "a");
    script.sends("2", "b");
    script.does();
    script.answer(5, 500, "", "");
    let told = script.does();
    assert!(told[1] == "answers 5" && told[2].starts_with("refused"), "{told:?}");
}

#[test]
fn a_request_taken_back_is_closed_and_nothing_is_sent() {
    let mut script = Script::new();
    script.modern("\"a\"", "tools/call");
    script.sent(1);
    script.does();
    script.host(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#);
    assert_eq!(script.does(), ["abort 1: the request was taken back"]);
    script.host(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#);
    script.breaks(1, "late");
    assert_eq!(script.does(), [""; 0], "it is over, and nobody is told of it");
}

#[test]
fn a_stream_that_breaks_off_is_told_for_its_id() {
    let mut script = Script::new();
    script.modern("7", "tools/call");
    script.head(1, 200, SSE, None);
    script.body(1, "id: 3\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\ndata: {\"jsonr");
    script.does();
    script.breaks(1, "failed to read the server's response");
    let told = script.does();
    assert!(told[0].starts_with("changed 1 answer to 7: "), "{told:?}");
    assert!(told[1].starts_with("print {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32010,"), "{told:?}");
    assert!(told[1].contains("broke off: failed to read"), "{told:?}");
    assert_eq!(told.len(), 2, "streams of this era are not gone on with");
}

#[test]
fn errors_with_any_status_are_the_servers_own_and_get_the_id_that_they_lack() {
    let mut script = Script::new();
    script.modern("1", "server/discover");
    script.answer(1, 400, JSON, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no\"}}");
    let told = script.does();
    assert_eq!(told[2], "print {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"no\"}}\n");
    script.modern("2", "x/y");
    let sent = "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"1.0\"}}";
    script.answer(2, 404, JSON, sent);
    assert_eq!(script.does()[1..], [format!("print {sent}\n")], "as it came");
    script.modern("3", "tools/list");
    script.answer(3, 500, "text/html", "<html>oops");
    let told = script.does().pop().expect("an error");
    assert!(
        told.contains("\"id\":3,\"error\":{\"code\":-32010,\"message\":\"midwire: http://h/mcp answered with HTTP 500")
    );
    assert!(told.contains("\"data\":{\"status\":500,\"body\":\"<html>oops\"}"), "{told}");
    script.modern("4", "tools/list");
    script.breaks(4, "failed to connect to http://h (TCP): refused");
    let told = script.does().pop().expect("an error");
    assert!(told.contains("\"id\":4") && told.contains("(TCP): refused"), "{told}");
}

#[test]
fn lines_that_are_begun_before_they_are_complete_are_not_mixed() {
    let mut script = Script::new();
    script.modern("1", "tools/call");
    script.modern("2", "tools/call");
    script.head(1, 200, JSON, None);
    script.head(2, 200, JSON, None);
    let big = "a".repeat(5 << 20);
    script.body(1, &format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"{big}"));
    script.body(2, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
    script.modern("3", "tools/call");
    script.breaks(3, "failed");
    script.body(1, "\n\"}");
    script.end(1);
    let printed: String =
        script.does().iter().filter_map(|told| told.strip_prefix("print ").map(str::to_owned)).collect();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 3, "one line each, and no more for what was answered");
    assert!(lines[0].starts_with("{\"jsonrpc\":\"2.0\",\"id\":1") && lines[0].ends_with("a \"}"));
    assert!(lines[1].contains("\"id\":3,\"error\""), "{}", lines[1]);
    assert!(lines[2].contains("\"id\":2,\"result\""), "{}", lines[2]);
}

#[test]
fn the_end_of_input_lets_requests_finish_but_not_subscriptions() {
    let mut script = Script::new();
    script.modern("1", "subscriptions/listen");
    script.modern("2", "tools/call");
    script.head(1, 200, SSE, None);
    script.head(2, 200, JSON, None);
    script.does();
    script.machine.stop(script.now, false);
    assert_eq!(script.does(), [""; 0]);
    script.body(2, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
    script.end(2);
    let told = script.does();
    assert_eq!(told[1..], ["abort 1: midwire was stopped", "finish"], "{told:?}");
}

#[test]
fn the_grace_has_an_end_and_a_second_signal_ends_it_sooner() {
    let mut script = Script::new();
    script.modern("1", "tools/call");
    script.sent(1);
    script.does();
    script.machine.stop(script.now, true);
    assert_eq!((script.does().len(), script.machine.wakes_at()), (0, Some(5 * SECOND)));
    script.machine.stop(script.now, true);
    assert_eq!(script.does(), ["abort 1: midwire was stopped", "finish"]);
}

#[test]
fn a_path_that_moved_is_followed_on_the_same_server_only() {
    let mut script = Script::new();
    let moved = |script: &mut Script, number, to: &str| {
        script.sent(number);
        let location = Some(to.to_owned());
        let answer = crate::engine::remote::machine::Answer { status: 307, location, ..Default::default() };
        script.machine.head(script.now, number, answer);
        script.end(number);
    };
    script.modern("1", "tools/list");
    moved(&mut script, 1, "/mcp/");
    let told = script.does();
    assert!(told[1].starts_with("POST 2 /mcp/ [2026-07-28]") && told[1].ends_with("}}}"), "{told:?}");
    moved(&mut script, 2, "http://elsewhere/mcp");
    assert!(script.does()[1].contains("it points to http://elsewhere/mcp"));
}
