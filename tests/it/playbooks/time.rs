//! Cancellation, progress, logs, stderr, endings (reports T-19, T-55, T-57, T-58; protocol.md 4.3–4.5).

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::{notation, told};

#[test]
fn an_answer_after_the_cancellation_is_late_and_not_an_orphan() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":1}}}
        @ +989ms
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"timeout"}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":99}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
    "#), @r#"
    [0] > tools/call work (id 1) Late: cancelled, late in 992 ms | ? | 1→4
          2 Cancelled id 1 · timeout
          3 Progress 99 <late>
          * Progress in entry 3 came after it had been cancelled: the server went on for a while.
          * It was cancelled in entry 2 and answered nevertheless in entry 4: the answer was on its way or the server went on (CN-007). The client ignores it.
    [1] > tools/list (id 2) Ok: 0 tools in 1 ms | ? | 5→6
          7 Cancelled id 2
          * It was cancelled in entry 7 after it had been answered: the two crossed on the way, which is allowed (CN-003).
    "#);
}

#[test]
fn progress_for_longer_than_any_timeout_belongs_to_its_call() {
    let mut script =
        r#"> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"long","_meta":{"progressToken":"a"}}}"#
            .to_owned();
    for step in 1..=35 {
        let _ = write!(
            script,
            "\n@ +1999ms\n< {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":\"a\",\"progress\":{step}}}}}"
        );
    }
    script.push_str("\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}");
    let trace = notation::play(&script);
    let [call] = trace.exchanges() else { panic!("one exchange") };
    assert_eq!(call.attached.len(), 35);
    assert_eq!(call.duration(), Some(70_001_000_000));
    assert_eq!(trace.rows().len(), 1);
    assert!(trace.remarks(0).iter().all(|remark| !remark.contains("PR-")), "{:?}", trace.remarks(0));
}

#[test]
fn progress_without_a_token_or_with_one_of_another_type_matches_nothing() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work"}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":2}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"work","_meta":{"progressToken":"2"}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"2","progress":1}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
    "#), @r#"
    [0] > tools/call work (id 1) Ok: ok in 3 ms | ? | 1→4
      < 2 Notification notifications/progress 1 <unknown target>
          * No request in flight has this progress token: none was sent with it, it has another JSON type, or the request is older than the recording (PR-003).
      < 3 Notification notifications/progress 2 <unknown target>
          * No request in flight has this progress token: none was sent with it, it has another JSON type, or the request is older than the recording (PR-003).
    [1] > tools/call work (id 2) Ok: ok in 3 ms | ? | 5→8
          7 Progress 1
      < 6 Notification notifications/progress 1 <unknown target>
          * No request in flight has this progress token: none was sent with it, it has another JSON type, or the request is older than the recording (PR-003).
    "#);
}

#[test]
fn a_token_that_two_active_requests_share_is_ambiguous() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b","_meta":{"progressToken":1}}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
    "#), @r#"
    [0] > tools/call a (id 1) Ok: ok in 3 ms | ? | 1→4
          3 Progress 1 (possibly) <possible>
          * The request in entry 2 was active with the same progress token (PR-002); which of them the progress is about cannot be told.
    [1] > tools/call b (id 2) Ok: ok in 4 ms | ? | 2→6
          3 Progress 1 (possibly) <possible>
          5 Progress 2
          * The request in entry 1 was active with the same progress token (PR-002); which of them the progress is about cannot be told.
      < 3 Notification notifications/progress 1 → [0] <possible>
          * It may belong to one of the requests that were in flight; nothing in it tells to which.
    "#);
}

#[test]
fn logs_belong_to_the_one_modern_request_that_asked_for_them() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{$M,"io.modelcontextprotocol/logLevel":"debug"}}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b","_meta":{$M}}}
        < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"one"}}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"c","_meta":{$M,"io.modelcontextprotocol/logLevel":"info"}}}
        < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"two"}}
        ! and a line of stderr
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
        < {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
        < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"three"}}
    "#), @r#"
    [0] > tools/call a (id 1) Ok: ok in 6 ms | 2026-07-28 modern | 1→7
          3 Log info · one
          5 Log info · two (possibly) <possible>
          6 Stderr (possibly) <possible>
    [1] > tools/call b (id 2) Ok: ok in 6 ms | 2026-07-28 modern | 2→8
          6 Stderr (possibly) <possible>
    [2] > tools/call c (id 3) Ok: ok in 5 ms | 2026-07-28 modern | 4→9
          5 Log info · two (possibly) <possible>
          6 Stderr (possibly) <possible>
      < 5 Notification notifications/message info · two → [0] <possible>
          * It may belong to one of the requests that were in flight; nothing in it tells to which.
      < 6 Stderr → [0] <possible>
      < 10 Notification notifications/message info · three
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_request_of_the_server_belongs_to_the_one_call_in_flight_or_possibly_to_each() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
        < {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"sure?"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}
        < {"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}}
        < {"jsonrpc":"2.0","id":3,"method":"ping"}
        > {"jsonrpc":"2.0","id":3,"result":{}}
        > {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}
        > {"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"User rejected"}}
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    "#), @r#"
    [0] > tools/call a (id 1) Ok: ok in 9 ms | ? | 1→10
          2 Nested sure?
          4 Nested hi (possibly)
    [1] < elicitation/create sure? (id 1) Ok: declined in 5 ms | ? | 2→7
    [2] > tools/call b (id 2) Ok: ok in 6 ms | ? | 3→9
          4 Nested hi (possibly)
    [3] < sampling/createMessage hi (id 2) Error: -1 in 4 ms | ? | 4→8
    [4] < ping (id 3) Ok: ok in 1 ms | ? | 5→6
    "#);
}

#[test]
fn what_the_end_of_the_server_leaves_open_is_unanswered() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"crash"}}
        < {"jsonrpc":"2.0","id":1,"method":"roots/list"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        ! panicked
        % {"event":"signalled","signal":6}
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
        % {"event":"server-closed"}
    "#), @r#"
    [0] > tools/call crash (id 1) Unanswered: unanswered | ? | 1→
          2 Nested
          4 Stderr (possibly) <possible>
          * It was never answered: the server was killed.
    [1] < roots/list (id 1) Unanswered: unanswered | ? | 2→
          * It was never answered: the server was killed.
    [2] > tools/list (id 2) Ok: 0 tools in 3 ms | ? | 3→6
          4 Stderr (possibly) <possible>
      < 4 Stderr → [0] <possible>
      5 Lifecycle killed by signal 6
      7 Lifecycle stdout closed by the server
    "#);
}

#[test]
fn a_stream_that_never_brings_anything_is_pending_until_the_recording_ends() {
    let script = r#"
        # 1 POST version=2025-06-18
        #1> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang"}}
    "#;
    assert_snapshot!(told(script), @r#"
    [0] > tools/call hang (id 1) Pending: pending | 2025-06-18 legacy | 1→
    "#);
    let mut trace = notation::play(script);
    trace.end(240_000_000_000);
    assert_snapshot!(super::told::told(&trace), @r#"
    [0] > tools/call hang (id 1) Unanswered: unanswered | 2025-06-18 legacy | 1→
          * It was never answered: the recording ends first.
    "#);
}

#[test]
fn progress_of_one_http_session_is_never_put_down_to_another() {
    assert_snapshot!(told(r#"
        # 1 POST session=a
        # 2 GET session=a
        # 3 GET session=b
        #1> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":1}}}
        #3< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
        #2< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}
        #1< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #3< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":3}}
    "#), @r#"
    [0] > tools/call t (id 1) Ok: ok in 3 ms | 2025-03-26 legacy? | 1→4
          3 Progress 2
      < 2 Notification notifications/progress 1 <unknown target>
          * No request in flight has this progress token: none was sent with it, it has another JSON type, or the request is older than the recording (PR-003).
      < 5 Notification notifications/progress 3 <unknown target>
          * No request in flight has this progress token: none was sent with it, it has another JSON type, or the request is older than the recording (PR-003).
    "#);
}
