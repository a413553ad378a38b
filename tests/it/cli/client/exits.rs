//! The exit codes of the client's commands, as a table: one way into each class.

use std::process::Command;

use super::super::place::{Place, text};
use crate::http::upstream::Upstream;
use crate::interop::peers::rmcp_peer;
use crate::tapped::until;

/// A response as a server would write it.
fn response(status: &str, fields: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn each_class_of_end_has_its_code() {
    let peer = rmcp_peer().to_str().expect("a path in UTF-8").to_owned();
    let unauthorized = response("401 Unauthorized", "WWW-Authenticate: Bearer realm=\"x\"\r\n", "");
    let (locked, page) = (
        Upstream::answering(unauthorized),
        Upstream::answering(response("200 OK", "Content-Type: text/html\r\n", "<html></html>")),
    );
    let (locked, page) = (locked.url("/mcp"), page.url("/"));
    let rmcp = ["--", peer.as_str(), "server"];
    let silent = ["--", "sh", "-c", "cat > /dev/null"];
    let gone = ["--", "sh", "-c", "exit 7"];
    let with = |words: &[&'static str], server: &[&str]| {
        words.iter().map(|&word| word.to_owned()).chain(server.iter().map(|&word| word.to_owned())).collect::<Vec<_>>()
    };
    let table = [
        (0, with(&["call", "echo", "text=x"], &rmcp), ""),
        (0, with(&["discover"], &rmcp), ""),
        (1, with(&["call", "fail"], &rmcp), "isError"),
        (1, with(&["call", "no-such-tool"], &rmcp), "error -32602"),
        (1, with(&["call", "resources/read", "uri=x:y"], &rmcp), "error -3"),
        (2, with(&["call", "echo", "text"], &rmcp), "none of key=value"),
        (2, with(&["call", "echo", "--json", "{"], &rmcp), "no JSON"),
        (2, with(&["call"], &rmcp), "what is to be called"),
        (2, with(&["tools"], &[]), "which server is meant"),
        (2, with(&["tools"], &["--", "midwire-no-such-command"]), "was not found"),
        (2, with(&["tools", "--cwd", "/", "http://127.0.0.1:1/"], &[]), "--cwd is about a command"),
        (2, with(&["tools", "--header", "A: b"], &rmcp), "--header is about HTTP"),
        (3, with(&["tools", "http://127.0.0.1:1/mcp"], &[]), "nothing listens"),
        (3, with(&["tools", "--era", "legacy"], &gone), ""),
        (4, with(&["tools"], &[&locked]), "401"),
        (4, with(&["tools"], &[&page]), ""),
        (5, with(&["tools", "--era", "legacy", "--timeout", "0.3"], &silent), ""),
        (6, with(&["call", "ask", "--era", "modern", "--rounds", "1", "--answer", "elicitation=made"], &rmcp), "round"),
    ];
    let mut wrong = Vec::new();
    for (code, words, said) in table {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = Place::new().run(&words);
        let aside = text(&output.stderr);
        if output.status.code() != Some(code) || !aside.contains(said) {
            wrong
                .push(format!("{words:?}: {:?} instead of {code}, or without {said:?}: {aside}", output.status.code()));
        }
        if code >= 2 && !output.stdout.is_empty() {
            wrong.push(format!("{words:?}: stdout is not empty: {}", text(&output.stdout)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_interrupt_cancels_the_call_and_exits_with_130() {
    let place = Place::new();
    let peer = rmcp_peer();
    let mut command =
        place.command(&["call", "count", "steps=100000", "--era", "legacy", "--", peer.to_str().unwrap(), "server"]);
    let mut child = command.spawn().expect("midwire runs");
    until("the call is under way", || {
        let shown = place.run(&["show", "last", "--messages"]);
        text(&shown.stdout).contains("notifications/progress").then_some(())
    });
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let status = until("it ends", || child.try_wait().expect("a child"));
    assert_eq!(status.code(), Some(130));
    let shown = place.good(&["show", "last", "--messages"]);
    assert!(shown.contains("notifications/cancelled"), "{shown}");
}
