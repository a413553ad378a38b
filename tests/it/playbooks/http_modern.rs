//! HTTP in 2026-07-28: statuses, disconnects, subscriptions, streams that break off.

use insta::assert_snapshot;

use super::{notation, told};

#[test]
fn a_call_with_a_stream_and_one_with_a_body() {
    assert_snapshot!(told(r#"
        #1 POST /mcp version=2026-07-28 | Mcp-Method: tools/call | Mcp-Name: t
        #1 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M},"name":"t"}}
        #1 200 stream | X-Accel-Buffering: no
        #1 raw : keep-alive\n\n
        #1 event {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"looking"}}
        #1 event {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
        #1 ends
        #2 POST /mcp version=2026-07-28 | Mcp-Method: tools/list
        #2 body {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{$M}}}
        #2 200 json
        #2 reply {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[]}}
    "#), @r#"
    [0] > tools/call t (id 1) Ok: ok in 4 ms | 2026-07-28 modern | 2→6, POST /mcp 200, 3 events with 2 messages, Complete
          5 Log info · looking
    [1] > tools/list (id 2) Ok: 0 tools in 2 ms | 2026-07-28 modern | 9→11, POST /mcp 200, Complete
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn an_answer_that_is_only_a_status() {
    assert_snapshot!(told(r#"
        #1 POST /mcp version=2026-07-28 method=x/a
        #1 body {"jsonrpc":"2.0","id":1,"method":"x/a","params":{"_meta":{$M}}}
        #1 401 | WWW-Authenticate: Bearer
        #2 POST /mcp version=2026-07-28 method=x/b
        #2 body {"jsonrpc":"2.0","id":1,"method":"x/b","params":{"_meta":{$M}}}
        #2 502 text/html
        #2 reply <html>bad gateway</html>
        #3 POST /mcp version=2026-07-28 method=x/c
        #3 body {"jsonrpc":"2.0","id":1,"method":"x/c","params":{"_meta":{$M}}}
        #3 202
        #4 POST /mcp version=2026-07-28 method=x/d
        #4 body {"jsonrpc":"2.0","id":1,"method":"x/d","params":{"_meta":{$M}}}
        #4 307 | Location: /mcp/
        #5 POST /mcp version=2026-07-28 method=x/e
        #5 body {"jsonrpc":"2.0","id":1,"method":"x/e","params":{"_meta":{$M}}}
        #5 ends failed connection refused by 127.0.0.1:9; is the server running?
        #6 POST /mcp version=2026-07-28 method=x/f
        #6 body {"jsonrpc":"2.0","id":1,"method":"x/f","params":{"_meta":{$M}}}
        #6 500 json
        #6 reply {"oops":1}
        #7 POST /mcp version=2026-07-28 method=x/g
        #7 body {"jsonrpc":"2.0","id":1,"method":"x/g","params":{"_meta":{$M}}}
        #7 200 stream
        #7 ends failed failed to read the response: a chunk has no length
    "#), @r#"
    [0] > x/a (id 1) Error: HTTP 401 | 2026-07-28 modern | 2→, POST /mcp 401, Complete
    [1] > x/b (id 1) Error: HTTP 502 | 2026-07-28 modern | 5→, POST /mcp 502, Complete
    [2] > x/c (id 1) Unanswered: HTTP 202 | 2026-07-28 modern | 9→, POST /mcp 202, Complete
          * The response has the status 202 and no answer in it: a request is answered with JSON or a stream of events (HX-007).
    [3] > x/d (id 1) Unanswered: HTTP 307 | 2026-07-28 modern | 12→, POST /mcp 307, Complete
          * The endpoint redirects (HTTP 307, HX-020): not every client follows with a POST, and credentials may be dropped on the way. Better give the client the final URL.
    [4] > x/e (id 1) Error: not reached | 2026-07-28 modern | 15→, POST /mcp -, Failed
          * The server was not reached: connection refused by 127.0.0.1:9; is the server running?
    [5] > x/f (id 1) Error: HTTP 500 | 2026-07-28 modern | 18→, POST /mcp 500, Complete
          * The response's body, entry 20, calls itself JSON and is no message of JSON-RPC (HX-007).
    [6] > x/g (id 1) Unanswered: unanswered | 2026-07-28 modern | 22→, POST /mcp 200, Failed
          * The server broke the connection off before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again under a new id (HM-022).
          * Failed to read the response: a chunk has no length.
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn errors_come_with_the_status_that_belongs_to_them() {
    let answered = |channel: u32, status: u32, code: i32| {
        format!(
            r#"
            #{channel} POST /mcp version=2026-07-28 method=x/a
            #{channel} body {{"jsonrpc":"2.0","id":1,"method":"x/a","params":{{"_meta":{{$M}}}}}}
            #{channel} {status} json
            #{channel} reply {{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m"}}}}
            "#
        )
    };
    let script = [
        answered(1, 400, -32022),
        answered(2, 404, -32601),
        answered(3, 200, -32601),
        answered(4, 200, -32020),
        answered(5, 200, -32603),
        // Where a stream had begun, its status was sent before.
        r#"
        #6 POST /mcp version=2026-07-28 method=x/a
        #6 body {"jsonrpc":"2.0","id":1,"method":"x/a","params":{"_meta":{$M}}}
        #6 200 stream
        #6 event {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}
        #6 ends
        #7 POST /mcp version=2026-07-28 method=x/a
        #7 body {"jsonrpc":"2.0","id":1,"method":"x/a","params":{"_meta":{$M}}}
        #7 400 json
        #7 reply {"jsonrpc":"2.0","error":{"code":-32602,"message":"m"}}
        "#
        .to_owned(),
    ];
    assert_snapshot!(told(&script.concat()), @r#"
    [0] > x/a (id 1) Error: -32022 in 2 ms | 2026-07-28 modern | 2→4, POST /mcp 400, Complete
    [1] > x/a (id 1) Error: -32601 in 2 ms | 2026-07-28 modern | 6→8, POST /mcp 404, Complete
    [2] > x/a (id 1) Error: -32601 in 2 ms | 2026-07-28 modern | 10→12, POST /mcp 200, Complete
          * The error -32601 came with HTTP 200; it belongs to HTTP 404 (HM-013).
    [3] > x/a (id 1) Error: -32020 in 2 ms | 2026-07-28 modern | 14→16, POST /mcp 200, Complete
          * The error -32020 came with HTTP 200; it belongs to HTTP 400 (HM-011).
    [4] > x/a (id 1) Error: -32603 in 2 ms | 2026-07-28 modern | 18→20, POST /mcp 200, Complete
    [5] > x/a (id 1) Error: -32601 in 2 ms | 2026-07-28 modern | 22→24, POST /mcp 200, 1 events with 1 messages, Complete
    [6] > x/a (id 1) Error: -32602 in 2 ms | 2026-07-28 modern | 27→29, POST /mcp 400, Complete
          * The error in entry 29 names no request (JR-011, over HTTP also HM-016); it is taken for the answer because this was the only request on its channel.
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_client_that_disconnects_cancels() {
    assert_snapshot!(told(r#"
        #1 POST /mcp version=2026-07-28 method=tools/call name=slow
        #1 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M,"progressToken":1},"name":"slow"}}
        #1 200 stream
        #1 event {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
        #1 ends client-gone
        #2 POST /mcp version=2026-07-28 method=tools/list
        #2 body {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{$M}}}
        #2 ends client-gone
    "#), @r#"
    [0] > tools/call slow (id 1) Cancelled: cancelled by disconnect | 2026-07-28 modern | 2→, POST /mcp 200, 1 events with 1 messages, ClientGone
          4 Progress 1
          * The client closed the connection before the answer, which cancels the request.
    [1] > tools/list (id 2) Cancelled: cancelled by disconnect | 2026-07-28 modern | 7→, POST /mcp -, ClientGone
          * The client closed the connection before the answer, which cancels the request.
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_subscription_lasts_as_long_as_its_stream() {
    let listen = |channel: u32, end: &str| {
        format!(
            r#"
            #{channel} POST /mcp version=2026-07-28 method=subscriptions/listen
            #{channel} body {{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{{"_meta":{{$M}},"notifications":{{"toolsListChanged":true}}}}}}
            #{channel} 200 stream
            #{channel} event {{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":1}},"notifications":{{"toolsListChanged":true}}}}}}
            {end}
            "#
        )
    };
    let script = [
        listen(1, "#1 ends client-gone"),
        listen(2, "#2 ends"),
        listen(3, "#3 ends server-gone"),
        listen(4, "#4 event {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\"}}\n#4 done"),
        listen(5, ""),
    ];
    assert_snapshot!(told(&script.concat()), @r#"
    [0] > subscriptions/listen tools (id 1) Closed: ended by the client | 2026-07-28 modern | 2→, POST /mcp 200, 1 events with 1 messages, ClientGone
          4 Acknowledged tools
    [1] > subscriptions/listen tools (id 1) Closed: ended by the server | 2026-07-28 modern | 7→, POST /mcp 200, 1 events with 1 messages, Complete
          9 Acknowledged tools
    [2] > subscriptions/listen tools (id 1) Closed: ended with the connection | 2026-07-28 modern | 12→, POST /mcp 200, 1 events with 1 messages, ServerGone
          14 Acknowledged tools
    [3] > subscriptions/listen tools (id 1) Ok: ended in 3 ms | 2026-07-28 modern | 17→20, POST /mcp 200, 2 events with 2 messages, Complete
          19 Acknowledged tools
    [4] > subscriptions/listen tools (id 1) Pending: listening | 2026-07-28 modern | 22→, POST /mcp 200, 1 events with 1 messages, open
          24 Acknowledged tools
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_silent_response_says_since_when() {
    let silent = r#"
        #1 POST /mcp version=2026-07-28 method=tools/list
        #1 body {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{$M}}}
        #1 200 stream
    "#;
    let waiting = |script: &str| {
        let trace = notation::play(script);
        trace.waiting(0).map(|waiting| (waiting.since / 1_000_000, waiting.events))
    };
    assert_eq!(waiting(silent), Some((3, 0)));
    assert_eq!(waiting(&format!("{silent}\n@ +5ms\n#1 raw : ping\\n\\n")), Some((9, 1)));
    assert_eq!(waiting(&format!("{silent}\n#1 ends server-gone")), None);
    assert_eq!(waiting("#1 POST /mcp\n#1 body {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), None);
}

#[test]
fn a_body_that_pauses_and_a_server_that_does_not_wait_for_it() {
    assert_snapshot!(told(r#"
        #1 POST /mcp version=2026-07-28 method=tools/call name=t
        #1 body… {"jsonrpc":"2.0","id":1,"meth
        #2 POST /mcp version=2026-07-28 method=tools/list
        #2 body {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{$M}}}
        #1 body od":"tools/call","params":{"_meta":{$M},"name":"t"}}
        #1 200 json
        #1 reply {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
        #3 POST /mcp version=2026-07-28 method=tools/call name=big
        #3 413 | Connection: close
        #3 body {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{$M},"name":"big"}}
    "#), @r#"
    [1] > tools/call t (id 1) Ok: ok in 5 ms | 2026-07-28 modern | 2→6, POST /mcp 200, Complete
    [0] > tools/list (id 2) Pending: pending | 2026-07-28 modern | 4→, POST /mcp -, open
    [2] > tools/call big (id 3) Error: HTTP 413 | 2026-07-28 modern | 9→, POST /mcp 413, Complete
    session from entry 4: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn headers_are_held_against_the_body() {
    let weather = |channel: u32, fields: &str, city: &str| {
        format!(
            r#"
            #{channel} POST /mcp version=2026-07-28 | Mcp-Method: tools/call{fields}
            #{channel} body {{"jsonrpc":"2.0","id":{channel},"method":"tools/call","params":{{"_meta":{{$M}},"name":"weather","arguments":{{"city":{city}}}}}}}
            #{channel} 200 json
            #{channel} reply {{"jsonrpc":"2.0","id":{channel},"result":{{"resultType":"complete","content":[]}}}}
            "#
        )
    };
    let list = r#"
        #1 POST /mcp version=2026-07-28 | Mcp-Method: tools/list
        #1 body {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{$M}}}
        #1 200 json
        #1 reply {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"weather","inputSchema":{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}}}}]}}
    "#;
    let refused = r#"
        #9 POST /mcp version=2025-11-25 | Mcp-Method: Tools/List
        #9 body {"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{$M}}}
        #9 400 json
        #9 reply {"jsonrpc":"2.0","id":9,"error":{"code":-32020,"message":"header mismatch"}}
    "#;
    let script = [
        // Before the list was seen, nobody knows what the tool wants.
        weather(2, " | Mcp-Name: weather", "\"Bern\""),
        list.to_owned(),
        weather(3, " | Mcp-Name: weather | Mcp-Param-City: =?base64?TWFsbcO2?=", "\"Malmö\""),
        weather(4, " | Mcp-Name: weather", "\"Bern\""),
        weather(5, " | Mcp-Name: wetter | Mcp-Param-City: Bonn", "\"Bern\""),
        weather(6, " | Mcp-Name: weather", "null"),
        refused.to_owned(),
    ];
    assert_snapshot!(told(&script.concat()), @r#"
    [0] > tools/call weather (id 2) Ok: ok in 2 ms | 2026-07-28 modern | 2→4, POST /mcp 200, Complete
    [1] > tools/list (id 1) Ok: 1 tool in 2 ms | 2026-07-28 modern | 6→8, POST /mcp 200, Complete
    [2] > tools/call weather (id 3) Ok: ok in 2 ms | 2026-07-28 modern | 10→12, POST /mcp 200, Complete
    [3] > tools/call weather (id 4) Ok: ok in 2 ms | 2026-07-28 modern | 14→16, POST /mcp 200, Complete
          * Mcp-Param-City is missing; the argument "city" is "Bern" (HM-007).
          * The server answered it although headers and body do not agree; it must refuse such a request with HTTP 400 and the error -32020 (HM-011).
    [4] > tools/call weather (id 5) Ok: ok in 2 ms | 2026-07-28 modern | 18→20, POST /mcp 200, Complete
          * Mcp-Name is "wetter", but the body's params.name is "weather" (HM-004).
          * Mcp-Param-City is "Bonn", but the argument "city" is "Bern" (HM-007).
          * The server answered it although headers and body do not agree; it must refuse such a request with HTTP 400 and the error -32020 (HM-011).
    [5] > tools/call weather (id 6) Ok: ok in 2 ms | 2026-07-28 modern | 22→24, POST /mcp 200, Complete
    [6] > tools/list (id 9) Error: -32020 in 2 ms | 2026-07-28 modern | 26→28, POST /mcp 400, Complete
          * MCP-Protocol-Version is "2025-11-25", but the body's _meta says "2026-07-28" (HM-002).
          * Mcp-Method is "Tools/List", but the body's method is "tools/list" (HM-003).
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_recording_that_is_cut_off_leaves_nothing_open() {
    let mut trace = notation::play(
        r#"
        #1 POST /mcp version=2026-07-28 method=tools/list
        #1 body {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{$M}}}
        #1 200 stream
        #2 POST /mcp | Content-Type: text/plain
        #3 POST /mcp version=2026-07-28 method=tools/list | Content-Type: text/plain
        #3 body {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{$M}}}
    "#,
    );
    assert!(trace.https().iter().all(midwire::trace::Http::is_open));
    trace.end(1_000_000_000);
    assert!(!trace.https().iter().any(midwire::trace::Http::is_open));
    assert_snapshot!(super::told::told(&trace), @r#"
    [0] > tools/list (id 1) Unanswered: unanswered | 2026-07-28 modern | 2→, POST /mcp 200, cut off
          * It was never answered: the recording ends first.
      > 4 Head POST /mcp, POST /mcp -, cut off
    [1] > tools/list (id 3) Unanswered: unanswered | 2026-07-28 modern | 6→, POST /mcp -, cut off
          * It was never answered: the recording ends first.
          * Its body is a message, but its Content-Type is not application/json (HX-003); many servers refuse that with 415.
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}
