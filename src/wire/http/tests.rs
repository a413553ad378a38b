//! Heads as they come from real clients and servers, and as they should not come.

use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Head {
    Head::parse(text.as_bytes()).expect("is a head").expect("is whole")
}

fn fault(text: &str) -> String {
    Head::parse(text.as_bytes()).expect_err("is refused").to_string()
}

const REQUEST: &str =
    "POST /mcp?x=1 HTTP/1.1\r\nHost: a:1\r\nmCP-method:  tools/call \r\nAccept: a\r\nAccept: b\r\nX: \u{e9}\r\n\r\n";

#[test]
fn a_request_is_read_as_it_was_sent() {
    let head = parse(&format!("{REQUEST}{{}}"));
    assert_eq!(head.raw(), REQUEST.as_bytes());
    assert_eq!((head.method(), head.target(), head.minor()), ("POST", "/mcp?x=1", 1));
    assert!(head.is_request() && !head.is_trailers() && head.status().is_none() && head.reason().is_empty());
    assert_eq!(head.text("Mcp-Method").as_deref(), Some("tools/call"));
    assert_eq!(head.all("accept").collect::<Vec<_>>(), [b"a", b"b"]);
    assert_eq!(head.get("x"), Some("\u{e9}".as_bytes()));
    let names: Vec<_> = head.fields().map(|field| String::from_utf8_lossy(field.name).into_owned()).collect();
    assert_eq!(names, ["Host", "mCP-method", "Accept", "Accept", "X"]);
    let lines: Vec<u8> = head.fields().flat_map(|field| field.raw.to_vec()).collect();
    assert_eq!([head.start_line(), &lines, b"\r\n"].concat(), head.raw());
}

#[test]
fn a_response_is_read_and_so_is_one_that_is_not_quite_right() {
    let head = parse("HTTP/1.1 404 Not Found\r\nA: b\r\n\r\n");
    assert_eq!((head.status(), head.reason(), head.minor()), (Some(404), "Not Found", 1));
    assert_eq!((head.method(), head.target()), ("", ""));
    assert_eq!(parse("HTTP/1.0 200\r\n\r\n").status(), Some(200));
    let odd = parse("\r\n\nHTTP/1.1 200 OK\nname : v\r\nno field\nlong: one\r\n  two\r\n\n");
    assert_eq!((odd.status(), odd.reason()), (Some(200), "OK"));
    let fields: Vec<_> = odd.fields().map(|field| (field.name, field.value)).collect();
    assert_eq!(fields, [(&b"name"[..], &b"v"[..]), (b"", b"no field"), (b"long", b"one\r\n  two")]);
}

#[test]
fn what_is_no_head_is_refused_at_its_first_bytes() {
    assert!(fault("\x16\x03\x01\x02").contains("not HTTP"));
    assert!(fault("PRI * HTTP/2.0\r\n").contains("HTTP/2"));
    assert!(fault("{\"jsonrpc\":").contains("not HTTP"));
    assert!(fault(&"a".repeat(300)).contains("not HTTP"));
    assert!(fault("hello there\r\n\r\n").contains("not HTTP"));
    assert!(fault("GET / HTTP/3.0\r\n\r\n").contains("version"));
    assert!(fault("HTTP/1.1 2x0 OK\r\n\r\n").contains("status"));
    assert!(fault(&format!("GET / HTTP/1.1\r\nA: {}", "b".repeat(LONGEST_HEAD))).contains("256 KiB"));
}

#[test]
fn a_request_that_two_parties_may_read_differently_is_refused() {
    assert!(fault("GET / HTTP/1.1\r\nContent-Length : 5\r\n\r\n").contains("name"));
    assert!(fault("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n").contains("name"));
    assert!(fault("GET / HTTP/1.1\r\nA: b\0c\r\n\r\n").contains("control"));
    assert!(fault("GET /a b HTTP/1.1\r\n\r\n").contains("version"));
}

#[test]
fn the_length_of_a_request_is_told_or_it_is_refused() {
    let of = |fields: &str| request_length(&parse(&format!("POST / HTTP/1.1\r\n{fields}\r\n")));
    assert_eq!(of(""), Ok(BodyLength::None));
    assert_eq!(of("Content-Length: 12\r\n"), Ok(BodyLength::Exact(12)));
    assert_eq!(of("Content-Length: 12\r\ncontent-length: 12, 12\r\n"), Ok(BodyLength::Exact(12)));
    assert_eq!(of("Transfer-Encoding: gzip, Chunked\r\n"), Ok(BodyLength::Chunked));
    for refused in [
        "Content-Length: 12\r\nContent-Length: 13\r\n",
        "Content-Length: 1,2\r\n",
        "Content-Length: +5\r\n",
        "Content-Length:\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, gzip\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding:\r\n",
    ] {
        assert!(matches!(of(refused), Err(HeadFault::Length { .. })), "{refused}");
    }
    let old = parse("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n");
    assert!(request_length(&old).is_err());
}

#[test]
fn the_length_of_a_response_depends_on_what_was_asked() {
    let of = |status: u16, fields: &str, method: &str| {
        response_length(&parse(&format!("HTTP/1.1 {status} x\r\n{fields}\r\n")), method)
    };
    assert_eq!(of(200, "", "GET"), Ok(BodyLength::UntilClose));
    assert_eq!(of(200, "Content-Length: 3\r\n", "POST"), Ok(BodyLength::Exact(3)));
    assert_eq!(of(200, "Content-Length: 3\r\n", "HEAD"), Ok(BodyLength::None));
    assert_eq!(of(304, "Content-Length: 3\r\n", "GET"), Ok(BodyLength::None));
    assert_eq!(of(103, "", "GET"), Ok(BodyLength::None));
    assert_eq!(of(200, "", "CONNECT"), Ok(BodyLength::None));
    assert_eq!(of(407, "Content-Length: 3\r\n", "CONNECT"), Ok(BodyLength::Exact(3)));
    assert_eq!(of(200, "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "GET"), Ok(BodyLength::Chunked));
    assert_eq!(of(200, "Transfer-Encoding: gzip\r\n", "GET"), Ok(BodyLength::UntilClose));
    assert!(of(200, "Content-Length: 3\r\nContent-Length: 4\r\n", "GET").is_err());
}

#[test]
fn trailers_and_damaged_heads_are_read_somehow() {
    let trailers = Head::read(b"Grpc-Status: 0\r\nX: HTTP/1.1\r\n\r\n");
    assert!(trailers.is_trailers() && trailers.start_line().is_empty());
    assert_eq!((trailers.get("x"), trailers.fields().count()), (Some(&b"HTTP/1.1"[..]), 2));
    let cut = Head::read(b"POST /mcp HTTP/1.1\r\nHost: a\r\nAuthoriz");
    assert_eq!((cut.method(), cut.text("host").as_deref(), cut.fields().count()), ("POST", Some("a"), 2));
    assert!(Head::read(b"").is_trailers());
    let spaced = Head::read(b"GET /a b HTTP/1.1\r\n\r\n");
    assert_eq!((spaced.method(), spaced.target()), ("GET", "/a b"));
    assert_eq!(Head::read(b"GET \xFF/ HTTP/1.1\r\n").target(), "");
    assert_eq!(Head::read(b"HTTP/2 200\r\nserver: x\r\n\r\n").status(), Some(200));
}

#[test]
fn a_written_head_stays_one_head() {
    let seen = parse(REQUEST);
    let mut writer = HeadWriter::like(&seen);
    writer.field("Host", "b");
    seen.fields().filter(|field| !field.is("host")).for_each(|field| {
        writer.raw(field);
    });
    assert_eq!(writer.finish().raw(), REQUEST.replace("a:1", "b").as_bytes());
    let forged = HeadWriter::request("GET", "/a b\r\nX: y").field("A", "b\r\nEvil: 1\0").finish();
    assert_eq!(forged.raw(), b"GET /a%20b%0D%0AX:%20y HTTP/1.1\r\nA: b  Evil: 1 \r\n\r\n");
    let answer = HeadWriter::response(502, "Bad\r\nGateway").finish();
    assert_eq!((answer.status(), answer.reason()), (Some(502), "Bad  Gateway"));
    let moved = HeadWriter::with_target(&parse("OPTIONS / HTTP/1.0\r\n\r\n"), "*").finish();
    assert_eq!(moved.raw(), b"OPTIONS * HTTP/1.0\r\n\r\n");
}

#[test]
fn a_head_is_the_same_wherever_it_is_cut() {
    for text in [REQUEST, "HTTP/1.1 200 OK\nA: b\r\n c\n\r\n", "\r\nGET / HTTP/1.0\n\n"] {
        for end in 0..text.len() {
            assert_eq!(Head::parse(&text.as_bytes()[..end]), Ok(None), "{end} of {text:?}");
        }
        assert_eq!(parse(&format!("{text}more")), parse(text));
    }
}

proptest! {
    /// Pieces of heads in any order never panic, and what is found is found again in the recording.
    #[test]
    fn whatever_comes_is_read_alike_from_the_wire_and_from_disk(
        parts in prop::collection::vec(prop::sample::select(&[
            "GET ", "HTTP/1.1", " ", "200", "/", "\r\n", "\n", "\r", "A:", ": ", "b", "\t", "\0", "\u{e9}", "Content-Length: 1",
        ][..]), 0..24),
    ) {
        let text = parts.concat();
        let recorded = Head::read(text.as_bytes());
        let raw: Vec<u8> = recorded.fields().flat_map(|field| field.raw.to_vec()).collect();
        prop_assert!(text.as_bytes().starts_with(&[recorded.start_line(), &raw].concat()));
        let _ = (recorded.method(), recorded.target(), recorded.reason(), response_length(&recorded, "GET"));
        if let Ok(Some(head)) = Head::parse(text.as_bytes()) {
            prop_assert!(head.is_request() || head.status().is_some());
            prop_assert_eq!(&Head::read(head.raw()), &head);
        }
    }
}
