//! Recordings as text: JSON Lines out, and in again byte for byte; the captured traffic of other
//! programs in. The text form is described in recordings/FORMAT.md.
//!
//! Messages travel as JSON strings of their bytes, never as JSON values, so nothing in them can change.

mod capture;
mod export;
mod import;
mod line;
mod old;

use std::path::PathBuf;

pub use export::{Exported, export};
pub use import::import;

use crate::store::StoreError;

/// What an import made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Entries that are in the recording.
    pub entries: u64,
    /// Channels that are in it.
    pub channels: u64,
    /// HTTP requests that are in it.
    pub http: u64,
    /// How many lines could not be read and were left out.
    pub bad: u64,
    /// The first of them.
    pub first_bad: Vec<BadLine>,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// Text could not be made of a recording.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The recording cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The text cannot be written.
    #[error("write the export: {0}; check that there is room and that you may write there")]
    Write(#[from] std::io::Error),
}

/// A recording could not be made of text. What had been made of it was removed.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The recording cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The text cannot be read.
    #[error("read line {line} of the import: {source}; check the file and the disk")]
    Read {
        /// Which line.
        line: u64,
        /// Why.
        source: std::io::Error,
    },
    /// There is nothing in it that could be imported.
    #[error("make {}: no line of the input could be read{}; export with `midwire export`, or see recordings/FORMAT.md", path.display(), first(.first_bad.as_ref()))]
    Nothing {
        /// The recording that was to be made.
        path: PathBuf,
        /// The first line that could not be read.
        first_bad: Option<BadLine>,
    },
}

fn first(bad: Option<&BadLine>) -> String {
    bad.map_or_else(|| " (it is empty)".into(), |bad| format!(" (line {}: {})", bad.line, bad.why))
}
