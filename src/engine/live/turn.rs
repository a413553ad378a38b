//! Recorded calls turned into a mock file for the window.

use std::path::{Path, PathBuf};

use super::view::Turned;
use crate::engine::serve::{mock_file, turned};

/// Writes the mock file, which is not there yet; says what could not be read of the recording. The error fits after
/// "failed to".
pub(super) fn into_mock(path: &Path, what: &Turned, to: &Path) -> Result<Vec<String>, String> {
    let made = match what {
        Turned::All => turned::of_exchanges(path, None),
        Turned::Only(requests) => turned::of_exchanges(path, Some(requests)),
        Turned::Filter(filter) => turned::into_mock(&[PathBuf::from(path)], filter),
    }?;
    mock_file::create(to, &made.text)?;
    Ok(made.warnings)
}
