//! The params of a request, put together as text: what was typed goes in byte for byte, also when it is no JSON.

use crate::engine::view::{Json, JsonKind, quote};
use crate::peer::client::Kind;
use crate::ui::client::Subject;

/// The params by which a subject is tried out with these arguments (JSON text); of a template and of a resource the
/// arguments are the URI.
pub fn of(subject: &Subject, item: Option<Json<'_>>, arguments: &str) -> Vec<u8> {
    match subject.kind {
        Kind::Tools | Kind::Prompts => {
            let name = item.and_then(|item| item.get("name")).map_or_else(|| quote(&subject.key), raw);
            if arguments.trim().is_empty() {
                return format!(r#"{{"name":{name}}}"#).into_bytes();
            }
            format!(r#"{{"name":{name},"arguments":{arguments}}}"#).into_bytes()
        }
        Kind::Resources | Kind::Templates => format!(r#"{{"uri":{}}}"#, quote(arguments)).into_bytes(),
        Kind::Tasks => format!(r#"{{"taskId":{}}}"#, quote(&subject.key)).into_bytes(),
    }
}

/// The arguments in the params of a request, as sent: what a form is filled with from a recording or a saved call.
pub fn arguments_in(params: &[u8]) -> Option<String> {
    Json::parse(params).ok()?.get("arguments").map(raw)
}

/// The schema of a prompt's arguments, all of which are strings.
pub fn prompt_schema(item: Json<'_>) -> String {
    let mut members = Vec::new();
    let mut required = Vec::new();
    let arguments: Vec<Json<'_>> = item.get("arguments").map(|list| list.items().collect()).unwrap_or_default();
    for argument in arguments {
        let Some(name) = argument.get("name").filter(is_text) else { continue };
        let mut property = vec![r#""type":"string""#.to_owned()];
        for key in ["title", "description"] {
            if let Some(text) = argument.get(key).filter(is_text) {
                property.push(format!(r#""{key}":{}"#, raw(text)));
            }
        }
        members.push(format!("{}:{{{}}}", raw(name), property.join(",")));
        if argument.get("required").and_then(|it| it.as_bool()) == Some(true) {
            required.push(raw(name));
        }
    }
    object(&members, &required)
}

/// The schema of an object with these members, of which some are required.
pub fn object(members: &[String], required: &[String]) -> String {
    let (members, required) = (members.join(","), required.join(","));
    format!(r#"{{"type":"object","properties":{{{members}}},"required":[{required}],"additionalProperties":false}}"#)
}

/// The values that a completion offers, and what is to be said about the others.
pub fn offers(result: &[u8]) -> Option<(Vec<String>, String)> {
    let json = Json::parse(result).ok()?;
    let completion = json.get("completion")?;
    let values: Vec<String> =
        completion.get("values")?.items().filter_map(|it| Some(it.text()?.into_owned())).collect();
    let more = completion.get("hasMore").and_then(|it| it.as_bool()).unwrap_or(false);
    let note = match completion.get("total").and_then(|it| it.as_u64()) {
        Some(total) if total > values.len() as u64 => format!("{} of {total}", values.len()),
        _ if more => "there are more".to_owned(),
        _ => String::new(),
    };
    Some((values, note))
}

fn raw(json: Json<'_>) -> String {
    String::from_utf8_lossy(json.raw()).into_owned()
}

fn is_text(json: &Json<'_>) -> bool {
    json.kind() == JsonKind::String
}

#[cfg(test)]
mod tests {
    use super::{Json, Kind, Subject, arguments_in, of, offers, prompt_schema};

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn what_was_typed_goes_in_as_it_is() {
        let tool = Subject::new(Kind::Tools, "a\"b");
        assert_eq!(text(of(&tool, None, "{ \"n\": 1.10 }")), r#"{"name":"a\"b","arguments":{ "n": 1.10 }}"#);
        assert_eq!(text(of(&tool, None, "{broken")), r#"{"name":"a\"b","arguments":{broken}"#);
        assert_eq!(text(of(&tool, None, " ")), r#"{"name":"a\"b"}"#);
        let item = Json::parse(br#"{"name":7}"#).ok();
        assert_eq!(
            text(of(&tool, item, "{}")),
            r#"{"name":7,"arguments":{}}"#,
            "a name that is none is sent as listed"
        );
        let template = Subject::new(Kind::Templates, "x://{id}");
        assert_eq!(text(of(&template, None, "x://1")), r#"{"uri":"x://1"}"#);
    }

    #[test]
    fn arguments_keep_their_digits() {
        let params = br#"{"name":"x","arguments":{"id":1915883588174806058,"e":1e400}}"#;
        assert_eq!(arguments_in(params).as_deref(), Some(r#"{"id":1915883588174806058,"e":1e400}"#));
        assert_eq!(arguments_in(b"{}"), None);
    }

    #[test]
    fn prompts_have_a_schema_of_strings() {
        let item = br#"{"name":"p","arguments":[{"name":"a\u0062","required":true,"description":"d"},{"name":3},{"name":"c"}]}"#;
        let schema = prompt_schema(Json::parse(item).expect("JSON"));
        let json = Json::parse(schema.as_bytes()).expect("JSON");
        assert_eq!(json.pointer("/required").expect("a list").raw(), br#"["a\u0062"]"#);
        assert_eq!(json.pointer("/properties").expect("an object").members().count(), 2);
    }

    #[test]
    fn what_a_completion_offers_is_read() {
        let offered = offers(br#"{"completion":{"values":["Lund",3,"Lule"],"total":9,"hasMore":true}}"#);
        assert_eq!(offered, Some((vec!["Lund".to_owned(), "Lule".to_owned()], "2 of 9".to_owned())));
        assert_eq!(offers(b"{}"), None);
    }
}
