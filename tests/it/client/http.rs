//! Servers on HTTP: what is sent as what, and what becomes of a session that is lost, a stream that breaks, and bytes
//! that are no message.

use std::sync::atomic::{AtomicU32, Ordering};

use midwire::engine::client::{Happening, Trust, Way};
use midwire::model::{EntryKind, Side};
use midwire::peer::client::{Call, EraChoice, Order, Outcome, Told};

use super::session::Talk;
use crate::http::message::{LAST, Message, STREAM, chunk, json};
use crate::http::upstream::{Gate, Upstream};

const TAKEN: &str = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
const NONE: &str = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n";

fn url(upstream: &Upstream, headers: &[(&str, &str)]) -> Way {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Way::Url { url: upstream.url("/mcp"), headers, trust: Trust::default() }
}

fn legacy(way: Way) -> Talk {
    Talk::with(way, |options| options.settings.era = EraChoice::Legacy)
}

/// The id in a message.
fn id(request: &Message) -> String {
    let said = request.said();
    let rest = said.split_once("\"id\":").map_or("", |(_, rest)| rest);
    rest.split([',', '}']).next().unwrap_or_default().to_owned()
}

/// A server of one session: what the handshake and its end want; `answer` gives the rest.
fn in_session(request: &Message, session: &str, answer: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let said = request.said();
    if said.contains("\"initialize\"") {
        let greeting = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#;
        let answer = json(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{greeting}}}"#, id(request)));
        return answer.replacen("\r\n", &format!("\r\nMcp-Session-Id: {session}\r\n"), 1).into_bytes();
    }
    match request.method().as_str() {
        "POST" if said.contains("notifications/") => TAKEN.into(),
        "POST" => answer(),
        _ => NONE.into(),
    }
}

fn result(request: &Message, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, id(request))
}

fn links(talk: &Talk) -> String {
    let told = talk
        .told
        .iter()
        .filter_map(|it| if let Happening::Told(Told::Link(what)) = it { Some(what.as_str()) } else { None });
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_message_is_sent_as_it_is_and_a_secret_is_never_recorded() {
    let upstream = Upstream::replying(|request| {
        let said = result(request, "{\n \"n\": 1.0,\r\n \"t\": \"é\"}");
        in_session(request, "s1", || json(&said).into_bytes())
    });
    let mut talk = legacy(url(&upstream, &[("Authorization", "Bearer ${PATH}"), ("X-Tenant", "s3cret-tenant")]));
    talk.opened();
    let fields = vec![("X-One".to_owned(), "1".to_owned()), ("accept".to_owned(), "text/plain".to_owned())];
    let params = Some(br#"{"name":"x","arguments":{"n":9007199254740993}}"#.to_vec());
    talk.order(Order::Call(1, Call { method: "tools/call".into(), params, bare: true, fields, ..Call::default() }));
    let Outcome::Result(bytes) = talk.ended(1) else { panic!("no result") };
    assert_eq!(String::from_utf8_lossy(&bytes), "{\n \"n\": 1.0,\r\n \"t\": \"é\"}", "line breaks stay as sent");
    let recorded = talk.stop();
    let request = upstream.requests().into_iter().find(|it| it.said().contains("tools/call")).expect("sent");
    assert!(request.said().contains(r#""arguments":{"n":9007199254740993}"#));
    let path = std::env::var("PATH").expect("set");
    let told = ["X-One", "Accept", "Mcp-Session-Id", "MCP-Protocol-Version", "X-Tenant", "Authorization"]
        .map(|it| request.get(it));
    assert_eq!(told, ["1", "text/plain", "s1", "2025-11-25", "s3cret-tenant", &format!("Bearer {path}")]);
    assert!(upstream.requests().iter().any(|it| it.method() == "DELETE"), "the session was taken leave of");
    for entry in recorded.entries.iter().filter(|entry| entry.kind == EntryKind::Head) {
        let head = String::from_utf8_lossy(&entry.bytes);
        assert!(!head.contains("s3cret") && !head.contains(&path), "{head}");
    }
    let sent = recorded.entries.iter().filter(|it| it.side == Some(Side::Client) && it.kind == EntryKind::Body);
    assert!(sent.into_iter().any(|entry| entry.bytes == request.said().as_bytes()), "recorded as sent");
}

#[test]
fn a_session_that_is_lost_is_begun_again_once_and_told() {
    // T-48.
    let sessions = AtomicU32::new(0);
    let upstream = Upstream::replying(move |request| {
        let is_new = request.said().contains("\"initialize\"");
        let session = format!("s{}", if is_new { sessions.fetch_add(1, Ordering::SeqCst) } else { 0 });
        in_session(request, &session, || match request.get("Mcp-Session-Id").as_str() {
            "s1" if !request.said().contains("never") => json(&result(request, r#"{"again":true}"#)).into_bytes(),
            _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 17\r\n\r\nSession not found".into(),
        })
    });
    let mut talk = legacy(url(&upstream, &[]));
    talk.opened();
    assert!(matches!(talk.call(1, "tools/list", ""), Outcome::Result(it) if *it == *br#"{"again":true}"#));
    assert!(links(&talk).contains("beginning a new one and repeating the request"), "{}", links(&talk));
    let Outcome::Http { status, .. } = talk.call(2, "never", "") else { panic!("it is refused for good") };
    assert_eq!(status, Some(404));
    talk.stop();
    let greetings = upstream.requests().iter().filter(|it| it.said().contains("\"initialize\"")).count();
    assert_eq!(greetings, 3, "once for each request that was refused for its session");
}

#[test]
fn a_stream_that_is_broken_from_here_is_resumed_where_it_stood() {
    // T-50, T-46.
    let gate = Gate::new();
    let opened = gate.clone();
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            match request.get("Last-Event-ID").as_str() {
                "" if request.said().contains("tools/call") => {
                    socket.send([STREAM.as_bytes(), &chunk("id: e3\nretry: 10\ndata:\n\n")].concat());
                    let note = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;
                    socket.send(chunk(format!("id: e4\ndata: {note}\n\n")));
                    opened.open();
                    // Until the client breaks it.
                    socket.rest();
                    return;
                }
                "e4" => {
                    let answer = r#"{"jsonrpc":"2.0","id":"mine","result":{"whole":1}}"#;
                    let event = chunk(format!("data: {answer}\n\n"));
                    socket.send([STREAM.as_bytes(), &event, LAST.as_bytes()].concat());
                }
                _ => socket.send(in_session(&request, "s1", || TAKEN.into())),
            }
        }
    });
    let mut talk = legacy(url(&upstream, &[]));
    talk.opened();
    let id = Some(br#""mine""#.to_vec());
    talk.order(Order::Call(1, Call { method: "tools/call".into(), id, ..Call::default() }));
    gate.pass();
    talk.until("the notification", |it| matches!(it, Happening::Told(Told::Notified { .. })).then_some(()));
    talk.order(Order::Break(Some(1)));
    let outcome = talk.ended(1);
    assert!(matches!(&outcome, Outcome::Result(it) if **it == *br#"{"whole":1}"#), "{outcome:?}");
    talk.stop();
}

#[test]
fn cancelling_in_the_modern_era_closes_the_stream() {
    let (gate, closed) = (Gate::new(), Gate::new());
    let (begun, gone) = (gate.clone(), closed.clone());
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            if request.said().contains("tools/call") {
                socket.send(STREAM);
                begun.open();
                socket.rest();
                gone.open();
                return;
            }
            assert_eq!((request.get("Mcp-Session-Id"), request.method()), (String::new(), "POST".to_owned()));
            let discovered = r#"{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}"#;
            socket.send(json(&result(&request, discovered)));
        }
    });
    let mut talk = Talk::with(url(&upstream, &[]), |options| options.settings.era = EraChoice::Modern);
    talk.opened();
    talk.order(Order::Call(1, Call { method: "tools/call".into(), ..Call::default() }));
    gate.pass();
    talk.order(Order::Cancel(1, "enough".into()));
    assert_eq!(talk.ended(1), Outcome::Cancelled);
    closed.pass();
    talk.stop();
    assert!(
        upstream.requests().iter().all(|it| !it.said().contains("notifications/cancelled")),
        "nothing else is sent"
    );
}

#[test]
fn bytes_that_are_no_message_go_as_they_are_and_the_reaction_is_told() {
    let upstream = Upstream::replying(|request| {
        in_session(request, "s1", || {
            let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;
            json(body).replacen("200 OK", "400 Bad Request", 1).into_bytes()
        })
    });
    let mut talk = legacy(url(&upstream, &[]));
    talk.opened();
    for bytes in [&b"{\"jsonrpc\":"[..], b"[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]", b"\xFF\xFE", b"{}\n{}\n"] {
        talk.order(Order::Raw(bytes.to_vec(), vec![("Content-Type".into(), "text/x-odd".into())]));
        let why = talk.until("the reaction", |it| match it {
            Happening::Told(Told::Stray { why, .. }) if why.contains("400") => Some(why.clone()),
            _ => None,
        });
        assert!(why.contains("HTTP 400"), "{why}");
        let sent = upstream.requests().into_iter().find(|it| it.body == bytes).expect("sent as it is");
        assert_eq!(sent.get("Content-Type"), "text/x-odd");
    }
    talk.stop();
}

#[test]
fn a_server_that_cannot_be_reached_or_asks_who_we_are_is_told_of() {
    let upstream = Upstream::answering(
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"x\"\r\nContent-Length: 2\r\n\r\nno",
    );
    let mut talk = Talk::start(url(&upstream, &[]));
    let (why, failed) = talk.closed();
    assert!(failed && why.contains("401") && why.contains("realm"), "{why}");
    talk.stop();
    let nobody = Way::Url { url: "http://127.0.0.1:1/mcp".into(), headers: Vec::new(), trust: Trust::default() };
    let mut talk = Talk::start(nobody);
    let (why, failed) = talk.closed();
    assert!(failed && why.contains("127.0.0.1:1"), "{why}");
    talk.stop();
}
