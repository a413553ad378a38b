//! A result without what every answer of 2026-07-28 has and the machine puts there again.

use crate::mcp::meta::SERVER_INFO;
use crate::peer::server::About;
use crate::wire::{Json, JsonKind};

/// The result without `resultType: complete`, the server's identity and the usual caching hints.
pub(super) fn result(method: &str, about: &About, result: &[u8]) -> Vec<u8> {
    let Ok(json) = Json::parse(result) else { return result.to_vec() };
    if json.kind() != JsonKind::Object {
        return result.to_vec();
    }
    let hints = json.get("ttlMs").and_then(|ttl| ttl.as_u64()) == Some(about.hint.0)
        && json.get("cacheScope").is_some_and(|scope| scope.is_text(&about.hint.1))
        && method == "resources/read";
    let mut members = Vec::new();
    for (name, value) in json.members() {
        let usual = name.is_text("resultType") && value.is_text("complete");
        let hint = hints && (name.is_text("ttlMs") || name.is_text("cacheScope"));
        let meta = if name.is_text("_meta") { without_identity(value, about) } else { Some(value.raw().to_vec()) };
        if let Some(value) = meta.filter(|_| !usual && !hint) {
            members.push([name.raw(), b":", &value].concat());
        }
    }
    [b"{", members.join(&b","[..]).as_slice(), b"}"].concat()
}

/// `_meta` without the identity; nothing where nothing is left.
fn without_identity(meta: Json<'_>, about: &About) -> Option<Vec<u8>> {
    let is_own = meta.get(SERVER_INFO).is_some_and(|identity| identity.raw() == about.identity.as_bytes());
    if !is_own {
        return Some(meta.raw().to_vec());
    }
    let kept = meta.members().filter(|(name, _)| !name.is_text(SERVER_INFO));
    let members: Vec<Vec<u8>> = kept.map(|(name, value)| [name.raw(), b":", value.raw()].concat()).collect();
    (!members.is_empty()).then(|| [b"{", members.join(&b","[..]).as_slice(), b"}"].concat())
}
