//! The state of a recording's file as the file system tells it: enough to see that it changed or was
//! replaced, without opening it.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// Size and time of change of a recording with its write-ahead log, and which file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Bytes of the file and of its log.
    pub(super) bytes: u64,
    /// The later of the times of change of both.
    pub(super) modified: SystemTime,
    /// Tells one file from another of the same name.
    identity: u64,
}

impl Stamp {
    /// The state of the file at `path`; `None` when there is none.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        let modified = file.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let mut stamp = Self { bytes: file.len(), modified, identity: identity(&file) };
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        if let Ok(log) = std::fs::metadata(log) {
            stamp.bytes += log.len();
            stamp.modified = stamp.modified.max(log.modified().unwrap_or(SystemTime::UNIX_EPOCH));
        }
        Some(stamp)
    }

    /// Whether both are states of one file.
    pub(super) fn same_file(&self, other: &Self) -> bool {
        self.identity == other.identity
    }

    /// How long ago it changed.
    pub(super) fn age(&self) -> Duration {
        SystemTime::now().duration_since(self.modified).unwrap_or_default()
    }
}

#[cfg(unix)]
fn identity(file: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn identity(file: &std::fs::Metadata) -> u64 {
    let created = file.created().unwrap_or(SystemTime::UNIX_EPOCH);
    created.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}
