//! Which rule answers, how often, and what is said where none does.

use super::Asking;
use crate::model::Revision;
use crate::peer::server::{Answer, Link};

/// A tool with one rule under this condition, and `else` for all others.
fn conditional(when: &str) -> Asking {
    Asking::of(&format!(
        "[[tool]]\nname = \"t\"\nanswer = \"else\"\n[[tool.rule]]\nwhen = {{ {when} }}\nanswer = \"then\""
    ))
}

#[test]
fn conditions_look_at_arguments_and_at_who_asks() {
    let cases = [
        ("arguments.a = 1", r#"{"a":1.0}"#, true),
        ("arguments.a = 1", r#"{"a":"1"}"#, false),
        ("arguments = { a = 1, b = \"x\" }", r#"{"a":1,"b":"x","c":2}"#, true),
        ("arguments = { a = 1, b = \"x\" }", r#"{"a":1}"#, false),
        ("\"arguments.a.0.b\" = true", r#"{"a":[{"b":true}]}"#, true),
        ("\"arguments/a.b\" = true", r#"{"a.b":true}"#, true),
        ("\"params/name\" = \"t\"", "{}", true),
        ("arguments.a = [1, 2]", r#"{"a":[1, 2.0]}"#, true),
        ("arguments.a = { equals = { x = 1, y = 2 } }", r#"{"a":{"y":2,"x":1}}"#, true),
        ("arguments.a = { equals = { x = 1 } }", r#"{"a":{"y":2,"x":1}}"#, false),
        ("arguments.a = { matches = \"^O.*o$\" }", r#"{"a":"Oslo"}"#, true),
        ("arguments.a = { exists = false }", "{}", true),
        ("arguments.a = { exists = true }", r#"{"a":null}"#, true),
        ("arguments.a = { min = 1, max = 9007199254740993 }", r#"{"a":9007199254740993}"#, true),
        ("arguments.a = { min = 1, max = 9007199254740992 }", r#"{"a":9007199254740993}"#, false),
        ("arguments.a = { min = 1 }", r#"{"a":"2"}"#, false),
        ("arguments.a = { contains = \"sl\" }", r#"{"a":"Oslo"}"#, true),
        ("arguments.a = { contains = 2 }", r#"{"a":[1,2]}"#, true),
        ("arguments.a = { one-of = [1, \"x\"] }", r#"{"a":"x"}"#, true),
        ("arguments.a = { not = 1 }", r#"{"a":2}"#, true),
        ("arguments.a = { not = { min = 1, max = 3 } }", r#"{"a":2}"#, false),
        ("client = \"ho*\"", "{}", true),
        ("client = \"ho\"", "{}", false),
        ("client.version = \"2\"", "{}", true),
        ("capabilities.sampling = { exists = true }", "{}", true),
        ("era = \"legacy\", link = \"stdio\"", "{}", true),
        ("revision = \">=2025-06-18\"", "{}", true),
        ("revision = [\"2024-11-05\", \"2026-07-28\"]", "{}", false),
    ];
    for (when, arguments, fits) in cases {
        let said = conditional(when).calls("t", arguments);
        assert_eq!(said.contains("then"), fits, "{when} {arguments}: {said}");
    }
}

#[test]
fn era_link_and_revision_are_those_of_the_request() {
    let mut asking = conditional("era = \"modern\", link = \"http\", revision = \"2026-07-28\"");
    assert!(asking.calls("t", "{}").contains("else"));
    (asking.link, asking.revision) = (Link::Http, Revision::V2026_07_28);
    assert!(asking.calls("t", "{}").contains("then"));
}

#[test]
fn rules_count_the_requests_that_fit_them() {
    let mut asking = Asking::of(
        "[[tool]]\nname = \"t\"\nanswer = \"base {{nth}}\"\n[[tool.rule]]\nnth = 1\nanswer = \"first\"\n\
         [[tool.rule]]\nwhen = { arguments.a = 1 }\nnth = \"2..3\"\nanswer = \"second or third with a\"\n\
         [[tool.rule]]\nevery = 4\nanswer = \"every fourth\"",
    );
    let said: Vec<String> = [r#"{"a":1}"#, r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":1}"#, r#"{"a":1}"#, "{}", "{}", "{}"]
        .into_iter()
        .map(|arguments| asking.calls("t", arguments))
        .collect();
    let texts: Vec<&str> = said.iter().filter_map(|said| said.split("text\":\"").nth(1)?.split('"').next()).collect();
    assert_eq!(
        texts,
        [
            "first",
            "second or third with a",
            "base 1",
            "second or third with a",
            "base 2",
            "base 3",
            "base 4",
            "every fourth"
        ]
    );
}

#[test]
fn a_rule_without_an_answer_wraps_what_answers_after_it() {
    let mut asking = Asking::of(
        "[[rule]]\nmethod = \"*/list\"\nfault = { kind = \"delay\", delay = \"1s\" }\n\
         [[rule]]\nmethod = \"tools/call\"\nwhen = { params.name = \"t\" }\nsteps = [{ stderr = \"called\" }]\n\
         [[tool]]\nname = \"t\"\nanswer = \"x\"\n[[tool.rule]]\nnth = 2\nfault = \"no-answer\"\n\
         [[tool]]\nname = \"u\"\nanswer = \"y\"",
    );
    let answer = r#"result {"content":[{"type":"text","text":"x"}]}"#;
    assert_eq!(asking.asks("prompts/list", "{}"), "wait 1000ms\nown");
    assert_eq!(asking.asks("ping", "{}"), "own");
    assert_eq!(asking.calls("t", "{}"), format!("stderr called\n{answer}"));
    assert_eq!(asking.calls("t", "{}"), "stderr called");
    assert_eq!(asking.calls("t", "{}"), format!("stderr called\n{answer}"));
    assert!(!asking.calls("u", "{}").contains("stderr"));
}

#[test]
fn rules_for_methods_come_before_items_and_the_protocol() {
    let mut asking = Asking::of(
        "[[rule]]\nmethod = \"ping\"\nerror = \"no\"\n[[rule]]\nmethod = \"tools/call\"\nwhen = { params.name = \"t\" }\nnth = 1\nanswer = \"rule\"\n\
         [[tool]]\nname = \"t\"\nanswer = \"own\"\n[[rule]]\nmethod = \"x/*\"\nresult = { a = 1 }",
    );
    assert_eq!(asking.asks("ping", "{}"), r#"error {"code":-32603,"message":"no"}"#);
    assert!(asking.calls("t", "{}").contains("rule"));
    assert!(asking.calls("t", "{}").contains("own"));
    assert_eq!(asking.asks("x/anything", "{}"), r#"result {"a":1}"#);
    assert_eq!(asking.calls("unknown", "{}"), "own");
}

#[test]
fn a_miss_names_the_nearest_rule_and_what_differs() {
    let mut asking = Asking::of(
        "[[tool]]\nname = \"t\"\n[[tool.rule]]\nname = \"far\"\nwhen = { arguments.city = \"Rome\", arguments.n = 1 }\nanswer = \"a\"\n\
         [[tool.rule]]\nname = \"near\"\nwhen = { arguments.city = \"Oslo\", arguments.n = 2 }\nanswer = \"b\"\n\
         [[tool]]\nname = \"silent\"",
    );
    let Answer::Miss(miss) = asking.answer("tools/call", r#"{"name":"t","arguments":{"city":"Oslo","n":5}}"#) else {
        panic!("nothing fits");
    };
    let near = &miss.near[0];
    assert_eq!((near.what.as_str(), near.place), ("near", Some(7)));
    assert_eq!((near.pointer.as_str(), near.wanted.as_str(), near.got.as_deref()), ("/arguments/n", "2", Some("5")));
    assert_eq!(near.steps.len(), 1);
    assert_eq!(miss.near[1].what, "far");
    assert!(miss.why.contains("`near`, wants 2 at /arguments/n, which has 5"), "{}", miss.why);
    assert_eq!(asking.calls("silent", "{}"), "miss: the mock file says no answer for the tool `silent`");
}
