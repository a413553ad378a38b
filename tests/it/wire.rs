//! Real lines of several clients and servers, bent and broken at random: whatever comes in is read
//! without panic, and everything that reads JSON agrees on what it is.

use midwire::wire::{Frame, Item, Json, JsonKind, Lines, Message, Oddities, Pretty, read};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const LINES: &str = include_str!("wire/lines.jsonl");

/// One way to spoil bytes.
#[derive(Debug, Clone)]
enum Damage {
    Change(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, Index),
    Repeat(Index, Index),
    CutOff(Index),
    Swap(Index, Index),
}

fn any_damage() -> impl Strategy<Value = Damage> {
    let at = || any::<Index>();
    let odd: Vec<&[u8]> = vec![
        b"\xEF\xBB\xBF",
        b"\r\n",
        b"\n",
        b"\0",
        b"\xFF",
        b"\xE2\x80\xA8",
        b"\\",
        b"\"",
        b"\\ud83d",
        b"\\u0022",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"-",
        b"1e999",
        b"null",
        b"\"id\":2,",
        b"\"result\":{},",
        b"\"error\":null,",
        b"NaN",
        b" ",
        b"[[[[[[",
    ];
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Change(at, byte)),
        (at(), select(odd)).prop_map(|(at, bytes)| Damage::Insert(at, bytes.to_vec())),
        (at(), at()).prop_map(|(from, to)| Damage::Remove(from, to)),
        (at(), at()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        at().prop_map(Damage::CutOff),
        (at(), at()).prop_map(|(a, b)| Damage::Swap(a, b)),
    ]
}

fn damage(bytes: &mut Vec<u8>, damage: Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    // Short spans leave more of the line sound than whole halves would.
    let span = |from: Index, to: Index| from.index(length)..(from.index(length) + to.index(12)).min(length);
    match damage {
        Damage::Change(at, byte) => bytes[at.index(length)] = byte,
        Damage::Insert(at, new) => {
            bytes.splice(at.index(length)..at.index(length), new);
        }
        Damage::Remove(from, to) => {
            bytes.drain(span(from, to));
        }
        Damage::Repeat(from, to) => {
            let copy = bytes[span(from, to)].to_vec();
            bytes.splice(from.index(length)..from.index(length), copy);
        }
        Damage::CutOff(at) => bytes.truncate(at.index(length)),
        Damage::Swap(a, b) => bytes.swap(a.index(length), b.index(length)),
    }
}

fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let line = select(LINES.lines().collect::<Vec<_>>());
    let lines = prop::collection::vec(line, 1..3).prop_map(|lines| match &lines[..] {
        [first, second] => format!("[{first},{second}]").into_bytes(),
        lines => lines.concat().into_bytes(),
    });
    (lines, prop::collection::vec(any_damage(), 0..4)).prop_map(|(mut line, damages)| {
        damages.into_iter().for_each(|one| damage(&mut line, one));
        line
    })
}

/// What `read` says of a message must be what its JSON says.
fn check_message(message: &Message<'_>) -> Result<(), TestCaseError> {
    let json = message.json;
    prop_assert_eq!(json.kind(), JsonKind::Object);
    prop_assert_eq!(message.params, json.get("params"));
    prop_assert_eq!(message.result, json.get("result"));
    prop_assert_eq!(message.error, json.get("error"));
    prop_assert_eq!(message.id.is_some(), json.get("id").is_some());
    prop_assert_eq!(message.method.clone(), json.get("method").and_then(|method| method.text()));
    let is_utf8 = std::str::from_utf8(json.raw()).is_ok();
    prop_assert_eq!(message.oddities.has(Oddities::INVALID_UTF8), !is_utf8);
    Ok(())
}

fn check_frame(bytes: &[u8]) -> Result<(), TestCaseError> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let json = Json::parse(text);
    let frame = read(bytes);
    prop_assert_eq!(json.is_err(), matches!(frame, Frame::NotJson(_) | Frame::Blank));
    prop_assert_eq!(json.is_ok(), Pretty::of(bytes).is_some());
    if let Ok(text) = std::str::from_utf8(text) {
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text);
        prop_assert_eq!(json.is_ok(), theirs.is_ok(), "{}", text);
    }
    match frame {
        Frame::Message(message) => check_message(&message)?,
        Frame::Batch(items) => {
            prop_assert_eq!(items.len(), json.map_or(0, |json| json.items().count()));
            for item in items {
                if let Item::Message(message) = item {
                    check_message(&message)?;
                }
            }
        }
        Frame::NotJson(fault) => prop_assert!(fault.at <= bytes.len()),
        Frame::NotRpc { .. } | Frame::Blank => {}
    }
    Ok(())
}

#[test]
fn real_lines_are_messages_without_oddities() {
    for line in LINES.lines() {
        let Frame::Message(message) = read(line.as_bytes()) else { panic!("{line}") };
        // A server that cannot read a request answers without an id (JR-011, JR-012).
        let is_idless_error = message.error.is_some() && message.id.is_none();
        assert_eq!(message.oddities == Oddities::NONE, !is_idless_error, "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn broken_lines_are_read_alike_by_all(line in any_line()) {
        check_frame(&line)?;
    }

    #[test]
    fn a_stream_of_broken_lines_is_kept_to_the_byte(
        lines in prop::collection::vec(any_line(), 0..4),
        cut in 1..200_usize,
    ) {
        let stream = lines.join(&b'\n');
        let (mut splitter, mut joined, mut ended) = (Lines::new(), Vec::new(), 0);
        for chunk in stream.chunks(cut) {
            splitter.push(chunk, &mut |piece| {
                joined.extend_from_slice(piece.bytes);
                ended += usize::from(piece.last);
            });
        }
        splitter.finish(&mut |piece| joined.extend_from_slice(piece.bytes));
        prop_assert_eq!(&joined, &stream);
        prop_assert_eq!(ended, memchr::memchr_iter(b'\n', &stream).count());
    }
}
