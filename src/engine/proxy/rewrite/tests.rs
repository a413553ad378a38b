//! Heads before and after.

use super::*;

const TO: Upstream<'_> = Upstream { host: Some("up:9"), target: None, origin: None, add: &[] };

fn sent(head: &str, length: BodyLength, to: &Upstream<'_>) -> String {
    let head = Head::parse(head.as_bytes()).expect("a head").expect("whole");
    String::from_utf8_lossy(request(&head, length, to).raw()).into_owned()
}

fn answered(head: &str, to: &Downstream<'_>) -> (String, Vec<Changed>) {
    let head = Head::parse(head.as_bytes()).expect("a head").expect("whole");
    let (made, changed) = response(&head, to);
    (String::from_utf8_lossy(made.raw()).into_owned(), changed)
}

const PLAIN: Downstream<'_> =
    Downstream { length: BodyLength::None, framing: BodyLength::None, closes: false, minor: 1, origins: None };

#[test]
fn what_is_for_the_server_keeps_its_order_case_and_bytes() {
    let head = "POST /mcp/?a=b HTTP/1.1\r\nhOST: 127.0.0.1:4\r\nX-A:1\r\naccept:  text/event-stream \r\nX-A: 2\r\n\
                Mcp-Session-Id: s\r\nConnection: keep-alive, X-Hop\r\nx-hop: gone\r\nKeep-Alive: timeout=5\r\n\
                Proxy-Authorization: x\r\nProxy-Foo: x\r\nTE: trailers, deflate\r\nContent-Length: 3\r\nX-A:\t3\r\n\r\n";
    let expected = "POST /mcp/?a=b HTTP/1.1\r\nhOST: up:9\r\nX-A:1\r\naccept:  text/event-stream \r\nX-A: 2\r\n\
                    Mcp-Session-Id: s\r\nContent-Length: 3\r\nX-A:\t3\r\nTE: trailers\r\nConnection: TE\r\n\r\n";
    assert_eq!(sent(head, BodyLength::Exact(3), &TO), expected);
}

#[test]
fn framing_survives_whatever_connection_names() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close, host, transfer-encoding\r\n\r\n";
    let expected = "POST / HTTP/1.1\r\nHost: up:9\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    assert_eq!(sent(head, BodyLength::Chunked, &TO), expected);
    assert_eq!(
        sent("GET / HTTP/1.0\r\n\r\n", BodyLength::None, &TO),
        "GET / HTTP/1.1\r\nHost: up:9\r\nConnection: close\r\n\r\n"
    );
}

#[test]
fn upgrades_are_passed_on_where_they_can_be() {
    let websocket =
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n";
    let expected =
        "GET / HTTP/1.1\r\nHost: up:9\r\nSec-WebSocket-Key: k\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
    assert_eq!(sent(websocket, BodyLength::None, &TO), expected);
    let h2c = "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n";
    assert_eq!(sent(h2c, BodyLength::None, &TO), "GET / HTTP/1.1\r\nHost: up:9\r\n\r\n");
    let (head, _) = answered("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", &PLAIN);
    assert_eq!(head, "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
}

#[test]
fn credentials_take_the_place_of_the_clients() {
    let add = [("Authorization".to_owned(), "Bearer new".to_owned()), ("X-Key".to_owned(), "k".to_owned())];
    let to = Upstream { origin: Some("https://up"), add: &add, ..TO };
    let head = "GET http://x/ HTTP/1.1\r\nHost: a\r\nauthorization: Bearer old\r\nORIGIN: http://127.0.0.1:4\r\n\r\n";
    let expected =
        "GET /p HTTP/1.1\r\nHost: up:9\r\nORIGIN: https://up\r\nAuthorization: Bearer new\r\nX-Key: k\r\n\r\n";
    assert_eq!(sent(head, BodyLength::None, &Upstream { target: Some("/p"), ..to }), expected);
    let kept = sent(head, BodyLength::None, &Upstream { host: None, origin: None, target: None, add: &[] });
    assert_eq!(kept, head);
}

#[test]
fn redirects_to_the_server_lead_through_the_tap_and_others_are_told_of() {
    let origins = Origins { theirs: "https://up.example", ours: "http://localhost:4", page: None };
    let to = Downstream { origins: Some(origins), ..PLAIN };
    let cases = [
        ("https://up.example/a/?x#f", Some("http://localhost:4/a/?x#f"), false),
        ("HTTPS://UP.example:443/a", Some("http://localhost:4/a"), false),
        ("//up.example/a", Some("http://localhost:4/a"), false),
        ("https://up.example", Some("http://localhost:4"), false),
        ("/a", None, false),
        ("a?u=http://other/", None, false),
        ("http://up.example/a", None, true),
        ("https://up.example:8443/a", None, true),
        ("https://login.example/authorize", None, true),
    ];
    for (location, expected, is_flagged) in cases {
        let head = format!("HTTP/1.1 307 Temporary Redirect\r\nA: 1\r\nlocation: {location}\r\nB: 2\r\n\r\n");
        let (made, changed) = answered(&head, &to);
        assert_eq!(made, head.replace(location, expected.unwrap_or(location)), "{location}");
        let told = changed.first().map(|(what, to)| (*what, to.as_str()));
        match expected {
            Some(expected) => assert_eq!(told, Some(("Location", expected))),
            None => assert_eq!(told.is_some_and(|(_, to)| to.contains("past midwire")), is_flagged, "{location}"),
        }
        assert!(answered(&head, &PLAIN).1.is_empty());
    }
    let created = "HTTP/1.1 201 Created\r\nContent-Location: https://up.example/x\r\nLocation: https://other/\r\n\r\n";
    let (made, changed) = answered(created, &to);
    assert!(
        made.contains("Content-Location: http://localhost:4/x\r\nLocation: https://other/\r\n") && changed.len() == 1
    );
}

#[test]
fn a_page_that_was_loaded_through_the_tap_may_read_the_answer() {
    let origins = Origins { theirs: "https://up", ours: "http://localhost:4", page: Some("http://127.0.0.1:4") };
    let to = Downstream { origins: Some(origins), ..PLAIN };
    let (made, changed) = answered("HTTP/1.1 204 No\r\nAccess-Control-Allow-Origin: https://up\r\n\r\n", &to);
    assert_eq!(made, "HTTP/1.1 204 No\r\nAccess-Control-Allow-Origin: http://127.0.0.1:4\r\n\r\n");
    assert_eq!(changed.len(), 1);
    let any = "HTTP/1.1 204 No\r\nAccess-Control-Allow-Origin: *\r\n\r\n";
    assert_eq!(answered(any, &to), (any.to_owned(), Vec::new()));
}

#[test]
fn a_response_is_framed_for_its_client() {
    let chunked = "HTTP/1.1 200 OK\r\nX: 1\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nTrailer: T\r\n\r\n";
    let to = Downstream { length: BodyLength::Chunked, framing: BodyLength::Chunked, ..PLAIN };
    assert_eq!(answered(chunked, &to).0, "HTTP/1.1 200 OK\r\nX: 1\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n");
    let old = Downstream { framing: BodyLength::UntilClose, closes: true, minor: 0, ..to };
    assert_eq!(answered(chunked, &old).0, "HTTP/1.1 200 OK\r\nX: 1\r\nTrailer: T\r\nConnection: close\r\n\r\n");
    let exact = Downstream { length: BodyLength::Exact(2), framing: BodyLength::Exact(2), minor: 0, ..PLAIN };
    let head = "HTTP/1.0 200 Fine then\r\ncontent-length: 2\r\n\r\n";
    assert_eq!(
        answered(head, &exact).0,
        "HTTP/1.1 200 Fine then\r\ncontent-length: 2\r\nConnection: keep-alive\r\n\r\n"
    );
    assert_eq!(
        answered("HTTP/2 200\r\na: b\r\n\r\n".replace("HTTP/2", "HTTP/1.0").as_str(), &to).0,
        "HTTP/1.1 200 \r\na: b\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
}
