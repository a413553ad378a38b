//! What goes through unchanged, and the little that HTTP wants changed.

use super::message::{Message, json};
use super::tap::Tap;
use super::upstream::Upstream;

const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

#[test]
fn a_post_and_its_answer_go_through_and_are_recorded() {
    let upstream = Upstream::answering(json(PONG));
    let tap = Tap::on(&upstream);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let response = tap.ask(&tap.post("/mcp", &["X-Odd: ü"], body));
    assert_eq!((response.status(), response.said().as_str()), (200, PONG));
    let request = upstream.request();
    assert_eq!((request.line().as_str(), request.said().as_str()), ("POST /mcp HTTP/1.1", body));
    let recorded = tap.finish();
    let asked = recorded.one();
    assert_eq!((asked.sent.as_slice(), asked.said()), (body.as_bytes(), response.said()));
    assert!(asked.complete);
    assert_eq!(recorded.trace.exchanges().len(), 1);
}

#[test]
fn fields_keep_their_order_case_and_repetition() {
    let answered = [
        "content-type: application/json",
        "X-UPPER:  two spaces before",
        "Set-Cookie: a=1; Path=/",
        "x-odd: ü",
        "set-cookie: b=2",
        "Empty:",
        "mcp-session-id: s1",
    ];
    let head: String = answered.iter().map(|line| format!("{line}\r\n")).collect();
    let upstream = Upstream::answering(format!("HTTP/1.1 200 Fine Indeed\r\n{head}Content-Length: 2\r\n\r\n{{}}"));
    let tap = Tap::on(&upstream);
    let sent = [
        "x-lower: a",
        "X-Twice: 1",
        "MCP-Protocol-Version: 2026-07-28",
        "x-tWICE: 2",
        "Mcp-Name: =?base64?SGVsbG8=?=",
        "Mcp-Param-Region:  us west 1",
        "Empty:",
        "Accept-Encoding: gzip;q=1.0, identity; q=0.5, *;q=0",
    ];
    let response = tap.ask(&tap.post("/mcp", &sent, "{}"));
    assert_eq!(response.line(), "HTTP/1.1 200 Fine Indeed");
    assert_eq!(response.lines()[..answered.len()], answered);
    let lines = upstream.request().lines();
    let arrived: Vec<&String> = lines.iter().filter(|line| sent.contains(&line.as_str())).collect();
    assert_eq!(arrived, sent, "in order and as sent");
    assert_eq!(lines[0], format!("Host: {}", upstream.address));
    assert_eq!(lines[3..11], sent, "between the same neighbours");
}

#[test]
fn fields_of_one_connection_end_at_the_tap() {
    let upstream = Upstream::answering(
        "HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Theirs\r\nX-Theirs: 1\r\nKeep-Alive: timeout=5\r\n\
         Proxy-Authenticate: Basic\r\nContent-Length: 2\r\nX-Kept: 1\r\n\r\n{}",
    );
    let tap = Tap::on(&upstream);
    let lines =
        ["Connection: keep-alive, x-mine", "X-Mine: 1", "Keep-Alive: timeout=9", "Proxy-Authorization: x", "X-Kept: 1"];
    let response = tap.ask(&tap.post("/mcp", &lines, "{}"));
    let request = upstream.request();
    for name in ["X-Mine", "X-Theirs", "Keep-Alive", "Proxy-Authorization", "Proxy-Authenticate"] {
        assert!(request.all(name).is_empty(), "{name} upstream: {request:?}");
        assert!(response.all(name).is_empty(), "{name} to the client: {response:?}");
    }
    assert_eq!((request.get("X-Kept"), response.get("X-Kept")), ("1".into(), "1".into()));
    let invented = ["Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "Date", "Server"];
    for name in invented {
        assert!(request.all(name).is_empty() && response.all(name).is_empty(), "{name} is nobody's");
    }
}

#[test]
fn every_method_and_path_of_the_server_goes_through() {
    let upstream = Upstream::replying(|request: &Message| {
        let (method, target) = (request.method(), request.target());
        let body = if method == "HEAD" { "" } else { "." };
        format!("HTTP/1.1 200 OK\r\nX-Asked: {method} {target}\r\nContent-Length: 1\r\n\r\n{body}")
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    let targets = [
        "/mcp",
        "/mcp/",
        "/",
        "/sse",
        "/messages/?session_id=a%20b&x=",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "//double//slash",
        "/a/../b/./c",
        "/%2Fencoded%00",
        "/mcp?q=1?2",
        "/bare\u{7c}pipe",
    ];
    for target in targets {
        for method in ["GET", "HEAD", "PROPFIND", "M-SEARCH", "brew"] {
            client.send(format!("{method} {target} HTTP/1.1\r\nHost: {}\r\n\r\n", tap.host()));
            let response = client.response_to(method);
            assert_eq!(response.get("X-Asked"), format!("{method} {target}"));
        }
    }
    let asked = tap.finish().asked();
    assert_eq!(asked.len(), targets.len() * 5, "on one connection, each recorded");
    assert!(asked.iter().all(|one| one.complete), "{asked:?}");
}

#[test]
fn the_clients_url_keeps_the_path_as_it_was_given() {
    let upstream = Upstream::answering(json("{}"));
    for path in ["/mcp", "/mcp/", "/", "/a/b%20c/"] {
        let tap = Tap::start(&["--url", &upstream.url(path)]);
        assert!(tap.url().ends_with(&format!("{}{path}", tap.host())), "{}", tap.url());
        assert!(tap.host().starts_with("127.0.0.1:"), "loopback by itself: {}", tap.url());
        assert!(tap.said().starts_with("midwire: listening at "), "the first line: {}", tap.said());
    }
}

#[test]
fn statuses_without_a_body_end_with_their_head() {
    let upstream = Upstream::replying(|request: &Message| {
        let fields = if request.target() == "/204" { "X: 1\r\n" } else { "ETag: \"a\"\r\nContent-Length: 99\r\n" };
        format!("HTTP/1.1 {} None\r\n{fields}\r\n", request.target().trim_start_matches('/'))
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    for status in [204, 304, 204] {
        client.send(tap.get(&format!("/{status}"), &[]));
        assert_eq!(client.response().status(), status);
    }
    assert_eq!(upstream.requests().len(), 3);
    assert!(tap.finish().asked().iter().all(|one| one.complete && one.body.is_empty()));
}

#[test]
fn a_head_request_may_announce_a_length_and_send_nothing() {
    let upstream = Upstream::replying(|request: &Message| {
        let body = if request.method() == "HEAD" { "" } else { "12345" };
        format!("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{body}")
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    for method in ["HEAD", "GET", "HEAD", "GET"] {
        client.send(format!("{method} /mcp HTTP/1.1\r\nHost: {}\r\n\r\n", tap.host()));
        let response = client.response_to(method);
        assert_eq!(
            (response.get("Content-Length"), response.body.len()),
            ("5".into(), if method == "HEAD" { 0 } else { 5 })
        );
    }
}

#[test]
fn a_browsers_preflight_is_the_servers_to_answer() {
    let answer = "HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\n\
                  Access-Control-Allow-Headers: mcp-protocol-version, x-other\r\nVary: Origin\r\n\r\n";
    let upstream = Upstream::answering(answer);
    let tap = Tap::on(&upstream);
    let response = tap.ask(&format!(
        "OPTIONS /mcp HTTP/1.1\r\nHost: {}\r\nOrigin: http://localhost:6274\r\n\
         Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: mcp-protocol-version\r\n\r\n",
        tap.host()
    ));
    assert_eq!(response.text(), answer, "nothing is added and nothing left out");
    let request = upstream.request();
    assert_eq!(request.get("Access-Control-Request-Method"), "POST");
}

#[test]
fn one_connection_carries_many_requests_and_the_server_sees_one_too() {
    let upstream = Upstream::serve(|mut socket, number| {
        while let Some(request) = socket.request() {
            socket.send(json(&format!("\"{number} {}\"", request.target())));
        }
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    for round in 0..3 {
        client.send(tap.post(&format!("/{round}"), &[], "{}"));
        assert_eq!(client.response().said(), format!("\"0 /{round}\""));
    }
    // Pipelined: all at once, and the answers in order.
    let both = tap.post("/a", &[], "{}") + &tap.get("/b", &[]) + &tap.post("/c", &[], "{\"x\":1}");
    client.send(both);
    for target in ["/a", "/b", "/c"] {
        assert_eq!(client.response().said(), format!("\"0 {target}\""));
    }
    let mut other = tap.connect();
    other.send(tap.get("/d", &[]));
    assert_eq!(other.response().said(), "\"1 /d\"", "another connection of a client is another upstream");
    let peers: Vec<_> = tap.finish().channels.into_iter().filter(|channel| channel.peer.is_some()).collect();
    assert_eq!(peers.len(), 7, "{peers:?}");
}

#[test]
fn informational_responses_come_before_the_final_one() {
    let upstream = Upstream::serve(|mut socket, _| {
        socket.request().expect("a request");
        socket.send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n");
        socket.send("HTTP/1.1 102 Processing\r\n\r\n");
        socket.send(json("{}"));
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], "{}"));
    let hints = client.head().expect("a head");
    assert_eq!(hints.text(), "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n");
    assert_eq!(client.head().expect("a head").status(), 102);
    assert_eq!(client.response().status(), 200);
    let asked = tap.finish().one();
    assert_eq!((asked.informed.len(), asked.complete), (2, true), "{asked:?}");
}

#[test]
fn a_client_that_waits_for_100_waits_for_the_servers() {
    let upstream = Upstream::serve(|mut socket, _| {
        let head = socket.head().expect("a head");
        assert_eq!(head.get("Expect"), "100-continue");
        socket.send("HTTP/1.1 100 Continue\r\n\r\n");
        assert_eq!(socket.content(5), b"hello");
        socket.send(json("{}"));
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
        tap.host()
    ));
    assert_eq!(client.head().expect("a head").status(), 100, "from the server, before the body was sent");
    client.send("hello");
    assert_eq!(client.response().status(), 200);
    assert_eq!(tap.finish().one().sent, b"hello");
}

#[test]
fn a_server_may_refuse_before_the_body_came() {
    let upstream = Upstream::serve(|mut socket, _| {
        socket.head().expect("a head");
        socket.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000000\r\n\r\nbegun", tap.host()));
    assert_eq!(client.response().status(), 413);
}
