//! Reads a recording, also one that another process is writing. Changes nothing in the file.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row};

use super::scan::{EntryRef, Scan};
use super::{FactValue, OpenError, StoreError, facts, open, salvage, words};
use crate::model::{Channel, ChannelId, Entry, Recording, Seq, Transport};

/// Reads one recording. Belongs to one thread; open one for each thread.
///
/// A damaged recording is read as far as it can be: what cannot be read is left out, never an error,
/// and told by [`Reader::warning`].
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    path: PathBuf,
    warnings: Vec<String>,
    scan: RefCell<Scan>,
    version: i64,
}

impl Reader {
    /// Opens a recording.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let opened = open::open(path)?;
        let version =
            data_version(&opened.connection).map_err(|source| OpenError::Sqlite { path: path.to_owned(), source })?;
        let mut reader = Self {
            connection: opened.connection,
            path: path.to_owned(),
            warnings: opened.warnings,
            scan: RefCell::new(Scan::new(opened.damaged)),
            version,
        };
        if opened.damaged {
            let last = reader.last_seq().unwrap_or(0);
            reader.warnings.push(format!("the file is damaged: the last entry that can be read is number {last}"));
        }
        Ok(reader)
    }

    /// Where the recording lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a person should know: a newer format, damage, parts that are missing. Damage inside the
    /// file is found when it is read, so this may say more after a scan.
    pub fn warning(&self) -> Option<String> {
        let parts: Vec<String> = self.warnings.iter().cloned().chain(self.scan.borrow().warning()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
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
        self.channels_from(0)
    }

    /// The channels from number `first` on, in the order of their numbers.
    pub fn channels_from(&self, first: ChannelId) -> Result<Vec<Channel>, StoreError> {
        const SQL: &str =
            "SELECT id, transport, peer, session, version, resumes FROM channels WHERE id >= ?1 ORDER BY id";
        self.run("read the channels of", |connection| {
            connection.prepare_cached(SQL)?.query_map([first], channel)?.collect()
        })
    }

    /// The number of the last entry; 0 when there is none.
    pub fn last_seq(&self) -> Result<Seq, StoreError> {
        self.run("read", |connection| match edge(connection, "SELECT max(seq) FROM entries") {
            Err(source) if open::is_damage(&source) => {
                Ok(salvage::last(&mut |place| self.scan.borrow().probe(connection, place)))
            }
            last => Ok(last?.unwrap_or(0)),
        })
    }

    /// How many entries there are, from the first and the last number: no row is counted, so it is
    /// quick however large the recording is. Numbers that were lost count as well.
    pub fn count(&self) -> Result<u64, StoreError> {
        let last = self.last_seq()?;
        let first = self.run("read", |connection| edge(connection, "SELECT min(seq) FROM entries"))?;
        Ok(first.map_or(0, |first| (last + 1).saturating_sub(first)))
    }

    /// One entry, its pieces joined; `None` when there is none of that number, or it is damaged.
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
        if limit > 0 {
            self.scan(from, &mut |entry| {
                page.push(entry.to_entry());
                if page.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
        }
        Ok(page)
    }

    /// Hands out the entries from number `from` on, in order, until `f` breaks or none is left; those
    /// that are written meanwhile may be among them. The writer is not held up. `f` may ask this reader for anything but another scan, entry or page.
    pub fn scan(&self, from: Seq, f: &mut dyn FnMut(EntryRef<'_>) -> ControlFlow<()>) -> Result<(), StoreError> {
        let placeholder = Scan::new(self.scan.borrow().cut);
        let mut scan = self.scan.replace(placeholder);
        let result = self.run("read", |connection| scan.run(connection, from, f));
        self.scan.replace(scan);
        result
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

    pub(super) fn run<T>(
        &self,
        doing: &'static str,
        operation: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        operation(&self.connection).map_err(|source| StoreError::sqlite(doing, &self.path, source))
    }
}

/// Whether the tables that every recording has are there with the columns that are read. A further
/// column or table of a newer format does no harm.
pub fn try_tables(connection: &Connection) -> rusqlite::Result<()> {
    for query in [
        "SELECT key, value FROM facts",
        "SELECT id, transport, peer, session, version, resumes FROM channels",
        "SELECT seq, at, until, channel, side, kind, flags, size, bytes FROM entries",
        "SELECT seq, n, bytes FROM chunks",
    ] {
        connection.prepare(query)?;
    }
    Ok(())
}

fn edge(connection: &Connection, query: &str) -> rusqlite::Result<Option<Seq>> {
    let edge: Option<i64> = connection.prepare_cached(query)?.query_row([], |row| row.get(0))?;
    Ok(edge.map(|edge| edge.max(0) as Seq))
}

fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<String>> {
    Ok(row.get_ref(column)?.as_bytes().ok().map(|text| String::from_utf8_lossy(text).into_owned()))
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<i64>> {
    Ok(row.get_ref(column)?.as_i64().ok())
}

fn channel(row: &Row<'_>) -> rusqlite::Result<Channel> {
    Ok(Channel {
        id: number(row, 0)?.unwrap_or(0) as ChannelId,
        transport: text(row, 1)?.as_deref().and_then(words::transport).unwrap_or(Transport::Stdio),
        peer: text(row, 2)?,
        session: text(row, 3)?,
        version: text(row, 4)?,
        resumes: text(row, 5)?,
    })
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
