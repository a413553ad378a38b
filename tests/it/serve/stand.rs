//! A server of ours on HTTP in this process, with answers that are steps, and the requests that tests send it.

use std::sync::Arc;

use midwire::engine::serve::{Front, Matching, Options, Running, Source, start_with};
use midwire::model::Revision;
use midwire::peer::server::{About, Answer, Asked, Bytes, Kind, Plan, Script, Settings, Step, Text};
use midwire::wire::Json;

use crate::http::message::Message;
use crate::http::recorded::Recorded;
use crate::http::socket::Socket;

/// A server.
pub struct Stand {
    running: Running,
    address: String,
    folder: tempfile::TempDir,
}

impl Stand {
    /// One whose tools, by name, are answered with these steps.
    pub fn start(tools: Vec<(&'static str, Vec<Step>)>) -> Self {
        Self::with(false, tools)
    }

    /// The same; with `json`, single answers are bodies.
    pub fn with(json: bool, tools: Vec<(&'static str, Vec<Step>)>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let front = Front::Http { listen: "127.0.0.1:0".into(), path: "/mcp".into(), sse: true, sessions: true, json };
        let options = Options {
            source: Source::Nothing,
            matching: Matching::default(),
            front,
            settings: Settings::default(),
            real: None,
            name: None,
            recordings: Some(folder.path().into()),
            max_entry: 1 << 20,
            keep_secrets: true,
        };
        let script = Box::new(Steps::new(tools));
        let running = start_with(options, script, "steps", Arc::new(|_| {}), Arc::new(|_| {})).expect("it starts");
        let url = running.url().expect("it listens");
        let address = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        Self { running, address, folder }
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The server.
    pub fn running(&self) -> &Running {
        &self.running
    }

    /// A new connection.
    pub fn connect(&self) -> Socket {
        Socket::connect(&*self.address)
    }

    /// A POST to the endpoint with further lines of a head.
    pub fn post(&self, lines: &[&str], body: &str) -> String {
        crate::http::message::post(&self.address, "/mcp", lines, body)
    }

    /// A GET of the endpoint.
    pub fn get(&self, lines: &[&str]) -> String {
        crate::http::message::get(&self.address, "/mcp", lines)
    }

    /// Sends one POST over a connection of its own; what comes back, whole.
    pub fn ask(&self, lines: &[&str], body: &str) -> Message {
        let mut socket = self.connect();
        socket.send(self.post(lines, body));
        socket.response()
    }

    /// Begins a session of a revision; the line of a head that names it.
    pub fn open(&self, revision: &str) -> String {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"t","version":"1"}}}}}}"#
        );
        let answer = self.ask(&[], &body);
        let id = answer.get("mcp-session-id");
        assert!(answer.status() == 200 && !id.is_empty(), "{answer:?}");
        let line = format!("Mcp-Session-Id: {id}");
        let noted = self.ask(&[&line], r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!((noted.status(), noted.said().as_str()), (202, ""));
        line
    }

    /// Ends it, and gives what it recorded.
    pub fn end(self) -> Recorded {
        self.running.stop();
        assert_eq!(self.running.wait(), 0);
        let mut recorded = Recorded::read(self.folder.path());
        recorded.folder = Some(self.folder);
        recorded
    }
}

/// A call of a tool, in the legacy era.
pub fn call(id: u32, tool: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{}},"_meta":{{"progressToken":"p{id}"}}}}}}"#
    )
}

/// A result with this text.
pub fn result(text: &str) -> Step {
    let result = format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#);
    Step::Result { result: fixed(&result), bare: true, id: None }
}

/// Progress.
pub fn progress(number: u32) -> Step {
    Step::Progress { progress: fixed(&number.to_string()), total: None, message: None }
}

/// Milliseconds.
pub fn wait(milliseconds: i64) -> Step {
    Step::Wait(milliseconds * 1_000_000)
}

/// Text as it is.
pub fn fixed(text: &str) -> Text {
    Text::Fixed(text.as_bytes().into())
}

/// What a tool's result looks like on the wire.
pub fn answer(id: u32, text: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
}

/// Tools that are answered with steps.
#[derive(Debug)]
struct Steps {
    about: About,
    tools: Vec<(&'static str, Vec<Step>)>,
    items: Vec<Bytes>,
}

impl Steps {
    fn new(tools: Vec<(&'static str, Vec<Step>)>) -> Self {
        let about = About {
            identity: r#"{"name":"steps","version":"1"}"#.to_owned(),
            legacy: r#"{"tools":{"listChanged":true},"logging":{}}"#.to_owned(),
            modern: r#"{"tools":{"listChanged":true},"logging":{}}"#.to_owned(),
            instructions: None,
            revisions: Revision::KNOWN.to_vec(),
            page: None,
            hint: (0, "private".to_owned()),
            completions: Vec::new(),
        };
        let item = |(name, _): &(&str, Vec<Step>)| {
            format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#).into_bytes().into()
        };
        let items = tools.iter().map(item).collect();
        Self { about, tools, items }
    }
}

impl Script for Steps {
    fn about(&self) -> &About {
        &self.about
    }

    fn list(&self, kind: Kind) -> &[Bytes] {
        if kind == Kind::Tools { &self.items } else { &[] }
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Answer {
        let name = || Some(Json::parse(asked.params?).ok()?.get("name")?.text()?.into_owned());
        let Some(name) = name().filter(|_| asked.method == "tools/call") else { return Answer::Own };
        let steps = self.tools.iter().find(|(tool, _)| *tool == name);
        steps.map_or(Answer::Own, |(_, steps)| {
            Answer::Plan(Plan { by: name.clone(), nth: 1, steps: steps.clone(), ..Plan::default() })
        })
    }
}
