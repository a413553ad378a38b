//! Rows to entries: reading them in order, pieces joined, and around what is damaged.

use std::ops::{ControlFlow, RangeInclusive};

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, Row, ffi};

use super::open::is_damage;
use super::salvage::{self, Probe};
use crate::model::{ChannelId, Entry, EntryKind, Flags, Nanos, Seq, Side};

/// One entry, its bytes borrowed from what SQLite has read.
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

impl<'a> EntryRef<'a> {
    /// An entry whose bytes belong to `entry`.
    pub fn of(entry: &'a Entry) -> Self {
        Self {
            seq: entry.seq,
            at: entry.at,
            until: entry.until,
            channel: entry.channel,
            side: entry.side,
            kind: entry.kind,
            flags: entry.flags,
            size: entry.size,
            bytes: &entry.bytes,
        }
    }

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

/// Rows from a number on. The columns are those that `entry` reads.
const FROM: &str =
    "SELECT seq, at, until, channel, side, kind, flags, size, bytes FROM entries WHERE seq >= ?1 ORDER BY seq";

/// The further pieces of an entry.
const PIECES: &str = "SELECT bytes FROM chunks WHERE seq = ?1 ORDER BY n";

/// Rows after which a scan lets go of its state of the file and takes the newest. While it holds one, the
/// writer cannot use its WAL anew, and a slow reader of a live recording would make that grow without end.
const LONGEST: u32 = 8192;

/// How a stretch of rows ended.
enum Stretch {
    /// More may follow.
    Full,
    /// There are no more, or no more are wanted.
    Done,
}

/// Reads entries of one connection and remembers what it had to leave out.
#[derive(Debug)]
pub struct Scan {
    /// Whether the file ends early, perhaps within a page: SQLite reads zeros for the rest of it.
    pub cut: bool,
    /// Entries that could not be read, as ranges of numbers.
    missing: Vec<RangeInclusive<Seq>>,
    /// Entries of which pieces could not be read.
    incomplete: Vec<Seq>,
}

impl Scan {
    /// Nothing read yet.
    pub fn new(cut: bool) -> Self {
        Self { cut, missing: Vec::new(), incomplete: Vec::new() }
    }

    /// Hands out the entries from `from` on until `f` breaks or none is left. What is damaged is left
    /// out and remembered.
    pub fn run(
        &mut self,
        connection: &Connection,
        from: Seq,
        f: &mut dyn FnMut(EntryRef<'_>) -> ControlFlow<()>,
    ) -> rusqlite::Result<()> {
        let mut next = from;
        loop {
            match self.stretch(connection, &mut next, f) {
                Err(source) if is_damage(&source) => {
                    let resumed = salvage::resume(next, &mut |place| self.probe(connection, place));
                    self.missing_from(next, resumed.unwrap_or(Seq::MAX) - 1);
                    match resumed {
                        Some(seq) => next = seq,
                        None => return Ok(()),
                    }
                }
                Err(source) => return Err(source),
                Ok(Stretch::Full) => {}
                Ok(Stretch::Done) => return Ok(()),
            }
        }
    }

    /// Reads on from `next` until the end, a break, an error, or [`LONGEST`] rows; `next` is then the
    /// first number that was not handed out.
    fn stretch(
        &mut self,
        connection: &Connection,
        next: &mut Seq,
        f: &mut dyn FnMut(EntryRef<'_>) -> ControlFlow<()>,
    ) -> rusqlite::Result<Stretch> {
        let mut statement = connection.prepare_cached(FROM)?;
        let mut left = LONGEST;
        let mut pieces = None;
        let mut joined = Vec::new();
        let mut rows = statement.query([*next as i64])?;
        while let Some(row) = rows.next()? {
            let mut entry = sound(entry(row)?, *next, self.cut)?;
            *next = entry.seq + 1;
            // Only the row of an unfinished entry can be shorter than what is there of it, and one whose size
            // is not that of its bytes.
            let is_certain = !entry.flags.has(Flags::UNFINISHED) && !entry.flags.has(Flags::REDACTED);
            if entry.size > entry.bytes.len() as u64 || !is_certain {
                joined.clear();
                joined.extend_from_slice(entry.bytes);
                let statement = match &mut pieces {
                    Some(statement) => statement,
                    None => pieces.insert(connection.prepare_cached(PIECES)?),
                };
                self.join(statement, entry.seq, &mut joined)?;
                entry.bytes = &joined;
            }
            if f(entry).is_break() {
                return Ok(Stretch::Done);
            }
            left -= 1;
            if left == 0 {
                return Ok(Stretch::Full);
            }
        }
        Ok(Stretch::Done)
    }

    /// Adds the further pieces of an entry to its first; a damaged one ends what is there.
    fn join(&mut self, pieces: &mut CachedStatement<'_>, seq: Seq, joined: &mut Vec<u8>) -> rusqlite::Result<()> {
        let mut rows = pieces.query([seq as i64])?;
        loop {
            match rows.next() {
                Ok(Some(row)) => joined.extend_from_slice(row.get_ref(0)?.as_bytes().unwrap_or(&[])),
                Ok(None) => return Ok(()),
                Err(source) if is_damage(&source) => {
                    if !self.incomplete.contains(&seq) {
                        self.incomplete.push(seq);
                    }
                    return Ok(());
                }
                Err(source) => return Err(source),
            }
        }
    }

    /// What lies at or after a number; reads the whole row, since its bytes may be what is damaged.
    pub fn probe(&self, connection: &Connection, place: Seq) -> Probe {
        let found = connection.prepare_cached(FROM).and_then(|mut statement| {
            let mut rows = statement.query([place as i64])?;
            rows.next()?.map(|row| Ok(sound(entry(row)?, place, self.cut)?.seq)).transpose()
        });
        match found {
            Ok(Some(seq)) => Probe::Row(seq),
            Ok(None) => Probe::End,
            Err(_) => Probe::Damage,
        }
    }

    fn missing_from(&mut self, first: Seq, last: Seq) {
        if !self.missing.iter().any(|known| known.contains(&first)) {
            self.missing.push(first..=last);
        }
    }

    /// What was left out so far, in a sentence; `None` when nothing was.
    pub fn warning(&self) -> Option<String> {
        const SHOWN: usize = 5;
        let mut parts: Vec<String> = self.missing.iter().take(SHOWN).map(range).collect();
        if self.missing.len() > SHOWN {
            parts.push(format!("{} more stretches", self.missing.len() - SHOWN));
        }
        let missing = (!parts.is_empty()).then(|| format!("damaged and left out: {}", parts.join(", ")));
        let cut = (!self.incomplete.is_empty()).then(|| {
            let some: Vec<String> = self.incomplete.iter().take(SHOWN).map(ToString::to_string).collect();
            format!("{} entries lack bytes at their end (number {})", self.incomplete.len(), some.join(", "))
        });
        match (missing, cut) {
            (Some(missing), Some(cut)) => Some(format!("{missing}; {cut}")),
            (one, other) => one.or(other),
        }
    }
}

fn range(range: &RangeInclusive<Seq>) -> String {
    match (*range.start(), *range.end()) {
        (first, last) if last >= i64::MAX as u64 => format!("all entries from {first} on"),
        (first, last) if first == last => format!("entry {first}"),
        (first, last) => format!("entries {first} to {last}"),
    }
}

/// The entry, unless it cannot be what was written: numbers go up, whatever damage may say.
fn sound(entry: EntryRef<'_>, from: Seq, cut: bool) -> rusqlite::Result<EntryRef<'_>> {
    let zeros = cut && (entry.bytes.ends_with(&[0]) || entry.bytes.is_empty() && entry.size > 0);
    if entry.seq < from || entry.seq > i64::MAX as u64 || zeros {
        let corrupt = ffi::Error::new(ffi::SQLITE_CORRUPT);
        return Err(rusqlite::Error::SqliteFailure(corrupt, None));
    }
    Ok(entry)
}

/// The entry in a row of [`FROM`]. Values of the wrong type come from damage and are read as zero. This
/// runs for each row of a scan, so words are compared as bytes.
fn entry<'a>(row: &'a Row<'_>) -> rusqlite::Result<EntryRef<'a>> {
    let number = |column| match row.get_ref(column) {
        Ok(ValueRef::Integer(value)) => Ok(value),
        Ok(_) => Ok(0),
        Err(error) => Err(error),
    };
    Ok(EntryRef {
        seq: number(0)? as Seq,
        at: number(1)?,
        until: number(2)?,
        channel: number(3)? as ChannelId,
        side: match row.get_ref(4)? {
            ValueRef::Text(b"client") => Some(Side::Client),
            ValueRef::Text(b"server") => Some(Side::Server),
            _ => None,
        },
        kind: match row.get_ref(5)? {
            ValueRef::Text(b"frame") => EntryKind::Frame,
            ValueRef::Text(b"head") => EntryKind::Head,
            ValueRef::Text(b"body") => EntryKind::Body,
            ValueRef::Text(b"event") => EntryKind::Event,
            ValueRef::Text(b"stderr") => EntryKind::Stderr,
            _ => EntryKind::Lifecycle,
        },
        flags: Flags(number(6)? as u32),
        size: number(7)? as u64,
        bytes: match row.get_ref(8)? {
            ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
            _ => &[],
        },
    })
}
