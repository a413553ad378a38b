//! How it ends when it does not end in order: who goes, and what the other side and the recording learn.

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::mpsc;

use midwire::model::HttpEnd;

use super::message::{Message, STREAM, chunk, json};
use super::recorded::{Asked, Recorded};
use super::socket::{End, Socket};
use super::tap::Tap;
use super::upstream::{Gate, Upstream};
use crate::tapped::{PATIENCE, kill};

/// A server that sends one event and waits for the end of its connection, which it tells.
fn one_event() -> (Upstream, mpsc::Receiver<End>) {
    let (tell, told) = mpsc::sync_channel(8);
    let upstream = Upstream::serve(move |mut socket, _| {
        if socket.request().is_some() {
            socket.send([STREAM.as_bytes(), &chunk("data: 1\n\n")].concat());
            // When the test is over, nobody wants to know.
            let _ = tell.send(socket.rest().1);
        }
    });
    (upstream, told)
}

/// A client that has seen that event.
fn listening(tap: &Tap) -> Socket {
    let mut client = tap.connect();
    client.send(tap.get("/mcp", &["Accept: text/event-stream"]));
    client.response_head("GET");
    assert_eq!(client.content(9), b"data: 1\n\n");
    client
}

fn ended(tap: &Tap) -> Asked {
    tap.shows("the end is recorded", |recorded| recorded.asked().into_iter().find(|asked| asked.how().is_some()))
}

#[test]
fn a_client_that_closes_or_resets_is_mirrored_upstream() {
    for resets in [false, true] {
        let (upstream, told) = one_event();
        let tap = Tap::on(&upstream);
        let client = listening(&tap);
        if resets {
            client.reset();
        } else {
            drop(client);
        }
        told.recv_timeout(PATIENCE).expect("the server learns that its client went");
        let asked = ended(&tap);
        assert_eq!((asked.how(), asked.events.len()), (Some(HttpEnd::ClientGone), 1), "{asked:?}");
    }
}

#[test]
fn a_client_that_leaves_before_the_answer_is_mirrored_upstream() {
    let (tell, told) = mpsc::sync_channel(1);
    let (asked_for, was_asked) = mpsc::sync_channel(1);
    let upstream = Upstream::serve(move |mut socket, _| {
        socket.request().expect("a request");
        asked_for.send(()).expect("waited for");
        let _ = tell.send(socket.rest().1);
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#));
    was_asked.recv_timeout(PATIENCE).expect("the request arrives");
    drop(client);
    told.recv_timeout(PATIENCE).expect("the server learns that its client went");
    assert_eq!(ended(&tap).how(), Some(HttpEnd::ClientGone));
    let recorded = tap.finish();
    assert_eq!(recorded.one().response, "", "nothing was invented");
}

#[test]
fn a_client_that_is_killed_is_mirrored_upstream() {
    let (upstream, told) = one_event();
    let tap = Tap::on(&upstream);
    let (host, port) = tap.host().split_once(':').expect("a port");
    let script = format!(
        "exec 3<>/dev/tcp/{host}/{port}; printf 'GET /mcp HTTP/1.1\\r\\nHost: {host}:{port}\\r\\n\\r\\n' >&3; exec cat <&3"
    );
    let mut client = Command::new("bash").args(["-c", &script]).stdout(Stdio::null()).spawn().expect("bash");
    tap.shows("the event", |recorded| recorded.asked().iter().any(|asked| asked.events.len() == 1).then_some(()));
    kill(client.id(), 9);
    client.wait().expect("a child");
    told.recv_timeout(PATIENCE).expect("the server learns that its client was killed");
    assert_eq!(ended(&tap).how(), Some(HttpEnd::ClientGone));
}

/// What a client sees, and what is recorded, of a server that sends `bytes` and goes.
fn cut_short(bytes: &[u8], resets: bool) -> (Vec<u8>, Asked) {
    let (bytes, gate) = (bytes.to_vec(), Gate::new());
    let pass = gate.clone();
    let upstream = Upstream::serve(move |mut socket, _| {
        if socket.request().is_some() {
            socket.send(&bytes);
            if resets {
                // The client has seen it all before the connection breaks.
                pass.pass();
                socket.reset();
            }
        }
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], "{}"));
    let mut seen = Vec::new();
    if resets {
        seen.extend(client.until(b"data: 1\n\n"));
        gate.open();
    }
    seen.extend(client.rest().0);
    let asked = tap.finish().asked().remove(0);
    (seen, asked)
}

#[test]
fn a_server_that_breaks_off_breaks_off_for_the_client() {
    let cases: [(Vec<u8>, &[u8]); 3] = [
        ([STREAM.as_bytes(), &chunk("data: 1\n\n")].concat(), b"data: 1\n\n"),
        ([STREAM.as_bytes(), b"9\r\ndata: "].concat(), b"data: "),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nonly this".to_vec(), b"only this"),
    ];
    for (sent, shown) in cases {
        let (seen, asked) = cut_short(&sent, false);
        assert!(seen.windows(shown.len()).any(|window| window == shown), "{:?}", String::from_utf8_lossy(&seen));
        assert!(!seen.ends_with(b"0\r\n\r\n"), "no end is invented: {:?}", String::from_utf8_lossy(&seen));
        assert_eq!(asked.how(), Some(HttpEnd::ServerGone), "{asked:?}");
        assert!(asked.said().contains(std::str::from_utf8(shown).expect("text")), "{asked:?}");
    }
}

#[test]
fn a_server_that_answers_nothing_is_told_as_a_bad_gateway_or_an_end() {
    let upstream = Upstream::serve(|mut socket, _| drop(socket.request()));
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
    let (seen, _) = client.rest();
    let seen = String::from_utf8_lossy(&seen);
    assert!(seen.is_empty() || seen.starts_with("HTTP/1.1 502 "), "{seen}");
    assert!(!seen.contains("-32"), "no code of JSON-RPC is made up: {seen}");
    let asked = tap.finish().one();
    let (how, why) = asked.ended.clone().expect("an end");
    assert!(matches!(how, HttpEnd::ServerGone | HttpEnd::Failed) && !why.is_empty(), "{asked:?}");
}

#[test]
fn a_server_that_is_not_there_gives_a_bad_gateway_that_names_the_step() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let tap = Tap::start(&["--url", &format!("http://{free}/mcp")]);
    let response = tap.ask(&tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
    assert_eq!(response.status(), 502, "{response:?}");
    assert!(response.said().contains(&free.to_string()) && response.said().contains("TCP"), "{response:?}");
    let asked = tap.finish().one();
    let (how, why) = asked.ended.expect("an end");
    assert!(how == HttpEnd::Failed && why.contains(&free.to_string()), "{why}");
}

#[test]
fn what_is_not_http_is_answered_and_recorded() {
    let upstream = Upstream::answering("SSH-2.0-OpenSSH_9.2\r\n\r\n");
    let tap = Tap::on(&upstream);
    let response = tap.ask(&tap.post("/mcp", &[], "{}"));
    assert_eq!(response.status(), 502, "{response:?}");
    let mut client = tap.connect();
    client.send("\x16\x03\x01\x02\x00garbage\r\n\r\n");
    let (seen, _) = client.rest();
    assert!(String::from_utf8_lossy(&seen).starts_with("HTTP/1.1 400 "), "{:?}", String::from_utf8_lossy(&seen));
    // And the tap lives on.
    assert_eq!(tap.ask(&tap.post("/mcp", &[], "{}")).status(), 502);
}

#[test]
fn idle_connections_close_when_the_server_closes_them() {
    let upstream = Upstream::serve(|mut socket, _| {
        socket.request().expect("a request");
        socket.send(json("{}"));
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], "{}"));
    assert_eq!(client.response().status(), 200);
    assert_eq!(client.rest(), (Vec::new(), End::Closed), "the server's idle time-out is the client's too");
    assert_eq!(tap.ask(&tap.post("/mcp", &[], "{}")).status(), 200, "another connection is made as before");
}

#[test]
fn a_stream_that_the_server_closes_at_once_is_not_reopened_by_the_tap() {
    let (tell, told) = mpsc::sync_channel(64);
    let upstream = Upstream::serve(move |mut socket, _| {
        while socket.request().is_some() {
            tell.send(()).expect("counted");
            socket.send([STREAM.as_bytes(), &chunk("retry: 5\n\n"), b"0\r\n\r\n"].concat());
        }
    });
    let tap = Tap::on(&upstream);
    for _ in 0..5 {
        let response = tap.ask(&tap.get("/mcp", &["Accept: text/event-stream", "Mcp-Session-Id: s"]));
        assert_eq!(response.said(), "retry: 5\n\n");
    }
    let asked = tap.finish().asked();
    drop(upstream);
    assert_eq!((told.iter().count(), asked.len()), (5, 5), "as often as the client asked, and no more");
    assert!(asked.iter().all(|one| one.how() == Some(HttpEnd::Complete)), "{asked:?}");
}

#[test]
fn a_silent_stream_is_seen_while_it_is_silent() {
    let (tell, told) = mpsc::sync_channel(1);
    let upstream = Upstream::serve(move |mut socket, _| {
        socket.request().expect("a request");
        socket.send(STREAM);
        let _ = tell.send(socket.rest().1);
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#));
    assert_eq!(client.response_head("POST").status(), 200);
    let silent = tap.shows("the head is recorded", |recorded| {
        recorded.trace.https().first().filter(|http| http.responded.is_some()).cloned()
    });
    assert_eq!((silent.status, silent.events, silent.is_open()), (Some(200), 0, true));
    drop(client);
    told.recv_timeout(PATIENCE).expect("the server learns that its client gave up");
    assert_eq!(ended(&tap).how(), Some(HttpEnd::ClientGone));
}

#[test]
fn a_killed_tap_leaves_what_it_saw_and_both_sides_learn_of_it() {
    let (upstream, told) = one_event();
    let tap = Tap::on(&upstream);
    let mut client = listening(&tap);
    tap.shows("the event is on disk", |recorded| {
        recorded.asked().first().filter(|one| one.events.len() == 1).map(drop)
    });
    let recorded = tap.killed();
    assert!(client.more().is_err(), "the client learns it");
    told.recv_timeout(PATIENCE).expect("and the server");
    assert_eq!((recorded.one().events, recorded.facts.ended), (vec!["data: 1\n\n".to_owned()], None));
}

#[test]
fn a_killed_server_is_learnt_of_and_what_it_said_is_kept() {
    // A second tap is the server that is killed: a process of its own.
    let (upstream, _told) = one_event();
    let server = Tap::on(&upstream);
    let tap = Tap::start(&["--url", server.url()]);
    let mut client = listening(&tap);
    server.killed();
    assert!(client.more().is_err(), "the client learns it");
    let asked = ended(&tap);
    assert_eq!((asked.how(), asked.events.len()), (Some(HttpEnd::ServerGone), 1), "{asked:?}");
}

#[test]
fn a_stopped_tap_closes_its_recording_with_what_was_open() {
    let (upstream, told) = one_event();
    let tap = Tap::on(&upstream);
    let mut client = listening(&tap);
    let recorded: Recorded = tap.finish();
    assert!(client.more().is_err());
    told.recv_timeout(PATIENCE).expect("the server learns it");
    let asked = recorded.one();
    assert_eq!((asked.how(), asked.events.len()), (Some(HttpEnd::Stopped), 1), "{asked:?}");
}

#[test]
fn a_reset_by_the_server_reaches_the_client() {
    let (seen, asked) = cut_short(&[STREAM.as_bytes(), &chunk("data: 1\n\n")].concat(), true);
    assert!(!String::from_utf8_lossy(&seen).contains("\r\n0\r\n"), "{seen:?}");
    assert_eq!((asked.how(), asked.events.len()), (Some(HttpEnd::ServerGone), 1), "{asked:?}");
}

#[test]
fn an_error_answer_is_only_an_answer() {
    let upstream = Upstream::replying(|request: &Message| {
        format!("HTTP/1.1 {} Odd\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<hr>", &request.target()[1..])
    });
    let tap = Tap::on(&upstream);
    for status in [400, 401, 403, 404, 405, 415, 429, 500, 502, 503, 599] {
        assert_eq!(tap.ask(&tap.post(&format!("/{status}"), &[], "{}")).status(), status);
    }
    assert!(tap.finish().asked().iter().all(|one| one.how() == Some(HttpEnd::Complete) && one.said() == "<hr>"));
}
