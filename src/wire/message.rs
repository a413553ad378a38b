//! The JSON-RPC envelope, read leniently in one pass: whatever can be understood is, and what is wrong
//! with it is noted rather than refused. It does not know MCP; what a method means is for `mcp`.

use std::borrow::Cow;

use super::json::{Json, JsonKind};
use super::oddities::Oddities;
use super::scan::{JsonFault, Scanner};
use crate::model::Id;

/// What one frame holds: a line on stdio, one body or SSE event on HTTP.
#[derive(Debug, Clone)]
pub enum Frame<'a> {
    /// Nothing but whitespace (IO-005).
    Blank,
    /// One JSON-RPC message.
    Message(Message<'a>),
    /// An array, which is a JSON-RPC batch (JR-017 … JR-019); it may be empty.
    Batch(Vec<Item<'a>>),
    /// JSON, but no JSON-RPC message (JR-001, JR-002).
    NotRpc {
        /// The value.
        json: Json<'a>,
        /// What it lacks.
        why: &'static str,
    },
    /// Not JSON (IO-001, IO-002). Offsets count from the start of the frame.
    NotJson(JsonFault),
}

/// One item of a batch.
#[derive(Debug, Clone)]
pub enum Item<'a> {
    /// A message.
    Message(Message<'a>),
    /// Something else (JR-019).
    NotRpc {
        /// The value.
        json: Json<'a>,
        /// What it lacks.
        why: &'static str,
    },
}

/// The four kinds of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// `method` and `id`.
    Request,
    /// `method` without `id`.
    Notification,
    /// `result`.
    Result,
    /// `error`.
    Error,
}

/// One message. Members that occur twice are read as most parsers do: the last wins.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    /// What kind it is taken for; see [`Oddities`] for what speaks against it.
    pub kind: MessageKind,
    /// The whole object.
    pub json: Json<'a>,
    /// Its `id`; `None` when there is none, [`Id::Null`] when it is `null`.
    pub id: Option<Id>,
    /// Its `method`, decoded; `None` for answers, and for a method that is not a string.
    pub method: Option<Cow<'a, str>>,
    /// Its `params`.
    pub params: Option<Json<'a>>,
    /// Its `result`.
    pub result: Option<Json<'a>>,
    /// Its `error`.
    pub error: Option<Json<'a>>,
    /// What is unusual about it.
    pub oddities: Oddities,
}

/// Reads one frame. A BOM, CRLF and whitespace around it are tolerated and noted.
pub fn read(bytes: &[u8]) -> Frame<'_> {
    let (start, around) = Oddities::around(bytes);
    let mut scanner = Scanner::new(bytes, start);
    scanner.space();
    let frame = match scanner.peek() {
        None => return Frame::Blank,
        Some(b'{') => object(&mut scanner, bytes, around).map(Frame::from),
        Some(b'[') => batch(&mut scanner, bytes, around).map(Frame::Batch),
        Some(_) => other(&mut scanner, bytes).map(Frame::from),
    };
    scanner.space();
    match frame {
        Ok(frame) if scanner.peek().is_none() => frame,
        Ok(_) => Frame::NotJson(JsonFault { at: scanner.at, what: "more text follows the JSON value" }),
        Err(fault) => Frame::NotJson(name_encoding(bytes, fault)),
    }
}

impl<'a> From<Item<'a>> for Frame<'a> {
    fn from(item: Item<'a>) -> Self {
        match item {
            Item::Message(message) => Self::Message(message),
            Item::NotRpc { json, why } => Self::NotRpc { json, why },
        }
    }
}

/// Says so when the text is UTF-16 (JR-023), which otherwise looks like noise between letters.
fn name_encoding(bytes: &[u8], fault: JsonFault) -> JsonFault {
    let utf16 = bytes.starts_with(b"\xFF\xFE{")
        || bytes.starts_with(b"\xFE\xFF\0")
        || bytes.starts_with(b"{\0")
        || bytes.starts_with(b"\0{");
    if utf16 { JsonFault { at: 0, what: "this is UTF-16, and MCP is UTF-8" } } else { fault }
}

fn other<'a>(scanner: &mut Scanner<'a>, bytes: &'a [u8]) -> Result<Item<'a>, JsonFault> {
    let start = scanner.value()?;
    let json = Json::trusted(&bytes[start..scanner.at]);
    Ok(Item::NotRpc { json, why: "a message is a JSON object" })
}

fn batch<'a>(scanner: &mut Scanner<'a>, bytes: &'a [u8], around: Oddities) -> Result<Vec<Item<'a>>, JsonFault> {
    let mut items = Vec::new();
    scanner.at += 1;
    scanner.space();
    if scanner.take(b']') {
        return Ok(items);
    }
    loop {
        scanner.space();
        let object_follows = scanner.peek() == Some(b'{');
        items.push(if object_follows { object(scanner, bytes, around)? } else { other(scanner, bytes)? });
        scanner.space();
        if scanner.take(b']') {
            return Ok(items);
        }
        if !scanner.take(b',') {
            return scanner.fault("expected `,` or `]`");
        }
    }
}

/// Reads the object at the scanner and takes its members for an envelope's.
fn object<'a>(scanner: &mut Scanner<'a>, bytes: &'a [u8], around: Oddities) -> Result<Item<'a>, JsonFault> {
    let start = scanner.at;
    (scanner.lone_surrogate, scanner.deepest) = (false, 0);
    let mut envelope = Envelope { oddities: around, ..Envelope::default() };
    scanner.at += 1;
    scanner.space();
    if !scanner.take(b'}') {
        loop {
            let name = scanner.at;
            let name_end = scanner.name()?;
            let value = scanner.value()?;
            let name = Json::trusted(&bytes[name..name_end]);
            envelope.member(name, Json::trusted(&bytes[value..scanner.at]));
            scanner.space();
            if scanner.take(b'}') {
                break;
            }
            if !scanner.take(b',') {
                return scanner.fault("expected `,` or `}`");
            }
            scanner.space();
        }
    }
    envelope.note(scanner.lone_surrogate, Oddities::LONE_SURROGATE);
    envelope.note(scanner.deepest >= DEEP, Oddities::DEEP);
    Ok(envelope.finish(Json::trusted(&bytes[start..scanner.at])))
}

/// Nesting from which on common parsers refuse a message (`serde_json` takes 127 levels).
const DEEP: usize = 127;

/// The members of an object that may be an envelope.
#[derive(Default)]
struct Envelope<'a> {
    version: Option<Json<'a>>,
    id: Option<Json<'a>>,
    method: Option<Json<'a>>,
    params: Option<Json<'a>>,
    result: Option<Json<'a>>,
    error: Option<Json<'a>>,
    /// The names that JSON-RPC does not know.
    others: Vec<Cow<'a, str>>,
    oddities: Oddities,
}

impl<'a> Envelope<'a> {
    fn note(&mut self, is_so: bool, oddity: Oddities) {
        if is_so {
            self.oddities = self.oddities.with(oddity);
        }
    }

    fn member(&mut self, name: Json<'a>, value: Json<'a>) {
        let slot = match self.slot(name.inner().unwrap_or_default()) {
            Some(slot) => slot,
            None => match self.escaped_slot(name) {
                Ok(slot) => slot,
                Err(other) => return self.others.push(other),
            },
        };
        let before = slot.replace(value);
        self.note(before.is_some(), Oddities::DUPLICATE_KEYS);
    }

    fn slot(&mut self, name: &[u8]) -> Option<&mut Option<Json<'a>>> {
        Some(match name {
            b"jsonrpc" => &mut self.version,
            b"id" => &mut self.id,
            b"method" => &mut self.method,
            b"params" => &mut self.params,
            b"result" => &mut self.result,
            b"error" => &mut self.error,
            _ => return None,
        })
    }

    /// The slot of a name that is written with escapes, or the name.
    fn escaped_slot(&mut self, name: Json<'a>) -> Result<&mut Option<Json<'a>>, Cow<'a, str>> {
        let text = name.text().unwrap_or_default();
        self.slot(text.as_bytes()).ok_or(text)
    }

    fn finish(mut self, json: Json<'a>) -> Item<'a> {
        let kind = match self.kind() {
            Ok(kind) => kind,
            Err(why) => return Item::NotRpc { json, why },
        };
        self.note_oddities(kind);
        self.note(std::str::from_utf8(json.raw()).is_err(), Oddities::INVALID_UTF8);
        Item::Message(Message {
            kind,
            json,
            id: self.id.map(id),
            method: self.method.and_then(|method| method.text()),
            params: self.params,
            result: self.result,
            error: self.error,
            oddities: self.oddities,
        })
    }

    /// What the object is taken for, or why it is no message. Without `jsonrpc` it must look like one
    /// in all else, since servers write logs in JSON to stdout.
    fn kind(&self) -> Result<MessageKind, &'static str> {
        let is_answer = self.result.is_some() || self.error.is_some();
        let has_method = self.method.is_some_and(|method| method.kind() == JsonKind::String);
        if self.version.is_none() && (self.id.is_none() && (is_answer || !self.others.is_empty())) {
            return Err("an object without `jsonrpc` and `id`");
        }
        let result_is_real = self.result.is_some_and(|result| !result.is_null());
        match (has_method || (self.method.is_some() && !is_answer), self.id.is_some()) {
            (true, true) => Ok(MessageKind::Request),
            (true, false) => Ok(MessageKind::Notification),
            _ => match self.error {
                Some(error) if !(error.is_null() && result_is_real) => Ok(MessageKind::Error),
                _ if self.result.is_some() => Ok(MessageKind::Result),
                _ => Err("an object without `method`, `result` and `error`"),
            },
        }
    }

    fn note_oddities(&mut self, kind: MessageKind) {
        self.others.sort_unstable();
        let is_answer = self.result.is_some() || self.error.is_some();
        let is_object = |json: Json<'_>| json.kind() == JsonKind::Object;
        self.note(self.others.windows(2).any(|pair| pair[0] == pair[1]), Oddities::DUPLICATE_KEYS);
        self.note(!self.others.is_empty(), Oddities::EXTRA_MEMBERS);
        self.note(!self.version.is_some_and(|version| version.is_text("2.0")), Oddities::WRONG_VERSION);
        self.note(self.result.is_some() && self.error.is_some(), Oddities::BOTH_RESULT_AND_ERROR);
        self.note(self.method.is_some() && is_answer, Oddities::METHOD_AND_ANSWER);
        self.note(self.method.is_some_and(|method| method.kind() != JsonKind::String), Oddities::METHOD_NOT_STRING);
        self.note(self.params.is_some_and(|params| !is_object(params)), Oddities::PARAMS_NOT_OBJECT);
        match kind {
            MessageKind::Result => {
                self.note(!self.result.is_some_and(is_object), Oddities::RESULT_NOT_OBJECT);
            }
            MessageKind::Error => self.note(!self.error.is_some_and(is_error), Oddities::ERROR_MALFORMED),
            MessageKind::Request | MessageKind::Notification => {}
        }
        match self.id {
            Some(id) => self.oddities = self.oddities.with(Oddities::of_id(id)),
            None => self.note(kind != MessageKind::Notification, Oddities::ID_MISSING),
        }
    }
}

fn id(json: Json<'_>) -> Id {
    match json.kind() {
        JsonKind::Number => Id::number(json.number().unwrap_or_default()),
        JsonKind::String => Id::String(json.text().unwrap_or_default().into()),
        JsonKind::Null => Id::Null,
        _ => Id::Other(String::from_utf8_lossy(json.raw()).into()),
    }
}

/// Whether an `error` has an integer `code` and a `message` (JR-010).
fn is_error(json: Json<'_>) -> bool {
    let code = json.get("code").is_some_and(|code| code.as_i64().is_some());
    code && json.get("message").is_some_and(|message| message.kind() == JsonKind::String)
}

#[cfg(test)]
mod tests;
