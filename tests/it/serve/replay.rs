//! A recorded client against whatever serves its recording: it says what it said, answers what it is asked as it did,
//! and compares what it hears.

use midwire::model::Era;
use midwire::peer::server::Step;
use midwire::recorded::{Call, Outcome, Session};
use serde_json::{Value, json};

use super::wire::Wire;

/// How many messages may come for one call.
const MOST: usize = 2_000;

/// What does not come out as it was recorded.
#[derive(Debug)]
pub struct Difference {
    /// The recorded call.
    pub seq: u64,
    /// Its method.
    pub method: String,
    /// What differs.
    pub what: String,
}

/// What came of a call.
#[derive(Debug, Default)]
pub struct Seen {
    /// Result or error, as text.
    pub answer: Option<(bool, String)>,
    /// Methods of notifications that came before it.
    pub told: Vec<String>,
    /// How many questions were asked.
    pub asked: usize,
}

/// A client that repeats a recorded one.
pub struct Replay<'a, W> {
    wire: &'a mut W,
    /// The next id of its own.
    id: u64,
    /// An answer without what is no part of what was recorded.
    stamped: fn(&str) -> Value,
}

impl<'a, W: Wire> Replay<'a, W> {
    pub const fn new(wire: &'a mut W) -> Self {
        Self { wire, id: 900_000, stamped }
    }

    /// One that does not look at what a server puts into every answer of an era.
    pub fn undressed(wire: &'a mut W) -> Self {
        Self { stamped: bare, ..Self::new(wire) }
    }

    /// All calls, client by client; gives what differs.
    pub fn all(&mut self, session: &Session) -> Vec<Difference> {
        let mut clients: Vec<Option<u32>> = session.calls.iter().map(|call| call.client).collect();
        clients.sort_unstable();
        clients.dedup();
        let mut differences = Vec::new();
        for client in clients {
            self.wire.fresh();
            for call in session.calls.iter().filter(|call| call.client == client) {
                let Some(seen) = self.call(call) else { continue };
                for what in compare(call, &seen, self.stamped) {
                    differences.push(Difference { seq: call.seq, method: call.method.clone(), what });
                }
            }
        }
        differences
    }

    /// One call, to its end. Nothing where it is about what another run gave out: a task, a cursor.
    pub fn call(&mut self, call: &Call) -> Option<Seen> {
        if call.method.starts_with("tasks/") {
            return None;
        }
        self.wire.expect(call.is_answered());
        self.wire.send(&call.message);
        // Some numbers are none to serde_json; only the id and what rounds repeat is needed of it.
        let id = midwire::wire::Json::parse(&call.message).expect("JSON").get("id").map(value)?;
        let message: Value = serde_json::from_slice(&call.message).unwrap_or_default();
        let mut answers: Vec<(String, Value)> = call
            .answered
            .iter()
            .map(|it| (it.key.clone(), serde_json::from_slice(&it.answer).expect("JSON")))
            .collect();
        answers.reverse();
        let mut seen = Seen::default();
        if call.outcome == Outcome::Cancelled && call.steps.iter().all(|(_, step)| !matches!(step, Step::Task(_))) {
            self.notify("notifications/cancelled", &json!({ "requestId": id }));
        }
        let (ok, answer) = self.answer(&id, &mut answers, &mut seen)?;
        seen.answer = self.followed(call, message, (ok, answer), &mut answers, &mut seen);
        if call.method == "initialize" && ok {
            self.wire.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        Some(seen)
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.wire.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string().as_bytes());
    }

    /// Listens until this id is answered; `Some((true, ""))` stands for nothing.
    fn answer(&mut self, id: &Value, answers: &mut Vec<(String, Value)>, seen: &mut Seen) -> Option<(bool, String)> {
        for _ in 0..MOST {
            let Some(heard) = self.wire.hear() else { return Some((true, String::new())) };
            let text = String::from_utf8(heard).expect("UTF-8");
            let json = midwire::wire::Json::parse(text.as_bytes()).expect("JSON");
            let id_of = json.get("id").map(value);
            let method = json.get("method").and_then(|method| Some(method.text()?.into_owned()));
            if let (Some(asked), Some(_)) = (&id_of, &method) {
                seen.asked += 1;
                let result = answers.pop().map_or_else(|| json!({}), |(_, answer)| answer);
                let reply = json!({ "jsonrpc": "2.0", "id": asked, "result": result });
                self.wire.send(reply.to_string().as_bytes());
            } else if let Some(method) = method {
                let acknowledged = method == "notifications/subscriptions/acknowledged";
                seen.told.push(method);
                if acknowledged {
                    return Some((true, String::new()));
                }
            } else if id_of.as_ref() == Some(id) {
                let ok = json.get("result");
                let value = ok.or_else(|| json.get("error")).expect("a result or an error");
                return Some((ok.is_some(), String::from_utf8_lossy(value.raw()).into_owned()));
            }
        }
        panic!("no end of messages");
    }

    /// Rounds and tasks, to the end of the call.
    fn followed(
        &mut self,
        call: &Call,
        message: Value,
        mut answer: (bool, String),
        answers: &mut Vec<(String, Value)>,
        seen: &mut Seen,
    ) -> Option<(bool, String)> {
        for _ in 0..100 {
            let result: Value = serde_json::from_str(&answer.1).unwrap_or(Value::Null);
            let kind = result["resultType"].as_str().unwrap_or_default().to_owned();
            let task = result["task"]["taskId"].as_str().or(result["taskId"].as_str().filter(|_| kind == "task"));
            if kind == "input_required" && answer.0 {
                let mut again = message.clone();
                let responses = respond(&result["inputRequests"], answers, seen)?;
                again["params"]["inputResponses"] = responses;
                if result.get("requestState").is_some() {
                    again["params"]["requestState"] = result["requestState"].clone();
                }
                answer = self.request(again, answers, seen)?;
            } else if let Some(task) = task.filter(|_| answer.0) {
                return self.task(call, &message, task, answers, seen);
            } else {
                return Some(answer).filter(|(_, text)| !text.is_empty());
            }
        }
        None
    }

    fn request(
        &mut self,
        mut message: Value,
        answers: &mut Vec<(String, Value)>,
        seen: &mut Seen,
    ) -> Option<(bool, String)> {
        self.id += 1;
        message["id"] = json!(self.id);
        self.wire.send(message.to_string().as_bytes());
        let id = message["id"].clone();
        self.answer(&id, answers, seen).filter(|(_, text)| !text.is_empty())
    }

    /// Follows a task to its end.
    fn task(
        &mut self,
        call: &Call,
        message: &Value,
        task: &str,
        answers: &mut Vec<(String, Value)>,
        seen: &mut Seen,
    ) -> Option<(bool, String)> {
        if call.outcome == Outcome::Cancelled {
            return None;
        }
        let meta = message["params"]["_meta"].clone();
        let ask = |method: &str, mut params: Value| {
            params["taskId"] = json!(task);
            if call.era == Era::Modern {
                params["_meta"] = meta.clone();
            }
            json!({ "jsonrpc": "2.0", "method": method, "params": params })
        };
        if call.era == Era::Legacy {
            return self.request(ask("tasks/result", json!({})), answers, seen);
        }
        for _ in 0..100 {
            let (ok, text) = self.request(ask("tasks/get", json!({})), answers, seen)?;
            let state: Value = serde_json::from_str(&text).expect("JSON");
            match state["status"].as_str() {
                _ if !ok => return Some((ok, text)),
                Some("completed") => return Some((true, state["result"].to_string())),
                Some("failed") => return Some((false, state["error"].to_string())),
                Some("input_required") => {
                    let responses = respond(&state["inputRequests"], answers, seen)?;
                    self.request(ask("tasks/update", json!({ "inputResponses": responses })), answers, seen)?;
                }
                _ => {}
            }
        }
        None
    }
}

fn value(json: midwire::wire::Json<'_>) -> Value {
    serde_json::from_slice(json.raw()).expect("an id")
}

/// What the recorded client said to these questions.
fn respond(requests: &Value, answers: &[(String, Value)], seen: &mut Seen) -> Option<Value> {
    let mut responses = json!({});
    for (key, _) in requests.as_object().into_iter().flatten() {
        seen.asked += 1;
        let answer = answers.iter().find(|(known, _)| known == key);
        responses[key] = answer?.1.clone();
    }
    Some(responses)
}

/// What differs between a call and what came of it now.
fn compare(call: &Call, seen: &Seen, stamped: fn(&str) -> Value) -> Vec<String> {
    let mut differences = Vec::new();
    let recorded = match &call.outcome {
        Outcome::Result(result) => Some((true, text(result))),
        Outcome::Error(error) => Some((false, text(error))),
        _ => None,
    };
    // What is discovered is this server, and a subscription is answered when serving ends.
    let alike = match call.method.as_str() {
        "subscriptions/listen" => true,
        "server/discover" => recorded.as_ref().map(|(ok, _)| ok) == seen.answer.as_ref().map(|(ok, _)| ok),
        _ => same(recorded.as_ref(), seen.answer.as_ref(), stamped),
    };
    if !alike {
        differences.push(format!(
            "recorded {}\n     came     {}",
            short(recorded.as_ref()),
            short(seen.answer.as_ref())
        ));
    }
    let asks = call.steps.iter().filter(|(_, step)| matches!(step, Step::Ask { .. })).count();
    // Questions that belong to no call come at any time, and a call that was given up is not followed.
    if asks > seen.asked && call.is_answered() {
        differences.push(format!("{asks} questions were recorded, {} were asked", seen.asked));
    }
    let count = |wanted: &str| seen.told.iter().filter(|method| *method == wanted).count();
    for (what, method) in [("progress", "notifications/progress"), ("logs", "notifications/message")] {
        let recorded = call.steps.iter().filter(|(_, step)| says(step) == method).count();
        if recorded > count(method) && call.is_answered() {
            differences.push(format!("{recorded} {what} were recorded, {} came", count(method)));
        }
    }
    differences
}

fn says(step: &Step) -> &str {
    match step {
        Step::Progress { .. } => "notifications/progress",
        Step::Log { .. } => "notifications/message",
        Step::Notify { method, .. } => method,
        _ => "",
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The same bytes, but for what is stamped anew.
fn same(recorded: Option<&(bool, String)>, came: Option<&(bool, String)>, stamped: fn(&str) -> Value) -> bool {
    match (recorded, came) {
        (None, None) => true,
        (Some((ok, recorded)), Some((came_ok, came))) => {
            ok == came_ok && (recorded == came || stamped(recorded) == stamped(came))
        }
        _ => false,
    }
}

fn stamped(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    if let Some(meta) = value.get_mut("_meta").and_then(Value::as_object_mut) {
        meta.remove("io.modelcontextprotocol/related-task");
        if meta.is_empty() {
            value.as_object_mut().map(|object| object.remove("_meta"));
        }
    }
    value
}

/// An answer without the dress of its era.
pub fn bare(text: &str) -> Value {
    let mut value = stamped(text);
    let Some(object) = value.as_object_mut() else { return value };
    for dress in ["resultType", "ttlMs", "cacheScope"] {
        object.remove(dress);
    }
    if let Some(meta) = object.get_mut("_meta").and_then(Value::as_object_mut) {
        meta.remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            object.remove("_meta");
        }
    }
    value
}

fn short(answer: Option<&(bool, String)>) -> String {
    let Some((ok, text)) = answer else { return "nothing".to_owned() };
    let word = if *ok { "result" } else { "error" };
    format!("{word} {}", text.chars().take(300).collect::<String>())
}
