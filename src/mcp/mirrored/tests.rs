//! Requests whose heads and bodies agree, and one for each way in which they may not.

use super::*;
use crate::mcp::mirror::annotations;
use crate::wire::{Frame, read};

const SCHEMA: &str = r#"{"properties":{
    "region":{"type":"string","x-mcp-header":"Region"},
    "where":{"type":"object","properties":{"zone":{"type":"integer","x-mcp-header":"Zone"}}},
    "dry":{"type":"boolean","x-mcp-header":"Dry"}}}"#;

/// A call of a tool in 2026-07-28.
fn call(name: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":{name},"arguments":{arguments},
            "_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}}}}"#
    )
}

const FIELDS: &str = "MCP-Protocol-Version: 2026-07-28\r\nmcp-method: tools/call\r\n";

/// What is found, given the tool's schema.
fn found(fields: &str, body: &str, negotiated: Option<&str>) -> Vec<Disagreement> {
    let head = Head::read(format!("POST /mcp HTTP/1.1\r\n{fields}\r\n").as_bytes());
    let frame = read(body.as_bytes());
    let message = if let Frame::Message(message) = &frame { Some(message) } else { None };
    let annotations = annotations(Json::parse(SCHEMA.as_bytes()).expect("a schema"));
    let negotiated = negotiated.map(Revision::from_text);
    disagreements(&head, message, Known { annotations: Some(&annotations), negotiated: negotiated.as_ref() })
}

/// The rules that a request breaks.
fn rules(fields: &str, body: &str) -> Vec<&'static str> {
    found(fields, body, None).into_iter().map(|one| one.rule).collect()
}

#[test]
fn a_request_that_agrees_has_nothing_said_of_it() {
    let vectors = [
        ("\"Hello, 世界\"", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        ("\" padded \"", "=?base64?IHBhZGRlZCA=?="),
        ("\"=?base64?literal?=\"", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("\"us west 1\"", " us west 1\t"),
        ("\"us west 1\"", "=?base64?dXMgd2VzdCAx?="),
        ("\"=?BASE64?x?=\"", "=?BASE64?x?="),
        ("\"\\u00e9\"", "=?base64?w6k=?="),
        ("\"\"", ""),
    ];
    for (name, sent) in vectors {
        assert_eq!(rules(&format!("{FIELDS}Mcp-Name: {sent}\r\n"), &call(name, "{}")), [""; 0], "{name}");
    }
    let params = "Mcp-Name: a\r\nMcp-Param-Region: eu\r\nmcp-param-zone: 42.0\r\nMCP-PARAM-DRY: true\r\n";
    let arguments = r#"{"region":"eu","where":{"zone":42},"dry":true}"#;
    assert_eq!(rules(&format!("{FIELDS}{params}"), &call("\"a\"", arguments)), [""; 0]);
    let task = r#"{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t1"}}"#;
    let fields = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tasks/get\r\nMcp-Name: t1\r\n";
    assert_eq!(rules(fields, task), [""; 0]);
}

#[test]
fn each_disagreement_is_named_by_its_rule() {
    let name = "Mcp-Name: a\r\n";
    let body = call("\"a\"", "{}");
    let plain: &[(&str, &[&str])] = &[
        ("Mcp-Method: tools/call\r\nMcp-Name: a\r\n", &["HM-001"]),
        ("MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/call\r\nMcp-Name: a\r\n", &["HM-002"]),
        ("MCP-Protocol-Version: 2026-07-28\r\nMcp-Name: a\r\n", &["HM-003"]),
        ("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: Tools/Call\r\nMcp-Name: a\r\n", &["HM-003"]),
        ("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call, tools/call\r\nMcp-Name: a\r\n", &["HM-026"]),
        (FIELDS, &["HM-004"]),
    ];
    for (fields, expected) in plain {
        assert_eq!(rules(fields, &body), *expected, "{fields}");
    }
    let named: &[(&str, &str, &[&str])] = &[
        ("Mcp-Name: b\r\n", "\"a\"", &["HM-004"]),
        ("Mcp-Name: A\r\n", "\"a\"", &["HM-004"]),
        ("Mcp-Name: a\r\n", "7", &["HM-004"]),
        ("Mcp-Name: \u{e9}\r\n", "\"\u{e9}\"", &["HM-005"]),
        ("Mcp-Name: padded\r\n", "\" padded \"", &["HM-005"]),
        ("Mcp-Name: =?base64?literal?=\r\n", "\"=?base64?literal?=\"", &["HM-005"]),
        ("Mcp-Name: =?base64?YQ?=\r\n", "\"a\"", &["HM-006"]),
        ("Mcp-Name: =?base64?/w==?=\r\n", "\"a\"", &["HM-006"]),
        ("Mcp-Name: =?base64?Yg==?=\r\n", "\"a\"", &["HM-004"]),
        ("Mcp-Name: a\r\nmcp-name: a\r\n", "\"a\"", &["HM-026"]),
        ("Mcp-Name: b, a\r\n", "\"a\"", &["HM-026"]),
    ];
    for (fields, value, expected) in named {
        assert_eq!(rules(&format!("{FIELDS}{fields}"), &call(value, "{}")), *expected, "{fields}");
    }
    let params: &[(&str, &str, &[&str])] = &[
        ("", r#"{"region":"eu","dry":false}"#, &["HM-007", "HM-007"]),
        ("Mcp-Param-Region: us\r\n", r#"{"region":"eu"}"#, &["HM-007"]),
        ("Mcp-Param-Zone: 43\r\n", r#"{"where":{"zone":42}}"#, &["HM-007"]),
        ("Mcp-Param-Dry: TRUE\r\n", r#"{"dry":true}"#, &["HM-007"]),
        ("Mcp-Param-Region: x\r\n", r#"{"region":["x"]}"#, &["HM-007"]),
        ("Mcp-Param-Region: x\r\n", r#"{"region":null}"#, &["HM-008"]),
        ("Mcp-Param-Zone: 1\r\n", "{}", &["HM-008"]),
        ("Mcp-Param-Other: 1\r\nMcp-Param-: 2\r\n", "{}", &["HM-010", "HM-010"]),
    ];
    for (fields, arguments, expected) in params {
        assert_eq!(rules(&format!("{FIELDS}{name}{fields}"), &call("\"a\"", arguments)), *expected, "{fields}");
    }
}

#[test]
fn the_sentence_quotes_both_sides_and_hides_nothing_in_them() {
    let body = call("\"a\\u202eb\"", "{}");
    let said = found(&format!("{FIELDS}Mcp-Name: {}\r\n", "x".repeat(300)), &body, None);
    let expected = format!(r#"Mcp-Name is "{}…", but the body's params.name is "a\u{{202e}}b""#, "x".repeat(60));
    assert_eq!(said, [Disagreement { rule: "HM-004", text: expected }]);
}

#[test]
fn legacy_requests_are_held_to_what_was_agreed_upon() {
    let ask = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let rules = |fields, body, negotiated| -> Vec<_> {
        found(fields, body, Some(negotiated)).into_iter().map(|one| one.rule).collect()
    };
    assert_eq!(rules("", ask, "2025-11-25"), ["HL-020"]);
    assert_eq!(rules("", "", "2025-06-18"), ["HL-020"], "a GET too");
    assert_eq!(rules("", ask, "2025-03-26"), [""; 0]);
    assert_eq!(rules("MCP-Protocol-Version: 2025-06-18\r\n", ask, "2025-11-25"), ["HL-021"]);
    assert_eq!(rules("MCP-Protocol-Version: 2025-11-25\r\n", ask, "2025-11-25"), [""; 0]);
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    assert_eq!(rules("", initialize, "2025-11-25"), [""; 0]);
    assert_eq!(found("", ask, None), [], "nothing is known");
}

#[test]
fn answers_and_notifications_have_no_mirrored_method() {
    let told = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    assert_eq!(rules("MCP-Protocol-Version: 2026-07-28\r\n", told), [""; 0]);
    assert_eq!(rules("MCP-Protocol-Version: 2026-07-28\r\n", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), [""; 0]);
}
