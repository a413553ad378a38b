//! Results in the dress of an era: what 2026-07-28 wants in them is added where it is not there, and what the legacy
//! era does not know is taken away.

use super::About;
use crate::mcp::meta::SERVER_INFO;
use crate::model::Era;
use crate::peer::edit::{with, with_meta, without};
use crate::wire::{Json, JsonKind, quote};

/// The methods whose results may be cached (CH-001).
const CACHEABLE: [&str; 6] =
    ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"];

/// The result of a method, dressed. What is no object stays as it is.
pub(super) fn result(era: Era, method: &str, about: &About, result: Vec<u8>) -> Vec<u8> {
    let Ok(json) = Json::parse(&result) else { return result };
    if json.kind() != JsonKind::Object {
        return result;
    }
    let dressed = match era {
        Era::Modern => modern(method, about, json),
        Era::Legacy => legacy(method, json),
    };
    dressed.unwrap_or(result)
}

/// RT-001, ME-008, CH-001, CH-002.
fn modern(method: &str, about: &About, json: Json<'_>) -> Option<Vec<u8>> {
    let kind = json.get("resultType");
    let complete = kind.is_none_or(|kind| kind.is_text("complete"));
    let (ttl, scope) = (about.hint.0.to_string(), quote(&about.hint.1));
    let hinted = complete && CACHEABLE.contains(&method);
    let wanted: [(&str, &[u8], bool); 3] = [
        ("resultType", b"\"complete\"", true),
        ("ttlMs", ttl.as_bytes(), hinted),
        ("cacheScope", scope.as_bytes(), hinted),
    ];
    let missing: Vec<(&str, &[u8])> = wanted
        .into_iter()
        .filter(|(name, _, wanted)| *wanted && json.get(name).is_none())
        .map(|(name, value, _)| (name, value))
        .collect();
    let said = json.get("_meta").and_then(|meta| meta.get(SERVER_INFO)).is_some();
    let whole = with(json.raw(), &missing)?;
    if said {
        return Some(whole);
    }
    with_meta(&whole, SERVER_INFO, about.identity.as_bytes()).or(Some(whole))
}

/// What only 2026-07-28 has.
fn legacy(method: &str, json: Json<'_>) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let hints: &[&str] = if CACHEABLE.contains(&method) { &["ttlMs", "cacheScope"] } else { &[] };
    for name in std::iter::once(&"resultType").chain(hints).filter(|name| json.get(name).is_some()) {
        out = without(out.as_deref().unwrap_or(json.raw()), name);
    }
    let meta = json.get("_meta").filter(|meta| meta.get(SERVER_INFO).is_some());
    let Some(meta) = meta else { return out };
    let text = out.unwrap_or_else(|| json.raw().to_vec());
    let bare = without(meta.raw(), SERVER_INFO)?;
    let empty = Json::parse(&bare).is_ok_and(|bare| bare.members().next().is_none());
    if empty { without(&text, "_meta") } else { with(&text, &[("_meta", &bare)]) }
}
