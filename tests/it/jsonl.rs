//! Recordings as JSON Lines: out, in again, out again; and captured traffic of other programs in.

use std::fs;
use std::io::Write;
use std::path::Path;

use midwire::engine::jsonl::{ExportError, ImportError, Imported, export, import};
use midwire::model::{Channel, Entry, EntryKind, Flags, HttpEnd, Lifecycle, Recording, Role, Side, Transport};
use midwire::store::{Reader, Writer};
use midwire::wire::lifecycle;
use proptest::prelude::*;

use crate::recordings::{facts, frame};

/// Bytes of all kinds that must survive.
const AWKWARD: &[&[u8]] = &[
    b"",
    b"\n",
    b"{\"id\":1.50,\"id\":10000000000000000001,\"x\":1e400, \"__proto__\":null}\r\n",
    "\u{2028}\u{2029}\u{feff}\u{0}\u{7f}\u{1f600}\\u2028\"\\\n".as_bytes(),
    b"\xff\xfe broken \xc3( \xed\xa0\x80\n",
    b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\"}\n",
];

/// Makes a recording of these entries and closes it, or not.
fn record(path: &Path, facts: &Recording, entries: &[Entry], ended: Option<i64>) {
    let mut writer = Writer::create(path, facts).unwrap();
    writer.begin().unwrap();
    writer.channel(&Channel::stdio(1)).unwrap();
    for entry in entries {
        writer.insert(entry).unwrap();
    }
    writer.commit().unwrap();
    writer.close(ended, facts.lost).unwrap();
}

fn text(path: &Path) -> String {
    let mut out = Vec::new();
    export(&Reader::open(path).unwrap(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn take(text: &str, path: &Path) -> Imported {
    import(&mut text.as_bytes(), path, "imported").unwrap()
}

fn entries(path: &Path) -> Vec<Entry> {
    Reader::open(path).unwrap().page(0, usize::MAX).unwrap()
}

/// Exports, imports, and checks that nothing has changed.
fn round(folder: &Path, original: &Path) -> String {
    let copy = folder.join("copy.midwire");
    let _ = fs::remove_file(&copy);
    let first = text(original);
    take(&first, &copy);
    assert_eq!(text(&copy), first);
    assert!(entries(&copy) == entries(original), "every entry as it was");
    let (copy, original) = (Reader::open(&copy).unwrap(), Reader::open(original).unwrap());
    assert_eq!(copy.recording().unwrap(), Recording { recorder: 0, ..original.recording().unwrap() });
    assert_eq!(copy.channels().unwrap(), original.channels().unwrap());
    first
}

#[test]
fn the_text_form_is_as_documented() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = Writer::create(&path, &facts()).unwrap();
    writer.channel(&Channel { session: Some("s".into()), ..Channel::stdio(1) }).unwrap();
    for (seq, bytes) in (1..).zip(AWKWARD) {
        writer.insert(&frame(seq, bytes)).unwrap();
    }
    writer.insert(&Entry { until: 1_796_055_113_000_000_000, ..frame(7, b"{\"head\":") }).unwrap();
    writer.amend(7, Flags::TRUNCATED, 99_000_000, 1_796_055_113_000_000_000, Some([0xab; 32])).unwrap();
    let event = lifecycle::encode(&Lifecycle::Exited { code: 1 });
    writer.insert(&Entry { kind: EntryKind::Lifecycle, side: None, ..frame(8, &event) }).unwrap();
    writer.close(1_796_055_114_000_000_000, 2).unwrap();
    insta::assert_snapshot!(round(folder.path(), &path));
}

#[test]
fn what_http_adds_is_carried_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let of = |seq, kind, flags: &[Flags], size, bytes: &[u8]| {
        let flags = flags.iter().fold(Flags::default(), |all, flag| all.with(*flag));
        Entry { kind, flags, size, ..frame(seq, bytes) }
    };
    // Masked, it is longer than a piece and longer than it was.
    let masked = vec![b'm'; 300_000];
    let list = [
        of(1, EntryKind::Head, &[Flags::REDACTED], 90, b"POST / HTTP/1.1\r\nX: \xff\r\nCookie: a=\xe2\x80\xa2\r\n\r\n"),
        of(2, EntryKind::Body, &[Flags::DECODED, Flags::ENDS], 2, b"{}"),
        of(3, EntryKind::Event, &[Flags::DECODED], 9, b"data: 1\n\n"),
        of(4, EntryKind::Body, &[Flags::REDACTED, Flags::ENDS], 250_000, &masked),
    ];
    record(&path, &facts(), &list, None);
    assert!(entries(&path) == list);
    let text = round(folder.path(), &path);
    assert!(text.contains(r#""kind":"event","flags":64,"size":9,"text":"data: 1\n\n""#), "{text}");
}

#[test]
fn requests_of_an_older_text_become_heads_behind_its_entries() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let imported = take(
        r#"{"midwire":1,"role":"tap","transport":"http-request","started":3}
{"channel":1,"transport":"http-request"}
{"http":1,"channel":1,"method":"POST","target":"/mcp","requested":5,"status":200,"responded":6,"first_byte":8,"ended":9,"request_head":"POST /mcp HTTP/1.1\r\n\r\n","response_head_base64":"SFRUUC8xLjEgMjAwIP8NCg0K"}
{"seq":3,"at":7,"channel":1,"side":"client","kind":"frame","text":"{}"}
"#,
        &path,
    );
    assert_eq!((imported.entries, imported.http, imported.bad), (4, 1, 0));
    let list = entries(&path);
    let told: Vec<_> = list.iter().map(|entry| (entry.seq, entry.at, entry.kind, &entry.bytes[..])).collect();
    let ended = lifecycle::encode(&Lifecycle::HttpEnded { how: HttpEnd::Complete, why: String::new() });
    let expected: [(u64, i64, EntryKind, &[u8]); 4] = [
        (3, 7, EntryKind::Frame, b"{}"),
        (4, 5, EntryKind::Head, b"POST /mcp HTTP/1.1\r\n\r\n"),
        (5, 6, EntryKind::Head, b"HTTP/1.1 200 \xff\r\n\r\n"),
        (6, 9, EntryKind::Lifecycle, &ended),
    ];
    assert_eq!(told, expected);
}

#[test]
fn an_entry_of_many_pieces_survives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let big: Vec<u8> = (0..1_500_000u32).map(|n| (n * 7 % 251) as u8).collect();
    record(&path, &facts(), &[frame(1, &big), frame(2, b"next\n")], Some(9));
    round(folder.path(), &path);
    assert!(entries(&folder.path().join("copy.midwire"))[0].bytes == big);
}

#[test]
fn a_recording_that_was_never_closed_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    record(&path, &facts(), &[frame(1, b"x\n")], None);
    round(folder.path(), &path);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_survive_the_way_through_text(
        bodies in prop::collection::vec(
            (prop_oneof![prop::collection::vec(any::<u8>(), 0..300), ".{0,80}".prop_map(String::into_bytes)], 0u32..256, 0i64..9, 0u64..5),
            0..12,
        ),
        name in ".{0,20}",
        command in prop::collection::vec(".{0,12}", 0..4),
        ended in any::<Option<i64>>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.midwire");
        let list: Vec<Entry> = (1..).zip(&bodies).map(|(seq, (bytes, flags, late, more))| {
            let plain = frame(seq * 2, bytes);
            let kinds = [EntryKind::Frame, EntryKind::Stderr, EntryKind::Lifecycle, EntryKind::Head, EntryKind::Body, EntryKind::Event];
            let kind = kinds[seq as usize % kinds.len()];
            let side = [None, Some(Side::Client), Some(Side::Server)][bytes.len() % 3];
            Entry { flags: Flags(*flags), until: plain.at + late, size: plain.size + more, kind, side, ..plain }
        }).collect();
        record(&path, &Recording { name, command, url: None, host: None, ..facts() }, &list, ended);
        prop_assert!(entries(&path) == list);
        round(folder.path(), &path);
    }
}

#[test]
fn bad_lines_are_told_and_the_rest_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let good = |seq: u64| {
        format!("{{\"seq\":{seq},\"at\":5,\"channel\":1,\"side\":\"client\",\"kind\":\"frame\",\"text\":\"x\"}}\n")
    };
    let mut input =
        String::from("\u{feff}{\"midwire\":1,\"role\":\"tap\",\"transport\":\"stdio\",\"started\":3}\r\n\n");
    input.push_str("{\"channel\":1,\"transport\":\"pigeon\"}\n{\"channel\":1,\"transport\":\"stdio\"}\n");
    input.push_str(&good(1));
    input.push_str(
        "{\"seq\":2,\"at\":5,\"channel\":1,\"kind\":\"frame\",\"base64\":\"?\"}\nnot json\n[1]\n{\"later\":1}\n",
    );
    input.push_str(&good(1));
    input.push_str("{\"seq\":3,\"at\":5,\"channel\":1,\"kind\":\"frame\"}\n");
    input.push_str("{\"seq\":4,\"at\":5,\"channel\":1,\"kind\":\"frame\",\"text\":\"\",\"sha256\":\"ä\"}\n");
    input.push_str(good(5).trim_end());
    let imported = take(&input, &path);
    assert_eq!((imported.entries, imported.channels, imported.bad), (2, 1, 7));
    let told: Vec<String> = imported.first_bad.iter().map(|bad| format!("{}: {}", bad.line, bad.why)).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    3: unknown transport "pigeon"
    6: bad base64: Invalid symbol 63, offset 0.
    7: not a JSON object
    8: not a JSON object
    10: entry 1 comes after entry 1
    11: neither text nor base64
    12: sha256 is not 64 hexadecimal digits
    "#);
    assert_eq!(entries(&path).iter().map(|entry| entry.seq).collect::<Vec<_>>(), [1, 5]);
}

#[test]
fn what_is_no_text_form_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    for input in
        ["", "\n\n", "hello\nworld\n", "{\"midwire\":2,\"role\":\"tap\",\"transport\":\"stdio\",\"started\":3}\n"]
    {
        let error = import(&mut input.as_bytes(), &path, "x").unwrap_err();
        assert!(matches!(error, ImportError::Nothing { .. }), "{error}");
        assert!(!path.exists());
    }
    fs::write(&path, "mine").unwrap();
    let header = "{\"midwire\":1,\"role\":\"tap\",\"transport\":\"stdio\",\"started\":3}\n";
    assert!(matches!(import(&mut header.as_bytes(), &path, "x"), Err(ImportError::Store(_))));
    assert_eq!(fs::read(&path).unwrap(), b"mine", "a file that was there stays");
}

/// Takes some bytes and then no more.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_export_that_cannot_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    record(&path, &facts(), &[frame(1, &[b'x'; 5000]), frame(2, b"y")], None);
    for room in [0, 500, 3000] {
        let error = export(&Reader::open(&path).unwrap(), &mut Full(room)).unwrap_err();
        assert!(matches!(error, ExportError::Write(_)), "{error}");
    }
}

#[test]
fn captured_stdio_becomes_channels_entries_and_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let imported = take(
        r#"{"ts": 1796053081.0348942, "dir": "c2s", "transport": "stdio", "conn": 1, "raw": "{\"id\":1.0}\r"}
{"ts": 1796053081.5, "dir": "s2c", "transport": "stdio", "conn": 2, "raw_b64": "/w==", "raw": "\ufffd", "no_newline": true}
{"ts": 1796053081.4, "dir": "stderr", "transport": "stdio", "conn": 1, "raw": "warn"}
{"ts": 1796053082, "dir": "meta", "transport": "stdio", "conn": 1, "raw": "c2s eof"}
{"ts": 1796053082, "dir": "meta", "transport": "stdio", "conn": 1, "raw": "stderr eof"}
{"ts": 1796053083, "dir": "meta", "transport": "stdio", "conn": 1, "raw": "exit -15"}
"#,
        &path,
    );
    assert_eq!((imported.entries, imported.channels, imported.bad), (5, 2, 0));
    let list = entries(&path);
    let told: Vec<_> = list.iter().map(|entry| (entry.at, entry.channel, entry.side, entry.bytes.as_slice())).collect();
    let (client, server) = (Some(Side::Client), Some(Side::Server));
    assert_eq!(told[0], (1_796_053_081_034_894_200, 1, client, &b"{\"id\":1.0}\r\n"[..]));
    assert_eq!(told[1], (1_796_053_081_500_000_000, 2, server, &b"\xff"[..]));
    assert_eq!(list[1].flags, Flags::NO_NEWLINE);
    assert_eq!(told[2], (1_796_053_081_500_000_000, 1, server, &b"warn\n"[..]), "time does not run backwards");
    assert_eq!(list[2].kind, EntryKind::Stderr);
    assert_eq!(lifecycle::decode(&list[3].bytes), Lifecycle::ClientClosed);
    assert_eq!(lifecycle::decode(&list[4].bytes), Lifecycle::Signalled { signal: 15 });
    let facts = Reader::open(&path).unwrap().recording().unwrap();
    assert_eq!((facts.role, facts.transport, facts.name.as_str()), (Role::Import, Transport::Stdio, "imported"));
    assert_eq!((facts.started, facts.ended), (1_796_053_081_034_894_200, Some(1_796_053_083_000_000_000)));
    round(folder.path(), &path);
}

#[test]
fn captured_http_becomes_heads_bodies_and_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    take(
        r#"{"ts":1.0,"dir":"c2s","transport":"http","http":{"exchange":1,"method":"GET","path":"/sse?token=x","headers":[["Cookie","a=secret"]]},"raw":""}
{"ts":1.1,"dir":"s2c","transport":"http","http":{"exchange":1,"status":200,"headers":[],"sse_open":true},"raw":""}
{"ts":1.2,"dir":"s2c","transport":"http","http":{"exchange":1,"sse":{"event":"endpoint","id":"7","retry":"50"},"comments":[": hi"]},"raw":"/message?s=1"}
{"ts":1.3,"dir":"c2s","transport":"http","http":{"exchange":2,"method":"POST","path":"/message?s=1","headers":[]},"raw":"{\"id\":1}"}
{"ts":1.4,"dir":"s2c","transport":"http","http":{"exchange":1,"sse":{}},"raw":"[\n]"}
{"ts":1.5,"dir":"c2s","transport":"http","http":{"exchange":3,"method":"POST","path":"/mcp","headers":[["MCP-Protocol-Version","2025-11-25"]]},"raw":"{}"}
{"ts":1.6,"dir":"s2c","transport":"http","http":{"exchange":3,"status":200,"headers":[["Mcp-Session-Id","abc"]]},"raw":"[]"}
{"ts":1.65,"dir":"s2c","transport":"http","http":{"exchange":2,"status":202,"headers":[]},"raw":""}
{"ts":1.7,"dir":"c2s","transport":"http","http":{"exchange":1,"client_disconnect":true},"raw":""}
{"ts":1.7,"dir":"s2c","transport":"http","http":{"exchange":1,"server_aborted":true},"raw":""}
"#,
        &path,
    );
    let channels = Reader::open(&path).unwrap().channels().unwrap();
    let plain = |id| Channel { transport: Transport::HttpRequest, ..Channel::stdio(id) };
    let told = Channel { session: Some("abc".into()), version: Some("2025-11-25".into()), ..plain(3) };
    assert_eq!(channels, [Channel { transport: Transport::HttpSse, ..plain(1) }, plain(2), told]);
    let lines: Vec<String> = entries(&path)
        .iter()
        .map(|entry| {
            let text = String::from_utf8_lossy(&entry.bytes).replace("\r\n", "|").replace('\n', "/");
            format!("{} {} {:?} {} {text}", entry.channel, entry.at / 1_000_000, entry.kind, entry.flags.0)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    1 1000 Head 160 GET /sse?token=••• HTTP/1.1|Cookie: a=•••||
    1 1100 Head 0 HTTP/1.1 200||
    1 1200 Event 0 : hi/event: endpoint/id: 7/retry: 50/data: /message?s=1//
    2 1300 Head 0 POST /message?s=1 HTTP/1.1||
    2 1300 Body 32 {"id":1}
    1 1400 Event 0 data: [/data: ]//
    3 1500 Head 0 POST /mcp HTTP/1.1|MCP-Protocol-Version: 2025-11-25||
    3 1500 Body 32 {}
    3 1600 Head 0 HTTP/1.1 200|Mcp-Session-Id: abc||
    3 1600 Body 32 []
    2 1650 Head 32 HTTP/1.1 202||
    1 1700 Lifecycle 0 {"event":"http-ended","how":"client-gone"}
    "#);
    round(folder.path(), &path);
}

#[test]
#[ignore = "needs a folder of captured traffic, named by MIDWIRE_CAPTURES"]
fn every_captured_file_is_imported_whole() {
    let folder = tempfile::tempdir().unwrap();
    let captures = std::env::var_os("MIDWIRE_CAPTURES").expect("MIDWIRE_CAPTURES names a folder");
    let mut files = 0;
    for file in fs::read_dir(captures).unwrap().map(|item| item.unwrap().path()) {
        if file.extension().is_some_and(|ending| ending == "jsonl") {
            let path = folder.path().join(file.file_name().unwrap());
            let imported = take(&fs::read_to_string(&file).unwrap(), &path);
            assert_eq!(imported.first_bad, [], "{}", file.display());
            assert!(imported.entries > 0 && imported.channels > 0, "{}", file.display());
            round(folder.path(), &path);
            files += 1;
        }
    }
    assert!(files > 0);
}
