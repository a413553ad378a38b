//! What items say of themselves, and what they answer.

use super::{Asking, faults, mock};
use crate::mock::read_with;
use crate::peer::server::{Kind, Script};

/// The only item of a list, as text.
fn listed(text: &str, kind: Kind) -> String {
    let asking = Asking::of(text);
    let items = asking.player.list(kind);
    assert_eq!(items.len(), 1, "{text}");
    String::from_utf8_lossy(&items[0]).into_owned()
}

#[test]
fn a_tool_is_listed_as_it_is_written() {
    let short = "[[tool]]\nname = \"t\"\nanswer = \"x\"";
    assert_eq!(listed(short, Kind::Tools), r#"{"name":"t","inputSchema":{"type":"object"}}"#);
    let long = r#"
[[tool]]
name = "t"
title = "T"
description = "d"
icons = [{ src = "data:,", sizes = ["any"] }]
input = { type = "object", properties = { n = { type = "number", maximum = 12345678901234567890.50 } } }
output = '{"type": "object", "x":1.10}'
annotations = { readOnlyHint = true }
execution = { taskSupport = "optional" }
meta = { a = 1 }
more = '{"custom":{"x":1e3}, "title":5}'
answer = "x"
"#;
    let expected = concat!(
        r#"{"name":"t","title":5,"description":"d","icons":[{"src":"data:,","sizes":["any"]}],"inputSchema":"#,
        r#"{"type":"object","properties":{"n":{"type":"number","maximum":12345678901234567890.50}}},"outputSchema":"#,
        r#"{"type": "object", "x":1.10},"annotations":{"readOnlyHint":true},"execution":{"taskSupport":"optional"},"#,
        r#""_meta":{"a":1},"custom":{"x":1e3}}"#
    );
    assert_eq!(listed(long, Kind::Tools), expected);
}

#[test]
fn resources_templates_and_prompts_are_listed_as_they_are_written() {
    let resource = "[[resource]]\nuri = \"x://1\"\nmimeType = \"text/plain\"\nsize = 3\ntext = \"abc\"\nannotations = { priority = 0.50 }";
    assert_eq!(
        listed(resource, Kind::Resources),
        r#"{"uri":"x://1","name":"x://1","mimeType":"text/plain","annotations":{"priority":0.50},"size":3}"#
    );
    let template =
        "[[template]]\nuriTemplate = \"x://{id}\"\nname = \"x\"\ntext = \"abc\"\ncomplete = { id = [\"1\", \"2\"] }";
    assert_eq!(listed(template, Kind::Templates), r#"{"uriTemplate":"x://{id}","name":"x"}"#);
    assert_eq!(
        mock(template).about().completions,
        [("x://{id}".to_owned(), "id".to_owned(), vec!["1".into(), "2".into()])]
    );
    let prompt = "[[prompt]]\nname = \"p\"\nanswer = \"x\"\narguments = [\"a\", { name = \"b\", required = true, complete = [\"c\"] }]";
    assert_eq!(
        listed(prompt, Kind::Prompts),
        r#"{"name":"p","arguments":[{"name":"a"},{"name":"b","required":true}]}"#
    );
    assert_eq!(mock(prompt).about().completions, [("p".to_owned(), "b".to_owned(), vec!["c".into()])]);
}

#[test]
fn calls_are_answered_in_every_way_that_a_tool_can_say() {
    let cases = [
        (r#"answer = "hi {{arguments.a}}""#, r#"result {"content":[{"type":"text","text":"hi 5.0"}]}"#),
        (r#"answer = "{{arguments.a}}""#, r#"result {"content":[{"type":"text","text":"5.0"}]}"#),
        (
            r#"answer = "{{arguments.a}}"
fill = false"#,
            r#"result {"content":[{"type":"text","text":"{{arguments.a}}"}]}"#,
        ),
        ("answer = \"no\"\nisError = true", r#"result {"content":[{"type":"text","text":"no"}],"isError":true}"#),
        (
            "structured = { n = \"{{arguments.a}}\" }",
            r#"result {"content":[{"type":"text","text":"{\"n\":5.0}"}],"structuredContent":{"n":5.0}}"#,
        ),
        (
            "structured = '[1, {{arguments.a}}]'\nanswer = \"x\"",
            r#"result {"content":[{"type":"text","text":"x"}],"structuredContent":[1, 5.0]}"#,
        ),
        (
            "output = { type = \"boolean\" }\nsample = true",
            r#"result {"content":[{"type":"text","text":"false"}],"structuredContent":false}"#,
        ),
        ("result = { any = 1 }\nbare = true", r#"result {"any":1} bare"#),
        (r#"result = '{"a": {{nth}} }'"#, r#"result {"a": 1 }"#),
        ("error = \"broken\"", r#"error {"code":-32603,"message":"broken"}"#),
        (
            "error = { code = -32000, message = \"no {{arguments.a}}\", data = [1] }",
            r#"error {"code":-32000,"message":"no 5.0","data":[1]}"#,
        ),
        ("response = 503", "respond 503 [] "),
        (
            "response = { status = 401, headers = { WWW-Authenticate = \"Bearer\" }, body = \"{{params.name}}\" }",
            r#"respond 401 [("WWW-Authenticate", "Bearer")] t"#,
        ),
        ("own = true", "own"),
    ];
    for (answer, expected) in cases {
        let mut asking = Asking::of(&format!("[[tool]]\nname = \"t\"\n{answer}"));
        assert_eq!(asking.calls("t", r#"{"a":5.0}"#), expected, "{answer}");
    }
}

#[test]
fn content_blocks_of_every_kind() {
    let cases = [
        (
            r#"{ text = "x", annotations = { priority = 1 } }"#,
            r#"{"type":"text","text":"x","annotations":{"priority":1}}"#,
        ),
        (r#"{ image = "AAAA" }"#, r#"{"type":"image","data":"AAAA","mimeType":"image/png"}"#),
        (
            r#"{ audio = "AAAA", mimeType = "audio/ogg", meta = { a = 1 } }"#,
            r#"{"type":"audio","data":"AAAA","mimeType":"audio/ogg","_meta":{"a":1}}"#,
        ),
        (
            r#"{ resource = { uri = "x://1", text = "t", mimeType = "text/plain" } }"#,
            r#"{"type":"resource","resource":{"uri":"x://1","mimeType":"text/plain","text":"t"}}"#,
        ),
        (
            r#"{ resource = { uri = "x://1", blob = "AAAA" } }"#,
            r#"{"type":"resource","resource":{"uri":"x://1","blob":"AAAA"}}"#,
        ),
        (r#"{ link = { uri = "x://1", name = "n" } }"#, r#"{"type":"resource_link","uri":"x://1","name":"n"}"#),
        (r#"{ link = "x://1" }"#, r#"{"type":"resource_link","uri":"x://1","name":"x://1"}"#),
        (r#"{ type = "odd", any = [1] }"#, r#"{"type":"odd","any":[1]}"#),
        (r#"{ text = "x", more = '{"b":1.0}' }"#, r#"{"type":"text","text":"x","b":1.0}"#),
    ];
    for (block, expected) in cases {
        let mut asking = Asking::of(&format!("[[tool]]\nname = \"t\"\nanswer = [{block}]"));
        assert_eq!(asking.calls("t", "{}"), format!(r#"result {{"content":[{expected}]}}"#), "{block}");
    }
}

#[test]
fn files_are_read_by_who_calls() {
    let text = "[[resource]]\nuri = \"x://1\"\nfile = \"a.png\"\n[[resource]]\nuri = \"x://2\"\nfile = \"b.txt\"\n\
                [[tool]]\nname = \"t\"\ninput = { file = \"s.json\" }\nanswer = [{ image = { file = \"a.png\" } }]\n\
                [[resource]]\nuri = \"x://3\"\nfile = \"gone\"";
    let files = |name: &str| match name {
        "a.png" => Ok(vec![0xFF, 0xD8]),
        "b.txt" => Ok(b"hello".to_vec()),
        "s.json" => Ok(br#"{"type":"object","a":1.0}"#.to_vec()),
        _ => Err(format!("read `{name}`: it is not there")),
    };
    let read = read_with(text, &files);
    let mock = read.mock.expect("it is TOML");
    assert_eq!(mock.files(), ["s.json", "a.png", "b.txt", "gone"]);
    assert_eq!(read.faults.len(), 1);
    assert!(read.faults[0].message.contains("failed to read `gone`"), "{:?}", read.faults);
    let mut asking = Asking::of("");
    asking.player = crate::mock::Player::new(mock);
    let list: Vec<_> =
        asking.player.list(Kind::Tools).iter().map(|item| String::from_utf8_lossy(item).into_owned()).collect();
    assert_eq!(list, [r#"{"name":"t","inputSchema":{"type":"object","a":1.0}}"#]);
    assert_eq!(
        asking.asks("resources/read", r#"{"uri":"x://1"}"#),
        r#"result {"contents":[{"uri":"x://1","mimeType":"image/png","blob":"/9g="}]}"#
    );
    assert_eq!(
        asking.asks("resources/read", r#"{"uri":"x://2"}"#),
        r#"result {"contents":[{"uri":"x://2","mimeType":"text/plain","text":"hello"}]}"#
    );
    assert_eq!(
        asking.calls("t", "{}"),
        r#"result {"content":[{"type":"image","data":"/9g=","mimeType":"image/png"}]}"#
    );
    assert!(faults(text)[0].contains("no files can be read here"));
}

#[test]
fn resources_and_templates_are_read() {
    let mut asking = Asking::of(
        "[[template]]\nuriTemplate = \"n://{id}\"\nmimeType = \"text/plain\"\ntext = \"note {{variables.id}}\"\n\
         [[template.rule]]\nwhen = { variables.id = \"13\" }\nerror = { code = -32002, message = \"no\" }\n\
         [[resource]]\nuri = \"n://1\"\ncontents = [{ text = \"a\" }, { uri = \"n://1/b\", blob = \"AA==\", meta = { x = 1 } }]",
    );
    assert_eq!(
        asking.asks("resources/read", r#"{"uri":"n://a%20b"}"#),
        r#"result {"contents":[{"uri":"n://a%20b","mimeType":"text/plain","text":"note a b"}]}"#
    );
    assert_eq!(asking.asks("resources/read", r#"{"uri":"n://13"}"#), r#"error {"code":-32002,"message":"no"}"#);
    assert_eq!(
        asking.asks("resources/read", r#"{"uri":"n://1"}"#),
        r#"result {"contents":[{"uri":"n://1","text":"a"},{"uri":"n://1/b","blob":"AA==","_meta":{"x":1}}]}"#
    );
    assert_eq!(asking.asks("resources/read", r#"{"uri":"other://1"}"#), "own");
}

#[test]
fn prompts_are_got() {
    let mut asking = Asking::of(
        "[[prompt]]\nname = \"p\"\ndescription = \"d\"\nmessages = [\"a {{arguments.x}}\", { assistant = \"b\" }, \
         { role = \"user\", content = { image = \"AA==\" } }]\n[[prompt]]\nname = \"q\"\nanswer = \"short\"",
    );
    let expected = concat!(
        r#"result {"description":"d","messages":[{"role":"user","content":{"type":"text","text":"a 1"}},"#,
        r#"{"role":"assistant","content":{"type":"text","text":"b"}},"#,
        r#"{"role":"user","content":{"type":"image","data":"AA==","mimeType":"image/png"}}]}"#
    );
    assert_eq!(asking.asks("prompts/get", r#"{"name":"p","arguments":{"x":"1"}}"#), expected);
    assert_eq!(
        asking.asks("prompts/get", r#"{"name":"q"}"#),
        r#"result {"messages":[{"role":"user","content":{"type":"text","text":"short"}}]}"#
    );
}

#[test]
fn arguments_are_checked_where_that_is_asked_for() {
    let mut asking = Asking::of(
        "[server]\ncheck = true\n[[tool]]\nname = \"t\"\ninput = { type = \"object\", required = [\"a\"] }\nanswer = \"x\"\n\
         [[tool]]\nname = \"u\"\ncheck = false\ninput = { type = \"object\", required = [\"a\"] }\nanswer = \"x\"",
    );
    let wrong = asking.calls("t", "{}");
    assert!(wrong.contains("isError\":true") && wrong.contains("do not fit"), "{wrong}");
    assert!(!asking.calls("t", r#"{"a":1}"#).contains("isError"));
    assert!(!asking.calls("u", "{}").contains("isError"));
}
