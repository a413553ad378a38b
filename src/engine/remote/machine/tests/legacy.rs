//! 2024-11-05 … 2025-11-25: sessions, their order, their loss, and HTTP+SSE.

use super::script::{JSON, SECOND, SSE, Script};

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const GREETED: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}"#;

#[test]
fn nothing_overtakes_the_handshake_nor_the_notification_behind_it() {
    let mut script = Script::new();
    script.host(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#);
    script.host(INITIALIZED);
    script.call("1");
    script.call("2");
    script.sent(1);
    assert_eq!(script.does().len(), 1, "the rest waits for the answer");
    script.head(1, 200, JSON, Some("s1"));
    script.body(1, GREETED);
    assert_eq!(script.does(), [format!("print {GREETED}\n"), format!("POST 2 /mcp [s1] [2025-06-18] {INITIALIZED}")]);
    script.end(1);
    script.sent(2);
    assert_eq!(script.does(), [""; 0], "the calls wait until the notification was taken");
    script.head(2, 202, "", None);
    let sent = script.does();
    assert!(sent[0].starts_with("GET 3 /mcp [s1] [2025-06-18]"), "the standalone stream: {sent:?}");
    assert!(sent[1].starts_with("POST 4") && sent[2].starts_with("POST 5"), "{sent:?}");
    // A notification goes after all that came before it was written, and answers need not have come.
    script.host(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#);
    script.sent(4);
    assert_eq!(script.does(), [""; 0]);
    script.sent(5);
    assert_eq!(script.does(), [""; 0], "the stream's request is on its way too");
    script.sent(3);
    assert!(script.does()[0].starts_with("POST 6"));
}

#[test]
fn a_notification_that_is_not_taken_keeps_the_rest_for_a_while_only() {
    let mut script = Script::in_session();
    script.host(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#);
    script.sent(4);
    script.call("1");
    assert_eq!(script.does().len(), 1);
    assert_eq!(script.machine.wakes_at(), Some(3 * SECOND));
    script.passes(3 * SECOND);
    assert!(script.does()[0].starts_with("POST 5"));
}

#[test]
fn a_server_that_asks_is_answered_in_the_session() {
    let mut script = Script::in_session();
    script.call("1");
    script.head(4, 200, SSE, None);
    script.body(4, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n\n");
    assert_eq!(script.does()[1], "print {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n");
    script.host(r#"{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}"#);
    let sent = script.does();
    assert_eq!(sent, [r#"POST 5 /mcp [s1] [2025-06-18] {"jsonrpc":"2.0","id":1,"result":{"roots":[]}}"#]);
    script.head(5, 202, "", None);
    script.end(5);
    script.body(4, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n");
    script.end(4);
    assert_eq!(script.does().len(), 1, "the answer, and no error behind it");
}

#[test]
fn a_lost_session_is_begun_again_once_and_the_request_repeated() {
    let mut script = Script::in_session();
    script.call("9");
    script.does();
    script.answer(4, 404, JSON, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"gone"}}"#);
    let told = script.does();
    assert!(told[0].starts_with("say the server does not know the session any more"), "{told:?}");
    assert!(told[1].starts_with("POST 5 /mcp {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\""), "{told:?}");
    script.call("10");
    script.head(5, 200, SSE, Some("s2"));
    script.body(5, &format!("data: {GREETED}\n\n"));
    script.end(5);
    assert_eq!(script.does(), [format!("POST 6 /mcp [s2] [2025-06-18] {INITIALIZED}")], "the host sees none of it");
    script.head(6, 202, "", None);
    script.end(6);
    let told = script.does();
    assert!(told.iter().any(|told| told.starts_with("GET 7 /mcp [s2]")), "{told:?}");
    assert!(told.iter().any(|told| told.starts_with("POST 8 /mcp [s2]") && told.contains("\"id\":9")), "{told:?}");
    assert!(told.iter().any(|told| *told == "changed 8 Mcp-Session-Id: s2"), "{told:?}");
    assert!(told.iter().any(|told| told.starts_with("POST 9 /mcp [s2]") && told.contains("\"id\":10")), "{told:?}");
    script.answer(8, 404, "text/plain", "Session not found");
    let told = script.does();
    assert!(told.iter().any(|told| told.starts_with("print") && told.contains("\"id\":9,\"error\"")), "once: {told:?}");
}

#[test]
fn an_unknown_method_is_no_lost_session() {
    let mut script = Script::in_session();
    script.call("9");
    script.does();
    let sent = r#"{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"no such session method"}}"#;
    script.answer(4, 404, JSON, sent);
    assert_eq!(script.does(), [format!("print {sent}\n")]);
}

#[test]
fn a_session_that_cannot_be_begun_again_is_told() {
    let mut script = Script::in_session();
    script.call("9");
    script.does();
    script.answer(4, 400, "text/plain", "No valid Session ID");
    script.does();
    script.breaks(5, "failed to connect to http://h (TCP): refused");
    let told = script.does();
    assert!(told[1].contains("\"id\":9,\"error\"") && told[1].contains("could not be begun"), "{told:?}");
    script.call("10");
    assert!(script.does()[0].starts_with("POST 6 /mcp {") || script.machine.wakes_at().is_none());
}

#[test]
fn the_end_of_input_ends_the_session() {
    let mut script = Script::in_session();
    script.machine.stop(script.now, false);
    assert_eq!(script.does(), ["DELETE 4 /mcp [s1] [2025-06-18]"]);
    script.answer(4, 405, "", "");
    assert_eq!(script.does(), ["finish"]);
    let mut script = Script::in_session();
    script.machine.stop(script.now, false);
    script.does();
    script.passes(2 * SECOND);
    assert_eq!(script.does(), ["finish"], "a server that does not answer keeps nobody");
}

#[test]
fn a_cancelled_request_is_told_to_the_server_and_not_refused() {
    let mut script = Script::in_session();
    script.call("1");
    script.head(4, 200, SSE, None);
    script.does();
    script.host(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assert!(script.does()[0].starts_with("POST 5 /mcp [s1]"));
    script.head(5, 202, "", None);
    script.end(5);
    assert_eq!(script.does(), [""; 0]);
    script.machine.stop(script.now, false);
    assert_eq!(script.does()[0], "abort 4: midwire was stopped", "nobody waits for it");
}

#[test]
fn http_sse_is_found_when_the_server_refuses_the_post() {
    let mut script = Script::new();
    script.host(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#);
    script.answer(1, 405, "text/html", "no");
    assert_eq!(script.does()[1..], ["GET 2 /mcp"]);
    script.head(2, 200, SSE, None);
    script.body(2, "event: endpoint\ndata: /messages?s=42\n\n");
    let told = script.does();
    assert!(told[0] == "sse 2" && told[1].starts_with("POST 3 /messages {"), "{told:?}");
    script.answer(3, 202, "text/plain", "Accepted");
    script.host(INITIALIZED);
    assert_eq!(script.does(), [""; 0], "the answer comes on the stream");
    script.body(2, &format!("event: message\ndata: {GREETED}\n\n"));
    assert_eq!(script.does(), [format!("print {GREETED}\n"), format!("POST 4 /messages {INITIALIZED}")]);
    script.answer(4, 202, "", "");
    script.call("1");
    script.call("2");
    script.answer(5, 202, "", "Accepted");
    script.answer(6, 400, "", "no such session");
    let told = script.does();
    assert!(told.last().expect("an error").contains("\"id\":2,\"error\""), "{told:?}");
    script.breaks(2, "the server closed the connection");
    let told = script.does();
    assert!(told.last().expect("an error").contains("\"id\":1,\"error\""), "{told:?}");
    script.call("3");
    let told = script.does();
    assert_eq!(told[1], "GET 7 /mcp", "the next request begins again: {told:?}");
}

#[test]
fn an_endpoint_somewhere_else_is_not_used_and_the_refusal_stands() {
    let mut script = Script::new();
    script.host(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#);
    script.answer(1, 404, "text/plain", "not here");
    script.head(2, 200, SSE, None);
    script.body(2, "event: endpoint\ndata: https://evil.example/x\n\n");
    let told = script.does();
    assert_eq!(told[2], "abort 2: its endpoint is somewhere else");
    assert!(told.last().expect("an error").contains("answered with HTTP 404"), "{told:?}");
    script.host(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#);
    assert_eq!(script.does().len(), 1, "the host may try again");
}
