//! HTTP requests in the timeline: the row of one that carries no request of JSON-RPC (a GET stream, a
//! DELETE, the documents of OAuth), and what heads and events are called. Rows of messages are in `rows`.

use std::fmt::Write as _;
use std::sync::Arc;

use super::rows;
use super::view::{Going, Row, RowKey, Sign, Status, View};
use super::visible;
use crate::model::{HttpEnd, Seq, Side};
use crate::trace::{Exchange, Http, Note, NoteKind, Trace};
use crate::wire::http::Head;
use crate::wire::sse::Event;

/// The media type of a stream of events.
const STREAM: &str = "text/event-stream";

/// The HTTP request that the row of entry `seq` stands for in a view.
pub(super) fn of_row(trace: &Trace, view: View, seq: Seq) -> Option<&Http> {
    if view == View::Messages {
        return None;
    }
    let note = trace.note(seq)?;
    trace.http(note.channel).filter(|http| http.row == Some(seq))
}

/// Whether a response is a stream of events.
pub(super) fn is_stream(trace: &Trace, http: &Http) -> bool {
    trace.name(http.media).eq_ignore_ascii_case(STREAM)
}

/// Whether an entry is an event of a stream, whatever it says.
pub(super) fn is_event(trace: &Trace, note: &Note) -> bool {
    let carries = !matches!(note.kind, NoteKind::Head | NoteKind::Lifecycle | NoteKind::Stderr);
    let on_stream = || trace.http(note.channel).is_some_and(|http| is_stream(trace, http));
    note.kind == NoteKind::Event || (carries && note.side == Some(Side::Server) && on_stream())
}

/// The row of an HTTP request; `said` is the row of the message that it carried, if that is one: then the
/// row is called by it.
pub(super) fn row(trace: &Trace, http: &Http, note: &Note, said: Option<Row>) -> Row {
    let begun = http.responded.is_some() && http.is_open();
    let going = http.last_byte.or(http.responded).filter(|_| begun && is_stream(trace, http));
    let (sign, method, subject) = match said {
        Some(said) => (said.sign, said.method, said.subject),
        None => (Sign::FromClient, rows::shown(trace, http.method), rows::shown(trace, http.target)),
    };
    Row {
        key: RowKey::Entry(note.seq),
        seq: note.seq,
        at: http.at,
        sign,
        method,
        subject,
        status: status(trace, http),
        outcome: Arc::from(outcome(trace, http)),
        duration: http.ended.map(|ended| ended - http.at),
        size: size(http, note),
        rounds: 1,
        going: going.map(|since| Going { since, events: http.events, awaited: false }),
    }
}

/// Bytes of both bodies, or of the entry where there are none.
pub(super) fn size(http: &Http, note: &Note) -> u64 {
    Some(http.sent_bytes + http.received_bytes).filter(|bytes| *bytes > 0).unwrap_or(note.size)
}

/// How an HTTP request stands.
pub(super) fn status(trace: &Trace, http: &Http) -> Status {
    match (http.status, http.end) {
        (_, Some(HttpEnd::Failed | HttpEnd::Refused)) => Status::Error,
        (Some(status), _) if status >= 400 => Status::Error,
        (None, None) => Status::Pending,
        (None, Some(_)) => Status::Unanswered,
        (Some(_), None) if !is_stream(trace, http) => Status::Pending,
        // A stream is ended by whoever has had enough of it; that is no fault.
        (Some(_), _) if is_stream(trace, http) => Status::None,
        (Some(_), Some(HttpEnd::ClientGone | HttpEnd::ServerGone)) => Status::Odd,
        (Some(_), _) => Status::Ok,
    }
}

/// The same in words.
fn outcome(trace: &Trace, http: &Http) -> String {
    let end = http.end.filter(|end| *end != HttpEnd::Complete).map(end_words);
    let Some(status) = http.status else { return end.unwrap_or("pending").to_owned() };
    let mut words = status.to_string();
    if is_stream(trace, http) {
        let events = if http.events == 1 { "1 event".to_owned() } else { format!("{} events", http.events) };
        words = format!("{}, {events}", if http.is_open() { "open" } else { "stream" });
        if status != 200 {
            let _ = write!(words, ", HTTP {status}");
        }
    } else if http.is_open() {
        words.push_str(", going on");
    }
    match end {
        Some(end) => format!("{words}, {end}"),
        None => words,
    }
}

/// How an HTTP request ended, in few words.
pub(super) const fn end_words(end: HttpEnd) -> &'static str {
    match end {
        HttpEnd::Complete => "complete",
        HttpEnd::ClientGone => "client gone",
        HttpEnd::ServerGone => "server gone",
        HttpEnd::Failed => "failed",
        HttpEnd::Refused => "refused",
        HttpEnd::Stopped => "tap stopped",
    }
}

/// How far the response of an exchange has come that is still waited for.
pub(super) fn going(trace: &Trace, exchange: u32) -> Option<Going> {
    trace.waiting(exchange).map(|waiting| Going { since: waiting.since, events: waiting.events, awaited: true })
}

/// The words for how an exchange ended, with the HTTP status where that is worth saying.
pub(super) fn with_status(trace: &Trace, exchange: &Exchange, outcome: Arc<str>) -> Arc<str> {
    let status = trace.http(exchange.channel).and_then(|http| http.status);
    match status.filter(|status| !matches!(status, 200 | 202)) {
        Some(status) if !outcome.contains("HTTP") => Arc::from(format!("{outcome}, HTTP {status}")),
        _ => outcome,
    }
}

/// What stands in the columns for method and subject of a head: `POST` `/mcp`, `200` `OK`.
pub(super) fn head_words(bytes: &[u8]) -> (Arc<str>, Arc<str>) {
    let head = Head::read(bytes);
    let shown = |text: &str| Arc::from(visible::one_line(text, false));
    if head.is_request() {
        return (shown(head.method()), shown(head.target()));
    }
    match head.status() {
        Some(status) => (Arc::from(status.to_string()), shown(&about(&head))),
        None => (Arc::from("trailers"), Arc::from(visible::first_line(bytes))),
    }
}

/// The reason of a response, and what its body is.
fn about(head: &Head) -> String {
    let parts = [head.reason().to_owned(), head.text("content-type").unwrap_or_default().into_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ")
}

/// How the row of a head stands, whose method column is `method`.
pub(super) fn head_status(method: &str) -> Status {
    if method.len() == 3 && method.starts_with(['4', '5']) { Status::Error } else { Status::None }
}

/// What an event says that carries no message.
pub(super) fn event_words(bytes: &[u8]) -> Arc<str> {
    let event = Event::read(bytes);
    let mut parts = Vec::new();
    parts.extend(event.name.as_deref().map(str::to_owned));
    parts.extend(event.id.as_deref().map(|id| format!("id {id}")));
    parts.extend(event.retry.map(|retry| format!("retry {retry} ms")));
    match event.data.as_deref() {
        Some([]) => parts.push("no data".to_owned()),
        Some(data) => parts.push(visible::first_line(data)),
        None => parts.extend(event.comments().map(|comment| format!(": {}", String::from_utf8_lossy(comment)))),
    }
    Arc::from(visible::one_line(&parts.join("  "), false))
}

#[cfg(test)]
mod tests {
    use super::{event_words, head_words};

    #[test]
    fn heads_and_events_are_called_by_what_they_say() {
        let head = |bytes: &[u8]| {
            let (method, subject) = head_words(bytes);
            format!("{method} | {subject}")
        };
        assert_eq!(head(b"POST /mcp?x=1 HTTP/1.1\r\nHost: h\r\n\r\n"), "POST | /mcp?x=1");
        assert_eq!(head(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"), "200 | OK  text/event-stream");
        assert_eq!(head(b"HTTP/1.1 401\r\n\r\n"), "401 | ");
        assert_eq!(head(b"Grpc-Status: 0\r\n\r\n"), "trailers | Grpc-Status: 0");
        let event = |bytes: &[u8]| event_words(bytes).to_string();
        assert_eq!(event(b"event: endpoint\ndata: /messages?s=1\n\n"), "endpoint  /messages?s=1");
        assert_eq!(event(b"id: 7\nretry: 500\ndata:\n\n"), "id 7  retry 500 ms  no data");
        assert_eq!(event(b": keep-alive\n\n"), ": keep-alive");
    }
}
