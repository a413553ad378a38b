//! Conversations drawn at random: whatever comes, nothing is lost, nothing is counted twice, and well
//! behaved peers are paired without doubt.

use midwire::model::{Channel, Entry, EntryKind, Flags, Lifecycle, Side, Transport};
use midwire::trace::{Marks, Status, Trace};
use midwire::wire::lifecycle;
use proptest::prelude::*;

use super::consistent::consistent;
use super::http::Http;

/// Frames that quarrel: few ids, few tokens, few tasks, so that they collide.
fn frame() -> impl Strategy<Value = String> {
    let id = prop_oneof![Just("1"), Just("2"), Just("\"1\""), Just("null"), Just("1.0")];
    let meta = prop_oneof![
        Just(""),
        Just(r#""_meta":{"progressToken":1},"#),
        Just(
            r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/subscriptionId":1},"#
        ),
        Just(r#""_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}},"#),
    ];
    let method = prop_oneof![
        Just("initialize"),
        Just("tools/call"),
        Just("tools/list"),
        Just("subscriptions/listen"),
        Just("tasks/get"),
        Just("tasks/result"),
        Just("sampling/createMessage"),
        Just("server/discover"),
    ];
    let told = prop_oneof![
        Just("notifications/progress"),
        Just("notifications/cancelled"),
        Just("notifications/message"),
        Just("notifications/tasks/status"),
        Just("notifications/subscriptions/acknowledged"),
        Just("notifications/custom"),
    ];
    let more = prop_oneof![
        Just(r#""name":"t","inputResponses":{"k":1},"requestState":"s""#),
        Just(r#""name":"t","requestState":"other","cursor":"c""#),
        Just(r#""taskId":"t","status":"completed","requestId":1,"progressToken":1,"progress":1"#),
        Just(r#""taskId":"u","status":"working","requestId":"1","progressToken":"1","cursor":"c""#),
    ];
    let answer = prop_oneof![
        Just(r#""result":{}"#),
        Just(
            r#""result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},"requestState":"s"}"#
        ),
        Just(r#""result":{"resultType":"task","taskId":"t","status":"working"}"#),
        Just(r#""result":{"task":{"taskId":"u","status":"working"},"nextCursor":"c"}"#),
        Just(r#""result":{"protocolVersion":"2025-11-25","isError":true}"#),
        Just(r#""error":{"code":-32022,"message":"m"}"#),
    ];
    let request = (id.clone(), method, meta.clone(), more.clone()).prop_map(|(id, method, meta, more)| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{meta}{more}}}}}"#)
    });
    let notification = (told, meta, more)
        .prop_map(|(told, meta, more)| format!(r#"{{"jsonrpc":"2.0","method":"{told}","params":{{{meta}{more}}}}}"#));
    let answers = (id, answer).prop_map(|(id, answer)| format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#));
    let nameless = Just(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#.to_owned());
    let one = prop_oneof![5 => request, 4 => notification, 5 => answers, 1 => nameless];
    prop_oneof![
        12 => one.clone(),
        1 => proptest::collection::vec(one, 0..4).prop_map(|items| format!("[{}]", items.join(","))),
        1 => Just("noise".to_owned()),
    ]
}

/// One entry: who, what, on which channel.
fn entry() -> impl Strategy<Value = (Option<Side>, EntryKind, u32, Flags, String)> {
    let side = prop_oneof![Just(Side::Client), Just(Side::Server)];
    let flags = prop_oneof![8 => Just(Flags::default()), 1 => Just(Flags::UNFINISHED), 1 => Just(Flags::TRUNCATED)];
    let framed = (side, 1..6_u32, flags, frame())
        .prop_map(|(side, channel, flags, text)| (Some(side), EntryKind::Frame, channel, flags, text));
    let line = Just((Some(Side::Server), EntryKind::Stderr, 1, Flags::default(), "line".to_owned()));
    let ended =
        prop_oneof![Just(Lifecycle::Exited { code: 1 }), Just(Lifecycle::ServerClosed), Just(Lifecycle::ClientClosed),];
    let ended = ended.prop_map(|event| {
        let text = String::from_utf8(lifecycle::encode(&event)).expect("an event is text");
        (None, EntryKind::Lifecycle, 1, Flags::default(), text)
    });
    prop_oneof![20 => framed, 2 => line, 1 => ended]
}

/// Channels of every kind, with sessions and peers that overlap.
fn channels() -> [Channel; 5] {
    let of = |id, transport, session: Option<&str>, peer: Option<&str>| Channel {
        transport,
        session: session.map(Into::into),
        peer: peer.map(Into::into),
        ..Channel::stdio(id)
    };
    [
        of(1, Transport::HttpRequest, Some("k"), Some("a")),
        of(2, Transport::HttpRequest, None, Some("a")),
        Channel { resumes: Some("e".into()), ..of(3, Transport::HttpStream, Some("k"), None) },
        of(4, Transport::HttpSse, None, Some("a")),
        Channel { version: Some("2025-06-18".into()), ..of(5, Transport::HttpRequest, Some("l"), Some("b")) },
    ]
}

proptest! {
    #[test]
    fn whatever_comes_nothing_is_lost(http: bool, script in proptest::collection::vec(entry(), 0..60)) {
        let mut trace = Trace::new(if http { Transport::HttpRequest } else { Transport::Stdio });
        for channel in channels().into_iter().filter(|_| http) {
            trace.open_channel(channel);
        }
        let mut unfinished = Vec::new();
        for (index, (side, kind, channel, flags, text)) in script.into_iter().enumerate() {
            let bytes = text.into_bytes();
            let (seq, at, size) = (index as u64 + 1, index as i64, bytes.len() as u64);
            let channel = if http { channel } else { 1 };
            let entry = Entry { seq, at, until: at, channel, side, kind, flags, size, bytes };
            trace.record(&entry);
            if flags.has(Flags::UNFINISHED) {
                unfinished.push(entry);
            }
        }
        for mut entry in unfinished {
            (entry.flags, entry.until) = (Flags::default(), 100);
            trace.record(&entry);
        }
        consistent(&trace);
        trace.end(1000);
        consistent(&trace);
        prop_assert!(trace.exchanges().iter().all(|exchange| exchange.status != Status::Pending));
        for index in 0..trace.exchanges().len() as u32 {
            trace.remarks(index);
        }
    }

    #[test]
    fn well_behaved_peers_are_paired_without_doubt(order in Just((0..20_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let mut trace = Trace::new(Transport::Stdio);
        let mut seq = 0;
        let mut say = |trace: &mut Trace, side, text: String| {
            seq += 1;
            let (bytes, kind, flags) = (text.into_bytes(), EntryKind::Frame, Flags::default());
            let (at, size) = (seq as i64, bytes.len() as u64);
            trace.record(&Entry { seq, at, until: at, channel: 1, side: Some(side), kind, flags, size, bytes });
        };
        for id in 0..20 {
            let side = if id % 3 == 0 { Side::Server } else { Side::Client };
            say(&mut trace, side, format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m{id}","params":{{"_meta":{{"progressToken":{id}}}}}}}"#));
        }
        for &id in &order {
            let side = if id % 3 == 0 { Side::Client } else { Side::Server };
            say(&mut trace, side, format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{id},"progress":1}}}}"#));
            say(&mut trace, side, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        }
        consistent(&trace);
        for exchange in trace.exchanges() {
            prop_assert_eq!(exchange.status, Status::Ok);
            prop_assert_eq!(exchange.attached.len(), 1);
            prop_assert_eq!(trace.name(exchange.method).to_string(), format!("m{}", exchange.id));
        }
        prop_assert!(trace.notes().iter().all(|note| note.marks == Marks::default()));
    }

    #[test]
    fn http_in_slices_and_whole_gives_one_trace(script in proptest::collection::vec(http_line(), 0..80)) {
        let mut live = Trace::new(Transport::HttpRequest);
        let (mut entries, mut http) = (Vec::<Entry>::new(), Http::default());
        let mut begun = std::collections::HashSet::new();
        for (channel, line) in script {
            // A channel begins with its request, and an end is told at once or by an entry of its own.
            let is_request = ["POST", "GET", "DELETE"].iter().any(|method| line.starts_with(method));
            let is_late = line == "done" && http.last(channel) != Some(entries.len() as u64);
            if is_request == begun.contains(&channel) || is_late {
                continue;
            }
            begun.insert(channel);
            let now = entries.len() as i64 * 1_000_000;
            let entry = http.line(channel, &line, (entries.len() as u64, now));
            live.record(&entry);
            live.take_touched_https();
            match entries.iter_mut().find(|known| known.seq == entry.seq) {
                Some(known) => *known = entry,
                None => entries.push(entry),
            }
        }
        consistent(&live);
        let mut whole = Trace::new(Transport::HttpRequest);
        entries.iter().for_each(|entry| whole.record(entry));
        whole.take_touched_https();
        consistent(&whole);
        prop_assert_eq!(super::told::told(&live), super::told::told(&whole));
        prop_assert_eq!(live.https(), whole.https());
        whole.end(1_000_000_000);
        consistent(&whole);
        prop_assert!(whole.exchanges().iter().all(|exchange| exchange.status != Status::Pending));
    }
}

/// A line of HTTP: few channels, few sessions, few ids of events, so that they collide.
fn http_line() -> impl Strategy<Value = (u32, String)> {
    // Boxed, or the strategy would be too large for a test's stack.
    let frame = frame().boxed();
    let fields = prop_oneof![
        Just(""),
        Just(" session=k"),
        Just(" session=k version=2025-11-25"),
        Just(" version=2026-07-28"),
        Just(" session=l last=e1"),
        Just(" session=k last=e2"),
    ];
    let method = prop_oneof![3 => Just("POST"), 1 => Just("GET"), 1 => Just("DELETE")];
    let target = prop_oneof![Just("/mcp"), Just("/messages?s=1")];
    let request =
        (method, target, fields).prop_map(|(method, target, fields)| format!("{method} {target}{fields}")).boxed();
    let body = frame.clone().prop_map(|frame| format!("body {frame}")).boxed();
    let status = prop_oneof![
        3 => Just("200 stream"),
        2 => Just("200 json session=k"),
        1 => Just("202"),
        1 => Just("404"),
        1 => Just("404 json"),
        1 => Just("103 | Link: x"),
        1 => Just("307 | Location: /x"),
    ];
    let id = prop_oneof![3 => Just(""), 1 => Just("id=e1 "), 1 => Just("id=e2 retry=5 ")];
    let event = (id, frame.clone()).prop_map(|(id, frame)| format!("event {id}{frame}")).boxed();
    let odd = prop_oneof![
        Just("event name=endpoint /messages?s=1"),
        Just("event id=e1"),
        Just("raw data: {"),
        Just("raw : ping\\n\\n"),
        Just("changed endpoint /messages?s=1"),
    ];
    let ends = prop_oneof![
        Just("ends"),
        Just("ends client-gone"),
        Just("ends server-gone"),
        Just("ends failed no route"),
        Just("done")
    ];
    let line = prop_oneof![
        8 => request,
        4 => body,
        4 => status.prop_map(str::to_owned),
        4 => event,
        2 => frame.prop_map(|frame| format!("reply {frame}")),
        2 => odd.prop_map(str::to_owned),
        3 => ends.prop_map(str::to_owned),
    ];
    (1..9_u32, line)
}
