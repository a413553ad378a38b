//! *Turn into mock*: recordings as the text of a mock file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::recording;
use crate::engine::live::transcript::Transcript;
use crate::engine::live::view::View;
use crate::mock;
use crate::model::Seq;
use crate::recorded::Session;

/// What recordings were turned into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turned {
    /// The text of the mock file.
    pub text: String,
    /// What could not be read of the recordings, in sentences.
    pub warnings: Vec<String>,
}

/// The mock file of these recordings: who the server of the first was, what all of them had, and how the exchanges that
/// `filter` lets through (all where it is empty) were answered. The error fits after "failed to".
pub fn into_mock(recordings: &[PathBuf], filter: &str) -> Result<Turned, String> {
    let mut sessions = Vec::new();
    for path in recordings {
        let mut session = recording::read(path)?;
        if !filter.trim().is_empty() {
            let chosen = chosen(path, filter)?;
            session.keep(|call| chosen.contains(&call.seq));
        }
        sessions.push(session);
    }
    let joined = Session::joined(sessions).ok_or("make a mock file: no recording was named")?;
    Ok(Turned { text: mock::write(&joined), warnings: joined.warnings })
}

/// The mock file of a recording, or of single exchanges of it, named by the entries of their requests.
pub fn of_exchanges(recording: &Path, requests: Option<&[Seq]>) -> Result<Turned, String> {
    let mut session = recording::read(recording)?;
    if let Some(requests) = requests {
        session.keep(|call| requests.contains(&call.seq));
    }
    Ok(Turned { text: mock::write(&session), warnings: session.warnings })
}

/// The requests that a filter lets through.
fn chosen(path: &Path, filter: &str) -> Result<HashSet<Seq>, String> {
    let mut transcript = Transcript::open(path, View::Exchanges, filter).map_err(|error| error.to_string())?;
    transcript.read().map_err(|error| error.to_string())?;
    Ok(std::iter::from_fn(|| transcript.next_line()).filter_map(|line| line.request).collect())
}
