//! What an answer by hand is written by: the shape of a result for each method, and the steps that it means.

use crate::engine::view::{Json, Pretty, quote};
use crate::model::Era;
use crate::peer::server::{Bytes, Step, Text};

/// The JSON Schema of a method's result, as JSON text, for the form that it is written in. `output` is the tool's
/// `outputSchema`, `uri` that of the resource that was asked for.
pub fn schema(method: &str, output: Option<&str>, uri: &str) -> String {
    match method {
        "tools/call" => {
            // First what the tool promises, then what is there for models that read text.
            let structured = output.map(|schema| format!(r#""structuredContent":{schema},"#)).unwrap_or_default();
            let required = if output.is_some() { r#"["structuredContent","content"]"# } else { r#"["content"]"# };
            format!(
                r#"{{"type":"object","properties":{{{structured}"content":{{"type":"array","items":{BLOCK},"default":[{{"type":"text","text":""}}]}},"isError":{{"type":"boolean"}}}},"required":{required}}}"#
            )
        }
        "prompts/get" => format!(
            r#"{{"type":"object","properties":{{"description":{{"type":"string"}},"messages":{{"type":"array","items":{{"type":"object","properties":{{"role":{{"enum":["user","assistant"]}},"content":{BLOCK}}},"required":["role","content"]}},"default":[{{"role":"user","content":{{"type":"text","text":""}}}}]}}}},"required":["messages"]}}"#
        ),
        "resources/read" => format!(
            r#"{{"type":"object","properties":{{"contents":{{"type":"array","items":{{"type":"object","properties":{{"uri":{{"type":"string"}},"mimeType":{{"type":"string"}},"text":{{"type":"string"}},"blob":{{"type":"string","contentEncoding":"base64"}}}},"required":["uri"]}},"default":[{{"uri":{},"text":""}}]}}}},"required":["contents"]}}"#,
            quote(uri)
        ),
        "completion/complete" => r#"{"type":"object","properties":{"completion":{"type":"object","properties":{"values":{"type":"array","items":{"type":"string"},"maxItems":100},"total":{"type":"integer"},"hasMore":{"type":"boolean"}},"required":["values"]}},"required":["completion"]}"#.to_owned(),
        _ => r#"{"type":"object"}"#.to_owned(),
    }
}

/// A block of content, as far as a form helps with it; anything else is written as JSON.
const BLOCK: &str = r#"{"anyOf":[{"title":"text","type":"object","properties":{"type":{"const":"text"},"text":{"type":"string"}},"required":["type","text"]},{"title":"image","type":"object","properties":{"type":{"const":"image"},"data":{"type":"string","contentEncoding":"base64"},"mimeType":{"type":"string","default":"image/png"}},"required":["type","data","mimeType"]},{"title":"link","type":"object","properties":{"type":{"const":"resource_link"},"uri":{"type":"string"},"name":{"type":"string"}},"required":["type","uri","name"]}]}"#;

/// The schema of an error object.
pub const ERROR: &str = r#"{"type":"object","properties":{"code":{"type":"integer","default":-32603},"message":{"type":"string","default":"The person at the server answered with an error"},"data":{}},"required":["code","message"]}"#;

/// The text of an answer; `filled` says whether placeholders in it are filled in, as in the mock file that it is from.
pub fn text(text: String, filled: bool) -> Text {
    let bytes = text.into_bytes().into();
    if filled { Text::Template(bytes) } else { Text::Fixed(bytes) }
}

/// The frame that a raw answer begins with: an answer with the id of the request.
pub fn frame(message: &[u8], era: Era) -> String {
    let id = Json::of_frame(message).ok().and_then(|it| it.get("id"));
    let id = id.map_or_else(|| "null".to_owned(), |id| String::from_utf8_lossy(id.raw()).into_owned());
    let result = if era == Era::Modern { r#"{"resultType":"complete"}"# } else { "{}" };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// What would have been answered: the last result or error among steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// Whether it is a result.
    pub is_result: bool,
    /// Its text, laid out.
    pub text: String,
    /// Whether it has placeholders to be filled in.
    pub filled: bool,
}

/// What an answer can begin with, where steps answer at all.
pub fn start(steps: &[Step]) -> Option<Start> {
    let of = |is_result, text: &Text| {
        let (bytes, filled) = match text {
            Text::Fixed(bytes) => (bytes, false),
            Text::Template(bytes) => (bytes, true),
        };
        Some(Start { is_result, text: pretty(bytes), filled })
    };
    steps.iter().rev().find_map(|step| match step {
        Step::Result { result, .. } => of(true, result),
        Step::Error { error, .. } => of(false, error),
        _ => None,
    })
}

fn pretty(bytes: &Bytes) -> String {
    Pretty::of(bytes).map_or_else(|| String::from_utf8_lossy(bytes).into_owned(), |pretty| pretty.text)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{ERROR, Start, frame, schema, start};
    use crate::model::Era;
    use crate::peer::server::{Step, Text};
    use crate::schema::{Form, Schema};

    fn begun(schema: &str) -> String {
        let schema = Schema::read(schema.as_bytes());
        assert_eq!(schema.faults(), [""; 0]);
        Form::new(Arc::new(schema)).text()
    }

    #[test]
    fn each_form_begins_with_something_that_can_be_sent() {
        assert_eq!(begun(&schema("tools/call", None, "")), r#"{"content":[{"type":"text","text":""}]}"#);
        let output = r#"{"type":"object","properties":{"n":{"type":"integer","default":3}},"required":["n"]}"#;
        assert_eq!(
            begun(&schema("tools/call", Some(output), "")),
            r#"{"structuredContent":{"n":3},"content":[{"type":"text","text":""}]}"#
        );
        assert_eq!(
            begun(&schema("prompts/get", None, "")),
            r#"{"messages":[{"role":"user","content":{"type":"text","text":""}}]}"#
        );
        assert_eq!(begun(&schema("resources/read", None, "a:/\"x")), r#"{"contents":[{"uri":"a:/\"x","text":""}]}"#);
        assert_eq!(begun(&schema("completion/complete", None, "")), r#"{"completion":{"values":[]}}"#);
        assert_eq!(begun(&schema("x/y", None, "")), "{}");
        assert!(begun(ERROR).starts_with(r#"{"code":-32603,"message":"#));
    }

    #[test]
    fn a_raw_answer_has_the_id_of_its_request_as_it_was_sent() {
        let message = br#"{"jsonrpc":"2.0","id":"7\u0041","method":"x"}"#;
        assert_eq!(frame(message, Era::Legacy), r#"{"jsonrpc":"2.0","id":"7\u0041","result":{}}"#);
        assert!(frame(b"{}", Era::Modern).contains(r#""id":null,"result":{"resultType""#));
    }

    #[test]
    fn the_last_answer_among_steps_is_a_start() {
        let text = |text: &str| Text::Fixed(text.as_bytes().into());
        let begun = |is_result, text: &str, filled| Some(Start { is_result, text: text.to_owned(), filled });
        let steps = [
            Step::Wait(1),
            Step::Result { result: text(r#"{"a":1e400}"#), bare: true, id: None },
            Step::Stderr(text("x")),
        ];
        assert_eq!(start(&steps), begun(true, "{\n  \"a\": 1e400\n}", false));
        assert_eq!(start(&steps[..1]), None);
        let error = Step::Error { error: Text::Template((*b"[{{nth}}]").into()), id: None };
        assert_eq!(start(&[error]), begun(false, "[{{nth}}]", true));
    }
}
