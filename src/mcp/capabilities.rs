//! What a peer says that it can do, with "unknown" kept apart from "no".

use crate::wire::{Json, JsonKind};

/// An answer that may be unknown: a recording can begin in the middle of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Known {
    /// It was said.
    Yes,
    /// What was said does not contain it.
    No,
    /// Nothing was seen that would say.
    Unknown,
}

/// A capabilities object, as the paths in it that say yes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Capabilities {
    /// Sorted dotted paths such as `tools`, `tools.listChanged`, `extensions.io.modelcontextprotocol/ui`;
    /// `None` when no object was seen.
    paths: Option<Vec<Box<str>>>,
}

impl Capabilities {
    /// Nothing was seen.
    pub const UNKNOWN: Self = Self { paths: None };

    /// Reads the object; anything else is unknown.
    pub fn read(json: Json<'_>) -> Self {
        if json.kind() != JsonKind::Object {
            return Self::UNKNOWN;
        }
        let mut paths = Vec::new();
        collect(json, "", 0, &mut paths);
        paths.sort();
        paths.dedup();
        Self { paths: Some(paths) }
    }

    /// Whether the capability at a dotted path was declared: an object, or `true`.
    ///
    /// The empty path asks for nothing and is always there. `elicitation.form` is what an empty
    /// `elicitation` means (2025-11-25 on).
    pub fn has(&self, path: &str) -> Known {
        let Some(paths) = &self.paths else { return Known::Unknown };
        let there = |path: &str| paths.binary_search_by(|known| (**known).cmp(path)).is_ok();
        let implied = path == "elicitation.form" && there("elicitation") && !there("elicitation.url");
        if path.is_empty() || there(path) || implied { Known::Yes } else { Known::No }
    }

    /// Whether an object was seen at all.
    pub const fn is_known(&self) -> bool {
        self.paths.is_some()
    }

    /// The declared paths, sorted; nothing when unknown.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().flatten().map(|path| &**path)
    }
}

/// Capabilities nest four deep at most (`tasks.requests.tools.call`); settings of extensions below
/// that are not capabilities.
const DEEPEST: u32 = 4;

/// The most paths kept, so that a hostile object stays small.
const MOST: usize = 500;

fn collect(json: Json<'_>, prefix: &str, depth: u32, paths: &mut Vec<Box<str>>) {
    for (key, value) in json.members() {
        let yes = value.kind() == JsonKind::Object || value.as_bool() == Some(true);
        let Some(key) = key.text().filter(|_| yes && paths.len() < MOST) else { continue };
        let path = if prefix.is_empty() { key.into_owned() } else { format!("{prefix}.{key}") };
        if depth + 1 < DEEPEST {
            collect(value, &path, depth + 1, paths);
        }
        paths.push(path.into());
    }
}

#[cfg(test)]
mod tests {
    use super::{Capabilities, Known};
    use crate::wire::Json;

    fn read(text: &str) -> Capabilities {
        Capabilities::read(Json::parse(text.as_bytes()).expect("the test's JSON is valid"))
    }

    #[test]
    fn objects_and_true_say_yes_and_unknown_is_not_no() {
        let can = read(r#"{"tools":{"listChanged":true},"prompts":{"listChanged":false},"logging":{},"x":null}"#);
        assert_eq!(can.has("tools"), Known::Yes);
        assert_eq!(can.has("tools.listChanged"), Known::Yes);
        assert_eq!(can.has("prompts"), Known::Yes);
        assert_eq!(can.has("prompts.listChanged"), Known::No);
        assert_eq!(can.has("logging"), Known::Yes);
        assert_eq!(can.has("x"), Known::No);
        assert_eq!(can.has(""), Known::Yes);
        assert_eq!(Capabilities::UNKNOWN.has("tools"), Known::Unknown);
        assert_eq!(read("[]").has("tools"), Known::Unknown);
        assert_eq!(read("{}").has("tools"), Known::No);
    }

    #[test]
    fn an_empty_elicitation_means_forms() {
        assert_eq!(read(r#"{"elicitation":{}}"#).has("elicitation.form"), Known::Yes);
        assert_eq!(read(r#"{"elicitation":{"url":{}}}"#).has("elicitation.form"), Known::No);
        let tasks = read(r#"{"tasks":{"requests":{"tools":{"call":{}}}}}"#);
        assert_eq!(tasks.has("tasks.requests.tools.call"), Known::Yes);
    }
}
