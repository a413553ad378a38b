//! HTTP in playbooks: a line of the notation to an entry as a tap records it.

use std::collections::HashMap;
use std::fmt::Write as _;

use midwire::model::{Entry, EntryKind, Flags, HttpEnd, Lifecycle, Nanos, Seq, Side};
use midwire::wire::lifecycle;

use super::notation::expand;

/// What must be known from line to line.
#[derive(Default)]
pub struct Http {
    /// The last entry of the server on each channel.
    last: HashMap<u32, Entry>,
    /// The body of each channel whose end has not been seen.
    begun: HashMap<u32, Entry>,
}

impl Http {
    /// The entry of a line; `(seq, now)` are the last number and the time.
    pub fn line(&mut self, channel: u32, line: &str, (seq, now): (Seq, Nanos)) -> Entry {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let server = Some(Side::Server);
        let mut entry = Entry {
            seq: seq + 1,
            at: now,
            until: now,
            channel,
            side: server,
            kind: EntryKind::Event,
            flags: Flags::default(),
            size: 0,
            bytes: Vec::new(),
        };
        match word {
            "GET" | "POST" | "DELETE" | "HEAD" | "OPTIONS" => {
                (entry.side, entry.kind) = (Some(Side::Client), EntryKind::Head);
                entry.bytes = request(word, rest);
                entry.flags = if word == "POST" { entry.flags } else { Flags::ENDS };
            }
            "body" | "body…" => return self.body(entry, word == "body…", rest),
            "reply" => {
                (entry.kind, entry.flags, entry.bytes) = (EntryKind::Body, Flags::ENDS, expand(rest).into_bytes());
            }
            "event" => entry.bytes = event(rest),
            "raw" => entry.bytes = rest.replace("\\n", "\n").replace("\\r", "\r").into_bytes(),
            "ends" => {
                let (how, why) = rest.split_once(' ').unwrap_or((rest, ""));
                let how = if how.is_empty() { "complete" } else { how };
                let how = HttpEnd::WORDS.iter().find(|(_, word)| *word == how).expect("an end's word").0;
                (entry.side, entry.kind) = (None, EntryKind::Lifecycle);
                entry.bytes = lifecycle::encode(&Lifecycle::HttpEnded { how, why: why.to_owned() });
            }
            "changed" => {
                let (what, to) = rest.split_once(' ').expect("what was changed, and to what");
                (entry.side, entry.kind) = (None, EntryKind::Lifecycle);
                entry.bytes = lifecycle::encode(&Lifecycle::Changed { what: what.to_owned(), to: to.to_owned() });
            }
            "done" => {
                let mut last = self.last.remove(&channel).expect("something that the server sent");
                last.flags = last.flags.with(Flags::ENDS);
                return last;
            }
            status => {
                entry.kind = EntryKind::Head;
                entry.bytes = response(status, rest);
                let goes_on = status.starts_with('1') || entry.bytes.windows(5).any(|part| part == b"-Type");
                entry.flags = if goes_on { entry.flags } else { Flags::ENDS };
            }
        }
        entry.size = entry.bytes.len() as u64;
        if entry.side == server {
            self.last.insert(channel, entry.clone());
        }
        entry
    }

    /// The last entry of the server on a channel, unless its end was told.
    pub fn last(&self, channel: u32) -> Option<Seq> {
        self.last.get(&channel).map(|entry| entry.seq)
    }

    fn body(&mut self, entry: Entry, goes_on: bool, text: &str) -> Entry {
        let mut entry =
            self.begun.remove(&entry.channel).map_or(entry.clone(), |begun| Entry { until: entry.at, ..begun });
        (entry.side, entry.kind) = (Some(Side::Client), EntryKind::Body);
        entry.bytes.extend(expand(text).into_bytes());
        entry.size = entry.bytes.len() as u64;
        entry.flags = if goes_on { Flags::UNFINISHED } else { Flags::ENDS };
        if goes_on {
            self.begun.insert(entry.channel, entry.clone());
        }
        entry
    }
}

/// `/mcp session=k9 | Name: value`.
fn request(method: &str, rest: &str) -> Vec<u8> {
    let (words, fields) = rest.split_once(" |").unwrap_or((rest, ""));
    let mut words = words.split_whitespace();
    let mut head = format!("{method} {} HTTP/1.1\r\nHost: h\r\n", words.next().expect("a target"));
    let has = |name: &str| fields.to_ascii_lowercase().contains(name);
    match method {
        "POST" => {
            if !has("content-type") {
                head.push_str("Content-Type: application/json\r\n");
            }
            head.push_str("Accept: application/json, text/event-stream\r\nContent-Length: 1\r\n");
        }
        "GET" => head.push_str("Accept: text/event-stream\r\n"),
        _ => {}
    }
    finish(head, words, fields)
}

/// `200`, and `json session=k9 | Name: value`.
fn response(status: &str, rest: &str) -> Vec<u8> {
    let (words, fields) = rest.split_once('|').unwrap_or((rest, ""));
    let mut words = words.split_whitespace().peekable();
    let mut head = format!("HTTP/1.1 {status} Reason\r\n");
    if let Some(media) = words.next_if(|word| !word.contains('=')) {
        let media = match media {
            "json" => "application/json",
            "stream" => "text/event-stream; charset=utf-8",
            other => other,
        };
        let _ = write!(head, "Content-Type: {media}\r\n");
    }
    finish(head, words, fields)
}

fn finish<'a>(mut head: String, words: impl Iterator<Item = &'a str>, fields: &str) -> Vec<u8> {
    for word in words {
        let (key, value) = word.split_once('=').expect("key=value");
        let name = match key {
            "session" => "Mcp-Session-Id",
            "version" => "mcp-protocol-version",
            "last" => "Last-Event-ID",
            "method" => "Mcp-Method",
            "name" => "Mcp-Name",
            other => panic!("a head has no {other}"),
        };
        let _ = write!(head, "{name}: {value}\r\n");
    }
    for field in fields.split('|').map(str::trim).filter(|field| !field.is_empty()) {
        let _ = write!(head, "{field}\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// `id=a1 retry=2000 name=endpoint data`.
fn event(mut rest: &str) -> Vec<u8> {
    let mut event = String::new();
    while let Some((word, after)) = Some(rest.split_once(' ').unwrap_or((rest, "")))
        && let Some((key @ ("id" | "retry" | "name"), value)) = word.split_once('=')
    {
        let _ = writeln!(event, "{}: {value}", if key == "name" { "event" } else { key });
        rest = after;
    }
    if !rest.is_empty() || event.starts_with("id") {
        let _ = writeln!(event, "data: {}", expand(rest));
    }
    event.push('\n');
    event.into_bytes()
}
