//! Operations: rounds, tasks, pages, negotiation (report T-26; protocol.md 4.6–4.8).

use insta::assert_snapshot;

use super::told;

#[test]
fn one_call_in_two_rounds_is_one_operation_with_its_full_duration() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M},"name":"deploy","arguments":{"env":"eu"}}}
        @ +500ms
        < {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"ok":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"s\u0031"}}
        @ +5000ms
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{$M},"name":"deploy","arguments":{"env":"eu"},"inputResponses":{"ok":{"action":"accept"}},"requestState":"s\u0031"}}
        @ +496ms
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}
    "#), @r#"
    [0] > tools/call deploy (id 1) Ok: input required · elicitation in 501 ms | 2026-07-28 modern | 1→2
          * It is request 1 of 2 of one operation that began with entry 1 and took 5.999 s.
    [1] > tools/call deploy (id 2) Ok: ok in 497 ms | 2026-07-28 modern | 3→4
          * It is request 2 of 2 of one operation that began with entry 1 and took 5.999 s.
    operation 0: Rounds: [0] First, [1] Round; 2 rounds, 5999 ms
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn parallel_calls_of_one_tool_are_linked_by_their_state_and_not_by_their_order() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M},"name":"t","arguments":{"n":1}}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{$M},"name":"t","arguments":{"n":2}}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}},"requestState":"two"}}
        < {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}},"requestState":"one"}}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{$M},"name":"t","arguments":{"n":3}}}
        > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"_meta":{$M},"name":"t","arguments":{"n":1},"inputResponses":{"q":{"roots":[]}},"requestState":"one"}}
        > {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{$M},"name":"t","arguments":{"n":2},"inputResponses":{"q":{"roots":[]}},"requestState":"two"}}
        < {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[]}}
        < {"jsonrpc":"2.0","id":4,"result":{"resultType":"input_required","requestState":"three"}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[]}}
        > {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"_meta":{$M},"name":"t","arguments":{"n":1},"requestState":"three"}}
        < {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","content":[]}}
    "#), @r#"
    [0] > tools/call t (id 1) Ok: input required · roots in 3 ms | 2026-07-28 modern | 1→4
          * It is request 1 of 3 of one operation that began with entry 1 and took 11.0 ms.
    [1] > tools/call t (id 2) Ok: input required · roots in 1 ms | 2026-07-28 modern | 2→3
          * It is request 1 of 2 of one operation that began with entry 2 and took 6.0 ms.
    [2] > tools/call t (id 3) Ok: ok in 5 ms | 2026-07-28 modern | 5→10
    [3] > tools/call t (id 4) Ok: input required in 3 ms | 2026-07-28 modern | 6→9
          * It is request 2 of 3 of one operation that began with entry 1 and took 11.0 ms.
    [4] > tools/call t (id 5) Ok: ok in 1 ms | 2026-07-28 modern | 7→8
          * It is request 2 of 2 of one operation that began with entry 2 and took 6.0 ms.
    [5] > tools/call t (id 6) Ok: ok in 1 ms | 2026-07-28 modern | 11→12
          * It is request 3 of 3 of one operation that began with entry 1 and took 11.0 ms.
    operation 0: Rounds: [0] First, [3] Round, [5] Round; 3 rounds, 11 ms
    operation 1: Rounds: [1] First, [4] Round; 2 rounds, 6 ms
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_changed_missing_or_invented_state_is_remarked_and_a_retry_with_its_old_id_too() {
    let asks = |id: u32, state: &str| {
        format!(
            r#"
            > {{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"_meta":{{$M}},"name":"t{id}"}}}}
            < {{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{{"q":{{"method":"roots/list"}}}}{state}}}}}
            "#
        )
    };
    let retries = |id: u32, of: u32, state: &str| {
        format!(
            r#"
            > {{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"_meta":{{$M}},"name":"t{of}","inputResponses":{{"q":{{"roots":[]}}}}{state}}}}}
            < {{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[]}}}}
            "#
        )
    };
    let state = r#","requestState":"abc""#;
    let script = [
        asks(1, state),
        retries(11, 1, r#","requestState":"abd""#),
        asks(2, state),
        retries(12, 2, ""),
        asks(3, ""),
        retries(13, 3, state),
        asks(4, state),
        retries(4, 4, state),
        asks(5, state),
        // An unrelated call with answers to other questions.
        r#"
        > {"jsonrpc":"2.0","id":15,"method":"tools/call","params":{"_meta":{$M},"name":"t5","inputResponses":{"other":{"roots":[]}}}}
        < {"jsonrpc":"2.0","id":15,"result":{"resultType":"complete","content":[]}}
        "#
        .to_owned(),
    ];
    assert_snapshot!(told(&script.concat()), @r#"
    [0] > tools/call t1 (id 1) Ok: input required · roots in 1 ms | 2026-07-28 modern | 1→2
          * It is request 1 of 2 of one operation that began with entry 1 and took 3.0 ms.
    [1] > tools/call t1 (id 11) Ok: ok in 1 ms | 2026-07-28 modern | 3→4
          * It is request 2 of 2 of one operation that began with entry 1 and took 3.0 ms.
          * The retry carries another requestState than the server gave (MR-005): it was changed on the way, or belongs to another request. It is linked by its answers.
    [2] > tools/call t2 (id 2) Ok: input required · roots in 1 ms | 2026-07-28 modern | 5→6
          * It is request 1 of 2 of one operation that began with entry 5 and took 3.0 ms.
    [3] > tools/call t2 (id 12) Ok: ok in 1 ms | 2026-07-28 modern | 7→8
          * It is request 2 of 2 of one operation that began with entry 5 and took 3.0 ms.
          * The retry carries no requestState although the server gave one (MR-005). It is linked by its answers.
    [4] > tools/call t3 (id 3) Ok: input required · roots in 1 ms | 2026-07-28 modern | 9→10
          * It is request 1 of 2 of one operation that began with entry 9 and took 3.0 ms.
    [5] > tools/call t3 (id 13) Ok: ok in 1 ms | 2026-07-28 modern | 11→12
          * It is request 2 of 2 of one operation that began with entry 9 and took 3.0 ms.
          * The retry carries a requestState although the server gave none (MR-006). It is linked by its answers.
    [6] > tools/call t4 (id 4) Ok: input required · roots in 1 ms | 2026-07-28 modern | 13→14
          * It is request 1 of 2 of one operation that began with entry 13 and took 3.0 ms.
    [7] > tools/call t4 (id 4) Ok: ok in 1 ms | 2026-07-28 modern | 15→16
          * It is request 2 of 2 of one operation that began with entry 13 and took 3.0 ms.
          * The retry has the id 4 of the round before; it needs a new one (MR-004).
    [8] > tools/call t5 (id 5) Ok: input required · roots in 1 ms | 2026-07-28 modern | 17→18
    [9] > tools/call t5 (id 15) Ok: ok in 1 ms | 2026-07-28 modern | 19→20
    operation 0: Rounds: [0] First, [1] Round; 2 rounds, 3 ms
    operation 1: Rounds: [2] First, [3] Round; 2 rounds, 3 ms
    operation 2: Rounds: [4] First, [5] Round; 2 rounds, 3 ms
    operation 3: Rounds: [6] First, [7] Round; 2 rounds, 3 ms
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_core_task_is_one_operation_and_keeps_its_progress_token() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        < {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}}
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","task":{"ttl":60000},"_meta":{"progressToken":9}}}
        < {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t1","status":"working","createdAt":"","lastUpdatedAt":"","ttl":60000}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}
        < {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t1","status":"input_required"}}
        > {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t1"}}
        < {"jsonrpc":"2.0","id":2,"result":{"taskId":"t1","status":"input_required"}}
        > {"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"t1"}}
        < {"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"message":"?","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}}
        > {"jsonrpc":"2.0","id":0,"result":{"action":"accept","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}}
        < {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t1","status":"completed"}}
        < {"jsonrpc":"2.0","id":3,"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":2}}
        > {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"unknown"}}
        < {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"unknown task"}}
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 1 ms | 2025-11-25 legacy | 1→2
    [1] > tools/call build (id 1) Ok: task working in 1 ms | 2025-11-25 legacy | 3→4
          5 Progress 1
          6 TaskStatus t1 · input_required
          10 Nested ?
          12 TaskStatus t1 · completed
          14 Progress 2 <late>
          * It is request 1 of 4 of one operation that began with entry 3 and took 10.0 ms.
          * Progress in entry 14 came after the request was over (PR-005).
    [2] > tasks/get t1 (id 2) Ok: task input required in 1 ms | 2025-11-25 legacy | 7→8
          * It is request 2 of 4 of one operation that began with entry 3 and took 10.0 ms.
    [3] > tasks/result t1 (id 3) Ok: ok in 4 ms | 2025-11-25 legacy | 9→13
          * It is request 3 of 4 of one operation that began with entry 3 and took 10.0 ms.
    [4] < elicitation/create ? (id 0) Ok: accepted in 1 ms | 2025-11-25 legacy | 10→11
          * It is request 4 of 4 of one operation that began with entry 3 and took 10.0 ms.
    [5] > tasks/get unknown (id 4) Error: -32602 in 1 ms | 2025-11-25 legacy | 15→16
    operation 0: CoreTask t1 completed: [1] First, [2] Poll, [3] Fetch, [4] Nested; 3 rounds, 10 ms
    operation 1: CoreTask unknown : [5] Poll; 1 rounds, goes on
    session from entry 1: legacy, c 1 → s 1, 2025-11-25; client can nothing; server can tasks tasks.requests tasks.requests.tools tasks.requests.tools.call
    "#);
}

#[test]
fn rounds_that_lead_to_a_task_are_the_same_operation_and_its_notifications_come_by_subscription() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M},"name":"t"}}
        < {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{$M},"name":"t","requestState":"s"}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"t1","status":"working"}}
        > {"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"_meta":{$M},"notifications":{"taskIds":["t1"]}}}
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3},"notifications":{"taskIds":["t1"]}}}
        < {"jsonrpc":"2.0","method":"notifications/tasks","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3},"taskId":"t1","status":"completed","result":{}}}
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
    "#), @r#"
    [0] > tools/call t (id 1) Ok: input required in 1 ms | 2026-07-28 modern | 1→2
          7 TaskStatus t1 · completed
          * It is request 1 of 2 of one operation that began with entry 1 and took 6.0 ms.
    [1] > tools/call t (id 2) Ok: task working in 1 ms | 2026-07-28 modern | 3→4
          * It is request 2 of 2 of one operation that began with entry 1 and took 6.0 ms.
    [2] > subscriptions/listen t1 (id 3) Closed: ended by the client | 2026-07-28 modern | 5→
          6 Acknowledged t1
          7 Subscription t1 · completed
          8 Cancelled id 3
    operation 0: Rounds t1 completed: [0] First, [1] Round; 2 rounds, 6 ms
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn pages_follow_their_cursors_even_an_empty_one() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}],"nextCursor":""}}
        > {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{"cursor":""}}
        < {"jsonrpc":"2.0","id":2,"result":{"prompts":[]}}
        > {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":""}}
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b"}],"nextCursor":"x"}}
        > {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}
        < {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
    "#), @r#"
    [0] > tools/list (id 1) Ok: 1 tool, more in 1 ms | ? | 1→2
    [1] > prompts/list (id 2) Ok: 0 prompts in 1 ms | ? | 3→4
    [2] > tools/list (id 3) Ok: 1 tool, more in 1 ms | ? | 5→6
    [3] > tools/list x (id 4) Ok: 0 tools in 1 ms | ? | 7→8
    operation 0: Pages: [0] First, [2] Page, [3] Page; 3 rounds, 7 ms
    "#);
}

#[test]
fn a_request_refused_for_its_revision_is_linked_to_its_repetition() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported","data":{"supported":["2026-07-28"],"requested":"2030-01-01"}}}
        > {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{$M}}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"3"}}}}
    "#), @r#"
    [0] > server/discover (id 1) Error: -32022 in 1 ms | 2030-01-01 modern | 1→2
          * 2030-01-01 is not a revision that midwire knows; it is read by the rules of 2026-07-28.
    [1] > server/discover (id 2) Ok: 1 version in 1 ms | 2026-07-28 modern | 3→4
    operation 0: Negotiation: [0] First, [1] Again; 2 rounds, 3 ms
    session from entry 1: modern, probe 0.1 → s 3, 2026-07-28; client can nothing; server can tools
    "#);
}

#[test]
fn a_finished_elicitation_by_url_belongs_to_the_request_that_asked() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"connect"}}
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"needs a login","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://x","message":"log in"}]}}}
        < {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}
        < {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e2"}}
    "#), @r#"
    [0] > tools/call connect (id 1) Error: -32042 in 1 ms | ? | 1→2
          3 Notification e1
      < 4 Notification notifications/elicitation/complete e2 <unknown target>
          * The elicitation that it names is not in the recording: it is older, or there is none.
    "#);
}

#[test]
fn a_subscription_that_the_server_ends_and_one_that_goes_on_after_its_end() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{$M},"notifications":{"toolsListChanged":true}}}
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}}
        < {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}
        > {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"_meta":{$M},"notifications":{"toolsListChanged":true}}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
    "#), @r#"
    [0] > subscriptions/listen tools (id 1) Closed: ended by the server | 2026-07-28 modern | 1→
          2 Acknowledged tools
          3 Cancelled id 1
          4 Subscription <late>
      < 5 Notification notifications/tools/list_changed <unknown target>
          * The subscription or task that it names is not in the recording: it is older, or there is none.
    [1] > subscriptions/listen tools (id 2) Ok: ended in 1 ms | 2026-07-28 modern | 6→7
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}
