//! The notation of the scripts: what is done is told in short lines.

use url::Url;

use crate::engine::remote::line::Line;
use crate::engine::remote::machine::{Answer, Do, Machine, Number};
use crate::model::Nanos;

pub const SECOND: Nanos = 1_000_000_000;
pub const JSON: &str = "application/json";
pub const SSE: &str = "text/event-stream";

/// A machine with the time that it is told.
pub struct Script {
    pub machine: Machine,
    pub now: Nanos,
}

impl Script {
    pub fn new() -> Self {
        let url = Url::parse("http://h/mcp").expect("a URL");
        Self { machine: Machine::new(url, 5 * SECOND), now: 0 }
    }

    /// One for our own client.
    pub fn for_client() -> Self {
        let url = Url::parse("http://h/mcp").expect("a URL");
        Self { machine: Machine::whole(url, 5 * SECOND), now: 0 }
    }

    /// Our own client sends a request of 2026-07-28.
    pub fn sends(&mut self, id: &str, method: &str) {
        let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{meta}}}}}"#);
        self.machine.send(self.now, Line::of(text.into_bytes().into(), Vec::new(), false));
    }

    /// One that has begun a session `s1` and opened the standalone stream, which the server does not have.
    pub fn in_session() -> Self {
        let mut script = Self::new();
        script.greet("s1");
        script.host(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        script.head(2, 202, "", None);
        script.end(2);
        script.head(3, 405, "", None);
        script.end(3);
        script.does();
        script
    }

    /// The host says `initialize`, and the server assigns a session.
    pub fn greet(&mut self, session: &str) {
        self.host(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#);
        self.machine.sent(self.now, 1);
        self.head(1, 200, JSON, Some(session));
        self.body(1, r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}"#);
        self.end(1);
    }

    pub fn host(&mut self, line: &str) {
        self.machine.input(self.now, format!("{line}\n").as_bytes());
    }

    /// A request of 2026-07-28.
    pub fn modern(&mut self, id: &str, method: &str) {
        let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        self.host(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{meta}}}}}"#));
    }

    /// A request of a session.
    pub fn call(&mut self, id: &str) {
        self.host(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"x"}}}}"#));
    }

    pub fn sent(&mut self, number: Number) {
        self.machine.sent(self.now, number);
    }

    pub fn head(&mut self, number: Number, status: u16, media: &str, session: Option<&str>) {
        self.machine.sent(self.now, number);
        let session = session.map(str::to_owned);
        let answer = Answer { status, media: media.to_owned(), session, challenge: None, location: None };
        self.machine.head(self.now, number, answer);
    }

    pub fn body(&mut self, number: Number, bytes: &str) {
        self.machine.body(self.now, number, bytes.as_bytes());
    }

    pub fn end(&mut self, number: Number) {
        self.machine.ended(self.now, number, None);
    }

    pub fn breaks(&mut self, number: Number, why: &str) {
        self.machine.ended(self.now, number, Some(why.to_owned()));
    }

    /// A whole answer.
    pub fn answer(&mut self, number: Number, status: u16, media: &str, body: &str) {
        self.head(number, status, media, None);
        self.body(number, body);
        self.end(number);
    }

    /// Time passes; nothing happens before.
    pub fn passes(&mut self, span: Nanos) {
        self.now += span;
        self.machine.passed(self.now);
    }

    /// What is done, without reading on.
    pub fn does(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        while let Some(next) = self.machine.next() {
            told.extend(tell(next));
        }
        told
    }
}

fn tell(next: Do) -> Option<String> {
    Some(match next {
        Do::Send(number, request) => {
            let shown = ["Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method", "Last-Event-ID"];
            let fields = shown.iter().filter_map(|name| request.field(name)).map(|value| format!(" [{value}]"));
            let fields: String = fields.collect();
            format!("{} {number} {}{fields} {}", request.method, request.url.path(), text(&request.body))
                .trim_end()
                .into()
        }
        Do::Abort(number, why) => format!("abort {number}: {why}"),
        Do::ReadOn(_) => return None,
        Do::Answers(place) => format!("answers {place}"),
        Do::Print(bytes) => format!("print {}", text(&bytes)),
        Do::Refused(id, refusal) => format!("refused {id:?} {:?}: {}", refusal.status, refusal.why),
        Do::Damaged(start, size) => format!("damaged {} of {size}", start.len()),
        Do::Say(text) => format!("say {text}"),
        Do::Changed(number, what, to) => format!("changed {number} {what}: {to}"),
        Do::IsSse(number) => format!("sse {number}"),
        Do::Finish => "finish".to_owned(),
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
