//! What a client is to be connected to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Given;
use crate::transport::http::Trust;

/// A server, as somebody typed it, or as a host's file or a recording names it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Target {
    /// What to call it; empty: taken from the command or URL.
    pub name: String,
    /// How it is reached.
    pub way: Way,
    /// Where it was read from, when nobody typed it: a host's file, a recording. Such a command is run only after
    /// somebody has seen it and agreed.
    pub from: Option<String>,
    /// What stands for its masks; never shown, recorded or kept.
    pub given: Given,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// A process.
    Command {
        /// Program and arguments; no shell reads them.
        command: Vec<String>,
        /// The folder it runs in; `None`: ours.
        folder: Option<PathBuf>,
        /// Its environment.
        environment: Environment,
    },
    /// A URL, over Streamable HTTP or HTTP+SSE.
    Url {
        /// The URL.
        url: String,
        /// Fields for each request, in which `${NAME}` stands for an environment variable of ours and
        /// `${keychain:NAME}` for a secret of the system's keychain. Recorded with their values masked.
        headers: Vec<(String, String)>,
        /// What it must prove.
        trust: Trust,
    },
}

impl Default for Way {
    fn default() -> Self {
        Self::Command { command: Vec::new(), folder: None, environment: Environment::default() }
    }
}

/// The environment of a server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// What it starts with.
    pub base: Base,
    /// What is set beside or instead of that. `${NAME}` and `${keychain:NAME}` are replaced as in header fields.
    pub set: BTreeMap<String, String>,
}

/// What a server's environment starts with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Base {
    /// All of ours.
    #[default]
    Inherit,
    /// What the SDKs' clients pass on (HOME, LOGNAME, PATH, SHELL, TERM, USER; on Windows their counterparts), to see
    /// what a server lacks there.
    Sdk,
    /// These variables of ours.
    Only(Vec<String>),
    /// Nothing.
    Empty,
}
