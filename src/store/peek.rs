//! Looks at an entry without reading all of it: for a table that shows the first line of entries of any
//! size, and for following an entry that is still being written.

use super::{Reader, StoreError};
use crate::model::{Flags, Seq};

impl Reader {
    /// The first `limit` bytes of an entry at most, and not more than its first piece; `None` when
    /// there is none of that number.
    pub fn head(&self, seq: Seq, limit: usize) -> Result<Option<Vec<u8>>, StoreError> {
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached("SELECT substr(bytes, 1, ?2) FROM entries WHERE seq = ?1")?;
            let mut rows = statement.query((seq as i64, limit as i64))?;
            let Some(row) = rows.next()? else { return Ok(None) };
            Ok(Some(row.get_ref(0)?.as_bytes().unwrap_or(&[]).to_vec()))
        })
    }

    /// The flags of the entries from number `from` up to number `to` and their sizes on the wire, as
    /// they are now. The bytes are not read.
    pub fn states(&self, from: Seq, to: Seq) -> Result<Vec<(Seq, Flags, u64)>, StoreError> {
        self.run("read", |connection| {
            let mut statement = connection
                .prepare_cached("SELECT seq, flags, size FROM entries WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq")?;
            let mut rows = statement.query((from as i64, to as i64))?;
            let mut states = Vec::new();
            while let Some(row) = rows.next()? {
                let number = |column| -> rusqlite::Result<i64> { Ok(row.get_ref(column)?.as_i64().unwrap_or(0)) };
                states.push((number(0)? as Seq, Flags(number(1)? as u32), number(2)? as u64));
            }
            Ok(states)
        })
    }
}
