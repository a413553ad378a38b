//! A run of a call or a chain: which call comes next, with its variables filled in, and what its answer means.

use thiserror::Error;

use super::{Named, Project, SavedCall, What};

/// Why a run cannot begin. Each fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunError {
    /// Something that was named is not there.
    #[error("run {name}: {why}")]
    Unknown {
        /// What was to be run.
        name: String,
        /// What is not there, and what there is.
        why: String,
    },
}

/// A call that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// Its place in the run, counting from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The name of its target.
    pub target: Option<String>,
    /// What it is, with variables filled in.
    pub what: What,
    /// The method; empty for raw bytes.
    pub method: String,
    /// The `params` as JSON text.
    pub params: Option<String>,
    /// What was saved, variables not filled in.
    pub saved: SavedCall,
    /// Header fields, variables filled in.
    pub fields: Named<String>,
    /// Saved answers for what the server asks: methods and results as JSON text, in order.
    pub answers: Named<String>,
}

/// How a call ended, as far as a run is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<'a> {
    /// A result.
    Result(&'a [u8]),
    /// An error object of JSON-RPC.
    Error(&'a [u8]),
    /// It was sent, and is not answered (notifications, raw bytes).
    Sent,
    /// There was no answer; why.
    Lost(&'a str),
}

/// What an answer means for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What was expected came, and all picks found their values.
    pub ok: bool,
    /// Otherwise why not.
    pub why: Option<String>,
    /// What was picked: names and JSON texts.
    pub picked: Named<String>,
    /// Whether the run ends here because of it.
    pub stops: bool,
}

/// A run.
#[derive(Debug, Clone)]
pub struct Run {
    calls: Vec<String>,
    at: usize,
}

impl Run {
    /// A run of the chain or call with this name. Of variables of the same name, `set` wins over the environment, and
    /// that over the project's own; what is picked on the way wins over all. Values are JSON text.
    pub fn new(
        project: &Project,
        name: &str,
        environment: Option<&str>,
        set: &[(String, String)],
    ) -> Result<Self, RunError> {
        let _ = (project, environment, set);
        Err(RunError::Unknown { name: name.to_owned(), why: "not built yet".to_owned() })
    }

    /// The names of the calls, in order.
    pub fn calls(&self) -> &[String] {
        &self.calls
    }

    /// The next call; `None` when there is none left. The error says why it cannot be sent, and ends the run.
    pub fn next_call(&mut self) -> Option<Result<Ready, String>> {
        self.at = self.calls.len();
        None
    }

    /// Takes the answer of the call that [`Run::next_call`] gave last.
    pub fn ended(&mut self, answer: Answer<'_>) -> Verdict {
        let _ = answer;
        Verdict { ok: false, why: None, picked: Vec::new(), stops: true }
    }
}
