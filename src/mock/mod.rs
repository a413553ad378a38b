//! Mock files: a server that somebody wrote down. Reads the file, says what is wrong with it and where, and answers by
//! its rules as a [`Script`](crate::peer::server::Script). Documented in `assets/MOCK.md`. Files that it names are read
//! by who calls.

mod about;
mod content;
mod damage;
mod edit;
mod items;
mod keys;
mod lists;
mod nth;
mod object;
mod player;
mod reader;
mod reply;
mod source;
mod steps;
mod timers;
mod when;
mod write;

#[cfg(test)]
mod tests;

pub use edit::edit;
pub use player::Player;
pub use write::write;

use std::ops::Range;
use std::sync::Arc;

use crate::peer::server::{About, Kind, Step};
use items::Item;
use keys::{FILE, RULE};
use reader::{Reader, Table};
use reply::{Of, Reply, list_damage};
use source::{Value, extent, place};
use steps::Act;
use timers::Timer;

/// The newest form of the file that this program knows.
const VERSION: u64 = 1;

/// What came of reading a mock file.
#[derive(Debug, Clone, Default)]
pub struct Read {
    /// The server. `None` where the file is no TOML; where single things are at fault, the rest is served.
    pub mock: Option<Arc<Mock>>,
    /// What is wrong with the file, in its order.
    pub faults: Vec<Fault>,
}

/// Something that is wrong with a mock file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Its line, counting from 1.
    pub line: usize,
    /// Its column in characters, counting from 1.
    pub column: usize,
    /// What is wrong and what to do; a sentence without its end.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// What a rule belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// A tool, or a rule of one.
    Tool,
    /// A resource, or a rule of one.
    Resource,
    /// A resource template, or a rule of one.
    Template,
    /// A prompt, or a rule of one.
    Prompt,
    /// Any method.
    Method,
    /// What happens by itself.
    Timer,
}

impl RuleKind {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Resource => "resource",
            Self::Template => "template",
            Self::Prompt => "prompt",
            Self::Method => "rule",
            Self::Timer => "timer",
        }
    }
}

/// Something that answers or happens, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name: `tool weather`, `tool weather, rule 2`, or the one that the file gives it. [`Plan::by`] of what it answers.
    ///
    /// [`Plan::by`]: crate::peer::server::Plan::by
    pub name: String,
    /// What it belongs to.
    pub kind: RuleKind,
    /// Its text in the file, in bytes: from its header or brace to its last value. That of an item holds its rules.
    pub range: Range<usize>,
    /// The line where it begins, counting from 1; [`Plan::place`](crate::peer::server::Plan::place).
    pub line: usize,
}

/// A server as a mock file describes it.
#[derive(Debug, Clone)]
pub struct Mock {
    about: About,
    content: Content,
    files: Vec<String>,
}

/// What a mock server has.
#[derive(Debug, Clone, Default)]
struct Content {
    items: Vec<Item>,
    /// Of items and methods.
    replies: Vec<Reply>,
    /// Those of methods, in `replies`.
    methods: Range<usize>,
    timers: Vec<Timer>,
    rules: Vec<Rule>,
    completions: Vec<(String, String, Vec<String>)>,
}

impl Mock {
    /// Who the server is.
    pub const fn about(&self) -> &About {
        &self.about
    }

    /// What answers and happens, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.content.rules
    }

    /// The files that the mock file names, as it names them: it is to be read again when one of them changes.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// How much there is, for a person: `3 tools, 1 resource`.
    pub fn summary(&self) -> String {
        let kinds = [
            (Kind::Tools, "tool"),
            (Kind::Resources, "resource"),
            (Kind::Templates, "template"),
            (Kind::Prompts, "prompt"),
        ];
        let counted =
            kinds.map(|(kind, word)| (self.content.items.iter().filter(|item| item.kind == kind).count(), word));
        let others = [(self.content.methods.len(), "rule"), (self.content.timers.len(), "timer")];
        let said: Vec<String> = counted
            .into_iter()
            .chain(others)
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
            .collect();
        let what = if said.is_empty() { "nothing".to_owned() } else { said.join(", ") };
        format!("{}: {what}", about::name(&self.about))
    }
}

impl Content {
    /// Whether something here takes such a step.
    fn does(&self, is: impl Fn(&Step) -> bool) -> bool {
        self.replies.iter().flat_map(|reply| &reply.acts).any(|act| matches!(act, Act::Step(step) if is(step)))
    }
}

/// Reads a mock file that names no other files; naming one is a fault.
pub fn read(text: &str) -> Read {
    read_with(text, &|name| Err(format!("read `{name}`: no files can be read here")))
}

/// Reads a mock file. `files` gives the bytes of a file that it names (relative to the mock file), or says why not;
/// the error fits after "failed to".
pub fn read_with(text: &str, files: &dyn Fn(&str) -> Result<Vec<u8>, String>) -> Read {
    let root = match source::parse(text) {
        Ok(root) => root,
        Err(faults) => return Read { mock: None, faults },
    };
    let root = Value::new(0..text.len(), toml::de::DeValue::Table(root));
    let mut reader = Reader::new(text, files);
    let mock = reader.table(&root, FILE).map(|file| reader.mock(&file));
    let (mut faults, files) = (reader.faults, reader.named);
    faults.sort();
    faults.dedup();
    Read { mock: mock.map(|mock| Arc::new(Mock { files, ..mock })), faults }
}

impl Reader<'_> {
    fn mock(&mut self, file: &Table<'_, '_>) -> Mock {
        if self.count(file, "midwire").is_some_and(|version| version != VERSION) {
            self.fault(0, format!("this midwire reads form {VERSION} of mock files only"));
        }
        let checks = self.checks(file);
        let mut content = Content::default();
        self.tools(file, checks, &mut content);
        self.resources(file, &mut content);
        self.templates(file, &mut content);
        self.prompts(file, &mut content);
        self.methods(file, &mut content);
        self.timers(file, &mut content);
        let about = self.about(file, &content);
        self.strangers(&content);
        Mock { about, content, files: Vec::new() }
    }

    /// Rules for any method.
    fn methods(&mut self, file: &Table<'_, '_>, into: &mut Content) {
        let start = into.replies.len();
        for (index, table) in self.tables(file, "rule", RULE).iter().enumerate() {
            let Some(method) = self.needed(table, "method", "a rule") else { continue };
            let mut reply = self.reply(table, Of::Method, true);
            if list_damage(&reply.damages).is_some() && !method.ends_with("/list") && !method.contains('*') {
                self.fault(table.at(), "this fault is one of lists: `method` is one such as \"tools/list\"");
            }
            reply.method = when::glob(&method);
            let name = self.text(table, "name").unwrap_or_else(|| format!("rule {} for {method}", index + 1));
            reply.rule = self.rule_of(table.value, name, RuleKind::Method, into);
            into.replies.push(reply);
        }
        into.methods = start..into.replies.len();
    }

    /// Notes a rule, and gives its number.
    fn rule_of(&mut self, value: &Value<'_>, name: String, kind: RuleKind, into: &mut Content) -> usize {
        let range = extent(value);
        let line = place(self.text, range.start).0;
        into.rules.push(Rule { name, kind, range, line });
        into.rules.len() - 1
    }

    /// Items that steps and timers name and that are not there.
    fn strangers(&mut self, content: &Content) {
        let known = |kind: Kind, name: &str| content.items.iter().any(|item| item.kind == kind && item.key == name);
        for reply in &content.replies {
            for act in &reply.acts {
                if let Act::List { kind, name, .. } = act
                    && !known(*kind, name)
                {
                    let rule = &content.rules[reply.rule];
                    self.fault(rule.range.start, format!("there is no `{name}` that could be added or removed"));
                }
            }
        }
        let timers = content.timers.iter().zip(content.rules.iter().filter(|rule| rule.kind == RuleKind::Timer));
        for (timer, rule) in timers {
            if let timers::Effect::List { kind, name, .. } = &timer.effect
                && !known(*kind, name)
            {
                self.fault(rule.range.start, format!("there is no `{name}` that could be added or removed"));
            }
        }
    }
}
