//! Params in one spelling, so that two requests ask the same where their texts are the same: members sorted, numbers by
//! value, strings without superfluous escapes, and without what differs each time.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::model::Id;
use crate::wire::{Json, JsonKind, quote};

/// What is nested deeper is compared as it is written.
const DEEPEST: usize = 64;

/// Members of `params` that never count: they belong to one sending, not to what is asked.
pub(super) const VOLATILE: [&str; 4] = ["/_meta", "/requestState", "/inputResponses", "/task"];

/// Stands for one method with its params.
pub(super) type Key = [u8; 32];

/// The key of a request.
pub(super) fn key(method: &str, params: Option<&[u8]>, ignored: &[String]) -> Key {
    let mut hash = Sha256::new();
    hash.update(method.as_bytes());
    for (pointer, value) in leaves(params, ignored) {
        for part in [pointer.as_bytes(), value.as_bytes()] {
            // With its length before it, so that no two lists of parts are the same bytes.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    hash.finalize().into()
}

/// Every value of `params` that holds no others, by its pointer: scalars, and `{}` and `[]` where they are empty. No
/// params are empty ones.
pub(super) fn leaves(params: Option<&[u8]>, ignored: &[String]) -> BTreeMap<String, String> {
    let mut leaves = BTreeMap::new();
    match params.map(Json::parse) {
        Some(Ok(json)) => walk(json, "", 0, ignored, &mut leaves),
        Some(Err(_)) => drop(leaves.insert(String::new(), params.map(text).unwrap_or_default())),
        None => {}
    }
    // `{}`, what has only members that do not count, and nothing at all ask the same.
    if leaves.get("").is_some_and(|root| root == "{}") {
        leaves.clear();
    }
    leaves
}

fn walk(json: Json<'_>, pointer: &str, depth: usize, ignored: &[String], leaves: &mut BTreeMap<String, String>) {
    let kind = json.kind();
    if depth >= DEEPEST || !matches!(kind, JsonKind::Object | JsonKind::Array) {
        leaves.insert(pointer.to_owned(), scalar(json));
        return;
    }
    // Of members with the same name the last one counts.
    let mut inside = BTreeMap::new();
    if kind == JsonKind::Object {
        for (name, value) in json.members() {
            let name = name.text().unwrap_or_default().replace('~', "~0").replace('/', "~1");
            inside.insert(format!("{pointer}/{name}"), value);
        }
    } else {
        inside.extend(json.items().enumerate().map(|(index, item)| (format!("{pointer}/{index}"), item)));
    }
    let counts = |at: &String| !VOLATILE.contains(&at.as_str()) && !ignored.contains(at);
    inside.retain(|at, _| counts(at));
    if inside.is_empty() {
        let empty = if kind == JsonKind::Object { "{}" } else { "[]" };
        leaves.insert(pointer.to_owned(), empty.to_owned());
    }
    for (at, value) in inside {
        walk(value, &at, depth + 1, ignored, leaves);
    }
}

fn scalar(json: Json<'_>) -> String {
    if let Some(number) = json.number() {
        return Id::number(number).to_string();
    }
    match json.text() {
        Some(string) => quote(&string),
        None => text(json.raw()),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
