//! How an exchange ended, in a few words for its row. Few different texts, since each is kept once.

use super::line::LONGEST;
use super::one_line;
use crate::wire::{Json, JsonKind};

/// How a request with this method ended, from its result: `16 tools`, `accepted`, `ok · image`.
pub fn outcome(method: &str, result: Json<'_>) -> String {
    match text(result, "resultType").as_deref() {
        Some("input_required") => return asked(result),
        Some("task") => return task(&text(result, "status").unwrap_or_default()),
        _ => {}
    }
    if let Some(status) = result.get("task").and_then(|task| text(task, "status")) {
        return task(&status);
    }
    let named = match method {
        "tools/list" => count(result, "tools", "tool"),
        "resources/list" => count(result, "resources", "resource"),
        "resources/templates/list" => count(result, "resourceTemplates", "template"),
        "prompts/list" => count(result, "prompts", "prompt"),
        "roots/list" => count(result, "roots", "root"),
        "tasks/list" => count(result, "tasks", "task"),
        "prompts/get" => count(result, "messages", "message"),
        "resources/read" => contents(result),
        "completion/complete" => result.get("completion").and_then(|done| count(done, "values", "value")),
        "tools/call" | "tasks/result" => Some(call(result)),
        "initialize" => result.get("serverInfo").and_then(super::Identity::read).map(|server| server.to_string()),
        "server/discover" => count(result, "supportedVersions", "version"),
        "elicitation/create" => text(result, "action").map(|action| elicited(&action)),
        "sampling/createMessage" => text(result, "model"),
        "tasks/get" | "tasks/cancel" => text(result, "status").map(|status| task(&status)),
        "subscriptions/listen" => Some("ended".to_owned()),
        _ => None,
    };
    named.map_or_else(|| "ok".to_owned(), |text| line(&text))
}

/// How a request ended that was answered with a JSON-RPC error: its code as sent, such as `-32602`.
pub fn error_outcome(error: Json<'_>) -> String {
    match error.get("code") {
        Some(code) if matches!(code.kind(), JsonKind::Number | JsonKind::String) => {
            line(&code.text().unwrap_or_else(|| String::from_utf8_lossy(code.raw())))
        }
        _ => "error without code".to_owned(),
    }
}

/// Whether a result is that of a tool that failed: `isError` is true.
pub fn is_failure(result: Json<'_>) -> bool {
    result.get("isError").and_then(|is| is.as_bool()) == Some(true)
}

fn line(text: &str) -> String {
    one_line(text, LONGEST)
}

fn text(json: Json<'_>, key: &str) -> Option<String> {
    json.get(key).and_then(|value| value.text()).map(std::borrow::Cow::into_owned)
}

/// `1 tool`, `16 tools`, `16 tools, more` when there is another page.
fn count(result: Json<'_>, key: &str, noun: &str) -> Option<String> {
    let list = result.get(key).filter(|list| list.kind() == JsonKind::Array)?;
    let number = list.items().count();
    let plural = if number == 1 { "" } else { "s" };
    let more = result.get("nextCursor").is_some_and(|cursor| cursor.kind() == JsonKind::String);
    Some(format!("{number} {noun}{plural}{}", if more { ", more" } else { "" }))
}

/// `ok`, `ok · image`, `tool error`, `ok · 3 blocks`: what a tool gave back.
fn call(result: Json<'_>) -> String {
    let word = if is_failure(result) { "tool error" } else { "ok" };
    let blocks = result.get("content");
    let mut kinds: Vec<String> = Vec::new();
    for kind in blocks.iter().flat_map(Json::items).filter_map(|block| text(block, "type")) {
        let kind = kind.replace('_', " ");
        if kind != "text" && !kinds.contains(&kind) && kinds.len() < 4 {
            kinds.push(kind);
        }
    }
    if kinds.is_empty() { word.to_owned() } else { format!("{word} · {}", kinds.join(", ")) }
}

/// `ok`, or `2 contents`.
fn contents(result: Json<'_>) -> Option<String> {
    let list = result.get("contents").filter(|list| list.kind() == JsonKind::Array)?;
    match list.items().take(2).count() {
        1 => Some("ok".to_owned()),
        _ => Some(format!("{} contents", list.items().count())),
    }
}

/// `input required · elicitation`: what the server asks for before it goes on.
fn asked(result: Json<'_>) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for (_, request) in result.get("inputRequests").iter().flat_map(Json::members) {
        let Some(method) = text(request, "method") else { continue };
        let kind = method.split('/').next().unwrap_or_default().to_owned();
        if !kinds.contains(&kind) && kinds.len() < 4 {
            kinds.push(kind);
        }
    }
    let what = if kinds.is_empty() { String::new() } else { format!(" · {}", kinds.join(", ")) };
    line(&format!("input required{what}"))
}

/// `task working`, `task input required`.
fn task(status: &str) -> String {
    line(format!("task {}", status.replace('_', " ")).trim_end())
}

fn elicited(action: &str) -> String {
    match action {
        "accept" => "accepted".to_owned(),
        "decline" => "declined".to_owned(),
        "cancel" => "cancelled by the user".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{error_outcome, outcome};
    use crate::wire::Json;

    fn json(text: &str) -> Json<'_> {
        Json::parse(text.as_bytes()).expect("the test's JSON is valid")
    }

    #[test]
    fn each_method_says_how_it_ended() {
        let cases = [
            ("tools/list", r#"{"tools":[{"name":"a"},7,null]}"#, "3 tools"),
            ("tools/list", r#"{"tools":[{}],"nextCursor":""}"#, "1 tool, more"),
            ("tools/list", r#"{"tools":"no"}"#, "ok"),
            ("tools/call", r#"{"content":[{"type":"text"},{"type":"image"},{"type":"image"}]}"#, "ok · image"),
            ("tools/call", r#"{"content":[{"type":"resource_link"},{"type":"resource_link"}]}"#, "ok · resource link"),
            ("tools/call", r#"{"content":[],"isError":true}"#, "tool error"),
            ("tasks/get", r#"{"status":"input_required"}"#, "task input required"),
            ("tools/call", r#"{"task":{"taskId":"1","status":"working"}}"#, "task working"),
            ("tools/call", r#"{"resultType":"task","taskId":"1","status":"working"}"#, "task working"),
            (
                "tools/call",
                r#"{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}}"#,
                "input required · elicitation",
            ),
            ("completion/complete", r#"{"completion":{"values":["a","b","c"]}}"#, "3 values"),
            ("elicitation/create", r#"{"action":"accept"}"#, "accepted"),
            ("elicitation/create", r#"{"action":"x\ny"}"#, "x\\ny"),
            ("resources/read", r#"{"contents":[{},{}]}"#, "2 contents"),
            ("initialize", r#"{"serverInfo":{"name":"s","version":"1"}}"#, "s 1"),
            ("ping", "{}", "ok"),
            ("ping", "[]", "ok"),
        ];
        for (method, result, expected) in cases {
            assert_eq!(outcome(method, json(result)), expected, "{method} {result}");
        }
    }

    #[test]
    fn errors_are_known_by_their_code_as_sent() {
        assert_eq!(error_outcome(json(r#"{"code":-32602,"message":"m"}"#)), "-32602");
        assert_eq!(error_outcome(json(r#"{"code":"E1"}"#)), "E1");
        assert_eq!(error_outcome(json(r#"{"message":"m"}"#)), "error without code");
        assert_eq!(error_outcome(json("7")), "error without code");
    }
}
