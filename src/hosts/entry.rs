//! One server in a host's file.

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
    /// What is wrong with it, each in a sentence.
    pub faults: Vec<String>,
    /// Variables that have no value here, as they are written in the file: `${input:token}`.
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
        /// What is set in its environment, in the order of the file. `${NAME}` is a variable of ours.
        set: Vec<(String, String)>,
    },
    /// A URL.
    Url {
        /// The URL.
        url: String,
        /// Header fields. `${NAME}` is a variable of our environment.
        headers: Vec<(String, String)>,
    },
}
