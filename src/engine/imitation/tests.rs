//! What recordings are read to say of their clients and servers.

use super::{Original, of_frame, server};
use crate::engine::client::{Given, Way};
use crate::engine::record::secrets::MASK;
use crate::model::{Channel, Entry, EntryKind, Flags, Recording, Role, Side, Transport};
use crate::store::Writer;

/// Identity, capabilities, revision, and where they stood.
type Read = (Option<String>, Option<String>, Option<String>, String);

fn read(text: &str) -> Option<Read> {
    let found = of_frame(text.as_bytes(), 7)?;
    assert_eq!(found.seq, 7);
    Some((found.identity, found.capabilities, found.revision, found.source))
}

#[test]
fn a_client_says_who_it_is_in_either_era() {
    let some = |text: &str| Some(text.to_owned());
    let legacy = read(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
           "capabilities":{"x": {"y":1.0}},"clientInfo":{"name":"a", "version":"1"}}}"#,
    );
    let expected =
        (some(r#"{"name":"a", "version":"1"}"#), some(r#"{"x": {"y":1.0}}"#), some("2025-06-18"), "initialize".into());
    assert_eq!(legacy, Some(expected));
    let modern = read(
        r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
           "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"b"},
           "io.modelcontextprotocol/clientCapabilities":{}}}}]"#,
    );
    assert_eq!(modern, Some((some(r#"{"name":"b"}"#), some("{}"), some("2026-07-28"), "tools/list".into())));
}

#[test]
fn other_messages_say_nothing_of_it() {
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":1}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"clientInfo":{}}}"#,
        "banner",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

fn facts() -> Recording {
    Recording {
        name: "a".to_owned(),
        role: Role::Tap,
        transport: Transport::Stdio,
        command: Vec::new(),
        left_out: 0,
        url: None,
        directory: None,
        host: None,
        recorder: 1,
        program: "0.1.0".to_owned(),
        started: 1,
        ended: None,
        lost: 0,
    }
}

/// The server of a recording with these facts and heads of requests, asked for a request to this URL.
fn server_of(facts: &Recording, heads: &[&str], request: Option<&str>) -> Result<Original, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = Writer::create(&path, facts).unwrap();
    writer.begin().unwrap();
    writer.channel(&Channel { transport: Transport::HttpRequest, ..Channel::stdio(1) }).unwrap();
    for (seq, head) in (1..).zip(heads) {
        let bytes = format!("{}\n\n", head.trim_end()).replace('\n', "\r\n").into_bytes();
        let (side, kind, flags) = (Some(Side::Client), EntryKind::Head, Flags::default());
        let size = bytes.len() as u64;
        writer.insert(&Entry { seq, at: 1, until: 1, channel: 1, side, kind, flags, size, bytes }).unwrap();
    }
    writer.commit().unwrap();
    writer.close(2, 0).unwrap();
    server(&path, request)
}

fn places(original: &Original) -> Vec<(&str, &str)> {
    original.missing.iter().map(|it| (it.place.as_str(), it.shown.as_str())).collect()
}

/// URL and header fields.
fn http(original: &Original) -> (&str, Vec<(&str, &str)>) {
    let Way::Url { url, headers, .. } = &original.target.way else { panic!("{original:?} is no URL") };
    (url, headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect())
}

#[test]
fn a_server_on_stdio_is_its_command_and_what_was_left_out_is_named() {
    let secret = format!("--key={MASK}");
    let url = format!("https://{MASK}@h/?token={MASK}");
    let command = vec!["run".to_owned(), "a b".to_owned(), secret.clone(), url.clone(), String::new()];
    let gone = Some("/nowhere/at/all".to_owned());
    let original = server_of(&Recording { command: command.clone(), directory: gone, ..facts() }, &[], None).unwrap();
    assert_eq!(places(&original), [("argument 2", &*secret), ("argument 3", &*url), ("argument 3", &*url)]);
    // Nobody typed it here, so that consent is asked for.
    assert!(original.target.from.is_some_and(|from| from.contains("a.midwire")));
    let Way::Command { command: found, folder, .. } = original.target.way else { panic!("not a command") };
    assert_eq!(found, command);
    assert_eq!(folder, None, "a folder that is gone is not gone into");
    assert!(original.target.given == Given::default());
}

#[test]
fn a_server_on_stdio_runs_in_the_folder_of_its_recording() {
    let here = std::env::temp_dir();
    let directory = Some(here.to_string_lossy().into_owned());
    let original = server_of(&Recording { command: vec!["run".to_owned()], directory, ..facts() }, &[], None).unwrap();
    let Way::Command { folder, .. } = original.target.way else { panic!("not a command") };
    assert_eq!(folder, Some(here));
    assert!(original.missing.is_empty());
}

#[test]
fn a_server_on_http_is_its_url_with_the_fields_that_held_secrets() {
    let url = format!("https://h/mcp?api_key={MASK}");
    let facts = Recording { url: Some(url.clone()), ..facts() };
    let heads = [
        "POST /mcp HTTP/1.1\nHost: 127.0.0.1:1\nAccept: */*\nMcp-Session-Id: 1",
        "POST /mcp HTTP/1.1\nAUTHORIZATION: Bearer •••\nX-Api-Key: •••",
        "POST /mcp HTTP/1.1\nAuthorization: Bearer •••\nCookie: a=•••; b=•••",
    ];
    let original = server_of(&facts, &heads, Some("https://h/mcp?api_key=•••")).unwrap();
    let fields = vec![("AUTHORIZATION", "Bearer •••"), ("X-Api-Key", "•••"), ("Cookie", "a=•••; b=•••")];
    assert_eq!(http(&original), (&*url, fields));
    let expected = [
        ("the URL", &*url),
        ("the header field AUTHORIZATION", "Bearer •••"),
        ("the header field X-Api-Key", "•••"),
        ("the header field Cookie", "a=•••; b=•••"),
        ("the header field Cookie", "a=•••; b=•••"),
    ];
    assert_eq!(places(&original), expected);
}

#[test]
fn the_endpoint_is_where_requests_went_unless_that_is_known() {
    let request = Some("http://h:1/mcp");
    let post = "POST /mcp HTTP/1.1\nAccept: application/json, text/event-stream";
    let stream = "GET /sse HTTP/1.1\nAccept: text/event-stream";
    for (url, heads, expected) in [
        ("http://h:1/a", vec![post], "http://h:1/a"),
        ("http://h:1", vec![post], "http://h:1/mcp"),
        // HTTP+SSE: messages go where the stream says.
        ("http://h:1/", vec![stream, post], "http://h:1/sse"),
        // The stream of Streamable HTTP comes after a request.
        ("http://h:1/", vec![post, stream], "http://h:1/mcp"),
    ] {
        let original = server_of(&Recording { url: Some(url.to_owned()), ..facts() }, &heads, request).unwrap();
        assert_eq!(http(&original).0, expected, "{url} {heads:?}");
    }
}

#[test]
fn of_a_forward_proxy_only_the_host_of_the_request_counts() {
    let heads = [
        "POST http://other/mcp HTTP/1.1\nHost: h\nX-Other-Token: •••",
        "POST /elsewhere HTTP/1.1\nHost: h\nAuthorization: Bearer •••",
        "GET /x HTTP/1.1\nHost: other:2\nX-Api-Key: •••",
    ];
    let original = server_of(&facts(), &heads, Some("https://h/mcp")).unwrap();
    assert_eq!(http(&original), ("https://h/mcp", vec![("Authorization", "Bearer •••")]));
    assert!(original.target.name.is_empty(), "the recording is not called after one server");
}

#[test]
fn a_recording_without_command_or_url_has_no_server_to_connect_to() {
    let why = server_of(&facts(), &[], None).unwrap_err();
    assert!(why.contains("neither a command nor a URL"), "{why}");
}
