//! One end of the demo's conversation: JSON-RPC lines in, lines out. A plain peer, as a small SDK
//! would be one; it is not the tap's relay and shares no code with it.

use std::io::{self, BufRead, Write};

use crate::wire::{self, Frame, Json, Message, MessageKind};

/// Lines of JSON-RPC over a pair of streams.
pub(super) struct Talk<R, W> {
    input: R,
    output: W,
}

/// One line that was heard, with its JSON text as sent.
#[derive(Debug, Clone)]
pub(super) enum Heard {
    /// The peer asks.
    Request {
        /// The id as JSON text, so that it goes back exactly as it came.
        id: String,
        /// What it asks for.
        method: String,
        /// Its params, `{}` where there were none.
        params: Raw,
    },
    /// The peer tells.
    Notification {
        /// What it tells.
        method: String,
        /// Its params, `{}` where there were none.
        params: Raw,
    },
    /// The peer answers.
    Answer {
        /// The id as JSON text.
        id: String,
        /// The result, or the error object.
        body: Result<Raw, Raw>,
    },
    /// A line that is no message. A client skips it.
    Noise,
}

/// A JSON value as text, read by JSON pointer.
#[derive(Debug, Clone)]
pub(super) struct Raw(pub(super) String);

impl<R: BufRead, W: Write> Talk<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self { input, output }
    }

    /// The next line; `None` at the end of the stream.
    pub(super) fn hear(&mut self) -> io::Result<Option<Heard>> {
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(match wire::read(&line) {
            Frame::Message(message) => heard(&message),
            _ => Heard::Noise,
        }))
    }

    /// Writes one line and flushes it.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(line.as_bytes())?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }

    /// Asks the peer; `id` and `params` are JSON text.
    pub(super) fn request(&mut self, id: &str, method: &str, params: &str) -> io::Result<()> {
        self.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#))
    }

    /// Tells the peer something; `params` is JSON text.
    pub(super) fn notify(&mut self, method: &str, params: &str) -> io::Result<()> {
        self.say(&format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#))
    }

    /// Answers with a result; `id` and `result` are JSON text.
    pub(super) fn result(&mut self, id: &str, result: &str) -> io::Result<()> {
        self.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
    }

    /// Answers with an error; `id` and `data` are JSON text.
    pub(super) fn error(&mut self, id: &str, code: i32, message: &str, data: Option<&str>) -> io::Result<()> {
        let message = wire::quote(message);
        let data = data.map_or_else(String::new, |data| format!(r#","data":{data}"#));
        self.say(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}{data}}}}}"#))
    }

    /// Closes the output; the input stays open.
    pub(super) fn into_input(self) -> R {
        self.input
    }
}

impl Raw {
    /// The string at a JSON pointer.
    pub(super) fn text(&self, pointer: &str) -> Option<String> {
        self.at(pointer, |json| json.text().map(std::borrow::Cow::into_owned))
    }

    /// The integer at a JSON pointer.
    pub(super) fn integer(&self, pointer: &str) -> Option<i64> {
        self.at(pointer, |json| json.as_i64())
    }

    /// The JSON text at a JSON pointer.
    pub(super) fn raw(&self, pointer: &str) -> Option<String> {
        self.at(pointer, |json| Some(text_of(&json)))
    }

    fn at<T>(&self, pointer: &str, read: impl FnOnce(Json<'_>) -> Option<T>) -> Option<T> {
        let json = Json::parse(self.0.as_bytes()).ok()?;
        json.pointer(pointer).and_then(read)
    }
}

fn heard(message: &Message<'_>) -> Heard {
    let id = message.json.get("id").map_or_else(|| "null".to_owned(), |id| text_of(&id));
    let method = message.method.as_deref().unwrap_or_default().to_owned();
    let raw = |json: &Option<Json<'_>>| Raw(json.as_ref().map_or_else(|| "{}".to_owned(), text_of));
    match message.kind {
        MessageKind::Request => Heard::Request { id, method, params: raw(&message.params) },
        MessageKind::Notification => Heard::Notification { method, params: raw(&message.params) },
        MessageKind::Result => Heard::Answer { id, body: Ok(raw(&message.result)) },
        MessageKind::Error => Heard::Answer { id, body: Err(raw(&message.error)) },
    }
}

fn text_of(json: &Json<'_>) -> String {
    String::from_utf8_lossy(json.raw()).into_owned()
}
