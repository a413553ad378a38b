//! `midwire listen` against scripted servers of both eras on stdio: each notification is one line.

use std::fs;

use serde_json::Value;

use super::super::place::{Place, text};

/// A server that answers the first requests by their method, and then tells of changes.
const SERVER: &str = r#"
import json, sys
def say(message): print(json.dumps(message), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    method, id = asked.get("method"), asked.get("id")
    if method == "server/discover" and sys.argv[1] == "modern":
        say({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "ttlMs": 0, "cacheScope": "private",
            "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": True}}}})
    elif method == "initialize":
        say({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": asked["params"]["protocolVersion"],
            "capabilities": {"resources": {"subscribe": True}}, "serverInfo": {"name": "s", "version": "1"}}})
    elif method == "subscriptions/listen":
        meta = {"io.modelcontextprotocol/subscriptionId": id}
        say({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": {"_meta": meta, "notifications": asked["params"]["notifications"]}})
        say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": meta}})
    elif method == "resources/subscribe":
        say({"jsonrpc": "2.0", "id": id, "result": {}})
        say({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": asked["params"]["uri"]}})
        say({"jsonrpc": "2.0", "method": "notifications/custom", "params": {"n": 1.50, "é": "\u2028"}})
    elif id is not None:
        say({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown"}})
"#;

fn heard(era: &str, words: &[&str]) -> Vec<Value> {
    let place = Place::new();
    let script = place.home.path().join("server.py");
    fs::write(&script, SERVER).expect("written");
    let listen = ["listen", "--era", era, "--for", "2"];
    let server = ["--", "python3", script.to_str().expect("UTF-8"), era];
    let output = place.run(&[&listen, words, &server].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
}

#[test]
fn the_notifications_of_both_eras_are_lines() {
    let methods =
        |heard: &[Value]| heard.iter().map(|one| one["method"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let legacy = heard("legacy", &["--uri", "file:///a"]);
    assert_eq!(methods(&legacy), ["notifications/resources/updated", "notifications/custom"]);
    assert_eq!(legacy[0]["params"]["uri"], "file:///a");
    let modern = heard("modern", &["--uri", "file:///a"]);
    assert_eq!(methods(&modern), ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"]);
    let filter = &modern[0]["params"]["notifications"];
    assert_eq!(
        (filter["toolsListChanged"].as_bool(), filter["resourceSubscriptions"][0].as_str()),
        (Some(true), Some("file:///a"))
    );
    let only = heard("modern", &["--filter", r#"{"promptsListChanged":true}"#]);
    assert_eq!(only[0]["params"]["notifications"].to_string(), r#"{"promptsListChanged":true}"#);
}
