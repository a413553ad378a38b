//! What streams and sessions over HTTP do that they should not: say nothing, close at once, break off, are forgotten
//! again and again, are no MCP (reports.md 2 and 4).

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use midwire::engine::client::Happening;
use midwire::peer::client::{EraChoice, Outcome, Settings, Told};

use super::server::{Heard, at, text};
use super::session::Talk;
use crate::http::message::{LAST, Message, STREAM, chunk, json};
use crate::http::socket::Socket;
use crate::http::upstream::{Gate, Upstream};
use crate::tapped::until;

const TAKEN: &str = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
const NONE: &str = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n";

fn legacy() -> Settings {
    Settings { era: EraChoice::Legacy, ..Settings::default() }
}

/// A server of the legacy era with sessions: the handshake begins the session that `session` names; `script` takes
/// what else comes, and says whether it did.
fn sessions(
    session: impl Fn() -> String + Send + Sync + 'static,
    script: impl Fn(&Message, &mut Socket) -> bool + Send + Sync + 'static,
) -> Upstream {
    Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            if script(&request, &mut socket) {
                continue;
            }
            let heard = Heard(request.said());
            if request.method() != "POST" {
                socket.send(NONE);
            } else if heard.method() == "initialize" {
                let members = r#""protocolVersion":"2025-11-25","capabilities":{}"#;
                let greeted =
                    json(&heard.result(&format!(r#"{{{members},"serverInfo":{{"name":"s","version":"1"}}}}"#)));
                socket.send(greeted.replacen("\r\n", &format!("\r\nMcp-Session-Id: {}\r\n", session()), 1));
            } else if heard.id().is_empty() {
                socket.send(TAKEN);
            } else {
                socket.send(json(&heard.result("{}")));
            }
        }
    })
}

/// T-19: headers, and then nothing.
#[test]
fn a_stream_that_says_nothing_is_given_up_by_closing_it() {
    let closed = Gate::new();
    let open = closed.clone();
    let server = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            let heard = Heard(request.said());
            if heard.method() == "server/discover" {
                socket.send(json(&heard.result(r#"{"supportedVersions":["2026-07-28"],"capabilities":{}}"#)));
                continue;
            }
            socket.send(STREAM);
            assert!(socket.rest().0.is_empty());
            open.open();
            return;
        }
    });
    let settings = Settings { patience: Some(300_000_000), ..Settings::default() };
    let mut talk = Talk::open(at(&server.url("/mcp")), settings);
    let call = talk.ask("tools/list", "");
    let outcome = talk.ended(call);
    assert!(matches!(&outcome, Outcome::TimedOut(why) if why.contains("0.3 s")), "{outcome:?}");
    closed.pass();
    talk.end();
}

/// T-46.
#[test]
fn a_stream_that_closes_at_once_is_not_hammered_and_retry_is_honoured() {
    let seen: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let server = sessions(
        || "s1".to_owned(),
        move |request, socket| {
            let is_stream = request.method() == "GET";
            if is_stream {
                keep.lock().expect("whole").push(Instant::now());
                socket.send([STREAM.as_bytes(), &chunk("id: e\nretry: 400\ndata:\n\n"), LAST.as_bytes()].concat());
            }
            is_stream
        },
    );
    let mut talk = Talk::open(at(&server.url("/mcp")), legacy());
    until("it comes again", || {
        let call = talk.ask("ping", "");
        assert_eq!(talk.result(call), "{}", "calls go on meanwhile");
        (seen.lock().expect("whole").len() > 2).then_some(())
    });
    talk.end();
    let seen = seen.lock().expect("whole");
    for pair in seen.windows(2) {
        assert!(pair[1] - pair[0] >= Duration::from_millis(390), "retry: 400 and no sooner: {:?}", pair[1] - pair[0]);
    }
}

/// T-46: a stream that names no new event and closes is opened only so often, and what is asked goes on.
#[test]
fn a_stream_that_is_always_in_vain_is_given_up_and_said_so() {
    let opened = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&opened);
    let server = sessions(
        || "s1".to_owned(),
        move |request, socket| {
            let is_stream = request.method() == "GET";
            if is_stream {
                count.fetch_add(1, Ordering::SeqCst);
                socket.send([STREAM.as_bytes(), &chunk("retry: 0\nid: same\ndata:\n\n"), LAST.as_bytes()].concat());
            }
            is_stream
        },
    );
    let mut talk = Talk::open(at(&server.url("/mcp")), legacy());
    let gives_up = |told: &Happening| match told {
        Happening::Told(Told::Link(what)) => what.contains("8 times in vain").then_some(()),
        _ => None,
    };
    talk.until("it is given up", gives_up);
    let call = talk.ask("ping", "");
    assert_eq!(talk.result(call), "{}", "calls go on");
    // The first one named an event, so it was not in vain.
    assert_eq!(opened.load(Ordering::SeqCst), 9);
    talk.end();
}

/// T-48, where it is of no use: a server that forgets each session at once.
#[test]
fn a_server_that_forgets_every_session_does_not_hold_us_for_ever() {
    let begun = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&begun);
    let server = sessions(
        move || format!("s{}", count.fetch_add(1, Ordering::SeqCst)),
        |request, socket| {
            let is_call = request.said().contains("tools/call");
            if is_call {
                socket.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            }
            is_call
        },
    );
    let mut talk = Talk::open(at(&server.url("/mcp")), legacy());
    let call = talk.ask("tools/call", r#"{"name":"x"}"#);
    let outcome = talk.ended(call);
    assert!(matches!(outcome, Outcome::Http { status: Some(404), .. }), "{outcome:?}");
    assert!(begun.load(Ordering::SeqCst) <= 3, "it was begun {begun:?} times");
    talk.end();
}

/// A server whose answer comes in events `e1` … `e3`, cut off behind the second one, and then on a stream that resumes.
fn resuming() -> (Upstream, Arc<Mutex<Vec<String>>>) {
    let resumed: Arc<Mutex<Vec<String>>> = Arc::default();
    let keep = Arc::clone(&resumed);
    let id: Mutex<Option<Heard>> = Mutex::default();
    let event = |number: u32, data: &str| chunk(format!("id: e{number}\nretry: 20\ndata: {data}\n\n"));
    let server = Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            let heard = Heard(request.said());
            match (request.method().as_str(), request.get("Last-Event-ID")) {
                ("GET", last) if !last.is_empty() => {
                    keep.lock().expect("whole").push(last);
                    let call = id.lock().expect("whole").clone().expect("a call");
                    let rest = event(3, &call.result(r#"{"whole":true}"#));
                    socket.send([STREAM.as_bytes(), &rest, LAST.as_bytes()].concat());
                }
                ("POST", _) if heard.method() == "tools/call" => {
                    *id.lock().expect("whole") = Some(heard.clone());
                    let first = [event(1, &heard.progress("1")), event(2, &heard.progress("2"))].concat();
                    socket.send([STREAM.as_bytes(), &first].concat());
                    return socket.reset();
                }
                ("POST", _) if heard.method() == "initialize" => {
                    let members = r#""protocolVersion":"2025-11-25","capabilities":{}"#;
                    let greeted = format!(r#"{{{members},"serverInfo":{{"name":"s","version":"1"}}}}"#);
                    socket.send(json(&heard.result(&greeted)).replacen("\r\n", "\r\nMcp-Session-Id: s1\r\n", 1));
                }
                ("POST", _) => socket.send(TAKEN),
                _ => socket.send(NONE),
            }
        }
    });
    (server, resumed)
}

/// T-50: the stream breaks.
#[test]
fn an_answer_that_broke_off_is_resumed_behind_its_last_event() {
    let (server, resumed) = resuming();
    let mut talk = Talk::open(at(&server.url("/mcp")), legacy());
    let call = talk.ask("tools/call", r#"{"name":"x"}"#);
    assert_eq!(talk.result(call), r#"{"whole":true}"#);
    assert_eq!(*resumed.lock().expect("whole"), ["e2"]);
    talk.end();
}

/// T-50: the stream is broken on purpose.
#[test]
fn a_call_that_is_no_answer_shows_status_and_body() {
    let busy = Upstream::replying(|request: &Message| {
        let heard = Heard(request.said());
        if heard.method() == "server/discover" {
            return json(&heard.result(r#"{"supportedVersions":["2026-07-28"],"capabilities":{}}"#));
        }
        "HTTP/1.1 503 Busy\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>".to_owned()
    });
    let mut talk = Talk::open(at(&busy.url("/mcp")), Settings::default());
    let call = talk.ask("tools/list", "");
    let outcome = talk.ended(call);
    let Outcome::Http { status: Some(503), body, .. } = &outcome else { panic!("{outcome:?}") };
    assert_eq!(text(body), "<html>");
    talk.end();
}
