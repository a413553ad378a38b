//! Who the server of a recording is: what it says in `initialize` or `server/discover`, or what its answers show.

use crate::mcp::meta::Meta;
use crate::model::Revision;
use crate::peer::server::{About, Kind};
use crate::recorded::{self, Call, Listing, Outcome};
use crate::wire::{Json, quote};

/// The extension that stands in 2026-07-28 for the tasks of 2025-11-25.
const TASKS: &str = "io.modelcontextprotocol/tasks";

/// What is known of the server. It speaks all revisions, whichever the recording is in.
pub(super) fn about(calls: &[Call], lists: &[Listing]) -> About {
    let mut about = recorded::nobody();
    let (mut legacy, mut modern, mut identity) = (None, None, None);
    for call in calls {
        let Outcome::Result(result) = &call.outcome else { continue };
        let Ok(result) = Json::parse(result) else { continue };
        let capabilities = result.get("capabilities").map(text);
        let greets = matches!(call.method.as_str(), "initialize" | "server/discover");
        match call.method.as_str() {
            "initialize" => legacy = legacy.or(capabilities),
            "server/discover" => modern = modern.or(capabilities),
            _ => {}
        }
        let says = result.get("instructions").filter(|_| greets && about.instructions.is_none());
        about.instructions = says.and_then(|says| Some(says.text()?.into_owned())).or(about.instructions);
        let meta = || result.get("_meta").and_then(|meta| Meta::read(meta).server);
        identity = identity.or_else(|| Some(text(result.get("serverInfo").or_else(meta)?)));
        hint(&mut about, result);
    }
    let shown = || shown(calls, lists);
    about.legacy = legacy.clone().or_else(|| modern.as_deref().map(to_legacy)).unwrap_or_else(shown);
    about.modern = modern.or_else(|| legacy.as_deref().map(to_modern)).unwrap_or_else(shown);
    about.identity = identity.unwrap_or(about.identity);
    about.revisions = Revision::KNOWN.to_vec();
    about
}

fn text(json: Json<'_>) -> String {
    String::from_utf8_lossy(json.raw()).into_owned()
}

/// The first caching hint counts.
fn hint(about: &mut About, result: Json<'_>) {
    let ttl = result.get("ttlMs").and_then(|ttl| ttl.as_u64());
    let scope = result.get("cacheScope").and_then(|scope| Some(scope.text()?.into_owned()));
    if let (Some(ttl), Some(scope)) = (ttl, scope)
        && about.hint == recorded::nobody().hint
    {
        about.hint = (ttl, scope);
    }
}

/// Capabilities of the legacy era as 2026-07-28 says them: tasks are an extension.
fn to_modern(legacy: &str) -> String {
    let Ok(json) = Json::parse(legacy.as_bytes()) else { return "{}".to_owned() };
    let tasks = json.pointer("/tasks/requests/tools/call").is_some();
    let mut members = members(json, &["tasks", "extensions"]);
    let extensions = json.get("extensions");
    if tasks {
        let mut known: Vec<String> = extensions.map(|map| self::members(map, &[TASKS])).unwrap_or_default();
        known.push(format!("{}:{{}}", quote(TASKS)));
        members.push(format!(r#""extensions":{{{}}}"#, known.join(",")));
    } else if let Some(extensions) = extensions {
        members.push(format!(r#""extensions":{}"#, text(extensions)));
    }
    format!("{{{}}}", members.join(","))
}

/// And the reverse: what was a task is answered without one, since clients of 2025-11-25 ask for them tool by tool.
fn to_legacy(modern: &str) -> String {
    let Ok(json) = Json::parse(modern.as_bytes()) else { return "{}".to_owned() };
    let mut members = members(json, &["extensions"]);
    let extensions = json.get("extensions").map(|map| self::members(map, &[TASKS])).unwrap_or_default();
    if !extensions.is_empty() {
        members.push(format!(r#""extensions":{{{}}}"#, extensions.join(",")));
    }
    format!("{{{}}}", members.join(","))
}

/// The members of an object but for these, each as text.
fn members(json: Json<'_>, without: &[&str]) -> Vec<String> {
    let kept = json.members().filter(|(name, _)| !without.iter().any(|other| name.is_text(other)));
    kept.map(|(name, value)| format!("{}:{}", text(name), text(value))).collect()
}

/// What a server can that never said so, as when the recording begins in the middle.
fn shown(calls: &[Call], lists: &[Listing]) -> String {
    let has = |kinds: &[Kind], methods: &[&str]| {
        let answered = |call: &Call| matches!(call.outcome, Outcome::Result(_)) && methods.contains(&&*call.method);
        lists.iter().any(|list| kinds.contains(&list.kind)) || calls.iter().any(answered)
    };
    let found = [
        ("tools", has(&[Kind::Tools], &["tools/call"])),
        ("resources", has(&[Kind::Resources, Kind::Templates], &["resources/read"])),
        ("prompts", has(&[Kind::Prompts], &["prompts/get"])),
        ("completions", has(&[], &["completion/complete"])),
        ("logging", has(&[], &["logging/setLevel"])),
    ];
    let members: Vec<String> =
        found.iter().filter(|(_, found)| *found).map(|(name, _)| format!(r#""{name}":{{}}"#)).collect();
    format!("{{{}}}", members.join(","))
}
