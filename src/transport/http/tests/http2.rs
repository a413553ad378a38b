//! HTTP/2, agreed on by TLS, with hyper's server.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::HeaderMap;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::secured::{acceptor, parameters, self_signed};
use super::*;

/// A response's body: whatever frames are sent to it.
struct Frames(mpsc::Receiver<Frame<Bytes>>);

impl Body for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|frame| frame.map(Ok))
    }
}

/// What a server does with a request: notes it in words, and answers.
type Answer = Box<dyn Fn(Request<Incoming>, mpsc::Sender<String>) -> Response<Frames> + Send + Sync>;

/// A connection to such a server, what it notes, and the server itself.
async fn served(answer: Answer) -> (Connection, mpsc::Receiver<String>, JoinHandle<()>) {
    let (listener, origin) = listener().await;
    let made = self_signed(&parameters("localhost"));
    let acceptor = acceptor(&made, None, b"h2");
    let (notes, noted) = mpsc::channel(100);
    let answer = Arc::new(answer);
    let server = tokio::spawn(async move {
        let stream = acceptor.accept(accept(&listener).await).await.expect("TLS");
        let service = service_fn(move |request| {
            let response = answer(request, notes.clone());
            async move { Ok::<_, Infallible>(response) }
        });
        let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        let _ = server.serve_connection(TokioIo::new(stream), service).await;
    });
    let trust = Trust { fingerprint: Some(certificate::fingerprint(&made.der)), ..Trust::default() };
    let connector = Connector::new(&trust, Proxies::none()).expect("no files");
    let origin = Origin { tls: true, host: "localhost".to_owned(), port: origin.port };
    let connection = connector.connect(&origin).await.expect("connected");
    assert_eq!(connection.protocol(), "HTTP/2");
    (connection, noted, server)
}

/// Sends back each piece of the request's body as it comes, and its trailers.
fn echo(request: Request<Incoming>, notes: mpsc::Sender<String>) -> Response<Frames> {
    let (frames, body) = mpsc::channel(1);
    let (parts, mut incoming) = request.into_parts();
    tokio::spawn(async move {
        notes.send(format!("{} {} {:?}", parts.method, parts.uri, parts.headers)).await.expect("listened to");
        while let Some(frame) = incoming.frame().await {
            match frame {
                Ok(frame) => {
                    if frames.send(frame).await.is_err() {
                        break;
                    }
                }
                Err(error) => {
                    notes.send(format!("reset: {error:?}")).await.expect("listened to");
                    break;
                }
            }
        }
        let _ = notes.send("over".to_owned()).await;
    });
    Response::builder().header("X-Kind", "echo").body(Frames(body)).expect("a response")
}

#[tokio::test]
async fn bodies_and_trailers_stream_both_ways_without_what_is_of_one_connection_only() {
    let (mut connection, mut noted, _) = served(Box::new(echo)).await;
    let head = HeadWriter::request("POST", "/mcp?x=1")
        .field("Host", "real.test")
        .field("Connection", "keep-alive, X-Hop")
        .field("Keep-Alive", "timeout=5")
        .field("X-Hop", "1")
        .field("TE", "trailers")
        .field("Transfer-Encoding", "chunked")
        .field("Mcp-Method", "ping")
        .finish();
    for _ in 0..2 {
        let (mut sending, mut hearing) = connection.send(&head).expect("sent");
        let Ok(Heard::Head(heard)) = hearing.next().await else { panic!("no head") };
        assert!(
            heard.raw().starts_with(b"HTTP/2 200\r\nx-kind: echo\r\n"),
            "{:?}",
            String::from_utf8_lossy(heard.raw())
        );
        assert_eq!((heard.status(), hearing.length()), (Some(200), BodyLength::Chunked));
        assert_eq!(
            noted.recv().await.expect("noted"),
            "POST https://real.test/mcp?x=1 {\"te\": \"trailers\", \"mcp-method\": \"ping\"}"
        );
        for piece in [&b"one"[..], b"two"] {
            sending.data(piece).await.expect("sent");
            assert!(matches!(hearing.next().await, Ok(Heard::Data(bytes)) if bytes == piece));
        }
        sending.finish(b"Mcp-Sum: 6\r\n\r\n").await.expect("sent");
        assert_eq!(all(&mut hearing).await, ["trailers mcp-sum: 6"]);
        assert_eq!(noted.recv().await.as_deref(), Some("over"));
        assert!(connection.reusable());
    }
}

#[tokio::test]
async fn a_large_body_goes_through_whole_and_a_client_that_waits_for_100_is_not_kept_waiting() {
    let (mut connection, _noted, _) = served(Box::new(echo)).await;
    let head = request("POST", "/", &[("Content-Length", "3000000"), ("Expect", "100-continue")]);
    let (mut sending, mut hearing) = connection.send(&head).expect("sent");
    assert!(matches!(hearing.next().await, Ok(Heard::Head(head)) if head.status() == Some(100)));
    let piece = vec![b'x'; 30_000];
    let upload = async {
        for _ in 0..100 {
            sending.data(&piece).await.expect("sent");
        }
        sending.finish(b"").await.expect("sent");
    };
    let (heard, ()) = tokio::join!(all(&mut hearing), upload);
    assert_eq!(heard[0], "head 200");
    assert_eq!((heard.len(), heard[1].len()), (2, "data ".len() + 3_000_000));
}

#[tokio::test]
async fn giving_up_an_exchange_resets_its_stream_and_keeps_the_connection() {
    let (mut connection, mut noted, _) = served(Box::new(echo)).await;
    for _ in 0..2 {
        let (mut sending, mut hearing) =
            connection.send(&request("POST", "/", &[("Content-Length", "9")])).expect("sent");
        sending.data(b"half").await.expect("sent");
        assert!(matches!(hearing.next().await, Ok(Heard::Head(_))));
        assert!(noted.recv().await.expect("noted").starts_with("POST "));
        drop((sending, hearing));
        let reset = noted.recv().await.expect("noted");
        assert!(reset.starts_with("reset: "), "{reset}");
        assert_eq!(noted.recv().await.as_deref(), Some("over"));
    }
    assert!(connection.reusable());
}

#[tokio::test]
async fn what_the_server_says_of_lengths_and_ends_is_heard() {
    let (mut connection, _noted, server) = served(Box::new(|request, _| {
        let (frames, body) = mpsc::channel(1);
        let path = request.uri().path().to_owned();
        let is_head = request.method() == "HEAD";
        tokio::spawn(async move {
            if path == "/body" && !is_head {
                let _ = frames.send(Frame::data(Bytes::from_static(b"{}"))).await;
                let _ = frames.send(Frame::trailers(HeaderMap::new())).await;
            }
        });
        let response = Response::builder().status(if request.uri().path() == "/none" { 204 } else { 200 });
        let response = if request.uri().path() == "/body" { response.header("Content-Length", 2) } else { response };
        response.body(Frames(body)).expect("a response")
    }))
    .await;
    for (method, target, length) in [
        ("GET", "/body", BodyLength::Exact(2)),
        ("GET", "/none", BodyLength::None),
        ("HEAD", "/body", BodyLength::None),
        ("GET", "/other", BodyLength::Chunked),
    ] {
        let (mut sending, mut hearing) = connection.send(&request(method, target, &[])).expect("sent");
        sending.finish(b"").await.expect("sent");
        assert!(matches!(hearing.next().await, Ok(Heard::Head(_))));
        assert_eq!(hearing.length(), length, "{method} {target}");
        let rest = all(&mut hearing).await;
        assert_eq!(rest.is_empty(), !matches!(length, BodyLength::Exact(_)), "{rest:?}");
    }
    let unfit = HeadWriter::request("GET", "/").field("Host", "a.test").field("X Y", "1").finish();
    assert!(connection.send(&unfit).is_err_and(|broken| !broken.is_gone()));
    server.abort();
    connection.closed().await;
    assert!(!connection.reusable());
}

#[tokio::test]
async fn a_server_that_dies_in_a_response_is_heard_of() {
    let (mut connection, mut noted, server) = served(Box::new(echo)).await;
    let (_sending, mut hearing) = connection.send(&request("POST", "/", &[("Content-Length", "9")])).expect("sent");
    assert!(matches!(hearing.next().await, Ok(Heard::Head(_))));
    noted.recv().await;
    server.abort();
    let broken = hearing.next().await.expect_err("broken");
    assert!(broken.is_gone() && broken.to_string().starts_with("exchange messages by HTTP/2: "), "{broken}");
}
