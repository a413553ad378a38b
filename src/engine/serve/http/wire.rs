//! What of HTTP a request says about the answers that it takes, and how messages stand in a stream of events.

use std::borrow::Cow;

use crate::wire::http::Head;

/// How long a client is to wait before it comes back, in milliseconds.
pub const RETRY: u32 = 500;

/// What a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Takes {
    /// `application/json`.
    pub json: bool,
    /// `text/event-stream`.
    pub events: bool,
}

impl Takes {
    /// By the `Accept` of a request; where there is none, everything.
    pub fn of(head: &Head) -> Self {
        let mut takes = Self { json: false, events: false };
        let mut said = false;
        for value in head.all("accept") {
            for range in value.split(|byte| *byte == b',') {
                let name = range.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
                let is = |media: &str| name.eq_ignore_ascii_case(media.as_bytes());
                takes.json |= is("application/json") || is("application/*") || is("*/*");
                takes.events |= is("text/event-stream") || is("text/*") || is("*/*");
                said |= !name.is_empty();
            }
        }
        if said { takes } else { Self { json: true, events: true } }
    }
}

/// Whether a body is said to be JSON, without a coding.
pub fn is_json(head: &Head) -> bool {
    let media = head.get("content-type").unwrap_or_default();
    let essence = media.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let is_plain = head.get("content-encoding").is_none_or(|coding| coding.eq_ignore_ascii_case(b"identity"));
    essence.eq_ignore_ascii_case(b"application/json") && is_plain
}

/// Whether the client keeps its connection after a request.
pub fn keeps(head: &Head) -> bool {
    let says = |word: &[u8]| {
        let mut items = head.all("connection").flat_map(|value| value.split(|byte| *byte == b','));
        items.any(|item| item.trim_ascii().eq_ignore_ascii_case(word))
    };
    if head.minor() == 0 { says(b"keep-alive") } else { !says(b"close") }
}

/// A message as an event.
pub fn event(name: Option<&str>, id: Option<&str>, message: &[u8]) -> Vec<u8> {
    let mut event = Vec::with_capacity(message.len() + 64);
    for (field, value) in [("event", name), ("id", id)] {
        if let Some(value) = value {
            event.extend_from_slice(format!("{field}: {value}\n").as_bytes());
        }
    }
    event.extend_from_slice(b"data: ");
    event.extend_from_slice(&lines(message));
    event.extend_from_slice(b"\n\n");
    event
}

/// The event with which a stream begins (HL-017): an id to come back with, and how long to wait before.
pub fn priming(stream: u64) -> Vec<u8> {
    format!("id: {stream}-0\nretry: {RETRY}\ndata: \n\n").into_bytes()
}

/// Data that has line ends, line by line.
fn lines(data: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'\n', b'\r', data).is_none() {
        return Cow::Borrowed(data);
    }
    let mut made = Vec::with_capacity(data.len() + 16);
    let mut rest = data;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        made.extend_from_slice(&rest[..at]);
        made.extend_from_slice(b"\ndata: ");
        rest = rest[at..].strip_prefix(b"\r\n").unwrap_or(&rest[at + 1..]);
    }
    made.extend_from_slice(rest);
    Cow::Owned(made)
}

#[cfg(test)]
mod tests {
    use super::{Takes, event, is_json, keeps};
    use crate::wire::http::Head;

    fn head(fields: &str) -> Head {
        Head::read(format!("POST /mcp HTTP/1.1\r\n{fields}\r\n").as_bytes())
    }

    #[test]
    fn what_is_taken_is_told_by_accept() {
        let takes = |fields| {
            let takes = Takes::of(&head(fields));
            (takes.json, takes.events)
        };
        assert_eq!(takes("Accept: application/json, text/event-stream\r\n"), (true, true));
        assert_eq!(takes("Accept: Application/JSON;q=0.9\r\nAccept: text/*\r\n"), (true, true));
        assert_eq!(takes("Accept: application/json\r\n"), (true, false));
        assert_eq!(takes("Accept: text/event-stream\r\n"), (false, true));
        assert_eq!(takes("Accept: text/html\r\n"), (false, false));
        assert_eq!((takes("Accept: */*\r\n"), takes("")), ((true, true), (true, true)));
    }

    #[test]
    fn bodies_are_json_without_a_coding_and_connections_are_kept_by_version() {
        assert!(is_json(&head("Content-Type: application/json; charset=utf-8\r\n")));
        assert!(!is_json(&head("Content-Type: text/plain\r\n")) && !is_json(&head("")));
        assert!(!is_json(&head("Content-Type: application/json\r\nContent-Encoding: gzip\r\n")));
        assert!(keeps(&head("")) && !keeps(&head("Connection: TE, Close\r\n")));
        assert!(!keeps(&Head::read(b"GET / HTTP/1.0\r\n\r\n")));
        assert!(keeps(&Head::read(b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")));
    }

    #[test]
    fn data_with_line_ends_stays_one_event() {
        assert_eq!(event(None, Some("1-2"), b"{\r\n}\r\n"), b"id: 1-2\ndata: {\ndata: }\ndata: \n\n");
        assert_eq!(event(Some("endpoint"), None, b"/m?s=1"), b"event: endpoint\ndata: /m?s=1\n\n");
    }
}
