//! What a request has to say to get a recorded answer, as `when` writes it.

use super::toml;
use crate::recorded::Call;
use crate::wire::{Json, JsonKind, quote};

/// Members of params that belong to one sending.
const VOLATILE: [&str; 4] = ["_meta", "requestState", "inputResponses", "task"];
/// So deep single values are looked at.
const DEEPEST: usize = 24;

/// What asks this call of an item: its arguments.
pub(super) fn of_item(call: &Call) -> Option<String> {
    let params = Json::parse(call.params.as_deref()?).ok()?;
    let mut conditions = Vec::new();
    match params.get("arguments") {
        Some(arguments) => exactly("arguments", arguments, 0, &mut conditions),
        None => conditions.push("arguments = { exists = false }".to_owned()),
    }
    Some(format!("{{ {} }}", conditions.join(", ")))
}

/// What asks this call of a method: its params.
pub(super) fn of_method(call: &Call) -> Option<String> {
    let params = Json::parse(call.params.as_deref()?).ok()?;
    let mut conditions = Vec::new();
    for (name, value) in params.members() {
        let name = name.text()?;
        if !VOLATILE.contains(&&*name) {
            exactly(&step("params", &name), value, 0, &mut conditions);
        }
    }
    (!conditions.is_empty()).then(|| format!("{{ {} }}", conditions.join(", ")))
}

/// Conditions that this value and no other fits, as far as that can be said: what has a `null` in it is looked at member
/// by member.
fn exactly(path: &str, json: Json<'_>, depth: usize, into: &mut Vec<String>) {
    let path_key = || toml::key(path);
    if let Some(value) = toml::value(json) {
        into.push(format!("{} = {{ equals = {value} }}", path_key()));
        return;
    }
    match json.kind() {
        JsonKind::Null => into.push(format!("{} = {{ matches = '^null$' }}", path_key())),
        JsonKind::Object if depth < DEEPEST => {
            for (name, value) in json.members() {
                exactly(&step(path, &name.text().unwrap_or_default()), value, depth + 1, into);
            }
        }
        JsonKind::Array if depth < DEEPEST => {
            for (index, item) in json.items().enumerate() {
                exactly(&step(path, &index.to_string()), item, depth + 1, into);
            }
        }
        _ => {}
    }
}

/// One name further.
fn step(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The request in a line for a comment.
pub(super) fn said(call: &Call) -> String {
    let params = call.params.as_deref().and_then(|params| Json::parse(params).ok());
    let named =
        params.and_then(|params| params.get("name").or_else(|| params.get("uri"))?.text().map(|name| quote(&name)));
    named.map_or_else(|| call.method.clone(), |name| format!("{} {name}", call.method))
}
