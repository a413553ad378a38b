//! What can go wrong with a recording's file, in words that say what to do. Each text fits after
//! "failed to".

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Writing or reading a recording that is open went wrong.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A new recording would have replaced a file.
    #[error("create {}: a file of that name exists; choose another name or remove it", path.display())]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// The file could not be made.
    #[error("create {}: {source}; check that the folder exists and that you may write in it", path.display())]
    Create {
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The disk is full. What was written since the last commit is not in the file; the writer can be
    /// used again as soon as there is room.
    #[error("{doing} {}: the disk is full; free some space, or record to another disk", path.display())]
    Full {
        /// What was being done.
        doing: &'static str,
        /// To which file.
        path: PathBuf,
    },
    /// SQLite said no. What was written since the last commit is not in the file.
    #[error("{doing} {}: {source}{}", path.display(), advice(source))]
    Sqlite {
        /// What was being done.
        doing: &'static str,
        /// To which file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file cannot be written by this version.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl StoreError {
    /// The error for what SQLite said while `doing` something to `path`.
    pub(super) fn sqlite(doing: &'static str, path: &std::path::Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { doing, path },
            _ => Self::Sqlite { doing, path, source },
        }
    }

    /// Whether trying again later may work without anybody changing the program or the file.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Self::Full { .. })
    }
}

/// What to do about an error of SQLite, where there is something to do.
fn advice(source: &rusqlite::Error) -> &'static str {
    match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another program holds the file: close it and try again"
        }
        Some(ErrorCode::SystemIoFailure) => "; check the disk, and that the file is not on a network share",
        Some(ErrorCode::DatabaseCorrupt) => "; the file is damaged: export what can be read into a new one",
        Some(ErrorCode::ReadOnly) => "; the file may not be written: copy it to a folder of your own",
        _ => "",
    }
}

/// A recording could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nothing of that name.
    #[error("open {}: there is no such file; check the name", path.display())]
    Missing {
        /// Which.
        path: PathBuf,
    },
    /// It is a folder.
    #[error("open {}: this is a folder; name one of the .midwire files in it", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
    },
    /// It holds nothing.
    #[error("open {}: the file is empty; its recorder has just begun, or was stopped before it wrote anything", path.display())]
    Empty {
        /// Which.
        path: PathBuf,
    },
    /// The operating system does not let us read it.
    #[error("open {}: {source}; check that you may read it", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Some other kind of file.
    #[error("open {}: this is not a recording (not a SQLite file); JSON Lines are read with `midwire import`", path.display())]
    NotSqlite {
        /// Which.
        path: PathBuf,
    },
    /// A SQLite file of another program.
    #[error("open {}: this is a SQLite file, but not a recording of midwire; name a .midwire file", path.display())]
    NotRecording {
        /// Which.
        path: PathBuf,
    },
    /// A format that this version does not know and whose ground tables it cannot read.
    #[error("open {}: its format is {found}, and this midwire reads up to {FORMAT}; update midwire", path.display(), FORMAT = super::FORMAT)]
    Newer {
        /// Which.
        path: PathBuf,
        /// The file's format.
        found: u32,
    },
    /// So damaged that nothing can be read.
    #[error("open {}: the file is damaged and nothing of it can be read ({why}); look for another copy of it", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What SQLite said.
        why: String,
    },
    /// SQLite said no.
    #[error("open {}: {source}{}", path.display(), advice(source))]
    Sqlite {
        /// Which.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}
