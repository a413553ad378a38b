//! Members of a JSON object put in, exchanged and taken out in its text: every byte that is not concerned stays
//! as it was typed.

use std::ops::Range;

use crate::wire::{Json, JsonKind, quote};

/// The object with these members (name, JSON text): one that is there has its value exchanged, duplicates after
/// the first are taken out; others are added at the end. Nothing where the text is no JSON object.
pub(super) fn with(object: &[u8], members: &[(&str, &[u8])]) -> Option<Vec<u8>> {
    let json = Json::parse(object).ok().filter(|json| json.kind() == JsonKind::Object)?;
    let mut out = json.raw().to_vec();
    for (name, value) in members {
        let kept = first(&out, name);
        match kept {
            Some(at) => {
                out = take(&out, name, 1);
                out.splice(at, value.iter().copied());
            }
            None => append(&mut out, name, value),
        }
    }
    Some(out)
}

/// A recorded request with this id (JSON text) in the place of its own, every other byte as it was. Nothing where the
/// text is no JSON object, or has no id.
pub fn renumbered(message: &[u8], id: &[u8]) -> Option<Vec<u8>> {
    Json::parse(message).ok()?.get("id")?;
    with(message, &[("id", id)])
}

/// The object without any member of this name. Nothing where the text is no JSON object.
pub(super) fn without(object: &[u8], name: &str) -> Option<Vec<u8>> {
    let json = Json::parse(object).ok().filter(|json| json.kind() == JsonKind::Object)?;
    Some(take(json.raw(), name, 0))
}

/// The object with this member in its `_meta`, which is made where it is none. Nothing where the text is no JSON object.
pub(super) fn with_meta(object: &[u8], name: &str, value: &[u8]) -> Option<Vec<u8>> {
    let json = Json::parse(object).ok()?;
    let meta = json.get("_meta").and_then(|meta| with(meta.raw(), &[(name, value)]));
    let meta = match meta {
        Some(meta) => meta,
        None => with(b"{}", &[(name, value)])?,
    };
    with(object, &[("_meta", &meta)])
}

/// Where the value of the first member of this name stands.
fn first(object: &[u8], name: &str) -> Option<Range<usize>> {
    let json = Json::parse(object).ok()?;
    let found = json.members().find(|(key, _)| key.is_text(name));
    found.map(|(_, value)| range(object, value))
}

fn range(object: &[u8], value: Json<'_>) -> Range<usize> {
    let start = value.raw().as_ptr().addr() - object.as_ptr().addr();
    start..start + value.raw().len()
}

/// Takes out the members of this name but for the first `keep`.
fn take(object: &[u8], name: &str, keep: usize) -> Vec<u8> {
    let mut out = object.to_vec();
    while let Some(cut) = superfluous(&out, name, keep) {
        out.drain(cut);
    }
    out
}

/// Where the next member to be taken out stands, with its comma.
fn superfluous(object: &[u8], name: &str, keep: usize) -> Option<Range<usize>> {
    let json = Json::parse(object).ok()?;
    let (key, value) = json.members().filter(|(key, _)| key.is_text(name)).nth(keep)?;
    Some(with_comma(object, range(object, key).start, range(object, value).end))
}

/// A member's text with the comma that stands before it, or else behind it.
fn with_comma(object: &[u8], start: usize, end: usize) -> Range<usize> {
    let before = object[..start].trim_ascii_end();
    if before.ends_with(b",") {
        return before.len() - 1..end;
    }
    let behind = object[end..].trim_ascii_start();
    match behind.strip_prefix(b",") {
        Some(rest) => start..object.len() - rest.trim_ascii_start().len(),
        None => start..end,
    }
}

fn append(object: &mut Vec<u8>, name: &str, value: &[u8]) {
    object.pop();
    let rest = object.trim_ascii_end().len();
    let comma = if object[..rest] == *b"{" { "" } else { "," };
    object.truncate(rest);
    object.extend_from_slice(comma.as_bytes());
    object.extend_from_slice(quote(name).as_bytes());
    object.push(b':');
    object.extend_from_slice(value);
    object.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::{renumbered, with, with_meta, without};

    fn text(bytes: Option<Vec<u8>>) -> Option<String> {
        bytes.map(|bytes| String::from_utf8(bytes).expect("the test's JSON is UTF-8"))
    }

    #[test]
    fn members_are_added_and_exchanged_and_the_rest_stays_as_typed() {
        type Members<'a> = &'a [(&'a str, &'a [u8])];
        let cases: [(&str, Members<'_>, &str); 6] = [
            ("{}", &[("a", b"1")], r#"{"a":1}"#),
            ("{ }", &[("a", b"1")], r#"{"a":1}"#),
            (r#" { "n" : 1.0 } "#, &[("a", b"[]")], r#"{ "n" : 1.0,"a":[]}"#),
            (r#"{"a":1,"b":2}"#, &[("a", b"3"), ("c", b"4")], r#"{"a":3,"b":2,"c":4}"#),
            (r#"{"a":1,"b":2,"a":3 , "c":1e400}"#, &[("a", b"0")], r#"{"a":0,"b":2 , "c":1e400}"#),
            (r#"{"\u0061":1}"#, &[("a", b"2")], r#"{"\u0061":2}"#),
        ];
        for (object, members, expected) in cases {
            assert_eq!(text(with(object.as_bytes(), members)).as_deref(), Some(expected), "{object}");
        }
        assert_eq!((with(b"[]", &[]), with(b"{", &[]), without(b"3", "a")), (None, None, None));
    }

    #[test]
    fn meta_is_added_to_or_made() {
        let cases = [
            ("{}", r#"{"_meta":{"a":1}}"#),
            (r#"{"_meta":{"b":2},"x":1.0}"#, r#"{"_meta":{"b":2,"a":1},"x":1.0}"#),
            (r#"{"_meta":7}"#, r#"{"_meta":{"a":1}}"#),
        ];
        for (object, expected) in cases {
            assert_eq!(text(with_meta(object.as_bytes(), "a", b"1")).as_deref(), Some(expected), "{object}");
        }
        assert_eq!(with_meta(b"[]", "a", b"1"), None);
    }

    #[test]
    fn a_request_gets_another_id_and_nothing_else_changes() {
        let request = br#"{ "jsonrpc":"2.0","id" : "x","method":"m","params":{"id":1.0} }"#;
        let expected = r#"{ "jsonrpc":"2.0","id" : 7,"method":"m","params":{"id":1.0} }"#;
        assert_eq!(text(renumbered(request, b"7")).as_deref(), Some(expected));
        assert_eq!((renumbered(b"{}", b"7"), renumbered(b"[{}]", b"7"), renumbered(b"{", b"7")), (None, None, None));
    }

    #[test]
    fn members_are_taken_out_with_one_comma() {
        let cases = [
            (r#"{"a":1}"#, "{}"),
            (r#"{"a":1, "b":2}"#, r#"{"b":2}"#),
            (r#"{"b":2, "a":1}"#, r#"{"b":2}"#),
            (r#"{"b":2,"a":1,"c":[{"a":1}]}"#, r#"{"b":2,"c":[{"a":1}]}"#),
            (r#"{"a":1,"a":2}"#, "{}"),
            (r#"{"b":0}"#, r#"{"b":0}"#),
        ];
        for (object, expected) in cases {
            assert_eq!(text(without(object.as_bytes(), "a")).as_deref(), Some(expected), "{object}");
        }
    }
}
