//! The shape of a recording's file: its marks, its tables, and the numbered steps that bring an older
//! file up to date. recordings/FORMAT.md describes the same for people.

use rusqlite::Connection;

/// SQLite's `application_id` of a recording: "MWIR".
pub const APPLICATION_ID: i32 = 0x4D57_4952;

/// The newest format that this version writes, kept in SQLite's `user_version`.
pub const FORMAT: u32 = STEPS.len() as u32;

/// One step of the format: from the version that is its index to the next.
type Step = fn(&Connection) -> rusqlite::Result<()>;

/// The steps, oldest first. A change of the format appends a function; a step is never edited, since
/// files of every version exist.
const STEPS: [Step; 2] = [first, second];

/// Applies the steps that a file of version `from` lacks, in the caller's transaction.
pub fn upgrade(connection: &Connection, from: u32) -> rusqlite::Result<()> {
    for step in STEPS.iter().skip(from as usize) {
        step(connection)?;
    }
    connection.pragma_update(None, "user_version", FORMAT)
}

/// Format 1: the ground tables and the view for readers with the sqlite3 shell.
fn first(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.execute_batch(include_str!("format-1.sql"))
}

/// Format 2: heads, bodies and events of HTTP are entries; the table of format 1 becomes a view of them.
fn second(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(include_str!("format-2.sql"))
}

#[cfg(test)]
mod tests;
