//! TLS to the server and on the listener: what is trusted, and what an error says.

use std::fs;

use midwire::model::HttpEnd;

use super::message::{Message, json};
use super::socket::Socket;
use super::tap::{Tap, refused};
use super::tls::{Authority, Identity, trusting};
use super::upstream::Upstream;

fn answering(identity: &Identity) -> Upstream {
    Upstream::serve_tls(identity.served(), |mut socket, _| {
        while socket.request().is_some() {
            socket.send(json(r#"{"over":"TLS"}"#));
        }
    })
}

#[test]
fn an_authority_that_is_named_is_trusted() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().expect("a folder"));
    let upstream = answering(&authority.issue(&["localhost", "127.0.0.1"], 2090));
    let file = authority.write(folder.path());
    let words = ["--ca", file.to_str().expect("a path")];
    let tap = Tap::with(&upstream, &words);
    assert!(tap.url().starts_with("http://"), "the client speaks plainly with the tap: {}", tap.url());
    let mut client = tap.connect();
    for _ in 0..2 {
        client.send(tap.post("/mcp", &[], "{}"));
        assert_eq!(client.response().said(), r#"{"over":"TLS"}"#);
    }
    assert!(tap.finish().asked().iter().all(|asked| asked.complete));
}

/// The answer and the recorded reason of a tap whose server shows this certificate.
fn complaint(identity: &Identity, words: &[&str]) -> (Message, String) {
    let upstream = answering(identity);
    let tap = Tap::with(&upstream, words);
    let response = tap.ask(&tap.post("/mcp", &[], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
    let (how, why) = tap.finish().one().ended.expect("an end");
    assert_eq!(how, HttpEnd::Failed);
    (response, why)
}

#[test]
fn a_certificate_that_is_not_accepted_is_told_with_step_cause_and_remedy() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().expect("a folder"));
    let file = authority.write(folder.path());
    let trusts = ["--ca", file.to_str().expect("a path")];
    let cases: [(Identity, &[&str], &[&str]); 4] = [
        (Identity::self_signed("127.0.0.1"), &[], &["self-signed", "--ca", "--accept-cert"]),
        (authority.issue(&["127.0.0.1"], 2090), &[], &["--ca", "authority of a test"]),
        (authority.issue(&["127.0.0.1"], 2021), &trusts, &["expired", "2021"]),
        (authority.issue(&["other.test"], 2090), &trusts, &["other.test", "127.0.0.1"]),
    ];
    for (identity, words, told) in cases {
        let (response, why) = complaint(&identity, words);
        assert_eq!(response.status(), 502, "{response:?}");
        for text in [response.said(), why] {
            assert!(text.contains("TLS"), "the step: {text}");
            assert!(told.iter().all(|word| text.contains(word)), "{told:?}: {text}");
        }
    }
}

#[test]
fn one_certificate_is_accepted_by_the_fingerprint_that_the_error_names() {
    let identity = Identity::self_signed("somewhere.else");
    let (response, _) = complaint(&identity, &[]);
    let said = response.said();
    let (_, rest) = said.split_once("--accept-cert ").expect("the remedy");
    let fingerprint = rest.split_whitespace().next().expect("a fingerprint").trim_end_matches([',', ';', '.']);
    let upstream = answering(&identity);
    let tap = Tap::with(&upstream, &["--accept-cert", fingerprint]);
    assert_eq!(tap.ask(&tap.post("/mcp", &[], "{}")).status(), 200);
    // Another one is not.
    let (response, why) = complaint(&Identity::self_signed("somewhere.else"), &["--accept-cert", fingerprint]);
    assert!(response.status() == 502 && why.contains("TLS"), "{why}");
}

#[test]
fn a_server_that_speaks_no_tls_is_told() {
    // As servers do that get a handshake where they wait for a request.
    let upstream = Upstream::serve(|mut socket, _| {
        socket.exactly(1);
        socket.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    });
    let tap = Tap::start(&["--url", &format!("https://{}/mcp", upstream.address)]);
    let response = tap.ask(&tap.post("/mcp", &[], "{}"));
    assert_eq!(response.status(), 502);
    assert!(response.said().contains("TLS") && response.said().contains("http://"), "{response:?}");
}

#[test]
fn the_listener_serves_tls_with_the_users_files() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().expect("a folder"));
    let identity = authority.issue(&["localhost"], 2090);
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    fs::write(&certificate, &identity.certificate).expect("a file");
    fs::write(&key, &identity.key).expect("a file");
    let upstream = Upstream::answering(json("{}"));
    let (certificate, key) = (certificate.to_str().expect("a path"), key.to_str().expect("a path"));
    let tap = Tap::with(&upstream, &["--tls-cert", certificate, "--tls-key", key]);
    assert!(tap.url().starts_with("https://"), "{}", tap.url());
    let mut client = Socket::connect(tap.host()).secure(authority.trusted(), "localhost");
    client.send(tap.post("/mcp", &[], "{}"));
    assert_eq!(client.response().status(), 200);
    assert!(tap.finish().one().complete);
}

#[test]
fn files_that_are_no_certificates_are_told_before_anything_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = folder.path().join("wrong.pem");
    fs::write(&wrong, "not PEM").expect("a file");
    let wrong = wrong.to_str().expect("a path");
    for words in [&["--ca", wrong][..], &["--ca", "/nowhere.pem"], &["--tls-cert", wrong, "--tls-key", wrong]] {
        let (code, said) = refused(&[&["--url", "https://127.0.0.1:9/mcp"], words].concat());
        assert!(code == 2 && said.contains(words[1]), "{words:?}: {said}");
    }
    assert!(trusting(Authority::new().pem().as_bytes()).alpn_protocols.is_empty());
}
