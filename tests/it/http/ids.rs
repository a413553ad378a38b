//! Who answers whom, when several requests are under way on several connections.

use midwire::trace::Status;

use super::message::{LAST, Message, STREAM, chunk, json};
use super::tap::Tap;
use super::upstream::{Gate, Upstream};

#[test]
fn two_posts_with_one_id_are_paired_by_their_http_requests() {
    // The first to come is answered last.
    let gate = Gate::new();
    let upstream = Upstream::serve(move |mut socket, _| {
        let request = socket.request().expect("a request");
        let is_first = request.said().contains("\"first\"");
        if is_first {
            gate.pass();
        }
        let text = if is_first { "of the first" } else { "of the second" };
        let answer = format!("data: {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"text\":\"{text}\"}}}}\n\n");
        socket.send([STREAM.as_bytes(), &chunk(answer), LAST.as_bytes()].concat());
        if !is_first {
            gate.open();
        }
        socket.request();
    });
    let tap = Tap::on(&upstream);
    let call = |tool| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}"}}}}"#);
        tap.post("/mcp", &["Mcp-Session-Id: one-session"], &body)
    };
    let (mut first, mut second) = (tap.connect(), tap.connect());
    first.send(call("first"));
    tap.shows("the first is under way", |recorded| (!recorded.trace.exchanges().is_empty()).then_some(()));
    second.send(call("second"));
    assert!(second.response().said().contains("of the second"));
    assert!(first.response().said().contains("of the first"));
    drop((first, second));
    let recorded = tap.finish();
    let exchanges = recorded.trace.exchanges();
    assert_eq!(exchanges.len(), 2);
    for (exchange, name) in exchanges.iter().zip(["first", "second"]) {
        assert_eq!(&**recorded.trace.name(exchange.subject), name);
        let answer = exchange.answer.expect("an answer");
        let entry = &recorded.entries[answer.seq as usize - 1];
        assert!(String::from_utf8_lossy(&entry.bytes).contains(&format!("of the {name}")), "{name}");
        assert_eq!(entry.channel, recorded.entries[exchange.request.seq as usize - 1].channel);
    }
}

#[test]
fn a_lost_session_is_passed_on_and_noticed() {
    let upstream = Upstream::replying(|request: &Message| {
        if request.said().contains("\"initialize\"") {
            let result = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;
            return json(result).replace("200 OK\r\n", "200 OK\r\nMcp-Session-Id: lost-soon\r\n");
        }
        let error = r#"{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}"#;
        json(error).replace("200 OK", "404 Not Found")
    });
    let tap = Tap::on(&upstream);
    let start = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    assert_eq!(tap.ask(&tap.post("/mcp", &[], start)).get("Mcp-Session-Id"), "lost-soon");
    for id in 1..4 {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
        let response = tap.ask(&tap.post("/mcp", &["Mcp-Session-Id: lost-soon"], &body));
        assert_eq!(response.status(), 404);
    }
    assert_eq!(upstream.requests().last().expect("came").get("Mcp-Session-Id"), "lost-soon");
    let recorded = tap.finish();
    let exchanges = recorded.trace.exchanges();
    let statuses: Vec<Status> = exchanges.iter().map(|exchange| exchange.status).collect();
    assert_eq!(statuses, [Status::Ok, Status::Error, Status::Error, Status::Error]);
    let remarks: String = (0..exchanges.len() as u32).flat_map(|exchange| recorded.trace.remarks(exchange)).collect();
    assert!(remarks.contains("session"), "the loss is told: {remarks:?}");
    let sessions: Vec<_> = recorded.channels.iter().filter_map(|channel| channel.session.clone()).collect();
    assert_eq!(sessions.len(), 4, "each request knows its session: {sessions:?}");
    assert!(sessions.iter().all(|session| *session == sessions[0]), "{sessions:?}");
}

#[test]
fn requests_of_the_server_are_answered_by_posts() {
    let gate = Gate::new();
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            if request.said().contains("\"tools/call\"") {
                let ask = "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"roots/list\"}\n\n";
                socket.send([STREAM.as_bytes(), &chunk(ask)].concat());
                gate.pass();
                let answer = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
                socket.send([&chunk(answer), LAST.as_bytes()].concat());
            } else {
                socket.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
                gate.open();
            }
        }
    });
    let tap = Tap::on(&upstream);
    let lines = ["Mcp-Session-Id: s", "MCP-Protocol-Version: 2025-11-25"];
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &lines, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#));
    client.response_head("POST");
    client.content(1);
    assert_eq!(tap.ask(&tap.post("/mcp", &lines, r#"{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}"#)).status(), 202);
    while client.more() != Ok(None) {}
    drop(client);
    let recorded = tap.finish();
    let exchanges = recorded.trace.exchanges();
    assert_eq!(exchanges.len(), 2);
    assert!(exchanges.iter().all(|exchange| exchange.status == Status::Ok), "{exchanges:?}");
    let odd: Vec<_> = recorded.trace.notes().iter().filter(|note| note.marks.0 != 0).collect();
    assert!(odd.is_empty(), "nothing is an orphan: {odd:?}");
}
