//! T-68 as a table: what is sent for a field that nobody touched, that was cleared, that was said to be empty, and
//! in which two quotes were typed; for each kind of field that was sent wrongly somewhere.

use super::{form, presence, type_in};
use crate::schema::Presence;

/// A field's schema, whether it is required, and the JSON that is sent: untouched; typed and cleared again; as the
/// empty value; with `""` typed.
type Row = (&'static str, bool, [&'static str; 4]);

const TABLE: &[Row] = &[
    (r#"{"type":"string"}"#, true, [r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":"\"\""}"#]),
    (r#"{"type":"string"}"#, false, ["{}", r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":"\"\""}"#]),
    (r#"{"type":["string","null"]}"#, true, [r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":"\"\""}"#]),
    (r#"{"type":["string","null"]}"#, false, ["{}", r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":"\"\""}"#]),
    (
        r#"{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}"#,
        false,
        [r#"{"x":null}"#, r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":"\"\""}"#],
    ),
    // A default that is of the wrong type is not filled in: servers refuse their own.
    (r#"{"type":"string","default":null}"#, false, ["{}", r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":"\"\""}"#]),
    (r#"{"type":"string","default":""}"#, false, [r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":""}"#, r#"{"x":"\"\""}"#]),
    (r#"{"type":"boolean","default":false}"#, false, [r#"{"x":false}"#, "{}", r#"{"x":false}"#, r#"{"x":""}"#]),
    (r#"{"type":"boolean","default":false}"#, true, [r#"{"x":false}"#, "{}", r#"{"x":false}"#, r#"{"x":""}"#]),
    (r#"{"type":"boolean"}"#, true, [r#"{"x":false}"#, "{}", r#"{"x":false}"#, r#"{"x":""}"#]),
    (r#"{"type":"boolean"}"#, false, ["{}", "{}", "{}", r#"{"x":""}"#]),
    (r#"{"type":"integer","default":0}"#, false, [r#"{"x":0}"#, "{}", r#"{"x":0}"#, r#"{"x":"\"\""}"#]),
    (r#"{"type":"integer","default":0}"#, true, [r#"{"x":0}"#, "{}", r#"{"x":0}"#, r#"{"x":"\"\""}"#]),
    (r#"{"type":"number"}"#, true, ["{}", "{}", "{}", r#"{"x":"\"\""}"#]),
    (r#"{"type":"number"}"#, false, ["{}", "{}", "{}", r#"{"x":"\"\""}"#]),
    (
        r#"{"type":["number","null"],"default":null}"#,
        false,
        [r#"{"x":null}"#, "{}", r#"{"x":null}"#, r#"{"x":"\"\""}"#],
    ),
    (r#"{"enum":["a","b"]}"#, true, ["{}", "{}", "{}", r#"{"x":""}"#]),
    (r#"{"enum":["a","b"],"default":"b"}"#, false, [r#"{"x":"b"}"#, "{}", r#"{"x":"b"}"#, r#"{"x":""}"#]),
    // Without a type the text is JSON, in which two quotes are the empty string.
    ("{}", true, ["{}", "{}", "{}", r#"{"x":""}"#]),
    (r#"{"default":0}"#, false, [r#"{"x":0}"#, "{}", r#"{"x":0}"#, r#"{"x":""}"#]),
];

#[test]
fn what_is_sent_is_what_the_field_shows() {
    for (schema, required, sent) in TABLE {
        let names = if *required { r#""x""# } else { "" };
        let whole = format!(r#"{{"type":"object","properties":{{"x":{schema}}},"required":[{names}]}}"#);
        let [untouched, cleared, empty, quotes] = sent;
        let mut untyped = form(&whole);
        assert_eq!(untyped.text(), *untouched, "untouched: {whole}");
        presence(&mut untyped, "/x", Presence::Empty);
        assert_eq!(untyped.text(), *empty, "empty: {whole}");
        let mut typed = form(&whole);
        type_in(&mut typed, "/x", "7");
        type_in(&mut typed, "/x", "");
        assert_eq!(typed.text(), *cleared, "cleared: {whole}");
        type_in(&mut typed, "/x", "\"\"");
        assert_eq!(typed.text(), *quotes, "two quotes: {whole}");
    }
}

#[test]
fn each_state_is_sent_as_it_says_and_keeps_what_was_typed() {
    let mut one = form(r#"{"properties":{"x":{"type":["string","null"]}}}"#);
    type_in(&mut one, "/x", "draft");
    for (state, sent) in [
        (Presence::Null, r#"{"x":null}"#),
        (Presence::Omit, "{}"),
        (Presence::Empty, r#"{"x":""}"#),
        (Presence::Value, r#"{"x":"draft"}"#),
    ] {
        presence(&mut one, "/x", state);
        assert_eq!((one.text().as_str(), super::field(&one, "/x").presence), (sent, state));
    }
}
