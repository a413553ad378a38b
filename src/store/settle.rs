//! Folds what SQLite keeps beside a recording (`-wal`, `-shm`) into the one file that can be mailed.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::open::{beside, plain};
use super::{OpenError, Reader, StoreError};

/// Moves everything into the recording's own file and, when nobody else has it open, leaves WAL: such
/// a file is one file, and can be read from a medium that cannot be written.
pub fn fold(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    // A reader that is just looking prevents this at once; the file stays a WAL file then, which
    // harms nothing, so there is nothing to wait for or to report.
    connection.busy_timeout(Duration::ZERO)?;
    let _ = connection.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()));
    Ok(())
}

/// Folds what a writer that was killed, or a reader that outlived its writer, left beside a recording.
/// For a recording whose writer is gone; does nothing when nothing lies beside it. Loses nothing when
/// the file is in use after all.
pub fn settle(path: &Path) -> Result<(), StoreError> {
    if !beside(path, "-wal").exists() {
        return Ok(());
    }
    // Only a recording is touched, never another program's file.
    drop(Reader::open(path)?);
    let fail = |source| OpenError::Sqlite { path: path.to_owned(), source };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(plain(path), flags).map_err(fail)?;
    fold(&connection).map_err(|source| StoreError::sqlite("fold the WAL into", path, source))?;
    connection.close().map_err(|(_, source)| StoreError::sqlite("close", path, source))
}
