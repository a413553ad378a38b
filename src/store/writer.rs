//! The one writer of a recording: whole entries, the pieces of large ones, channels and facts, in
//! batches. It does not decide what is written or when; that is the recorder's work.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{EntryRef, FORMAT, FactValue, OpenError, Reader, StoreError, facts, schema, settle, words};
use crate::model::{Channel, Entry, Flags, Nanos, Recording, Seq};

/// How long the writer waits for a reader that is in its way. Readers of a WAL file are not, except
/// for moments while the file is made or closed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Writes one recording. Belongs to one thread.
///
/// Any method that fails has rolled back the open transaction: what was written since [`Writer::begin`]
/// is not in the file, and the writer can be used again from `begin` on.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    path: PathBuf,
}

impl Writer {
    /// Makes a new recording. The file must not exist; only its owner may read it.
    pub fn create(path: &Path, facts: &Recording) -> Result<Self, StoreError> {
        claim(path)?;
        let connection = open(path).map_err(|source| StoreError::sqlite("create", path, source))?;
        let writer = Self { connection, path: path.to_owned() };
        match writer.set_up(facts) {
            Ok(()) => Ok(writer),
            Err(source) => Err(StoreError::sqlite("create", path, source)),
        }
    }

    /// Opens a recording to write more into it, and brings it to the newest format first. The caller
    /// sees to it that no other writer has it open.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        // The reader knows what is wrong with a file and says it better.
        drop(Reader::open(path)?);
        let fail = |source| StoreError::sqlite("open", path, source);
        let mut writer = Self { connection: open(path).map_err(fail)?, path: path.to_owned() };
        let format = |writer: &Self| -> Result<u32, StoreError> {
            writer.connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(fail)
        };
        let found = format(&writer)?;
        if found > FORMAT {
            return Err(OpenError::Newer { path: path.to_owned(), found }.into());
        }
        writer.connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).map_err(fail)?;
        writer.connection.pragma_update(None, "synchronous", "NORMAL").map_err(fail)?;
        tune(&writer.connection).map_err(fail)?;
        writer.begin()?;
        // Somebody else may have updated it before this batch could begin.
        let found = format(&writer)?;
        writer.run("update the format of", |connection| schema::upgrade(connection, found))?;
        writer.commit()?;
        Ok(writer)
    }

    /// Writes tables and facts. Nothing is synced before the file is whole: a process that is killed
    /// loses nothing by that, and a tap starts sooner.
    fn set_up(&self, facts: &Recording) -> rusqlite::Result<()> {
        let connection = &self.connection;
        connection.pragma_update(None, "page_size", PAGE_SIZE)?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        tune(connection)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        schema::upgrade(connection, 0)?;
        facts::write(connection, facts)?;
        connection.execute_batch("COMMIT")?;
        // The tables belong into the file itself, so that it can be opened without its WAL.
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "NORMAL")
    }

    /// Where the recording lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a batch. Readers see it as a whole, once it is committed.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.run("write to", |connection| connection.prepare_cached("BEGIN IMMEDIATE")?.execute([]).map(drop))
    }

    /// Ends a batch: from here on it survives the death of this process.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.run("write to", |connection| connection.prepare_cached("COMMIT")?.execute([]).map(drop))
    }

    /// Drops everything since [`Writer::begin`]; nothing to do when no batch is open.
    pub fn rollback(&mut self) -> Result<(), StoreError> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.run("roll back", |connection| connection.prepare_cached("ROLLBACK")?.execute([]).map(drop))
    }

    /// Writes a channel, in the place of an earlier one with the same number.
    pub fn channel(&mut self, channel: &Channel) -> Result<(), StoreError> {
        self.run("write a channel to", |connection| {
            connection
                .prepare_cached("INSERT OR REPLACE INTO channels (id, transport, peer, session, version, resumes) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute((channel.id, words::transport_word(channel.transport), &channel.peer, &channel.session, &channel.version, &channel.resumes))
                .map(drop)
        })
    }

    /// Writes an entry: all of it, or its first piece when more follow by [`Writer::append`].
    pub fn insert(&mut self, entry: &Entry) -> Result<(), StoreError> {
        self.put(&EntryRef::of(entry))
    }

    /// The same for bytes that belong to somebody else.
    pub fn put(&mut self, entry: &EntryRef<'_>) -> Result<(), StoreError> {
        self.run("write an entry to", |connection| {
            connection
                .prepare_cached("INSERT INTO entries (seq, at, until, channel, side, kind, flags, size, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?
                .execute((
                    entry.seq as i64,
                    entry.at,
                    entry.until,
                    entry.channel,
                    entry.side.map(crate::model::Side::word),
                    words::kind_word(entry.kind),
                    entry.flags.0,
                    entry.size as i64,
                    entry.bytes,
                ))
                .map(drop)
        })
    }

    /// Writes a further piece of an entry; `n` counts from 1, the first piece being the entry's own.
    pub fn append(&mut self, seq: Seq, n: u32, piece: &[u8]) -> Result<(), StoreError> {
        self.run("write a piece of an entry to", |connection| {
            connection
                .prepare_cached("INSERT INTO chunks (seq, n, bytes) VALUES (?1, ?2, ?3)")?
                .execute((seq as i64, n, piece))
                .map(drop)
        })
    }

    /// Says anew what an entry's flags, its size on the wire and its end are, once more of it has been
    /// seen; with the SHA-256 of the whole when only its head was kept.
    pub fn amend(
        &mut self,
        seq: Seq,
        flags: Flags,
        size: u64,
        until: Nanos,
        sha256: Option<[u8; 32]>,
    ) -> Result<(), StoreError> {
        self.run("amend an entry of", |connection| {
            connection
                .prepare_cached("UPDATE entries SET flags = ?2, size = ?3, until = ?4 WHERE seq = ?1")?
                .execute((seq as i64, flags.0, size as i64, until))?;
            let Some(hash) = sha256 else { return Ok(()) };
            connection
                .prepare_cached("INSERT OR REPLACE INTO hashes (seq, sha256) VALUES (?1, ?2)")?
                .execute((seq as i64, hash.as_slice()))
                .map(drop)
        })
    }

    /// Adds flags to an entry.
    pub fn mark(&mut self, seq: Seq, flags: Flags) -> Result<(), StoreError> {
        self.run("amend an entry of", |connection| {
            connection
                .prepare_cached("UPDATE entries SET flags = flags | ?2 WHERE seq = ?1")?
                .execute((seq as i64, flags.0))
                .map(drop)
        })
    }

    /// Writes one fact about the recording, in the place of an earlier one with the same key. Keys of
    /// [`Recording`] are those of recordings/FORMAT.md; others are kept as they are.
    pub fn fact(&mut self, key: &str, value: impl Into<FactValue>) -> Result<(), StoreError> {
        let value = value.into();
        self.run("write to", |connection| facts::set(connection, key, &value))
    }

    /// Closes the recording in order and folds everything into its one file, which can be mailed then.
    /// An open batch is committed. `ended` is `None` for the copy of a recording that never was closed.
    pub fn close(mut self, ended: impl Into<Option<Nanos>>, lost: u64) -> Result<(), StoreError> {
        if self.connection.is_autocommit() {
            self.begin()?;
        }
        self.fact("ended", ended.into())?;
        self.fact("lost", lost)?;
        self.commit()?;
        settle::fold(&self.connection).map_err(|source| StoreError::sqlite("close", &self.path, source))?;
        self.connection.close().map_err(|(_, source)| StoreError::sqlite("close", &self.path, source))
    }

    /// Runs one operation; when it fails, the open transaction is rolled back, so that the next batch
    /// starts from a sound state.
    fn run(
        &mut self,
        doing: &'static str,
        operation: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        operation(&self.connection).map_err(|source| {
            if !self.connection.is_autocommit() {
                // SQLite rolls back by itself on some errors; on the others this cannot fail for want
                // of room, since it only forgets.
                let _ = self.connection.execute_batch("ROLLBACK");
            }
            StoreError::sqlite(doing, &self.path, source)
        })
    }
}

/// Bytes in a page of the file. Large pages hold rows of about a kilobyte with less waste and fewer
/// overflow pages: against SQLite's 4096 this writes half as much again a second and is scanned in half
/// the time (benches/store.rs), at the price of an empty recording of eight pages.
const PAGE_SIZE: u32 = 16384;

/// Pages of WAL after which they are moved into the file: 8 MiB, which bounds what lies beside it.
const WAL_PAGES: u32 = 512;

/// KiB of pages that are kept in memory. A recorder only appends, so more does not help it.
const CACHE: i32 = 4096;

/// Sets what is not kept in the file.
fn tune(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", WAL_PAGES, |_| Ok(()))?;
    // A long scan by a reader makes the WAL grow; afterwards it shrinks again.
    connection.pragma_update_and_check(None, "journal_size_limit", 4 * WAL_PAGES * PAGE_SIZE, |_| Ok(()))
}

/// Makes the empty file, so that two recorders never share one and nobody else may read it.
fn claim(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(source) if source.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(StoreError::Exists { path: path.to_owned() })
        }
        Err(source) => Err(StoreError::Create { path: path.to_owned(), source }),
    }
}

fn open(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        super::open::plain(path),
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EntryKind, Role, Side, Transport};

    fn facts() -> Recording {
        Recording {
            name: "t".into(),
            role: Role::Tap,
            transport: Transport::Stdio,
            command: vec!["a".into(), "b \"c\"".into()],
            left_out: 1,
            url: None,
            directory: Some("/x".into()),
            host: None,
            recorder: 7,
            program: "0".into(),
            started: 5,
            ended: None,
            lost: 0,
        }
    }

    fn entry(seq: Seq, bytes: &[u8]) -> Entry {
        Entry {
            seq,
            at: 10,
            until: 11,
            channel: 1,
            side: Some(Side::Client),
            kind: EntryKind::Frame,
            flags: Flags::default(),
            size: bytes.len() as u64,
            bytes: bytes.to_vec(),
        }
    }

    #[test]
    fn what_was_written_is_read_while_the_writer_is_open_and_after() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.midwire");
        let mut writer = Writer::create(&path, &facts()).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        assert!(!reader.changed());
        writer.begin().unwrap();
        writer.channel(&Channel::stdio(1)).unwrap();
        writer.insert(&entry(1, b"one\n")).unwrap();
        writer.commit().unwrap();
        assert!(reader.changed());
        assert!(!reader.changed());
        assert_eq!(reader.entry(1).unwrap().unwrap(), entry(1, b"one\n"));
        assert_eq!(reader.channels().unwrap(), [Channel::stdio(1)]);
        drop(reader);
        writer.close(99, 3).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "one file is left");
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.recording().unwrap(), Recording { ended: Some(99), lost: 3, ..facts() });
    }

    #[test]
    fn a_full_disk_is_told_and_the_writer_goes_on_when_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.midwire");
        let mut writer = Writer::create(&path, &facts()).unwrap();
        writer.begin().unwrap();
        writer.insert(&entry(1, b"kept")).unwrap();
        writer.commit().unwrap();
        let pages = |writer: &Writer, most: u32| {
            writer.connection.pragma_update_and_check(None, "max_page_count", most, |_| Ok(())).unwrap();
        };
        pages(&writer, 12);
        writer.begin().unwrap();
        writer.insert(&entry(2, b"goes with the batch")).unwrap();
        let error = (3..99).find_map(|seq| writer.insert(&entry(seq, &[b'x'; 5000])).err()).unwrap();
        assert!(error.is_disk_full());
        let said = error.to_string().replace(&path.display().to_string(), "X");
        assert_eq!(said, "write an entry to X: the disk is full; free some space, or record to another disk");
        assert_eq!(Reader::open(&path).unwrap().count().unwrap(), 1, "the batch is undone as a whole");
        writer.begin().unwrap();
        writer.insert(&entry(2, b"small")).unwrap();
        writer.commit().unwrap();
        pages(&writer, 1_000_000);
        writer.begin().unwrap();
        writer.insert(&entry(100, &vec![b'x'; 100_000])).unwrap();
        writer.commit().unwrap();
        writer.close(1, 97).unwrap();
        let seqs: Vec<Seq> = Reader::open(&path).unwrap().page(0, 9).unwrap().iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, [1, 2, 100]);
    }
}
