//! Bodies in every framing, both ways, of any size.

use std::io::Write;

use midwire::model::{EntryKind, Flags, Side};
use midwire::store::Reader;
use sha2::{Digest, Sha256};

use super::message::{Message, chunk, json};
use super::tap::Tap;
use super::upstream::{Gate, Upstream};

#[test]
fn a_body_in_chunks_with_trailers_goes_both_ways() {
    let upstream = Upstream::serve(|mut socket, _| {
        let request = socket.request().expect("a request");
        assert_eq!((request.said().as_str(), request.get("Transfer-Encoding").as_str()), ("{\"a\":1}", "chunked"));
        assert_eq!(request.trailers, b"X-Sum: 7\r\n");
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: X-Took\r\n\r\n";
        socket.send(head);
        socket.send([chunk("{\"b\""), chunk(":2}"), b"0\r\nX-Took: 12ms\r\nx-more: y\r\n\r\n".to_vec()].concat());
        socket.request();
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n",
        tap.host()
    ));
    client.send([chunk("{\"a"), b"4;ext=1\r\n\":1}\r\n0\r\nX-Sum: 7\r\n\r\n".to_vec()].concat());
    let response = client.response();
    assert_eq!(
        (response.said().as_str(), &response.trailers[..]),
        ("{\"b\":2}", &b"X-Took: 12ms\r\nx-more: y\r\n"[..])
    );
    drop(client);
    let asked = tap.finish().one();
    assert_eq!((&asked.sent[..], asked.said().as_str()), (&b"{\"a\":1}"[..], "{\"b\":2}"));
    assert!(asked.trailers.contains("X-Took: 12ms") && asked.complete, "{asked:?}");
}

#[test]
fn a_body_up_to_the_close_ends_with_it() {
    let upstream = Upstream::serve(|mut socket, _| {
        socket.request().expect("a request");
        socket.send("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nup to the ");
        socket.send("close");
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.get("/mcp", &[]));
    let response = client.response();
    assert_eq!((response.status(), response.said().as_str()), (200, "up to the close"));
    let asked = tap.finish().one();
    assert_eq!((asked.said().as_str(), asked.complete), ("up to the close", true));
}

#[test]
fn compressed_bodies_pass_untouched_and_are_recorded_readable() {
    let text = r#"{"jsonrpc":"2.0","id":1,"result":{"text":"again and again and again ✓"}}"#;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes()).expect("compresses");
    let packed = encoder.finish().expect("compresses");
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        packed.len()
    );
    let upstream = Upstream::answering([head.as_bytes(), &packed].concat());
    let tap = Tap::on(&upstream);
    let response =
        tap.ask(&tap.post("/mcp", &["Accept-Encoding: gzip"], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
    assert_eq!((&response.body, response.get("Content-Encoding").as_str()), (&packed, "gzip"));
    assert_eq!(upstream.request().get("Accept-Encoding"), "gzip");
    let recorded = tap.finish();
    let asked = recorded.one();
    assert_eq!(asked.said(), text);
    let body = asked.entries.iter().find(|entry| entry.kind == EntryKind::Body && entry.side == Some(Side::Server));
    let body = body.expect("a body");
    assert!(body.flags.has(Flags::DECODED.with(Flags::ENDS)) && body.size == text.len() as u64, "{:?}", body.flags);
    assert!(recorded.trace.exchanges()[0].answer.is_some(), "and understood");
}

#[test]
fn compressed_events_leave_at_once_and_are_recorded_one_by_one() {
    let gate = Gate::new();
    let pass = gate.clone();
    let upstream = Upstream::serve(move |mut socket, _| {
        socket.request().expect("a request");
        socket.send(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
        );
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        for number in 0..4 {
            encoder.write_all(format!("data: {number}\n\n").as_bytes()).expect("compresses");
            encoder.flush().expect("compresses");
            socket.send(chunk(std::mem::take(encoder.get_mut())));
            pass.pass();
        }
        let last = encoder.finish().expect("compresses");
        socket.send([chunk(last), b"0\r\n\r\n".to_vec()].concat());
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    client.send(tap.post("/mcp", &[], "{}"));
    client.response_head("POST");
    for _ in 0..4 {
        assert!(!client.content(1).is_empty());
        gate.open();
    }
    while client.more() != Ok(None) {}
    let asked = tap.finish().one();
    assert_eq!(asked.events, ["data: 0\n\n", "data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]);
}

#[test]
fn a_character_may_be_split_between_writes() {
    let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"t\":\"é✓𝄞\u{2028}\"}}";
    let gate = Gate::new();
    let pass = gate.clone();
    let upstream = Upstream::serve(move |mut socket, _| {
        let request = socket.request().expect("a request");
        assert_eq!(request.said(), "\"é✓𝄞\"");
        let head = json(text);
        let (head, body) = head.split_at(head.len() - text.len());
        socket.send(head);
        for byte in body.bytes() {
            socket.send([byte]);
            pass.pass();
        }
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    let sent = tap.post("/mcp", &[], "\"é✓𝄞\"");
    for byte in sent.bytes() {
        client.send([byte]);
    }
    client.response_head("POST");
    let mut body = Vec::new();
    while body.len() < text.len() {
        // No byte waits for the next one.
        body.extend(client.content(1));
        gate.open();
    }
    assert_eq!(String::from_utf8(body).expect("whole characters"), text);
    let recorded = tap.finish();
    assert_eq!((recorded.one().said().as_str(), recorded.trace.exchanges().len()), (text, 0));
}

#[test]
fn a_large_body_passes_whole_and_its_head_size_and_hash_are_kept() {
    const SIZE: usize = 24 << 20;
    let body: Vec<u8> = (0..SIZE as u32 / 4).flat_map(u32::to_le_bytes).collect();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: {SIZE}\r\n\r\n");
    let answer = [head.as_bytes(), &body].concat();
    let upstream = Upstream::replying(move |request: &Message| {
        assert_eq!(request.body.len(), SIZE);
        answer.clone()
    });
    let tap = Tap::with(&upstream, &["--max-entry", "1"]);
    let mut client = tap.connect();
    client.send(format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: {SIZE}\r\n\r\n", tap.host()));
    client.send(&body);
    let response = client.response();
    assert!(response.body == body, "the same bytes");
    assert!(upstream.request().body == body, "and upstream");
    let peak = peak_memory(tap.child.id());
    assert!(peak < 64 << 10, "{peak} KiB for {SIZE} bytes");
    let recorded = tap.finish();
    let reader = Reader::open(&recorded.path).expect("opens");
    let bodies: Vec<_> = recorded.entries.iter().filter(|entry| entry.kind == EntryKind::Body).collect();
    assert_eq!(bodies.len(), 2, "one each way");
    for entry in bodies {
        assert!(entry.flags.has(Flags::TRUNCATED.with(Flags::ENDS)) && entry.size == SIZE as u64, "{:?}", entry.flags);
        assert!(entry.bytes.len() >= 1 << 20 && body.starts_with(&entry.bytes), "{} kept", entry.bytes.len());
        let hash: [u8; 32] = Sha256::digest(&body).into();
        assert_eq!(reader.sha256(entry.seq).expect("read"), Some(hash));
    }
}

#[test]
fn memory_does_not_grow_with_the_number_of_exchanges() {
    let padding = "x".repeat(10_000);
    let upstream = Upstream::serve(move |mut socket, _| {
        while socket.request().is_some() {
            socket.send(json(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{padding}"}}"#)));
        }
    });
    let tap = Tap::on(&upstream);
    let mut client = tap.connect();
    let request = tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let mut sizes = Vec::new();
    for round in 0..4000 {
        client.send(&request);
        assert_eq!(client.response().status(), 200);
        if round % 1000 == 999 {
            sizes.push(resident(tap.child.id()));
        }
    }
    // On a busy machine the queue and what the recorder took from it fill up, to 4 MiB each.
    assert!(sizes[3] < sizes[0] + (16 << 10), "KiB after each 1000 exchanges: {sizes:?}");
    assert_eq!(tap.finish().asked().len(), 4000);
}

/// Resident memory in KiB.
fn resident(pid: u32) -> u64 {
    status(pid, "VmRSS:")
}

fn peak_memory(pid: u32) -> u64 {
    status(pid, "VmHWM:")
}

fn status(pid: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let line = status.lines().find(|line| line.starts_with(name)).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}
