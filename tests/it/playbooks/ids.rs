//! Ids: of which request an answer is (reports T-18, T-22, T-23; protocol.md 4.2, 4.9).

use std::fmt::Write as _;

use insta::assert_snapshot;
use midwire::trace::Status;

use super::{notation, told};

#[test]
fn overlapping_requests_with_one_id_are_told_apart_by_their_http_request() {
    assert_snapshot!(told(r#"
        # 1 POST session=k version=2025-06-18
        # 2 POST session=k version=2025-06-18
        #1> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
        #2> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fast"}}
        #2< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #1< {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}
    "#), @r#"
    [0] > tools/call slow (id 1) Failed: tool error in 3 ms | 2025-06-18 legacy | 1→4
          * Two requests with the id 1 were in flight in this session at once (JR-005), this one and entry 2; their answers are told apart by the HTTP request that each came on. A server that looks only at the id would mix them up.
    [1] > tools/call fast (id 1) Ok: ok in 1 ms | 2025-06-18 legacy | 2→3
          * Two requests with the id 1 were in flight in this session at once (JR-005), this one and entry 1; their answers are told apart by the HTTP request that each came on. A server that looks only at the id would mix them up.
    "#);
}

#[test]
fn overlapping_requests_with_one_id_on_one_pipe_are_not_told_apart() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fast"}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"again"}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    "#), @r#"
    [0] > tools/call slow (id 1) Ambiguous: ambiguous | ? | 1→
          3 PossibleAnswer slow (possibly) <ambiguous>
          4 PossibleAnswer slow (possibly) <ambiguous>
          * Two requests with the id 1 were in flight on this channel at once (JR-005), this one and entry 2; which answer belongs to which cannot be told.
          * The answers that may be its own are listed with it; none of them is taken for it.
    [1] > tools/call fast (id 1) Ambiguous: ambiguous | ? | 2→
          3 PossibleAnswer slow (possibly) <ambiguous>
          4 PossibleAnswer slow (possibly) <ambiguous>
          5 PossibleAnswer fast (possibly) <ambiguous>
          * Two requests with the id 1 were in flight on this channel at once (JR-005), this one and entry 1; which answer belongs to which cannot be told.
          * The answers that may be its own are listed with it; none of them is taken for it.
    [2] > tools/call again (id 1) Ok: ok in 1 ms | ? | 6→7
    "#);
}

#[test]
fn one_answer_to_two_requests_with_one_id_stays_possible_when_the_server_ends() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fast"}}
        < {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        % {"event":"exited","code":1}
    "#), @r#"
    [0] > tools/call slow (id 1) Ambiguous: ambiguous | ? | 1→
          3 PossibleAnswer slow (possibly) <ambiguous>
          * Two requests with the id 1 were in flight on this channel at once (JR-005), this one and entry 2; which answer belongs to which cannot be told.
          * The answers that may be its own are listed with it; none of them is taken for it.
    [1] > tools/call fast (id 1) Ambiguous: ambiguous | ? | 2→
          3 PossibleAnswer slow (possibly) <ambiguous>
          * Two requests with the id 1 were in flight on this channel at once (JR-005), this one and entry 1; which answer belongs to which cannot be told.
          * The answers that may be its own are listed with it; none of them is taken for it.
      4 Lifecycle exited 1
    "#);
}

#[test]
fn ids_of_every_kind_are_paired_with_their_type() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":"abc","method":"ping"}
        > {"jsonrpc":"2.0","id":0,"method":"ping"}
        > {"jsonrpc":"2.0","id":-7,"method":"ping"}
        > {"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}
        > {"jsonrpc":"2.0","id":"1","method":"ping"}
        > {"jsonrpc":"2.0","id":1,"method":"ping"}
        > {"jsonrpc":"2.0","id":null,"method":"ping"}
        > {"jsonrpc":"2.0","id":{"a":1},"method":"ping"}
        < {"jsonrpc":"2.0","id":{"a":1},"result":{}}
        < {"jsonrpc":"2.0","id":null,"result":{}}
        < {"jsonrpc":"2.0","id":1.0,"result":{}}
        < {"jsonrpc":"2.0","id":"1","result":{}}
        < {"jsonrpc":"2.0","id":9007199254740992,"result":{}}
        < {"jsonrpc":"2.0","id":9007199254740993,"result":{}}
        < {"jsonrpc":"2.0","id":-7,"result":{}}
        < {"jsonrpc":"2.0","id":0,"result":{}}
        < {"jsonrpc":"2.0","id":"abc","result":{}}
    "#), @r#"
    [0] > ping (id "abc") Ok: ok in 16 ms | ? | 1→17
    [1] > ping (id 0) Ok: ok in 14 ms | ? | 2→16
    [2] > ping (id -7) Ok: ok in 12 ms | ? | 3→15
    [3] > ping (id 9007199254740993) Ok: ok in 10 ms | ? | 4→14
    [4] > ping (id "1") Ok: ok in 7 ms | ? | 5→12
    [5] > ping (id 1) Ok: ok in 5 ms | ? | 6→11
    [6] > ping (id null) Ok: ok in 3 ms | ? | 7→10
          * Its id is null, which MCP forbids (JR-004); peers may not answer it.
    [7] > ping (id {"a":1}) Ok: ok in 1 ms | ? | 8→9
          * Its id is neither a string nor a number (JR-003).
      < 13 Result <orphan>
          * The message has an integer id beyond 2^53 - 1, which JavaScript rounds (JR-025).
          * It answers no request of this recording: that was sent before the recording began, or never (JR-007).
    "#);
}

#[test]
fn two_clients_that_count_from_zero_are_kept_apart() {
    assert_snapshot!(told(r#"
        # 1 POST peer=a
        # 2 POST peer=b
        # 3 GET peer=a
        # 4 GET peer=b
        #1> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
        #2> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}
        #2< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        #1< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        #3< {"jsonrpc":"2.0","id":0,"method":"ping"}
        #4< {"jsonrpc":"2.0","id":0,"method":"ping"}
        # 5 POST peer=b
        #5> {"jsonrpc":"2.0","id":0,"result":{}}
        # 6 POST peer=a
        #6> {"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"no"}}
    "#), @r#"
    [0] > initialize a 1 (id 0) Ok: s 1 in 3 ms | 2025-06-18 legacy | 1→4
    [1] > initialize b 1 (id 0) Ok: s 1 in 1 ms | 2025-03-26 legacy | 2→3
    [2] < ping (id 0) Error: -32601 in 3 ms | 2025-06-18 legacy | 5→8
    [3] < ping (id 0) Ok: ok in 1 ms | 2025-03-26 legacy | 6→7
    session from entry 1: legacy, a 1 → s 1, 2025-06-18; client can nothing; server can nothing
    session from entry 2: legacy, b 1 → s 1, 2025-03-26; client can nothing; server can nothing
    "#);
}

#[test]
fn ids_begin_anew_in_each_http_session() {
    assert_snapshot!(told(r#"
        # 1 GET session=old
        #1< {"jsonrpc":"2.0","id":0,"method":"roots/list"}
        # 2 GET session=new
        #2< {"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{}}
        # 3 POST session=new
        #3> {"jsonrpc":"2.0","id":0,"result":{"model":"m"}}
        # 4 POST session=third
        #4> {"jsonrpc":"2.0","id":0,"result":{"roots":[]}}
    "#), @r#"
    [0] < roots/list (id 0) Pending: pending | 2025-03-26 legacy? | 1→
    [1] < sampling/createMessage (id 0) Ok: m in 1 ms | 2025-03-26 legacy? | 2→3
      > 4 Result <orphan>
          * It answers no request of this recording: that was sent before the recording began, or never (JR-007).
    "#);
}

#[test]
fn a_recording_that_begins_in_the_middle_blames_nobody() {
    assert_snapshot!(told(r#"
        < {"jsonrpc":"2.0","id":41,"result":{"content":[]}}
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":40}}
        > {"jsonrpc":"2.0","id":42,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":42,"result":{"tools":[]}}
    "#), @r#"
      < 1 Result <orphan>
          * It answers no request of this recording: that was sent before the recording began, or never (JR-007).
      < 2 Notification notifications/progress 1 <unknown target>
          * No request in flight has this progress token: none was sent with it, it has another JSON type, or the request is older than the recording (PR-003).
      > 3 Notification notifications/cancelled id 40 <unknown target>
          * Its sender has no request with this id in the recording: the request is older, or there is none (CN-001).
    [0] > tools/list (id 42) Ok: 0 tools in 1 ms | ? | 4→5
    "#);
}

#[test]
fn a_second_answer_is_named_and_the_first_is_kept() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"boom"}}
    "#), @r#"
    [0] > tools/list (id 1) Ok: 0 tools in 1 ms | ? | 1→2
          3 DuplicateAnswer <duplicate>
          * It was answered a second time in entry 3 (JR-008); the first answer is shown.
    "#);
}

#[test]
fn an_error_without_an_id_is_an_answer_only_where_nothing_else_was_asked() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
        < {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
        < {"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error"}}
    "#), @r#"
    [0] > tools/list (id 1) Ok: 0 tools in 2 ms | ? | 1→3
          2 PossibleAnswer (possibly) <possible>
      < 2 Error tools/list → [0] <possible>
          * The message has the id `null` (JR-004).
          * It may belong to one of the requests that were in flight; nothing in it tells to which.
      < 4 Error <orphan>
          * The message answers without an id (JR-011).
          * It names no request: what was sent could not be read, or was refused before it was read (JR-012).
    "#);
    assert_snapshot!(told(r#"
        # 1 POST version=2026-07-28
        #1> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        #1< {"jsonrpc":"2.0","error":{"code":-32600,"message":"no session"}}
    "#), @r#"
    [0] > tools/list (id 1) Error: -32600 in 1 ms | 2026-07-28 modern | 1→2
          * The error in entry 2 names no request (JR-011, over HTTP also HM-016); it is taken for the answer because this was the only request on its channel.
    "#);
}

#[test]
fn an_id_that_was_cancelled_and_used_again_is_remarked() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M},"name":"first"}}
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M},"name":"second"}}
        < {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
    "#), @r#"
    [0] > tools/call first (id 1) Cancelled: cancelled | 2026-07-28 modern | 1→
          2 Cancelled id 1
    [1] > tools/call second (id 1) Ok: ok in 1 ms | 2026-07-28 modern | 3→4
          * The request in entry 1 had the id 1 as well; it was cancelled and had not been answered. Should its answer have come late, it is taken for the answer to this one.
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn a_client_that_always_uses_one_id_stays_readable_and_cheap() {
    let mut script = String::new();
    for number in 0..40 {
        let _ =
            writeln!(script, r#"> {{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t{number}"}}}}"#);
    }
    script.push_str(&"< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n".repeat(41));
    let trace = notation::play(&script);
    assert!(trace.exchanges().iter().all(|exchange| exchange.status == Status::Ambiguous && exchange.answer.is_none()));
    assert!(trace.exchanges().iter().all(|exchange| exchange.attached.len() <= 41));
    assert!(trace.remarks(39)[0].contains("More than sixteen requests with the id 1"), "{:?}", trace.remarks(39));
}

#[test]
fn modern_http_requests_may_share_an_id_and_a_posted_cancellation_is_only_possible() {
    assert_snapshot!(told(r#"
        # 1 POST version=2026-07-28
        # 2 POST version=2026-07-28
        # 3 POST version=2026-07-28
        #1> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M,"progressToken":1},"name":"a"}}
        #2> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{$M,"progressToken":1},"name":"b"}}
        #2< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
        #3> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
        #1< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
        #2< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
    "#), @r#"
    [0] > tools/call a (id 1) Ok: ok in 4 ms | 2026-07-28 modern | 1→5
    [1] > tools/call b (id 1) Ok: ok in 4 ms | 2026-07-28 modern | 2→6
          3 Progress 1
          4 Cancelled id 1 (possibly) <possible>
      > 4 Notification notifications/cancelled id 1 → [1] <possible>
          * It may belong to one of the requests that were in flight; nothing in it tells to which.
    session from entry 1: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}
