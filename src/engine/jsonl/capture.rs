//! Captured traffic of other programs as a recording. One JSON object a line:
//!
//! `{"ts": seconds, "dir": "c2s" | "s2c" | "stderr" | "meta", "transport": "stdio" | "http", "conn": process,
//! "http": {exchange, method, path, status, headers, sse: {event, id, retry}, sse_open, sse_close,
//! client_disconnect, server_aborted, error}, "raw": text, "raw_b64": base64, "no_newline": true}`
//!
//! Each process is a channel, and each HTTP exchange is. Heads and events are put together anew from what the
//! capture tells of them; secrets in them are masked as a tap does it.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::import::{Fault, Made};
use super::line::decode;
use crate::engine::record::{Media, Redactor};
use crate::model::{Channel, ChannelId, Entry, EntryKind, Flags, HttpEnd, Lifecycle, Nanos, Side, Transport};
use crate::wire::lifecycle;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    ts: &'a RawValue,
    dir: String,
    transport: String,
    conn: Option<&'a RawValue>,
    http: Option<Part>,
    #[serde(default)]
    raw: String,
    raw_b64: Option<String>,
    #[serde(default)]
    no_newline: bool,
}

#[derive(Deserialize)]
struct Part {
    exchange: u64,
    method: Option<String>,
    path: Option<String>,
    status: Option<u16>,
    #[serde(default)]
    headers: Vec<(String, String)>,
    sse: Option<serde_json::Map<String, serde_json::Value>>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(default)]
    sse_open: bool,
    #[serde(default)]
    sse_close: bool,
    /// What came behind the last event.
    #[serde(default)]
    rest: String,
    #[serde(default)]
    client_disconnect: bool,
    #[serde(default)]
    server_aborted: bool,
    error: Option<String>,
}

impl Part {
    fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
    }

    /// The head as it is on the wire.
    fn head(&self, first: &str) -> Vec<u8> {
        let mut head = format!("{first}\r\n");
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    /// The event as it may have been on the wire.
    fn event(&self, data: &[u8]) -> Vec<u8> {
        let mut event = Vec::new();
        let mut line = |name: &[u8], value: &[u8]| {
            event.extend_from_slice(name);
            event.extend_from_slice(value);
            event.push(b'\n');
        };
        self.comments.iter().for_each(|comment| line(comment.as_bytes(), b""));
        for (name, value) in self.sse.iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            line(format!("{name}: ").as_bytes(), value.as_bytes());
        }
        if !data.is_empty() {
            data.split(|byte| *byte == b'\n').for_each(|part| line(b"data: ", part));
        }
        event.push(b'\n');
        event
    }
}

/// What must be remembered from line to line.
#[derive(Default)]
pub struct Capture {
    channels: ChannelId,
    processes: HashMap<String, ChannelId>,
    exchanges: HashMap<u64, Exchange>,
    redactor: Redactor,
}

/// One HTTP request with its response.
struct Exchange {
    channel: Channel,
    is_get: bool,
    has_ended: bool,
}

impl Capture {
    /// Adds what one line says.
    pub fn line(&mut self, line: &[u8], made: &mut Made) -> Result<(), Fault> {
        let line: Line<'_> = serde_json::from_slice(line)?;
        let at = nanos(line.ts.get()).ok_or_else(|| format!("ts is not a number of seconds: {}", line.ts.get()))?;
        let bytes = match &line.raw_b64 {
            Some(base64) => decode(base64)?,
            None => line.raw.clone().into_bytes(),
        };
        match (line.transport.as_str(), &line.http) {
            ("stdio", _) => self.stdio(&line, at, bytes, made),
            ("http", Some(part)) => self.http(&line.dir, part, at, bytes, made),
            (other, _) => Err(Fault::Line(format!("transport {other:?} without what belongs to it"))),
        }
    }

    fn stdio(&mut self, line: &Line<'_>, at: Nanos, mut bytes: Vec<u8>, made: &mut Made) -> Result<(), Fault> {
        made.begin_at(at, Transport::Stdio)?;
        let process = line.conn.map_or("", RawValue::get).to_owned();
        let channel = match self.processes.get(&process) {
            Some(channel) => *channel,
            None => {
                self.channels += 1;
                made.channel(&Channel::stdio(self.channels))?;
                self.processes.insert(process, self.channels);
                self.channels
            }
        };
        if line.dir == "meta" {
            return match event(&line.raw) {
                Some(event) => {
                    let place = Place { at, channel, side: None };
                    add(made, place, EntryKind::Lifecycle, NONE, lifecycle::encode(&event))
                }
                None => Ok(()),
            };
        }
        let (side, kind) = match line.dir.as_str() {
            "c2s" => (Side::Client, EntryKind::Frame),
            "s2c" => (Side::Server, EntryKind::Frame),
            "stderr" => (Side::Server, EntryKind::Stderr),
            other => return Err(Fault::Line(format!("unknown dir {other:?}"))),
        };
        let mut flags = Flags::NO_NEWLINE;
        if !line.no_newline {
            bytes.push(b'\n');
            flags = NONE;
        }
        add(made, Place { at, channel, side: Some(side) }, kind, flags, bytes)
    }

    fn http(&mut self, dir: &str, part: &Part, at: Nanos, bytes: Vec<u8>, made: &mut Made) -> Result<(), Fault> {
        made.begin_at(at, Transport::HttpRequest)?;
        if let Some(method) = &part.method {
            return self.request(method, part, at, bytes, made);
        }
        let Some(exchange) = self.exchanges.get_mut(&part.exchange) else {
            return Err(Fault::Line(format!("exchange {} has no request", part.exchange)));
        };
        let id = exchange.channel.id;
        let to = |side| Place { at, channel: id, side: Some(side) };
        if exchange.learn(part) {
            made.channel(&exchange.channel)?;
        }
        if let Some(status) = part.status {
            let head = part.head(&format!("HTTP/1.1 {status}"));
            let is_whole = !part.sse_open;
            exchange.has_ended |= is_whole;
            return whole(&mut self.redactor, to(Side::Server), &head, bytes, is_whole, made);
        }
        if part.sse.is_some() {
            let event = part.event(&bytes);
            return add(made, to(Side::Server), EntryKind::Event, NONE, event);
        }
        if let Some(event) = ending(part)
            && !std::mem::replace(&mut exchange.has_ended, true)
        {
            if part.sse_close && !part.rest.is_empty() {
                let flags = Flags::NO_NEWLINE.with(Flags::ENDS);
                return add(made, to(Side::Server), EntryKind::Event, flags, part.rest.clone().into_bytes());
            }
            add(made, Place { at, channel: id, side: None }, EntryKind::Lifecycle, NONE, lifecycle::encode(&event))?;
        }
        if bytes.is_empty() {
            return Ok(());
        }
        add(made, to(if dir == "c2s" { Side::Client } else { Side::Server }), EntryKind::Body, NONE, bytes)
    }

    fn request(&mut self, method: &str, part: &Part, at: Nanos, body: Vec<u8>, made: &mut Made) -> Result<(), Fault> {
        self.channels += 1;
        let channel = Channel {
            id: self.channels,
            transport: Transport::HttpRequest,
            peer: None,
            session: part.header("mcp-session-id"),
            version: part.header("mcp-protocol-version"),
            resumes: part.header("last-event-id"),
        };
        made.channel(&channel)?;
        let place = Place { at, channel: channel.id, side: Some(Side::Client) };
        self.exchanges.insert(part.exchange, Exchange { channel, is_get: method == "GET", has_ended: false });
        let head = part.head(&format!("{method} {} HTTP/1.1", part.path.as_deref().unwrap_or("/")));
        whole(&mut self.redactor, place, &head, body, true, made)
    }
}

impl Exchange {
    /// Takes in what a line tells of the channel; says whether that is something new.
    fn learn(&mut self, part: &Part) -> bool {
        let old = self.channel.clone();
        if part.sse_open && self.is_get {
            self.channel.transport = Transport::HttpStream;
        }
        if part.sse.as_ref().and_then(|sse| sse.get("event")).is_some_and(|name| name == "endpoint") {
            self.channel.transport = Transport::HttpSse;
        }
        if let Some(session) = part.header("mcp-session-id") {
            self.channel.session = Some(session);
        }
        self.channel != old
    }
}

/// Adds a head with its body; one without ends with the head.
fn whole(
    redactor: &mut Redactor,
    place: Place,
    head: &[u8],
    body: Vec<u8>,
    ends: bool,
    made: &mut Made,
) -> Result<(), Fault> {
    let end = if ends { Flags::ENDS } else { NONE };
    let (masked, media) = redactor.head(head);
    let own = if body.is_empty() { end } else { NONE };
    masked_or_not(made, place, EntryKind::Head, own, head.to_vec(), masked)?;
    if body.is_empty() {
        return Ok(());
    }
    let masked = Media::mask(media, &body);
    masked_or_not(made, place, EntryKind::Body, end, body, masked)
}

fn masked_or_not(
    made: &mut Made,
    place: Place,
    kind: EntryKind,
    flags: Flags,
    bytes: Vec<u8>,
    masked: Option<Vec<u8>>,
) -> Result<(), Fault> {
    let size = bytes.len() as u64;
    match masked {
        Some(masked) => add_sized(made, place, kind, flags.with(Flags::REDACTED), masked, size),
        None => add(made, place, kind, flags, bytes),
    }
}

/// How an exchange ended, when no whole response did it.
fn ending(part: &Part) -> Option<Lifecycle> {
    let ended = |how| Some(Lifecycle::HttpEnded { how, why: String::new() });
    match &part.error {
        _ if part.client_disconnect => ended(HttpEnd::ClientGone),
        _ if part.server_aborted => ended(HttpEnd::ServerGone),
        _ if part.sse_close => ended(HttpEnd::Complete),
        Some(why) => Some(Lifecycle::HttpEnded { how: HttpEnd::Failed, why: why.clone() }),
        None => None,
    }
}

/// What a meta line says happened; `None` for the end of stderr, which says nothing about the connection.
fn event(text: &str) -> Option<Lifecycle> {
    let number = |start: &str| text.strip_prefix(start).and_then(|number| number.parse::<i32>().ok());
    Some(match text {
        "stderr eof" => return None,
        "c2s eof" => Lifecycle::ClientClosed,
        "s2c eof" => Lifecycle::ServerClosed,
        _ => match (number("exit "), number("client sent signal ")) {
            (Some(code), _) if code < 0 => Lifecycle::Signalled { signal: -code },
            (Some(code), _) => Lifecycle::Exited { code },
            (None, Some(signal)) => Lifecycle::SignalPassed { signal },
            (None, None) => Lifecycle::Unknown { text: text.to_owned() },
        },
    })
}

/// Nothing special about an entry.
const NONE: Flags = Flags(0);

/// When and where something was seen, and whose it is.
#[derive(Clone, Copy)]
struct Place {
    at: Nanos,
    channel: ChannelId,
    side: Option<Side>,
}

/// Adds an entry with the next number.
fn add(made: &mut Made, place: Place, kind: EntryKind, flags: Flags, bytes: Vec<u8>) -> Result<(), Fault> {
    let size = bytes.len() as u64;
    add_sized(made, place, kind, flags, bytes, size)
}

/// The same for one whose size is not that of its bytes. Captures of several streams may run backwards by a
/// little; a recording never does.
fn add_sized(
    made: &mut Made,
    place: Place,
    kind: EntryKind,
    flags: Flags,
    bytes: Vec<u8>,
    size: u64,
) -> Result<(), Fault> {
    let (seq, earliest) = made.next();
    let Place { at, channel, side } = place;
    let at = at.max(earliest);
    made.entry(&Entry { seq, at, until: at, channel, side, kind, flags, size, bytes }, None)
}

/// Nanoseconds of a decimal number of seconds, exactly.
fn nanos(seconds: &str) -> Option<Nanos> {
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    let whole: i64 = whole.parse().ok().filter(|whole| *whole >= 0)?;
    whole.checked_mul(1_000_000_000)?.checked_add(digits.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_exact_nanoseconds() {
        assert_eq!(nanos("1796053081.0348942"), Some(1_796_053_081_034_894_200));
        assert_eq!(nanos("7"), Some(7_000_000_000));
        assert_eq!(nanos("0.0000000019"), Some(1));
        for bad in ["-1", "1e9", "\"1\"", "null", "99999999999999999999"] {
            assert_eq!(nanos(bad), None, "{bad}");
        }
    }

    #[test]
    fn meta_lines_become_events() {
        assert_eq!(event("exit 0"), Some(Lifecycle::Exited { code: 0 }));
        assert_eq!(event("exit -15"), Some(Lifecycle::Signalled { signal: 15 }));
        assert_eq!(event("client sent signal 2"), Some(Lifecycle::SignalPassed { signal: 2 }));
        assert_eq!(event("stderr eof"), None);
        assert_eq!(event("fire"), Some(Lifecycle::Unknown { text: "fire".into() }));
    }
}
