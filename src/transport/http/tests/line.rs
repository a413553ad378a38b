//! The client's role in HTTP/1.1, with servers that do everything that is allowed and some things that
//! are not.

use super::*;

const CHUNKED: (&str, &str) = ("Transfer-Encoding", "chunked");

#[tokio::test]
async fn one_request_after_the_other_goes_over_one_connection() {
    let (mut connection, mut server) = pair().await;
    for number in 0..3 {
        let body = format!("{{\"id\":{number}}}");
        let length = body.len().to_string();
        let head = request("POST", "/mcp", &[("Content-Length", &length), ("mcp-METHOD", "ping")]);
        let (mut sending, mut hearing) = connection.send(&head).expect("sent");
        sending.data(body.as_bytes()).await.expect("sent");
        sending.finish(b"").await.expect("sent");
        let came = read_until(&mut server, "}").await;
        assert_eq!(came.as_bytes(), [head.raw(), body.as_bytes()].concat());
        say(&mut server, "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            .await;
        assert_eq!(all(&mut hearing).await, ["head 103", "head 200", "data {}"]);
        assert!(connection.reusable());
    }
    drop(server);
    connection.closed().await;
}

#[tokio::test]
async fn a_body_that_waits_for_100_is_sent_only_after_it() {
    let (mut connection, mut server) = pair().await;
    let head = request("POST", "/", &[("Expect", "100-continue"), ("Content-Length", "4")]);
    let (mut sending, mut hearing) = connection.send(&head).expect("sent");
    sending.flush().await.expect("sent");
    read_until(&mut server, "\r\n\r\n").await;
    say(&mut server, "HTTP/1.1 100 Continue\r\n\r\n").await;
    assert!(matches!(hearing.next().await, Ok(Heard::Head(head)) if head.status() == Some(100)));
    sending.data(b"body").await.expect("sent");
    sending.finish(b"").await.expect("sent");
    assert_eq!(read_until(&mut server, "body").await, "body");
    say(&mut server, "HTTP/1.1 204 No Content\r\n\r\n").await;
    assert_eq!(all(&mut hearing).await, ["head 204"]);
    assert!(connection.reusable());
}

#[tokio::test]
async fn the_response_streams_while_the_request_still_does() {
    let (mut connection, mut server) = pair().await;
    let (mut sending, mut hearing) = connection.send(&request("POST", "/", &[CHUNKED])).expect("sent");
    sending.flush().await.expect("sent");
    read_until(&mut server, "\r\n\r\n").await;
    say(&mut server, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    assert!(matches!(hearing.next().await, Ok(Heard::Head(_))));
    assert_eq!(hearing.length(), BodyLength::Chunked);
    for _ in 0..3 {
        sending.data(b"ping").await.expect("sent");
        sending.flush().await.expect("sent");
        assert_eq!(read_until(&mut server, "ping\r\n").await, "4\r\nping\r\n");
        say(&mut server, "4\r\npong\r\n").await;
        assert!(matches!(hearing.next().await, Ok(Heard::Data(b"pong"))));
    }
    sending.finish(b"Sum: 3\r\n\r\n").await.expect("sent");
    assert_eq!(read_until(&mut server, "\r\n\r\n").await, "0\r\nSum: 3\r\n\r\n");
    say(&mut server, "0\r\nSum: 4\r\n\r\n").await;
    assert_eq!(all(&mut hearing).await, ["trailers Sum: 4"]);
    assert!(connection.reusable());
}

#[tokio::test]
async fn the_answer_to_head_has_no_body_whatever_length_it_says() {
    let (mut connection, mut server) = pair().await;
    let (mut sending, mut hearing) = connection.send(&request("HEAD", "/", &[])).expect("sent");
    sending.finish(b"").await.expect("sent");
    say(&mut server, "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n").await;
    assert_eq!(all(&mut hearing).await, ["head 200"]);
    assert!(connection.reusable());
}

#[tokio::test]
async fn an_early_answer_is_heard_although_the_request_broke_off() {
    let (mut connection, mut server) = pair().await;
    let (mut sending, mut hearing) = connection.send(&request("POST", "/", &[("Content-Length", "9")])).expect("sent");
    sending.flush().await.expect("sent");
    say(&mut server, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig").await;
    assert_eq!(all(&mut hearing).await, ["head 413", "data big"]);
    // The request was not sent to its end, so nothing may follow it.
    assert!(!connection.reusable());
}

#[tokio::test]
async fn whoever_closes_the_connection_has_the_next_request_go_over_another() {
    let ends = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive, Close\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\n\r\nuntil it closes", false),
    ];
    for (answer, kept) in ends {
        let (mut connection, mut server) = pair().await;
        let (mut sending, mut hearing) = connection.send(&request("GET", "/", &[])).expect("sent");
        sending.finish(b"").await.expect("sent");
        say(&mut server, answer).await;
        if !kept {
            drop(server);
        }
        all(&mut hearing).await;
        assert_eq!(connection.reusable(), kept, "{answer:?}");
    }
}

#[tokio::test]
async fn a_connection_that_ends_in_a_message_says_how_far_it_got() {
    let (mut connection, mut server) = pair().await;
    let (mut sending, mut hearing) = connection.send(&request("GET", "/", &[])).expect("sent");
    sending.finish(b"").await.expect("sent");
    read_until(&mut server, "\r\n\r\n").await;
    say(&mut server, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345").await;
    drop(server);
    let heard = all(&mut hearing).await;
    assert_eq!(heard[..2], ["head 200", "data 12345"]);
    assert!(heard[2].contains("closed the connection after 5 of 10 bytes of the body"), "{heard:?}");

    let (mut connection, server) = pair().await;
    let (mut sending, mut hearing) = connection.send(&request("GET", "/", &[])).expect("sent");
    sending.finish(b"").await.expect("sent");
    server.readable().await.expect("the request");
    // What was not read makes the system reset the connection.
    drop(server);
    let broken = hearing.next().await.expect_err("reset");
    assert!(broken.is_gone());
    assert_eq!(broken.to_string(), "read the server's response: the server reset the connection");

    let (mut connection, mut server) = pair().await;
    let (mut sending, mut hearing) = connection.send(&request("GET", "/", &[])).expect("sent");
    sending.finish(b"").await.expect("sent");
    read_until(&mut server, "\r\n\r\n").await;
    drop(server);
    assert!(matches!(hearing.next().await, Err(Broken::ClosedBefore)));
}

#[tokio::test]
async fn after_an_upgrade_bytes_go_both_ways() {
    let (mut connection, mut server) = pair().await;
    let head = request("GET", "/", &[("Connection", "Upgrade"), ("Upgrade", "websocket")]);
    let (mut sending, mut hearing) = connection.send(&head).expect("sent");
    sending.finish(b"").await.expect("sent");
    read_until(&mut server, "\r\n\r\n").await;
    say(&mut server, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nhello").await;
    assert!(matches!(hearing.next().await, Ok(Heard::Head(head)) if head.status() == Some(101)));
    sending.upgrade();
    assert!(matches!(hearing.next().await, Ok(Heard::Data(b"hello"))));
    sending.data(b"0\r\n\r\nGET ").await.expect("sent");
    sending.flush().await.expect("sent");
    assert_eq!(read_until(&mut server, "GET ").await, "0\r\n\r\nGET ");
    sending.finish(b"").await.expect("closed");
    assert_eq!(server.read(&mut [0; 9]).await.expect("an end"), 0);
    say(&mut server, "bye").await;
    drop(server);
    assert_eq!(all(&mut hearing).await, ["data bye"]);
    assert!(!connection.reusable());
}

#[tokio::test]
async fn dropping_a_connection_in_an_exchange_closes_it_at_once() {
    let (mut connection, mut server) = pair().await;
    let (mut sending, _) = connection.send(&request("GET", "/", &[])).expect("sent");
    sending.finish(b"").await.expect("sent");
    read_until(&mut server, "\r\n\r\n").await;
    drop(connection);
    assert!(matches!(server.read(&mut [0; 9]).await, Ok(0) | Err(_)));
}
