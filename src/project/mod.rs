//! Saved calls: a file that can be committed, with variables, values picked from earlier results, and chains of calls.
//! Pure: text in, text out; `engine` reads and writes the file.

mod edit;
mod fill;
mod pick;
mod read;
mod run;
mod saved;
mod source;
mod write;

pub use edit::edit;
pub use fill::{fill_known, fill_text_known, is_name, references, shown, typed};
pub use pick::{Pick, pick};
pub use run::{Answer, Ready, Run, RunError, Verdict, answers, judge};
pub use saved::{
    Chain, Expect, Named, Note, Project, SavedAnswer, SavedBase, SavedCall, SavedReply, SavedSettings, SavedTarget,
    SavedWay, What, get,
};

use thiserror::Error;

/// Why a project file could not be read or changed. Each fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProjectError {
    /// It is not what a project file has to be.
    #[error("read the project, line {line}, column {column}: {why}")]
    Read {
        /// Counting from 1.
        line: usize,
        /// In characters, counting from 1.
        column: usize,
        /// Why.
        why: String,
    },
    /// It cannot be changed as asked without harm to what somebody wrote.
    #[error("change the project: {why}")]
    Change {
        /// Why and what to do.
        why: String,
    },
}

/// A change of a project file. All of the file that it does not touch stays byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Adds a call, or changes the one of this name.
    Call(String, Box<SavedCall>),
    /// Adds a server, or changes the one of this name.
    Target(String, Box<SavedTarget>),
    /// Adds a variable, or changes the one of this name; the value is JSON text.
    Variable(String, String),
    /// Adds a chain, or changes the one of this name.
    Chain(String, Chain),
    /// Adds an answer, or changes the one of this name.
    Answer(String, SavedAnswer),
    /// Takes away a call.
    RemoveCall(String),
    /// Takes away a chain.
    RemoveChain(String),
}

#[cfg(test)]
mod tests;
