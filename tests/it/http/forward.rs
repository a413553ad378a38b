//! The tap as a forward proxy: plain HTTP as it is, https tunnelled untouched, or decrypted for the hosts
//! that were named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::message::{LAST, Message, STREAM, chunk, json};
use super::socket::{End, Socket};
use super::tap::{Tap, command};
use super::tls::{Authority, trusting};
use super::upstream::Upstream;
use crate::tapped::PATIENCE;

/// A forward proxy whose authority lies in a folder of its own.
fn proxy(words: &[&str]) -> (Tap, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mut started = command(&folder.path().join("r"), &[&["--forward"], words].concat());
    started.env("XDG_DATA_HOME", &data);
    (Tap::spawn(folder, started), data)
}

/// The certificate of midwire's authority, as a client is told to trust it.
fn authority(data: &Path) -> Vec<u8> {
    let mut folders = vec![data.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "authority-certificate.pem") {
                return fs::read(path).expect("a file");
            }
        }
    }
    panic!("no certificate in {}", data.display());
}

/// Asks for a tunnel, which must be given.
fn tunnel(tap: &Tap, to: &str) -> Socket {
    let mut client = tap.connect();
    client.send(format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\nProxy-Connection: keep-alive\r\n\r\n"));
    let head = client.head().expect("an answer");
    assert_eq!(head.status(), 200, "{head:?}");
    client
}

#[test]
fn plain_http_goes_to_whom_the_client_names_and_nothing_is_rewritten() {
    let upstream = Upstream::replying(|request: &Message| {
        let host = request.get("Host");
        if request.method() == "GET" {
            return [STREAM.as_bytes(), &chunk(format!("event: endpoint\ndata: http://{host}/m\n\n")), LAST.as_bytes()]
                .concat();
        }
        format!("HTTP/1.1 307 Go\r\nLocation: http://{host}/there\r\nContent-Length: 0\r\n\r\n").into_bytes()
    });
    let (tap, _) = proxy(&[]);
    assert!(tap.said().contains("as a proxy"), "{}", tap.said());
    let host = upstream.address.to_string();
    let mut client = tap.connect();
    client.send(format!(
        "POST http://{host}/mcp?x=1 HTTP/1.1\r\nHost: {host}\r\nProxy-Authorization: Basic x\r\nContent-Length: 2\r\n\r\n{{}}"
    ));
    assert_eq!(client.response().get("Location"), format!("http://{host}/there"));
    client.send(format!("GET http://{host}/sse HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(client.response().said(), format!("event: endpoint\ndata: http://{host}/m\n\n"));
    let requests = upstream.requests();
    assert_eq!(requests[0].line(), "POST /mcp?x=1 HTTP/1.1");
    assert_eq!((requests[0].get("Host"), requests[0].get("Proxy-Authorization")), (host, String::new()));
    drop(client);
    let asked = tap.finish().asked();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|one| one.complete && one.changed.is_empty()), "{asked:?}");
}

#[test]
fn one_connection_may_ask_several_servers() {
    let servers = [Upstream::answering(json("\"a\"")), Upstream::answering(json("\"b\""))];
    let (tap, _) = proxy(&[]);
    let mut client = tap.connect();
    for (server, said) in servers.iter().chain(&servers).zip(["\"a\"", "\"b\"", "\"a\"", "\"b\""]) {
        let host = server.address;
        client.send(format!("GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(client.response().said(), said);
    }
}

#[test]
fn a_tunnel_carries_every_byte_and_nothing_of_it_is_recorded() {
    let all: Vec<u8> = (0..=255).cycle().take(70_000).chain(*b"not to be recorded").collect();
    let back = all.clone();
    let (tell, told) = std::sync::mpsc::sync_channel(1);
    let upstream = Upstream::serve(move |mut socket, _| {
        let got = socket.exactly(back.len());
        assert!(got == back, "upstream gets the same bytes");
        socket.send(&got);
        socket.half_close();
        tell.send(socket.rest()).expect("the test waits");
    });
    let (tap, _) = proxy(&[]);
    let mut client = tunnel(&tap, &upstream.address.to_string());
    client.send(&all);
    assert!(client.exactly(all.len()) == all, "and back");
    client.send("after the server's end");
    client.half_close();
    assert_eq!(client.rest(), (Vec::new(), End::Closed));
    let rest = told.recv_timeout(PATIENCE).expect("the server's side ends, too");
    assert_eq!(rest, (b"after the server's end".to_vec(), End::Closed));
    let recorded = tap.finish();
    assert!(!recorded.holds("not to be recorded"), "a tunnel is not looked into");
    assert_eq!(recorded.trace.exchanges().len(), 0);
}

#[test]
fn https_is_the_servers_own_unless_its_host_was_named() {
    let theirs = Authority::new();
    let folder = tempfile::tempdir().expect("a folder");
    let file = theirs.write(folder.path());
    let upstream = Upstream::serve_tls(theirs.issue(&["localhost", "127.0.0.1"], 2090).served(), |mut socket, _| {
        while let Some(request) = socket.request() {
            socket.send(json(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{}"}}"#, request.get("Authorization"))));
        }
    });
    let port = upstream.address.port();
    let (tap, data) = proxy(&["--only", "localhost", "--ca", file.to_str().expect("a path")]);
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let ask = |host: &str, config| {
        let mut client = tunnel(&tap, &format!("{host}:{port}")).secure(config, host);
        let lines = ["Authorization: Bearer of-the-client"];
        client.send(super::message::post(&format!("{host}:{port}"), "/mcp", &lines, body));
        client.response()
    };
    // Tunnelled: the certificate is the server's.
    assert!(ask("127.0.0.1", theirs.trusted()).said().contains("of-the-client"));
    // Named: it is midwire's, and what passes is recorded as it would be without TLS.
    assert!(ask("localhost", trusting(&authority(&data))).said().contains("of-the-client"));
    let recorded = tap.finish();
    let decrypted: Vec<_> = recorded.asked().into_iter().filter(|one| one.request.starts_with("POST")).collect();
    assert_eq!(decrypted.len(), 1, "{:?}", recorded.asked());
    assert_eq!((&decrypted[0].sent[..], decrypted[0].complete), (body.as_bytes(), true));
    assert_eq!(recorded.trace.exchanges().len(), 1);
    let (head, _) = decrypted[0].request.split_once("\r\n\r\n").expect("a head");
    assert!(!head.contains("of-the-client"), "a secret in a head is left out: {head}");
}

#[test]
fn the_authoritys_key_is_for_its_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (tap, data) = proxy(&["--only", "localhost"]);
    let certificate = authority(&data);
    assert!(!String::from_utf8_lossy(&certificate).contains("PRIVATE"), "clients get no key");
    let mut folders = vec![data];
    let mut keys = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read_to_string(&path).is_ok_and(|text| text.contains("PRIVATE KEY")) {
                keys += 1;
                let mode = path.metadata().expect("a file").permissions().mode();
                assert_eq!(mode & 0o777, 0o600, "{}", path.display());
            }
        }
    }
    assert_eq!(keys, 1);
    drop(tap);
}

#[test]
fn a_host_command_is_told_of_the_proxy_and_its_exit_is_the_taps() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "echo out; env >\"$0\"; exit 7";
    let told = folder.path().join("env");
    let mut started = Command::new(env!("CARGO_BIN_EXE_midwire"));
    started.args(["tap", "--forward", "--only", "localhost", "--recordings"]).arg(folder.path().join("r"));
    started.args(["--", "sh", "-c", script]).arg(&told).env("XDG_DATA_HOME", folder.path().join("data"));
    let output = started.output().expect("midwire runs");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(7), &b"out\n"[..]));
    let environment = fs::read_to_string(&told).expect("told");
    let value = |name: &str| {
        let line = environment.lines().find(|line| line.starts_with(&format!("{name}=")));
        line.unwrap_or_else(|| panic!("{name} is not set: {environment}")).split_once('=').expect("=").1.to_owned()
    };
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
        assert!(value(name).starts_with("http://127.0.0.1:"), "{name}={}", value(name));
    }
    assert_eq!(value("NODE_USE_ENV_PROXY"), "1");
    for name in ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"] {
        assert!(value(name).contains("data"), "{name}={}", value(name));
    }
}

#[test]
fn a_tunnel_to_nowhere_is_a_bad_gateway() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let (tap, _) = proxy(&[]);
    let response = tap.ask(&format!("CONNECT {free} HTTP/1.1\r\nHost: {free}\r\n\r\n"));
    assert_eq!(response.status(), 502, "{response:?}");
    assert!(response.said().contains("TCP"), "{response:?}");
}
