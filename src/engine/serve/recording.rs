//! Reads a recording as what a server did: see [`recorded`](crate::recorded).

use std::path::Path;

use crate::recorded::Session;
use crate::store::Reader;

/// All that the recording at `path` tells of its server. Damaged or truncated entries lose only themselves. The error
/// fits after "failed to".
pub fn read(path: &Path) -> Result<Session, String> {
    let reader = Reader::open(path).map_err(|error| error.to_string())?;
    let _facts = reader.recording().map_err(|error| error.to_string())?;
    Err(format!("serve {}: recordings cannot be served yet", path.display()))
}
