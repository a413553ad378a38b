//! Server-sent events: each leaves when it comes, whatever its line ends and wherever it is cut, and each is
//! an entry with a time of its own.

use midwire::model::EntryKind;

use super::message::{LAST, Message, STREAM, chunk};
use super::tap::Tap;
use super::upstream::{Gate, Upstream};

#[test]
fn each_event_arrives_before_the_next_is_written() {
    let gate = Gate::new();
    let pass = gate.clone();
    let upstream = Upstream::serve(move |mut socket, _| {
        socket.request().expect("a request");
        socket.send(STREAM);
        for number in 0..20 {
            socket.send(chunk(event(number)));
            pass.pass();
        }
        socket.send(LAST);
        assert!(socket.request().is_none(), "no more is asked");
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#));
    client.response_head("POST");
    for number in 0..20 {
        assert_eq!(client.content(event(number).len()), event(number).as_bytes());
        gate.open();
    }
    assert_eq!(client.more(), Ok(None));
    drop(client);
    let asked = tap.finish().one();
    assert_eq!(asked.events, (0..20).map(event).collect::<Vec<_>>());
    let times = asked.entries.iter().filter(|entry| entry.kind == EntryKind::Event).map(|entry| entry.at);
    assert!(times.collect::<Vec<_>>().windows(2).all(|pair| pair[0] < pair[1]), "each has its own time");
    assert!(asked.complete, "{asked:?}");
}

/// Twenty bytes.
fn event(number: u32) -> String {
    format!("data: {{\"n\":  {number:>5}}}\n\n")
}

#[test]
fn the_head_of_a_stream_arrives_before_any_event() {
    let gate = Gate::new();
    let pass = gate.clone();
    let upstream = Upstream::serve(move |mut socket, _| {
        socket.request().expect("a request");
        socket.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Accel-Buffering: no\r\n\r\n");
        pass.pass();
        socket.send(": the first thing is a comment\n");
        pass.pass();
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.get("/mcp", &["Accept: text/event-stream"]));
    let head = client.response_head("GET");
    assert_eq!((head.status(), head.get("X-Accel-Buffering").as_str()), (200, "no"));
    gate.open();
    let comment = b": the first thing is a comment\n";
    assert_eq!(client.content(comment.len()), comment, "half an event leaves too");
    gate.open();
}

/// The stream of the tests below in the three line ends: a priming event, a comment, a message over two lines
/// of data with characters of several bytes, and a message without an event's name or a space.
fn stream(end: &str) -> String {
    [
        "id: 0\nretry: 10\ndata:\n\n",
        ": ping\n\n",
        "event: message\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/é✓\",\ndata: \"params\":{}}\n\n",
        "data:{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n",
    ]
    .concat()
    .replace('\n', end)
}

#[test]
fn a_stream_may_be_cut_at_every_byte() {
    let gate = Gate::new();
    let pass = gate.clone();
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            let (end, at) = cut(&request);
            let stream = stream(end);
            let (first, second) = stream.as_bytes().split_at(at);
            socket.send([STREAM.as_bytes(), &chunk(first)].concat());
            pass.pass();
            socket.send([&chunk(second)[..], LAST.as_bytes()].concat());
        }
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    let ends = [("lf", "\n"), ("crlf", "\r\n"), ("cr", "\r")];
    for (name, end) in ends {
        for at in 1..stream(end).len() {
            client.send(tap.post(&format!("/mcp?{name}={at}"), &[], r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#));
            client.response_head("POST");
            let mut all = client.content(at);
            gate.open();
            while let Some(more) = client.more().expect("more comes") {
                all.extend(more);
            }
            client.trailers();
            assert_eq!(String::from_utf8_lossy(&all), stream(end), "{name} cut at {at}");
        }
    }
    drop(client);
    let recorded = tap.finish();
    let mut asked = recorded.asked().into_iter();
    for (name, end) in ends {
        let whole = stream(end);
        let separator = format!("{end}{end}");
        let events: Vec<String> = whole.split_inclusive(&separator).map(str::to_owned).collect();
        assert_eq!(events.len(), 4);
        for at in 1..whole.len() {
            let one = asked.next().expect("as many as were asked");
            assert_eq!(one.events, events, "{name} cut at {at}");
            assert!(one.complete, "{name} cut at {at}: {one:?}");
        }
    }
    let exchanges = recorded.trace.exchanges();
    assert!(exchanges.iter().all(|exchange| exchange.answer.is_some() && exchange.attached.len() == 1), "understood");
}

fn cut(request: &Message) -> (&'static str, usize) {
    let target = request.target();
    let (name, at) = target.trim_start_matches("/mcp?").split_once('=').expect("where to cut");
    let end = match name {
        "lf" => "\n",
        "crlf" => "\r\n",
        _ => "\r",
    };
    (end, at.parse().expect("a number"))
}

#[test]
fn what_servers_write_into_events_is_kept_and_understood() {
    let written = [
        "\u{feff}: a BOM comes first\n\n",
        "event: message\nid: a\u{e9}\nretry: 3000\ndata: {\ndata:   \"jsonrpc\": \"2.0\",\ndata:   \"id\": 1,\ndata:\ndata:   \"result\": {}\ndata: }\n\n",
        "unknown: field\ndata\n\n",
        "data: not JSON at all\n\n",
        "event: custom\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/custom\"}\n\n",
        ":\n",
    ];
    let all = written.concat();
    let upstream = Upstream::serve(move |mut socket, _| {
        socket.request().expect("a request");
        socket.send([STREAM.as_bytes(), &chunk(&all), LAST.as_bytes()].concat());
    });
    let tap = Tap::on(&upstream);
    let response = tap.ask(&tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#));
    assert_eq!(response.said(), written.concat());
    let recorded = tap.finish();
    assert_eq!(recorded.one().events, written);
    assert!(recorded.trace.exchanges()[0].answer.is_some(), "JSON over several lines of data is one message");
}

#[test]
fn notifications_of_every_kind_and_unknown_members_arrive() {
    let kinds = [
        "progress",
        "message",
        "cancelled",
        "tools/list_changed",
        "prompts/list_changed",
        "resources/list_changed",
        "resources/updated",
        "elicitation/complete",
        "tasks/status",
        "subscriptions/acknowledged",
        "custom",
    ];
    let told: String = kinds
        .iter()
        .map(|kind| {
            format!("data: {{\"jsonrpc\":\"2.0\",\"foo\":1,\"method\":\"notifications/{kind}\",\"params\":{{\"_meta\":{{\"x\":1e400}}}}}}\n\n")
        })
        .collect();
    let end = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"_meta\":{\"y\":1.0},\"n\":1915883588174806058},\"bar\":2}\n\n";
    let stream = told + end;
    let answer = [STREAM.as_bytes(), &chunk(&stream), LAST.as_bytes()].concat();
    let upstream = Upstream::answering(answer);
    let tap = Tap::on(&upstream);
    let body = r#"{"foo":1,"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"x":1,"progressToken":"ü"},"n":2512292042121000001,"n":1e400}}"#;
    let response = tap.ask(&tap.post("/mcp", &[], body));
    assert_eq!((response.said(), upstream.request().said()), (stream.clone(), body.to_owned()));
    let asked = tap.finish().one();
    assert_eq!((asked.events.len(), asked.events.concat(), asked.sent), (kinds.len() + 1, stream, body.into()));
}

#[test]
fn a_stream_is_resumed_by_the_client_with_its_own_words() {
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            let from: u32 = request.get("Last-Event-ID").parse().unwrap_or(0);
            socket.send(STREAM);
            for id in from + 1..=from + 3 {
                socket.send(chunk(format!(
                    "id: {id}\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{id}\"}}\n\n"
                )));
            }
            if from == 0 {
                return;
            }
            socket.send(LAST);
        }
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.get("/mcp", &["Accept: text/event-stream", "Mcp-Session-Id: s"]));
    client.response_head("GET");
    while client.more().is_ok() {}
    let resumed = tap.ask(&tap.get("/mcp", &["Accept: text/event-stream", "Mcp-Session-Id: s", "Last-Event-ID: 3"]));
    assert!(resumed.said().starts_with("id: 4\n"), "{resumed:?}");
    let recorded = tap.finish();
    let asked = recorded.asked();
    assert_eq!((asked[0].events.len(), asked[1].events.len()), (3, 3), "{asked:?}");
    assert!(!asked[0].complete && asked[1].complete, "the first was cut");
    let resumes: Vec<_> = recorded.channels.iter().filter_map(|channel| channel.resumes.clone()).collect();
    assert_eq!(resumes, ["3"]);
}
