//! One message for the server: what it is, whom it asks, and which header fields it is sent with in
//! 2026-07-28.

use std::collections::HashMap;
use std::sync::Arc;

use crate::mcp::meta::PROTOCOL_VERSION;
use crate::mcp::mirror::{self, Annotation};
use crate::model::Id;
use crate::wire::{self, Frame, Item, Json, Message, MessageKind};

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something in it wants an answer.
    Request,
    /// Notifications or answers only.
    Quiet,
    /// Not JSON-RPC.
    Unreadable,
}

/// A request that waits for its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its id.
    pub id: Id,
    /// The id as it was sent.
    pub raw: Vec<u8>,
    /// Which message of our own client's it stood in, counted from 1 as they are sent; 0 for a host's.
    pub place: u64,
}

/// One message: a line of a host on stdio, or what our own client sends.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its bytes without the line end.
    pub bytes: Arc<[u8]>,
    /// What it is.
    pub kind: Kind,
    /// The requests in it: one, or those of a batch.
    pub asks: Vec<Asked>,
    /// Its method; empty for answers, batches and what cannot be read.
    pub method: String,
    /// The revision that its `_meta` names, which makes it one of 2026-07-28 or later.
    pub version: Option<String>,
    /// The request that it takes back, when it is `notifications/cancelled`.
    pub cancels: Option<Id>,
    /// Whether it was sent before, in a session that the server had forgotten.
    pub repeated: bool,
    /// Header fields beside or instead of those that the protocol wants.
    pub fields: Vec<(String, String)>,
    /// Whether whatever the server makes of it is to be told.
    pub raw: bool,
}

impl Line {
    /// Reads a line; nothing when it is blank.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if matches!(wire::read(bytes), Frame::Blank) {
            return None;
        }
        Some(Self::of(bytes.into(), Vec::new(), false))
    }

    /// A body that is sent as it is, with these header fields beside or instead of our own; `raw` asks for whatever the
    /// server makes of it.
    pub fn of(body: Arc<[u8]>, fields: Vec<(String, String)>, raw: bool) -> Self {
        let bytes = Arc::clone(&body);
        let mut line = Self {
            bytes: body,
            kind: Kind::Unreadable,
            asks: Vec::new(),
            method: String::new(),
            version: None,
            cancels: None,
            repeated: false,
            fields,
            raw,
        };
        match wire::read(&bytes) {
            Frame::Message(message) => line.message(&message),
            Frame::Batch(items) => line.batch(&items),
            Frame::Blank | Frame::NotRpc { .. } | Frame::NotJson(_) => {}
        }
        line
    }

    fn message(&mut self, message: &Message<'_>) {
        self.kind = Kind::Quiet;
        message.method.as_deref().unwrap_or_default().clone_into(&mut self.method);
        let params = message.params;
        let meta = params.and_then(|params| params.get("_meta"));
        self.version = meta.and_then(|meta| Some(meta.get(PROTOCOL_VERSION)?.text()?.into_owned()));
        if self.method == "notifications/cancelled" {
            let cancelled = params.and_then(|params| params.get("requestId"));
            self.cancels = cancelled.map(crate::mcp::meta::typed);
        }
        self.ask(message);
    }

    fn batch(&mut self, items: &[Item<'_>]) {
        for item in items {
            if let Item::Message(message) = item {
                if self.kind == Kind::Unreadable {
                    self.kind = Kind::Quiet;
                }
                self.ask(message);
            }
        }
    }

    fn ask(&mut self, message: &Message<'_>) {
        if message.kind == MessageKind::Request
            && let Some(id) = &message.id
        {
            self.kind = Kind::Request;
            let raw = message.json.get("id").map_or(&b"null"[..], |id| id.raw());
            self.asks.push(Asked { id: id.clone(), raw: raw.to_vec(), place: 0 });
        }
    }

    /// Whether it opens a session of 2024-11-05 … 2025-11-25.
    pub fn is_initialize(&self) -> bool {
        self.method == "initialize" && self.kind == Kind::Request
    }

    /// Whether it asks for a stream that stays open (2026-07-28).
    pub fn is_listen(&self) -> bool {
        self.method == "subscriptions/listen"
    }

    /// The header fields that repeat what a line of 2026-07-28 says (HM-001 … HM-008).
    pub fn mirrored(&self, tools: &Tools) -> Vec<(String, String)> {
        let Some(version) = &self.version else { return Vec::new() };
        let field = |name: &str, value: &str| (name.to_owned(), mirror::encode(value).into_owned());
        let mut fields = vec![field(mirror::VERSION, version), field(mirror::METHOD, &self.method)];
        let json = Json::of_frame(&self.bytes).ok();
        let Some(params) = json.and_then(|json| json.get("params")) else { return fields };
        let name = mirror::name(&self.method, params);
        fields.extend(name.iter().map(|name| field(mirror::NAME, name)));
        if self.method == "tools/call"
            && let (Some(name), Some(arguments)) = (name, params.get("arguments"))
        {
            for annotation in tools.of(&name) {
                let text = annotation.value(arguments).and_then(mirror::text);
                fields.extend(text.map(|text| field(&format!("{}{}", mirror::PARAM, annotation.header), &text)));
            }
        }
        fields
    }
}

/// The tools whose calls repeat arguments in header fields, as the server listed them.
#[derive(Debug, Default)]
pub struct Tools(HashMap<String, Vec<Annotation>>);

/// How many annotated tools are remembered.
const MOST: usize = 10_000;

impl Tools {
    /// Learns from a message that holds the result of `tools/list`.
    pub fn learn(&mut self, message: &[u8]) {
        let json = Json::of_frame(message).ok();
        let tools = json.and_then(|json| json.get("result")?.get("tools"));
        for tool in tools.iter().flat_map(Json::items) {
            let Some(name) = tool.get("name").and_then(|name| name.text()) else { continue };
            let annotations = tool.get("inputSchema").map(mirror::annotations).unwrap_or_default();
            if annotations.is_empty() {
                self.0.remove(&*name);
            } else if self.0.len() < MOST || self.0.contains_key(&*name) {
                self.0.insert(name.into_owned(), annotations);
            }
        }
    }

    fn of(&self, name: &str) -> &[Annotation] {
        self.0.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Line, Tools};

    #[test]
    fn a_line_is_what_it_asks_for() {
        let kind = |text: &str| Line::read(text.as_bytes()).map(|line| (line.kind, line.asks.len()));
        let cases = [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, Some((Kind::Request, 1))),
            (r#"{"jsonrpc":"2.0","method":"x"}"#, Some((Kind::Quiet, 0))),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Some((Kind::Quiet, 0))),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":"1","method":"b"}]"#,
                Some((Kind::Request, 2)),
            ),
            (r#"[{"jsonrpc":"2.0","method":"x"}]"#, Some((Kind::Quiet, 0))),
            ("not json", Some((Kind::Unreadable, 0))),
            (" \r\n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(kind(text), expected, "{text}");
        }
        let line = Line::read(b"{\"jsonrpc\":\"2.0\",\"id\": 1.0 ,\"method\":\"ping\"}\r\n").expect("a line");
        assert!(line.bytes.ends_with(b"}"), "without its end");
        assert_eq!(line.asks[0].raw, b"1.0");
    }

    #[test]
    fn what_a_modern_line_says_is_repeated_in_fields() {
        let mut tools = Tools::default();
        tools.learn(
            br#"{"result":{"tools":[{"name":"weather","inputSchema":{"properties":
            {"city":{"type":"string","x-mcp-header":"City"},"day":{"type":"integer","x-mcp-header":"Day"}}}}]}}"#,
        );
        let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"weather","arguments":
            {"city":"Malmö","day":null},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let fields = Line::read(call.as_bytes()).expect("a line").mirrored(&tools);
        let told: Vec<_> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let expected = [
            "MCP-Protocol-Version: 2026-07-28",
            "Mcp-Method: tools/call",
            "Mcp-Name: weather",
            "Mcp-Param-City: =?base64?TWFsbcO2?=",
        ];
        assert_eq!(told, expected);
        tools.learn(br#"{"result":{"tools":[{"name":"weather","inputSchema":{}}]}}"#);
        assert_eq!(Line::read(call.as_bytes()).expect("a line").mirrored(&tools).len(), 3, "the last list counts");
        let legacy = Line::read(br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}"#);
        assert_eq!(legacy.expect("a line").mirrored(&tools), []);
    }
}
