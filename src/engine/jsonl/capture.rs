//! Captured traffic of other programs as a recording. One JSON object a line:
//!
//! `{"ts": seconds, "dir": "c2s" | "s2c" | "stderr" | "meta", "transport": "stdio" | "http", "conn": process,
//! "http": {exchange, method, path, status, headers, sse: {event, id, retry}, sse_open, sse_close,
//! client_disconnect, server_aborted, error}, "raw": text, "raw_b64": base64, "no_newline": true}`
//!
//! Each process is a channel, and each HTTP exchange is. The POSTs of the old HTTP+SSE transport go to the
//! channel of the stream whose `endpoint` event named their target, since that is where their answers are.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::import::{Fault, Made};
use super::line::decode;
use crate::model::{Channel, ChannelId, Entry, EntryKind, Flags, Http, Lifecycle, Nanos, Side, Transport};
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
    sse: Option<Sse>,
    #[serde(default)]
    sse_open: bool,
    #[serde(default)]
    sse_close: bool,
    #[serde(default)]
    client_disconnect: bool,
    #[serde(default)]
    server_aborted: bool,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Sse {
    event: Option<String>,
}

impl Part {
    fn header(&self, name: &str) -> Option<String> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
    }

    /// The head as it is on the wire; secrets are left out and shown as such.
    fn head(&self, first: &str) -> Vec<u8> {
        let mut head = format!("{first}\r\n");
        for (name, value) in &self.headers {
            let secret = ["authorization", "proxy-authorization", "cookie", "set-cookie"];
            let value =
                if secret.iter().any(|secret| name.eq_ignore_ascii_case(secret)) { "(left out)" } else { value };
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}

/// What must be remembered from line to line.
#[derive(Default)]
pub struct Capture {
    channels: ChannelId,
    processes: HashMap<String, ChannelId>,
    exchanges: HashMap<u64, (Http, Channel)>,
    /// The channel of the stream that named this target as its endpoint.
    endpoints: HashMap<String, Channel>,
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
                Some(event) => add(made, at, channel, None, EntryKind::Lifecycle, NONE, lifecycle::encode(&event)),
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
        add(made, at, channel, Some(side), kind, flags, bytes)
    }

    fn http(&mut self, dir: &str, part: &Part, at: Nanos, bytes: Vec<u8>, made: &mut Made) -> Result<(), Fault> {
        made.begin_at(at, Transport::HttpRequest)?;
        if part.method.is_some() {
            self.request(part, at, made)?;
        }
        let Some((http, channel)) = self.exchanges.get_mut(&part.exchange) else {
            return Err(Fault::Line(format!("exchange {} has no request", part.exchange)));
        };
        let old = (http.clone(), channel.clone());
        if let Some(status) = part.status {
            http.status = Some(status);
            http.response_head = Some(part.head(&format!("HTTP/1.1 {status}")));
            http.responded = Some(at);
            channel.session = part.header("mcp-session-id").or(channel.session.take());
        }
        if dir == "s2c" && !bytes.is_empty() {
            http.first_byte = http.first_byte.or(Some(at));
        }
        let whole = part.status.is_some() && !part.sse_open;
        if whole || part.sse_close || part.client_disconnect || part.server_aborted || part.error.is_some() {
            http.ended = http.ended.or(Some(at));
        }
        if part.sse.as_ref().is_some_and(|sse| sse.event.as_deref() == Some("endpoint")) {
            channel.transport = Transport::HttpSse;
            self.endpoints.insert(String::from_utf8_lossy(&bytes).into_owned(), channel.clone());
        }
        if *http != old.0 {
            made.http(http)?;
        }
        if *channel != old.1 {
            made.channel(channel)?;
        }
        let id = channel.id;
        if let Some(event) = ending(part) {
            add(made, at, id, None, EntryKind::Lifecycle, NONE, lifecycle::encode(&event))?;
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let side = if dir == "c2s" { Side::Client } else { Side::Server };
        add(made, at, id, Some(side), EntryKind::Frame, NONE, bytes)
    }

    fn request(&mut self, part: &Part, at: Nanos, made: &mut Made) -> Result<(), Fault> {
        let (method, target) = (part.method.clone().unwrap_or_default(), part.path.clone().unwrap_or_default());
        let channel = match self.endpoints.get(&target) {
            Some(channel) => channel.clone(),
            None => {
                self.channels += 1;
                let transport = if method == "GET" { Transport::HttpStream } else { Transport::HttpRequest };
                let channel = Channel {
                    id: self.channels,
                    transport,
                    peer: None,
                    session: part.header("mcp-session-id"),
                    version: part.header("mcp-protocol-version"),
                    resumes: part.header("last-event-id"),
                };
                made.channel(&channel)?;
                channel
            }
        };
        let http = Http {
            id: self.exchanges.len() as u32 + 1,
            channel: channel.id,
            request_head: part.head(&format!("{method} {target} HTTP/1.1")),
            method,
            target,
            requested: at,
            status: None,
            response_head: None,
            responded: None,
            first_byte: None,
            ended: None,
        };
        made.http(&http)?;
        self.exchanges.insert(part.exchange, (http, channel));
        Ok(())
    }
}

/// How an exchange ended, when it did not end in order.
fn ending(part: &Part) -> Option<Lifecycle> {
    match &part.error {
        _ if part.client_disconnect => Some(Lifecycle::ClientStoppedReading),
        _ if part.server_aborted => Some(Lifecycle::ServerClosed),
        Some(error) => Some(Lifecycle::Unknown { text: error.clone() }),
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

/// Adds an entry with the next number. Captures of several streams may run backwards by a little; a
/// recording never does.
fn add(
    made: &mut Made,
    at: Nanos,
    channel: ChannelId,
    side: Option<Side>,
    kind: EntryKind,
    flags: Flags,
    bytes: Vec<u8>,
) -> Result<(), Fault> {
    let (seq, earliest) = made.next();
    let at = at.max(earliest);
    let entry = Entry { seq, at, until: at, channel, side, kind, flags, size: bytes.len() as u64, bytes };
    made.entry(&entry, None)
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
