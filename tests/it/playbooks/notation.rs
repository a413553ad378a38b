//! The notation of playbooks: a conversation as text, one thing a line, into a trace.
//!
//! ```text
//! > {…}          the client sends a frame on channel 1       #2> {…}   on channel 2
//! < {…}          the server sends one
//! ! text         the server writes a line on stderr
//! % {"event":…}  something happens, as wire::lifecycle writes it
//! @ +5ms         time passes; each line takes 1 ms by itself
//! # 2 POST session=k9 version=2025-11-25 peer=a resumes=a1     opens channel 2 (POST, GET or SSE)
//! >… text        the start of a frame whose end has not been seen; the next `>` line ends it
//! <~ text        a frame of which only this head was kept
//! ```
//!
//! HTTP as it is recorded, on a channel that needs not be opened unless it has a peer (`# 2 POST peer=a`):
//!
//! ```text
//! #2 POST /mcp session=k9 version=2025-11-25 | X-A: b      a request's head; also last= method= name=
//! #2 body {…}            its body; with `body…` its end has not been seen
//! #2 200 stream session=k9 | X-A: b                a response's head; also `json` or a media type
//! #2 202                 without a type the response is over with its head
//! #2 reply {…}           its body, and with that its end
//! #2 event id=a1 retry=2000 name=endpoint {…}      an event of its stream
//! #2 raw data: {…}       an event as it stands, `\n` and `\r` written as such
//! #2 ends client-gone why                          it is over otherwise; `#2 ends` in order
//! #2 done                the flag ENDS on what the server had sent last
//! ```
//!
//! In frames `$M` stands for the modern `_meta` members and `$M(x)` for those with capability x.

use std::fmt::Write as _;

use midwire::model::{Channel, Entry, EntryKind, Flags, Nanos, Seq, Side, Transport};
use midwire::trace::Trace;

use super::http::Http;

/// Reads a playbook into a trace.
pub fn play(script: &str) -> Trace {
    let http = script.lines().any(|line| line.trim_start().starts_with('#'));
    let mut player = Player {
        trace: Trace::new(if http { Transport::HttpRequest } else { Transport::Stdio }),
        seq: 0,
        now: 0,
        unfinished: [None, None],
        http: Http::default(),
    };
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        player.line(line);
    }
    player.trace
}

struct Player {
    trace: Trace,
    seq: Seq,
    now: Nanos,
    /// The unfinished entry of each side.
    unfinished: [Option<Entry>; 2],
    http: Http,
}

impl Player {
    fn line(&mut self, line: &str) {
        if let Some(channel) = line.strip_prefix("# ") {
            return self.trace.open_channel(open(channel));
        }
        if let Some(time) = line.strip_prefix("@ +") {
            let number = time.trim_end_matches("ms").parse::<Nanos>().expect("a number of milliseconds");
            self.now += number * 1_000_000;
            return;
        }
        self.now += 1_000_000;
        let http = line.strip_prefix('#').and_then(|rest| rest.split_once(' '));
        if let Some((channel, rest)) = http
            && let Ok(channel) = channel.parse()
        {
            let entry = self.http.line(channel, rest, (self.seq, self.now));
            self.seq = self.seq.max(entry.seq);
            return self.trace.record(&entry);
        }
        let (channel, rest) = match line.strip_prefix('#') {
            Some(rest) => {
                let digits = rest.find(|c: char| !c.is_ascii_digit()).expect("something after the channel");
                (rest[..digits].parse().expect("a channel's number"), &rest[digits..])
            }
            None => (1, line),
        };
        let (sign, text) = rest.split_at(1);
        let (side, kind) = match sign {
            ">" => (Some(Side::Client), EntryKind::Frame),
            "<" => (Some(Side::Server), EntryKind::Frame),
            "!" => (Some(Side::Server), EntryKind::Stderr),
            "%" => (None, EntryKind::Lifecycle),
            other => panic!("{other:?} begins no line of a playbook: {line}"),
        };
        self.entry(channel, side, kind, text);
    }

    fn entry(&mut self, channel: u32, side: Option<Side>, kind: EntryKind, text: &str) {
        let (unfinished, cut) = (text.starts_with('…'), text.starts_with('~'));
        let bytes = expand(text.trim_start_matches(['…', '~']).trim_start()).into_bytes();
        let slot = usize::from(side == Some(Side::Server));
        let begun = if kind == EntryKind::Frame { self.unfinished[slot].take() } else { None };
        let mut entry = begun.unwrap_or_else(|| {
            self.seq += 1;
            let (seq, at, flags) = (self.seq, self.now, Flags::default());
            Entry { seq, at, until: at, channel, side, kind, flags, size: 0, bytes: Vec::new() }
        });
        entry.until = self.now;
        entry.bytes.extend(bytes);
        entry.flags = if unfinished { entry.flags.with(Flags::UNFINISHED) } else { Flags::default() };
        if !unfinished && kind == EntryKind::Frame {
            entry.bytes.push(b'\n');
        }
        entry.size = entry.bytes.len() as u64;
        if cut {
            entry.flags = entry.flags.with(Flags::TRUNCATED);
            entry.size += 100_000_000;
        }
        self.trace.record(&entry);
        if unfinished {
            self.unfinished[slot] = Some(entry);
        }
    }
}

/// `2 POST session=k9 version=2025-11-25`.
fn open(text: &str) -> Channel {
    let mut words = text.split_whitespace();
    let id = words.next().and_then(|word| word.parse().ok()).expect("a channel's number");
    let transport = match words.next() {
        Some("POST") => Transport::HttpRequest,
        Some("GET") => Transport::HttpStream,
        Some("SSE") => Transport::HttpSse,
        other => panic!("a channel is POST, GET or SSE, not {other:?}"),
    };
    let mut channel = Channel { transport, ..Channel::stdio(id) };
    for word in words {
        let (key, value) = word.split_once('=').expect("key=value");
        let slot = match key {
            "session" => &mut channel.session,
            "version" => &mut channel.version,
            "peer" => &mut channel.peer,
            "resumes" => &mut channel.resumes,
            other => panic!("a channel has no {other}"),
        };
        *slot = Some(value.to_owned());
    }
    channel
}

/// Puts the modern `_meta` members in place of `$M` and `$M(capability)`.
pub(super) fn expand(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("$M") {
        out.push_str(before);
        let (capability, after) = match after.strip_prefix('(') {
            Some(inside) => inside.split_once(')').expect("a closing parenthesis after $M("),
            None => ("", after),
        };
        let can = if capability.is_empty() { String::new() } else { format!("\"{capability}\":{{}}") };
        let _ = write!(
            out,
            "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
             \"io.modelcontextprotocol/clientCapabilities\":{{{can}}},\
             \"io.modelcontextprotocol/clientInfo\":{{\"name\":\"probe\",\"version\":\"0.1\"}}"
        );
        rest = after;
    }
    out.push_str(rest);
    out
}
