//! Project files on disk, and runs of what is saved in them.

mod disk;
mod keep;
mod request;
mod runner;
mod seat;
mod target;

use std::path::PathBuf;

use thiserror::Error;

use crate::project::ProjectError;

pub use disk::{change, load, save_call};
pub use keep::{kept_fields, kept_settings, kept_target};
pub use request::{answer, asking, call, one_way, saved_answer};
pub use runner::{Failed, RunOptions, Runner, Step, Stop};
pub use target::{folder_of, target, way};

/// What the name of a project file ends with.
pub const ENDING: &str = ".midwire.toml";

/// Why a project file could not be read or written. Each fits after "failed to".
#[derive(Debug, Error)]
pub enum ProjectFileError {
    /// The file cannot be read or written.
    #[error("{doing} {}: {why}", .path.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why and what to do.
        why: String,
    },
    /// What it says cannot be read or changed.
    #[error("{} in {}", .error, .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ProjectError,
    },
}

#[cfg(test)]
mod tests;
