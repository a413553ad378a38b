//! Sessions and their headers over HTTP, 2025-03-26 to 2025-11-25 (protocol.md 3.3; report T-48).

use insta::assert_snapshot;

use super::told;

/// A session that is begun and agrees on 2025-11-25.
const OPENING: &str = r#"
    #1 POST /mcp
    #1 body {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
    #1 200 json session=k9
    #1 reply {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
    #2 POST /mcp session=k9 version=2025-11-25
    #2 body {"jsonrpc":"2.0","method":"notifications/initialized"}
    #2 202
"#;

fn told_after(script: &str) -> String {
    told(&format!("{OPENING}{script}"))
}

#[test]
fn a_session_from_initialize_to_delete() {
    assert_snapshot!(told_after(r#"
        #3 GET /mcp session=k9 version=2025-11-25
        #3 405
        #4 POST /mcp session=k9 version=2025-11-25
        #4 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
        #4 200 stream
        #4 event id=a1
        #4 raw retry: 2000\n\n
        #4 ends
        @ +2000ms
        #5 GET /mcp session=k9 version=2025-11-25 last=a1
        #5 200 stream
        #5 event id=a2 {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #5 ends
        #6 POST /mcp session=k9 version=2025-11-25
        #6 body {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"never"}}
        #6 200 stream
        #6 event id=b1
        #6 ends client-gone
        #7 DELETE /mcp session=k9 version=2025-11-25
        #7 204
        #8 POST /mcp session=k9 version=2025-11-25
        #8 body {"jsonrpc":"2.0","id":3,"method":"tools/list"}
        #8 404
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 2 ms | 2025-11-25 legacy | 2→4, POST /mcp 200, Complete
      > 6 Notification notifications/initialized, POST /mcp 202, Complete
      > 8 Head GET /mcp, GET /mcp 405, Complete
    [1] > tools/call slow (id 1) Ok: ok in 2007 ms | 2025-11-25 legacy | 11→18, POST /mcp 200, 2 events with 0 messages, Complete
          * The server ended the stream before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get the answer there.
      > 16 Head GET /mcp, GET /mcp 200, 1 events with 1 messages, Complete
          * It continues the stream of the event in entry 13, by its Last-Event-ID.
    [2] > tools/call never (id 2) Unanswered: unanswered | 2025-11-25 legacy | 21→, POST /mcp 200, 1 events with 0 messages, ClientGone
          * The client closed the connection before the answer. That does not cancel a request before 2026-07-28 (CN-011): the server may go on, and the answer may come on a stream that resumes this one.
          * It was never answered: the client ended the session first.
      > 25 Head DELETE /mcp, DELETE /mcp 204, Complete
    [3] > tools/list (id 3) Error: HTTP 404 | 2025-11-25 legacy | 28→, POST /mcp 404, Complete
          * The client had ended this session in entry 26; 404 is the right answer from then on (HL-005).
    session from entry 2: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    "#);
}

#[test]
fn a_refusal_in_the_form_of_an_error_answers_nothing() {
    assert_snapshot!(told_after(r#"
        #3 GET /mcp session=k9 version=2025-11-25
        #3 405 json
        #3 reply {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Method not allowed."}}
        #4 POST /mcp session=k9 version=2025-11-25
        #4 body {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        #5 DELETE /mcp session=k9 version=2025-11-25
        #5 405 json
        #5 reply {"jsonrpc":"2.0","error":{"code":-32000,"message":"Method not allowed."}}
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 2 ms | 2025-11-25 legacy | 2→4, POST /mcp 200, Complete
      > 6 Notification notifications/initialized, POST /mcp 202, Complete
      > 8 Head GET /mcp, GET /mcp 405, Complete
    [1] > tools/list (id 1) Pending: pending | 2025-11-25 legacy | 12→, POST /mcp -, open
      > 13 Head DELETE /mcp, DELETE /mcp 405, Complete
    session from entry 2: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    "#);
}

#[test]
fn a_lost_session_that_the_client_replaces() {
    assert_snapshot!(told_after(r#"
        #3 POST /mcp session=k9 version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
        #3 200 stream
        #3 event id=a1
        #3 ends server-gone
        #4 POST /mcp session=k9 version=2025-11-25
        #4 body {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        #4 404 json
        #4 reply {"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}
        #5 POST /mcp
        #5 body {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        #5 200 json session=m3
        #5 reply {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 2 ms | 2025-11-25 legacy | 2→4, POST /mcp 200, Complete
      > 6 Notification notifications/initialized, POST /mcp 202, Complete
    [1] > tools/call slow (id 1) Unanswered: unanswered | 2025-11-25 legacy | 9→, POST /mcp 200, 1 events with 0 messages, ServerGone
          * The server broke the connection off before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get the answer there.
          * It was never answered: the server had lost the session.
    [2] > tools/list (id 2) Error: -32001 in 2 ms | 2025-11-25 legacy | 14→16, POST /mcp 404, Complete
          * The error in entry 16 names no request (JR-011); it is taken for the answer because this was the only request on its channel.
          * The server no longer knows this session: it was restarted, or it ended the session (HL-005). The client re-initialised in entry 17, as it must (HL-006).
    [3] > initialize c 1 (id 0) Ok: s 1 in 2 ms | 2025-11-25 legacy | 18→20, POST /mcp 200, Complete
    session from entry 2: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    session from entry 18: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    "#);
}

#[test]
fn a_method_that_is_not_found_is_no_lost_session() {
    let told = told_after(
        r#"
        #3 POST /mcp session=k9 version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":1,"method":"x/unknown"}
        #3 404 json
        #3 reply {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}
    "#,
    );
    assert!(told.contains("x/unknown (id 1) Error: -32601") && !told.contains("HL-005"), "{told}");
}

#[test]
fn a_lost_session_that_the_client_goes_on_with() {
    assert_snapshot!(told_after(r#"
        #3 POST /mcp session=k9 version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        #4 POST /mcp session=k9 version=2025-11-25
        #4 body {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        #3 404
        #4 404
        #5 POST /mcp session=k9 version=2025-11-25
        #5 body {"jsonrpc":"2.0","id":3,"method":"tools/list"}
        #5 404
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 2 ms | 2025-11-25 legacy | 2→4, POST /mcp 200, Complete
      > 6 Notification notifications/initialized, POST /mcp 202, Complete
    [1] > tools/list (id 1) Error: HTTP 404 | 2025-11-25 legacy | 9→, POST /mcp 404, Complete
          * The server no longer knows this session: it was restarted, or it ended the session (HL-005). The client has not re-initialised: it must send initialize without a session id (HL-006).
    [2] > tools/list (id 2) Error: HTTP 404 | 2025-11-25 legacy | 11→, POST /mcp 404, Complete
          * The session was lost in entry 12; this request was on its way by then.
    [3] > tools/list (id 3) Error: HTTP 404 | 2025-11-25 legacy | 15→, POST /mcp 404, Complete
          * The session had been lost in entry 12, and the client goes on to use it instead of sending initialize (HL-006): it will get 404 each time.
    session from entry 2: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    "#);
}

#[test]
fn headers_that_are_missing_or_say_something_else() {
    assert_snapshot!(told_after(r#"
        #3 POST /mcp version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        #3 400
        #4 POST /mcp session=k9
        #4 body {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        #4 200 json
        #4 reply {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
        #5 GET /mcp session=k9 version=2025-06-18
        #5 200 json
        #5 reply {}
        #6 POST /mcp session=k9
        #6 body {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        #6 400
        #7 POST /mcp version=2026-07-28 method=tools/list
        #7 body {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{$M}}}
        #7 200 json
        #7 reply {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 2 ms | 2025-11-25 legacy | 2→4, POST /mcp 200, Complete
      > 6 Notification notifications/initialized, POST /mcp 202, Complete
    [1] > tools/list (id 1) Error: HTTP 400 | 2025-11-25 legacy | 9→, POST /mcp 400, Complete
          * It has no Mcp-Session-Id although the server had assigned a session in entry 3; every later request must name it (HL-003), provided that it comes from the same client.
    [2] > tools/list (id 2) Ok: 0 tools in 2 ms | 2025-11-25 legacy | 12→14, POST /mcp 200, Complete
          * It has no MCP-Protocol-Version header although 2025-11-25 was agreed on; without one the server may take it for 2025-03-26 (HL-020).
      > 15 Head GET /mcp, GET /mcp 200, Complete
          * Its MCP-Protocol-Version is 2025-06-18, but 2025-11-25 was agreed on (HL-021).
          * A GET of the endpoint is answered with a stream of events or with 405 (HL-010); this is neither.
    [3] > initialize c 1 (id 0) Error: HTTP 400 | 2025-11-25 legacy? | 19→, POST /mcp 400, Complete
          * The initialize request carries an Mcp-Session-Id; a new session begins without one (HL-006).
    [4] > tools/list (id 1) Ok: 0 tools in 2 ms | 2026-07-28 modern | 22→24, POST /mcp 200, Complete
    session from entry 2: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    session from entry 19: legacy, c 1 → ?, asked for 2025-11-25; client can nothing; server can unknown
    session from entry 22: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn what_carries_no_request_is_accepted_with_202() {
    assert_snapshot!(told_after(r#"
        #3 POST /mcp session=k9 version=2025-11-25
        #3 body {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
        #3 200
        #4 POST /mcp session=k9 version=2025-11-25
        #4 body {"jsonrpc":"2.0","method":"notifications/custom"}
        #4 202 text/plain
        #4 reply Accepted
        #5 GET /mcp session=k9 version=2025-11-25
        #5 200 stream
        #5 event {"jsonrpc":"2.0","id":7,"method":"roots/list"}
        #6 POST /mcp session=k9 version=2025-11-25
        #6 body {"jsonrpc":"2.0","id":7,"result":{"roots":[]}}
        #6 400
        #7 POST /mcp session=k9 version=2025-11-25
        #7 body not json
        #7 400 json
        #7 reply {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}
        #8 POST /mcp session=k9 version=2025-11-25
        #8 ends client-gone
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 2 ms | 2025-11-25 legacy | 2→4, POST /mcp 200, Complete
      > 6 Notification notifications/initialized, POST /mcp 202, Complete
      > 9 Notification notifications/roots/list_changed, POST /mcp 200, Complete
          * It brought no request, and the server answered HTTP 200; what is accepted is answered with 202 (HX-005).
      > 12 Notification notifications/custom, POST /mcp 202, Complete
          * The response has the status 202 and a body of 8 bytes; it must have none (HX-005).
      > 15 Head GET /mcp, GET /mcp 200, 1 events with 1 messages, open
    [1] < roots/list (id 7) Ok: 0 roots in 2 ms | 2025-11-25 legacy | 17→19
          * The POST of entry 19 was refused with HTTP 400: the server has not taken it in (HX-006).
      > 22 NotJson, POST /mcp 400, Complete
      26 Lifecycle client disconnected, POST /mcp -, ClientGone
    session from entry 2: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    "#);
}

#[test]
fn a_batch_over_http() {
    assert_snapshot!(told(r#"
        #1 POST /mcp version=2025-03-26
        #1 body [{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"prompts/list"}]
        #1 200 json
        #1 reply [{"jsonrpc":"2.0","id":2,"result":{"prompts":[]}},{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}]
        #2 POST /mcp version=2025-03-26
        #2 body [{"jsonrpc":"2.0","id":3,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/custom"}]
        #2 400
        #3 POST /mcp version=2025-03-26
        #3 body [{"jsonrpc":"2.0","method":"notifications/custom"},{"jsonrpc":"2.0","method":"notifications/custom"}]
        #3 202
    "#), @r#"
    [0] > tools/list (id 1) Ok: 0 tools in 2 ms | 2025-03-26 legacy | 2→4.1, POST /mcp 200, Complete
    [1] > prompts/list (id 2) Ok: 0 prompts in 2 ms | 2025-03-26 legacy | 2.1→4, POST /mcp 200, Complete
    [2] > tools/list (id 3) Error: HTTP 400 | 2025-03-26 legacy | 6→, POST /mcp 400, Complete
      > 6 Batch batch 2 messages → [2]
      > 9 Batch batch 2 messages, POST /mcp 202, Complete
    "#);
}
