//! Instances that go into a form and come out as they were, also where the schema expects something else.

use super::{field, form, names, presence};
use crate::schema::{Control, Presence};

const SCHEMA: &str = r#"{"type":"object","required":["s"],"properties":{
    "s":{"type":"string"},"n":{"type":"integer"},"b":{"type":"boolean"},"e":{"enum":["x",1]},
    "m":{"type":"array","items":{"enum":["a","b"]}},"o":{"type":"object","properties":{"p":{"type":"string"}}},
    "l":{"type":"array","items":{"type":"string"}},"u":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}"#;

#[test]
fn instances_come_out_as_they_went_in() {
    let mut form = form(SCHEMA);
    for text in [
        r#"{"s":"a"}"#,
        r#"{"n":2512292042121000001,"s":""}"#,
        r#"{"n":1.0,"s":"x","b":true,"e":1,"m":["b","a"],"o":{"p":"q"},"l":["","b"],"u":5}"#,
        // Not what the schema expects: wrong types, unknown members, choices twice, null everywhere.
        r#"{"s":5,"n":"5","b":"true","e":"y","m":["a","a","c"],"o":[1],"l":{"a":1},"u":[true]}"#,
        r#"{"s":null,"n":null,"b":null,"e":null,"m":null,"o":null,"l":null,"u":null}"#,
        r#"{"z":1,"s":"a","y":{"x":[1e400,-0,1.10]},"o":{"r":{},"p":"q"}}"#,
        r#"{"e":1.0,"m":["a",1.0],"s":"\u00e9\n"}"#,
        r#"{"s":"a","a":1,"a":2}"#,
        r#"{"s":"a","o":{"p":"1","p":"2"}}"#,
        r#"{"s":"half \ud83d","n":-0}"#,
        "{}",
        "[1,2]",
        "null",
        "\"text\"",
        "7e-1",
    ] {
        form.fill(text.as_bytes()).unwrap();
        let wanted = text.replace("\\u00e9", "é");
        assert_eq!(form.text(), wanted);
        let spaced = text.replace(',', " ,\n").replace(':', " : ");
        form.fill(spaced.as_bytes()).unwrap();
        assert_eq!(form.text(), wanted, "{spaced}");
    }
}

#[test]
fn what_does_not_fit_is_shown_with_advice() {
    let mut form = form(SCHEMA);
    form.fill(br#"{"s":5,"x":[1],"e":"y","o":{"p":"1","p":"2"}}"#).unwrap();
    let s = field(&form, "/s");
    assert_eq!((&s.control, s.text.as_str()), (&Control::Json, "5"));
    assert_eq!(s.advice, ["it is the number 5, where a string belongs"]);
    assert_eq!(field(&form, "/e").advice, [r#"it is none of "x", 1"#]);
    let x = field(&form, "/x");
    assert_eq!((x.text.as_str(), x.named, x.removable), ("[1]", true, true));
    assert_eq!(field(&form, "/o").control, Control::Json);
    assert_eq!(names(&form), ["s", "n", "b", "e", "m", "o", "l", "u", "x"]);
    // Said to be empty it is a string again.
    presence(&mut form, "/s", Presence::Null);
    presence(&mut form, "/s", Presence::Value);
    assert_eq!(field(&form, "/s").text, "5");
}

#[test]
fn text_that_is_not_json_changes_nothing() {
    let mut form = form(SCHEMA);
    form.fill(br#"{"s":"kept"}"#).unwrap();
    let before = form.version();
    assert_eq!(form.fill(b"{\"s\":").unwrap_err(), "byte 5: the text ends before the JSON value does");
    assert!(form.fill(b"{\"s\":\"\xFF\"}").unwrap_err().contains("not UTF-8"));
    assert_eq!((form.text().as_str(), form.version()), (r#"{"s":"kept"}"#, before));
}

#[test]
fn required_and_defaults_are_there_from_the_beginning() {
    let one = form(
        r#"{"type":"object","required":["a","o","z"],"properties":{"a":{"type":"string"},"o":{"type":"object","required":["p"],
        "properties":{"p":{"type":"boolean"},"q":{"type":"integer","default":3}}},"d":{"default":"x","type":"string"},
        "l":{"type":"array","items":{"type":"string"},"default":["u","v"]},"w":{"type":"integer","default":"wrong"}}}"#,
    );
    assert_eq!(one.text(), r#"{"a":"","o":{"p":false,"q":3},"d":"x","l":["u","v"]}"#);
    assert!(field(&one, "/w").advice[0].contains("default does not fit"));
    assert!(field(&one, "/z").advice.iter().any(|advice| advice.contains("required")));
    let endless = form(r##"{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}"##);
    assert!(endless.text().len() < 200, "{}", endless.text());
}

#[test]
fn an_elicitation_has_its_defaults() {
    let mut form = form(
        r#"{"type":"object","properties":{
        "name":{"type":"string","title":"Name","default":"Ada","minLength":1},"age":{"type":"integer","default":30},
        "ok":{"type":"boolean","default":true},"old":{"type":"string","enum":["a","b"],"enumNames":["Alpha","Beta"],"default":"b"},
        "new":{"type":"string","oneOf":[{"const":"x","title":"Ex"},{"const":"y","title":"Why"}],"default":"x"},
        "many":{"type":"array","minItems":1,"items":{"type":"string","enum":["r","g"]},"default":["g"]},
        "titled":{"type":"array","items":{"anyOf":[{"const":"v","title":"Vee"},{"const":"w","title":"Double"}]},"default":["w","v"]},
        "mail":{"type":"string","format":"email"}}}"#,
    );
    let wanted = r#"{"name":"Ada","age":30,"ok":true,"old":"b","new":"x","many":["g"],"titled":["w","v"]}"#;
    assert_eq!(form.text(), wanted);
    let labels = |pointer: &str| match &field(&form, pointer).control {
        Control::Choice(choices) | Control::Choices(choices) => {
            choices.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    };
    assert_eq!(["/old", "/new", "/many", "/titled"].map(labels), ["Alpha Beta", "Ex Why", "r g", "Vee Double"]);
    assert_eq!(field(&form, "/titled").chosen, [1, 0]);
    super::type_in(&mut form, "/mail", "nobody");
    assert_eq!(field(&form, "/mail").advice, ["it is no valid email"]);
}
