//! What the demo's server answers to everything but a tool call: the handshakes of both eras, lists,
//! resources, prompts, completion, subscriptions and tasks.

use std::io::{self, BufRead, Write};

use super::catalog::{FOUND, HOURS, INSTRUCTIONS, SERVER_INFO, STOCK};
use super::server::{Ask, LEGACY, MODERN, Reply, Server};
use crate::wire::quote;

const LEGACY_CAPABILITIES: &str =
    r#"{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}}"#;
const MODERN_CAPABILITIES: &str = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{},"completions":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
/// The one task that the server makes.
pub(super) const TASK: &str = "b7d4e1f0-6c1a-4f5e-9a53-2f8d0c7be914";

impl<R: BufRead, W: Write, E: Write> Server<R, W, E> {
    /// The reply to a request.
    pub(super) fn answer(&mut self, ask: &Ask) -> io::Result<Reply> {
        if let Some(refusal) = refuse_version(ask) {
            return Ok(refusal);
        }
        Ok(match (ask.modern, &*ask.method) {
            (false, "initialize") => initialized(),
            (false, "ping" | "logging/setLevel") => Reply::Result(String::new()),
            (false, "resources/subscribe") => {
                self.subscribed = ask.params.text("/uri");
                Reply::Result(String::new())
            }
            (true, "server/discover") => discovered(),
            (true, "subscriptions/listen") => self.listen(ask)?,
            (true, "tasks/get") => self.task(ask),
            (_, "tools/list") => Reply::Cacheable(format!(r#""tools":{}"#, self.catalog.tools(self.imported))),
            (_, "tools/call") => self.call(ask)?,
            (_, "resources/list") => Reply::Cacheable(format!(r#""resources":{}"#, self.catalog.list("resources"))),
            (_, "resources/templates/list") => {
                Reply::Cacheable(format!(r#""resourceTemplates":{}"#, self.catalog.list("templates")))
            }
            (_, "resources/read") => read(ask),
            (_, "prompts/list") => Reply::Cacheable(format!(r#""prompts":{}"#, self.catalog.list("prompts"))),
            (_, "prompts/get") => complaint(ask),
            (_, "completion/complete") => complete(ask),
            (_, method) => Reply::Error(-32601, format!("unknown method: {method}"), None),
        })
    }

    /// What the server has to say once an answer is out.
    pub(super) fn afterwards(&mut self, ask: &Ask) -> io::Result<()> {
        let imported = ask.method == "tools/call" && ask.params.text("/name").as_deref() == Some("import_manifest");
        if !imported || self.imported {
            return Ok(());
        }
        self.imported = true;
        self.rest();
        match (ask.modern, &self.listening) {
            (true, Some(id)) => {
                let params = format!(r#"{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}"#);
                self.talk.notify("notifications/tools/list_changed", &params)
            }
            (true, None) => Ok(()),
            (false, _) => self.talk.notify("notifications/tools/list_changed", "{}"),
        }
    }

    /// Opens the subscription: no answer yet, but an acknowledgement that comes first (SU-002).
    fn listen(&mut self, ask: &Ask) -> io::Result<Reply> {
        let filter = ask.params.raw("/notifications").unwrap_or_else(|| "{}".to_owned());
        let id = &ask.id;
        let params =
            format!(r#"{{"notifications":{filter},"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}"#);
        self.talk.notify("notifications/subscriptions/acknowledged", &params)?;
        self.listening = Some(ask.id.clone());
        Ok(Reply::Silence)
    }

    /// Starts the one task (TE-001: flat, first status `working`).
    pub(super) fn start_task(&mut self) -> Reply {
        self.polls = 0;
        let made = now();
        self.task_made = Some(made);
        Reply::Other(format!(r#""resultType":"task",{}"#, task_members("working", made, made)))
    }

    /// How the task stands: working at the first poll, completed at the second.
    fn task(&mut self, ask: &Ask) -> Reply {
        let known = ask.params.text("/taskId").as_deref() == Some(TASK);
        let (true, Some(made)) = (known, self.task_made) else {
            return Reply::Error(-32602, "no such task".to_owned(), None);
        };
        self.polls += 1;
        if self.polls < 2 {
            return Reply::Result(task_members("working", made, now()));
        }
        let result = r#"{"content":[{"type":"text","text":"4812 parcels of 2024 archived"}]}"#;
        Reply::Result(format!(r#"{},"result":{result}"#, task_members("completed", made, now())))
    }
}

fn refuse_version(ask: &Ask) -> Option<Reply> {
    if !ask.modern {
        return None;
    }
    let asked = ask.params.text("/_meta/io.modelcontextprotocol~1protocolVersion").unwrap_or_default();
    let data = format!(r#"{{"supported":["{MODERN}","{LEGACY}"],"requested":{}}}"#, quote(&asked));
    let refusal = Reply::Error(-32022, "unsupported protocol version".to_owned(), Some(data));
    (asked != MODERN).then_some(refusal)
}

fn initialized() -> Reply {
    let instructions = quote(INSTRUCTIONS);
    Reply::Result(format!(
        r#""protocolVersion":"{LEGACY}","capabilities":{LEGACY_CAPABILITIES},"serverInfo":{SERVER_INFO},"instructions":{instructions}"#
    ))
}

fn discovered() -> Reply {
    let instructions = quote(INSTRUCTIONS);
    Reply::Cacheable(format!(
        r#""supportedVersions":["{MODERN}","{LEGACY}"],"capabilities":{MODERN_CAPABILITIES},"instructions":{instructions}"#
    ))
}

fn read(ask: &Ask) -> Reply {
    let uri = ask.params.text("/uri").unwrap_or_default();
    let (media, text) = match &*uri {
        "depot://stock" => ("application/json", STOCK),
        "depot://opening-hours" => ("text/markdown", HOURS),
        "depot://shelf/A2" => ("application/json", FOUND),
        _ => {
            let code = if ask.modern { -32602 } else { -32002 };
            return Reply::Error(code, format!("no such resource: {uri}"), None);
        }
    };
    let (uri, text) = (quote(&uri), quote(text));
    Reply::Cacheable(format!(r#""contents":[{{"uri":{uri},"mimeType":"{media}","text":{text}}}]"#))
}

fn complaint(ask: &Ask) -> Reply {
    let Some(parcel) = ask.params.text("/arguments/parcel") else {
        return Reply::Error(-32602, "prompt complaint: missing argument: parcel".to_owned(), None);
    };
    let tone = ask.params.text("/arguments/tone").unwrap_or_else(|| "friendly".to_owned());
    let task = quote(&format!("Draft a {tone} answer: parcel {parcel} is three days late."));
    let stock = quote(STOCK);
    Reply::Result(format!(
        r#""description":"An answer to a complaint","messages":[{{"role":"user","content":{{"type":"text","text":{task}}}}},{{"role":"user","content":{{"type":"resource","resource":{{"uri":"depot://stock","mimeType":"application/json","text":{stock}}}}}}}]"#
    ))
}

fn complete(ask: &Ask) -> Reply {
    let begun = ask.params.text("/argument/value").unwrap_or_default();
    let values: Vec<String> =
        ["A1", "A2", "A3", "B1"].iter().filter(|row| row.starts_with(&begun)).map(|row| quote(row)).collect();
    let (total, values) = (values.len(), values.join(","));
    Reply::Result(format!(r#""completion":{{"values":[{values}],"total":{total},"hasMore":false}}"#))
}

fn task_members(status: &str, made: jiff::Timestamp, updated: jiff::Timestamp) -> String {
    format!(
        r#""taskId":"{TASK}","status":"{status}","createdAt":"{made}","lastUpdatedAt":"{updated}","ttlMs":600000,"pollIntervalMs":50"#
    )
}

/// Now, to the millisecond, as RFC 3339 says it.
fn now() -> jiff::Timestamp {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
}
