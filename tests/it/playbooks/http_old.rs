//! The transport of 2024-11-05: a stream that names an endpoint, and POSTs that are answered on it
//! (protocol.md 3.2, 9.6).

use insta::assert_snapshot;

use super::told;

#[test]
fn answers_come_on_the_stream_that_named_the_endpoint() {
    assert_snapshot!(told(r#"
        #1 GET /sse
        #1 200 stream
        #1 event name=endpoint /messages?s=42
        #2 POST /messages?s=42
        #2 body {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
        #2 202 text/plain
        #2 reply Accepted
        #1 event name=message {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
        #3 POST /messages?s=42
        #3 body {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}
        #3 202
        #1 event {"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
        #4 POST /messages?s=42
        #4 body {"jsonrpc":"2.0","id":0,"result":{"role":"assistant","content":{"type":"text","text":"hi"},"model":"m"}}
        #4 202
        #1 event {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        #5 POST /messages?s=42
        #5 body {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        #5 202
        #1 ends server-gone
    "#), @r#"
      > 1 Head GET /sse, GET /sse 200, 4 events with 4 messages, ServerGone
    [0] > initialize c 1 (id 0) Ok: s 1 in 3 ms | 2024-11-05 legacy | 5→8, POST /messages?s=42 202, Complete
    [1] > tools/call ask (id 1) Ok: ok in 6 ms | 2024-11-05 legacy | 10→16, POST /messages?s=42 202, Complete
          12 Nested
    [2] < sampling/createMessage (id 0) Ok: m in 2 ms | 2024-11-05 legacy | 12→14
    [3] > tools/list (id 2) Unanswered: unanswered | 2024-11-05 legacy | 18→, POST /messages?s=42 202, Complete
          * It was never answered: its HTTP+SSE stream ended first.
    session from entry 5: legacy, c 1 → s 1, 2024-11-05; client can nothing; server can nothing
    "#);
}

#[test]
fn two_clients_with_the_same_ids_are_told_apart_by_their_endpoints() {
    assert_snapshot!(told(r#"
        #1 GET /api/sse
        #1 200 stream
        #1 event name=endpoint messages?s=a
        #2 GET /api/sse
        #2 200 stream
        #2 event name=endpoint http://real:8080/api/messages?s=b
        #2 changed endpoint http://127.0.0.1:1/x/messages?s=b
        #3 POST /api/messages?s=a
        #3 body {"jsonrpc":"2.0","id":1,"method":"x/a"}
        #3 202
        #4 POST /x/messages?s=b
        #4 body {"jsonrpc":"2.0","id":1,"method":"x/b"}
        #4 202
        #2 event {"jsonrpc":"2.0","id":1,"result":{"of":"b"}}
        #1 event {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"of a"}}
    "#), @r#"
      > 1 Head GET /api/sse, GET /api/sse 200, 2 events with 2 messages, open
      > 4 Head GET /api/sse, GET /api/sse 200, 2 events with 2 messages, open
    [0] > x/a (id 1) Error: -1 in 6 ms | 2024-11-05 legacy? | 9→15, POST /api/messages?s=a 202, Complete
    [1] > x/b (id 1) Ok: ok in 2 ms | 2024-11-05 legacy? | 12→14, POST /x/messages?s=b 202, Complete
    "#);
}

#[test]
fn what_is_odd_about_the_old_transport() {
    assert_snapshot!(told(r#"
        #1 GET /sse
        #1 200 stream
        #1 event name=endpoint /messages
        #1 event name=endpoint /messages
        #2 POST /messages
        #2 body {"jsonrpc":"2.0","id":1,"method":"tools/list"}
        #2 200 json
        #2 reply {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
        #3 POST /messages
        #3 body {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        #3 404 text/plain
        #3 reply no such session
    "#), @r#"
      > 1 Head GET /sse, GET /sse 200, 2 events with 2 messages, open
          * A further endpoint event came in entry 4 (HS-007); what clients make of it differs.
    [0] > tools/list (id 1) Ok: 0 tools in 2 ms | 2024-11-05 legacy? | 6→8, POST /messages 200, Complete
          * The response of the POST brings a message, entry 8; in HTTP+SSE it belongs on the stream (HS-006), and clients do not look for it here.
    [1] > tools/list (id 2) Error: HTTP 404 | 2024-11-05 legacy? | 10→, POST /messages 404, Complete
    "#);
}
