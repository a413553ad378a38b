//! What a recording says about its client and its server, so that our own client can take the place of the one and
//! connect to the other.

use std::path::Path;

use super::client::Target;

/// The client of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imitation {
    /// `clientInfo` as JSON text, as sent.
    pub identity: Option<String>,
    /// `capabilities` as JSON text, as sent.
    pub capabilities: Option<String>,
    /// The revision that it asked for.
    pub revision: Option<String>,
    /// Where that stood: `initialize`, or the method of the first request with `_meta` of 2026-07-28.
    pub source: String,
    /// The sequence number of that entry.
    pub seq: u64,
}

/// The server of a recording.
#[derive(Debug, Clone)]
pub struct Original {
    /// What to connect to, with `from` set.
    pub target: Target,
    /// What was left out of the recording as a secret and must be given again: `argument 3`, `Authorization`.
    pub missing: Vec<String>,
}

/// Who the client of a recording was. The error fits after "failed to".
pub fn client(recording: &Path) -> Result<Imitation, String> {
    Err(format!("read the client of {}: not built yet", recording.display()))
}

/// What the server of a recording was started or reached by. The error fits after "failed to".
pub fn server(recording: &Path) -> Result<Original, String> {
    Err(format!("read the server of {}: not built yet", recording.display()))
}
