//! HTTP in the live view: rows of requests, streams that are open and silent, the tab's detail, the filter.

use midwire::engine::view::{HeadKind, RowKey, Status, View};
use midwire::model::{Flags, HttpEnd, Lifecycle, Side, Transport};

use super::tape::Tape;
use super::window::Window;

const STREAM: &str = "Content-Type: text/event-stream";
const NONE: Flags = Flags(0);

fn call(id: u32) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"slow"}}}}"#).into_bytes()
}

fn post(tape: &mut Tape, channel: u32, body: &[u8]) {
    tape.request(channel, Transport::HttpRequest);
    let session = "Mcp-Session-Id: k9";
    tape.head(Side::Client, NONE, &["POST /mcp HTTP/1.1", "Host: 127.0.0.1:1", "Accept: */*", session]);
    tape.body(Side::Client, body);
}

/// A session with everything that is not simply a call with its answer.
fn session(tape: &mut Tape) {
    // What concerns the tap as a whole is on no request's channel.
    tape.on = 0;
    tape.event(&Lifecycle::Listening { url: "http://127.0.0.1:1/mcp".to_owned() });
    post(tape, 1, &call(1));
    tape.head(Side::Server, NONE, &["HTTP/1.1 200 OK", "Content-Type: application/json"]);
    tape.body(Side::Server, br#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#);
    tape.request(2, Transport::HttpStream);
    tape.head(Side::Client, Flags::ENDS, &["GET /mcp HTTP/1.1", "Authorization: Bearer \u{2022}\u{2022}\u{2022}"]);
    tape.head(Side::Server, NONE, &["HTTP/1.1 200 OK", STREAM]);
    tape.sse(&["id: 1", "retry: 500", "data:"]);
    tape.sse(&["id: 2", r#"data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#]);
    tape.request(3, Transport::HttpRequest);
    tape.head(Side::Client, Flags::ENDS, &["GET /.well-known/oauth-protected-resource HTTP/1.1"]);
    tape.head(Side::Server, NONE, &["HTTP/1.1 404 Not Found", "Content-Type: text/html"]);
    tape.body(Side::Server, b"<p>no</p>");
    post(tape, 4, &call(2));
    tape.head(Side::Server, NONE, &["HTTP/1.1 200 OK", STREAM]);
}

#[test]
fn http_requests_have_rows_and_what_is_open_says_how_long_it_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::web(folder.path(), "web", "https://h.example/mcp");
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    tape.batch(session);
    window.settled("all read", |state| state.read == 15 && state.open == 2);
    let rows = window.rows();
    let find = |method: &str, subject: &str| {
        let found = rows.iter().find(|row| &*row.method == method && row.subject.contains(subject));
        found.unwrap_or_else(|| panic!("no row {method} {subject} in {rows:?}"))
    };
    let stream = find("GET", "/mcp");
    assert_eq!((&*stream.outcome, stream.status, stream.duration), ("open, 2 events", Status::None, None));
    assert_eq!(stream.going.map(|going| (going.events, going.awaited)), Some((2, false)));
    let missing = find("GET", "well-known");
    assert_eq!((&*missing.outcome, missing.status), ("404", Status::Error));
    assert!(missing.duration.is_some() && missing.going.is_none());
    let silent = rows.iter().rfind(|row| row.status == Status::Pending).expect("a call waits");
    assert_eq!(silent.going.map(|going| (going.events, going.awaited)), Some((0, true)));

    let (silent, stream) = (silent.key, stream.key);
    tape.batch(|tape| {
        tape.sse(&["event: message", r#"data: {"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#]);
        tape.event(&Lifecycle::HttpEnded { how: HttpEnd::Complete, why: String::new() });
        tape.on = 2;
        tape.event(&Lifecycle::HttpEnded { how: HttpEnd::ClientGone, why: "it was closed".to_owned() });
    });
    window.settled("both have ended", |state| state.open == 0 && state.read == 18);
    let rows = window.rows();
    let row = |key: RowKey| rows.iter().find(|row| row.key == key).expect("rows stay");
    assert_eq!((row(silent).status, row(silent).going), (Status::Ok, None));
    assert_eq!(&*row(stream).outcome, "stream, 2 events, client gone");
    assert!(row(stream).duration.is_some());
    let detail = window.inspect(silent);
    let answer = detail.answer.as_ref().expect("an answer");
    assert!(answer.payload().starts_with(b"{\"jsonrpc\"") && answer.bytes.starts_with(b"event: message\ndata: "));
    assert!(answer.pretty.is_some());
}

#[test]
fn messages_are_shown_by_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::web(folder.path(), "web", "https://h.example/mcp");
    tape.batch(session);
    let path = tape.close();
    let mut window = Window::on(folder.path());
    window.open(&path);
    window.settled("all read", |state| state.read == 15);
    window.show(View::Messages, "");
    let texts = window.texts();
    for text in [
        "POST /mcp",
        "200 OK  application/json",
        "GET /mcp",
        "200 OK  text/event-stream",
        "event id 1  retry 500 ms  no data",
        "notifications/tools/list_changed",
        "404 Not Found  text/html",
        "body <p>no</p>",
    ] {
        assert!(texts.iter().any(|row| row == text), "{text} is not in {texts:#?}");
    }
}

#[test]
fn the_detail_of_a_stream_has_its_heads_and_events() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::web(folder.path(), "web", "https://h.example/mcp");
    tape.batch(session);
    let path = tape.close();
    let mut window = Window::on(folder.path());
    window.open(&path);
    window.settled("all read", |state| state.read == 15);
    let rows = window.rows();
    let key = rows.iter().find(|row| &*row.method == "GET").expect("the stream").key;
    let detail = window.inspect(key);
    let http = detail.http.as_ref().expect("it came over HTTP");
    assert_eq!((http.channel, http.status, http.is_stream), (2, Some(200), true));
    assert_eq!(http.url.as_deref(), Some("https://h.example/mcp"));
    let kinds: Vec<HeadKind> = http.heads.iter().map(|head| head.kind).collect();
    assert_eq!(kinds, [HeadKind::Request, HeadKind::Response]);
    let secret = &http.heads[0].fields[0];
    assert!(secret.masked && secret.name == "Authorization", "{secret:?}");
    let events: Vec<_> = http.events.iter().map(|event| (event.id.as_deref(), event.retry, event.has_data)).collect();
    assert_eq!(events, [(Some("1"), Some(500), false), (Some("2"), None, true)]);
    let curl = http.curl.as_ref().expect("a command");
    assert!(curl.text.starts_with("curl -N 'https://h.example/mcp'"), "{}", curl.text);
    assert!(curl.text.contains("\"$TOKEN\"") && curl.notes.len() == 1, "{curl:?}");
}

#[test]
fn the_filter_asks_about_http() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::web(folder.path(), "web", "https://h.example/mcp");
    tape.batch(session);
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    window.settled("all read", |state| state.read == 15);
    for (filter, rows) in [
        ("status:404", 1),
        ("status:4*", 1),
        // Two calls, the stream, and the notification on it.
        ("status:200", 4),
        ("header:mcp-session-id", 2),
        ("header:\"content-type: text/html\"", 1),
        ("header:/^authorization:/", 1),
        ("session:k*", 2),
        ("channel:3", 1),
        ("channel:stream", 2),
        ("channel:stdio", 0),
        ("is:open", 2),
        ("is:stream", 3),
        ("is:pending is:open", 1),
    ] {
        window.show(View::Exchanges, filter);
        let texts = window.texts();
        assert_eq!(window.state.matching, rows, "{filter}: {texts:?}");
    }
    window.show(View::Exchanges, "is:open");
    tape.batch(|tape| tape.event(&Lifecycle::HttpEnded { how: HttpEnd::ServerGone, why: String::new() }));
    window.settled("what has ended is no longer open", |state| state.matching == 1);
}
