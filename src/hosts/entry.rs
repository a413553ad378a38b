//! One server in a host's file: reading of what the hosts write in their different words.

use super::Host;
use super::dotenv;
use super::tree::Tree;
use super::unwrap::unwrapped;
use super::variables::{Part, Surroundings, parts};

/// A server as a host would start or reach it, variables filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called there.
    pub name: String,
    /// The project for which it is, where a user's file has lists for several.
    pub project: Option<String>,
    /// How it is reached; `None` when the entry says nothing usable.
    pub way: Option<Way>,
    /// The host does not use it.
    pub disabled: bool,
    /// Its command was `midwire tap … --` in front of this one.
    pub tapped: bool,
    /// The variables whose values are from a file that it names (`envFile`): they are not to be shown.
    pub hidden: Vec<String>,
    /// What is wrong with it, each in a sentence.
    pub faults: Vec<String>,
    /// What has no value here, as it is written in the file: `${input:token}`.
    pub unresolved: Vec<String>,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// A process.
    Command {
        /// Program and arguments.
        command: Vec<String>,
        /// The folder it runs in.
        folder: Option<String>,
        /// What is set in its environment, in the order of the file. `${NAME}` is a variable of ours, `$${` a plain
        /// `${`.
        set: Vec<(String, String)>,
    },
    /// A URL.
    Url {
        /// The URL.
        url: String,
        /// Header fields, written likewise.
        headers: Vec<(String, String)>,
    },
}

/// Members that hold the URL, in the words of different hosts.
const URLS: [&str; 5] = ["url", "httpUrl", "serverUrl", "baseUrl", "uri"];
/// Types that name a transport of MCP's.
const TYPES: [&str; 14] = [
    "stdio",
    "local",
    "command",
    "http",
    "sse",
    "remote",
    "streamable-http",
    "streamableHttp",
    "streamable_http",
    "streamablehttp",
    "http-stream",
    "custom",
    "builtin",
    "inMemory",
];

/// Reads one entry. Whatever it is, it becomes one, with what is wrong with it.
pub(super) fn read(host: Host, name: &str, tree: &Tree, around: &Surroundings<'_>) -> Entry {
    let mut reading = Reading { host, around, faults: Vec::new(), unresolved: Vec::new() };
    let disabled = is_disabled(tree);
    let mut way = reading.way(tree);
    let mut tapped = false;
    if let Some(Way::Command { command, folder, set }) = &way
        && let Some(inner) = unwrapped(command, folder.as_ref(), set)
    {
        tapped = true;
        way = Some(inner);
    }
    let mut hidden = Vec::new();
    if let (Some(file), Some(Way::Command { set, .. })) = (tree.get("envFile").and_then(Tree::text), &mut way) {
        hidden = reading.of_file(file, set);
    }
    let Reading { faults, unresolved, .. } = reading;
    Entry { name: name.to_owned(), project: None, way, disabled, tapped, hidden, faults, unresolved }
}

/// Whether an object is an entry rather than something else that stands beside entries.
pub(super) fn looks_like_one(tree: &Tree) -> bool {
    let says = |names: &[&str]| names.iter().any(|name| tree.get(name).is_some());
    says(&["command", "transport"]) || says(&URLS)
}

fn is_disabled(tree: &Tree) -> bool {
    let says = |name: &str| tree.get(name).and_then(Tree::bool);
    says("disabled") == Some(true) || ["enabled", "isActive"].into_iter().any(|name| says(name) == Some(false))
}

struct Reading<'a> {
    host: Host,
    around: &'a Surroundings<'a>,
    faults: Vec<String>,
    unresolved: Vec<String>,
}

impl Reading<'_> {
    fn way(&mut self, tree: &Tree) -> Option<Way> {
        if !matches!(tree, Tree::Map(_)) {
            self.faults.push(format!("it is {}, where an object is expected", tree.kind()));
            return None;
        }
        // Continue's older files keep it one level deeper.
        if let Some(inner @ Tree::Map(_)) = tree.get("transport") {
            return self.way(inner);
        }
        let kind = ["type", "transport", "transportType"].into_iter().find_map(|name| tree.get(name)?.text());
        if let Some(kind) = kind
            && !TYPES.contains(&kind)
        {
            self.faults.push(format!("its type `{kind}` is no transport that midwire knows"));
        }
        let url = URLS.into_iter().find_map(|name| tree.get(name)?.text()).filter(|url| !url.trim().is_empty());
        let command = tree.get("command").filter(|command| !is_empty(command));
        let remote = kind.is_some_and(|kind| !matches!(kind, "stdio" | "local" | "command"));
        match (command, url) {
            (Some(command), url) if url.is_none() || !remote => self.command(tree, command),
            (_, Some(url)) => Some(self.url(tree, url)),
            _ => {
                self.faults.push("it has neither a command nor a URL".to_owned());
                None
            }
        }
    }

    fn command(&mut self, tree: &Tree, command: &Tree) -> Option<Way> {
        let mut words = match command {
            // Zed's older files: {"path": …, "args": …, "env": …}.
            Tree::Map(_) => {
                let inner = command.get("path").cloned().unwrap_or(Tree::Null);
                return self.command(command, &inner);
            }
            Tree::List(_) => self.words("command", command),
            Tree::Text(program) => vec![self.filled(program)],
            other => {
                self.faults.push(format!("its command is {}", other.kind()));
                return None;
            }
        };
        if let Some(args) = tree.get("args") {
            words.extend(self.words("args", args));
        }
        let folder = ["cwd", "workingDirectory"].into_iter().find_map(|name| tree.get(name)?.text());
        let folder = folder.map(|folder| self.filled(folder));
        let set = ["env", "environment"].into_iter().find_map(|name| tree.get(name));
        let set = set.map(|set| self.pairs("env", set)).unwrap_or_default();
        Some(Way::Command { command: words, folder, set })
    }

    fn url(&mut self, tree: &Tree, url: &str) -> Way {
        let url = self.filled(url);
        let mut headers = Vec::new();
        for name in ["headers", "http_headers", "requestHeaders"] {
            if let Some(fields) = tree.get(name) {
                headers.extend(self.pairs(name, fields));
            }
        }
        if let Some(options) = tree.at(&["requestOptions", "headers"]) {
            headers.extend(self.pairs("headers", options));
        }
        // Codex names variables of the environment.
        for (name, variable) in tree.get("env_http_headers").map(Tree::members).unwrap_or_default() {
            if let Some(variable) = variable.text() {
                headers.push((name.clone(), self.named(variable)));
            }
        }
        if let Some(variable) = tree.get("bearer_token_env_var").and_then(Tree::text) {
            headers.push(("Authorization".to_owned(), format!("Bearer {}", self.named(variable))));
        }
        Way::Url { url, headers }
    }

    /// A list of texts. What is no text is taken as it is written.
    fn words(&mut self, what: &str, tree: &Tree) -> Vec<String> {
        if !matches!(tree, Tree::List(_)) {
            self.faults.push(format!("its {what} is {}, where a list is expected", tree.kind()));
        }
        let mut words = Vec::new();
        for (index, item) in tree.items().iter().enumerate() {
            words.extend(self.scalar(&format!("{what}[{index}]"), item).map(|text| self.filled(&text)));
        }
        words
    }

    fn pairs(&mut self, what: &str, tree: &Tree) -> Vec<(String, String)> {
        if !matches!(tree, Tree::Map(_)) {
            self.faults.push(format!("its {what} is {}, where an object is expected", tree.kind()));
        }
        let mut pairs = Vec::new();
        for (name, value) in tree.members() {
            if let Some(text) = self.scalar(&format!("{what}.{name}"), value) {
                pairs.push((name.clone(), self.referring(&text)));
            }
        }
        pairs
    }

    fn scalar(&mut self, what: &str, tree: &Tree) -> Option<String> {
        let text = match tree {
            Tree::Text(text) => return Some(text.clone()),
            Tree::Number(text) => Some(text.clone()),
            Tree::Bool(value) => Some(value.to_string()),
            _ => None,
        };
        let then = if text.is_some() { "taken as a text" } else { "left out" };
        self.faults.push(format!("its {what} is {}, {then}", tree.kind()));
        text
    }

    /// A text with the values of its variables.
    fn filled(&mut self, text: &str) -> String {
        let mut filled = String::new();
        for part in parts(self.host, text, self.around) {
            match part {
                Part::Text(text) => filled.push_str(&text),
                Part::Variable(written, name, default) => match (self.around.variable)(&name).or(default) {
                    Some(value) => filled.push_str(&value),
                    None => filled.push_str(&self.open(written)),
                },
                Part::Unknown(written) => filled.push_str(&self.open(written)),
            }
        }
        filled
    }

    /// A text that goes on naming the variables that have values, so that those are shown and recorded nowhere.
    fn referring(&mut self, text: &str) -> String {
        let mut filled = String::new();
        for part in parts(self.host, text, self.around) {
            match part {
                // What is no variable there must not become one of ours.
                Part::Text(text) => filled.push_str(&text.replace("${", "$${")),
                Part::Variable(written, name, default) => match ((self.around.variable)(&name), default) {
                    (Some(_), _) => filled.extend(["${", &name, "}"]),
                    (None, Some(default)) => filled.push_str(&default),
                    (None, None) => filled.push_str(&self.open(written)),
                },
                Part::Unknown(written) => filled.push_str(&self.open(written)),
            }
        }
        filled
    }

    /// Puts the variables of an `envFile` before those that are set, which come first with the host as well; their names.
    fn of_file(&mut self, file: &str, set: &mut Vec<(String, String)>) -> Vec<String> {
        let path = self.filled(file);
        let text = match (self.around.file)(&path) {
            Ok(text) => text,
            Err(why) => {
                self.faults.push(format!("its envFile {path} cannot be read: {why}"));
                return Vec::new();
            }
        };
        let mut found = dotenv::variables(&text);
        found.retain(|(name, _)| !set.iter().any(|(known, _)| known == name));
        // Nothing in such a file is a variable of ours.
        found.iter_mut().for_each(|(_, value)| *value = value.replace("${", "$${"));
        let names = found.iter().map(|(name, _)| name.clone()).collect();
        set.splice(0..0, found);
        names
    }

    fn named(&mut self, variable: &str) -> String {
        if (self.around.variable)(variable).is_none() {
            self.open(format!("${{{variable}}}"));
        }
        format!("${{{variable}}}")
    }

    /// Something without a value: noted once, left as it is written.
    fn open(&mut self, written: String) -> String {
        if !self.unresolved.contains(&written) {
            self.unresolved.push(written.clone());
        }
        written
    }
}

fn is_empty(tree: &Tree) -> bool {
    match tree {
        Tree::Text(text) => text.trim().is_empty(),
        Tree::List(items) => items.is_empty(),
        Tree::Null => true,
        _ => false,
    }
}
