//! How an exchange ended, in a few words for its row. Few different texts, since each is kept once.

use super::line::LONGEST;
use super::one_line;
use crate::wire::{Json, JsonKind};

/// How a request with this method ended, from its result: `16 tools`, `accepted`, `ok · image`.
pub fn outcome(method: &str, result: Json<'_>) -> String {
    let common = Common::of(result);
    let status = |of: Option<Json<'_>>| of.and_then(|status| status.text()).unwrap_or_default().into_owned();
    if common.kind.is_some_and(|kind| kind.is_text("input_required")) {
        return asked(result);
    }
    if common.kind.is_some_and(|kind| kind.is_text("task")) {
        return task(&status(common.status));
    }
    if let Some(nested) = common.task.and_then(|task| task.get("status")) {
        return task(&status(Some(nested)));
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
        "tools/call" | "tasks/result" => Some(common.call()),
        "initialize" => result.get("serverInfo").and_then(super::Identity::read).map(|server| server.to_string()),
        "server/discover" => count(result, "supportedVersions", "version"),
        "elicitation/create" => text(result, "action").map(|action| elicited(&action)),
        "sampling/createMessage" => text(result, "model"),
        "tasks/get" | "tasks/cancel" => common.status.map(|told| task(&status(Some(told)))),
        "subscriptions/listen" => Some("ended".to_owned()),
        _ => None,
    };
    named.map_or_else(|| "ok".to_owned(), |text| line(&text))
}

/// The members that most outcomes are about, read in one pass: results can be large.
#[derive(Default)]
struct Common<'a> {
    kind: Option<Json<'a>>,
    status: Option<Json<'a>>,
    task: Option<Json<'a>>,
    content: Option<Json<'a>>,
    failed: bool,
}

impl<'a> Common<'a> {
    fn of(result: Json<'a>) -> Self {
        let mut common = Self::default();
        for (key, value) in result.members() {
            match key.raw() {
                b"\"resultType\"" => common.kind = Some(value),
                b"\"status\"" => common.status = Some(value),
                b"\"task\"" => common.task = Some(value),
                b"\"content\"" => common.content = Some(value),
                b"\"isError\"" => common.failed = value.as_bool() == Some(true),
                _ => {}
            }
        }
        common
    }

    /// `ok`, `ok · image`, `tool error`: what a tool gave back.
    fn call(&self) -> String {
        let word = if self.failed { "tool error" } else { "ok" };
        let mut kinds: Vec<String> = Vec::new();
        for kind in self.content.iter().flat_map(Json::items).filter_map(|block| block.get("type")) {
            if kind.is_text("text") || kinds.len() == 4 {
                continue;
            }
            let kind = kind.text().unwrap_or_default().replace('_', " ");
            if !kind.is_empty() && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() { word.to_owned() } else { format!("{word} · {}", kinds.join(", ")) }
    }
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
