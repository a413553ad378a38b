//! Revisions and eras, frames that come in pieces, and frames that are no messages.

use insta::assert_snapshot;

use super::told;

#[test]
fn both_eras_on_one_pipe_are_told_apart_request_by_request() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":0,"method":"ping"}
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        > {"jsonrpc":"2.0","id":2,"method":"ping"}
        > {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{$M}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        < {"jsonrpc":"2.0","id":2,"result":{}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[]}}
        > {"jsonrpc":"2.0","id":4,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
        < {"jsonrpc":"2.0","id":0,"result":{}}
    "#), @r#"
    [0] > ping (id 0) Ok: ok in 9 ms | ? | 1→10
    [1] > initialize c 1 (id 1) Ok: s 1 in 3 ms | 2025-03-26 legacy | 2→5
    [2] > ping (id 2) Ok: ok in 3 ms | 2025-03-26 legacy | 3→6
    [3] > tools/list (id 3) Ok: 0 tools in 3 ms | 2026-07-28 modern | 4→7
    [4] > tools/list (id 4) Ok: 0 tools in 1 ms | 2025-03-26 legacy | 8→9
    session from entry 2: legacy, c 1 → s 1, 2025-03-26; client can nothing; server can nothing
    session from entry 4: modern, probe 0.1 → ?, 2026-07-28; client can nothing; server can unknown
    "#);
}

#[test]
fn unknown_revisions_are_kept_as_sent() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-08-01","capabilities":{},"clientInfo":{}}}
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"DRAFT\n1","capabilities":[],"serverInfo":{"name":"s"}}}
        > {"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01"}}}
        < {"jsonrpc":"2.0","id":2,"result":{}}
    "#), @r#"
    [0] > initialize (id 1) Ok: s in 1 ms | DRAFT\n1 legacy | 1→2
          * DRAFT\n1 is not a revision that midwire knows; it is read by the rules of 2025-11-25.
    [1] > ping (id 2) Ok: ok in 1 ms | 2027-01-01 modern | 3→4
          * 2027-01-01 is not a revision that midwire knows; it is read by the rules of 2026-07-28.
    session from entry 1: legacy, ? → s, DRAFT\n1; client can nothing; server can unknown
    session from entry 3: modern, ? → ?, 2027-01-01; client can unknown; server can unknown
    "#);
}

#[test]
fn over_http_the_session_is_asked_first_then_the_header() {
    assert_snapshot!(told(r#"
        # 1 POST session=k
        #1> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        #1< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        # 2 POST session=k version=2025-11-25 peer=b
        #2> {"jsonrpc":"2.0","id":1,"method":"ping"}
        #2< {"jsonrpc":"2.0","id":1,"result":{}}
        # 3 POST version=2025-11-25 peer=b
        #3> {"jsonrpc":"2.0","id":2,"method":"ping"}
        #3< {"jsonrpc":"2.0","id":2,"result":{}}
        # 4 POST peer=b
        #4> {"jsonrpc":"2.0","id":3,"method":"ping"}
        #4< {"jsonrpc":"2.0","id":3,"result":{}}
        # 5 POST version=2026-07-28 peer=b
        #5> {"jsonrpc":"2.0","id":4,"method":"tools/list"}
        #5< {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no _meta"}}
    "#), @r#"
    [0] > initialize c 1 (id 0) Ok: s 1 in 1 ms | 2025-06-18 legacy | 1→2
    [1] > ping (id 1) Ok: ok in 1 ms | 2025-06-18 legacy | 3→4
    [2] > ping (id 2) Ok: ok in 1 ms | 2025-11-25 legacy | 5→6
    [3] > ping (id 3) Ok: ok in 1 ms | 2025-03-26 legacy? | 7→8
    [4] > tools/list (id 4) Error: -32602 in 1 ms | 2026-07-28 modern | 9→10
    session from entry 1: legacy, c 1 → s 1, 2025-06-18; client can nothing; server can nothing
    "#);
}

#[test]
fn a_line_that_is_still_being_written_becomes_its_message_in_its_place() {
    assert_snapshot!(told(r#"
        >… {"jsonrpc":"2.0","id":1,
        ! a line of stderr
        > "method":"tools/list"}
        <… {"jsonrpc":"2.0",
        ! another
        <… "id":1,
        < "result":{"tools":[]}}
        <… {"jsonrpc":"2.0","method":
    "#), @r#"
    [0] > tools/list (id 1) Ok: 0 tools in 6 ms | ? | 1→3
          4 Stderr (possibly) <possible>
      < 2 Stderr
      < 4 Stderr → [0] <possible>
      < 5 Unfinished
          * The end of this line has not been seen.
    "#);
}

#[test]
fn what_is_no_message_is_kept_and_explained() {
    assert_snapshot!(told(r#"
        < MCP Nightwatch ready
        < {"level":"info","msg":"started"}
        <
        < 7
        > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":1,"result":{"tools":[7,{"name":"a"}]},"id":1}
        % {"event":"something-new"}
    "#), @r#"
      < 1 NotJson
      < 2 NotRpc
      < 3 Blank
      < 4 NotRpc
    [0] > tools/list (id 1) Ok: 2 tools in 1 ms | ? | 5→6
      7 Lifecycle event {"event":"something-new"}
    "#);
}

#[test]
fn a_batch_on_stdio_with_an_answer_and_a_request() {
    assert_snapshot!(told(r#"
        > [{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
        < [{"jsonrpc":"2.0","id":1,"result":{"tools":[]}},{"jsonrpc":"2.0","id":5,"method":"ping"}]
        < {"jsonrpc":"2.0","id":2,"result":{}}
        > [{"jsonrpc":"2.0","id":5,"result":{}}]
    "#), @r#"
    [0] > tools/list (id 1) Ok: 0 tools in 1 ms | ? | 1→2
    [1] > ping (id 2) Ok: ok in 2 ms | ? | 1.1→3
    [2] < ping (id 5) Ok: ok in 2 ms | ? | 2.1→4
    "#);
}

#[test]
fn an_answer_of_which_only_the_head_was_kept_answers_all_the_same() {
    assert_snapshot!(told(r#"
        > {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"}}
        <~ {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aaaaaaaaaa
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read"}}
        <~ {"result":{"content":[{"type":"text","text":"aaaaaaaaaa
    "#), @r#"
    [0] > tools/call read (id 1) Ok: ok in 1 ms | ? | 1→2
    [1] > tools/call read (id 2) Pending: pending | ? | 3→
      < 4 Truncated
          * Only its head was kept, and what it is cannot be read from that.
    "#);
}
