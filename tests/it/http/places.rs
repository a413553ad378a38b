//! Addresses in answers: the endpoint of HTTP+SSE, redirects. What would lead a client past the tap is
//! made to lead through it, or said.

use super::message::{LAST, Message, STREAM, chunk};
use super::tap::Tap;
use super::upstream::{Gate, Upstream};

/// A server of HTTP+SSE that names its endpoint in these bytes, and to whose POSTs the stream answers.
/// `AT` in them stands for its own address.
fn sse_server(endpoint: &str) -> Upstream {
    let (gate, endpoint) = (Gate::new(), endpoint.to_owned());
    Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            if request.method() == "GET" {
                let endpoint = endpoint.replace("AT", &request.get("Host"));
                socket.send([STREAM.as_bytes(), &chunk(endpoint)].concat());
                gate.pass();
                let answer = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
                socket.send([&chunk(answer), LAST.as_bytes()].concat());
            } else {
                let target = request.target();
                let head = "HTTP/1.1 202 Accepted\r\nContent-Type: text/plain\r\n";
                socket.send(format!("{head}Content-Length: {}\r\n\r\n{target}", target.len()));
                gate.open();
            }
        }
    })
}

#[test]
fn the_endpoint_of_http_sse_leads_through_the_tap_in_every_form() {
    // What the server says, what the client must be told, where its POST must arrive.
    let forms = [
        (
            "event: endpoint\ndata: /messages?session_id=a%20b&x=1\n\n",
            "/messages?session_id=a%20b&x=1",
            "/messages?session_id=a%20b&x=1",
        ),
        ("event: endpoint\r\ndata: /messages/\r\n\r\n", "/messages/", "/messages/"),
        ("event:endpoint\ndata:messages?s=1\n\n", "messages?s=1", "/base/messages?s=1"),
        ("event: endpoint\ndata: ?s=1\n\n", "?s=1", "/base/sse?s=1"),
        ("event: endpoint\ndata: http://AT/messages?s=1\n\n", "http://TAP/messages?s=1", "/messages?s=1"),
        (": hello\n\ndata: HTTP://AT/m\nevent: endpoint\n\n", "http://TAP/m", "/m"),
        ("event: endpoint\ndata: //AT/m?s=1\n\n", "TAP/m?s=1", "/m?s=1"),
    ];
    for (said, told, arrives) in forms {
        let upstream = sse_server(said);
        let tap = Tap::start(&["--url", &upstream.url("/base/sse")]);
        let mut stream = tap.connect();
        stream.send(tap.get("/base/sse", &["Accept: text/event-stream"]));
        stream.response_head("GET");
        let mut event = String::new();
        while !event.contains("\n\n") && !event.contains("\r\n\r\n") || !event.contains("data") {
            event += &String::from_utf8(stream.content(1)).expect("text");
        }
        let line = event.lines().find(|line| line.starts_with("data:")).expect("data");
        let uri = line.trim_start_matches("data:").trim();
        assert!(uri.ends_with(&told.replace("TAP", tap.host())), "{said:?} became {event:?}");
        assert!(!event.contains(&upstream.address.to_string()), "{event:?} leads past the tap");
        // As a client does: resolved against the URL of the stream.
        let url = url::Url::parse(tap.url()).and_then(|base| base.join(uri)).expect("a URL");
        assert_eq!(format!("{}:{}", url.host_str().unwrap_or_default(), url.port().unwrap_or_default()), tap.host());
        let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let posted = tap.ask(&tap.post(target, &[], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
        assert_eq!((posted.status(), posted.said().as_str()), (202, arrives), "{said:?}");
        let answer = String::from_utf8(stream.content(1)).expect("text");
        assert!(answer.contains(r#""id":1"#), "the answer comes on the stream: {answer:?}");
        drop(stream);
        let recorded = tap.finish();
        let exchanges = recorded.trace.exchanges();
        assert_eq!(exchanges.len(), 1, "{said:?}");
        assert!(exchanges[0].answer.is_some(), "the POST is answered on the other channel: {said:?}");
        let changed = &recorded.asked()[0].changed;
        assert_eq!(
            changed.iter().filter(|(what, _)| what == "endpoint").count(),
            usize::from(told.contains("TAP")),
            "{changed:?}"
        );
    }
}

#[test]
fn an_endpoint_event_may_be_cut_at_every_byte() {
    let upstream = Upstream::serve(|mut socket, _| {
        while let Some(request) = socket.request() {
            let at: usize = request.target().rsplit('=').next().and_then(|at| at.parse().ok()).expect("a number");
            let said = endpoint(&request.get("Host"));
            let (first, second) = said.as_bytes().split_at(at);
            socket.send([STREAM.as_bytes(), &chunk(first)].concat());
            std::thread::sleep(std::time::Duration::from_millis(1));
            socket.send([&chunk(second), LAST.as_bytes()].concat());
        }
    });
    let tap = Tap::start(&["--url", &upstream.url("/sse")]);
    let mut client = tap.connect();
    for at in 1..endpoint(&upstream.address.to_string()).len() {
        client.send(tap.get(&format!("/sse?at={at}"), &["Accept: text/event-stream"]));
        assert_eq!(client.response_to("GET").said(), endpoint(tap.host()), "cut at {at}");
    }
}

fn endpoint(host: &str) -> String {
    format!("event: endpoint\r\ndata: http://{host}/messages?s=1\r\n\r\nevent: message\r\ndata: {{\"é\":1}}\r\n\r\n")
}

#[test]
fn an_endpoint_elsewhere_is_left_alone_and_said() {
    let upstream = sse_server("event: endpoint\ndata: http://elsewhere.test/messages\n\n");
    let tap = Tap::start(&["--url", &upstream.url("/sse")]);
    let mut stream = tap.connect();
    stream.send(tap.get("/sse", &["Accept: text/event-stream"]));
    stream.response_head("GET");
    assert_eq!(stream.content(1), b"event: endpoint\ndata: http://elsewhere.test/messages\n\n");
    tap.ask(&tap.post("/x", &[], "{}"));
    drop(stream);
    let recorded = tap.finish();
    assert!(
        recorded.asked()[0].changed.iter().any(|(what, _)| what == "endpoint"),
        "{:?}",
        recorded.asked()[0].changed
    );
}

#[test]
fn redirects_lead_through_the_tap_or_are_said_and_never_followed() {
    let upstream = Upstream::replying(|request: &Message| {
        let location = match request.target().as_str() {
            "/inside" => format!("http://{}/login?next=/mcp#x", request.get("Host")),
            "/relative" => "../other?x=1".to_owned(),
            "/bare" => format!("//{}/a", request.get("Host")),
            "/outside" => "https://login.example.com/authorize?redirect_uri=http%3A%2F%2Fa".to_owned(),
            other => panic!("somebody followed to {other}"),
        };
        format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {location}\r\nContent-Length: 0\r\n\r\n")
    });
    let tap = Tap::on(&upstream);
    let there = |path: &str| {
        let response = tap.ask(&tap.get(path, &[]));
        assert_eq!((response.status(), response.names()[0].as_str()), (307, "location"));
        response.get("Location")
    };
    assert_eq!(there("/inside"), format!("http://{}/login?next=/mcp#x", tap.host()));
    assert_eq!(there("/relative"), "../other?x=1");
    assert!(there("/bare").ends_with(&format!("{}/a", tap.host())));
    assert_eq!(there("/outside"), "https://login.example.com/authorize?redirect_uri=http%3A%2F%2Fa");
    assert_eq!(upstream.requests().len(), 4);
    let asked = tap.finish().asked();
    let changed: Vec<usize> = asked.iter().map(|one| one.changed.len()).collect();
    assert_eq!(changed, [1, 0, 1, 1], "what was changed, and what leads past the tap, is recorded: {asked:?}");
}
