//! The client's commands against the Rust SDK's peer, on stdio and HTTP, in both eras: what they print, and that it
//! is what the server sent.

mod doctor;
mod exits;
mod listening;

use serde_json::Value;

use super::place::{Place, text};
use crate::interop::http::Served;
use crate::interop::peers::rmcp_peer;

const ERAS: [&str; 2] = ["legacy", "modern"];

/// A server that can be reached in one of two ways.
struct Way<'a> {
    place: Place,
    /// In front of the words, behind them.
    front: Vec<String>,
    back: Vec<String>,
    era: &'a str,
}

impl Way<'_> {
    fn output(&self, words: &[&str]) -> std::process::Output {
        let (mode, rest) = words.split_first().expect("a mode");
        let mut all = vec![*mode];
        all.extend(self.front.iter().map(String::as_str));
        all.extend(rest);
        all.extend(["--era", self.era]);
        all.extend(self.back.iter().map(String::as_str));
        self.place.run(&all)
    }

    /// What it prints when it goes well.
    fn good(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert_eq!(output.status.code(), Some(0), "{words:?} {}: {}", self.era, text(&output.stderr));
        text(&output.stdout)
    }

    fn json(&self, words: &[&str]) -> Value {
        let said = self.good(words);
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{words:?}: {error}: {said}"))
    }
}

/// Each way to the Rust SDK's server.
fn each(test: impl Fn(&Way<'_>)) {
    let peer = rmcp_peer().to_str().expect("a path in UTF-8").to_owned();
    let served = Served::rust();
    for era in ERAS {
        let stdio = ["--".to_owned(), peer.clone(), "server".to_owned()].to_vec();
        test(&Way { place: Place::new(), front: Vec::new(), back: stdio, era });
        test(&Way { place: Place::new(), front: vec![served.url().to_owned()], back: Vec::new(), era });
    }
}

#[test]
fn tools_are_listed_and_called_and_each_run_is_recorded() {
    each(|way| {
        let tools = way.json(&["tools"]);
        let names: Vec<&str> =
            tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["echo", "count", "ask", "fail"]);
        assert_eq!(way.json(&["tools", "count"])["name"], "count");
        let said = way.json(&["call", "echo", "text=héllo \u{2028} 9007199254740993"]);
        assert_eq!(said["content"][0]["text"], "héllo \u{2028} 9007199254740993");
        let said = way.json(&["call", "tools/call", "--json", r#"{"name":"echo","arguments":{"text":"raw"}}"#]);
        assert_eq!(said["content"][0]["text"], "raw");
        let list = way.place.good(&["list", "--json"]);
        let one: Value = serde_json::from_str(list.lines().next().expect("a recording")).expect("JSON");
        assert_eq!((one["role"].as_str(), one["live"].as_bool()), (Some("client"), Some(false)), "{list}");
        assert_eq!(list.lines().count(), 4, "one recording for each run: {list}");
        assert!(way.place.good(&["show", "last", "method:tools/call"]).contains("echo"));
    });
}

#[test]
fn an_envelope_tells_all_and_progress_goes_to_stderr() {
    each(|way| {
        let output = way.output(&["call", "count", "steps=4", "--envelope"]);
        let (said, aside) = (text(&output.stdout), text(&output.stderr));
        let told: Value = serde_json::from_str(&said).expect("one object");
        assert_eq!((told["outcome"].as_str(), told["exit"].as_u64()), (Some("ok"), Some(0)), "{said}");
        assert_eq!((told["progress"].as_u64(), told["era"].as_str()), (Some(4), Some(way.era)), "{said}");
        assert_eq!(told["result"]["content"][0]["text"], "counted to 4");
        assert!(std::path::Path::new(told["recording"].as_str().expect("a file")).is_file());
        assert!(aside.contains("progress 4/4 step 4") || aside.contains("progress 4.0/4.0 step 4"), "{aside}");
        let quiet = way.output(&["call", "count", "steps=2", "--quiet", "--no-progress"]);
        assert!(!text(&quiet.stderr).contains("midwire:"), "{}", text(&quiet.stderr));
    });
}

#[test]
fn what_the_server_asks_is_answered_as_told_or_declined() {
    each(|way| {
        let answer = r#"elicitation={"action":"accept","content":{"name":"Ada"}}"#;
        let said = way.json(&["call", "ask", "--answer", answer]);
        assert_eq!(said["content"][0]["text"], "hello \"Ada\"");
        let said = way.good(&["call", "ask", "--answer", "elicitation=made"]);
        assert!(said.contains("hello \\\""), "a made-up name: {said}");
        let declined = way.output(&["call", "ask"]);
        let aside = text(&declined.stderr);
        assert!(aside.contains("elicitation/create") && aside.contains("declined"), "{aside}");
    });
}

#[test]
fn discover_says_who_it_is_and_ping_whether_it_answers() {
    each(|way| {
        let told = way.json(&["discover"]);
        assert_eq!(told["era"], way.era);
        let revision = if way.era == "modern" { "2026-07-28" } else { "2025-11-25" };
        assert_eq!(told["revision"], revision);
        assert_eq!(told["server"]["name"], "rmcp-peer", "{told}");
        assert!(told["attempts"].as_array().is_some_and(|attempts| attempts.last().unwrap()["ok"] == true), "{told}");
        assert!(way.good(&["ping", "--count", "2"]).lines().count() >= 2);
    });
    let peer = rmcp_peer();
    let place = Place::new();
    let told = place.good(&["discover", "--", peer.to_str().unwrap(), "server"]);
    assert!(told.starts_with(r#"{"era":"modern","revision":"2026-07-28""#), "{told}");
    let told = place.good(&["discover", "--revision", "2025-03-26", "--", peer.to_str().unwrap(), "server"]);
    assert!(told.starts_with(r#"{"era":"legacy","revision":"2025-03-26""#), "{told}");
}

#[test]
fn arguments_that_do_not_fit_are_sent_and_said() {
    each(|way| {
        let output = way.output(&["call", "count", "steps=many"]);
        let aside = text(&output.stderr);
        assert!(aside.contains("steps: \"many\" is no number"), "{aside}");
        let output = way.output(&["call", "echo", "text:=5", "--bare"]);
        assert!(!text(&output.stderr).contains("tools/list"), "{}", text(&output.stderr));
    });
}

#[test]
fn raw_bytes_go_out_as_they_are_and_what_comes_is_printed() {
    let peer = rmcp_peer();
    let place = Place::new();
    let server = ["--", peer.to_str().unwrap(), "server"];
    let frame = r#"{"jsonrpc":"2.0","id":"raw-1","method":"tools/list"}"#;
    let words = ["call", "--era", "legacy", "--raw", &format!("{frame}\n")];
    let said = place.good(&[&words[..], &server].concat());
    let line: Value = serde_json::from_str(said.lines().next().expect("a reaction")).expect("JSON");
    assert!(line["text"].as_str().is_some_and(|text| text.contains("raw-1") && text.contains("echo")), "{said}");
    let shown = place.good(&["show", "last", "--json"]);
    assert!(shown.contains(r#"\"id\":\"raw-1\""#), "{shown}");
}

#[test]
fn a_command_of_a_hosts_file_runs_only_when_agreed() {
    let place = Place::new();
    let peer = rmcp_peer();
    let servers = serde_json::json!({ "mcpServers": { "peer": { "command": peer, "args": ["server"] } } });
    std::fs::write(place.home.path().join("mcp.json"), servers.to_string()).expect("written");
    let refused = place.bad(&["tools", "--config", "mcp.json", "peer"]);
    assert!(refused.contains(peer.to_str().unwrap()) && refused.contains("agree with --yes"), "{refused}");
    let tools = place.good(&["tools", "--config", "mcp.json", "--yes", "peer"]);
    assert!(tools.contains("\"echo\""), "{tools}");
    let none = place.bad(&["tools", "--config", "mcp.json", "--yes", "other"]);
    assert!(none.contains("no server called \"other\"") && none.contains("there are: peer"), "{none}");
    let unknown = place.bad(&["tools", "--host", "nobody", "peer"]);
    assert!(unknown.contains("--host takes one of"), "{unknown}");
}

#[test]
fn another_client_is_imitated_from_its_recording() {
    let place = Place::new();
    let peer = rmcp_peer();
    let server = ["--", peer.to_str().unwrap(), "server"];
    let info = r#"{"name":"somebody-else","version":"9.50"}"#;
    place.good(
        &[&["ping", "--era", "legacy", "--client-info", info, "--capabilities", r#"{"x-odd":1.0}"#], &server[..]]
            .concat(),
    );
    place.good(&[&["ping", "--era", "legacy", "--imitate", "last"], &server[..]].concat());
    let shown = place.good(&["show", "last", "--json", "method:initialize"]);
    assert!(shown.contains(r#"{\"name\":\"somebody-else\",\"version\":\"9.50\"}"#), "{shown}");
    assert!(shown.contains(r#"{\"x-odd\":1.0}"#), "{shown}");
}
