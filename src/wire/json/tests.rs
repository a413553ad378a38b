//! What a JSON value says of itself, against cases and against `serde_json`.

use proptest::prelude::*;

use super::{Json, JsonKind};
use crate::wire::quote;

fn json(text: &str) -> Json<'_> {
    Json::parse(text.as_bytes()).unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
}

#[test]
fn numbers_keys_and_order_are_as_sent() {
    let text = r#" {"a":1915883588174806058,"f":1.0,"e":1e400, "a" : [-0, 1.10 , {}] } "#;
    let value = json(text);
    assert_eq!(value.raw(), text.trim().as_bytes());
    let members: Vec<_> = value.members().map(|(key, value)| format!("{key:?}={value:?}")).collect();
    assert_eq!(
        members.join(" "),
        r#"Json("a")=Json(1915883588174806058) Json("f")=Json(1.0) Json("e")=Json(1e400) Json("a")=Json([-0, 1.10 , {}])"#
    );
    assert_eq!(value.get("a").map(|last| last.kind()), Some(JsonKind::Array));
    assert_eq!(value.pointer("/a/1").and_then(|number| number.number()), Some("1.10"));
    assert_eq!(value.pointer("/a/01"), None);
    assert_eq!(value.pointer("/a/3"), None);
    assert_eq!(value.pointer("a"), None);
    assert_eq!(value.pointer(""), Some(value));
    assert_eq!(json(r#"{"":{"a/b~c":{"":7}}}"#).pointer("//a~1b~0c/").and_then(|seven| seven.as_i64()), Some(7));
}

#[test]
fn texts_are_decoded_and_damage_in_them_is_replaced() {
    let cases: [(&[u8], &str); 7] = [
        (br#""a\"\\\/\b\f\n\r\t\u00e9""#, "a\"\\/\u{8}\u{c}\n\r\té"),
        (br#""\ud83d\ude00""#, "😀"),
        (br#""\ud83d""#, "\u{FFFD}"),
        (br#""\ude00\ud83d x""#, "\u{FFFD}\u{FFFD} x"),
        (br#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        (b"\"a\xFFb\"", "a\u{FFFD}b"),
        (b"\"\xE2\x80\xA8\\n\xFF\"", "\u{2028}\n\u{FFFD}"),
    ];
    for (raw, text) in cases {
        let value = Json::parse(raw).unwrap();
        assert_eq!(value.text().as_deref(), Some(text));
        assert_eq!(value.is_text(text), std::str::from_utf8(raw).is_ok(), "{text}");
    }
    assert_eq!(json("1").text(), None);
    assert!(!json(r#""\\n""#).is_text("\\\\n"));
}

#[test]
fn scalars_have_their_values() {
    assert_eq!(json("-32602.0").as_i64(), Some(-32602));
    assert_eq!(json("1.5").as_i64(), None);
    assert_eq!(json("18446744073709551615").as_u64(), Some(u64::MAX));
    assert_eq!(json("18446744073709551615").as_i64(), None);
    assert_eq!(json("-1").as_u64(), None);
    assert_eq!(json("1e400").as_f64(), None);
    assert_eq!(json("1e2").as_f64(), Some(100.0));
    assert_eq!(json("true").as_bool(), Some(true));
    assert!(json("null").is_null());
    assert_eq!(json("{}").members().count() + json("[]").items().count() + json("1").items().count(), 0);
}

#[test]
fn faults_say_where_and_what() {
    let cases: [(&[u8], usize, &str); 15] = [
        (b"", 0, "the text ends before the JSON value does"),
        (b"{\"a\":", 5, "the text ends before the JSON value does"),
        (b"{\"a\" 1}", 5, "expected `:` after the member name"),
        (b"{a:1}", 1, "expected a member name in double quotes"),
        (b"[1 2]", 3, "expected `,` or `]`"),
        (b"[1}", 2, "expected `,` or `]`"),
        (b"[1,]", 3, "expected a JSON value"),
        (b"{\"a\":1,}", 7, "expected a member name in double quotes"),
        (b"01", 1, "a number has no leading zeros"),
        (b"INFO ready", 0, "expected a JSON value"),
        (b"[NaN]", 1, "JSON has no `NaN` and no `Infinity`"),
        (b"\"a\nb\"", 2, "a control character inside a string must be escaped"),
        (b"\"\\x\"", 2, "unknown escape in a string"),
        (b"{}{}", 2, "more text follows the JSON value"),
        (b"\"\\u12g4\"", 5, "`\\u` needs four hexadecimal digits"),
    ];
    for (bytes, at, what) in cases {
        let fault = Json::parse(bytes).unwrap_err();
        assert_eq!((fault.at, fault.what), (at, what), "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn ten_million_brackets_cost_neither_stack_nor_square_time() {
    let mut text = b"[{\"a\":".repeat(5_000_000);
    text.push(b'1');
    text.extend(b"}]".repeat(5_000_000));
    let value = Json::parse(&text).unwrap();
    assert_eq!(value.items().count(), 1);
    text.truncate(text.len() - 1);
    assert!(Json::parse(&text).is_err());
}

/// JSON text, mostly valid, of a depth that `serde_json` takes.
fn any_json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        "\"([a-z{}\\[\\],: é😀]|\\\\[nrt\"/u\\\\]|\\\\u[0-9a-f]{4}){0,12}\"",
        any::<String>().prop_map(|text| quote(&text)),
        "[-+.0-9eE]{1,6}",
    ];
    let space = "[ \\n\\r\\t]{0,2}";
    scalar.prop_recursive(6, 60, 6, move |inner| {
        let spaced = (space, inner, space).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        let member =
            ("[a-c]{0,2}", space, spaced.clone()).prop_map(|(key, gap, value)| format!("\"{key}\"{gap}:{value}"));
        prop_oneof![
            prop::collection::vec(spaced, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(member, 0..5).prop_map(|members| format!("{{ {} }}", members.join(","))),
        ]
    })
}

fn agrees(text: &str) -> Result<(), TestCaseError> {
    let ours = Json::parse(text.as_bytes());
    let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text);
    prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{} {:?} {:?}", text, ours, theirs);
    let (Ok(ours), Ok(theirs)) = (ours, theirs) else { return Ok(()) };
    prop_assert_eq!(ours.raw(), theirs.get().as_bytes());
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::String(theirs)) => prop_assert_eq!(ours.text().unwrap(), theirs),
        Ok(serde_json::Value::Object(theirs)) => {
            for (key, value) in &theirs {
                let found = ours.get(key).unwrap();
                prop_assert_eq!(&serde_json::from_slice::<serde_json::Value>(found.raw()).unwrap(), value);
            }
        }
        Ok(serde_json::Value::Array(theirs)) => prop_assert_eq!(ours.items().count(), theirs.len()),
        _ => {}
    }
    Ok(())
}

proptest! {
    #[test]
    fn validity_is_as_serde_json_sees_it(text in any_json(), at in any::<prop::sample::Index>(), with in "[\\[\\]{},:\"\\\\0-9eE.+ntf \\x00-\\x1f]{0,1}") {
        agrees(&text)?;
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = cuts[at.index(cuts.len())];
        let after = at + text[at..].chars().next().map_or(0, char::len_utf8);
        agrees(&format!("{}{with}{}", &text[..at], &text[after..]))?;
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in any::<Vec<u8>>()) {
        if let Ok(value) = Json::parse(&bytes) {
            value.text();
        }
    }

    #[test]
    fn quoted_text_reads_back(text in any::<String>()) {
        let quoted = quote(&text);
        prop_assert_eq!(json(&quoted).text().unwrap(), text);
    }
}
