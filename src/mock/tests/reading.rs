//! The file as a whole: who the server is, what is told of mistakes, and that nothing makes it panic.

use super::{faults, mock};
use crate::mock::{RuleKind, read};
use crate::model::Revision;

#[test]
fn the_server_is_who_the_file_says() {
    let mock = mock(
        r#"
midwire = 1
[server]
name = "weather"
title = "Weather"
version = "2.1"
description = "d"
websiteUrl = "https://example.org"
icons = [{ src = "data:," }]
more = { x = 1.0 }
instructions = "be kind"
revisions = ["2026-07-28", "2025-06-18"]
page = 2
cache = { ttl = "60s", scope = "public" }
capabilities = { experimental = { a = {} }, tools = false }
legacy-capabilities = { logging = {} }
modern-capabilities = '{"extensions":{"x/y":{}}}'
[[tool]]
name = "t"
answer = "x"
[[prompt]]
name = "p"
answer = "x"
arguments = [{ name = "a", complete = ["b"] }]
"#,
    );
    let about = mock.about();
    assert_eq!(
        about.identity,
        concat!(
            r#"{"name":"weather","version":"2.1","title":"Weather","description":"d","#,
            r#""websiteUrl":"https://example.org","icons":[{"src":"data:,"}],"x":1.0}"#
        )
    );
    let both = r#""prompts":{"listChanged":true},"completions":{},"experimental":{"a":{}}"#;
    assert_eq!(about.legacy, format!(r#"{{{both},"logging":{{}}}}"#));
    assert_eq!(about.modern, format!(r#"{{{both},"extensions":{{"x/y":{{}}}}}}"#));
    assert_eq!(about.instructions.as_deref(), Some("be kind"));
    assert_eq!(about.revisions, [Revision::V2025_06_18, Revision::V2026_07_28]);
    assert_eq!((about.page, &about.hint), (Some(2), &(60_000, "public".to_owned())));
    assert_eq!(mock.summary(), "weather: 1 tool, 1 prompt");
}

#[test]
fn capabilities_follow_from_what_is_there() {
    let of = |text: &str| {
        let mock = mock(text);
        (mock.about().legacy.clone(), mock.about().modern.clone())
    };
    let same = |text: &str| (text.to_owned(), text.to_owned());
    assert_eq!(of(""), same("{}"));
    assert_eq!(of("[[tool]]\nname = \"t\"\nanswer = \"x\""), same(r#"{"tools":{"listChanged":true}}"#));
    assert_eq!(
        of("[[resource]]\nuri = \"x://1\"\ntext = \"x\""),
        same(r#"{"resources":{"subscribe":true,"listChanged":true}}"#)
    );
    let (legacy, modern) = of("[[tool]]\nname = \"t\"\nsteps = [{ log = \"x\" }, { task = true }]\nanswer = \"x\"");
    assert!(legacy.ends_with(r#""logging":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}"#));
    assert!(modern.ends_with(r#""logging":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#));
    assert_eq!(mock("[server]\nrevisions = \"legacy\"").about().revisions, Revision::KNOWN[..4]);
    assert_eq!(mock("[server]\nrevisions = \"modern\"").about().revisions, Revision::KNOWN[4..]);
}

#[test]
fn rules_are_named_and_have_their_place() {
    let text = "# first\n[[tool]]\nname = \"t\"\nanswer = \"x\"\n\n[[tool.rule]]\nname = \"mine\"\nanswer = \"y\"\n[[tool.rule]]\nanswer = \"z\"\n\n\
                [[rule]]\nmethod = \"ping\"\nown = true\n[[timer]]\nafter = 1\nchanged = \"tools\"\n";
    let mock = mock(text);
    let rules: Vec<(&str, RuleKind, usize, &str)> =
        mock.rules().iter().map(|rule| (rule.name.as_str(), rule.kind, rule.line, &text[rule.range.clone()])).collect();
    assert_eq!(
        rules,
        [
            (
                "tool t",
                RuleKind::Tool,
                2,
                "[[tool]]\nname = \"t\"\nanswer = \"x\"\n\n[[tool.rule]]\nname = \"mine\"\nanswer = \"y\"\n[[tool.rule]]\nanswer = \"z\""
            ),
            ("mine", RuleKind::Tool, 6, "[[tool.rule]]\nname = \"mine\"\nanswer = \"y\""),
            ("tool t, rule 2", RuleKind::Tool, 9, "[[tool.rule]]\nanswer = \"z\""),
            ("rule 1 for ping", RuleKind::Method, 12, "[[rule]]\nmethod = \"ping\"\nown = true"),
            ("timer 1", RuleKind::Timer, 15, "[[timer]]\nafter = 1\nchanged = \"tools\""),
        ]
    );
}

#[test]
fn mistakes_are_told_with_place_and_hint() {
    let tool = |line: &str| faults(&format!("[[tool]]\nname = \"t\"\n{line}"));
    let cases = [
        (faults("[[tools]]\nname = \"x\""), "line 1, column 3: a mock file has no key `tools`; did you mean `tool`?"),
        (faults("midwire = 2"), "line 1, column 1: this midwire reads form 1 of mock files only"),
        (faults("[server]\nnam = \"x\""), "line 2, column 1: the server has no key `nam`; did you mean `name`?"),
        (faults("[server]\nrevisions = [\"2020-01-01\"]"), "is no revision that midwire speaks"),
        (faults("[[tool]]\nanswer = \"x\""), "line 1, column 1: a tool needs `name`"),
        (faults("tool = 5"), "line 1, column 8: `tool` is a list of tables, [[tool]], not a number"),
        (tool("awnser = \"x\""), "line 3, column 1: a tool has no key `awnser`; did you mean `answer`?"),
        (tool("colour = \"x\""), "a tool has no key `colour`; it has name, input"),
        (tool("description = 5\nanswer = \"x\""), "line 3, column 15: `description` is a text, not a number"),
        (tool("answer = \"x\"\nerror = \"y\""), "line 4, column 9: there is one answer: `answer` or `error`"),
        (tool("answer = \"x\"\nisError = \"y\""), "`isError` is true or false, not a text"),
        (tool("structured = \"x\""), "`structured` as a text has to be JSON"),
        (tool("result = [1]"), "`result` is a table, or the text of a JSON object"),
        (tool("input = { x = inf }\nanswer = \"x\""), "JSON has no inf"),
        (tool("sample = true"), "`sample` makes an answer from the `output` schema"),
        (tool("answer = \"{{argument.x}}\""), "`{{argument.x}}` is sent as it is: it begins with none of params"),
        (tool("answer = \"{{arguments.x|upper}}\""), "`upper` is none of text"),
        (tool("answer = \"x\"\nfrom = \"soon\""), "`from` is a number of seconds"),
        (
            tool("answer = \"x\"\n[[tool.rule]]\nwhen = { argument = { x = 1 } }\nanswer = \"y\""),
            "did you mean `arguments`?",
        ),
        (
            tool("answer = \"x\"\n[[tool.rule]]\nwhen = { arguments.x = { min = 1, mx = 2 } }\nanswer = \"y\""),
            "did you mean `max`?",
        ),
        (
            tool("answer = \"x\"\n[[tool.rule]]\nwhen = { arguments.x = { matches = \"(\" } }\nanswer = \"y\""),
            "is no pattern",
        ),
        (tool("answer = \"x\"\n[[tool.rule]]\nwhen = { era = \"new\" }\nanswer = \"y\""), "there is no era `new`"),
        (tool("answer = \"x\"\n[[tool.rule]]\nnth = 0\nanswer = \"y\""), "`nth` is a number from 1"),
        (
            tool("answer = \"x\"\n[[tool]]\nname = \"t\"\nanswer = \"y\""),
            "line 4, column 1: there is a tool `t` already",
        ),
        (faults("[[template]]\nuriTemplate = \"x://{\"\ntext = \"x\""), "failed to read the URI template"),
        (faults("[[resource]]\nuri = \"x\"\ncontents = 5"), "`contents` is a list of tables"),
        (faults("[[prompt]]\nname = \"x\"\nmessages = [{ role = \"user\" }]"), "needs `content`"),
        (faults("[[rule]]\nerror = \"x\""), "a rule needs `method`"),
        (faults("\u{feff}"), "byte order mark"),
        (faults("[[tool]\n"), "line 1"),
    ];
    for (told, expected) in cases {
        assert!(told.iter().any(|fault| fault.contains(expected)), "{expected}\n{told:#?}");
    }
}

#[test]
fn what_is_at_fault_does_not_take_the_rest_with_it() {
    let read = read(
        "[[tool]]\nname = \"a\"\nanswer = 5\n[[tool]]\nanswer = \"x\"\n[[tool]]\nname = \"b\"\nanswer = \"x\"\ndescription = 1",
    );
    assert_eq!(read.faults.len(), 3);
    assert_eq!(read.mock.map(|mock| mock.summary()).as_deref(), Some("mock: 2 tools"));
}

/// Pieces of mock files, so that random texts reach deep.
const PIECES: [&str; 24] = [
    "[[tool]]",
    "[[tool.rule]]",
    "[[rule]]",
    "[[timer]]",
    "[server]",
    "[[resource]]",
    "[[template]]",
    "[[prompt]]",
    "name = \"t\"",
    "method = \"*\"",
    "answer = \"{{arguments.x}}\"",
    "answer = [1, {}]",
    "steps = [{}, { wait = -1 }, 5]",
    "when = { arguments = {} }",
    "nth = \"..\"",
    "every = 0",
    "after = 1e300",
    "fault = [\"crash\", {}]",
    "uri = \"x\"",
    "uriTemplate = \"{+a}{?b*}\"",
    "text = \"x\"",
    "structured = '{{x'",
    "contents = [{}]",
    "messages = [{ user = [] }]",
];

proptest::proptest! {
    #[test]
    fn nothing_panics(picks in proptest::collection::vec(0..PIECES.len(), 0..12), noise in "[ -~\n]{0,40}") {
        let text: Vec<&str> = picks.iter().map(|pick| PIECES[*pick]).chain([noise.as_str()]).collect();
        let text = text.join("\n");
        let read = read(&text);
        if let Some(mock) = read.mock {
            let mut asking = super::Asking::of("");
            asking.player = crate::mock::Player::new(mock);
            let _ = asking.calls("t", "{}");
            let _ = asking.asks("resources/read", r#"{"uri":"x"}"#);
            let _ = asking.asks("prompts/get", r#"{"name":"t"}"#);
            let _ = asking.asks("tools/list", "[]");
        }
        let _ = read.faults;
        let _ = crate::mock::edit(&text, 0..text.len() / 2, "x = 1");
    }
}
