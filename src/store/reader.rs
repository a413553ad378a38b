//! Reads a recording, also one that another process is writing. Changes nothing in the file.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row};

use super::{FactValue, OpenError, StoreError, facts, words};
use crate::model::{Channel, ChannelId, Entry, EntryKind, Flags, Nanos, Recording, Seq, Side, Transport};

/// How long a reader waits while the writer makes or closes the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// The columns of an entry, in the order in which [`EntryRef`] reads them.
const COLUMNS: &str = "seq, at, until, channel, side, kind, flags, size, bytes";

/// One entry, its bytes borrowed from the page that SQLite read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryRef<'a> {
    /// Its number.
    pub seq: Seq,
    /// When its first byte was read.
    pub at: Nanos,
    /// When its last byte was read.
    pub until: Nanos,
    /// Where it was seen.
    pub channel: ChannelId,
    /// Who sent it; `None` for lifecycle entries.
    pub side: Option<Side>,
    /// What it is.
    pub kind: EntryKind,
    /// What is special about it.
    pub flags: Flags,
    /// Length in bytes as it was on the wire.
    pub size: u64,
    /// All bytes that were kept, pieces joined.
    pub bytes: &'a [u8],
}

impl EntryRef<'_> {
    /// An entry that owns its bytes.
    pub fn to_entry(&self) -> Entry {
        Entry {
            seq: self.seq,
            at: self.at,
            until: self.until,
            channel: self.channel,
            side: self.side,
            kind: self.kind,
            flags: self.flags,
            size: self.size,
            bytes: self.bytes.to_vec(),
        }
    }
}

/// Reads one recording. Belongs to one thread; open one for each thread.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    path: PathBuf,
    warning: Option<String>,
    version: i64,
}

impl Reader {
    /// Opens a recording. What can be read in spite of something is opened with a [`Reader::warning`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let fail = |source| OpenError::Sqlite { path: path.to_owned(), source };
        let connection =
            Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
                .map_err(fail)?;
        connection.busy_timeout(PATIENCE).map_err(fail)?;
        let version = data_version(&connection).map_err(fail)?;
        Ok(Self { connection, path: path.to_owned(), warning: None, version })
    }

    /// Where the recording lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a person should know: a newer format, damage, parts that are missing.
    pub fn warning(&self) -> Option<String> {
        self.warning.clone()
    }

    /// Whether somebody has written to the recording since the last call (or since it was opened).
    /// Costs some microseconds; meant for a live view that asks ten times a second.
    pub fn changed(&mut self) -> bool {
        let Ok(version) = data_version(&self.connection) else { return false };
        std::mem::replace(&mut self.version, version) != version
    }

    /// The facts, as they are now.
    pub fn recording(&self) -> Result<Recording, StoreError> {
        self.run("read the facts of", facts::read)
    }

    /// One fact by its key, also one that [`Recording`] has no field for.
    pub fn fact(&self, key: &str) -> Result<Option<FactValue>, StoreError> {
        self.run("read the facts of", |connection| facts::get(connection, key))
    }

    /// All channels, in the order of their numbers.
    pub fn channels(&self) -> Result<Vec<Channel>, StoreError> {
        self.run("read the channels of", |connection| {
            connection
                .prepare_cached("SELECT id, transport, peer, session, version, resumes FROM channels ORDER BY id")?
                .query_map([], channel)?
                .collect()
        })
    }

    /// The number of the last entry; 0 when there is none.
    pub fn last_seq(&self) -> Result<Seq, StoreError> {
        self.run("read", |connection| {
            let last: Option<i64> =
                connection.prepare_cached("SELECT max(seq) FROM entries")?.query_row([], |row| row.get(0))?;
            Ok(last.unwrap_or(0) as Seq)
        })
    }

    /// How many entries there are, from the first and the last number: no row is counted, so it is
    /// quick however large the recording is. Numbers that were lost count as well.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.run("read", |connection| {
            let first: Option<i64> =
                connection.prepare_cached("SELECT min(seq) FROM entries")?.query_row([], |row| row.get(0))?;
            let last: Option<i64> =
                connection.prepare_cached("SELECT max(seq) FROM entries")?.query_row([], |row| row.get(0))?;
            Ok(first.zip(last).map_or(0, |(first, last)| (last - first + 1) as u64))
        })
    }

    /// One entry, its pieces joined; `None` when there is none of that number.
    pub fn entry(&self, seq: Seq) -> Result<Option<Entry>, StoreError> {
        let mut found = None;
        self.scan(seq, &mut |entry| {
            if entry.seq == seq {
                found = Some(entry.to_entry());
            }
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    /// Up to `limit` entries from number `from` on, pieces joined.
    pub fn page(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let mut page = Vec::new();
        if limit == 0 {
            return Ok(page);
        }
        self.scan(from, &mut |entry| {
            page.push(entry.to_entry());
            if page.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(page)
    }

    /// Hands out the entries from number `from` on, in order, until `f` breaks or none is left. The
    /// file's state is that at the beginning of the scan; the writer is not held up.
    pub fn scan(&self, from: Seq, f: &mut dyn FnMut(EntryRef<'_>) -> ControlFlow<()>) -> Result<(), StoreError> {
        self.run("read", |connection| {
            let mut statement =
                connection.prepare_cached(&format!("SELECT {COLUMNS} FROM entries WHERE seq >= ?1 ORDER BY seq"))?;
            let mut rows = statement.query([from as i64])?;
            let mut joined = Vec::new();
            while let Some(row) = rows.next()? {
                let entry = entry(row)?;
                let flow = if entry.size > entry.bytes.len() as u64 || entry.flags.has(Flags::UNFINISHED) {
                    join(connection, &entry, &mut joined)?;
                    f(EntryRef { bytes: &joined, ..entry })
                } else {
                    f(entry)
                };
                if flow.is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// The SHA-256 of all bytes of an entry of which only the head was kept.
    pub fn sha256(&self, seq: Seq) -> Result<Option<[u8; 32]>, StoreError> {
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached("SELECT sha256 FROM hashes WHERE seq = ?1")?;
            let mut rows = statement.query([seq as i64])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            Ok(row.get_ref(0)?.as_blob().ok().and_then(|hash| hash.try_into().ok()))
        })
    }

    fn run<T>(
        &self,
        doing: &'static str,
        operation: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        operation(&self.connection).map_err(|source| StoreError::sqlite(doing, &self.path, source))
    }
}

/// The entry in a row of [`COLUMNS`]. Values of the wrong type come from damage and are read as zero.
fn entry<'a>(row: &'a Row<'_>) -> rusqlite::Result<EntryRef<'a>> {
    let number = |column| -> rusqlite::Result<i64> { Ok(row.get_ref(column)?.as_i64().unwrap_or(0)) };
    let word = |column| -> rusqlite::Result<&'a str> { Ok(row.get_ref(column)?.as_str().unwrap_or("")) };
    Ok(EntryRef {
        seq: number(0)? as Seq,
        at: number(1)?,
        until: number(2)?,
        channel: number(3)? as ChannelId,
        side: words::side(word(4)?),
        kind: words::kind(word(5)?).unwrap_or(EntryKind::Lifecycle),
        flags: Flags(number(6)? as u32),
        size: number(7)? as u64,
        bytes: row.get_ref(8)?.as_bytes().unwrap_or(&[]),
    })
}

/// Puts the entry's own bytes and its further pieces into `joined`.
fn join(connection: &Connection, entry: &EntryRef<'_>, joined: &mut Vec<u8>) -> rusqlite::Result<()> {
    joined.clear();
    joined.extend_from_slice(entry.bytes);
    let mut statement = connection.prepare_cached("SELECT bytes FROM chunks WHERE seq = ?1 ORDER BY n")?;
    let mut rows = statement.query([entry.seq as i64])?;
    while let Some(row) = rows.next()? {
        joined.extend_from_slice(row.get_ref(0)?.as_bytes().unwrap_or(&[]));
    }
    Ok(())
}

fn channel(row: &Row<'_>) -> rusqlite::Result<Channel> {
    let text = |column| -> rusqlite::Result<Option<String>> {
        Ok(row.get_ref(column)?.as_bytes().ok().map(|text| String::from_utf8_lossy(text).into_owned()))
    };
    Ok(Channel {
        id: row.get_ref(0)?.as_i64().unwrap_or(0) as ChannelId,
        transport: text(1)?.as_deref().and_then(words::transport).unwrap_or(Transport::Stdio),
        peer: text(2)?,
        session: text(3)?,
        version: text(4)?,
        resumes: text(5)?,
    })
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
