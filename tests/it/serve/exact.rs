//! What is done wrong on purpose, byte for byte, and that the recording is the wire.

use midwire::model::{HttpEnd, Role};
use midwire::peer::server::Step;

use super::stand::{Stand, answer, call, fixed, progress, result};
use crate::http::socket::End;

#[test]
fn a_response_is_what_the_plan_says() {
    let fields = vec![("Retry-After".to_owned(), "7".to_owned())];
    let respond = Step::Respond { status: 503, fields, body: fixed("<h1>no</h1>") };
    let change = |name: &str, value: Option<&str>| Step::Fields(vec![(name.to_owned(), value.map(str::to_owned))]);
    let stand = Stand::with(
        true,
        vec![
            ("respond", vec![respond]),
            ("typed", vec![change("Content-Type", Some("text/html")), change("X-A", Some("1")), result("a")]),
            ("long", vec![change("Content-Length", Some("9999")), result("a")]),
            ("bare", vec![change("Content-Length", None), result("a")]),
            ("raw", vec![Step::Raw(b"{\"jsonrpc\":"[..].into())]),
            ("cut", vec![progress(1), Step::Raw(b"data: {\"half"[..].into()), Step::Break]),
            ("gone", vec![Step::Break]),
            ("lose", vec![Step::LoseSession, result("a")]),
        ],
    );
    let session = stand.open("2025-06-18");
    let ask = |tool: &str| {
        let mut socket = stand.connect();
        socket.send(stand.post(&[&session], &call(1, tool)));
        let (bytes, end) = socket.rest();
        (String::from_utf8_lossy(&bytes).into_owned(), end)
    };
    let said = stand.ask(&[&session], &call(1, "respond"));
    assert_eq!((said.status(), said.get("retry-after").as_str(), said.said().as_str()), (503, "7", "<h1>no</h1>"));
    let typed = stand.ask(&[&session], &call(1, "typed"));
    let text = answer(1, "a");
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nX-A: 1\r\n\r\n", text.len());
    assert_eq!((typed.text(), typed.said()), (head, text.clone()));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    assert_eq!(ask("long"), (format!("{head}Content-Length: 9999\r\n\r\n{text}"), End::Closed));
    assert_eq!(ask("bare"), (format!("{head}\r\n{text}"), End::Closed));
    let raw = stand.ask(&[&session], &call(1, "raw"));
    assert_eq!((raw.status(), raw.said().as_str()), (200, "{\"jsonrpc\":"));
    let (cut, end) = ask("cut");
    assert!(cut.ends_with("data: {\"half\r\n") && end == End::Closed, "{cut:?} {end:?}");
    assert_eq!(ask("gone"), (String::new(), End::Closed));
    assert_eq!(stand.ask(&[&session], &call(1, "lose")).said(), text);
    assert_eq!(stand.ask(&[&session], &call(1, "raw")).status(), 404, "the session is known no more");
    let recorded = stand.end();
    let ends: Vec<HttpEnd> =
        recorded.asked().iter().filter_map(|asked| asked.ended.as_ref().map(|(how, _)| *how)).collect();
    assert_eq!(ends.iter().filter(|how| **how == HttpEnd::ServerGone).count(), 2, "{ends:?}");
}

#[test]
fn the_recording_is_the_wire() {
    let stand = Stand::start(vec![("two", vec![progress(1), result("b")])]);
    let session = stand.open("2025-11-25");
    let request = stand.post(&[&session, "MCP-Protocol-Version: 2025-11-25"], &call(9, "two"));
    let mut socket = stand.connect();
    socket.send(&request);
    let said = socket.response();
    let recorded = stand.end();
    assert_eq!(recorded.facts.role, Role::Server);
    assert_eq!(recorded.facts.name, "steps");
    let all = recorded.asked();
    let last = all.last().expect("requests");
    assert_eq!(format!("{}{}", last.request, String::from_utf8_lossy(&last.sent)), request);
    assert_eq!(last.response.as_bytes(), said.head);
    assert_eq!(last.events.concat(), said.said());
    assert!(last.complete && last.ended.is_none(), "{:?}", last.ended);
    let channel = recorded.channels.last().expect("channels");
    assert_eq!(channel.version.as_deref(), Some("2025-11-25"));
    assert_eq!(format!("Mcp-Session-Id: {}", channel.session.as_deref().unwrap_or_default()), session);
}
