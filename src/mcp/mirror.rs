//! The HTTP header fields that repeat what a request's body says (2026-07-28, protocol.md 3.4): which
//! of them a request has, and what they say. It writes them; whether those of somebody else agree with
//! their body is for `mirrored`.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::wire::{Json, JsonKind};

/// Names the revision that the body speaks (HM-001).
pub const VERSION: &str = "MCP-Protocol-Version";
/// Repeats the body's `method` (HM-003).
pub const METHOD: &str = "Mcp-Method";
/// Repeats what the request is about (HM-004).
pub const NAME: &str = "Mcp-Name";
/// With an annotation's name behind it: repeats an argument of a tool (HM-007).
pub const PARAM: &str = "Mcp-Param-";

/// What stands around a value that is not sent as it is.
pub(super) const SENTINEL: (&str, &str) = ("=?base64?", "?=");
/// How deep schemas are looked into.
const DEEPEST: usize = 64;
/// How many annotations of one tool are read.
const MOST: usize = 256;

/// A text as the value of a mirrored field: as it is, or in base64 when it could not be told apart
/// from something else or would not survive the way (HM-005).
pub fn encode(text: &str) -> Cow<'_, str> {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let padded = text.starts_with(' ') || text.ends_with(' ');
    let marked = text.starts_with(SENTINEL.0) && text.ends_with(SENTINEL.1);
    if plain && !padded && !marked {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}{}{}", SENTINEL.0, STANDARD.encode(text), SENTINEL.1))
}

/// What [`NAME`] says for a request, not encoded; nothing for methods that have no such field (HM-004).
pub fn name<'a>(method: &str, params: Json<'a>) -> Option<Cow<'a, str>> {
    params.get(named_by(method)?)?.text()
}

/// The member of `params` that [`NAME`] repeats; nothing for methods that have no such field.
pub(super) fn named_by(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// An argument's value as text: a string as it is, a whole number in decimal, a boolean as its word.
/// Nothing for `null` and for what cannot be mirrored (HM-007, HM-008).
pub fn text(value: Json<'_>) -> Option<Cow<'_, str>> {
    match value.kind() {
        JsonKind::String => value.text(),
        JsonKind::Bool => Some(if value.as_bool()? { "true" } else { "false" }.into()),
        JsonKind::Number => {
            let sent = value.number()?;
            let decimal = sent.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'-'));
            let whole = if decimal { None } else { value.as_i64() };
            Some(whole.map_or(Cow::Borrowed(sent), |whole| whole.to_string().into()))
        }
        JsonKind::Null | JsonKind::Array | JsonKind::Object => None,
    }
}

/// An `x-mcp-header` of a tool's schema: an argument that its calls repeat in a header field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// The annotation: what stands behind [`PARAM`].
    pub header: String,
    /// Where the argument lies in `arguments`: member names from the outside in.
    pub path: Vec<String>,
}

impl Annotation {
    /// The argument that it names, in a call's `arguments`; nothing when it is absent.
    pub fn value<'a>(&self, arguments: Json<'a>) -> Option<Json<'a>> {
        self.path.iter().try_fold(arguments, |value, member| value.get(member))
    }
}

/// The annotations of a tool's `inputSchema`: reached through `properties` only, at any depth. Those
/// that are no field name, that stand on something other than a string, an integer or a boolean, or
/// that occur a second time cannot be obeyed and are left out (TL-030 … TL-034).
pub fn annotations(schema: Json<'_>) -> Vec<Annotation> {
    let mut found: Vec<Annotation> = Vec::new();
    let mut open = vec![(schema, Vec::new())];
    while let Some((schema, path)) = open.pop() {
        for (key, property) in schema.get("properties").iter().flat_map(Json::members) {
            let mut path = path.clone();
            path.push(key.text().unwrap_or_default().into_owned());
            if let Some(header) = header(property)
                && found.len() < MOST
                && !found.iter().any(|known| known.header.eq_ignore_ascii_case(&header))
            {
                found.push(Annotation { header, path: path.clone() });
            }
            if path.len() < DEEPEST && property.kind() == JsonKind::Object {
                open.push((property, path));
            }
        }
    }
    found
}

/// The annotation of one property, if it can be obeyed.
fn header(property: Json<'_>) -> Option<String> {
    let header = property.get("x-mcp-header")?.text()?;
    let kind = property.get("type")?;
    let mirrored = |kind: Json<'_>| ["string", "integer", "boolean"].iter().any(|word| kind.is_text(word));
    let fits = match kind.kind() {
        JsonKind::Array => kind.items().all(|kind| mirrored(kind) || kind.is_text("null")),
        _ => mirrored(kind),
    };
    (fits && !header.is_empty() && header.bytes().all(is_token)).then(|| header.into_owned())
}

/// Whether a byte may stand in a field's name (RFC 9110, `tchar`).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::{Annotation, annotations, encode, name, text};
    use crate::wire::Json;

    fn json(text: &str) -> Json<'_> {
        Json::parse(text.as_bytes()).expect("the test's JSON is valid")
    }

    #[test]
    fn values_that_would_not_survive_are_sent_in_base64() {
        let cases = [
            ("us west 1", "us west 1"),
            ("", ""),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("=?BASE64?x?=", "=?BASE64?x?="),
            ("a\tb", "=?base64?YQli?="),
            ("a\r\nInjected: b", "=?base64?YQ0KSW5qZWN0ZWQ6IGI=?="),
        ];
        for (plain, sent) in cases {
            assert_eq!(encode(plain), sent, "{plain:?}");
        }
    }

    #[test]
    fn the_name_is_that_of_the_method() {
        let params = json(r#"{"name":"a","uri":"b:/","taskId":"c"}"#);
        let told = |method| name(method, params).unwrap_or_default().into_owned();
        assert_eq!(
            (told("tools/call"), told("resources/read"), told("tasks/cancel")),
            ("a".into(), "b:/".into(), "c".into())
        );
        assert_eq!((name("tools/list", params), name("tools/call", json("[]"))), (None, None));
    }

    #[test]
    fn arguments_become_text_without_losing_digits() {
        let told = |value| text(json(value)).map(std::borrow::Cow::into_owned);
        let cases = [
            ("9007199254740993", Some("9007199254740993")),
            ("42.0", Some("42")),
            ("-1e2", Some("-100")),
            ("true", Some("true")),
            (r#""\u00e9""#, Some("é")),
            ("null", None),
            ("[1]", None),
        ];
        for (value, expected) in cases {
            assert_eq!(told(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn annotations_are_found_through_properties_only() {
        let schema = json(
            r#"{"properties":{
                "city":{"type":"string","x-mcp-header":"City"},
                "where":{"type":"object","properties":{"zone":{"type":["integer","null"],"x-mcp-header":"Zone"}}},
                "again":{"type":"string","x-mcp-header":"CITY"},
                "bad":{"type":"string","x-mcp-header":"a b"},
                "size":{"type":"number","x-mcp-header":"Size"},
                "list":{"type":"array","items":{"properties":{"x":{"type":"string","x-mcp-header":"X"}}}}}}"#,
        );
        let found = annotations(schema);
        let at = |header: &str, path: &[&str]| Annotation {
            header: header.to_owned(),
            path: path.iter().map(|&member| member.to_owned()).collect(),
        };
        assert_eq!(found, [at("City", &["city"]), at("Zone", &["where", "zone"])]);
        let arguments = json(r#"{"city":null,"where":{"zone":7}}"#);
        assert_eq!(found[1].value(arguments).map(|value| value.raw()), Some(&b"7"[..]));
        assert!(found[0].value(arguments).is_some_and(|value| value.is_null()));
        assert_eq!(found[1].value(json(r#"{"where":3}"#)), None);
    }
}
