//! Members put into JSON text where it stands: the order of keys, duplicate keys, numbers and spaces of what was
//! there stay byte for byte.

use crate::wire::{Json, JsonKind, quote};

/// Name and JSON text of a member.
pub(super) type Member = (&'static str, String);

/// An object with these members behind its own, but for those that it has.
pub(super) fn with_members(object: Json<'_>, members: &[Member]) -> Vec<u8> {
    let raw = object.raw();
    let body = raw[..raw.len().saturating_sub(1)].trim_ascii_end();
    let mut out = body.to_vec();
    for (name, value) in members.iter().filter(|(name, _)| object.get(name).is_none()) {
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        out.extend_from_slice(quote(name).as_bytes());
        out.push(b':');
        out.extend_from_slice(value.as_bytes());
    }
    out.extend_from_slice(&raw[body.len()..]);
    out
}

/// `params` with these members in their `_meta`. What is no object, and what has a `_meta` that is none, was meant
/// so and stays.
pub(super) fn with_meta(params: Option<&[u8]>, members: &[Member]) -> Option<Vec<u8>> {
    if members.is_empty() {
        return params.map(<[u8]>::to_vec);
    }
    let Some(text) = params else { return Some(format!(r#"{{"_meta":{}}}"#, object(members)).into_bytes()) };
    let Some(json) = parse_object(text) else { return Some(text.to_vec()) };
    match json.get("_meta") {
        None => Some(replaced(text, json, &with_members(json, &[("_meta", object(members))]))),
        Some(meta) if meta.kind() == JsonKind::Object => Some(replaced(text, meta, &with_members(meta, members))),
        Some(_) => Some(text.to_vec()),
    }
}

/// `params` with one member behind its own, where it has none of that name.
pub(super) fn with_member(params: Option<&[u8]>, name: &'static str, value: String) -> Vec<u8> {
    let text = params.unwrap_or(b"{}");
    match parse_object(text) {
        Some(json) => replaced(text, json, &with_members(json, &[(name, value)])),
        None => text.to_vec(),
    }
}

/// JSON text on one line, for stdio: line ends outside of strings become spaces, which say the same. Those inside
/// of strings, where JSON allows none, stay.
pub(in crate::peer) fn on_one_line(mut text: Vec<u8>) -> Vec<u8> {
    let (mut in_string, mut escaped) = (false, false);
    for byte in &mut text {
        match *byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'\n' | b'\r' if !in_string => *byte = b' ',
            _ => {}
        }
    }
    text
}

/// An object of these members.
pub(super) fn object(members: &[Member]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("{}:{value}", quote(name))).collect();
    format!("{{{}}}", members.join(","))
}

fn parse_object(text: &[u8]) -> Option<Json<'_>> {
    Json::parse(text).ok().filter(|json| json.kind() == JsonKind::Object)
}

/// `text` with one of its values replaced.
fn replaced(text: &[u8], value: Json<'_>, by: &[u8]) -> Vec<u8> {
    let start = value.raw().as_ptr().addr().saturating_sub(text.as_ptr().addr());
    let end = start + value.raw().len();
    [&text[..start], by, &text[end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::{on_one_line, with_member, with_meta};

    fn meta(params: Option<&str>) -> String {
        let members = [("v", "\"2026\"".to_owned()), ("progressToken", "1".to_owned())];
        String::from_utf8(with_meta(params.map(str::as_bytes), &members).expect("some params")).expect("UTF-8")
    }

    #[test]
    fn what_was_typed_stays_byte_for_byte_around_what_is_added() {
        assert_eq!(meta(None), r#"{"_meta":{"v":"2026","progressToken":1}}"#);
        assert_eq!(meta(Some("{}")), r#"{"_meta":{"v":"2026","progressToken":1}}"#);
        assert_eq!(
            meta(Some(" {\"b\":1.0, \"a\":1e400,\n \"a\":2 } ")),
            " {\"b\":1.0, \"a\":1e400,\n \"a\":2,\"_meta\":{\"v\":\"2026\",\"progressToken\":1} } "
        );
        assert_eq!(
            meta(Some(r#"{"_meta":{ "x" : [ ] },"z":9007199254740993}"#)),
            r#"{"_meta":{ "x" : [ ],"v":"2026","progressToken":1 },"z":9007199254740993}"#
        );
    }

    #[test]
    fn what_is_said_already_and_what_is_meant_wrong_stays() {
        assert_eq!(meta(Some(r#"{"_meta":{"v":null}}"#)), r#"{"_meta":{"v":null,"progressToken":1}}"#);
        // Of two the last one counts, for those who read it as most do.
        assert_eq!(meta(Some(r#"{"_meta":{},"_meta":{}}"#)), r#"{"_meta":{},"_meta":{"v":"2026","progressToken":1}}"#);
        for odd in [r#"{"_meta":[]}"#, "[1]", "null", "{\"a\":", ""] {
            assert_eq!(meta(Some(odd)), odd);
        }
        assert_eq!(with_meta(None, &[]), None);
        assert_eq!(with_member(Some(b"{\"a\":1}"), "task", "{}".to_owned()), b"{\"a\":1,\"task\":{}}");
        assert_eq!(with_member(None, "task", "{}".to_owned()), b"{\"task\":{}}");
    }

    #[test]
    fn line_ends_outside_of_strings_become_spaces() {
        let text = "{\r\n\"a\\\"\n\": \"\u{2028}\",\n\"b\":1}";
        assert_eq!(on_one_line(text.as_bytes().to_vec()), "{  \"a\\\"\n\": \"\u{2028}\", \"b\":1}".as_bytes());
    }
}
