//! The samples in recordings/, and that FORMAT.md says what is in them.

use std::fmt::Write;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::*;
use crate::model::{Channel, Entry, EntryKind, Flags, Host, Recording, Role, Seq, Side, Transport};
use crate::store::{Reader, Writer};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/recordings/v2.midwire");
const PAGE: &str = include_str!("../../../recordings/FORMAT.md");

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
    let text: String = queries().map(|query| format!("{}\n{}\n", query.trim(), shown(&connection, query))).collect();
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
        let list = entries(format);
        assert_eq!(reader.page(0, 100).unwrap(), list, "format {format}");
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy.midwire");
        std::fs::copy(&path, &copy).unwrap();
        Writer::open(&copy).unwrap().close(facts().ended, facts().lost).unwrap();
        let page = Reader::open(&copy).unwrap().page(0, 100).unwrap();
        assert_eq!(page[..list.len()], list, "also when it was upgraded");
        assert_eq!(page[list.len()..], if format == 1 { moved() } else { Vec::new() });
    }
}

#[test]
fn what_format_1_kept_apart_is_in_the_view_of_format_2() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.midwire");
    std::fs::copy(Path::new(SAMPLE).with_file_name("v1.midwire"), &copy).unwrap();
    Writer::open(&copy).unwrap().close(None, 0).unwrap();
    let connection = Connection::open(&copy).unwrap();
    let expected = "channel|method|target|status|requested|responded|first_byte|ended|how\n\
        1|POST|/mcp|200|1796055112000000000|1796055112010000000|1796055112392000000|1796055112020000000|complete\n";
    assert_eq!(shown(&connection, "SELECT * FROM http"), expected);
}

/// What step 2 makes of the row in the table `http` of the sample of format 1.
fn moved() -> Vec<Entry> {
    let head = |seq, at, side, text: &str| Entry {
        seq,
        at,
        until: at,
        channel: 1,
        side,
        kind: if side.is_some() { EntryKind::Head } else { EntryKind::Lifecycle },
        flags: if seq == 14 { Flags::REDACTED } else { Flags::default() },
        size: text.len() as u64,
        bytes: text.as_bytes().to_vec(),
    };
    let request = "POST /mcp HTTP/1.1\r\nauthorization: (left out)\r\n\r\n";
    vec![
        head(14, 1_796_055_112_000_000_000, Some(Side::Client), request),
        head(15, 1_796_055_112_010_000_000, Some(Side::Server), "HTTP/1.1 200 OK\r\n\r\n"),
        head(16, 1_796_055_112_020_000_000, None, r#"{"event":"http-ended","how":"complete"}"#),
    ]
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

/// What the sample of a format holds.
fn entries(format: u32) -> Vec<Entry> {
    if format == 1 { stdio() } else { stdio().into_iter().chain(http()).collect() }
}

/// One of each thing that format 2 added.
fn http() -> Vec<Entry> {
    let (client, server) = (Some(Side::Client), Some(Side::Server));
    let entry = |seq: Seq, channel, side, kind, flags, text: &str| Entry {
        seq,
        at: 1_796_055_112_386_000_000 + seq as i64 * 1_500_000,
        until: 1_796_055_112_386_000_000 + seq as i64 * 1_500_000,
        channel,
        side,
        kind,
        flags,
        size: text.len() as u64,
        bytes: text.as_bytes().to_vec(),
    };
    let none = Flags::default();
    let masked = "POST /mcp HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer •••\r\nContent-Length: 99\r\n\r\n";
    vec![
        entry(14, 0, None, EntryKind::Lifecycle, none, r#"{"event":"listening","url":"http://127.0.0.1:3100/mcp"}"#),
        Entry { size: 105, ..entry(15, 2, client, EntryKind::Head, Flags::REDACTED, masked) },
        entry(
            16,
            2,
            client,
            EntryKind::Body,
            Flags::ENDS,
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"count"}}"#,
        ),
        entry(
            17,
            2,
            server,
            EntryKind::Head,
            none,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n",
        ),
        entry(18, 2, server, EntryKind::Event, Flags::DECODED, "id: 1\nretry: 500\ndata:\n\n"),
        entry(
            19,
            2,
            server,
            EntryKind::Event,
            Flags::DECODED,
            "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata:\"method\":\"notifications/progress\"}\r\nid: 2\r\n\r\n",
        ),
        entry(
            20,
            2,
            server,
            EntryKind::Event,
            Flags::DECODED.with(Flags::ENDS),
            "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n",
        ),
        entry(21, 3, client, EntryKind::Head, Flags::ENDS, "GET /mcp HTTP/1.1\r\nLast-Event-ID: 2\r\n\r\n"),
        entry(22, 3, server, EntryKind::Head, none, "HTTP/1.1 103 Early Hints\r\n\r\n"),
        entry(
            23,
            3,
            server,
            EntryKind::Head,
            none,
            "HTTP/1.1 405 Method Not Allowed\r\nTransfer-Encoding: chunked\r\n\r\n",
        ),
        entry(24, 3, server, EntryKind::Body, none, "no streams here"),
        entry(25, 3, server, EntryKind::Head, Flags::ENDS, "X-Sum: 1\r\n\r\n"),
        entry(26, 4, client, EntryKind::Head, Flags::ENDS, "DELETE /mcp HTTP/1.1\r\nMcp-Session-Id: s-1\r\n\r\n"),
        entry(
            27,
            4,
            None,
            EntryKind::Lifecycle,
            none,
            r#"{"event":"http-ended","how":"failed","why":"connection refused"}"#,
        ),
    ]
}

/// One of each thing that format 1 can hold.
fn stdio() -> Vec<Entry> {
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
        frame(7, client, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"nope\"}}\n"),
        frame(
            8,
            server,
            &format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}}}\n",
                "noon ".repeat(60)
            ),
        ),
        frame(9, server, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32602,\"message\":\"Unknown tool\"}}\n"),
        frame(10, server, "this is no JSON\n"),
        Entry { size: 70_000_000, flags: Flags::TRUNCATED, ..frame(11, server, "{\"jsonrpc\":\"2.0\",\"id\":3,") },
        Entry { flags: Flags::NO_NEWLINE.with(Flags::UNDELIVERED), ..frame(12, client, "{\"half\":") },
        event(13, r#"{"event":"exited","code":0}"#),
    ]
}

#[test]
#[ignore = "makes the sample of the newest format; a sample is made once for each format and never again"]
fn make_the_sample() {
    assert!(!Path::new(SAMPLE).exists(), "a sample is never made anew");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = Writer::create(&path, &facts()).unwrap();
    let over = |id, transport| Channel { transport, peer: Some("127.0.0.1 node".into()), ..Channel::stdio(id) };
    let version = Some("2025-11-25".to_owned());
    let session = Some("s-1".to_owned());
    for channel in [
        Channel::stdio(1),
        Channel { session: session.clone(), version: version.clone(), ..over(2, Transport::HttpRequest) },
        Channel { resumes: Some("2".into()), version, ..over(3, Transport::HttpStream) },
        Channel { session, ..over(4, Transport::HttpRequest) },
    ] {
        writer.channel(&channel).unwrap();
    }
    let list = entries(FORMAT);
    for mut entry in list.clone() {
        // The eighth entry is kept in two pieces, as larger ones are.
        let rest = if entry.seq == 8 { entry.bytes.split_off(200) } else { Vec::new() };
        writer.insert(&entry).unwrap();
        if !rest.is_empty() {
            writer.append(entry.seq, 1, &rest).unwrap();
        }
    }
    writer.amend(11, Flags::TRUNCATED, 70_000_000, list[10].until, Some([0xab; 32])).unwrap();
    writer.close(facts().ended, facts().lost).unwrap();
    // Small pages, since this file lies in the repository.
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA page_size = 4096; VACUUM").unwrap();
    drop(connection);
    std::fs::copy(&path, SAMPLE).unwrap();
}
