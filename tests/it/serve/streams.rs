//! Streams: what belongs to no request, coming back with Last-Event-ID, HTTP+SSE, and clients that go.

use midwire::peer::server::{Kind, Order, Step};

use super::stand::{Stand, answer, call, progress, result, wait};
use crate::http::message;
use crate::tapped::until;

const ACCEPT: &str = "Accept: text/event-stream";

#[test]
fn what_belongs_to_no_request_waits_for_a_stream_and_goes_to_one() {
    let stand = Stand::start(Vec::new());
    let session = stand.open("2025-06-18");
    assert!(stand.running().order(Order::Changed(Kind::Tools)));
    let mut one = stand.connect();
    one.send(stand.get(&[&session, ACCEPT]));
    assert_eq!(one.response_head("GET").get("content-type"), "text/event-stream");
    let changed = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
    assert!(String::from_utf8_lossy(&one.until(b"\n\n")).ends_with(changed), "it had waited");
    let mut two = stand.connect();
    two.send(stand.get(&[&session, ACCEPT]));
    two.response_head("GET");
    stand.running().order(Order::Changed(Kind::Tools));
    assert!(String::from_utf8_lossy(&one.until(b"\n\n")).ends_with(changed));
    stand.running().stop();
    let rest = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    assert!(!rest(two.rest().0).contains("list_changed"), "each message goes to one stream (HL-013)");
}

#[test]
fn a_stream_is_closed_in_order_and_gone_on_with() {
    let steps = vec![progress(1), Step::Close, wait(50), progress(2), result("late")];
    let stand = Stand::start(vec![("slow", steps)]);
    let session = stand.open("2025-11-25");
    let first = stand.ask(&[&session], &call(4, "slow")).said();
    let events: Vec<&str> = first.split_terminator("\n\n").collect();
    let [priming, progress] = events[..] else { panic!("{first}") };
    let id = priming.lines().next().and_then(|line| line.strip_prefix("id: ")).expect("an id");
    assert_eq!(priming, format!("id: {id}\nretry: 500\ndata: "), "HL-017, HL-018");
    assert!(progress.contains("\"progress\":1"), "{progress}");
    let last = progress.lines().next().and_then(|line| line.strip_prefix("id: ")).expect("an id").to_owned();
    let mut socket = stand.connect();
    socket.send(stand.get(&[&session, ACCEPT, &format!("Last-Event-ID: {last}")]));
    let rest = socket.response_to("GET").said();
    assert!(!rest.contains("\"progress\":1") && rest.contains("\"progress\":2"), "only what was missed: {rest}");
    assert!(rest.ends_with(&format!("data: {}\n\n", answer(4, "late"))), "{rest}");
    // Again, from the priming event: all of it, and at once.
    socket.send(stand.get(&[&session, ACCEPT, &format!("Last-Event-ID: {id}")]));
    let again = socket.response_to("GET").said();
    assert!(again.contains("\"progress\":1") && again.contains("late"), "{again}");
    let other = stand.open("2025-11-25");
    socket.send(stand.get(&[&other, ACCEPT, &format!("Last-Event-ID: {id}")]));
    let strange = socket.response_to("GET");
    assert!(!strange.said().contains("late"), "another session's events are its own: {strange:?}");
}

#[test]
fn a_client_that_goes_cancels_nothing_in_the_legacy_era() {
    let stand = Stand::start(vec![("slow", vec![progress(1), wait(100), result("kept")])]);
    let session = stand.open("2025-06-18");
    let mut socket = stand.connect();
    socket.send(stand.post(&[&session], &call(1, "slow")));
    socket.response_head("POST");
    let event = String::from_utf8_lossy(&socket.until(b"\n\n")).into_owned();
    let id = event.lines().find_map(|line| line.strip_prefix("id: ")).expect("an id").to_owned();
    socket.reset();
    let mut back = stand.connect();
    back.send(stand.get(&[&session, ACCEPT, &format!("Last-Event-ID: {id}")]));
    assert!(back.response_to("GET").said().ends_with(&format!("data: {}\n\n", answer(1, "kept"))));
    let recorded = stand.end();
    let ends: Vec<_> = recorded.asked().iter().filter_map(|asked| asked.ended.clone()).collect();
    assert!(ends.iter().any(|(_, why)| why.contains("the client closed")), "{ends:?}");
}

#[test]
fn http_with_sse_goes_over_one_stream() {
    let stand = Stand::start(vec![("one", vec![progress(1), result("a")])]);
    let host = stand.address();
    let mut stream = stand.connect();
    stream.send(message::get(host, "/sse", &[ACCEPT]));
    stream.response_head("GET");
    let endpoint = String::from_utf8_lossy(&stream.content(1)).into_owned();
    let path = endpoint.strip_prefix("event: endpoint\ndata: ").expect("the first event").trim().to_owned();
    let opening = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let mut posts = stand.connect();
    for body in [opening, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, &call(1, "one")] {
        posts.send(message::post(host, &path, &[], body));
        let taken = posts.response();
        assert_eq!((taken.status(), taken.said().as_str()), (202, ""));
    }
    let mut said = String::new();
    while !said.contains("\"id\":1") {
        said.push_str(&String::from_utf8_lossy(&stream.content(1)));
    }
    let events: Vec<&str> = said.split_terminator("\n\n").collect();
    assert!(events.iter().all(|event| event.starts_with("event: message\n")), "{said}");
    assert!(events[1].contains("notifications/progress") && events[2].ends_with(&answer(1, "a")), "{said}");
    drop(stream);
    until("the session has gone with its stream", || {
        posts.send(message::post(host, &path, &[], &call(2, "one")));
        (posts.response().status() == 404).then_some(())
    });
}
