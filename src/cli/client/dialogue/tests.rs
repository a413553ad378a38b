//! Dialogues as scripts: what is typed, and the answer.

use super::*;

fn held(method: &str, params: &str, lines: &[&str]) -> String {
    let question = Question {
        id: 1,
        method: method.to_owned(),
        params: Some(params.as_bytes().into()),
        call: None,
        key: None,
        round: 0,
        request: None,
    };
    let (mut dialogue, _) = Dialogue::of(&question);
    for line in lines {
        match dialogue.line(line) {
            Step::Ask(_) => {}
            Step::Done(Answer::Result(result)) => return String::from_utf8(result).expect("UTF-8"),
            Step::Done(Answer::Error(error)) => return format!("error {}", String::from_utf8_lossy(&error)),
            Step::Done(Answer::Silence) => return "silence".to_owned(),
        }
    }
    "asks on".to_owned()
}

const FORM: &str = r#"{"message":"Who?","requestedSchema":{"type":"object","properties":{
    "name":{"type":"string"},"age":{"type":"integer","default":30},"member":{"type":"boolean"},
    "colour":{"type":"string","enum":["red","green"]}},"required":["name"]}}"#;

#[test]
fn a_form_is_filled_in_line_by_line() {
    let filled = held("elicitation/create", FORM, &["Ada", "", "true", "2", ""]);
    assert_eq!(filled, r#"{"action":"accept","content":{"name":"Ada","age":30,"member":true,"colour":"green"}}"#);
    let some = held("elicitation/create", FORM, &["Ada", "1915883588174806058", "", "", "y"]);
    assert_eq!(some, r#"{"action":"accept","content":{"name":"Ada","age":1915883588174806058}}"#);
}

#[test]
fn a_form_is_declined_cancelled_or_answered_otherwise() {
    let filled = ["Ada", "", "", ""];
    let with = |last: &str| held("elicitation/create", FORM, &[&filled[..], &[last]].concat());
    assert_eq!(with("n"), r#"{"action":"decline"}"#);
    assert_eq!(with("cancel"), r#"{"action":"cancel"}"#);
    assert_eq!(with(r#"{"name":1.0}"#), r#"{"action":"accept","content":{"name":1.0}}"#);
    assert_eq!(with("what?"), "asks on");
}

#[test]
fn a_page_is_accepted_only_in_so_many_letters() {
    let page = r#"{"mode":"url","message":"Sign in","url":"https://example.com/x","elicitationId":"1"}"#;
    assert_eq!(held("elicitation/create", page, &["", "y"]), r#"{"action":"accept"}"#);
    assert_eq!(held("elicitation/create", page, &["n"]), r#"{"action":"decline"}"#);
    assert_eq!(held("elicitation/create", page, &[""]), "asks on");
}

#[test]
fn sampling_takes_a_text_a_result_or_nothing() {
    let asked = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":5}"#;
    let text = held("sampling/createMessage", asked, &["so \"it\" is"]);
    assert!(text.contains(r#""content":{"type":"text","text":"so \"it\" is"}"#), "{text}");
    assert_eq!(held("sampling/createMessage", asked, &[r#"{"role":"x"}"#]), r#"{"role":"x"}"#);
    assert!(held("sampling/createMessage", asked, &[""]).starts_with("error {\"code\":-1,"));
}

#[test]
fn what_nobody_knows_is_answered_with_json() {
    assert_eq!(held("x/new", "{}", &["{", "[1.0]"]), "[1.0]");
    assert!(held("x/new", "{}", &[""]).contains("-32601"));
}
