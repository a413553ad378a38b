//! The keys that each kind of table of a mock file may have. What is not here is a fault; `assets/mock.schema.json` has
//! the same, which a test watches.

/// A kind of table: what it is called in a fault, and its keys in groups.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keys {
    pub(super) what: &'static str,
    pub(super) groups: &'static [&'static [&'static str]],
}

impl Keys {
    /// All keys.
    pub(super) fn all(self) -> impl Iterator<Item = &'static str> {
        self.groups.iter().copied().flatten().copied()
    }
}

macro_rules! kinds {
    ($($name:ident, $what:literal: [$($group:expr),+];)+) => {
        $(pub(super) const $name: Keys = Keys { what: $what, groups: &[$($group),+] };)+
        /// Every kind, by the name that it has here.
        #[cfg(test)]
        pub(super) const KINDS: &[(&str, Keys)] = &[$((stringify!($name), $name)),+];
    };
}

/// What every item of a list may have.
const LISTED: &[&str] = &["title", "description", "icons", "meta", "more", "from", "until", "hidden"];
/// What every answer may have.
const REPLY: &[&str] = &["steps", "fault", "fill", "error", "result", "bare", "response", "own"];
/// When a rule answers.
const CHOICE: &[&str] = &["name", "when", "nth", "every", "deaf"];
/// What answers a call of a tool.
const CALLED: &[&str] = &["answer", "structured", "isError", "sample"];
/// What answers a read of a resource.
const CONTENTS: &[&str] = &["text", "blob", "file", "contents"];

kinds! {
    FILE, "a mock file": [&["midwire", "server", "tool", "resource", "template", "prompt", "rule", "timer"]];
    SERVER, "the server": [&[
        "name", "title", "version", "description", "websiteUrl", "icons", "more", "instructions", "revisions", "page",
        "cache", "capabilities", "legacy-capabilities", "modern-capabilities", "check"
    ]];
    CACHE, "caching hints": [&["ttl", "scope"]];
    TOOL, "a tool": [&["name", "input", "output", "annotations", "execution", "check", "rule"], LISTED, CALLED, REPLY];
    TOOL_RULE, "a rule of a tool": [CHOICE, CALLED, REPLY, &["meta"]];
    RESOURCE, "a resource": [&["uri", "name", "mimeType", "size", "annotations", "rule"], LISTED, CONTENTS, REPLY];
    RESOURCE_RULE, "a rule of a resource": [CHOICE, CONTENTS, REPLY, &["mimeType", "meta"]];
    TEMPLATE, "a resource template": [
        &["uriTemplate", "name", "mimeType", "annotations", "complete", "rule"], LISTED, CONTENTS, REPLY
    ];
    PROMPT, "a prompt": [&["name", "arguments", "messages", "answer", "rule"], LISTED, REPLY];
    PROMPT_RULE, "a rule of a prompt": [CHOICE, REPLY, &["messages", "answer", "description", "meta"]];
    ARGUMENT, "an argument of a prompt": [&["name", "title", "description", "required", "complete", "more"]];
    RULE, "a rule": [&["method"], CHOICE, CALLED, REPLY, &["meta"]];
    BLOCK, "a content block": [&[
        "text", "image", "audio", "resource", "link", "type", "mimeType", "annotations", "meta", "more"
    ]];
    CONTENT, "contents of a resource": [&["uri", "mimeType", "text", "blob", "file", "meta", "more"]];
    BYTES, "bytes": [&["file"]];
    MESSAGE, "a message": [&["user", "assistant", "role", "content"]];
    STEP, "a step": [&[
        "wait", "progress", "total", "message", "log", "level", "logger", "notify", "params", "loose", "changed",
        "updated", "add", "remove", "ask", "method", "elicit", "schema", "url", "sample", "roots", "forced",
        "come-again", "task", "status", "stderr", "raw", "headers", "close", "break", "lose-session", "exit", "result", "bare",
        "error", "response", "own"
    ]];
    ITEM, "an item": [&["tool", "resource", "template", "prompt"]];
    TASK, "a task": [&["ttl", "poll", "forced"]];
    ERROR, "an error": [&["code", "message", "data"]];
    RESPONSE, "a response": [&["status", "headers", "body"]];
    TEST, "a test": [&["equals", "matches", "exists", "min", "max", "contains", "one-of", "not"]];
    FAULT, "a fault": [&[
        "kind", "size", "text", "status", "body", "headers", "header", "code", "delay"
    ]];
    TIMER, "a timer": [&[
        "name", "after", "every", "times", "changed", "updated", "notify", "params", "add", "remove", "raw",
        "end-listening"
    ]];
}

/// The one of these that somebody may have meant.
pub(super) fn nearest<'a>(meant: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_'], "");
    let wanted = plain(meant);
    known
        .map(|name| (distance(&wanted, &plain(name)), name))
        .filter(|(distance, name)| *distance <= name.len().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters have to change (Levenshtein); long texts are compared in their beginning.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, against) in other.iter().enumerate() {
            let change = diagonal + usize::from(letter != *against);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::{TOOL, nearest};

    #[test]
    fn a_slip_of_the_hand_is_recognised_and_a_stranger_is_not() {
        assert_eq!(nearest("anwser", TOOL.all()), Some("answer"));
        assert_eq!(nearest("is_error", TOOL.all()), Some("isError"));
        assert_eq!(nearest("inputs", TOOL.all()), Some("input"));
        assert_eq!(nearest("colour", TOOL.all()), None);
        assert_eq!(nearest("", TOOL.all()), None);
    }
}
