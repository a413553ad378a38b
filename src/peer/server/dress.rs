//! Results in the dress of an era: what 2026-07-28 wants in them is added where it is not there, and what the legacy
//! era does not know is taken away. Everything else stays byte for byte.

use std::fmt::Write as _;

use super::About;
use crate::mcp::meta::SERVER_INFO;
use crate::model::Era;
use crate::peer::edit::{with, without};
use crate::wire::{Json, JsonKind, quote};

/// The methods whose results may be cached (CH-001).
const CACHEABLE: [&str; 6] =
    ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"];

/// The members of a result that the eras differ in.
#[derive(Default)]
struct Found<'a> {
    kind: Option<Json<'a>>,
    ttl: bool,
    scope: bool,
    meta: Option<Json<'a>>,
    empty: bool,
}

impl<'a> Found<'a> {
    fn read(result: Json<'a>) -> Self {
        let mut found = Self { empty: true, ..Self::default() };
        for (key, value) in result.members() {
            found.empty = false;
            match key.text().as_deref() {
                Some("resultType") => found.kind = Some(value),
                Some("ttlMs") => found.ttl = true,
                Some("cacheScope") => found.scope = true,
                Some("_meta") => found.meta = Some(value),
                _ => {}
            }
        }
        found
    }
}

/// The result of a method, dressed. What is no object stays as it is.
pub(super) fn result(era: Era, method: &str, about: &About, result: Vec<u8>) -> Vec<u8> {
    let Ok(json) = Json::parse(&result) else { return result };
    if json.kind() != JsonKind::Object {
        return result;
    }
    let found = Found::read(json);
    match era {
        Era::Modern => modern(method, about, json, &found),
        Era::Legacy => legacy(method, json, &found).unwrap_or(result),
    }
}

/// RT-001, ME-008, CH-001, CH-002.
fn modern(method: &str, about: &About, json: Json<'_>, found: &Found<'_>) -> Vec<u8> {
    let complete = found.kind.is_none_or(|kind| kind.is_text("complete"));
    let hinted = complete && CACHEABLE.contains(&method);
    let mut more = String::new();
    if found.kind.is_none() {
        more.push_str(",\"resultType\":\"complete\"");
    }
    if hinted && !found.ttl {
        let _ = write!(more, ",\"ttlMs\":{}", about.hint.0);
    }
    if hinted && !found.scope {
        let _ = write!(more, ",\"cacheScope\":{}", quote(&about.hint.1));
    }
    let mut exchanged = None;
    match found.meta {
        None => {
            let _ = write!(more, ",\"_meta\":{{{}:{}}}", quote(SERVER_INFO), about.identity);
        }
        Some(meta) if meta.kind() == JsonKind::Object && meta.get(SERVER_INFO).is_none() => {
            let identified = with(meta.raw(), &[(SERVER_INFO, about.identity.as_bytes())]);
            exchanged = identified.and_then(|meta| with(json.raw(), &[("_meta", &meta)]));
        }
        Some(_) => {}
    }
    let text = exchanged.as_deref().unwrap_or(json.raw());
    let body = text[..text.len().saturating_sub(1)].trim_ascii_end();
    let more = if found.empty { more.strip_prefix(',').unwrap_or(&more) } else { &more };
    [body, more.as_bytes(), b"}"].concat()
}

/// What only 2026-07-28 has is taken away; nothing where there is none of it.
fn legacy(method: &str, json: Json<'_>, found: &Found<'_>) -> Option<Vec<u8>> {
    let hints = CACHEABLE.contains(&method);
    let unknown =
        [("resultType", found.kind.is_some()), ("ttlMs", hints && found.ttl), ("cacheScope", hints && found.scope)];
    let mut out: Option<Vec<u8>> = None;
    for (name, _) in unknown.into_iter().filter(|(_, there)| *there) {
        out = without(out.as_deref().unwrap_or(json.raw()), name);
    }
    let Some(meta) = found.meta.filter(|meta| meta.get(SERVER_INFO).is_some()) else { return out };
    let text = out.unwrap_or_else(|| json.raw().to_vec());
    let bare = without(meta.raw(), SERVER_INFO)?;
    let empty = Json::parse(&bare).is_ok_and(|bare| bare.members().next().is_none());
    if empty { without(&text, "_meta") } else { with(&text, &[("_meta", &bare)]) }
}

#[cfg(test)]
mod tests {
    use super::result;
    use crate::model::Era;
    use crate::peer::server::Script as _;
    use crate::peer::server::tests::book::Book;

    fn dressed(era: Era, method: &str, text: &str) -> String {
        let book = Book::new();
        String::from_utf8(result(era, method, book.about(), text.into())).expect("UTF-8")
    }

    #[test]
    fn what_the_modern_era_wants_is_added_where_it_is_not_there() {
        const WHO: &str = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}"#;
        let cases = [
            ("ping", "{}", format!(r#"{{"resultType":"complete",{WHO}}}"#)),
            ("ping", "{ \"a\" : 1.0 }", format!(r#"{{ "a" : 1.0,"resultType":"complete",{WHO}}}"#)),
            (
                "tools/list",
                r#"{"tools":[],"ttlMs":5}"#,
                format!(r#"{{"tools":[],"ttlMs":5,"resultType":"complete","cacheScope":"private",{WHO}}}"#),
            ),
            ("resources/read", r#"{"resultType":"input_required"}"#, format!(r#"{{"resultType":"input_required",{WHO}}}"#)),
            (
                "tools/call",
                r#"{"_meta":{"x":1},"content":[]}"#,
                r#"{"_meta":{"x":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"content":[],"resultType":"complete"}"#
                    .to_owned(),
            ),
        ];
        for (method, text, expected) in cases {
            assert_eq!(dressed(Era::Modern, method, text), expected);
        }
        let own = r#"{"resultType":"task","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"other"}}}"#;
        assert_eq!(dressed(Era::Modern, "tools/call", own), own);
        assert_eq!(dressed(Era::Modern, "tools/call", "[1]"), "[1]");
    }

    #[test]
    fn what_the_legacy_era_does_not_know_is_taken_away() {
        let who = r#""io.modelcontextprotocol/serverInfo":{"name":"s"}"#;
        let cases = [
            (
                "tools/list",
                format!(r#"{{"tools":[],"resultType":"complete","ttlMs":1,"cacheScope":"public","_meta":{{{who}}}}}"#),
                r#"{"tools":[]}"#,
            ),
            ("tools/call", format!(r#"{{"ttlMs":1,"_meta":{{{who},"x":1}}}}"#), r#"{"ttlMs":1,"_meta":{"x":1}}"#),
            ("tools/call", r#"{"content":[ ]}"#.to_owned(), r#"{"content":[ ]}"#),
        ];
        for (method, text, expected) in cases {
            assert_eq!(dressed(Era::Legacy, method, &text), expected);
        }
    }
}
