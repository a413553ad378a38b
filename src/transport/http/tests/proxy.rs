//! Servers behind a proxy, which is a few lines of this file.

use super::secured::{acceptor, parameters, self_signed};
use super::*;

/// Proxies from such variables, of which `PROXY` stands for the address of `origin`.
fn by(origin: &Origin, name: &'static str, value: &'static str) -> Proxies {
    let value = value.replace("PROXY", &origin.authority());
    Proxies::read(move |asked| (asked == name).then(|| value.clone()))
}

#[tokio::test]
async fn plain_http_is_asked_of_the_proxy_by_its_whole_url() {
    let (listener, proxy) = listener().await;
    let proxies = by(&proxy, "HTTP_PROXY", "http://me:secret@PROXY");
    let connector = Connector::new(&Trust::default(), proxies).expect("no files");
    let origin = Origin { tls: false, host: "a.test".to_owned(), port: 8000 };
    let (connection, mut server) = tokio::join!(connector.connect(&origin), accept(&listener));
    let mut connection = connection.expect("connected");
    let (mut sending, mut hearing) = connection.send(&request("GET", "/mcp/?x=1", &[("ACCEPT", "a")])).expect("sent");
    sending.finish(b"").await.expect("sent");
    assert_eq!(
        read_until(&mut server, "\r\n\r\n").await,
        "GET http://a.test:8000/mcp/?x=1 HTTP/1.1\r\nHost: a.test\r\nACCEPT: a\r\n\
         Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n"
    );
    say(&mut server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    assert_eq!(all(&mut hearing).await, ["head 200"]);
}

#[tokio::test]
async fn https_goes_through_a_tunnel_and_so_does_what_a_client_connects_to() {
    let (listener, proxy) = listener().await;
    let made = self_signed(&parameters("a.test"));
    let trust = Trust { fingerprint: Some(certificate::fingerprint(&made.der)), ..Trust::default() };
    let connector = Connector::new(&trust, by(&proxy, "ALL_PROXY", "PROXY")).expect("no files");
    let server = async {
        let mut stream = accept(&listener).await;
        let asked = read_until(&mut stream, "\r\n\r\n").await;
        assert_eq!(asked, "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n");
        say(&mut stream, "HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n").await;
        let mut stream = acceptor(&made, None, b"http/1.1").accept(stream).await.expect("TLS");
        assert_eq!(stream.get_ref().1.server_name(), Some("a.test"));
        let asked = read_until(&mut stream, "\r\n\r\n").await;
        assert!(asked.starts_with("GET /mcp HTTP/1.1\r\n"), "{asked}");
        say(&mut stream, "HTTP/1.1 204 No Content\r\n\r\n").await;
    };
    let client = async {
        let origin = Origin { tls: true, host: "a.test".to_owned(), port: 443 };
        let mut connection = connector.connect(&origin).await.expect("connected");
        let (mut sending, mut hearing) = connection.send(&request("GET", "/mcp", &[])).expect("sent");
        sending.finish(b"").await.expect("sent");
        assert_eq!(all(&mut hearing).await, ["head 204"]);
    };
    tokio::join!(client, server);

    let server = async {
        let mut stream = accept(&listener).await;
        read_until(&mut stream, "\r\n\r\n").await;
        // A server that speaks first: not a byte of it may be taken for the proxy's.
        say(&mut stream, "HTTP/1.1 200 OK\r\n\r\n220 ready\n").await;
    };
    let (tunnel, ()) = tokio::join!(connector.tunnel("a.test", 25), server);
    assert_eq!(read_until(&mut tunnel.expect("connected"), "\n").await, "220 ready\n");
}

#[tokio::test]
async fn what_a_proxy_refuses_is_said_of_it() {
    let (listener, proxy) = listener().await;
    let connector = Connector::new(&Trust::default(), by(&proxy, "https_proxy", "http://PROXY")).expect("no files");
    let origin = Origin { tls: true, host: "a.test".to_owned(), port: 8443 };
    for (answer, said) in [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            "asks for a user and a password; write them into the URL in https_proxy",
        ),
        (
            "HTTP/1.1 403 Forbidden\r\n\r\n",
            "refuses to connect to a.test:8443: 403 Forbidden; except the server with NO_PROXY",
        ),
        ("SSH-2.0-OpenSSH\r\n", "does not answer in HTTP"),
        ("", "broke the connection"),
    ] {
        let server = async {
            let mut stream = accept(&listener).await;
            read_until(&mut stream, "\r\n\r\n").await;
            say(&mut stream, answer).await;
        };
        let (reached, ()) = tokio::join!(connector.connect(&origin), server);
        let refused = reached.expect_err("refused");
        assert_eq!(refused.step(), Step::Proxy);
        assert!(refused.to_string().contains(said), "{refused}");
        assert!(refused.to_string().contains("(from https_proxy)"), "{refused}");
    }
    drop(listener);
    let gone = connector.connect(&origin).await.expect_err("nobody listens");
    assert_eq!(gone.step(), Step::Tcp);
    assert!(gone.to_string().contains("TCP: the proxy http://127.0.0.1:"), "{gone}");
}
