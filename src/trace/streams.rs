//! Streams of events over HTTP: which one continues which, where POSTs belong that are answered on
//! another one, and how soon one is opened again (protocol.md 4.4).

use super::Trace;
use super::http_remark::HttpRemark;
use super::https::{Talk, path};
use super::recent::Recent;
use super::scope::{Chan, QuickMap, Resumes, Scope, fingerprint, glance};
use crate::model::{ChannelId, HttpEnd, Nanos, Seq, Transport};

/// What is remembered of streams.
#[derive(Debug, Default)]
pub(super) struct Streams {
    /// A conversation and an event's id, as their fingerprint → where that event came.
    events: Recent<u128, Event>,
    /// A path with its query, hashed → the session of the HTTP+SSE stream that named it.
    endpoints: Recent<u128, u32>,
    /// The HTTP+SSE streams that are open, by client.
    open: QuickMap<u64, Vec<(u32, ChannelId)>>,
    /// What is opened again and again: a stream by its first channel, or a place of a conversation.
    lines: Recent<u64, Line>,
}

/// An event with an id.
#[derive(Debug, Clone, Copy)]
struct Event {
    /// The channel whose stream it came on.
    origin: ChannelId,
    /// Whether that stream answers a POST.
    of_request: bool,
    seq: Seq,
    /// The hash of its data.
    data: u64,
}

/// A stream that may be opened again.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    /// When it ended last, unless the client had closed it.
    ended: Option<Nanos>,
    /// The milliseconds that it asks to wait.
    retry: Option<u64>,
    /// How often in a row it was opened again too soon, or without having carried anything.
    quick: u32,
}

/// What is known of an event's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It is new, or none.
    Not,
    /// This very event had come before, on the stream that this one continues.
    Before(Seq),
    /// Another event had it.
    Elsewhere(Seq),
}

const MOST_EVENTS: usize = 65_536;
const MOST_ENDPOINTS: usize = 4096;
const MOST_LINES: usize = 4096;
/// Without a `retry`, what carries nothing and is opened again within this time is opened too soon.
const SOON: Nanos = 1_000_000_000;
/// Clocks and threads may be off by so much.
const SLACK: Nanos = 5_000_000;
/// So many quick openings in a row are a loop.
const LOOP: u32 = 3;

impl Streams {
    /// Which stream a `Last-Event-ID` means.
    pub(super) fn resumed(&self, home: Scope, id: &[u8]) -> Resumes {
        match self.events.get(&event_key(home, id)) {
            Some(event) if event.of_request => Resumes::Request(event.origin),
            Some(event) => Resumes::Stream(event.origin),
            None => Resumes::Unknown,
        }
    }

    /// The entry of the event that a `Last-Event-ID` names.
    fn named(&self, home: Scope, id: &[u8]) -> Option<Seq> {
        self.events.get(&event_key(home, id)).map(|event| event.seq)
    }

    /// Takes note of an event with an id, and says what is known of that.
    pub(super) fn event(&mut self, chan: Chan, id: &[u8], seq: Seq, data: &[u8]) -> Known {
        let key = event_key(chan.home(), id);
        let data = glance(data);
        if let Some(event) = self.events.get(&key) {
            let is_same = event.origin == chan.origin() && event.data == data && chan.resumes != Resumes::Nothing;
            return if is_same { Known::Before(event.seq) } else { Known::Elsewhere(event.seq) };
        }
        let of_request = chan.names_its_request();
        self.events.put(key, Event { origin: chan.origin(), of_request, seq, data }, MOST_EVENTS);
        Known::Not
    }

    /// The session whose stream named this path with its query as its endpoint.
    pub(super) fn endpoint(&self, target: &str) -> Option<u32> {
        if self.endpoints.is_empty() {
            return None;
        }
        self.endpoints.get(&fingerprint(target.as_bytes())).copied()
    }

    /// The session of the one HTTP+SSE stream that a client has open.
    pub(super) fn only_one(&self, group: Scope) -> Option<u32> {
        let [(session, _)] = self.open.get(&scope_key(group))?[..] else { return None };
        Some(session)
    }

    /// An `endpoint` event on a stream that was opened at `base`.
    pub(super) fn posts_go_to(&mut self, base: &str, uri: &str, session: u32, (group, channel): (Scope, ChannelId)) {
        let target = resolve(path(base), uri);
        self.endpoints.put(fingerprint(target.as_bytes()), session, MOST_ENDPOINTS);
        let open = self.open.entry(scope_key(group)).or_default();
        if !open.iter().any(|(known, _)| *known == session) && open.len() < MOST_ENDPOINTS {
            open.push((session, channel));
        }
    }

    fn closed(&mut self, group: Scope, channel: ChannelId) {
        if let Some(open) = self.open.get_mut(&scope_key(group)) {
            open.retain(|(_, other)| *other != channel);
            if open.is_empty() {
                self.open.remove(&scope_key(group));
            }
        }
    }
}

impl Trace {
    /// A GET asks for a stream: which one it continues, and whether it comes too soon.
    pub(super) fn stream_asked(&mut self, channel: ChannelId, place: u64, last_event: Option<&[u8]>, at: Nanos) {
        let chan = self.channels.get(channel);
        if let Some(id) = last_event {
            let remark = match self.streams.named(chan.home(), id) {
                Some(event) => HttpRemark::Continues(event),
                None => HttpRemark::ContinuesUnknown,
            };
            self.remark_http(channel, remark);
        }
        let key = line_key(chan, place, true);
        let Some(line) = self.streams.lines.get_mut(&key) else { return };
        let Some(ended) = line.ended.take() else { return };
        let waited = at - ended;
        let asked = line.retry.map(|retry| Nanos::try_from(retry).unwrap_or(Nanos::MAX / 2).saturating_mul(1_000_000));
        let too_soon = waited.saturating_add(SLACK) < asked.unwrap_or(SOON);
        line.quick = if too_soon { line.quick + 1 } else { 0 };
        let (times, retry) = (line.quick, line.retry.filter(|_| too_soon));
        if let Some(asked) = retry {
            self.remark_http(channel, HttpRemark::TooSoon { waited, asked });
        }
        if times >= LOOP {
            self.remark_http(channel, HttpRemark::Loop(times));
        }
    }

    /// A stream is over: it may be opened again.
    pub(super) fn stream_over(&mut self, channel: ChannelId, talk: &Talk, end: HttpEnd, at: Nanos) {
        let chan = self.channels.get(channel);
        let messages = self.https.of(channel).map_or(0, |http| http.messages);
        let key = line_key(chan, talk.place, talk.asks_stream);
        let before = self.streams.lines.get(&key).copied().unwrap_or_default();
        let line = Line {
            ended: (end != HttpEnd::ClientGone).then_some(at),
            retry: talk.retry.or(before.retry),
            quick: if messages > u32::from(talk.endpoint) { 0 } else { before.quick },
        };
        self.streams.lines.put(key, line, MOST_LINES);
        if chan.transport == Transport::HttpSse {
            self.streams.closed(chan.group(), channel);
            self.session_over(chan.home(), at, "its HTTP+SSE stream ended first");
        }
    }
}

/// A stream that a POST began is known by that; one that a GET opened, by where and in which session.
fn line_key(chan: Chan, place: u64, is_get: bool) -> u64 {
    match chan.resumes {
        Resumes::Request(origin) => origin.into(),
        Resumes::Nothing if !is_get => chan.id.into(),
        // Each HTTP+SSE stream is a session of its own.
        _ => place ^ scope_key(if chan.over_sse { chan.group() } else { chan.home() }),
    }
}

fn event_key(home: Scope, id: &[u8]) -> u128 {
    fingerprint(id) ^ u128::from(scope_key(home)) << 64
}

fn scope_key(scope: Scope) -> u64 {
    let (kind, number) = match scope {
        Scope::Channel(number) => (1_u64, number),
        Scope::Session(number) => (2, number),
        Scope::Peer(number) => (3, number),
    };
    kind << 32 | u64::from(number)
}

/// The path and query that a reference means on a stream that was opened at `base`.
fn resolve(base: &str, uri: &str) -> String {
    let uri = uri.trim();
    let uri = uri.split('#').next().unwrap_or_default();
    let (path, _) = base.split_once('?').unwrap_or((base, ""));
    if uri.contains("://") {
        return super::https::path(uri).to_owned();
    }
    if let Some(rest) = uri.strip_prefix("//") {
        return rest.find('/').map_or_else(|| "/".to_owned(), |at| rest[at..].to_owned());
    }
    if uri.starts_with('/') {
        return uri.to_owned();
    }
    if uri.starts_with('?') || uri.is_empty() {
        return format!("{path}{uri}");
    }
    let folder = path.rfind('/').map_or("/", |at| &path[..=at]);
    format!("{folder}{}", uri.strip_prefix("./").unwrap_or(uri))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn an_endpoint_is_found_from_where_its_stream_was_opened() {
        for (uri, target) in [
            ("/messages?s=1", "/messages?s=1"),
            ("messages?s=1", "/api/messages?s=1"),
            ("./messages", "/api/messages"),
            ("?s=1", "/api/sse?s=1"),
            ("http://127.0.0.1:9/messages?s=1", "/messages?s=1"),
            ("//host/messages", "/messages"),
            ("https://host?s=1", "?s=1"),
        ] {
            assert_eq!(resolve("/api/sse?x=y", uri), target, "{uri}");
        }
    }
}
