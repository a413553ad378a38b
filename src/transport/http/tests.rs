//! Connections to small servers on this machine, which say exactly what a test tells them.

mod http2;
mod line;
mod proxy;
mod secured;

use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::wire::http::{BodyLength, Head, HeadWriter};

/// A listener on this machine, and what a client is to be pointed at.
async fn listener() -> (TcpListener, Origin) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (listener, Origin { tls: false, host: "127.0.0.1".to_owned(), port })
}

async fn accept(listener: &TcpListener) -> TcpStream {
    listener.accept().await.expect("a client").0
}

/// A connection without TLS, and the server's end of it.
async fn pair() -> (Connection, TcpStream) {
    let (listener, origin) = listener().await;
    let connector = Connector::new(&Trust::default(), Proxies::none()).expect("no files");
    let (connection, server) = tokio::join!(connector.connect(&origin), accept(&listener));
    (connection.expect("connected"), server)
}

/// A request with these fields.
fn request(method: &str, target: &str, fields: &[(&str, &str)]) -> Head {
    let mut head = HeadWriter::request(method, target);
    head.field("Host", "a.test");
    for (name, value) in fields {
        head.field(name, value);
    }
    head.finish()
}

/// Reads until `until` was read, and gives all that came.
async fn read_until(stream: &mut (impl tokio::io::AsyncRead + Unpin), until: &str) -> String {
    let mut all = Vec::new();
    while !all.ends_with(until.as_bytes()) {
        all.push(stream.read_u8().await.expect("more"));
    }
    String::from_utf8(all).expect("text")
}

async fn say(stream: &mut (impl tokio::io::AsyncWrite + Unpin), text: &str) {
    stream.write_all(text.as_bytes()).await.expect("written");
    stream.flush().await.expect("written");
}

/// What is heard until the end, one line for each piece; data that come together are one.
async fn all(hearing: &mut Hearing<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    loop {
        let line = match hearing.next().await {
            Ok(Heard::Head(head)) => format!("head {}", head.status().unwrap_or_default()),
            Ok(Heard::Data(bytes)) => match lines.last_mut() {
                Some(last) if last.starts_with("data ") => {
                    last.push_str(&String::from_utf8_lossy(bytes));
                    continue;
                }
                _ => format!("data {}", String::from_utf8_lossy(bytes)),
            },
            Ok(Heard::Trailers(fields)) => format!("trailers {}", String::from_utf8_lossy(&fields).trim_end()),
            Ok(Heard::End) => return lines,
            Err(broken) => format!("broken {broken}"),
        };
        let is_broken = line.starts_with("broken ");
        lines.push(line);
        if is_broken {
            return lines;
        }
    }
}

#[tokio::test]
async fn localhost_is_reached_on_whichever_address_a_server_listens() {
    let connector = Connector::new(&Trust::default(), Proxies::none()).expect("no files");
    for address in ["127.0.0.1:0", "[::1]:0"] {
        // A machine may be without IPv6.
        let Ok(listener) = TcpListener::bind(address.parse::<SocketAddr>().expect("an address")).await else {
            continue;
        };
        let port = listener.local_addr().expect("an address").port();
        let origin = Origin { tls: false, host: "localhost".to_owned(), port };
        let (reached, _) = tokio::join!(connector.connect(&origin), accept(&listener));
        reached.expect("connected");
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_with_the_step_and_the_remedy() {
    let connector = Connector::new(&Trust::default(), Proxies::none()).expect("no files");
    let (closed, origin) = listener().await;
    drop(closed);
    let refused = connector.connect(&origin).await.expect_err("nobody listens");
    assert_eq!(refused.step(), Step::Tcp);
    let said = refused.to_string();
    assert!(said.starts_with(&format!("reach {origin}: TCP: nothing listens at 127.0.0.1:{}", origin.port)), "{said}");
    assert!(said.ends_with("start the server, or check the port"), "{said}");
    let nowhere = Origin { tls: true, host: "no-such-name.invalid".to_owned(), port: 443 };
    let unknown = connector.connect(&nowhere).await.expect_err("no such name");
    assert_eq!(unknown.step(), Step::Dns);
    assert!(unknown.to_string().contains("check its spelling"), "{unknown}");
    let missing = Trust { ca: vec!["/no/such/file.pem".into()], ..Trust::default() };
    let fault = Connector::new(&missing, Proxies::none()).expect_err("no such file");
    assert_eq!(fault.step(), Step::Settings);
    assert!(fault.to_string().contains("\"/no/such/file.pem\""), "{fault}");
}
