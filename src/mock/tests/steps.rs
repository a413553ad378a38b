//! Steps before an answer.

use super::{Asking, faults};

#[test]
fn every_step_comes_out_as_it_is_written() {
    let cases = [
        ("wait = \"200ms\"", "wait 200ms"),
        ("wait = 1.5", "wait 1500ms"),
        ("wait = \"{{arguments.a}}s\"", "wait 5000ms"),
        ("progress = 1, total = 3, message = \"at {{arguments.a}}\"", "progress 1 of 3: at 5.0"),
        ("progress = \"{{arguments.a}}\"", "progress 5.0 of -: -"),
        ("log = \"x {{arguments.a}}\", level = \"debug\", logger = \"l\"", "log debug l \"x 5.0\""),
        ("log = { a = 1 }", "log info - {\"a\":1}"),
        ("notify = \"x/y\", params = { a = 1 }, loose = true", "notify x/y {\"a\":1} loose"),
        ("changed = \"tools\"", "changed tools/list"),
        ("updated = \"x://1\"", "updated x://1"),
        (
            "ask = \"who\", elicit = \"Name?\", schema = { type = \"object\" }",
            r#"ask who elicitation/create {"message":"Name?","requestedSchema":{"type":"object"}}"#,
        ),
        (
            "ask = \"who\", elicit = { message = \"m\", mode = \"form\" }",
            r#"ask who elicitation/create {"message":"m","mode":"form"}"#,
        ),
        (
            "ask = \"k\", url = \"https://x/{{params.name}}\", message = \"go\"",
            r#"ask k elicitation/create {"mode":"url","message":"go","url":"https://x/t"}"#,
        ),
        (
            "ask = \"k\", sample = \"say {{arguments.a}}\"",
            concat!(
                r#"ask k sampling/createMessage {"messages":[{"role":"user","content":"#,
                r#"{"type":"text","text":"say 5.0"}}],"maxTokens":1000}"#
            ),
        ),
        ("ask = \"k\", sample = { maxTokens = 5 }", r#"ask k sampling/createMessage {"maxTokens":5}"#),
        ("ask = \"k\", roots = true, forced = true", "ask k roots/list - forced"),
        ("ask = \"k\", method = \"x/y\", params = { a = 1 }", r#"ask k x/y {"a":1}"#),
        ("come-again = true", "come again"),
        ("task = true", "task None None false"),
        ("task = { ttl = \"60s\", poll = \"500ms\", forced = true }", "task Some(60000) Some(500) true"),
        ("status = \"on {{arguments.a}}\"", "status on 5.0"),
        ("stderr = \"x\"", "stderr x"),
        ("raw = \"{\\n\"", "raw {\\n"),
        (
            "headers = { X-A = \"1\", Content-Type = false }",
            "fields [(\"X-A\", Some(\"1\")), (\"Content-Type\", None)]",
        ),
        ("break = true", "break"),
        ("close = true", "close"),
        ("lose-session = true", "lose session"),
        ("exit = 3", "exit 3"),
        ("result = { a = 1 }, bare = true", "result {\"a\":1} bare"),
        ("error = \"x\"", "error {\"code\":-32603,\"message\":\"x\"}"),
        ("response = 500", "respond 500 [] "),
        ("own = true", "own"),
    ];
    for (step, expected) in cases {
        let mut asking = Asking::of(&format!("[[tool]]\nname = \"t\"\nsteps = [{{ {step} }}]\nanswer = \"x\""));
        let said = asking.calls("t", r#"{"a":5.0}"#);
        assert_eq!(said.split("\nresult {\"content").next(), Some(expected), "{step}");
    }
}

#[test]
fn what_the_client_answered_is_there_for_what_follows() {
    let mut asking = Asking::of(
        "[[tool]]\nname = \"t\"\nsteps = [{ ask = \"who\", roots = true }]\nanswer = \"hi {{answer.who.content.name}}\"",
    );
    assert!(asking.calls("t", "{}").ends_with(r#"result {"content":[{"type":"text","text":"hi Ada"}]}"#));
}

#[test]
fn a_step_that_is_none_is_told_of() {
    let of = |step: &str| faults(&format!("[[tool]]\nname = \"t\"\nsteps = [{{ {step} }}]\nanswer = \"x\""));
    assert_eq!(of("wait = \"1s\", progress = 1").len(), 1);
    assert!(of("wait = \"1s\", level = \"x\"")[0].contains("`level` does not belong to a step that has `wait`"));
    assert!(of("level = \"x\"")[0].contains("a step does one thing"));
    assert!(of("wait = \"soon\"")[0].contains("200ms"));
    assert!(of("changed = \"toolz\"")[0].contains("\"tools\""));
    assert!(of("ask = \"k\"")[0].contains("needs `method`"));
    assert!(of("ask = \"k\", url = \"x\"")[0].contains("needs `message`"));
    assert!(of("add = { tool = \"gone\" }")[0].contains("there is no `gone`"));
    assert!(of("response = 99")[0].contains("200 to 999"));
}
