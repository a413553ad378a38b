//! Misbehaviour on purpose: the exact steps of every named fault.

use super::{Asking, faults};
use crate::mock::damage::WORDS;
use crate::mock::reply::PARAMETERS;
use crate::peer::server::{Link, Script};

const ANSWER: &str = r#"result {"content":[{"type":"text","text":"x"}]}"#;

/// A call of a tool with this fault.
fn called(fault: &str, link: Link) -> String {
    let mut asking = Asking::of(&format!("[[tool]]\nname = \"t\"\nanswer = \"x\"\nfault = {fault}"));
    asking.link = link;
    asking.asks("tools/call", r#"{"name":"t","_meta":{"progressToken":"p"}}"#)
}

/// Faults of answers on stdio: what is written, and what is done.
const CASES: [(&str, &str, &str); 29] = [
    ("no-answer", r#""no-answer""#, ""),
    ("wrong-id", r#""wrong-id""#, "id 1000007 ANSWER"),
    ("id-type", r#""id-type""#, "id \"7\" ANSWER"),
    ("null-id", r#""null-id""#, "id null ANSWER"),
    ("duplicate-answer", r#""duplicate-answer""#, "ANSWER\nANSWER"),
    (
        "answer-and-error",
        r#""answer-and-error""#,
        "ANSWER\nerror {\"code\":-32603,\"message\":\"an error after the result\"}",
    ),
    (
        "result-and-error",
        r#""result-and-error""#,
        r#"raw {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}]},"error":{"code":-32603,"message":"an error beside the result"}}\n"#,
    ),
    ("unasked-answer", r#""unasked-answer""#, "raw {\"jsonrpc\":\"2.0\",\"id\":1000007,\"result\":{}}\\n\nANSWER"),
    (
        "malformed-json",
        r#""malformed-json""#,
        r#"raw {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}]},}\n"#,
    ),
    ("truncated", r#""truncated""#, r#"raw {"jsonrpc":"2.0","id":7,"result":{"co\n"#),
    ("break-midway", r#""break-midway""#, "raw {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"co\nbreak"),
    ("break", r#""break""#, "break"),
    (
        "invalid-utf8",
        r#""invalid-utf8""#,
        r#"raw {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}]},"x":"\xff\xfe"}\n"#,
    ),
    ("batch", r#""batch""#, r#"raw [{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}]}}]\n"#),
    (
        "wrong-version",
        r#""wrong-version""#,
        r#"raw {"jsonrpc":"1.0","id":7,"result":{"content":[{"type":"text","text":"x"}]}}\n"#,
    ),
    ("oversized", r#"{ kind = "oversized", size = 5 }"#, r#"result {"content":[{"type":"text","text":"xxxxx"}]}"#),
    (
        "lost-session",
        r#""lost-session""#,
        "lose session\nrespond 404 [(\"Content-Type\", \"application/json\")] {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"Session not found\"}}",
    ),
    ("crash", r#""crash""#, "exit 1"),
    ("crash", r#"{ kind = "crash", code = 139 }"#, "exit 139"),
    ("progress-backwards", r#""progress-backwards""#, "progress 5 of -: -\nprogress 3 of -: -\nANSWER"),
    (
        "progress-after-answer",
        r#""progress-after-answer""#,
        "ANSWER\nnotify notifications/progress {\"progressToken\":\"p\",\"progress\":1}",
    ),
    (
        "wrong-token",
        r#""wrong-token""#,
        "notify notifications/progress {\"progressToken\":\"nobody gave this token\",\"progress\":1} loose\nANSWER",
    ),
    ("delay", r#"{ kind = "delay", delay = "3s" }"#, "wait 3000ms\nANSWER"),
    ("late", r#"{ kind = "late", delay = "3s" }"#, "deaf\nwait 3000ms\nANSWER"),
    ("noise", r#"{ kind = "noise", text = "hello" }"#, "raw hello\\n\nANSWER"),
    ("status", r#"{ kind = "status", status = 502, body = "bad" }"#, "respond 502 [] bad"),
    ("missing-header", r#""missing-header""#, "fields [(\"Content-Type\", None)]\nANSWER"),
    ("missing-header", r#"{ kind = "missing-header", header = "X-A" }"#, "fields [(\"X-A\", None)]\nANSWER"),
    ("header", r#"{ kind = "header", headers = { X-A = "1" } }"#, "fields [(\"X-A\", Some(\"1\"))]\nANSWER"),
];

/// Faults of lists: the result of `tools/list`.
const LISTS: [(&str, &str); 6] = [
    (
        "duplicate-names",
        r#"result {"tools":[{"name":"t","inputSchema":{"type":"object"}},{"name":"t","inputSchema":{"type":"object"}}]}"#,
    ),
    ("endless-cursors", r#"result {"tools":[{"name":"t","inputSchema":{"type":"object"}}],"nextCursor":"page 2"}"#),
    ("cursor-circle", r#"result {"tools":[{"name":"t","inputSchema":{"type":"object"}}],"nextCursor":"a"}"#),
    (
        "invalid-schemas",
        r#"result {"tools":[{"name":"t","inputSchema":{"type":"nonsense","properties":{"a":{"type":5}},"required":"a"}}]}"#,
    ),
    ("missing-schemas", r#"result {"tools":[{"name":"t"}]}"#),
    ("missing-names", r#"result {"tools":[{"inputSchema":{"type":"object"}}]}"#),
];

#[test]
fn every_named_fault_makes_exactly_these_steps() {
    for (name, fault, expected) in CASES {
        assert_eq!(called(fault, Link::Stdio), expected.replace("ANSWER", ANSWER), "{name}");
    }
    for (name, expected) in LISTS {
        let mut asking = Asking::of(&format!(
            "[[tool]]\nname = \"t\"\nanswer = \"x\"\n[[rule]]\nmethod = \"tools/list\"\nfault = \"{name}\""
        ));
        assert_eq!(asking.asks("tools/list", "{}"), expected, "{name}");
    }
    for word in WORDS.iter().map(|(word, _)| *word).chain(PARAMETERS.iter().map(|(word, _)| *word)) {
        let tried = CASES.iter().any(|(name, ..)| *name == word) || LISTS.iter().any(|(name, _)| *name == word);
        assert!(tried, "{word} is not tried");
    }
}

#[test]
fn on_http_bytes_stand_without_line_ends_and_what_is_for_stdout_is_left_out() {
    assert_eq!(called(r#""batch""#, Link::Http).lines().last().map(|line| line.ends_with("}]")), Some(true));
    assert_eq!(called(r#"{ kind = "noise", text = "hello" }"#, Link::Http), ANSWER);
    assert_eq!(called(r#""unasked-answer""#, Link::Http), ANSWER);
}

#[test]
fn faults_add_up_in_their_order() {
    let fault = r#"[{ kind = "delay", delay = "1s" }, "wrong-id", "duplicate-answer"]"#;
    assert_eq!(called(fault, Link::Stdio), format!("wait 1000ms\nid 1000007 {ANSWER}\nid 1000007 {ANSWER}"));
}

#[test]
fn cursors_go_on_and_in_circles() {
    let mut asking = Asking::of(
        "[[tool]]\nname = \"t\"\nanswer = \"x\"\n[[rule]]\nmethod = \"tools/list\"\nfault = \"endless-cursors\"\n\
         [[rule]]\nmethod = \"prompts/list\"\nfault = \"cursor-circle\"",
    );
    assert!(asking.asks("tools/list", r#"{"cursor":"page 41"}"#).ends_with(r#""nextCursor":"page 42"}"#));
    assert!(asking.asks("prompts/list", r#"{"cursor":"a"}"#).ends_with(r#""nextCursor":"b"}"#));
    assert!(asking.asks("prompts/list", r#"{"cursor":"b"}"#).ends_with(r#""nextCursor":"a"}"#));
}

#[test]
fn the_protocols_own_answers_can_be_damaged_too() {
    let mut asking = Asking::of("[server]\nname = \"n\"\n[[rule]]\nmethod = \"*\"\nfault = \"wrong-id\"");
    assert_eq!(asking.asks("ping", "{}"), "id 1000007 result {}");
    assert_eq!(
        asking.asks("initialize", r#"{"protocolVersion":"2025-06-18"}"#),
        r#"id 1000007 result {"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"n","version":"0.0.0"}}"#
    );
    assert!(asking.asks("initialize", r#"{"protocolVersion":"9"}"#).contains("2025-11-25"));
    assert!(asking.asks("server/discover", "{}").contains(r#""supportedVersions":["2024-11-05""#));
    // What only the machine can say stays as it is.
    assert_eq!(asking.asks("logging/setLevel", "{}"), "own");
}

#[test]
fn padding_goes_where_the_method_has_text() {
    let mut asking = Asking::of("[[rule]]\nmethod = \"ping\"\nfault = { kind = \"oversized\", size = \"2kB\" }");
    assert_eq!(asking.asks("ping", "{}").len(), r#"result {"padding":""}"#.len() + 2_000);
}

#[test]
fn a_fault_that_is_none_is_told_of() {
    let of = |fault: &str| faults(&format!("[[tool]]\nname = \"t\"\nanswer = \"x\"\nfault = {fault}"));
    assert!(of(r#""no-anser""#)[0].contains("did you mean `no-answer`?"));
    assert!(of(r#""fire""#)[0].contains("there are no-answer, "));
    assert!(of(r#"{ kind = "crash", size = 1 }"#)[0].contains("`size` does not belong to the fault `crash`"));
    assert!(of("{ size = 1 }")[0].contains("needs `kind`"));
    assert!(of(r#"{ kind = "oversized", size = "1TB" }"#)[0].contains("`size` is a number of bytes"));
    assert!(of(r#""header""#)[0].contains("is a table"));
    assert!(faults("[[rule]]\nmethod = \"ping\"\nfault = \"endless-cursors\"")[0].contains("one of lists"));
}

#[test]
fn a_mock_with_a_fault_in_one_tool_still_lists_it() {
    let asking = Asking::of("[[tool]]\nname = \"t\"\nfault = \"break\"");
    assert_eq!(asking.player.list(crate::peer::server::Kind::Tools).len(), 1);
}
