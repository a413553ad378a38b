//! `midwire doctor`: what it finds on the way to servers of all kinds, and what it says to do.

use serde_json::Value;

use super::super::place::{Place, text};
use crate::http::upstream::Upstream;
use crate::interop::http::Served;
use crate::interop::peers::rmcp_peer;

/// The steps of an examination, and its exit code.
fn examined(words: &[&str]) -> (Vec<Value>, i32) {
    let output = Place::new().run(&[&["doctor", "--json"], words].concat());
    let steps = text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    (steps, output.status.code().expect("a code"))
}

fn step<'a>(steps: &'a [Value], name: &str) -> &'a Value {
    steps.iter().find(|step| step["step"] == name).unwrap_or_else(|| panic!("{name}: {steps:?}"))
}

fn named(steps: &[Value]) -> Vec<(&str, &str)> {
    steps.iter().map(|step| (step["step"].as_str().unwrap(), step["verdict"].as_str().unwrap())).collect()
}

#[test]
fn a_good_server_has_nothing_but_good_steps() {
    let peer = rmcp_peer();
    let (steps, code) = examined(&["--", peer.to_str().unwrap(), "server"]);
    assert_eq!(code, 0, "{steps:?}");
    let names = ["command", "starts", "stdout", "era", "version", "stderr", "end"];
    assert_eq!(named(&steps), names.map(|name| (name, "ok")), "{steps:?}");
    assert!(step(&steps, "stderr")["detail"].as_str().unwrap().contains("serving on stdio"), "{steps:?}");
    let served = Served::rust();
    let (steps, code) = examined(&[served.url()]);
    assert_eq!(code, 0, "{steps:?}");
    let ok = |name| (name, "ok");
    assert_eq!(
        named(&steps),
        [ok("dns"), ok("tcp"), ("tls", "skipped"), ok("http"), ok("era"), ok("version"), ok("auth")],
        "{steps:?}"
    );
    let table = Place::new().good(&["doctor", served.url()]);
    assert!(table.contains("✓ version") && table.contains("2026-07-28"), "{table}");
}

#[test]
fn banners_and_deaf_servers_are_findings() {
    let peer = rmcp_peer();
    let script = format!("echo 'Welcome to my server'; exec {} server", peer.display());
    let (steps, code) = examined(&["--", "sh", "-c", &script]);
    assert_eq!(code, 1, "{steps:?}");
    let stdout = step(&steps, "stdout");
    assert_eq!(stdout["verdict"], "odd");
    assert!(stdout["detail"].as_str().unwrap().contains("Welcome to my server"), "{stdout}");
    assert!(stdout["remedy"].as_str().unwrap().contains("stderr"), "{stdout}");
    assert_eq!(step(&steps, "version")["verdict"], "ok");
    // It answers, and outlives its input until it is told to go.
    let deaf = format!("{} server; sleep 60", peer.display());
    let (steps, code) = examined(&["--grace", "0.3", "--", "sh", "-c", &deaf]);
    assert_eq!((code, step(&steps, "end")["verdict"].as_str()), (1, Some("odd")), "{steps:?}");
}

#[test]
fn a_command_that_cannot_be_run_fails_at_its_step() {
    let (steps, code) = examined(&["--", "midwire-no-such-command"]);
    assert_eq!((code, step(&steps, "command")["verdict"].as_str()), (2, Some("failed")), "{steps:?}");
    assert_eq!(step(&steps, "era")["verdict"], "skipped");
    let (steps, code) = examined(&["--era", "legacy", "--", "sh", "-c", "echo no >&2; exit 7"]);
    assert!([3, 6].contains(&code), "{code}: {steps:?}");
    assert!(step(&steps, "end")["detail"].as_str().unwrap().contains("exited with 7"), "{steps:?}");
}

/// A response as a server would write it.
fn response(status: &str, fields: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn what_is_no_server_of_mcp_is_told_apart() {
    let challenge = "WWW-Authenticate: Bearer resource_metadata=\"https://a.test/.well-known/x\"\r\n";
    let html = "Content-Type: text/html\r\n";
    for (answer, name, code, detail, remedy) in [
        (response("401 Unauthorized", challenge, ""), "auth", 4, "https://a.test/.well-known/x", "--bearer-env"),
        (
            response("302 Found", "Location: https://b.test/mcp\r\n", ""),
            "http",
            4,
            "redirects to https://b.test/mcp",
            "that URL",
        ),
        (
            response("200 OK", html, "<html><title>Hello</title></html>"),
            "http",
            4,
            "a web page called \"Hello\"",
            "site",
        ),
        (response("403 Forbidden", "", "Invalid Host header"), "http", 4, "Invalid Host header", "Host or Origin"),
        (response("503 Service Unavailable", "", ""), "http", 4, "broken", "log"),
    ] {
        let upstream = Upstream::answering(answer);
        let (steps, exit) = examined(&[&upstream.url("/x")]);
        let found = step(&steps, name);
        assert_eq!((exit, found["verdict"].as_str()), (code, Some("failed")), "{steps:?}");
        assert!(found["detail"].as_str().unwrap().contains(detail), "{found}");
        assert!(found["remedy"].as_str().unwrap().contains(remedy), "{found}");
    }
    let (steps, code) = examined(&["http://127.0.0.1:1/mcp"]);
    assert_eq!((code, step(&steps, "tcp")["verdict"].as_str()), (3, Some("failed")), "{steps:?}");
    let (steps, code) = examined(&["http://no-such-host.invalid/mcp"]);
    assert_eq!((code, step(&steps, "dns")["verdict"].as_str()), (3, Some("failed")), "{steps:?}");
}

#[test]
fn a_wrong_path_is_put_right_and_the_older_transport_known() {
    let endpoint = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nevent: endpoint\ndata: /messages?id=1\n\n";
    let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#;
    let right = Upstream::replying(move |request| {
        let line = String::from_utf8_lossy(&request.head).into_owned();
        if line.starts_with("POST /mcp ") {
            response("200 OK", "Content-Type: application/json\r\n", error)
        } else {
            response("404 Not Found", "", "nothing here")
        }
    });
    let (steps, code) = examined(&[&right.url("/wrong")]);
    assert_eq!(code, 4, "{steps:?}");
    let found = step(&steps, "http");
    assert!(found["remedy"].as_str().unwrap().contains("/mcp instead"), "{found}");
    let old = Upstream::replying(move |request| {
        let is_get = request.head.starts_with(b"GET /sse");
        if is_get { endpoint.to_owned() } else { response("405 Method Not Allowed", "", "") }
    });
    let (steps, _) = examined(&["--timeout", "1", &old.url("/sse")]);
    let found = step(&steps, "http");
    assert_eq!(found["verdict"], "odd", "{steps:?}");
    assert!(found["detail"].as_str().unwrap().contains("HTTP+SSE"), "{found}");
}
