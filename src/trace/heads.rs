//! Heads of HTTP requests and responses: what they say about their channel and about what will follow.

use std::borrow::Cow;

use super::http_remark::HttpRemark;
use super::https::{Said, Talk, path, place};
use super::scope::Resumes;
use super::{Http, Name, Note, NoteKind, Trace};
use crate::model::{Entry, Revision, Side, Transport};
use crate::wire::http::Head;

/// The fields of a head that the trace looks at, in one pass.
#[derive(Debug, Default)]
struct Fields<'a> {
    host: &'a [u8],
    accept: &'a [u8],
    content_type: &'a [u8],
    encoding: &'a [u8],
    session: Option<&'a [u8]>,
    version: Option<&'a [u8]>,
    last_event: Option<&'a [u8]>,
    /// Whether a body follows.
    has_body: bool,
}

impl<'a> Fields<'a> {
    fn read(head: &'a Head) -> Self {
        let mut read = Self::default();
        for field in head.fields() {
            match field.name.len() {
                4 if field.is("host") => read.host = field.value,
                6 if field.is("accept") => read.accept = field.value,
                12 if field.is("content-type") => read.content_type = field.value,
                13 if field.is("last-event-id") => read.last_event = Some(field.value),
                14 if field.is("content-length") => read.has_body |= field.value != b"0",
                17 if field.is("transfer-encoding") => read.has_body = true,
                14 if field.is("mcp-session-id") => read.session = Some(field.value).filter(|id| !id.is_empty()),
                16 if field.is("content-encoding") => read.encoding = field.value,
                20 if field.is("mcp-protocol-version") => read.version = Some(field.value),
                _ => {}
            }
        }
        read
    }
}

impl Trace {
    pub(super) fn head(&mut self, entry: &Entry, note: Note) -> Note {
        let note = Note { kind: NoteKind::Head, ..note };
        let head = Head::read(&entry.bytes);
        match (entry.side, head.status()) {
            (Some(Side::Client), None) if head.is_request() => self.request_head(entry, note, head),
            (Some(Side::Server), Some(status)) => self.response_head(entry, note, &head, status),
            _ => Note { method: self.names.intern("trailers"), ..note },
        }
    }

    fn request_head(&mut self, entry: &Entry, note: Note, head: Head) -> Note {
        let method = self.names.intern_line(head.method(), 20);
        let target = self.names.intern_line(head.target(), 200);
        let note = Note { method, subject: target, ..note };
        if self.https.number(entry.channel).is_some() {
            return note;
        }
        let is_get = head.method() == "GET";
        let fields = Fields::read(&head);
        self.know_channel(entry, &head, &fields);
        let http = Http {
            channel: entry.channel,
            request: entry.seq,
            body: None,
            response: None,
            method,
            target,
            status: None,
            media: Name::NONE,
            session: fields.session.map_or(Name::NONE, |session| self.names.intern_line(&text(session), 200)),
            at: entry.at,
            sent: None,
            responded: None,
            first_byte: None,
            last_byte: None,
            ended: None,
            end: None,
            events: 0,
            messages: 0,
            sent_bytes: 0,
            received_bytes: 0,
            exchange: None,
            row: None,
            touched: false,
            resumable: false,
            params: None,
        };
        let version = fields.version.map(text);
        let talk = Talk {
            place: place(fields.host, head.target()),
            json: is_json(fields.content_type),
            expects: fields.has_body,
            asks_stream: is_get && contains(fields.accept, b"text/event-stream"),
            had_session: fields.session.is_some(),
            said: Said::Nothing,
            modern: version.is_some_and(|version| &*version >= Revision::V2026_07_28.text()),
            ..Talk::default()
        };
        let expects = talk.expects;
        let number = self.https.begin(http, Talk { head: Some(head), ..talk });
        self.touch_http(number);
        if !expects {
            self.request_complete(entry.channel);
        }
        note
    }

    /// What the request's head says of its channel counts, whatever was known of it before.
    fn know_channel(&mut self, entry: &Entry, head: &Head, fields: &Fields<'_>) {
        let (channel, is_post) = (entry.channel, head.method() == "POST");
        let session = fields.session.map(|session| self.channels.session(session));
        let stream = if session.is_none() && is_post { self.stream_of_post(channel, head.target()) } else { None };
        let version = fields.version.map_or(Name::NONE, |version| self.names.intern_line(&text(version), 80));
        self.channels.enter(channel, session.or(stream), stream.is_some());
        let chan = self.channels.get_mut(channel);
        (chan.transport, chan.version, chan.resumes) = (Transport::HttpRequest, version, Resumes::Nothing);
        let chan = *chan;
        if let Some(id) = fields.last_event {
            let resumes = self.streams.resumed(chan.home(), id);
            self.channels.get_mut(channel).resumes = resumes;
        }
    }

    fn response_head(&mut self, entry: &Entry, note: Note, head: &Head, status: u16) -> Note {
        let fields = Fields::read(head);
        let media = media(fields.content_type);
        let word = self.status_word(status);
        let media_name = self.names.intern_line(&media, 80);
        let note = Note { method: word, subject: media_name, ..note };
        let is_final = status >= 200 || status == 101;
        let session = fields.session.map(text);
        let session = session.map_or(Name::NONE, |session| self.names.intern_line(&session, 200));
        let Some((talk, http)) = self.https.talk(entry.channel).filter(|(_, http)| is_final && http.status.is_none())
        else {
            return note;
        };
        (http.status, http.response, http.media) = (Some(status), Some(entry.seq), media_name);
        http.responded = Some(entry.until);
        if http.session.is_none() {
            http.session = session;
        }
        talk.streams = media.eq_ignore_ascii_case("text/event-stream");
        talk.asks_stream |= talk.streams && &**self.names.text(http.method) == "GET";
        let (number, is_stream) = (talk.http, talk.streams && talk.asks_stream && status < 300);
        let is_first = !talk.had_session;
        let packed = talk.streams && !fields.encoding.is_empty() && !fields.encoding.eq_ignore_ascii_case(b"identity");
        if is_stream {
            self.channels.get_mut(entry.channel).transport = Transport::HttpStream;
        }
        if let Some(id) = fields.session.filter(|_| is_first) {
            self.session_assigned(entry, id);
        }
        if packed {
            self.remark_http(entry.channel, HttpRemark::Compressed(text(fields.encoding).into()));
        }
        self.touch_http(number);
        self.responded(entry.channel, entry.seq, status);
        note
    }

    /// `HTTP 404`.
    pub(super) fn status_word(&mut self, status: u16) -> Name {
        let names = &mut self.names;
        *self.statuses.entry(status).or_insert_with(|| names.intern(&format!("HTTP {status}")))
    }

    /// A response names a session that its request did not name.
    fn session_assigned(&mut self, entry: &Entry, id: &[u8]) {
        let session = self.channels.session(id);
        if self.channels.get(entry.channel).over_sse {
            return;
        }
        self.channels.enter(entry.channel, Some(session), false);
        let chan = self.channels.get(entry.channel);
        self.speaks_in(chan);
        if let Some((talk, _)) = self.https.talk(entry.channel).filter(|(talk, _)| talk.said == Said::Initialize) {
            let place = talk.place;
            self.losses.assigned(chan.group(), place, entry.seq);
        }
    }

    /// The connection of HTTP+SSE that a POST belongs to: the one whose `endpoint` it is sent to, or the
    /// only one that its client has.
    fn stream_of_post(&self, channel: u32, target: &str) -> Option<u32> {
        self.streams.endpoint(path(target)).or_else(|| self.streams.only_one(self.channels.get(channel).group()))
    }
}

/// A field's value as text.
pub(super) fn text(value: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(value)
}

/// A media type without its parameters.
fn media(content_type: &[u8]) -> Cow<'_, str> {
    let end = content_type.iter().position(|byte| *byte == b';').unwrap_or(content_type.len());
    text(content_type[..end].trim_ascii())
}

/// Whether a body calls itself JSON: `application/json`, or something with `+json`.
fn is_json(content_type: &[u8]) -> bool {
    let media = media(content_type);
    media.eq_ignore_ascii_case("application/json") || media.to_ascii_lowercase().ends_with("+json")
}

fn contains(value: &[u8], word: &[u8]) -> bool {
    value.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}
