//! What streams of HTTP come to in a file: entries, their flags, one end for each request.

use std::io::Write as _;

use super::*;
use crate::engine::clock::Clock;
use crate::engine::record::book::Book;
use crate::engine::record::queue::{Coding, Queue};
use crate::model::{Channel, Entry, Recording, Role, Transport};
use crate::store::{Reader, Writer};
use crate::wire::{PIECE, lifecycle};

const INPUT: Stream = Stream { channel: 7, flow: Flow::Input };
const OUTPUT: Stream = Stream { channel: 7, flow: Flow::Output };
const REQUEST: &[u8] = b"POST /mcp HTTP/1.1\r\nAuthorization: Bearer x\r\n\r\n";
const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\n\r\n";

/// A recording that is written as a recorder does it, without its thread.
struct Desk {
    _folder: tempfile::TempDir,
    queue: Queue,
    drafter: Drafter,
    draft: Draft,
    book: Book,
    writer: Writer,
}

impl Desk {
    fn new(max_entry: u64, keep_secrets: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let facts = Recording {
            name: "t".into(),
            role: Role::Tap,
            transport: Transport::HttpRequest,
            command: Vec::new(),
            left_out: 0,
            url: None,
            directory: None,
            host: None,
            recorder: 1,
            program: "0".into(),
            started: 0,
            ended: None,
            lost: 0,
        };
        let writer = Writer::create(&folder.path().join("a.midwire"), &facts).unwrap();
        Self {
            _folder: folder,
            queue: Queue::new(usize::MAX, Clock::start()),
            drafter: Drafter::new(max_entry, keep_secrets),
            draft: Draft::default(),
            book: Book::new(Stream::WHOLE),
            writer,
        }
    }

    fn open(&self, channel: ChannelId) {
        self.queue.open(Channel { transport: Transport::HttpRequest, ..Channel::stdio(channel) });
    }

    /// Request and response heads, and how the response is cut.
    fn heads(&self, framing: Framing) {
        self.open(7);
        self.queue.head(INPUT, REQUEST);
        self.queue.ended(INPUT);
        self.queue.head(OUTPUT, RESPONSE);
        self.queue.frame(OUTPUT, framing);
    }

    /// Makes drafts of all that lies in the queue; `each` gets every one.
    fn drafts(&mut self, mut each: impl FnMut(&mut Book, &mut Writer, &Draft)) {
        let mut batch = Batch::default();
        self.queue.take(&mut batch);
        while !batch.items.is_empty() {
            self.drafter.feed(&mut batch, &mut self.draft);
            assert!(self.draft.bytes.len() < 12 << 20, "a draft of {} bytes", self.draft.bytes.len());
            each(&mut self.book, &mut self.writer, &self.draft);
            self.draft.clear();
        }
    }

    fn write(&mut self) {
        self.drafts(|book, writer, draft| book.write(writer, draft).unwrap());
    }

    fn lose(&mut self) {
        self.drafts(|book, _, draft| book.lose(draft, "full"));
    }

    fn entries(&self) -> Vec<Entry> {
        Reader::open(self.writer.path()).unwrap().page(0, usize::MAX).unwrap()
    }

    /// One line for each entry.
    fn told(&self) -> Vec<String> {
        let line = |entry: Entry| {
            let text = String::from_utf8_lossy(&entry.bytes[..entry.bytes.len().min(60)]).replace(['\r', '\n'], "|");
            let side = entry.side.map_or("-", crate::model::Side::word);
            format!("{} {side} {:?} {} {text}", entry.channel, entry.kind, entry.flags.0)
        };
        self.entries().into_iter().map(line).collect()
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn an_exchange_is_heads_and_bodies_with_an_end_on_each_side() {
    let mut desk = Desk::new(u64::MAX, false);
    desk.open(7);
    desk.queue.head(INPUT, REQUEST);
    desk.queue.frame(INPUT, Framing::Body(Coding::Identity));
    desk.queue.push(INPUT, b"{\"id\":");
    desk.queue.push(INPUT, b"1}");
    desk.queue.ended(INPUT);
    desk.queue.head(OUTPUT, b"HTTP/1.1 103 Early Hints\r\n\r\n");
    desk.queue.head(OUTPUT, RESPONSE);
    desk.queue.frame(OUTPUT, Framing::Body(Coding::Gzip));
    desk.queue.push(OUTPUT, &gzip(b"{}"));
    desk.queue.head(OUTPUT, b"X-Sum: 1\r\n\r\n");
    desk.queue.ended(OUTPUT);
    desk.queue.closed(7);
    desk.write();
    let expected = [
        "7 client Head 128 POST /mcp HTTP/1.1||Authorization: Bearer •••||||",
        "7 client Body 32 {\"id\":1}",
        "7 server Head 0 HTTP/1.1 103 Early Hints||||",
        "7 server Head 0 HTTP/1.1 200 OK||||",
        "7 server Body 64 {}",
        "7 server Head 32 X-Sum: 1||||",
    ];
    assert_eq!(desk.told(), expected);
    assert!(desk.drafter.lanes.is_empty(), "nothing is kept of it");
}

#[test]
fn a_stream_of_events_ends_with_its_last_or_with_an_entry_of_its_own() {
    let mut desk = Desk::new(u64::MAX, false);
    desk.heads(Framing::Events(Coding::Identity));
    desk.queue.push(OUTPUT, b": hi\n\nid: 1\nda");
    desk.queue.push(OUTPUT, b"ta: {}\n\n");
    desk.write();
    desk.queue.ended(OUTPUT);
    desk.queue.closed(7);
    desk.write();
    let told = desk.told();
    assert_eq!(told[0], "7 client Head 160 POST /mcp HTTP/1.1||Authorization: Bearer •••||||");
    let rest = [
        "7 server Event 0 : hi||",
        "7 server Event 0 id: 1|data: {}||",
        "7 - Lifecycle 0 {\"event\":\"http-ended\",\"how\":\"complete\"}",
    ];
    assert_eq!(told[2..], rest);
    let mut desk = Desk::new(u64::MAX, true);
    desk.heads(Framing::Events(Coding::Identity));
    desk.queue.push(OUTPUT, b"data: {}\n\ndata: cut");
    desk.queue.ended(OUTPUT);
    desk.write();
    let told = desk.told();
    assert!(told[0].contains("Bearer x"), "secrets were to be kept");
    assert_eq!(told[2..], ["7 server Event 0 data: {}||", "7 server Event 36 data: cut"]);
}

#[test]
fn an_end_that_comes_late_is_noted_where_the_request_ended() {
    let mut desk = Desk::new(u64::MAX, false);
    desk.open(7);
    desk.queue.head(INPUT, REQUEST);
    desk.write();
    desk.queue.ended(INPUT);
    desk.queue.happened(7, Lifecycle::HttpEnded { how: HttpEnd::ClientGone, why: String::new() });
    desk.queue.ended(OUTPUT);
    desk.queue.happened(7, Lifecycle::HttpEnded { how: HttpEnd::Stopped, why: String::new() });
    desk.queue.closed(7);
    desk.write();
    let told = desk.told();
    assert!(told[0].starts_with("7 client Head 160 "), "{told:?}");
    assert_eq!(told[1..], ["7 - Lifecycle 0 {\"event\":\"http-ended\",\"how\":\"client-gone\"}"]);
}

#[test]
fn a_response_that_breaks_off_is_kept_as_far_as_it_came() {
    let mut desk = Desk::new(u64::MAX, false);
    desk.heads(Framing::Body(Coding::Identity));
    desk.queue.push(OUTPUT, b"{\"half\":");
    desk.write();
    let now = desk.queue.now();
    desk.drafter.paused(now + PAUSE, &mut desk.draft);
    desk.book.write(&mut desk.writer, &desk.draft).unwrap();
    desk.draft.clear();
    assert_eq!(desk.told()[2..], ["7 server Body 2 {\"half\":"]);
    assert_eq!(desk.drafter.pauses_at(), None);
    desk.drafter.finish(now, &mut desk.draft);
    desk.book.write(&mut desk.writer, &desk.draft).unwrap();
    let rest = ["7 server Body 0 {\"half\":", "7 - Lifecycle 0 {\"event\":\"http-ended\",\"how\":\"stopped\"}"];
    assert_eq!(desk.told()[2..], rest);
}

#[test]
fn compressed_events_are_seen_one_by_one() {
    let mut desk = Desk::new(u64::MAX, false);
    desk.heads(Framing::Events(Coding::Gzip));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for n in 1..=3 {
        write!(encoder, "data: {n}\n\n").unwrap();
        encoder.flush().unwrap();
        desk.queue.push(OUTPUT, &std::mem::take(encoder.get_mut()));
        desk.write();
        assert_eq!(desk.told().last().unwrap(), &format!("7 server Event 64 data: {n}||"));
    }
}

#[test]
fn what_is_not_coded_as_it_says_is_kept_as_it_came() {
    let told = |framing, chunks: &[&[u8]]| {
        let mut desk = Desk::new(u64::MAX, false);
        desk.heads(framing);
        chunks.iter().for_each(|chunk| desk.queue.push(OUTPUT, chunk));
        desk.queue.ended(OUTPUT);
        desk.write();
        desk.told()[2..].to_vec()
    };
    assert_eq!(told(Framing::Body(Coding::Gzip), &[b"{\"a\"", b":1}"]), ["7 server Body 32 {\"a\":1}"]);
    assert_eq!(told(Framing::Events(Coding::Brotli), &[b"data: 1\n\n"]), ["7 server Event 32 data: 1||"]);
    assert_eq!(told(Framing::Events(Coding::Unknown), &[b"a\n\nb"]), ["7 server Body 32 a||b"]);
    let sound = gzip(b"decoded");
    let rest = ["7 server Body 64 decoded", "7 server Body 32 more"];
    assert_eq!(told(Framing::Body(Coding::Gzip), &[&sound, b"more"]), rest);
    assert_eq!(told(Framing::Body(Coding::Gzip), &[&sound[..4]])[0].as_bytes()[..17], *b"7 server Body 32 ");
    assert_eq!(told(Framing::Body(Coding::Gzip), &[&gzip(b"")]), Vec::<String>::new());
}

#[test]
fn a_bomb_costs_neither_memory_nor_what_comes_after_it() {
    let text = vec![b' '; 40 << 20];
    let bomb = gzip(&text);
    let mut desk = Desk::new(1 << 20, false);
    desk.heads(Framing::Body(Coding::Gzip));
    desk.queue.push(OUTPUT, &bomb);
    desk.queue.ended(OUTPUT);
    desk.open(8);
    desk.queue.head(Stream { channel: 8, flow: Flow::Input }, REQUEST);
    desk.write();
    let entries = desk.entries();
    let body = &entries[2];
    let flags = Flags::DECODED.with(Flags::TRUNCATED).with(Flags::ENDS);
    assert_eq!((body.flags, body.size, body.bytes.len()), (flags, 40 << 20, 1 << 20));
    let hash: [u8; 32] = <sha2::Sha256 as sha2::Digest>::digest(&text).into();
    assert_eq!(Reader::open(desk.writer.path()).unwrap().sha256(3).unwrap(), Some(hash));
    assert_eq!(entries[3].channel, 8);
}

#[test]
fn a_large_body_is_one_entry_and_a_small_limit_holds_for_small_ones() {
    let mut desk = Desk::new(3 * PIECE as u64, false);
    desk.heads(Framing::Body(Coding::Identity));
    let large = vec![b'x'; 5 * PIECE / 2];
    large.chunks(65_536).for_each(|chunk| desk.queue.push(OUTPUT, chunk));
    desk.queue.ended(OUTPUT);
    desk.write();
    let body = desk.entries().remove(2);
    assert!((body.flags, body.size) == (Flags::ENDS, large.len() as u64) && body.bytes == large);
    let mut desk = Desk::new(4, false);
    desk.heads(Framing::Body(Coding::Identity));
    desk.queue.push(OUTPUT, b"123456");
    desk.queue.ended(OUTPUT);
    desk.write();
    let body = desk.entries().remove(2);
    assert_eq!((body.flags, body.size, &body.bytes[..]), (Flags::ENDS.with(Flags::TRUNCATED), 6, &b"1234"[..]));
}

#[test]
fn the_bodies_of_oauth_wait_until_they_are_whole_and_are_masked() {
    let mut desk = Desk::new(u64::MAX, false);
    desk.open(7);
    desk.queue.head(INPUT, b"POST /token HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n");
    desk.queue.frame(INPUT, Framing::Body(Coding::Identity));
    desk.queue.push(INPUT, b"code=sec");
    desk.write();
    let now = desk.queue.now();
    desk.drafter.paused(now + 2 * PAUSE, &mut desk.draft);
    assert!(desk.draft.steps.is_empty(), "half a secret must not be written");
    desk.queue.push(INPUT, b"ret&x=1");
    desk.queue.ended(INPUT);
    desk.queue.head(OUTPUT, b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
    desk.queue.frame(OUTPUT, Framing::Body(Coding::Gzip));
    desk.queue.push(OUTPUT, &gzip(b"{\"access_token\":\"secret\",\"expires_in\":9}"));
    desk.queue.ended(OUTPUT);
    desk.write();
    let told = desk.told();
    assert_eq!(told[1], "7 client Body 160 code=•••&x=1");
    assert_eq!(told[3], "7 server Body 224 {\"access_token\":\"•••\",\"expires_in\":9}");
    assert_eq!(desk.entries()[1].size, 15, "that on the wire");
}

#[test]
fn heads_that_were_lost_are_written_later_and_every_known_request_has_its_end() {
    let mut desk = Desk::new(u64::MAX, false);
    desk.heads(Framing::Body(Coding::Identity));
    desk.write();
    // The known one ends, one begins, and one begins and ends while nothing can be written.
    desk.queue.push(OUTPUT, b"{}");
    desk.queue.ended(OUTPUT);
    desk.queue.closed(7);
    for channel in [8, 9] {
        desk.open(channel);
        desk.queue.head(Stream { channel, flow: Flow::Input }, REQUEST);
        desk.queue.frame(Stream { channel, flow: Flow::Input }, Framing::Body(Coding::Identity));
        desk.queue.push(Stream { channel, flow: Flow::Input }, b"[]");
        desk.queue.ended(Stream { channel, flow: Flow::Input });
    }
    desk.queue.closed(9);
    desk.lose();
    assert_eq!(desk.book.lost(), 5, "a body, a body whose head is owed, and a request with its body");
    let eight = Stream { channel: 8, flow: Flow::Output };
    desk.queue.head(eight, RESPONSE);
    desk.queue.ended(eight);
    desk.queue.closed(8);
    desk.write();
    let lost = desk.book.lost();
    let told = desk.told();
    assert_eq!(told[2], "7 - Lifecycle 0 {\"event\":\"http-ended\",\"how\":\"complete\"}");
    assert!(told[3].starts_with("8 client Head 128 POST /mcp"), "{told:?}");
    assert_eq!(told[4], format!("0 - Lifecycle 16 {{\"event\":\"lost\",\"entries\":{lost},\"why\":\"full\"}}"));
    assert_eq!(told[5], "8 server Head 32 HTTP/1.1 200 OK||||");
    let known: Vec<_> =
        Reader::open(desk.writer.path()).unwrap().channels().unwrap().iter().map(|one| one.id).collect();
    assert_eq!(known, [7, 8]);
    let times: Vec<_> = desk.entries().iter().map(|entry| entry.at).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!(matches!(lifecycle::decode(&desk.entries()[2].bytes), Lifecycle::HttpEnded { .. }));
}

#[test]
fn ten_thousand_open_streams_cost_a_batch_nothing() {
    let mut desk = Desk::new(u64::MAX, false);
    for channel in 1..=10_000 {
        desk.open(channel);
        let output = Stream { channel, flow: Flow::Output };
        desk.queue.head(output, RESPONSE);
        desk.queue.frame(output, Framing::Events(Coding::Identity));
        desk.queue.push(output, b": open\n\n");
    }
    desk.write();
    desk.queue.push(Stream { channel: 5, flow: Flow::Output }, b"data: 1\n\n");
    desk.write();
    assert!(desk.drafter.watched.is_empty(), "nobody pauses");
    for channel in 1..=10_000 {
        desk.queue.closed(channel);
    }
    desk.write();
    assert!(desk.drafter.lanes.is_empty());
    assert_eq!(desk.entries().len(), 30_001);
}
