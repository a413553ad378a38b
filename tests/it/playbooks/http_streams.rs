//! Streams of events: resumed, cut, opened too soon, on the wrong way (protocol.md 3.3, 3.5, 4.4; reports
//! T-39, T-41, T-43, T-46, T-50).

use insta::assert_snapshot;

use super::told;

/// A call whose stream is cut after three events.
const CUT: &str = r#"
    #1 POST /mcp session=k version=2025-11-25
    #1 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":1}}}
    #1 200 stream
    #1 event id=e1 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
    #1 event id=e2 {"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{"message":"?"}}
    #1 event id=e3 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}
    #1 ends server-gone
"#;

#[test]
fn a_resumed_stream_carries_its_request_on_and_what_comes_again_counts_once() {
    let rest = r#"
        #2 GET /mcp session=k version=2025-11-25 last=e1
        #2 200 stream
        #2 event id=e2 {"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{"message":"?"}}
        #2 event id=e3 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}
        #2 event id=e4 {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"on"}}
        #3 POST /mcp session=k version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":5,"result":{"action":"accept"}}
        #3 202
        #2 event id=e5 {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #2 ends server-gone
        #4 GET /mcp session=k version=2025-11-25 last=e4
        #4 200 stream
        #4 event id=e5 {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #4 ends
    "#;
    assert_snapshot!(told(&format!("{CUT}{rest}")), @r#"
    [0] > tools/call t (id 1) Ok: ok in 14 ms | 2025-11-25 legacy | 2→16, POST /mcp 200, 3 events with 3 messages, ServerGone
          4 Progress 1
          5 Nested ?
          6 Progress 2
          11 Replayed 2 <duplicate, replayed>
          12 Log info · on
          20 Replayed t <duplicate, replayed>
          * The server broke the connection off before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get the answer there.
    [1] < elicitation/create ? (id 5) Ok: accepted in 9 ms | 2025-11-25 legacy | 5→14
          10 Replayed ? <duplicate, replayed>
      > 8 Head GET /mcp, GET /mcp 200, 4 events with 4 messages, ServerGone
          * It continues the stream of the event in entry 4, by its Last-Event-ID.
      > 18 Head GET /mcp, GET /mcp 200, 1 events with 1 messages, Complete
          * It continues the stream of the event in entry 12, by its Last-Event-ID.
    "#);
}

#[test]
fn a_stream_that_ends_before_the_answer() {
    assert_snapshot!(told(r#"
        #1 POST /mcp session=k version=2025-11-25
        #1 body {"jsonrpc":"2.0","id":1,"method":"x/ids"}
        #1 200 stream
        #1 event id=e1
        #1 ends
        #2 POST /mcp session=k version=2025-11-25
        #2 body {"jsonrpc":"2.0","id":2,"method":"x/no-ids"}
        #2 200 stream
        #2 raw data: {"jsonrpc":"2.0","id":2,"res
        #2 ends server-gone
        #3 POST /mcp session=k version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":3,"method":"x/left"}
        #3 200 stream
        #3 ends client-gone
        #4 POST /mcp version=2026-07-28 method=x/modern
        #4 body {"jsonrpc":"2.0","id":4,"method":"x/modern","params":{"_meta":{$M}}}
        #4 200 stream
        #4 ends server-gone
        #5 POST /mcp version=2026-07-28 method=x/modern
        #5 body {"jsonrpc":"2.0","id":4,"method":"x/modern","params":{"_meta":{$M}}}
        #5 200 stream
        #5 event {"jsonrpc":"2.0","id":4,"result":{}}
        #5 ends
    "#), @r#"
    [0] > x/ids (id 1) Pending: pending | 2025-11-25 legacy | 2→, POST /mcp 200, 1 events with 0 messages, Complete
          * The server ended the stream before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get the answer there.
    [1] > x/no-ids (id 2) Unanswered: unanswered | 2025-11-25 legacy | 7→, POST /mcp 200, 1 events with 1 messages, ServerGone
          * The server broke the connection off before the answer, and had given no event id with which the client could resume it (HX-015): the request is lost.
          * No empty line ends the last event, entry 9, so clients discard it (SE-006); the stream broke off within it.
    [2] > x/left (id 3) Pending: pending | 2025-11-25 legacy | 12→, POST /mcp 200, ClientGone
          * The client closed the connection before the answer. That does not cancel a request before 2026-07-28 (CN-011): the server may go on, and the answer may come on a stream that resumes this one.
    [3] > x/modern (id 4) Unanswered: unanswered | 2026-07-28 modern | 16→, POST /mcp 200, ServerGone
          * The server broke the connection off before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again under a new id (HM-022).
    [4] > x/modern (id 4) Ok: ok in 2 ms | 2026-07-28 modern | 20→22, POST /mcp 200, 1 events with 1 messages, Complete
          * It repeats the request of entry 16, which was lost with its stream, under the same id 4; it needs a new one (HM-022).
    operation 0: Reissue: [3] First, [4] Reissued; 2 rounds, 6 ms
    session from entry 16: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn answers_on_the_wrong_stream() {
    assert_snapshot!(told(r#"
        #1 GET /mcp session=k version=2025-11-25
        #1 200 stream
        #2 POST /mcp session=k version=2025-11-25
        #2 body {"jsonrpc":"2.0","id":1,"method":"x/a"}
        #1 event {"jsonrpc":"2.0","id":1,"result":{}}
        #2 200 stream
        #2 event {"jsonrpc":"2.0","id":1,"result":{}}
        #2 ends
        #3 POST /mcp session=k version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":2,"method":"x/b"}
        #4 POST /mcp session=k version=2025-11-25
        #4 body {"jsonrpc":"2.0","id":3,"method":"x/c"}
        #4 200 stream
        #4 event id=e1
        #4 event id=e2 {"jsonrpc":"2.0","id":2,"result":{}}
        #4 ends
        #3 200 stream
        #3 ends
        #5 GET /mcp session=k version=2025-11-25 last=e2
        #5 200 stream
        #5 event id=e3 {"jsonrpc":"2.0","id":3,"result":{}}
        #5 event id=e3 {"jsonrpc":"2.0","method":"notifications/custom"}
        #5 ends
    "#), @r#"
      > 1 Head GET /mcp, GET /mcp 200, 1 events with 1 messages, open
    [0] > x/a (id 1) Ok: ok in 1 ms | 2025-11-25 legacy | 4→5, POST /mcp 200, 1 events with 1 messages, Complete
          7 DuplicateAnswer <duplicate>
          * Its answer, entry 5, came on a stream that the client had opened with GET (HL-011); it belongs in the response to its own POST, and clients may not look for it elsewhere.
          * It was answered a second time in entry 7, on another stream (HL-013): a server sends each message on one stream only. The first answer is shown.
    [1] > x/b (id 2) Ok: ok in 5 ms | 2025-11-25 legacy | 10→15, POST /mcp 200, Complete
          * Its answer, entry 15, came in the response to another POST (HX-008); clients may not look for it there. It is linked by its id.
    [2] > x/c (id 3) Ok: ok in 9 ms | 2025-11-25 legacy | 12→21, POST /mcp 200, 2 events with 1 messages, Complete
          * The server ended the stream before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get the answer there.
      > 19 Head GET /mcp, GET /mcp 200, 2 events with 2 messages, Complete
          * It continues the stream of the event in entry 15, by its Last-Event-ID.
          * The event in entry 22 has the id of the one in entry 21; ids must be unique in a session (HL-014), or a client that resumes gets the wrong stream.
      < 22 Notification notifications/custom
    "#);
}

#[test]
fn a_stream_that_is_opened_too_soon_and_again_and_again() {
    let open = |channel: u32, wait: u32| {
        format!(
            "@ +{wait}ms\n#{channel} GET /mcp session=k version=2025-11-25\n#{channel} 200 stream\n\
             #{channel} raw retry: 500\\n\\n\n#{channel} ends\n"
        )
    };
    let quiet = |channel: u32| {
        format!("#{channel} GET /other session=k version=2025-11-25\n#{channel} 200 stream\n#{channel} ends\n")
    };
    let seed = r#"
        #1 POST /mcp session=k version=2025-11-25
        #1 body {"jsonrpc":"2.0","id":1,"method":"ping"}
        #1 200 json
        #1 reply {"jsonrpc":"2.0","id":1,"result":{}}
    "#;
    let script = [seed.to_owned(), open(2, 0), open(3, 500), open(4, 100), quiet(5), quiet(6), quiet(7), quiet(8)];
    assert_snapshot!(told(&script.concat()), @r#"
    [0] > ping (id 1) Ok: ok in 2 ms | 2025-11-25 legacy | 2→4, POST /mcp 200, Complete
      > 5 Head GET /mcp, GET /mcp 200, 1 events with 0 messages, Complete
      > 9 Head GET /mcp, GET /mcp 200, 1 events with 0 messages, Complete
      > 13 Head GET /mcp, GET /mcp 200, 1 events with 0 messages, Complete
          * The stream was opened again after 101 ms, but the server had asked to wait 500 ms (HL-019).
      > 17 Head GET /other, GET /other 200, Complete
      > 20 Head GET /other, GET /other 200, Complete
      > 23 Head GET /other, GET /other 200, Complete
      > 26 Head GET /other, GET /other 200, Complete
          * The stream was opened again 3 times in a row, each time soon after it had ended and without a message: the client is caught in a loop of reconnections (HL-019).
    "#);
}

#[test]
fn events_in_every_spelling() {
    assert_snapshot!(told(r#"
        #1 POST /mcp session=k version=2025-11-25
        #1 body {"jsonrpc":"2.0","id":1,"method":"x/a"}
        #1 200 stream | Content-Encoding: gzip
        #1 raw event: message\r\ndata: {"jsonrpc":"2.0",\r\ndata:  "method":"notifications/crlf"}\r\n\r\n
        #1 raw data:{"jsonrpc":"2.0","method":"notifications/cr"}\r\r
        #1 raw : ping\nid: 7\nretry: 10\ndata:{"jsonrpc":"2.0","method":"notifications/mixed"}\n\n
        #1 raw event: heartbeat\ndata: 12:00\n\n
        #1 raw data: 12:00\n\n
        #1 raw id: 8\ndata:\n\n
        #1 event {"jsonrpc":"2.0","id":1,"result":{}}
        #1 ends
    "#), @r#"
    [0] > x/a (id 1) Ok: ok in 8 ms | 2025-11-25 legacy | 2→10, POST /mcp 200, 7 events with 6 messages, Complete
          4 Notification
          5 Notification
          6 Notification
          * The stream of events is compressed (gzip), which holds events back until a block is full, unless the server flushes after each (HX-018).
      < 8 NotJson
    "#);
}
