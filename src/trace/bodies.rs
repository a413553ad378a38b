//! HTTP bodies and server-sent events: which of them are messages, and what the others are.

use super::http_remark::HttpRemark;
use super::https::Said;
use super::scope::Scope;
use super::streams::Known;
use super::{AttachKind, Marks, Name, Note, NoteKind, Place, Trace};
use crate::mcp;
use crate::model::{ChannelId, Entry, Era, Flags, Seq, Side, Transport};
use crate::wire::sse::Event;
use crate::wire::{self, Frame, Item, Message, Oddities};

impl Trace {
    /// One whole body.
    pub(super) fn body(&mut self, entry: &Entry, note: Note) -> Note {
        let side = entry.side.unwrap_or(Side::Client);
        let due = self.count_body(entry, side);
        let before = self.exchanges.len();
        let read = self.frame(entry, &entry.bytes, note, if due { Belief::Due } else { Belief::Strict });
        if side == Side::Client {
            self.said(entry, &read, before);
        } else if self.refuses(entry.channel, &read) {
            return Note { kind: NoteKind::Body, ..note };
        } else if let NoteKind::NotJson | NoteKind::NotRpc = read.kind {
            self.remark_http(entry.channel, HttpRemark::NotMessage(entry.seq));
        } else if read.speaks() && self.channels.get(entry.channel).over_sse {
            self.remark_http(entry.channel, HttpRemark::AnswerOnPost(entry.seq));
        } else if read.marks.has(Marks::ORPHAN) && self.asked(entry.channel) {
            self.remark_http(entry.channel, HttpRemark::ForeignAnswer(entry.seq));
        }
        read
    }

    /// Whether a body only says in the form of JSON-RPC why its HTTP request was refused, such as a GET
    /// where there is no stream: it answers no request, and is not meant to.
    fn refuses(&self, channel: ChannelId, read: &Note) -> bool {
        let nameless = read.oddities.has(Oddities::ID_NULL) || read.oddities.has(Oddities::ID_MISSING);
        let refused = self.https.of(channel).and_then(|http| http.status).is_some_and(|status| status >= 400);
        read.kind == NoteKind::Error && nameless && refused && !self.asked(channel)
    }

    /// Whether a channel carries a request of JSON-RPC.
    fn asked(&self, channel: ChannelId) -> bool {
        self.https.open(channel).is_some_and(|talk| matches!(talk.said, Said::Requests | Said::Initialize))
    }

    /// Counts a body; whether a message is due in it.
    fn count_body(&mut self, entry: &Entry, side: Side) -> bool {
        let Some((talk, http)) = self.https.talk(entry.channel) else { return false };
        let (number, place, said) = (talk.http, talk.place, talk.said);
        let json = if side == Side::Client {
            talk.expects = false;
            (http.body, http.sent, http.sent_bytes) = (Some(entry.seq), Some(entry.until), entry.size);
            talk.json
        } else {
            http.first_byte.get_or_insert(entry.at);
            (http.last_byte, http.received_bytes) = (Some(entry.until), entry.size);
            let media = self.names.text(http.media);
            media.eq_ignore_ascii_case("application/json")
        };
        let is_post = &**self.names.text(http.method) == "POST";
        self.https.touch(number);
        json && is_post && (said != Said::Nothing || self.https.is_endpoint(place))
    }

    /// Takes in what the body of a request turned out to be.
    fn said(&mut self, entry: &Entry, note: &Note, before: usize) {
        let begun = before as u32..self.exchanges.len() as u32;
        let initializes = begun.clone().any(|one| self.exchanges[one as usize].method == self.words.initialize);
        let modern = begun.clone().next().map(|one| self.exchanges[one as usize].era == Some(Era::Modern));
        let is_over = self.https.of(entry.channel).is_some_and(|http| http.ended.is_some());
        if let Some((talk, http)) = self.https.talk(entry.channel) {
            http.exchange = http.exchange.or(begun.clone().next());
            talk.requests.extend(begun.clone());
            talk.modern = modern.unwrap_or(talk.modern);
            talk.said = match note.kind {
                _ if initializes => Said::Initialize,
                _ if !begun.is_empty() => Said::Requests,
                _ if note.speaks() => Said::Others,
                _ => Said::Nothing,
            };
            let place = talk.place;
            let is_json = talk.json;
            if note.speaks() && &**self.names.text(http.method) == "POST" {
                self.https.carries(place);
                if !is_json {
                    self.remark_http(entry.channel, HttpRemark::NotCalledJson);
                }
            }
        } else if is_over {
            // Its response was over before its body was: there is nobody left who could answer.
            begun.for_each(|one| self.settle(one, entry.until));
        }
        self.request_complete(entry.channel);
    }

    /// One server-sent event.
    pub(super) fn event(&mut self, entry: &Entry, note: Note) -> Note {
        let event = Event::read(&entry.bytes);
        let cut = entry.flags.has(Flags::TRUNCATED);
        let complete = event.complete || cut;
        let data = event.data.as_deref().filter(|data| !data.is_empty());
        self.count_event(entry, &event, data.is_some());
        let name = event.name.as_deref().unwrap_or("message");
        let note = Note { kind: NoteKind::Event, method: self.event_word(&event, data), ..note };
        if !complete {
            self.remark_http(entry.channel, HttpRemark::Unterminated(entry.seq));
            return note;
        }
        if name == "endpoint" {
            return self.endpoint_told(entry, note, data.unwrap_or_default());
        }
        let known = event.id.as_deref().map(|id| self.event_id(entry, id, data));
        let Some(data) = data else { return note };
        if let Some(Known::Before(seq)) = known {
            return self.replayed(entry, note, seq, data);
        }
        let belief = if name == "message" { Belief::Due } else { Belief::Strict };
        let read = self.frame(entry, data, note, belief);
        // What is no message under another name is somebody else's event.
        if read.kind == NoteKind::Body { Note { kind: NoteKind::Event, ..read } } else { read }
    }

    fn count_event(&mut self, entry: &Entry, event: &Event<'_>, has_data: bool) {
        let Some((talk, http)) = self.https.talk(entry.channel) else { return };
        http.events += 1;
        http.messages += u32::from(has_data);
        http.first_byte.get_or_insert(entry.at);
        http.last_byte = Some(entry.until);
        http.received_bytes += entry.size;
        http.resumable |= event.id.as_deref().is_some_and(|id| !id.is_empty());
        talk.retry = event.retry.or(talk.retry);
        let number = talk.http;
        self.https.touch(number);
    }

    /// What an event without a message is called in its row.
    fn event_word(&mut self, event: &Event<'_>, data: Option<&[u8]>) -> Name {
        let word = match (&event.name, data) {
            (Some(name), _) => return self.names.intern_fleeting(&mcp::one_line(name, 40)),
            (None, Some(_)) => return Name::NONE,
            (None, None) if event.id.is_some() => "priming event",
            (None, None) if event.retry.is_some() => "retry",
            (None, None) => "comment",
        };
        self.names.intern(word)
    }

    /// The server names where the client shall send its messages (2024-11-05).
    fn endpoint_told(&mut self, entry: &Entry, note: Note, data: &[u8]) -> Note {
        let uri = String::from_utf8_lossy(data);
        let again = self.https.talk(entry.channel).is_some_and(|(talk, _)| std::mem::replace(&mut talk.endpoint, true));
        if again {
            self.remark_http(entry.channel, HttpRemark::EndpointAgain(entry.seq));
        }
        self.posts_come_to(entry.channel, &uri);
        Note { subject: self.names.intern_fleeting(&mcp::one_line(&uri, 200)), ..note }
    }

    /// Remembers that POSTs to an endpoint belong to the stream of a channel.
    pub(super) fn posts_come_to(&mut self, channel: ChannelId, uri: &str) {
        let chan = self.channels.get(channel);
        let known = chan.session().filter(|_| chan.over_sse);
        let session = match known {
            Some(Scope::Session(session)) => session,
            _ => self.channels.new_session(),
        };
        let base = self.https.of(channel).map(|http| std::sync::Arc::clone(self.names.text(http.target)));
        self.channels.enter(channel, Some(session), true);
        self.channels.get_mut(channel).transport = Transport::HttpSse;
        self.streams.posts_go_to(base.as_deref().unwrap_or("/"), uri, session, (chan.group(), channel));
    }

    /// Takes note of an event's id.
    fn event_id(&mut self, entry: &Entry, id: &str, data: Option<&[u8]>) -> Known {
        let chan = self.channels.get(entry.channel);
        if id.is_empty() || chan.over_sse {
            return Known::Not;
        }
        let known = self.streams.event(chan, id.as_bytes(), entry.seq, data.unwrap_or_default());
        if let (Known::Elsewhere(first), Some(_)) = (known, data) {
            self.remark_http(entry.channel, HttpRemark::EventIdTwice { first, again: entry.seq });
        }
        known
    }

    /// An event that had come before, again on a stream that continues its own: it says nothing new.
    fn replayed(&mut self, entry: &Entry, note: Note, before: Seq, data: &[u8]) -> Note {
        let Some(&first) = self.note(before) else { return note };
        if first.speaks() && first.exchange().is_some() {
            let at = Place { seq: entry.seq, item: 0 };
            let exchange = first.exchange;
            self.attach(exchange, at, AttachKind::Replayed, true, entry.size);
        }
        let marks = Marks::DUPLICATE.with(Marks::REPLAYED);
        let oddities = if let Frame::Message(message) = wire::read(data) { message.oddities } else { first.oddities };
        let exchange = if first.speaks() { first.exchange } else { Note::NO_EXCHANGE };
        let kind = if first.kind == NoteKind::Batch { NoteKind::Event } else { first.kind };
        Note { kind, method: first.method, subject: first.subject, exchange, marks, oddities, ..note }
    }
}

/// How far bytes are believed to be a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Belief {
    /// A message is due: what is none is named as such.
    Due,
    /// Anything may stand there: only what says `jsonrpc` is a message.
    Strict,
}

impl Belief {
    /// Whether a frame is taken for messages.
    pub(super) fn takes(self, frame: &Frame<'_>) -> bool {
        let says = |message: &Message<'_>| !message.oddities.has(Oddities::WRONG_VERSION);
        match frame {
            _ if self == Self::Due => true,
            Frame::Message(message) => says(message),
            Frame::Batch(items) => items.iter().any(|item| matches!(item, Item::Message(message) if says(message))),
            _ => false,
        }
    }
}
