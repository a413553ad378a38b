//! What the tab HTTP shows of one HTTP request: which entries belong to it is told by the trace, on the
//! session's thread; their bytes are read here later, by `inspect`. How it stands is for `requests`.

use std::path::Path;
use std::sync::Arc;

use super::curl::{Parts, curl};
use super::requests;
use super::view::{Change, Curl, EventView, FieldView, HeadKind, HeadView, HttpDetail, HttpTimes};
use super::visible;
use crate::engine::record::secrets::MASK;
use crate::model::{ChannelId, Entry, Flags, Lifecycle, Seq};
use crate::trace::{Http, NoteKind, Trace};
use crate::wire::http::Head;
use crate::wire::lifecycle;
use crate::wire::sse::Event;

/// How many events are listed; more are only counted.
const MOST_EVENTS: usize = 500;
/// How many heads and lifecycle entries are read of one request.
const MOST_HEADS: usize = 64;

/// Everything about an HTTP request but bytes.
pub(super) struct HttpOutline {
    http: Http,
    method: Arc<str>,
    target: Arc<str>,
    is_stream: bool,
    /// The server's URL as the recording has it.
    base: Option<String>,
    heads: Vec<Seq>,
    happened: Vec<Seq>,
    events: Vec<Seq>,
}

/// Draws up the outline of the HTTP request of a channel; `None` where there is none. Looks at the notes
/// from its head to its end, so it is for one row at a time.
pub(super) fn outline(trace: &Trace, channel: ChannelId, base: Option<&str>) -> Option<HttpOutline> {
    let http = trace.http(channel)?;
    let mut outline = HttpOutline {
        http: http.clone(),
        method: Arc::clone(trace.name(http.method)),
        target: Arc::clone(trace.name(http.target)),
        is_stream: requests::is_stream(trace, http),
        base: base.map(str::to_owned),
        heads: Vec::new(),
        happened: Vec::new(),
        events: Vec::new(),
    };
    let first = trace.position(http.request)?;
    let after = |at| http.ended.is_some_and(|ended| at > ended);
    let notes = trace.notes()[first..].iter().take_while(|note| !after(note.at));
    for note in notes.filter(|note| note.channel == channel) {
        let (list, most) = match note.kind {
            NoteKind::Head => (&mut outline.heads, MOST_HEADS),
            NoteKind::Lifecycle => (&mut outline.happened, MOST_HEADS),
            _ if requests::is_event(trace, note) => (&mut outline.events, MOST_EVENTS),
            _ => continue,
        };
        if list.len() < most {
            list.push(note.seq);
        }
    }
    Some(outline)
}

/// Reads what the outline speaks of; `read` gives an entry.
pub(super) fn detail(outline: HttpOutline, recording: &Path, read: &dyn Fn(Seq) -> Option<Entry>) -> HttpDetail {
    let HttpOutline { http, method, target, is_stream, base, heads, happened, events } = outline;
    let heads: Vec<(Entry, Head)> = heads.into_iter().filter_map(read).map(parsed).collect();
    let request = heads.iter().find(|(_, head)| head.is_request()).map(|(_, head)| head);
    // The trace keeps the beginning of a long target; its head has all of it.
    let target = request.map_or(&*target, Head::target).to_owned();
    let url = url(base.as_deref(), &target, request);
    let body = http.body.and_then(read);
    let curl = command(url.as_deref(), request, body.as_ref(), is_stream, recording);
    let mut changes = Vec::new();
    let mut why = String::new();
    for entry in happened.into_iter().filter_map(read) {
        match lifecycle::decode(&entry.bytes) {
            Lifecycle::Changed { what, to } => changes.push(Change { what, to }),
            Lifecycle::HttpEnded { why: reason, .. } => why = reason,
            _ => {}
        }
    }
    HttpDetail {
        channel: http.channel,
        method: method.to_string(),
        target,
        url,
        status: http.status,
        is_stream,
        heads: heads.iter().map(|(entry, head)| head_view(entry, head)).collect(),
        times: times(&http),
        sent_bytes: http.sent_bytes,
        received_bytes: http.received_bytes,
        end: http.end,
        why,
        changes,
        events: events.into_iter().filter_map(read).map(|entry| event_view(&entry)).collect(),
        event_count: http.events,
        curl,
    }
}

fn parsed(entry: Entry) -> (Entry, Head) {
    let head = Head::read(&entry.bytes);
    (entry, head)
}

const fn times(http: &Http) -> HttpTimes {
    let Http { at, sent, responded, first_byte, last_byte, ended, .. } = *http;
    HttpTimes { at, sent, responded, first_byte, last_byte, ended }
}

/// The URL at the server: a reverse tap keeps the target, so it follows on the server's origin; a forward
/// proxy is given the whole URL, or, inside a tunnel of TLS, target and `Host`.
fn url(base: Option<&str>, target: &str, request: Option<&Head>) -> Option<String> {
    if target.starts_with("http://") || target.starts_with("https://") {
        return Some(target.to_owned());
    }
    let path = if target.starts_with('/') { target } else { "/" };
    if let Some(base) = base.and_then(|base| url::Url::parse(base).ok()) {
        return Some(format!("{}{path}", base.origin().ascii_serialization()));
    }
    let host = request?.text("host").filter(|host| !host.is_empty())?;
    Some(format!("https://{host}{path}"))
}

fn command(
    url: Option<&str>,
    head: Option<&Head>,
    body: Option<&Entry>,
    is_stream: bool,
    recording: &Path,
) -> Option<Curl> {
    let (url, head) = (url?, head?);
    let whole = body.is_none_or(|body| !body.flags.has(Flags::TRUNCATED) && !body.flags.has(Flags::UNFINISHED));
    // Of what was not kept whole no command could send the whole; a tunnel is no request to the server.
    if !whole || head.method() == "CONNECT" {
        return None;
    }
    let body = body.map(|body| (body.seq, &*body.bytes));
    Some(curl(&Parts { url, head, body, is_stream, recording }))
}

fn head_view(entry: &Entry, head: &Head) -> HeadView {
    let kind = match head.status() {
        _ if head.is_request() => HeadKind::Request,
        Some(status) if status < 200 => HeadKind::Informational,
        Some(_) => HeadKind::Response,
        None => HeadKind::Trailers,
    };
    let line = String::from_utf8_lossy(head.start_line());
    let fields = head.fields().map(|field| {
        let value = String::from_utf8_lossy(field.value).into_owned();
        FieldView { name: String::from_utf8_lossy(field.name).into_owned(), masked: value.contains(MASK), value }
    });
    HeadView {
        seq: entry.seq,
        at: entry.at,
        side: entry.side,
        kind,
        line: line.trim_end().to_owned(),
        fields: fields.collect(),
    }
}

fn event_view(entry: &Entry) -> EventView {
    let event = Event::read(&entry.bytes);
    let data = event.data.as_deref().filter(|data| !data.is_empty());
    let comment = event.comments().next().map(visible::first_line);
    EventView {
        seq: entry.seq,
        at: entry.at,
        name: event.name.as_deref().map(str::to_owned),
        id: event.id.as_deref().map(str::to_owned),
        retry: event.retry,
        text: data.map(visible::first_line).or(comment.map(|it| format!(": {it}"))).unwrap_or_default(),
        has_data: data.is_some(),
        size: entry.size,
    }
}

#[cfg(test)]
mod tests {
    use super::url;
    use crate::wire::http::Head;

    #[test]
    fn the_url_is_the_servers_own() {
        let head = Head::read(b"POST /a HTTP/1.1\r\nHost: api.example\r\n\r\n");
        let of = |base, target| url(base, target, Some(&head)).unwrap();
        assert_eq!(of(Some("https://h:8443/mcp/"), "/mcp/?a=b"), "https://h:8443/mcp/?a=b");
        assert_eq!(of(Some("http://[::1]:3000/mcp"), "/.well-known/x"), "http://[::1]:3000/.well-known/x");
        assert_eq!(of(Some("https://h/mcp"), "*"), "https://h/");
        assert_eq!(of(None, "http://plain.example/mcp"), "http://plain.example/mcp");
        assert_eq!(of(None, "/mcp"), "https://api.example/mcp");
        assert_eq!(url(None, "/mcp", None), None);
    }
}
