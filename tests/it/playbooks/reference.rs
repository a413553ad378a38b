//! The reference conversations of protocol.md 9.1–9.8.

use insta::assert_snapshot;

use super::told;

/// The opening of a legacy conversation under 2025-11-25.
const OPENING: &str = r#"
    > {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"c","version":"1"}}}
    < {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}}
    > {"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

#[test]
fn a_legacy_conversation_with_a_server_request_progress_and_a_cancellation() {
    let script = r#"
        < {"jsonrpc":"2.0","id":0,"method":"roots/list"}
        > {"jsonrpc":"2.0","id":0,"result":{"roots":[{"uri":"file:///w"}]}}
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"index","arguments":{},"_meta":{"progressToken":"t1"}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t1","progress":1,"total":9}}
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"user"}}
    "#;
    assert_snapshot!(told(&format!("{OPENING}{script}")), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 1 ms | 2025-11-25 legacy | 1→2
      > 3 Notification notifications/initialized
    [1] < roots/list (id 0) Ok: 1 root in 1 ms | 2025-11-25 legacy | 4→5
    [2] > tools/call index (id 1) Cancelled: cancelled | 2025-11-25 legacy | 6→
          7 Progress 1 of 9
          8 Cancelled id 1 · user
    session from entry 1: legacy, c 1 → s 1, 2025-11-25; client can roots roots.listChanged; server can tools tools.listChanged
    "#);
}

#[test]
fn progress_that_does_not_rise_is_remarked() {
    let script = r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"index","_meta":{"progressToken":"t1"}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t1","progress":1}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t1","progress":1}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t1","progress":2}}
    "#;
    assert_snapshot!(told(&format!("{OPENING}{script}")), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 1 ms | 2025-11-25 legacy | 1→2
      > 3 Notification notifications/initialized
    [1] > tools/call index (id 1) Ok: ok in 3 ms | 2025-11-25 legacy | 4→7
          5 Progress 1
          6 Progress 1
          8 Progress 2 <late>
          * Progress in entry 6 is not more than before (PR-004); it has to rise each time.
          * Progress in entry 8 came after the request was over (PR-005).
    session from entry 1: legacy, c 1 → s 1, 2025-11-25; client can roots roots.listChanged; server can tools tools.listChanged
    "#);
}

#[test]
fn a_probe_that_a_legacy_server_refuses() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":"p","method":"server/discover","params":{"_meta":{$M}}}
        < {"jsonrpc":"2.0","id":"p","error":{"code":-32600,"message":"not initialized"}}
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
    "#), @r#"
    [0] > server/discover (id "p") Error: -32600 in 1 ms | 2026-07-28 modern | 1→2
    [1] > initialize c 1 (id 1) Ok: s 1 in 1 ms | 2025-06-18 legacy | 3→4
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    session from entry 3: legacy, c 1 → s 1, 2025-06-18; client can nothing; server can nothing
    "#);
}

#[test]
fn a_probe_that_is_answered_after_initialize_was_sent() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":"p","method":"server/discover","params":{"_meta":{$M}}}
        @ +10000ms
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        < {"jsonrpc":"2.0","id":"p","error":{"code":-32601,"message":"no such method"}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
    "#), @r#"
    [0] > server/discover (id "p") Error: -32601 in 10002 ms | 2026-07-28 modern | 1→3
          * This answer to the probe came after the client had sent initialize: the client had stopped waiting and ignores it.
    [1] > initialize c 1 (id 1) Ok: s 1 in 2 ms | 2025-11-25 legacy | 2→4
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    session from entry 2: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    "#);
}

#[test]
fn two_listens_interleaved_with_a_call_in_two_rounds() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{$M},"notifications":{"toolsListChanged":true}}}
        > {"jsonrpc":"2.0","id":"1","method":"subscriptions/listen","params":{"_meta":{$M},"notifications":{"resourceSubscriptions":["file:///a"]}}}
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"},"notifications":{"resourceSubscriptions":["file:///a"]}}}
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{$M(elicitation)},"name":"deploy","arguments":{"env":"eu"}}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"ok":{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{"yes":{"type":"boolean"}}}}}},"requestState":"s1"}}
        < {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"},"uri":"file:///a/b"}}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{$M(elicitation)},"name":"deploy","arguments":{"env":"eu"},"inputResponses":{"ok":{"action":"accept","content":{"yes":true}}},"requestState":"s1"}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}}
        % {"event":"client-closed"}
        % {"event":"exited","code":0}
    "#), @r#"
    [0] > subscriptions/listen tools (id 1) Closed: ended with the connection | 2026-07-28 modern | 1→
          4 Acknowledged tools
    [1] > subscriptions/listen file:///a (id "1") Closed: ended with the connection | 2026-07-28 modern | 2→
          3 Acknowledged file:///a
          7 Subscription file:///a/b
    [2] > tools/call deploy (id 2) Ok: input required · elicitation in 1 ms | 2026-07-28 modern | 5→6
          * It is request 1 of 2 of one operation that began with entry 5 and took 4.0 ms.
    [3] > tools/call deploy (id 3) Ok: ok in 1 ms | 2026-07-28 modern | 8→9
          * It is request 2 of 2 of one operation that began with entry 5 and took 4.0 ms.
      10 Lifecycle stdin closed by the host
      11 Lifecycle exited 0
    operation 0: Rounds: [2] First, [3] Round; 2 rounds, 4 ms
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can elicitation; server can unknown
    "#);
}

#[test]
fn a_modern_call_over_http() {
    assert_snapshot!(told(r#"
        # 7 POST version=2026-07-28
        #7> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{$M},"name":"weather","arguments":{"city":"Malmö"}}}
        #7< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"looking"}}
        #7< {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"w","version":"2"}}}}
    "#), @r#"
    [0] > tools/call weather (id 7) Ok: ok in 2 ms | 2026-07-28 modern | 1→3
          2 Log info · looking
    session from entry 1: modern, probe 0.1 → w 2, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_legacy_session_over_http_whose_stream_is_resumed() {
    assert_snapshot!(told(r#"
        # 1 POST
        #1> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        # 1 POST session=k9
        #1< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        # 2 POST session=k9 version=2025-11-25
        #2> {"jsonrpc":"2.0","method":"notifications/initialized"}
        # 3 POST session=k9 version=2025-11-25
        #3> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1}}}
        # 4 GET session=k9 version=2025-11-25 resumes=a1
        #4< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
        #4< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        # 5 GET session=k9 version=2025-11-25 resumes=a1
        #5< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 1 ms | 2025-11-25 legacy | 1→2
      > 3 Notification notifications/initialized
    [1] > tools/call slow (id 1) Ok: ok in 2 ms | 2025-11-25 legacy | 4→6
          5 Progress 1
          7 DuplicateAnswer slow <duplicate>
          * Its answer came again in entry 7, on a stream that continues an earlier one.
    session from entry 1: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can nothing
    "#);
}

#[test]
fn the_old_http_and_sse_transport() {
    assert_snapshot!(told(r#"
        # 1 SSE peer=a
        # 2 POST peer=a
        #2> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        #1< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        # 3 POST peer=a
        #3> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}
        #1< {"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
        # 4 POST peer=a
        #4> {"jsonrpc":"2.0","id":0,"result":{"role":"assistant","content":{"type":"text","text":"hi"},"model":"m"}}
        #1< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 1 ms | 2024-11-05 legacy | 1→2
    [1] > tools/call ask (id 1) Ok: ok in 3 ms | 2024-11-05 legacy | 3→6
          4 Nested
    [2] < sampling/createMessage (id 0) Ok: m in 1 ms | 2024-11-05 legacy | 4→5
    session from entry 1: legacy, c 1 → s 1, 2024-11-05; client can nothing; server can nothing
    "#);
}

#[test]
fn a_batch_over_http_is_answered_out_of_order() {
    assert_snapshot!(told(r#"
        # 1 POST version=2025-03-26
        #1> [{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"prompts/list"},{"jsonrpc":"2.0","method":"notifications/custom"},7]
        #1< [{"jsonrpc":"2.0","id":2,"result":{"prompts":[]}},{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}]
        #1< []
    "#), @r#"
    [0] > tools/list (id 1) Ok: 0 tools in 1 ms | 2025-03-26 legacy | 1→2.1
    [1] > prompts/list (id 2) Ok: 0 prompts in 1 ms | 2025-03-26 legacy | 1.1→2
      > 1 Batch batch 4 messages → [0]
      < 3 Batch batch 0 messages
          * The batch is empty (JR-019).
    "#);
}

#[test]
fn a_task_of_the_extension() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{$M},"name":"build"}}
        < {"jsonrpc":"2.0","id":5,"result":{"resultType":"task","taskId":"t-9f2c","status":"working","createdAt":"2026-08-01T00:00:00Z","lastUpdatedAt":"2026-08-01T00:00:00Z","ttlMs":null,"pollIntervalMs":500}}
        @ +500ms
        > {"jsonrpc":"2.0","id":6,"method":"tasks/get","params":{"_meta":{$M},"taskId":"t-9f2c"}}
        < {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","taskId":"t-9f2c","status":"input_required","ttlMs":null,"inputRequests":{"q":{"method":"roots/list"}}}}
        > {"jsonrpc":"2.0","id":7,"method":"tasks/update","params":{"_meta":{$M},"taskId":"t-9f2c","inputResponses":{"q":{"roots":[]}}}}
        < {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}
        @ +500ms
        > {"jsonrpc":"2.0","id":8,"method":"tasks/get","params":{"_meta":{$M},"taskId":"t-9f2c"}}
        < {"jsonrpc":"2.0","id":8,"result":{"resultType":"complete","taskId":"t-9f2c","status":"completed","ttlMs":null,"result":{"content":[]}}}
    "#), @r#"
    [0] > tools/call build (id 5) Ok: task working in 1 ms | 2026-07-28 modern | 1→2
          * It is request 1 of 4 of one operation that began with entry 1 and took 1.007 s.
    [1] > tasks/get t-9f2c (id 6) Ok: task input required in 1 ms | 2026-07-28 modern | 3→4
          * It is request 2 of 4 of one operation that began with entry 1 and took 1.007 s.
    [2] > tasks/update t-9f2c (id 7) Ok: ok in 1 ms | 2026-07-28 modern | 5→6
          * It is request 3 of 4 of one operation that began with entry 1 and took 1.007 s.
    [3] > tasks/get t-9f2c (id 8) Ok: task completed in 1 ms | 2026-07-28 modern | 7→8
          * It is request 4 of 4 of one operation that began with entry 1 and took 1.007 s.
    operation 0: Task t-9f2c completed: [0] First, [1] Poll, [2] Update, [3] Poll; 4 rounds, 1007 ms
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}
