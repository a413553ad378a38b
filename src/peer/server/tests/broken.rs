//! Frames that are broken, ids that are none, and batches: JR-001 … JR-004, JR-011, JR-012, JR-016 … JR-022, JR-028.

use super::book::Book;
use super::script::Play;
use crate::peer::server::Settings;

#[test]
fn what_is_no_message_is_answered_with_its_id_where_that_can_be_read() {
    let mut play = Play::stdio(Book::new());
    play.run(
        r#"
        1< {"jsonrpc":"2.0","id":1,
        = stray: this is not JSON: the text ends before the JSON value does at byte 24
        1> {$R,"id":null,"error":{"code":-32700,"message":"this is not JSON: the text ends before the JSON value does at byte 24"}}
        1< 7
        = stray: this is no message: a message is a JSON object
        1> {$R,"id":null,"error":{"code":-32600,"message":"this is no message: a message is a JSON object"}}
        1< {$R,"id":"x"}
        = stray: this is no message: an object without `method`, `result` and `error`
        1> {$R,"id":"x","error":{"code":-32600,"message":"this is no message: an object without `method`, `result` and `error`"}}"#,
    );
    play.run("1< ");
    play.silent();
    play.greet(1, "2025-11-25");
    play.run(
        r#"
        1< nothing
        = stray: this is not JSON: expected a JSON value at byte 0
        1> {$R,"error":{"code":-32700,"message":"this is not JSON: expected a JSON value at byte 0"}}"#,
    );
    play.silent();
}

#[test]
fn odd_ids_are_repeated_as_they_are_or_refused() {
    let mut play = Play::legacy(Book::new(), "2025-06-18");
    for id in ["1", "\"1\"", "1.0", "-7e2", "9007199254740993", "1.5", "\"\\u0041\"", "\"\""] {
        play.run(&format!("1< {{$R,\"id\":{id},\"method\":\"ping\"}}\n1> {{$R,\"id\":{id},\"result\":{{}}}}"));
    }
    for (id, why) in [("null", "a request's id is not null (JR-004)")]
        .into_iter()
        .chain(["true", "[1]", "{}"].map(|id| (id, "a request's id is a string or a number (JR-003)")))
    {
        play.run(&format!(
            r#"
            1< {{$R,"id":{id},"method":"ping"}}
            = stray: {why}
            1> {{$R,"id":null,"error":{{"code":-32600,"message":"{why}"}}}}"#
        ));
    }
    play.run(
        r#"
        1< {"jsonrpc":"1.0","id":1,"method":"ping"}
        = stray: a message says "jsonrpc":"2.0" (JR-001)
        1> {$R,"id":1,"error":{"code":-32600,"message":"a message says \"jsonrpc\":\"2.0\" (JR-001)"}}
        1< {"id":1,"method":"ping"}
        = stray: a message says "jsonrpc":"2.0" (JR-001)
        1> {$R,"id":1,"error":{"code":-32600,"message":"a message says \"jsonrpc\":\"2.0\" (JR-001)"}}
        1< {$R,"id":1,"method":7}
        = stray: a request's method is a string (JR-016)
        1> {$R,"id":1,"error":{"code":-32600,"message":"a request's method is a string (JR-016)"}}"#,
    );
    play.silent();
}

#[test]
fn a_batch_is_answered_as_one_where_the_revision_has_batches() {
    let mut play = Play::legacy(Book::new(), "2025-03-26");
    play.run(
        r#"
        1< [{$R,"id":1,"method":"ping"},{$R,"method":"notifications/x"},{$R,"id":2,"method":"odd"},3]
        = stray: this is no message: a message is a JSON object
        1> [{$R,"id":1,"result":{}},{$R,"id":2,"error":{"code":-32601,"message":"there is no method \"odd\""}},{$R,"id":null,"error":{"code":-32600,"message":"this is no message: a message is a JSON object"}}]
        1< [{$R,"method":"notifications/x"}]
        1< []
        = stray: an empty batch says nothing (JR-019)
        1> {$R,"id":null,"error":{"code":-32600,"message":"an empty batch says nothing (JR-019)"}}"#,
    );
    play.silent();
    let mut play = Play::legacy(Book::new(), "2025-06-18");
    play.run(
        r#"
        1< [{$R,"id":1,"method":"ping"}]
        = stray: 2025-06-18 has no batches (JR-017)
        1> {$R,"id":null,"error":{"code":-32600,"message":"2025-06-18 has no batches (JR-017)"}}"#,
    );
    play.silent();
}

#[test]
fn a_batch_of_http_ends_its_delivery_when_the_last_is_answered() {
    let slow = vec![super::book::wait(1), super::book::result("{}")];
    let mut play = Play::new(Settings::default(), Book::new().rule("tools/call", slow));
    play.run(
        r#"
        @ join 1 http
        1/1< [{$R,"id":1,"method":"tools/call","params":{"name":"a"}},{$R,"id":2,"method":"ping"}]
        + 1
        1/1> [{$R,"id":2,"result":{}},{$R,"id":1,"result":{}}]
        = done 1
        # mcp-protocol-version: 2025-06-18
        1/2< [{$R,"id":1,"method":"ping"}]
        = stray: 2025-06-18 has no batches (JR-017)
        1/2 400> {$R,"id":null,"error":{"code":-32600,"message":"2025-06-18 has no batches (JR-017)"}}
        = done 2"#,
    );
    play.silent();
}

#[test]
fn answers_to_nothing_are_told_and_in_2026_07_28_refused() {
    let mut play = Play::legacy(Book::new(), "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":9,"result":{}}
        = stray: an answer to nothing that was asked (JR-007)"#,
    );
    let mut play = Play::new(Settings::default(), Book::new());
    play.run(
        r#"
        @ join 1 http
        # mcp-protocol-version: 2026-07-28
        1/1< {$R,"id":9,"result":{}}
        = stray: an answer, and in 2026-07-28 clients send none (JR-028)
        1/1 400> {$R,"error":{"code":-32600,"message":"in 2026-07-28 clients send no answers (JR-028)"}}
        = done 1
        1/2< 
        = stray: the body is empty
        1/2 400> {$R,"id":null,"error":{"code":-32700,"message":"the body is empty"}}
        = done 2
        2/3< {$R,"id":1,"method":"ping"}
        = stray: nobody knows this client: it was not let in, or has gone
        = respond 3 503 []
        = done 3"#,
    );
    play.silent();
}
