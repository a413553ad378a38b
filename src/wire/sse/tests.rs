//! Streams of events as real servers write them, cut anywhere, against a second reading of the standard.

use std::borrow::Cow;

use proptest::prelude::*;

use super::{Event, Events, data, payload};
use crate::model::EntryKind;
use crate::wire::{PIECE, Piece};

type Owned = (Vec<u8>, bool, bool);

fn cut(chunks: &[&[u8]]) -> Vec<Owned> {
    let mut events = Events::new();
    let mut pieces = Vec::new();
    let mut emit = |piece: Piece<'_>| pieces.push((piece.bytes.to_vec(), piece.first, piece.last));
    for chunk in chunks {
        events.push(chunk, &mut emit);
    }
    events.finish(&mut emit);
    assert!(!events.pending() && !events.begun());
    pieces
}

fn texts(stream: &str) -> Vec<String> {
    let pieces = cut(&[stream.as_bytes()]);
    assert!(pieces.iter().all(|(_, first, last)| *first && *last));
    pieces.into_iter().map(|(bytes, ..)| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

/// An event that a page would see: name, last id, data.
type Seen = (String, String, Vec<u8>);

/// What pages see of a stream, by Events and Event.
fn seen(pieces: &[Owned]) -> Vec<Seen> {
    let mut id = String::new();
    let mut seen = Vec::new();
    let mut whole = Vec::new();
    for (bytes, _, last) in pieces {
        whole.extend_from_slice(bytes);
        if !last {
            continue;
        }
        let event = Event::read(&whole);
        if event.complete {
            id = event.id.map_or(id, Cow::into_owned);
            if let Some(data) = event.data {
                seen.push((event.name.unwrap_or("message".into()).into_owned(), id.clone(), data.into_owned()));
            }
        }
        whole.clear();
    }
    seen
}

/// The same, as the standard's text says it, step by step and with everything in memory.
fn by_the_standard(stream: &[u8]) -> Vec<Seen> {
    let text = stream.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stream);
    let (mut name, mut id, mut last_id, mut buffer) = (String::new(), String::new(), String::new(), Vec::new());
    let (mut seen, mut line, mut at) = (Vec::new(), Vec::new(), 0);
    while at < text.len() {
        let byte = text[at];
        at += 1;
        if byte == b'\r' && text.get(at) == Some(&b'\n') {
            at += 1;
        } else if byte != b'\r' && byte != b'\n' {
            line.push(byte);
            continue;
        }
        let line = std::mem::take(&mut line);
        if line.is_empty() {
            last_id.clone_from(&id);
            let (name, mut data) = (std::mem::take(&mut name), std::mem::take(&mut buffer));
            if data.pop().is_some() {
                seen.push((if name.is_empty() { "message".to_owned() } else { name }, last_id.clone(), data));
            }
            continue;
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"event" => name = String::from_utf8_lossy(value).into_owned(),
            b"data" => buffer.extend([value, b"\n"].concat()),
            b"id" if !value.contains(&0) => id = String::from_utf8_lossy(value).into_owned(),
            _ => {}
        }
    }
    seen
}

#[test]
fn every_line_end_makes_the_same_events() {
    // T-41, T-43: the official Python SDK writes CRLF, others LF; data over several lines, comments.
    let stream = ": ping\n\nevent: message\ndata: {\"a\":\ndata:1}\nid: 7\nretry: 500\n\ndata:x\n\n";
    let expected = [": ping\n\n", "event: message\ndata: {\"a\":\ndata:1}\nid: 7\nretry: 500\n\n", "data:x\n\n"];
    for end in ["\n", "\r\n", "\r"] {
        let events = expected.map(|event| event.replace('\n', end));
        assert_eq!(texts(&stream.replace('\n', end)), events, "{end:?}");
        let event = Event::read(events[1].as_bytes());
        assert_eq!(event.data.as_deref(), Some(&b"{\"a\":\n1}"[..]));
        assert_eq!((event.name.as_deref(), event.id.as_deref()), (Some("message"), Some("7")));
        assert_eq!((event.retry, event.complete), (Some(500), true));
        let ping = Event::read(events[0].as_bytes());
        assert_eq!(ping.comments().collect::<Vec<_>>(), [b"ping"]);
        assert!(ping.data.is_none() && ping.complete);
    }
}

#[test]
fn an_event_leaves_with_its_last_byte() {
    for stream in ["data: 1\n\n", "data: 1\r\n\r\n", "data: 1\r\r", "data: 1\n\r", "data: 1\r\n\n"] {
        let mut events = Events::new();
        let mut ended = 0;
        events.push(stream.as_bytes(), &mut |piece| ended += usize::from(piece.last));
        assert_eq!((ended, events.pending()), (1, false), "{stream:?}");
    }
}

#[test]
fn a_line_feed_that_comes_late_does_no_harm() {
    assert_eq!(texts("data: 1\n\r\ndata: 2\r\r\n"), ["data: 1\n\r", "\ndata: 2\r\r", "\n"]);
    assert_eq!(data(b"\ndata: 2\r\r").as_deref(), Some(&b"2"[..]));
    assert!(Event::read(b"\n").complete && data(b"\n").is_none());
    assert_eq!(texts("data: 1\r\n\rdata: 2\r\n\r\n"), ["data: 1\r\n\r", "data: 2\r\n\r\n"]);
}

#[test]
fn what_the_standard_ignores_is_ignored() {
    let event = Event::read(b"id: a\0b\nretry: 5s\nretry: 99999999999999999999999\nDATA: x\n data: y\nfoo\n\n");
    assert!(event.complete);
    assert_eq!((event.id, event.retry, event.data, event.name), (None, None, None, None));
    let event = Event::read(b"event\nid\ndata:  x \n\n");
    assert_eq!((event.name, event.id.as_deref(), event.data.as_deref()), (None, Some(""), Some(&b" x "[..])));
    assert_eq!(data(b"id: 1\ndata:\n\n"), None, "a priming event is no message");
    assert_eq!(Event::read(b"id: 1\ndata\n\n").data.as_deref(), Some(&b""[..]));
}

#[test]
fn a_bom_at_the_start_is_passed_over_and_kept() {
    assert_eq!(texts("\u{FEFF}data: x\n\n"), ["\u{FEFF}data: x\n\n"]);
    assert_eq!(data("\u{FEFF}data: x\n\n".as_bytes()).as_deref(), Some(&b"x"[..]));
    assert_eq!(texts("\u{FEFF}\ndata: x\n\n"), ["\u{FEFF}\n", "data: x\n\n"]);
    assert_eq!(texts("\n\u{FEFF}\n\n"), ["\n", "\u{FEFF}\n\n"]);
    assert_eq!(cut(&[b"\xEF\xBB", b"\n\n\n"]).len(), 2, "half a BOM is text");
}

#[test]
fn an_event_without_its_empty_line_is_given_out_and_says_so() {
    assert_eq!(texts("data: 1\n\ndata: 2\n"), ["data: 1\n\n", "data: 2\n"]);
    assert!(!Event::read(b"data: 2\n").complete);
    assert!(!Event::read(b"data: 2").complete);
    assert!(!Event::read(b"").complete);
    assert_eq!(payload(EntryKind::Event, b"data: 2\n").as_ref(), b"2");
    assert_eq!(payload(EntryKind::Body, b"data: 2\n").as_ref(), b"data: 2\n");
}

#[test]
fn a_long_event_comes_in_pieces_and_an_endless_one_in_constant_memory() {
    let text = [b"data: ".to_vec(), vec![b'a'; 2 * PIECE], b"\r\n\r\n".to_vec()].concat();
    let shape: Vec<_> = cut(&[&text]).iter().map(|(bytes, first, last)| (bytes.len(), *first, *last)).collect();
    assert_eq!(shape, [(PIECE, true, false), (PIECE, false, false), (10, false, true)]);
    let mut events = Events::new();
    let chunk = vec![b'\r'; 1].into_iter().chain(vec![b'a'; 64 * 1024]).collect::<Vec<u8>>();
    let mut seen = 0;
    for _ in 0..200 {
        events.push(&chunk, &mut |piece| seen += piece.bytes.len());
        assert!(events.hold.capacity() <= 2 * PIECE);
    }
    events.finish(&mut |piece| seen += piece.bytes.len());
    assert_eq!(seen, 200 * chunk.len());
}

#[test]
fn a_paused_event_can_be_given_out_and_goes_on() {
    let mut events = Events::new();
    let mut pieces = Vec::new();
    let mut emit = |piece: Piece<'_>| pieces.push((piece.bytes.to_vec(), piece.first, piece.last));
    events.push(b"data: 1\r\n\r", &mut emit);
    events.flush(&mut emit);
    assert!(events.begun() && !events.pending());
    events.push(b"data: 2", &mut emit);
    events.flush(&mut emit);
    events.push(b"\r\n\r\n", &mut emit);
    let expected: [(&[u8], bool, bool); 4] =
        [(b"data: 1\r\n\r", true, false), (b"", false, true), (b"data: 2", true, false), (b"\r\n\r\n", false, true)];
    assert_eq!(pieces, expected.map(|(bytes, first, last)| (bytes.to_vec(), first, last)));
}

#[test]
fn it_is_the_same_wherever_it_is_cut() {
    let stream = "\u{FEFF}: hi\r\n\r\nid: 1\r\ndata:\r\n\r\nevent: x\rdata: \u{4e16}\u{754c}\r\rdata: a\ndata: b\n\n\
                  retry: 3\n\r\ndata: \u{1F600}\r\n\rid: \u{0}\ndata: last\n\n\r\n\ndata: lost";
    let bytes = stream.as_bytes();
    let whole = cut(&[bytes]);
    assert_eq!(seen(&whole), by_the_standard(bytes));
    for at in 0..=bytes.len() {
        let (first, second) = bytes.split_at(at);
        assert_eq!(cut(&[first, second]), whole, "cut at {at}");
    }
    assert_eq!(cut(&bytes.chunks(1).collect::<Vec<_>>()), whole);
}

proptest! {
    /// Any mixture of line ends and fields, in chunks of any size: the same events as by the standard.
    #[test]
    fn streams_read_as_the_standard_says(
        parts in prop::collection::vec(prop::sample::select(&[
            "\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "data: x", "data:", "data", "event: e", "id: 1", "id:", ": c", "\u{FEFF}",
            "\u{e9}", "a", ":", " ",
        ][..]), 0..40),
        filler in prop::sample::select([&[0; 20][..], &[PIECE - 9, PIECE - 6, PIECE - 5, PIECE, PIECE + 2]].concat()),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut stream = parts.concat().into_bytes();
        if filler > 0 {
            stream.splice(0..0, [b"data: ".to_vec(), vec![b'x'; filler]].concat());
        }
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        cuts.extend([0, stream.len()]);
        cuts.sort_unstable();
        let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();
        let pieces = cut(&chunks);
        prop_assert_eq!(&pieces, &cut(&[&stream]));
        let joined: Vec<u8> = pieces.iter().flat_map(|(bytes, ..)| bytes.iter().copied()).collect();
        prop_assert_eq!(&joined, &stream);
        prop_assert!(pieces.iter().all(|(bytes, ..)| bytes.len() <= PIECE));
        // A BOM inside the stream is text there; `Event` cannot know, and no server writes one.
        if !String::from_utf8_lossy(&stream).chars().skip(1).any(|character| character == '\u{FEFF}') {
            prop_assert_eq!(seen(&pieces), by_the_standard(&stream));
        }
    }
}
