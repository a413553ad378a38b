//! What a request or notification is about, for its row: the tool's name, the URI, the level.

use super::line::LONGEST;
use super::one_line;
use crate::wire::{Json, JsonKind};

/// What a message is about, on one line of at most 200 characters; `None` when it names nothing.
///
/// Of a method that is not known, the first of `name`, `uri` and `id` that its params have.
pub fn subject(method: &str, params: Option<Json<'_>>) -> Option<String> {
    let params = params?;
    let text = |key: &str| member(params, key);
    let line = match method {
        "tools/call" | "prompts/get" => text("name"),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" | "notifications/resources/updated" => {
            text("uri")
        }
        "initialize" => identity(params.get("clientInfo")),
        "completion/complete" => completion(params),
        "logging/setLevel" => text("level"),
        "notifications/message" => log(params),
        "notifications/progress" => Some(progress(params)),
        "notifications/cancelled" => cancelled(params),
        "elicitation/create" => text("message"),
        "sampling/createMessage" => params.pointer("/messages/0/content/text").and_then(scalar),
        "subscriptions/listen" | "notifications/subscriptions/acknowledged" => listen(params),
        "notifications/elicitation/complete" => text("elicitationId"),
        "notifications/tasks" | "notifications/tasks/status" => task(params),
        "tasks/get" | "tasks/result" | "tasks/cancel" | "tasks/update" => text("taskId"),
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" | "tasks/list" => text("cursor"),
        _ => text("name").or_else(|| text("uri")).or_else(|| text("id")),
    };
    line.filter(|line| !line.is_empty()).map(|line| one_line(&line, LONGEST))
}

/// A string's text, or a number, bool or null as sent. Of a long text no more than a row can use.
fn scalar(json: Json<'_>) -> Option<String> {
    match json.kind() {
        JsonKind::String => json.text().map(|text| text.chars().take(LONGEST + 1).collect()),
        JsonKind::Object | JsonKind::Array => None,
        _ => Some(String::from_utf8_lossy(json.raw()).into_owned()),
    }
}

fn member(json: Json<'_>, key: &str) -> Option<String> {
    json.get(key).and_then(scalar)
}

fn identity(info: Option<Json<'_>>) -> Option<String> {
    info.and_then(super::Identity::read).map(|identity| identity.to_string())
}

/// `greet.name = "wor"`: what is completed, and from what.
fn completion(params: Json<'_>) -> Option<String> {
    let reference = params.get("ref")?;
    let of = member(reference, "name").or_else(|| member(reference, "uri"))?;
    let Some(argument) = params.get("argument") else { return Some(of) };
    let name = member(argument, "name").unwrap_or_default();
    let value = member(argument, "value").unwrap_or_default();
    Some(format!("{of} · {name} = {value:?}"))
}

/// `info · logger · text`.
fn log(params: Json<'_>) -> Option<String> {
    let parts = [member(params, "level"), member(params, "logger"), params.get("data").map(short)];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

/// A value's text: a string as it reads, anything else as sent, cut.
fn short(json: Json<'_>) -> String {
    let raw = json.raw();
    scalar(json).unwrap_or_else(|| String::from_utf8_lossy(&raw[..raw.len().min(4 * LONGEST)]).into_owned())
}

/// `1 of 3 · text`.
fn progress(params: Json<'_>) -> String {
    let done = member(params, "progress").unwrap_or_else(|| "?".to_owned());
    let total = member(params, "total").map(|total| format!(" of {total}")).unwrap_or_default();
    let message = member(params, "message").map(|message| format!(" · {message}")).unwrap_or_default();
    format!("{done}{total}{message}")
}

/// `id 7 · reason`.
fn cancelled(params: Json<'_>) -> Option<String> {
    let id = params.get("requestId").map(super::meta::typed)?;
    let reason = member(params, "reason").map(|reason| format!(" · {reason}")).unwrap_or_default();
    Some(format!("id {id}{reason}"))
}

/// `tools, file:///a`: what is listened for.
fn listen(params: Json<'_>) -> Option<String> {
    let wanted = params.get("notifications")?;
    let mut words = Vec::new();
    for (key, value) in wanted.members() {
        let key = key.text().unwrap_or_default();
        match value.kind() {
            JsonKind::Array => words.extend(value.items().take(8).filter_map(scalar)),
            _ if value.as_bool() == Some(true) => {
                words.push(key.strip_suffix("ListChanged").unwrap_or(&key).to_owned());
            }
            _ => {}
        }
    }
    Some(words.join(", "))
}

/// `t-9f2c · working`.
fn task(params: Json<'_>) -> Option<String> {
    let id = member(params, "taskId")?;
    Some(member(params, "status").map_or_else(|| id.clone(), |status| format!("{id} · {status}")))
}

#[cfg(test)]
mod tests {
    use super::subject;
    use crate::wire::Json;

    fn of(method: &str, params: &str) -> Option<String> {
        subject(method, Some(Json::parse(params.as_bytes()).expect("the test's JSON is valid")))
    }

    #[test]
    fn each_method_says_what_it_is_about() {
        let cases = [
            ("tools/call", r#"{"arguments":{"name":"no"},"name":"get\nweather"}"#, "get\\nweather"),
            ("resources/read", r#"{"uri":"file:///a"}"#, "file:///a"),
            ("initialize", r#"{"clientInfo":{"name":"probe","version":"0.1"}}"#, "probe 0.1"),
            (
                "completion/complete",
                r#"{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"wo"}}"#,
                "greet · who = \"wo\"",
            ),
            ("notifications/message", r#"{"level":"info","logger":"db","data":{"n":1.0}}"#, "info · db · {\"n\":1.0}"),
            ("notifications/progress", r#"{"progressToken":1,"progress":1.50,"total":3}"#, "1.50 of 3"),
            ("notifications/cancelled", r#"{"requestId":"1","reason":"user"}"#, "id \"1\" · user"),
            (
                "subscriptions/listen",
                r#"{"notifications":{"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["file:///a"]}}"#,
                "tools, file:///a",
            ),
            ("tasks/get", r#"{"taskId":"t-1"}"#, "t-1"),
            ("custom/thing", r#"{"uri":"x:y"}"#, "x:y"),
        ];
        for (method, params, expected) in cases {
            assert_eq!(of(method, params).as_deref(), Some(expected), "{method}");
        }
    }

    #[test]
    fn what_names_nothing_has_no_subject_and_what_is_long_is_cut() {
        assert_eq!(of("tools/list", "{}"), None);
        assert_eq!(of("tools/call", r#"{"name":{}}"#), None);
        assert_eq!(of("tools/call", "[1]"), None);
        assert_eq!(subject("ping", None), None);
        let long = format!(r#"{{"uri":"{}"}}"#, "a".repeat(5000));
        assert_eq!(of("resources/read", &long).map(|line| line.chars().count()), Some(201));
    }
}
