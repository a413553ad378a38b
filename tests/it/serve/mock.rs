//! The sample mock, served to clients of both eras by the machine itself.

use midwire::mock::{Player, read};
use midwire::peer::server::Settings;
use serde_json::{Value, json};

use super::wire::{Pure, Wire};

const SAMPLE: &str = include_str!("../../../assets/sample.mock.toml");

/// A client of the sample.
struct Client {
    wire: Pure,
    modern: bool,
    id: u64,
}

impl Client {
    fn of(modern: bool) -> Self {
        let read = read(SAMPLE);
        assert_eq!(read.faults, []);
        let player = Player::new(read.mock.expect("it is TOML"));
        let mut client = Self { wire: Pure::of(Box::new(player), Settings::default()), modern, id: 0 };
        client.wire.fresh();
        if !modern {
            let hello = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities(), "clientInfo": {"name": "c", "version": "1"}});
            assert_eq!(client.asks("initialize", hello)["result"]["serverInfo"]["title"], "Sample");
            client.wire.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        client
    }

    /// The answer to a request, with what came before it.
    fn heard(&mut self, method: &str, mut params: Value) -> (Vec<Value>, Value) {
        self.id += 1;
        if self.modern {
            let meta = params.as_object_mut().expect("an object").entry("_meta").or_insert_with(|| json!({}));
            meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            meta["io.modelcontextprotocol/clientCapabilities"] = capabilities();
            meta["io.modelcontextprotocol/logLevel"] = json!("debug");
        }
        let request = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        self.wire.send(request.to_string().as_bytes());
        let mut before = Vec::new();
        loop {
            let message: Value =
                serde_json::from_slice(&self.wire.hear().expect("it answers")).expect("the sample speaks JSON");
            if message["id"] == self.id && message.get("method").is_none() {
                return (before, message);
            }
            if let Some(answer) = answer_to(&message) {
                self.wire.send(answer.to_string().as_bytes());
            }
            before.push(message);
        }
    }

    fn asks(&mut self, method: &str, params: Value) -> Value {
        self.heard(method, params).1
    }

    /// The text of a call's result, after all rounds.
    fn calls(&mut self, tool: &str, arguments: Value) -> String {
        let mut params = json!({"name": tool, "arguments": arguments});
        loop {
            let result = self.asks("tools/call", params.clone())["result"].clone();
            if result["resultType"] != "input_required" {
                return result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool}: {result}")).to_owned();
            }
            let asked = result["inputRequests"].as_object().expect("it asks").iter();
            let answers: serde_json::Map<String, Value> = asked
                .map(|(key, asked)| (key.clone(), result_of(asked["method"].as_str().expect("a method"))))
                .collect();
            params["inputResponses"] = answers.into();
            params["requestState"] = result["requestState"].clone();
        }
    }
}

fn capabilities() -> Value {
    json!({"sampling": {}, "elicitation": {"form": {}}, "roots": {}})
}

/// What the client answers to the server's requests.
fn answer_to(message: &Value) -> Option<Value> {
    let method = message["method"].as_str().filter(|_| message.get("id").is_some())?;
    Some(json!({"jsonrpc": "2.0", "id": message["id"], "result": result_of(method)}))
}

fn result_of(method: &str) -> Value {
    match method {
        "elicitation/create" => json!({"action": "accept", "content": {"name": "Ada"}}),
        "roots/list" => json!({"roots": [{"uri": "file:///home"}]}),
        _ => json!({"role": "assistant", "content": {"type": "text", "text": "Oslo"}, "model": "m"}),
    }
}

/// In both eras.
fn both(test: impl Fn(&mut Client)) {
    test(&mut Client::of(false));
    test(&mut Client::of(true));
}

#[test]
fn lists_and_fixed_answers_are_the_same_in_both_eras() {
    both(|client| {
        let tools = client.asks("tools/list", json!({}));
        let names: Vec<&str> = tools["result"]["tools"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        assert_eq!(names[..3], ["weather", "forecast", "sights"]);
        assert!(!names.contains(&"learnt"));
        assert_eq!(client.calls("weather", json!({"city": "Rome"})), "It rains in Rome.");
        let refused = client.asks("tools/call", json!({"name": "refuses"}));
        assert_eq!(refused["error"], json!({"code": -32000, "message": "not today", "data": {"until": "tomorrow"}}));
        let forecast = client.asks("tools/call", json!({"name": "forecast", "arguments": {"days": 3}}));
        assert_eq!(forecast["result"]["structuredContent"], json!({"days": 3, "warm": false}));
        assert_eq!(forecast["result"]["content"][0]["text"], r#"{"days":3,"warm":false}"#);
        let note = client.asks("resources/read", json!({"uri": "note://5"}));
        assert_eq!(note["result"]["contents"][0]["text"], "Note 5");
        let review = client.asks("prompts/get", json!({"name": "review", "arguments": {"what": "code"}}));
        assert_eq!(review["result"]["messages"][1]["role"], "assistant");
        let reference =
            json!({"ref": {"type": "ref/prompt", "name": "review"}, "argument": {"name": "what", "value": "c"}});
        assert_eq!(client.asks("completion/complete", reference)["result"]["completion"]["values"], json!(["code"]));
        assert_eq!(client.asks("acme/status", json!({}))["result"]["up"], true);
    });
}

#[test]
fn what_is_asked_is_a_request_in_the_legacy_era_and_a_round_in_the_modern_one() {
    both(|client| {
        assert_eq!(client.calls("greet", json!({})), "Hello, Ada!");
        assert_eq!(client.calls("consult", json!({})), r#"Oslo, seen from [{"uri":"file:///home"}]"#);
    });
}

#[test]
fn progress_and_logs_come_before_the_answer() {
    both(|client| {
        let (before, answer) = client.heard("tools/call", json!({"name": "slow", "_meta": {"progressToken": 5}}));
        assert_eq!(answer["result"]["content"][0]["text"], "Done.");
        let methods: Vec<&str> = before.iter().filter_map(|message| message["method"].as_str()).collect();
        let progress = "notifications/progress";
        assert_eq!(methods, [progress, "notifications/message", progress, progress]);
        assert_eq!(before[0]["params"], json!({"progressToken": 5, "progress": 1, "total": 3, "message": "beginning"}));
    });
}

#[test]
fn an_item_that_is_added_is_listed_and_those_who_are_to_know_are_told() {
    let mut client = Client::of(false);
    let (before, _) = client.heard("tools/call", json!({"name": "learn"}));
    let later = client.heard("ping", json!({})).0;
    let told = |message: &Value| message["method"] == "notifications/tools/list_changed";
    assert!(before.iter().chain(&later).any(told), "{before:?} {later:?}");
    let tools = client.asks("tools/list", json!({}))["result"]["tools"].to_string();
    assert!(tools.contains("learnt"), "{tools}");
    assert_eq!(client.calls("learnt", json!({})), "Here I am.");
}
