//! The facts about a recording as rows of the table `facts`: one key and one value each.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ToSql};

use super::words;
use crate::model::{Host, Nanos, Recording, Role, Transport};

/// The value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactValue {
    /// Not known.
    Null,
    /// A number: a count, a process id, nanoseconds.
    Integer(i64),
    /// Text.
    Text(String),
}

impl From<i64> for FactValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<u64> for FactValue {
    fn from(value: u64) -> Self {
        Self::Integer(value as i64)
    }
}

impl From<u32> for FactValue {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<&str> for FactValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for FactValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl ToSql for FactValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Integer(value) => ToSqlOutput::Owned(Value::Integer(*value)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

/// Writes one fact, in the place of an earlier one with the same key.
pub fn set(connection: &Connection, key: &str, value: &FactValue) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO facts (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")?
        .execute((key, value))
        .map(drop)
}

/// Writes all facts of a recording.
pub fn write(connection: &Connection, facts: &Recording) -> rusqlite::Result<()> {
    let command = serde_json::Value::from(facts.command.clone()).to_string();
    let host = facts.host.as_ref();
    let rows: [(&str, FactValue); 15] = [
        ("name", facts.name.as_str().into()),
        ("role", words::role_word(facts.role).into()),
        ("transport", words::transport_word(facts.transport).into()),
        ("command", command.as_str().into()),
        ("left_out", facts.left_out.into()),
        ("url", facts.url.as_deref().into()),
        ("directory", facts.directory.as_deref().into()),
        ("host_pid", host.map(|host| host.pid).into()),
        ("host_program", host.map(|host| host.program.as_str()).into()),
        ("host_started", host.and_then(|host| host.started).into()),
        ("recorder", facts.recorder.into()),
        ("program", facts.program.as_str().into()),
        ("started", facts.started.into()),
        ("ended", facts.ended.into()),
        ("lost", facts.lost.into()),
    ];
    rows.iter().try_for_each(|(key, value)| set(connection, key, value))
}

/// One fact; `None` when there is no such row.
pub fn get(connection: &Connection, key: &str) -> rusqlite::Result<Option<FactValue>> {
    let mut statement = connection.prepare_cached("SELECT value FROM facts WHERE key = ?1")?;
    let mut rows = statement.query([key])?;
    Ok(match rows.next()? {
        None => None,
        Some(row) => Some(match row.get_ref(0)? {
            ValueRef::Integer(value) => FactValue::Integer(value),
            ValueRef::Text(text) | ValueRef::Blob(text) => FactValue::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Null | ValueRef::Real(_) => FactValue::Null,
        }),
    })
}

/// All facts of a recording. What is missing or has the wrong type is read as not known.
pub fn read(connection: &Connection) -> rusqlite::Result<Recording> {
    let text = |key| -> rusqlite::Result<Option<String>> {
        Ok(match get(connection, key)? {
            Some(FactValue::Text(text)) => Some(text),
            _ => None,
        })
    };
    let number = |key| -> rusqlite::Result<Option<i64>> {
        Ok(match get(connection, key)? {
            Some(FactValue::Integer(value)) => Some(value),
            _ => None,
        })
    };
    Ok(Recording {
        name: text("name")?.unwrap_or_default(),
        role: text("role")?.as_deref().and_then(words::role).unwrap_or(Role::Tap),
        transport: text("transport")?.as_deref().and_then(words::transport).unwrap_or(Transport::Stdio),
        command: text("command")?.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default(),
        left_out: number("left_out")?.unwrap_or_default() as u32,
        url: text("url")?,
        directory: text("directory")?,
        host: host(number("host_pid")?, text("host_program")?, number("host_started")?),
        recorder: number("recorder")?.unwrap_or_default() as u32,
        program: text("program")?.unwrap_or_default(),
        started: number("started")?.unwrap_or_default(),
        ended: number("ended")?,
        lost: number("lost")?.unwrap_or_default() as u64,
    })
}

fn host(pid: Option<i64>, program: Option<String>, started: Option<Nanos>) -> Option<Host> {
    Some(Host { pid: pid? as u32, program: program.unwrap_or_default(), started })
}
