//! Where recordings lie and what their files are called. Makes the folder; opens no recording.

use std::path::{Path, PathBuf};
use std::{fs, io};

use etcetera::BaseStrategy;
use thiserror::Error;

use crate::model::Nanos;

/// The ending of a recording's file name.
pub const EXTENSION: &str = "midwire";

/// Why there is no folder for recordings. Each fits after "failed to".
#[derive(Debug, Error)]
pub enum PathError {
    /// The platform does not say where an application's data belongs.
    #[error(
        "find a folder for recordings: there is no home folder; name one with --recordings DIR or MIDWIRE_RECORDINGS"
    )]
    NoHome,
    /// The folder is not there and cannot be made.
    #[error("make the recordings folder {}: {source}; name another with --recordings DIR", folder.display())]
    Make {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The folder of recordings: `explicit` (from `--recordings`), else `MIDWIRE_RECORDINGS`, else the
/// platform's data folder. It need not exist.
pub fn folder(explicit: Option<&Path>) -> Result<PathBuf, PathError> {
    if let Some(folder) = explicit {
        return Ok(folder.to_owned());
    }
    if let Some(folder) = std::env::var_os("MIDWIRE_RECORDINGS").filter(|value| !value.is_empty()) {
        return Ok(folder.into());
    }
    let base = etcetera::choose_base_strategy().map_err(|_| PathError::NoHome)?;
    Ok(base.data_dir().join("midwire").join("recordings"))
}

/// The folder of the local certificate authority. It need not exist.
pub fn authority() -> Result<PathBuf, PathError> {
    let base = etcetera::choose_base_strategy().map_err(|_| PathError::NoHome)?;
    Ok(base.data_dir().join("midwire").join("authority"))
}

/// Makes the folder where it is missing, for its owner only: recordings hold what people said.
pub fn make(folder: &Path) -> Result<(), PathError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|source| PathError::Make { folder: folder.to_owned(), source })
}

/// The file name of a recording: `YYYYMMDD-HHMMSS-NAME-PID.midwire`, in local time, so that a
/// folder sorted by name is sorted by time.
pub fn file_name(started: Nanos, name: &str, pid: u32) -> String {
    let at = jiff::Timestamp::from_nanosecond(i128::from(started)).unwrap_or_default();
    let stamp = at.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y%m%d-%H%M%S").to_string();
    format!("{stamp}-{}-{pid}.{EXTENSION}", plain(name))
}

/// `name` with only what every file system takes, at most 40 characters.
fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let text: String = name.chars().map(kept).take(40).collect();
    let text = text.trim_matches(['-', '.']);
    if text.is_empty() { "server".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_take_only_what_every_file_system_takes() {
        let name = file_name(1_700_000_000_000_000_000, "@scope/my server: ü", 42);
        assert!(name.ends_with("-scope-my-server-42.midwire"), "{name}");
        assert_eq!(name.len(), "20231114-221320-scope-my-server-42.midwire".len());
        assert!(file_name(0, "../..", 1).ends_with("-server-1.midwire"));
    }

    #[test]
    fn an_explicit_folder_wins_and_is_made_for_its_owner_only() {
        let home = tempfile::tempdir().expect("a temporary folder");
        let wanted = home.path().join("a/b");
        assert_eq!(folder(Some(&wanted)).expect("explicit"), wanted);
        make(&wanted).expect("made");
        make(&wanted).expect("made again");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&wanted).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        let file = home.path().join("file");
        fs::write(&file, "x").expect("written");
        assert!(make(&file.join("sub")).is_err());
    }
}
