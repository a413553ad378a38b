//! `tap --stdio --url`: a host that speaks only stdio with a server that speaks only HTTP. What each gets
//! must be what the other sent, and the recording must hold the HTTP in between.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use midwire::model::{HttpEnd, Transport};

use super::bridged::{Bridged, GREETED, INITIALIZE, INITIALIZED, modern};
use super::message::{LAST, Message, STREAM, chunk, json};
use super::socket::Socket;
use super::upstream::{Gate, Upstream};

const TAKEN: &str = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
const NONE: &str = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n";

fn event(data: &str) -> Vec<u8> {
    chunk(format!("data: {data}\n\n"))
}

/// A server of one session: what the handshake and its end want; `answer` gives the rest.
fn in_session(request: &Message, session: &str, answer: impl FnOnce() -> String) -> String {
    match (request.method().as_str(), request.said()) {
        ("POST", said) if said == INITIALIZE => {
            json(GREETED).replacen("\r\n", &format!("\r\nMcp-Session-Id: {session}\r\n"), 1)
        }
        ("POST", said) if said == INITIALIZED => TAKEN.to_owned(),
        ("GET" | "DELETE", _) => NONE.to_owned(),
        _ => answer(),
    }
}

#[test]
fn requests_of_the_modern_era_go_as_they_are_with_the_fields_that_repeat_them() {
    let tools = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"weather","inputSchema":{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}}]}}"#;
    let upstream = Upstream::replying(move |request| {
        if request.get("Mcp-Method") == "tools/list" {
            json(tools)
        } else {
            json("{\n  \"jsonrpc\": \"2.0\", \"id\": 2,\r\n  \"result\": {\"n\": 1.0}}\n")
        }
    });
    let mut host = Bridged::to(&upstream.url("/mcp/?a=b"));
    assert_eq!(host.ask(&modern("1", "tools/list", "")), tools);
    let call = modern("2", "tools/call", r#""name":"weather","arguments":{"city":"Malmö","n":9007199254740993},"#);
    assert_eq!(host.ask(&call), "{   \"jsonrpc\": \"2.0\", \"id\": 2,    \"result\": {\"n\": 1.0}}");
    let left = host.finish();
    assert_eq!((left.code, &left.said[..], left.lines.len()), (Some(0), "", 0));
    let request = &upstream.requests()[1];
    assert_eq!(request.said(), call, "not a byte was changed");
    assert_eq!(request.target(), "/mcp/?a=b");
    let fields = ["Accept", "Content-Type", "MCP-Protocol-Version", "Mcp-Name", "Mcp-Param-City", "Mcp-Session-Id"];
    let told = fields.map(|name| request.get(name));
    let expected =
        ["application/json, text/event-stream", "application/json", "2026-07-28", "weather", "=?base64?TWFsbcO2?=", ""];
    assert_eq!(told, expected);
    let asked = left.recorded.asked();
    assert_eq!((asked.len(), asked[1].sent.as_slice()), (2, call.as_bytes()));
    assert!(asked.iter().all(|asked| asked.how() == Some(HttpEnd::Complete) && asked.changed.is_empty()), "{asked:?}");
    assert_eq!(left.recorded.facts.url, Some(upstream.url("/mcp/?a=b")));
    assert_eq!(left.recorded.facts.transport, Transport::HttpRequest);
}

#[test]
fn a_stream_is_read_as_it_comes_and_taking_a_request_back_closes_it() {
    let (gate, closed) = (Gate::new(), Gate::new());
    let (pass, open) = (gate.clone(), closed.clone());
    let upstream = Upstream::serve(move |mut socket, _| {
        socket.request().expect("a request");
        socket.send(STREAM);
        for number in 0..3 {
            socket.send(event(&format!(r#"{{"jsonrpc":"2.0","method":"x","params":{{"n":{number}}}}}"#)));
            pass.pass();
        }
        assert!(socket.rest().0.is_empty());
        open.open();
    });
    let mut host = Bridged::to(&upstream.url("/mcp"));
    host.say(&modern("\"a\"", "tools/call", r#""name":"x","#));
    for number in 0..3 {
        assert!(host.hears().contains(&format!(r#"{{"n":{number}}}"#)), "before the next is written");
        gate.open();
    }
    host.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#);
    closed.pass();
    let left = host.finish();
    assert_eq!((left.code, left.lines.len()), (Some(0), 0), "{}", left.said);
    let asked = left.recorded.one();
    assert_eq!((asked.events.len(), asked.how()), (3, Some(HttpEnd::ClientGone)), "{asked:?}");
}

#[test]
fn a_session_is_kept_and_ended_and_everything_that_the_server_says_arrives() {
    let custom = r#"{"jsonrpc":"2.0","method":"notifications/custom","params":{"_meta":{"x":[]}}}"#;
    let roots = r#"{"jsonrpc":"2.0","id":0,"method":"roots/list"}"#;
    let answered = Gate::new();
    let (answers, waits) = (answered.clone(), answered);
    let script = move |request: &Message, socket: &mut Socket| match request.method().as_str() {
        "GET" => {
            assert_eq!(request.get("Accept"), "text/event-stream");
            socket.send([STREAM.as_bytes(), &event(custom)].concat());
            // Open until the bridge is at its end.
            assert!(socket.rest().0.is_empty());
        }
        "DELETE" => socket.send(TAKEN),
        _ if request.said().contains("tools/call") => {
            socket.send([STREAM.as_bytes(), &event(roots)].concat());
            waits.pass();
            socket.send([event(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), LAST.into()].concat());
        }
        _ if request.said().contains("\"roots\"") => {
            answers.open();
            socket.send(TAKEN);
        }
        _ => socket.send(in_session(request, "s1", || TAKEN.to_owned())),
    };
    let seen: Arc<Mutex<Vec<Message>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            keep.lock().expect("whole").push(request.clone());
            script(&request, &mut socket);
        }
    });
    let mut host = Bridged::to(&upstream.url("/mcp"));
    assert_eq!(host.greet(), GREETED);
    assert_eq!(host.hears(), custom);
    assert_eq!(host.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#), roots);
    assert_eq!(
        host.ask(r#"{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}"#),
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#
    );
    let left = host.finish();
    assert_eq!((left.code, &left.said[..], left.lines.len()), (Some(0), "", 0));
    let seen = seen.lock().expect("whole");
    assert_eq!(seen[1].said(), INITIALIZED, "right behind the handshake");
    let later = seen.iter().skip(1).map(|request| (request.get("Mcp-Session-Id"), request.get("MCP-Protocol-Version")));
    assert!(later.into_iter().all(|told| told == ("s1".to_owned(), "2025-06-18".to_owned())));
    assert_eq!(seen.last().expect("requests").method(), "DELETE");
    let stream = left.recorded.channels.iter().filter(|channel| channel.transport == Transport::HttpStream).count();
    assert_eq!(stream, 1, "the standalone stream");
    let asked = left.recorded.asked();
    assert!(asked.iter().all(|asked| asked.how().is_some()), "each has its end: {asked:?}");
}

#[test]
fn a_forgotten_session_is_begun_again_and_the_request_repeated() {
    let sessions = AtomicU32::new(0);
    let upstream = Upstream::replying(move |request| {
        let is_new = request.said() == INITIALIZE;
        let session = format!("s{}", if is_new { sessions.fetch_add(1, Ordering::SeqCst) } else { 0 });
        in_session(request, &session, || match request.get("Mcp-Session-Id").as_str() {
            "s1" => json(r#"{"jsonrpc":"2.0","id":5,"result":{"again":true}}"#),
            _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 17\r\n\r\nSession not found".to_owned(),
        })
    });
    let mut host = Bridged::to(&upstream.url("/mcp"));
    host.greet();
    let call = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x"}}"#;
    assert_eq!(host.ask(call), r#"{"jsonrpc":"2.0","id":5,"result":{"again":true}}"#);
    let left = host.finish();
    assert!(left.said.contains("beginning a new one and repeating the request"), "{}", left.said);
    assert_eq!(left.lines.len(), 0, "the second handshake is not the host's");
    let again: Vec<_> = left.recorded.asked().into_iter().filter(|asked| !asked.changed.is_empty()).collect();
    assert_eq!((again.len(), &again[0].changed[0].0[..]), (1, "Mcp-Session-Id"));
    assert_eq!(again[0].sent, call.as_bytes());
}

#[test]
fn an_answer_that_broke_off_is_fetched_from_its_last_event() {
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            match request.get("Last-Event-ID").as_str() {
                "" if request.said().contains("tools/call") => {
                    socket.send([STREAM.as_bytes(), &chunk("id: a1\nretry: 10\ndata:\n\n"), LAST.as_bytes()].concat());
                }
                "a1" => socket.send(
                    [STREAM.as_bytes(), &event(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), LAST.as_bytes()].concat(),
                ),
                _ => socket.send(in_session(&request, "s1", || TAKEN.to_owned())),
            }
        }
    });
    let mut host = Bridged::to(&upstream.url("/mcp"));
    host.greet();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#;
    assert_eq!(host.ask(call), r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    let left = host.finish();
    assert_eq!((left.code, left.lines.len()), (Some(0), 0), "{}", left.said);
    assert!(left.recorded.channels.iter().any(|channel| channel.resumes.as_deref() == Some("a1")));
}

#[test]
fn the_old_transport_is_spoken_where_the_post_is_refused() {
    let (asked, answered) = (Gate::new(), Gate::new());
    let (tell, told) = (asked.clone(), asked);
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            match (request.method().as_str(), request.target().as_str()) {
                ("GET", "/sse") => {
                    let endpoint = chunk("event: endpoint\r\ndata: /messages?s=42\r\n\r\n");
                    socket.send([STREAM.as_bytes(), &endpoint].concat());
                    told.pass();
                    socket.send(chunk(format!("event: message\r\ndata: {GREETED}\r\n\r\n")));
                    answered.open();
                    assert!(socket.rest().0.is_empty());
                }
                ("POST", "/messages?s=42") if request.said() == INITIALIZE => {
                    tell.open();
                    socket.send("HTTP/1.1 202 Accepted\r\nContent-Length: 8\r\n\r\nAccepted");
                }
                ("POST", "/messages?s=42") => socket.send(TAKEN),
                _ => socket.send(NONE),
            }
        }
    });
    let mut host = Bridged::to(&upstream.url("/sse"));
    assert_eq!(host.greet(), GREETED);
    let left = host.finish();
    assert_eq!((left.code, &left.said[..], left.lines.len()), (Some(0), "", 0));
    assert!(left.recorded.channels.iter().any(|channel| channel.transport == Transport::HttpSse));
}

#[test]
fn what_is_no_answer_is_explained_and_credentials_are_sent_and_not_kept() {
    let upstream = Upstream::replying(|request| {
        if request.get("Authorization") == "Bearer t0p-s3cret" && request.get("X-Key") == "k3y" {
            return "HTTP/1.1 503 Busy\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>".to_owned();
        }
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"x\"\r\nContent-Length: 0\r\n\r\n".to_owned()
    });
    let mut host = Bridged::to(&upstream.url("/mcp"));
    let refused = host.ask(&modern("1", "tools/list", ""));
    assert!(refused.starts_with(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"midwire: "#), "{refused}");
    assert!(refused.contains("HTTP 401") && refused.contains("--bearer-env"), "{refused}");
    let left = host.finish();
    assert!(left.recorded.one().changed[0].0.starts_with("answer to 1"), "the recording says that it is ours");
    let words = ["--bearer-env", "TOKEN", "--header", "X-Key: k3y"];
    let mut host = Bridged::with(&upstream.url("/mcp"), &words, &[("TOKEN", "t0p-s3cret")]);
    let refused = host.ask(&modern("\"é\"", "tools/list", ""));
    assert!(
        refused.contains("\"id\":\"é\"") && refused.contains(r#""data":{"status":503,"body":"<html>"}"#),
        "{refused}"
    );
    let left = host.finish();
    assert!(left.recorded.holds("X-Key") && !left.recorded.holds("k3y") && !left.recorded.holds("t0p-s3cret"));
}

#[test]
fn a_server_that_is_not_there_is_told_with_the_step_and_the_host_may_go_on() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let mut host = Bridged::to(&format!("http://{gone}/mcp"));
    let refused = host.ask(&modern("1", "server/discover", ""));
    assert!(refused.contains("\"id\":1,\"error\"") && refused.contains("TCP"), "{refused}");
    let refused = host.ask(INITIALIZE);
    assert!(refused.contains("\"id\":0,\"error\"") && refused.contains("TCP"), "{refused}");
    host.say(r#"{"jsonrpc":"2.0","method":"notifications/custom"}"#);
    let left = host.finish();
    assert_eq!((left.code, left.lines.len()), (Some(0), 0));
    assert!(left.said.contains("did not take a message of the host"), "{}", left.said);
    assert!(left.recorded.asked().iter().all(|asked| asked.how() == Some(HttpEnd::Failed)));
}

#[test]
fn large_lines_pass_both_ways_whole() {
    let upstream = Upstream::replying(|request| {
        let size = request.body.len();
        json(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"size":{size},"x":"{}"}}}}"#, "y".repeat(24 << 20)))
    });
    let mut host = Bridged::to(&upstream.url("/mcp"));
    let call = modern("1", "tools/call", &format!(r#""name":"x","arguments":{{"a":"{}"}},"#, "z".repeat(6 << 20)));
    let answer = host.ask(&call);
    assert!(
        answer.contains(&format!(r#""size":{},"#, call.len())) && answer.len() > 24 << 20 && answer.ends_with("\"}}")
    );
    assert_eq!(host.finish().lines.len(), 0);
}

#[test]
fn a_signal_lets_what_runs_finish() {
    let (asked, gate) = (Gate::new(), Gate::new());
    let (tell, pass) = (asked.clone(), gate.clone());
    let upstream = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            if request.said().contains("tools/call") {
                tell.open();
                pass.pass();
                socket.send(json(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
            } else {
                socket.send(in_session(&request, "s1", || TAKEN.to_owned()));
            }
        }
    });
    let mut host = Bridged::to(&upstream.url("/mcp"));
    host.greet();
    host.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#);
    asked.pass();
    host.signal(15);
    gate.open();
    let left = host.ends();
    assert_eq!((left.code, left.lines.len()), (Some(0), 1), "{:?} {}", left.lines, left.said);
    assert!(left.recorded.asked().iter().any(|asked| asked.request.starts_with("DELETE ")));
}

#[test]
fn two_hosts_that_count_from_0_do_not_cross() {
    let upstream = Upstream::replying(|request| {
        let name = request.get("Mcp-Name");
        json(&format!(r#"{{"jsonrpc":"2.0","id":0,"result":{{"for":"{name}"}}}}"#))
    });
    let mut hosts = [Bridged::to(&upstream.url("/mcp")), Bridged::to(&upstream.url("/mcp"))];
    for (host, name) in hosts.iter_mut().zip(["one", "two"]) {
        host.say(&modern("0", "tools/call", &format!(r#""name":"{name}","#)));
    }
    for (host, name) in hosts.iter().zip(["one", "two"]) {
        assert!(host.hears().contains(&format!(r#""for":"{name}""#)));
    }
    assert!(hosts.into_iter().all(|host| host.finish().lines.is_empty()));
}

#[test]
fn what_cannot_be_begun_says_why() {
    let said = |words: &[&str]| super::tap::refused(words);
    let (code, why) = said(&["--stdio", "--url", "ftp://h/"]);
    assert!(code == 2 && why.contains("neither http nor https"), "{why}");
    let (code, why) = said(&["--stdio"]);
    assert!(code == 2 && why.contains("--url"), "{why}");
    let (code, why) = said(&["--stdio", "--url", "http://127.0.0.1:1/", "--listen", "127.0.0.1:0"]);
    assert!(code == 2 && why.contains("--listen is about listening"), "{why}");
}
