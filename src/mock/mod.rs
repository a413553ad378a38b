//! Mock files: a server that somebody wrote down. Reads the file, says what is wrong with it and where, and answers by
//! its rules as a [`Script`](crate::peer::server::Script). Documented in `assets/MOCK.md`. Files that it names are read
//! by who calls.

mod player;

pub use player::Player;

use std::ops::Range;
use std::sync::Arc;

use crate::model::Revision;
use crate::peer::server::{About, Bytes, Kind};

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

/// Something that answers or happens, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name: `tool weather`, `tool weather, rule 2`, or the one that the file gives it. [`Plan::by`] of what it answers.
    ///
    /// [`Plan::by`]: crate::peer::server::Plan::by
    pub name: String,
    /// What it belongs to.
    pub kind: RuleKind,
    /// Its text in the file, in bytes: from its header or brace to its last value.
    pub range: Range<usize>,
    /// The line where it begins, counting from 1; [`Plan::place`](crate::peer::server::Plan::place).
    pub line: usize,
}

/// A server as a mock file describes it.
#[derive(Debug, Clone)]
pub struct Mock {
    about: About,
    rules: Vec<Rule>,
    files: Vec<String>,
}

impl Mock {
    /// Who the server is.
    pub const fn about(&self) -> &About {
        &self.about
    }

    /// What answers and happens, in the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The files that the mock file names, as it names them: it is to be read again when one of them changes.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// How much there is, for a person: `3 tools, 1 resource`.
    pub fn summary(&self) -> String {
        "nothing".to_owned()
    }

    /// What it has of a kind when it starts, as JSON text.
    fn items(&self, _kind: Kind) -> Vec<Bytes> {
        Vec::new()
    }
}

/// Reads a mock file that names no other files; naming one is a fault.
pub fn read(text: &str) -> Read {
    read_with(text, &|name| Err(format!("read `{name}`: no files can be read here")))
}

/// Reads a mock file. `files` gives the bytes of a file that it names (relative to the mock file), or says why not;
/// the error fits after "failed to".
pub fn read_with(_text: &str, _files: &dyn Fn(&str) -> Result<Vec<u8>, String>) -> Read {
    let about = About {
        identity: r#"{"name":"mock","version":"1"}"#.to_owned(),
        legacy: "{}".to_owned(),
        modern: "{}".to_owned(),
        instructions: None,
        revisions: Revision::KNOWN.to_vec(),
        page: None,
        hint: (0, "private".to_owned()),
        completions: Vec::new(),
    };
    Read { mock: Some(Arc::new(Mock { about, rules: Vec::new(), files: Vec::new() })), faults: Vec::new() }
}

/// Replaces a piece of a mock file (a [`Rule::range`]) and leaves all else byte for byte. Refused where the file would
/// be no mock any more, or the new piece has faults: these are returned, with their places in the text that would be.
pub fn edit(text: &str, range: Range<usize>, new: &str) -> Result<String, Vec<Fault>> {
    let whole = text.get(..range.start).zip(text.get(range.end.max(range.start)..));
    let Some((before, after)) = whole else {
        let message = "the rule is not there any more: the file has changed since".to_owned();
        return Err(vec![Fault { line: 1, column: 1, message }]);
    };
    let changed = format!("{before}{new}{after}");
    let read = read(&changed);
    if read.mock.is_some() { Ok(changed) } else { Err(read.faults) }
}
