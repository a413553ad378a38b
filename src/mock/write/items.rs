//! Items of lists as tables of a mock file.

use super::toml;
use crate::peer::server::{Bytes, Kind};
use crate::recorded::Session;
use crate::wire::{Json, JsonKind};

/// An item of a list.
pub(super) struct Item {
    pub(super) kind: Kind,
    /// Its name, URI or URI template.
    pub(super) key: String,
    json: Bytes,
    /// Whether it came only later.
    hidden: bool,
}

/// How a kind is written: the word of its tables, the member by which it is known, and those that are keys of their own
/// with the names that they have there.
struct Form {
    word: &'static str,
    key: &'static str,
    texts: &'static [&'static str],
    values: &'static [(&'static str, &'static str)],
}

const fn form(kind: Kind) -> Form {
    match kind {
        Kind::Resources => Form {
            word: "resource",
            key: "uri",
            texts: &["name", "title", "description", "mimeType"],
            values: &[("annotations", "annotations"), ("icons", "icons"), ("_meta", "meta")],
        },
        Kind::Templates => Form {
            word: "template",
            key: "uriTemplate",
            texts: &["name", "title", "description", "mimeType"],
            values: &[("annotations", "annotations"), ("icons", "icons"), ("_meta", "meta")],
        },
        Kind::Prompts => Form {
            word: "prompt",
            key: "name",
            texts: &["title", "description"],
            values: &[("icons", "icons"), ("_meta", "meta")],
        },
        Kind::Tools | Kind::Tasks => Form {
            word: "tool",
            key: "name",
            texts: &["title", "description"],
            values: &[
                ("inputSchema", "input"),
                ("outputSchema", "output"),
                ("annotations", "annotations"),
                ("execution", "execution"),
                ("icons", "icons"),
                ("_meta", "meta"),
            ],
        },
    }
}

/// All items that a server had at any time; those that were there at first are listed at first.
pub(super) fn items(session: &Session) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for list in &session.lists {
        let first =
            session.lists.iter().find(|first| first.kind == list.kind).is_some_and(|first| first.seq == list.seq);
        for json in &list.items {
            let Some(key) = key_of(list.kind, json) else { continue };
            if !items.iter().any(|item| item.kind == list.kind && item.key == key) {
                items.push(Item { kind: list.kind, key, json: Bytes::clone(json), hidden: !first });
            }
        }
    }
    items.sort_by_key(|item| Kind::ALL.iter().position(|kind| *kind == item.kind));
    items
}

/// By what an item is known; nothing where it has no such member.
pub(super) fn key_of(kind: Kind, json: &[u8]) -> Option<String> {
    Some(Json::parse(json).ok()?.get(form(kind).key)?.text()?.into_owned())
}

/// The word of a kind's tables.
pub(super) const fn word(kind: Kind) -> &'static str {
    form(kind).word
}

impl Item {
    /// Its table, without an answer.
    pub(super) fn table(&self) -> String {
        let form = form(self.kind);
        let mut out = format!("[[{}]]\n{} = {}\n", form.word, form.key, toml::text(&self.key));
        let Ok(json) = Json::parse(&self.json) else { return out };
        let mut more = Vec::new();
        for (name, value) in json.members() {
            let name = name.text().unwrap_or_default();
            let text = value.text().filter(|_| form.texts.contains(&&*name));
            let known = form.values.iter().find(|(member, _)| *member == name);
            let is_object = value.kind() == JsonKind::Object || name == "icons";
            if let Some(text) = text {
                toml::put(&mut out, &name, &toml::text(&text));
            } else if let Some((_, key)) = known.filter(|_| is_object) {
                toml::put(&mut out, key, &toml::json(value));
            } else if self.kind == Kind::Resources && name == "size" && value.as_u64().is_some() {
                toml::put(&mut out, "size", &String::from_utf8_lossy(value.raw()));
            } else if let Some(arguments) = (name == "arguments").then(|| arguments(value)).flatten() {
                out += &arguments;
            } else if name != form.key {
                more.push(format!("{}:{}", super::raw(&name), String::from_utf8_lossy(value.raw())));
            }
        }
        toml::put_more(&mut out, &more);
        if self.hidden {
            out += "# It came into the list later; see the step `add`.\nhidden = true\n";
        }
        out
    }
}

/// The arguments of a prompt, where they say no more than a mock file has keys for.
fn arguments(list: Json<'_>) -> Option<String> {
    const KNOWN: [&str; 4] = ["name", "title", "description", "required"];
    let mut lines = Vec::new();
    for argument in list.items() {
        let known = argument.members().all(|(name, _)| KNOWN.iter().any(|known| name.is_text(known)));
        lines.push(format!("  {},\n", toml::value(argument).filter(|_| known && argument.get("name").is_some())?));
    }
    Some(if lines.is_empty() { "arguments = []\n".to_owned() } else { format!("arguments = [\n{}]\n", lines.concat()) })
}
