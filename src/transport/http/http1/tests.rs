//! Messages cut in every way, and connections that end where they should not.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use proptest::prelude::*;
use tokio::io::{AsyncWrite, AsyncWriteExt, duplex, simplex};

use super::*;
use crate::wire::http::BodyLength;

const HEAD: &str = "POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Everything that is heard of a body, data and trailers each in one.
async fn hear<R: tokio::io::AsyncRead + Unpin>(reader: &mut Reader<R>) -> (Vec<u8>, Vec<u8>, Result<(), Broken>) {
    let (mut data, mut trailers) = (Vec::new(), Vec::new());
    loop {
        match reader.next().await {
            Ok(Heard::Data(bytes)) => data.extend_from_slice(bytes),
            Ok(Heard::Trailers(lines)) => trailers = lines,
            Ok(Heard::Head(_)) => panic!("a body has no head"),
            Ok(Heard::End) => return (data, trailers, Ok(())),
            Err(broken) => return (data, trailers, Err(broken)),
        }
    }
}

#[tokio::test]
async fn a_message_is_read_whatever_pieces_it_comes_in() {
    let body = "5;x=y\r\nhello\r\n1\r\n \r\nA\r\n0123456789\r\n0\r\nMcp-Sum: 16\r\n\r\n";
    let wire = format!("{HEAD}{body}GET / HTTP/1.1\r\n\r\n");
    for size in 1..wire.len() {
        let (receiving, mut sending) = simplex(1 << 16);
        let mut reader = Reader::new(receiving, Peer::Client);
        let pieces = async {
            for piece in wire.as_bytes().chunks(size) {
                sending.write_all(piece).await.expect("room");
                tokio::task::yield_now().await;
            }
        };
        let read = async {
            let head = reader.head().await.expect("is whole").expect("is there");
            assert_eq!(head.raw(), HEAD.as_bytes());
            reader.body(BodyLength::Chunked);
            let (data, trailers, end) = hear(&mut reader).await;
            assert!(end.is_ok() && reader.is_over());
            assert_eq!((&data[..], &trailers[..]), (&b"hello 0123456789"[..], &b"Mcp-Sum: 16\r\n\r\n"[..]));
            let next = reader.head().await.expect("is whole").expect("is there");
            assert_eq!(next.method(), "GET");
        };
        tokio::join!(pieces, read);
    }
}

#[tokio::test]
async fn a_chunk_is_handed_out_before_the_next_one_comes() {
    let (mut sending, receiving) = duplex(1 << 16);
    let mut reader = Reader::new(receiving, Peer::Server);
    reader.body(BodyLength::Chunked);
    for _ in 0..3 {
        sending.write_all(b"14\r\ndata: 0123456789\r\n\r\n\r\n").await.expect("room");
        assert!(matches!(reader.next().await, Ok(Heard::Data(b"data: 0123456789\r\n\r\n"))));
    }
    // A chunk larger than what came of it, too.
    sending.write_all(b"FFFF\r\nevent").await.expect("room");
    assert!(matches!(reader.next().await, Ok(Heard::Data(b"event"))));
}

#[tokio::test]
async fn what_ends_too_early_says_where() {
    let read = async |wire: &'static [u8], length: Option<BodyLength>| {
        let mut reader = Reader::new(wire, Peer::Server);
        match length {
            None => reader.head().await.map(|head| assert!(head.is_none())),
            Some(length) => {
                reader.body(length);
                hear(&mut reader).await.2
            }
        }
    };
    assert!(read(b"", None).await.is_ok());
    let said = read(b"HTTP/1.1 200 OK\r\nServer: ", None).await.expect_err("cut").to_string();
    assert_eq!(said, "read the server's response: the server closed the connection after 25 bytes of its head");
    let said = read(b"0123456789", Some(BodyLength::Exact(100))).await.expect_err("cut").to_string();
    assert!(said.ends_with("closed the connection after 10 of 100 bytes of the body"), "{said}");
    let said = read(b"5\r\nab", Some(BodyLength::Chunked)).await.expect_err("cut").to_string();
    assert!(said.ends_with("closed the connection after 2 bytes of the body"), "{said}");
    assert!(read(b"0123456789", Some(BodyLength::UntilClose)).await.is_ok());
    assert!(matches!(read(b"\x15\x03\x01\x00\x02\x02\x28", None).await, Err(Broken::Tls { .. })));
    assert!(matches!(read(b"zz\r\n", Some(BodyLength::Chunked)).await, Err(Broken::Chunk { .. })));
    assert!(matches!(read(b"SSH-2.0-OpenSSH_9.6\r\n", None).await, Err(Broken::Head { .. })));
}

#[tokio::test]
async fn memory_is_bounded_for_heads_and_for_bodies() {
    let wire = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(300_000));
    let mut reader = Reader::new(wire.as_bytes(), Peer::Client);
    assert!(matches!(reader.head().await, Err(Broken::HeadTooLarge { .. } | Broken::Head { .. })));
    let mut wire = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(200_000)).into_bytes();
    let body = vec![b'x'; 3 << 20];
    wire.extend_from_slice(&body);
    let mut reader = Reader::new(&wire[..], Peer::Client);
    assert_eq!(reader.head().await.expect("is whole").expect("is there").raw().len(), wire.len() - body.len());
    reader.body(BodyLength::Exact(body.len() as u64));
    assert_eq!(hear(&mut reader).await.0.len(), body.len());
    assert!(reader.capacity() <= 64 << 10, "{}", reader.capacity());
}

#[tokio::test]
async fn an_idle_connection_is_watched_and_what_comes_is_kept() {
    let (mut sending, receiving) = duplex(1 << 16);
    let mut reader = Reader::new(receiving, Peer::Client);
    sending.write_all(b"GET /2 HTTP/1.1\r\n\r\n").await.expect("room");
    tokio::select! {
        biased;
        () = reader.closed() => panic!("it is open"),
        () = tokio::task::yield_now() => {}
    }
    drop(sending);
    reader.closed().await;
    reader.closed().await;
    assert_eq!(reader.head().await.expect("is whole").expect("was kept").target(), "/2");
    assert!(reader.head().await.expect("a clean end").is_none());
}

/// Keeps what is written, write by write, and takes at most `at_once` bytes each time.
#[derive(Default)]
struct Writes {
    each: Vec<Vec<u8>>,
    at_once: Option<usize>,
    stalls: bool,
}

impl AsyncWrite for Writes {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if std::mem::take(&mut self.stalls) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let count = bytes.len().min(self.at_once.unwrap_or(usize::MAX));
        self.stalls = self.at_once.is_some();
        self.each.push(bytes[..count].to_vec());
        Poll::Ready(Ok(count))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn what_lies_ready_together_leaves_together() {
    let mut writes = Writes::default();
    let mut writer = Writer::new(&mut writes, Peer::Client);
    writer.head(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", BodyLength::Chunked);
    writer.data(b"{}").await.expect("written");
    assert!(writer.holds());
    writer.finish(b"").await.expect("written");
    assert!(!writer.holds() && writer.is_over());
    writer.head(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", BodyLength::Exact(2));
    writer.flush().await.expect("written");
    writer.data(b"{}").await.expect("written");
    writer.finish(b"A: b\r\n\r\n").await.expect("written");
    let written: Vec<_> = writes.each.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
    assert_eq!(
        written,
        [
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n",
            "{}",
        ]
    );
}

#[tokio::test]
async fn a_flush_that_was_given_up_is_gone_on_with() {
    let mut writes = Writes { at_once: Some(3), ..Writes::default() };
    let mut writer = Writer::new(&mut writes, Peer::Client);
    writer.head(b"HTTP/1.1 204 No Content\r\n\r\n", BodyLength::None);
    while writer.holds() {
        tokio::select! {
            biased;
            done = writer.flush() => done.expect("written"),
            () = std::future::ready(()) => {}
        }
    }
    writer.finish(b"").await.expect("written");
    assert_eq!(writes.each.concat(), b"HTTP/1.1 204 No Content\r\n\r\n");
}

#[tokio::test]
async fn a_body_of_another_length_than_announced_is_not_passed_off_as_whole() {
    let mut writer = Writer::new(tokio::io::sink(), Peer::Server);
    writer.head(b"", BodyLength::Exact(3));
    assert!(matches!(writer.data(b"four").await, Err(Broken::Length { left: -1, .. })));
    writer.data(b"12").await.expect("fits");
    let said = writer.finish(b"").await.expect_err("too short").to_string();
    assert!(said.contains("1 bytes are missing"), "{said}");
    assert!(!writer.is_over());
    // The answer to HEAD has the length that the one to GET has, and no body.
    writer.head(b"", BodyLength::None);
    writer.data(b"ignored").await.expect("ignored");
    writer.finish(b"").await.expect("whole");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(
        pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40_000), 0..6),
        at_once in 1_usize..30_000, chunked: bool, flushes: bool,
    ) {
        let whole = pieces.concat();
        let length = if chunked { BodyLength::Chunked } else { BodyLength::Exact(whole.len() as u64) };
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (read, trailers) = runtime.block_on(async {
            let mut writes = Writes { at_once: Some(at_once), ..Writes::default() };
            let mut writer = Writer::new(&mut writes, Peer::Server);
            writer.head(b"", length);
            for piece in &pieces {
                writer.data(piece).await.expect("written");
                if flushes {
                    writer.flush().await.expect("written");
                }
            }
            writer.finish(b"T: 1\r\n\r\n").await.expect("written");
            let wire = writes.each.concat();
            let mut reader = Reader::new(&wire[..], Peer::Server);
            reader.body(length);
            let (read, trailers, end) = hear(&mut reader).await;
            assert!(end.is_ok());
            (read, trailers)
        });
        prop_assert_eq!(read, whole);
        prop_assert_eq!(trailers.is_empty(), !chunked);
    }
}
