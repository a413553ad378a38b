//! Answers that are made up: for elicitation what the schema says by itself and else something that fits, for
//! sampling a short text, or the use of a tool where one must be used.

use super::splice::object;
use crate::schema::{Schema, sample};
use crate::wire::{Json, JsonKind, quote};

/// How many members a made-up answer has at the most.
const MOST: usize = 1_000;

/// The `ElicitResult` for these params.
pub(super) fn elicited(params: Option<Json<'_>>) -> String {
    let member = |name: &str| params.and_then(|params| params.get(name));
    if member("mode").is_some_and(|mode| mode.is_text("url")) {
        return r#"{"action":"accept"}"#.to_owned();
    }
    let content = member("requestedSchema").map_or_else(|| "{}".to_owned(), content);
    format!(r#"{{"action":"accept","content":{content}}}"#)
}

/// The members that have a default, and those that must be there.
fn content(schema: Json<'_>) -> String {
    let is_required = |name: &str| schema.get("required").iter().flat_map(Json::items).any(|item| item.is_text(name));
    let properties = schema.get("properties");
    let members = properties.iter().flat_map(Json::members).filter_map(|(name, property)| {
        let text = name.text()?;
        let default = property.get("default").map(|value| String::from_utf8_lossy(value.raw()).into_owned());
        let value = default.or_else(|| is_required(&text).then(|| value(property)))?;
        Some(format!("{}:{value}", quote(&text)))
    });
    format!("{{{}}}", members.take(MOST).collect::<Vec<_>>().join(","))
}

/// Something that fits a schema; where nothing was found, something of its type.
fn value(schema: Json<'_>) -> String {
    let of_type = || match schema.get("type").and_then(|kind| kind.text()).as_deref() {
        Some("boolean") => "true",
        Some("integer" | "number") => "1",
        Some("array") => "[]",
        Some("object") => "{}",
        Some("null") => "null",
        _ => "\"text\"",
    };
    sample(&Schema::read(schema.raw())).unwrap_or_else(|| of_type().to_owned())
}

/// The `CreateMessageResult` for these params (SM-009, SM-011).
pub(super) fn sampled(params: Option<Json<'_>>) -> String {
    let must =
        params.and_then(|params| params.pointer("/toolChoice/mode")).is_some_and(|mode| mode.is_text("required"));
    let tool = params.and_then(|params| params.get("tools")?.items().next()).filter(|_| must);
    let (content, reason) = match tool.filter(|tool| tool.kind() == JsonKind::Object) {
        Some(tool) => (use_of(tool), "toolUse"),
        None => (object(&[("type", quote("text")), ("text", quote("An answer made up by midwire."))]), "endTurn"),
    };
    object(&[
        ("role", quote("assistant")),
        ("content", content),
        ("model", quote("midwire")),
        ("stopReason", quote(reason)),
    ])
}

fn use_of(tool: Json<'_>) -> String {
    let input = tool.get("inputSchema").map_or_else(|| "{}".to_owned(), value);
    let name =
        tool.get("name").map_or_else(|| "\"\"".to_owned(), |name| String::from_utf8_lossy(name.raw()).into_owned());
    let block = object(&[("type", quote("tool_use")), ("id", quote("midwire-1")), ("name", name), ("input", input)]);
    format!("[{block}]")
}

#[cfg(test)]
mod tests {
    use super::{elicited, sampled};
    use crate::wire::Json;

    fn made(by: fn(Option<Json<'_>>) -> String, params: &str) -> String {
        let made = by(Some(Json::parse(params.as_bytes()).expect("the test's JSON is valid")));
        assert!(Json::parse(made.as_bytes()).is_ok(), "{made}");
        made
    }

    #[test]
    fn defaults_are_taken_and_what_is_optional_is_left_out() {
        let schema = r#"{"requestedSchema":{"type":"object","required":["a","yes"],"properties":{
            "a":{"type":"string","default":"é\""},"n":{"type":"number","default":1.50},"left":{"type":"string"},
            "yes":{"type":"boolean"},"many":{"type":"array","default":["x"]}}}}"#;
        let expected = [r#""a":"é\"""#, r#""n":1.50"#, r#""many":["x"]"#];
        let made = made(elicited, schema);
        assert!(expected.iter().all(|member| made.contains(member)), "{made}");
        assert!(made.starts_with(r#"{"action":"accept","content":{"a":"#) && made.contains("\"yes\":"), "{made}");
        assert!(!made.contains("left"), "{made}");
    }

    #[test]
    fn odd_questions_get_an_answer_too() {
        assert_eq!(elicited(None), r#"{"action":"accept","content":{}}"#);
        assert_eq!(made(elicited, r#"{"mode":"url","requestedSchema":{}}"#), r#"{"action":"accept"}"#);
        for odd in ["7", r#"{"requestedSchema":true}"#, r#"{"requestedSchema":{"properties":[1],"required":{}}}"#] {
            assert_eq!(made(elicited, odd), r#"{"action":"accept","content":{}}"#);
        }
    }

    #[test]
    fn a_tool_is_used_only_where_one_must_be() {
        let tools = r#""tools":[{"name":"t\u0041","inputSchema":{"type":"object"}}]"#;
        let text = made(sampled, &format!(r#"{{{tools},"toolChoice":{{"mode":"auto"}}}}"#));
        assert!(text.contains("endTurn") && !text.contains("tool_use"), "{text}");
        let tool = made(sampled, &format!(r#"{{{tools},"toolChoice":{{"mode":"required"}}}}"#));
        assert!(tool.contains(r#""name":"t\u0041","input":{"#) && tool.contains("toolUse"), "{tool}");
        assert_eq!(made(sampled, r#"{"toolChoice":{"mode":"required"},"tools":[]}"#), sampled(None));
    }
}
