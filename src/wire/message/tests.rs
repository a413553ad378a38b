//! Envelopes, from sound to broken, as one line of what was read.

use super::{Frame, Item, read};

/// One line that says all that was read.
fn say(bytes: &[u8]) -> String {
    match read(bytes) {
        Frame::Blank => "blank".to_owned(),
        Frame::Message(message) => say_item(&Item::Message(message)),
        Frame::NotRpc { json, why } => say_item(&Item::NotRpc { json, why }),
        Frame::Batch(items) => format!("{:?}", items.iter().map(say_item).collect::<Vec<_>>()).replace('"', ""),
        Frame::NotJson(fault) => format!("byte {}: {}", fault.at, fault.what),
    }
}

fn say_item(item: &Item<'_>) -> String {
    match item {
        Item::NotRpc { json, why } => format!("not RPC: {:?}: {why}", json.kind()),
        Item::Message(message) => {
            let id = message.id.as_ref().map_or(String::new(), |id| format!(" id {id}"));
            let method = message.method.as_ref().map_or(String::new(), |method| format!(" {method}"));
            let rules: Vec<_> = message.oddities.iter().map(|(_, rule, _)| rule).collect();
            format!("{:?}{method}{id} {}", message.kind, rules.join(" ")).trim_end().to_owned()
        }
    }
}

#[test]
fn well_formed_messages_have_no_oddities() {
    let cases = [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "Request ping id 1"),
        (r#" {"method":"ping","params":{},"id":"1","jsonrpc":"2.0"} "#, "Request ping id \"1\""),
        (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "Notification notifications/initialized"),
        (r#"{"jsonrpc":"2.0","id":0,"result":{}}"#, "Result id 0"),
        (r#"{"jsonrpc":"2.0","id":-5,"error":{"code":-32601,"message":"no"}}"#, "Error id -5"),
    ];
    for (text, said) in cases {
        assert_eq!(say(text.as_bytes()), said, "{text}");
    }
}

#[test]
fn odd_messages_are_read_and_their_rules_named() {
    let cases = [
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "Request ping id null JR-004"),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "Request ping id 15e-1 JR-003"),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#, "Request ping id 1"),
        (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, "Request ping id true JR-003"),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, "Request ping id [1] JR-003"),
        (r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"a"}"#, "Request a id 9007199254740993 JR-025"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}"#, "Request a id 1 JR-015"),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, "Request id 1 JR-016"),
        (r#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, "Request a id 1 JR-001"),
        (r#"{"id":1,"method":"a","x":1}"#, "Request a id 1 JR-001 JR-032"),
        (r#"{"method":"a"}"#, "Notification a JR-001"),
        (r#"{"jsonrpc":"2.0","id":1,"result":[]}"#, "Result id 1 JR-009"),
        (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "Result id 1 JR-009"),
        (r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, "Error id 1 JR-010"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"no"}}"#, "Error id 1 JR-010"),
        (r#"{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}"#, "Error JR-011"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#, "Result id 1 JR-002"),
        (r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":""}}"#, "Error id 1 JR-002"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"a","result":{}}"#, "Request a id 1 JR-002"),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}"#, "Request a id 2 JR-024"),
        (r#"{"jsonrpc":"2.0","x":1,"\u0078":2,"method":"a"}"#, "Notification a JR-024 JR-032"),
        (r#"{"jsonrpc":"2.0","\u0069d":3,"m\u0065thod":"\u0061"}"#, "Request a id 3"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}}"#, "Result id 1 JR-023"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":"\ud83d\ude00"}}"#, "Result id 1"),
    ];
    for (text, said) in cases {
        assert_eq!(say(text.as_bytes()), said, "{text}");
    }
    let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"a":{}{}}}}}"#, "[".repeat(126), "]".repeat(126));
    assert_eq!(say(deep.as_bytes()), "Result id 1 JR-001");
}

#[test]
fn damage_around_and_inside_a_message_is_noted() {
    let cases: [(&[u8], &str); 12] = [
        (b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r\n", "Notification a IO-004 IO-005"),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"a\xFF\"}\n", "Notification a\u{FFFD} JR-023"),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{\"x\":\"a\xE2\x80\xA8\"}}", "Notification a"),
        (b"\r\n", "blank"),
        (b"", "blank"),
        (b"\xFF\xFE\n", "byte 0: expected a JSON value"),
        (b"{\0\"\0", "byte 0: this is UTF-16, and MCP is UTF-8"),
        (b"MCP Nightwatch ready\n", "byte 0: expected a JSON value"),
        (b"{\"a\":1", "byte 6: the text ends before the JSON value does"),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"a\"}{}", "byte 30: more text follows the JSON value"),
        (b"12", "not RPC: Number: a message is a JSON object"),
        (b"{}", "not RPC: Object: an object without `method`, `result` and `error`"),
    ];
    for (bytes, said) in cases {
        assert_eq!(say(bytes), said, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn logs_in_json_are_not_taken_for_messages() {
    for text in [
        r#"{"level":"info","method":"GET","url":"/"}"#,
        r#"{"error":"failed to connect"}"#,
        r#"{"result":1}"#,
        r#"{"id":7,"msg":"started"}"#,
    ] {
        assert!(matches!(read(text.as_bytes()), Frame::NotRpc { .. }), "{text}");
    }
}

#[test]
fn batches_are_read_item_by_item() {
    let cases: [(&[u8], &str); 4] = [
        (b"[]\n", "[]"),
        (
            br#"[{"jsonrpc":"2.0","id":1,"method":"a"}, 7 ,{"jsonrpc":"2.0","id":1,"result":{"x":"\ud800"}},{"jsonrpc":"2.0","method":"b"}]"#,
            "[Request a id 1, not RPC: Number: a message is a JSON object, Result id 1 JR-023, Notification b]",
        ),
        (b"[1,]", "byte 3: expected a JSON value"),
        (b"[1", "byte 2: the text ends before the JSON value does"),
    ];
    for (bytes, said) in cases {
        assert_eq!(say(bytes), said);
    }
}
