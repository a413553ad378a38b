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
const STEPS: [Step; 1] = [first];

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

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::path::Path;

    use rusqlite::types::ValueRef;
    use rusqlite::{Connection, OpenFlags};

    use super::*;
    use crate::model::{Channel, Entry, EntryKind, Flags, Host, Http, Recording, Role, Seq, Side, Transport};
    use crate::store::{Reader, Writer};

    const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/recordings/v1.midwire");
    const PAGE: &str = include_str!("../../recordings/FORMAT.md");

    /// The queries of FORMAT.md.
    fn queries() -> impl Iterator<Item = &'static str> {
        PAGE.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next())
    }

    /// What the sqlite3 shell would show.
    fn shown(connection: &Connection, query: &str) -> String {
        let mut statement = connection.prepare(query).unwrap();
        let columns = statement.column_count();
        let mut text = format!("{}\n", statement.column_names().collect::<Vec<_>>().join("|"));
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<String> = (0..columns)
                .map(|column| match row.get_ref(column).unwrap() {
                    ValueRef::Null => String::new(),
                    ValueRef::Integer(value) => value.to_string(),
                    ValueRef::Real(value) => value.to_string(),
                    ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text).into_owned(),
                })
                .collect();
            writeln!(text, "{}", values.join("|")).unwrap();
        }
        text
    }

    #[test]
    fn every_query_of_the_page_shows_what_is_in_the_sample() {
        let connection = Connection::open_with_flags(SAMPLE, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let text: String =
            queries().map(|query| format!("{}\n{}\n", query.trim(), shown(&connection, query))).collect();
        assert!(queries().count() > 10);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn the_page_names_every_table_and_column_and_the_marks() {
        let connection = Connection::open_with_flags(SAMPLE, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let columns = "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c";
        for row in shown(&connection, columns).lines().skip(1) {
            let (table, column) = row.split_once('|').unwrap();
            assert!(PAGE.contains(&format!("### {table}\n")), "{table}");
            assert!(PAGE.contains(&format!("`{column}`")), "{table}.{column}");
        }
        assert!(PAGE.contains(&APPLICATION_ID.to_string()) && PAGE.contains(&format!("`0x{APPLICATION_ID:X}`")));
        assert!(PAGE.contains(&format!("| `PRAGMA user_version` | {FORMAT} |")));
    }

    #[test]
    fn the_sample_of_every_format_opens() {
        for format in 1..=FORMAT {
            let path = Path::new(SAMPLE).with_file_name(format!("v{format}.midwire"));
            let reader = Reader::open(&path).unwrap();
            assert_eq!(reader.warning(), None);
            let version: u32 = {
                let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
                connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
            };
            assert_eq!(version, format);
            assert_eq!(reader.recording().unwrap(), facts());
            assert_eq!(reader.count().unwrap(), entries().len() as u64);
            for entry in entries() {
                assert_eq!(reader.entry(entry.seq).unwrap(), Some(entry));
            }
            let folder = tempfile::tempdir().unwrap();
            let copy = folder.path().join("copy.midwire");
            std::fs::copy(&path, &copy).unwrap();
            Writer::open(&copy).unwrap().close(facts().ended, facts().lost).unwrap();
            assert_eq!(Reader::open(&copy).unwrap().page(0, 100).unwrap(), entries(), "also when it was upgraded");
        }
    }

    fn facts() -> Recording {
        Recording {
            name: "time".into(),
            role: Role::Tap,
            transport: Transport::Stdio,
            command: ["mcp-server-time", "--token=", "…"].map(String::from).into(),
            left_out: 1,
            url: None,
            directory: Some("/home/me".into()),
            host: Some(Host { pid: 4242, program: "claude".into(), started: None }),
            recorder: 4711,
            program: "0.1.0".into(),
            started: 1_796_055_112_386_000_000,
            ended: Some(1_796_055_114_000_000_000),
            lost: 0,
        }
    }

    /// One of each thing that format 1 can hold.
    fn entries() -> Vec<Entry> {
        let frame = |seq: Seq, side, text: &str| Entry {
            seq,
            at: 1_796_055_112_386_000_000 + seq as i64 * 1_500_000,
            until: 1_796_055_112_386_000_000 + seq as i64 * 1_500_000,
            channel: 1,
            side,
            kind: EntryKind::Frame,
            flags: Flags::default(),
            size: text.len() as u64,
            bytes: text.as_bytes().to_vec(),
        };
        let (client, server) = (Some(Side::Client), Some(Side::Server));
        let event = |seq, text| Entry { kind: EntryKind::Lifecycle, ..frame(seq, None, text) };
        vec![
            event(1, r#"{"event":"spawned","pid":4712}"#),
            frame(
                2,
                client,
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"claude-code\",\"version\":\"2.1.0\"}}}\n",
            ),
            Entry { kind: EntryKind::Stderr, ..frame(3, server, "starting\n") },
            frame(
                4,
                server,
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"mcp-time\",\"version\":\"1.0\"}}}\r\n",
            ),
            frame(5, client, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"),
            frame(
                6,
                client,
                "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"tools/call\",\"params\":{\"name\":\"get_current_time\",\"arguments\":{\"timezone\":\"Europe/Berlin\",\"n\":1.50}}}\n",
            ),
            frame(
                7,
                client,
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"nope\"}}\n",
            ),
            frame(
                8,
                server,
                &format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}}}\n",
                    "noon ".repeat(60)
                ),
            ),
            frame(
                9,
                server,
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32602,\"message\":\"Unknown tool\"}}\n",
            ),
            frame(10, server, "this is no JSON\n"),
            Entry { size: 70_000_000, flags: Flags::TRUNCATED, ..frame(11, server, "{\"jsonrpc\":\"2.0\",\"id\":3,") },
            Entry { flags: Flags::NO_NEWLINE.with(Flags::UNDELIVERED), ..frame(12, client, "{\"half\":") },
            event(13, r#"{"event":"exited","code":0}"#),
        ]
    }

    #[test]
    #[ignore = "makes recordings/v1.midwire; a sample is made once for each format and never again"]
    fn make_the_sample() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.midwire");
        let mut writer = Writer::create(&path, &facts()).unwrap();
        writer.channel(&Channel::stdio(1)).unwrap();
        for mut entry in entries() {
            // The eighth entry is kept in two pieces, as larger ones are.
            let rest = if entry.seq == 8 { entry.bytes.split_off(200) } else { Vec::new() };
            writer.insert(&entry).unwrap();
            if !rest.is_empty() {
                writer.append(entry.seq, 1, &rest).unwrap();
            }
        }
        writer.amend(11, Flags::TRUNCATED, 70_000_000, entries()[10].until, Some([0xab; 32])).unwrap();
        let head = |text: &str| text.replace('\n', "\r\n").into_bytes();
        writer
            .http(&Http {
                id: 1,
                channel: 1,
                method: "POST".into(),
                target: "/mcp".into(),
                request_head: head("POST /mcp HTTP/1.1\nauthorization: (left out)\n\n"),
                requested: 1_796_055_112_000_000_000,
                status: Some(200),
                response_head: Some(head("HTTP/1.1 200 OK\n\n")),
                responded: Some(1_796_055_112_010_000_000),
                first_byte: Some(1_796_055_112_011_000_000),
                ended: Some(1_796_055_112_020_000_000),
            })
            .unwrap();
        writer.close(facts().ended, facts().lost).unwrap();
        // Small pages, since this file lies in the repository.
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("PRAGMA page_size = 4096; VACUUM").unwrap();
        drop(connection);
        std::fs::copy(&path, SAMPLE).unwrap();
    }
}
