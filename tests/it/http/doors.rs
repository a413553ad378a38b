//! Who may come in: addresses to listen at, `Host`, `Origin`; and credentials, which go upstream and are
//! not recorded.

use std::process::Command;

use midwire::model::HttpEnd;

use super::message::json;
use super::tap::{Tap, command, refused};
use super::upstream::Upstream;

#[test]
fn every_spelling_of_all_interfaces_needs_to_be_asked_for() {
    for listen in
        ["0.0.0.0:0", "[::]:0", "0:0", "*:0", ":0", "[::ffff:0.0.0.0]:0", "0x0:0", "000.0.0.0:0", "192.0.2.1:0"]
    {
        let (code, said) = refused(&["--url", "http://127.0.0.1:9/mcp", "--listen", listen]);
        assert_eq!(code, 2, "{listen}: {said}");
        assert!(said.contains("--allow-remote") || said.contains("127.0.0.1"), "{listen}: {said}");
    }
    let upstream = Upstream::answering(json("{}"));
    for listen in ["127.0.0.1:0", "localhost:0", "127.0.0.2:0"] {
        let tap = Tap::with(&upstream, &["--listen", listen]);
        assert_eq!(tap.ask(&tap.post("/mcp", &[], "{}")).status(), 200, "{listen}");
    }
    let tap = Tap::with(&upstream, &["--listen", "0.0.0.0:0", "--allow-remote"]);
    let (_, port) = tap.host().rsplit_once(':').expect("a port");
    let mut client = super::socket::Socket::connect(format!("127.0.0.1:{port}"));
    client.send(super::message::post(&format!("127.0.0.1:{port}"), "/mcp", &[], "{}"));
    assert_eq!(client.response().status(), 200);
}

#[test]
fn pages_of_other_sites_and_foreign_hosts_are_refused() {
    let upstream = Upstream::answering(json("{}"));
    let tap = Tap::on(&upstream);
    let port = tap.host().rsplit_once(':').expect("a port").1.to_owned();
    let ask = |host: &str, lines: &[&str]| tap.ask(&super::message::post(host, "/mcp", lines, "{}")).status();
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1.evil.example", "192.0.2.1"] {
        assert!((400..500).contains(&ask(host, &[])), "Host {host}");
    }
    for origin in
        ["http://evil.example", "null", &format!("http://evil.example:{port}"), "https://localhost.evil.example"]
    {
        assert_eq!(ask(tap.host(), &[&format!("Origin: {origin}")]), 403, "Origin {origin}");
    }
    assert!(upstream.requests().is_empty(), "none of them came through");
    let pages = ["http://localhost:6274".to_owned(), format!("http://127.0.0.1:{port}")];
    for origin in &pages {
        assert_eq!(ask(tap.host(), &[&format!("Origin: {origin}")]), 200, "Origin {origin}");
    }
    for host in [format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(ask(&host, &[]), 200, "Host {host}");
    }
    // A page that came through the tap is the server's own for the server.
    let origins: Vec<String> = upstream.requests().iter().map(|request| request.get("Origin")).collect();
    assert_eq!(origins, [pages[0].as_str(), &format!("http://{}", upstream.address), "", ""]);
    let asked = tap.finish().asked();
    let refused = asked.iter().filter(|one| one.how() == Some(HttpEnd::Refused)).count();
    assert_eq!((refused, asked.len()), (8, 12), "refusals are recorded: {asked:?}");
    let changed: Vec<_> = asked.iter().flat_map(|one| one.changed.iter()).collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
}

#[test]
fn credentials_of_the_user_go_upstream_and_never_into_the_recording() {
    const HEADER: &str = "k3y-of-the-header";
    const BEARER: &str = "t0ken-of-the-environment";
    let upstream = Upstream::answering(json(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
    for keeps in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let url = upstream.url("/mcp");
        let header = format!("X-Api-Key: {HEADER}");
        let mut words =
            vec!["--url", &url, "--header", &header, "--header", "X-Plain:visible", "--bearer-env", "MY_TOKEN"];
        if keeps {
            words.push("--keep-secrets");
        }
        let mut started = command(&folder.path().join("r"), &words);
        started.env("MY_TOKEN", BEARER);
        let tap = Tap::spawn(folder, started);
        let request =
            tap.post("/mcp", &["Authorization: Bearer of-the-client"], r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        assert_eq!(tap.ask(&request).status(), 200);
        let arrived = upstream.requests().pop().expect("a request");
        assert_eq!(arrived.all("Authorization"), [format!("Bearer {BEARER}")], "in the place of the client's");
        assert_eq!((arrived.all("X-Api-Key"), arrived.get("X-Plain")), (vec![HEADER.to_owned()], "visible".into()));
        assert!(!tap.said().contains(HEADER) && !tap.said().contains(BEARER), "{}", tap.said());
        let recorded = tap.finish();
        for secret in [HEADER, BEARER] {
            assert!(!recorded.holds(secret), "{secret} is in the recording (keeps: {keeps})");
        }
    }
}

#[test]
fn a_missing_or_damaged_credential_is_said_before_anything_starts() {
    for words in [
        &["--bearer-env", "MIDWIRE_TEST_NOT_SET"][..],
        &["--header", "no colon"],
        &["--header", "Bad Name: x"],
        &["--header", "X: a\r\nInjected: b"],
    ] {
        let (code, said) = refused(&[&["--url", "http://127.0.0.1:9/mcp"], words].concat());
        assert!(code == 2 && !said.contains("listening"), "{words:?}: {said}");
    }
}

#[test]
fn secrets_in_heads_are_left_out_of_every_form_unless_they_are_to_be_kept() {
    let secrets = ["s3cret-authorization", "s3cret-cookie", "s3cret-set-cookie", "s3cret-api-key", "s3cret-access"];
    let answer = format!(
        "HTTP/1.1 200 OK\r\nSet-Cookie: sid={}; Path=/\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
        secrets[2]
    );
    let upstream = Upstream::answering(answer.clone());
    let lines = [
        format!("Authorization: Bearer {}", secrets[0]),
        format!("Cookie: a={}", secrets[1]),
        format!("X-Api-Key: {}", secrets[3]),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for keeps in [false, true] {
        let tap = Tap::with(&upstream, if keeps { &["--keep-secrets"] } else { &[] });
        let path = format!("/callback?access_token={}&x=1", secrets[4]);
        let response = tap.ask(&tap.post(&path, &lines, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#));
        assert_eq!(response.text() + &response.said(), answer, "what passes is untouched");
        let arrived = upstream.requests().pop().expect("a request").text();
        assert!(lines.iter().all(|line| arrived.contains(line)) && arrived.contains(secrets[4]), "{arrived}");
        let recorded = tap.finish();
        for secret in secrets {
            assert_eq!(recorded.holds(secret), keeps, "{secret} in the recording");
            for form in [&["export"][..], &["show", "--json"], &["show"]] {
                let text = printed(form, &recorded.path);
                assert!(keeps || !text.contains(secret), "{secret} in {form:?}");
            }
        }
    }
}

fn printed(words: &[&str], file: &std::path::Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_midwire")).args(words).arg(file).output().expect("midwire runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
