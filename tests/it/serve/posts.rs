//! POSTs: who may come, what is refused and how, sessions, and whether an answer is a body or a stream.

use super::stand::{Stand, answer, call, progress, result};
use crate::http::message;
use crate::http::socket::End;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

#[test]
fn what_is_refused_is_refused_with_the_status_that_it_has() {
    let stand = Stand::start(Vec::new());
    let host = stand.address().to_owned();
    let session = stand.open("2025-06-18");
    let raw = |method: &str, path: &str, lines: &str| format!("{method} {path} HTTP/1.1\r\n{lines}\r\n");
    let to = |line: &str| format!("Host: {host}\r\n{line}\r\n");
    let body = |lines: &str| format!("{lines}Content-Length: 40\r\n\r\n{PING}");
    let cases = [
        (403, raw("POST", "/mcp", "Host: evil.example:80\r\n")),
        (403, raw("POST", "/mcp", &to("Origin: http://evil.example"))),
        (403, raw("GET", "/mcp", &to("Origin: null"))),
        (400, raw("POST", "/mcp", &format!("Host: {host}\r\nHost: {host}\r\n"))),
        (400, raw("POST", "/mcp", &to("Content-Length: 1\r\nTransfer-Encoding: chunked"))),
        (404, raw("GET", "/", &to("X: y"))),
        (405, raw("PUT", "/mcp", &to("X: y"))),
        (405, raw("POST", "/sse", &to("X: y"))),
        (406, raw("GET", "/mcp", &to("Accept: application/json"))),
        (406, body(&raw("POST", "/mcp", &to("Accept: text/html\r\nContent-Type: application/json")))),
        (415, raw("POST", "/mcp", &to("Content-Type: text/plain\r\nContent-Length: 0"))),
        (415, raw("POST", "/mcp", &to("Content-Length: 0"))),
        (413, raw("POST", "/mcp", &to("Content-Type: application/json\r\nContent-Length: 99999999"))),
        (417, raw("POST", "/mcp", &to("Content-Type: application/json\r\nContent-Length: 2\r\nExpect: tea"))),
        (400, message::post(&host, "/mcp", &[], PING)),
        (404, message::post(&host, "/mcp", &["Mcp-Session-Id: never"], PING)),
        (400, message::post(&host, "/mcp", &[&session, "MCP-Protocol-Version: 1999-01-01"], PING)),
        (400, message::get(&host, "/mcp", &["Accept: text/event-stream"])),
        (400, message::get(&host, "/mcp", &[&session, "Accept: text/event-stream", "Last-Event-ID: 9-9"])),
        (404, message::post(&host, "/message?sessionId=never", &[], PING)),
        (400, message::post(&host, "/mcp", &[], "{")),
        (400, "not http\r\n\r\n".to_owned()),
    ];
    for (status, request) in cases {
        let mut socket = stand.connect();
        socket.send(&request);
        let said = socket.response();
        assert_eq!(said.status(), status, "{request}\n{said:?}");
        // Only what is a request by all that can be read is answered as one.
        let answers = request.contains("1999-01-01");
        assert_eq!(said.said().contains("\"id\":1"), answers, "HX-006: {said:?}");
        if status == 405 {
            assert!(!said.get("allow").is_empty(), "{said:?}");
        }
    }
    let mut page = stand.connect();
    page.send(stand.post(&[&session, "Origin: http://localhost:6274"], PING));
    let said = page.response();
    assert_eq!((said.status(), said.get("access-control-allow-origin").as_str()), (200, "http://localhost:6274"));
}

#[test]
fn a_session_is_given_asked_for_and_ended() {
    let stand = Stand::start(Vec::new());
    let session = stand.open("2025-11-25");
    let other = stand.open("2025-11-25");
    assert!(session != other && session.len() > 40, "nobody can guess it: {session}");
    assert_eq!(stand.ask(&[&session], PING).status(), 200);
    let mut socket = stand.connect();
    let host = stand.address();
    for status in [200, 404] {
        socket.send(format!("DELETE /mcp HTTP/1.1\r\nHost: {host}\r\n{session}\r\n\r\n"));
        assert_eq!(socket.response().status(), status, "over one connection that is kept");
    }
    assert_eq!(stand.ask(&[&session], PING).status(), 404);
    assert_eq!(stand.ask(&[&other], PING).status(), 200);
    let failed = stand.ask(&[], r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":7}"#);
    assert!(failed.get("mcp-session-id").is_empty(), "no session without a result: {failed:?}");
}

#[test]
fn a_single_answer_is_a_body_where_that_is_wanted_and_a_stream_where_something_precedes() {
    let tools = || vec![("one", vec![result("a")]), ("two", vec![progress(1), result("b")])];
    let stand = Stand::with(true, tools());
    let session = stand.open("2025-06-18");
    let one = stand.ask(&[&session], &call(1, "one"));
    assert_eq!((one.get("content-type").as_str(), one.said()), ("application/json", answer(1, "a")));
    let two = stand.ask(&[&session], &call(2, "two"));
    assert_eq!(two.get("content-type"), "text/event-stream");
    assert_eq!(two.get("x-accel-buffering"), "no");
    let events: Vec<String> = two.said().split("\n\n").map(str::to_owned).collect();
    assert!(events[0].contains("notifications/progress") && events[0].contains("\"p2\""), "{events:?}");
    assert!(events[1].ends_with(&format!("data: {}", answer(2, "b"))), "{events:?}");
    // Who takes JSON only gets the answer, and nothing that precedes it.
    let host = stand.address();
    let only = message::post(host, "/mcp", &[&session], &call(3, "two")).replace(", text/event-stream", "");
    let mut socket = stand.connect();
    socket.send(only);
    let only = socket.response();
    assert_eq!((only.get("content-type").as_str(), only.said()), ("application/json", answer(3, "b")));
    let stand = Stand::start(tools());
    let session = stand.open("2025-06-18");
    assert_eq!(stand.ask(&[&session], &call(1, "one")).get("content-type"), "text/event-stream");
}

#[test]
fn a_modern_request_stands_for_itself() {
    let stand = Stand::start(vec![("one", vec![result("a")])]);
    let modern = |version: &str, method: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":"x","method":"{method}","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"t","version":"1"}}}}}}}}"#
        )
    };
    let head = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list", "Mcp-Session-Id: whatever"];
    let said = stand.ask(&head, &modern("2026-07-28", "tools/list"));
    assert!(said.status() == 200 && said.get("mcp-session-id").is_empty(), "{said:?}");
    assert!(said.said().contains("\"resultType\"") && !said.said().contains("id: 1"), "{said:?}");
    let refused = stand.ask(&head[..1], &modern("2026-07-28", "tools/list"));
    assert_eq!((refused.status(), refused.said().contains("-32020")), (400, true), "{refused:?}");
    let unknown = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: what/ever"];
    let unknown = stand.ask(&unknown, &modern("2026-07-28", "what/ever"));
    assert_eq!((unknown.status(), unknown.get("content-type").as_str()), (404, "application/json"), "{unknown:?}");
}

#[test]
fn a_body_is_waited_for_as_it_comes_and_the_connection_is_kept() {
    let stand = Stand::start(Vec::new());
    let session = stand.open("2025-06-18");
    let mut socket = stand.connect();
    let host = stand.address();
    socket.send(format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\n{session}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n\
         Transfer-Encoding: chunked\r\n\r\n"
    ));
    assert_eq!(socket.until(b"\r\n\r\n"), b"HTTP/1.1 100 Continue\r\n\r\n");
    for piece in [&PING[..7], &PING[7..]] {
        socket.send(format!("{:x}\r\n{piece}\r\n", piece.len()));
    }
    socket.send("0\r\n\r\n");
    assert!(socket.response().said().contains(r#"data: {"jsonrpc":"2.0","id":1,"result":{}}"#));
    // Two at once, the second with the last word.
    let last = stand.post(&[&session, "Connection: close"], PING);
    socket.send([stand.post(&[&session], PING), last].concat());
    assert_eq!(socket.response().status(), 200);
    let closed = socket.response();
    assert_eq!((closed.status(), closed.get("connection").as_str()), (200, "close"));
    assert_eq!(socket.rest(), (Vec::new(), End::Closed));
}
