//! What must not be linked over HTTP (protocol.md 4.2, 4.4; report T-18).

use insta::assert_snapshot;

use super::told;

#[test]
fn overlapping_requests_with_one_id_do_not_cross() {
    assert_snapshot!(told(r#"
        #1 POST /mcp session=k version=2025-06-18
        #1 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
        #2 POST /mcp session=k version=2025-06-18
        #2 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fast"}}
        #2 200 json
        #2 reply {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #1 200 stream
        #1 event {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}
        #1 ends
    "#), @r#"
    [0] > tools/call slow (id 1) Failed: tool error in 6 ms | 2025-06-18 legacy | 2→8, POST /mcp 200, 1 events with 1 messages, Complete
          * Two requests with the id 1 were in flight in this session at once (JR-005), this one and entry 4; their answers are told apart by the HTTP request that each came on. A server that looks only at the id would mix them up.
    [1] > tools/call fast (id 1) Ok: ok in 2 ms | 2025-06-18 legacy | 4→6, POST /mcp 200, Complete
          * Two requests with the id 1 were in flight in this session at once (JR-005), this one and entry 2; their answers are told apart by the HTTP request that each came on. A server that looks only at the id would mix them up.
    "#);
}

#[test]
fn modern_requests_share_nothing_but_their_number() {
    assert_snapshot!(told(r#"
        #1 POST /mcp version=2026-07-28 method=x/a
        #1 body {"jsonrpc":"2.0","id":1,"method":"x/a","params":{"_meta":{$M}}}
        #2 POST /mcp version=2026-07-28 method=x/b
        #2 body {"jsonrpc":"2.0","id":1,"method":"x/b","params":{"_meta":{$M}}}
        #2 200 stream
        #2 event {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"b"}}
        #1 200 json
        #1 reply {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}
        #2 event {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}
        #2 ends
    "#), @r#"
    [0] > x/a (id 1) Unanswered: HTTP 200 | 2026-07-28 modern | 2→, POST /mcp 200, Complete
          * The response has the status 200 and no answer in it: a request is answered with JSON or a stream of events (HX-007).
          * The response's body, entry 8, answers another id than was asked here (HX-008), so it is not taken for the answer.
    [1] > x/b (id 1) Ok: ok in 5 ms | 2026-07-28 modern | 4→9, POST /mcp 200, 2 events with 2 messages, Complete
          6 Log info · b
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_stream_is_not_resumed_with_an_id_of_another_session() {
    assert_snapshot!(told(r#"
        #1 POST /mcp session=one version=2025-11-25
        #1 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        #1 200 stream
        #1 event id=e1
        #1 ends
        #2 POST /mcp session=two version=2025-11-25
        #2 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b"}}
        #2 200 stream
        #2 event id=e1
        #2 ends
        #3 GET /mcp session=two version=2025-11-25 last=e1
        #3 200 stream
        #3 event id=e2 {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #3 ends
    "#), @r#"
    [0] > tools/call a (id 1) Pending: pending | 2025-11-25 legacy | 2→, POST /mcp 200, 1 events with 0 messages, Complete
          * The server ended the stream before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get the answer there.
    [1] > tools/call b (id 1) Ok: ok in 6 ms | 2025-11-25 legacy | 7→13, POST /mcp 200, 1 events with 0 messages, Complete
          * The server ended the stream before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get the answer there.
      > 11 Head GET /mcp, GET /mcp 200, 1 events with 1 messages, Complete
          * It continues the stream of the event in entry 9, by its Last-Event-ID.
    "#);
}

#[test]
fn documents_of_oauth_are_no_messages() {
    assert_snapshot!(told(r#"
        #1 GET /.well-known/oauth-protected-resource
        #1 200 json
        #1 reply {"resource":"http://h/mcp","id":1,"result":{}}
        #2 POST /token | Content-Type: application/x-www-form-urlencoded
        #2 body grant_type=refresh_token&refresh_token=x
        #2 400 json
        #2 reply {"error":"invalid_grant","error_description":"expired"}
        #3 POST /register
        #3 body {"client_name":"c","redirect_uris":[]}
        #3 201 json
        #3 reply {"client_id":"1"}
        #4 GET /
        #4 200 text/html
        #4 reply <html></html>
    "#), @r#"
    > 1 Head GET /.well-known/oauth-protected-resource, GET /.well-known/oauth-protected-resource 200, Complete
    > 5 Body, POST /token 400, Complete
    > 9 Body, POST /register 201, Complete
    > 12 Head GET /, GET / 200, Complete
    "#);
}

#[test]
fn what_a_listening_stream_brings_belongs_to_no_request() {
    assert_snapshot!(told(r#"
        #1 GET /mcp session=k version=2025-11-25
        #1 200 stream
        #2 POST /mcp session=k version=2025-11-25
        #2 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        #1 event {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        #1 event {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}
        #3 POST /mcp session=k version=2025-11-25
        #3 body {"jsonrpc":"2.0","id":1,"result":{"model":"m"}}
        #3 202
        #2 200 json
        #2 reply {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #1 raw : ping\n\n
        #1 ends client-gone
    "#), @r#"
      > 1 Head GET /mcp, GET /mcp 200, 3 events with 2 messages, ClientGone
    [0] > tools/call a (id 1) Ok: ok in 7 ms | 2025-11-25 legacy | 4→11, POST /mcp 200, Complete
          6 Nested (possibly)
      < 5 Notification notifications/tools/list_changed
    [1] < sampling/createMessage (id 1) Ok: m in 2 ms | 2025-11-25 legacy | 6→8
    "#);
}

#[test]
fn a_lost_request_is_linked_to_its_repetition_only_when_there_is_one() {
    let call = |channel: u32, name: &str, end: &str| {
        format!(
            r#"
            #{channel} POST /mcp version=2026-07-28 method=x/{name}
            #{channel} body {{"jsonrpc":"2.0","id":{channel},"method":"x/{name}","params":{{"_meta":{{$M}},"n":1}}}}
            #{channel} 200 stream
            {end}
            "#
        )
    };
    let gone = |channel: u32| format!("#{channel} ends server-gone");
    let answer = |channel: u32| {
        format!("#{channel} event {{\"jsonrpc\":\"2.0\",\"id\":{channel},\"result\":{{}}}}\n#{channel} ends")
    };
    let script = [
        // Two that are alike were lost, and one comes again.
        call(1, "twice", ""),
        call(2, "twice", &format!("{}\n{}", gone(1), gone(2))),
        call(3, "twice", &answer(3)),
        // The client gave this one up itself.
        call(4, "given-up", "#4 ends client-gone"),
        call(5, "given-up", &answer(5)),
        // One that was lost, and comes again once.
        call(6, "lost", &gone(6)),
        call(7, "lost", &answer(7)),
        call(8, "lost", &answer(8)),
        // One that is lost twice.
        call(9, "again", &gone(9)),
        call(10, "again", &gone(10)),
        call(11, "again", &answer(11)),
    ];
    assert_snapshot!(told(&script.concat()), @r#"
    [0] > x/twice (id 1) Unanswered: unanswered | 2026-07-28 modern | 2→, POST /mcp 200, ServerGone
          * The server broke the connection off before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again under a new id (HM-022).
    [1] > x/twice (id 2) Unanswered: unanswered | 2026-07-28 modern | 5→, POST /mcp 200, ServerGone
          * The server broke the connection off before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again under a new id (HM-022).
    [2] > x/twice (id 3) Ok: ok in 2 ms | 2026-07-28 modern | 10→12, POST /mcp 200, 1 events with 1 messages, Complete
    [3] > x/given-up (id 4) Cancelled: cancelled by disconnect | 2026-07-28 modern | 15→, POST /mcp 200, ClientGone
          * The client closed the connection before the answer, which cancels the request.
    [4] > x/given-up (id 5) Ok: ok in 2 ms | 2026-07-28 modern | 19→21, POST /mcp 200, 1 events with 1 messages, Complete
    [5] > x/lost (id 6) Unanswered: unanswered | 2026-07-28 modern | 24→, POST /mcp 200, ServerGone
          * The server broke the connection off before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again under a new id (HM-022).
    [6] > x/lost (id 7) Ok: ok in 2 ms | 2026-07-28 modern | 28→30, POST /mcp 200, 1 events with 1 messages, Complete
    [7] > x/lost (id 8) Ok: ok in 2 ms | 2026-07-28 modern | 33→35, POST /mcp 200, 1 events with 1 messages, Complete
    [8] > x/again (id 9) Unanswered: unanswered | 2026-07-28 modern | 38→, POST /mcp 200, ServerGone
          * The server broke the connection off before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again under a new id (HM-022).
    [9] > x/again (id 10) Unanswered: unanswered | 2026-07-28 modern | 42→, POST /mcp 200, ServerGone
          * The server broke the connection off before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again under a new id (HM-022).
    [10] > x/again (id 11) Ok: ok in 2 ms | 2026-07-28 modern | 46→48, POST /mcp 200, 1 events with 1 messages, Complete
    operation 0: Reissue: [5] First, [6] Reissued; 2 rounds, 6 ms
    operation 1: Reissue: [8] First, [9] Reissued, [10] Reissued; 3 rounds, 10 ms
    session from entry 2: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}
