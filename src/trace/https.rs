//! The HTTP requests of a recording, and what is kept of each only while it is open.

use std::collections::HashSet;

use super::http_remark::HttpRemark;
use super::scope::{QuickMap, glance};
use super::{Http, Note, NoteKind, RowRef, Trace};
use crate::model::{ChannelId, EntryKind, Seq, Side};
use crate::wire::http::Head;

/// The HTTP requests with their responses.
#[derive(Debug, Default)]
pub(super) struct Https {
    /// All of them, in order of their requests.
    pub(super) list: Vec<Http>,
    index: QuickMap<ChannelId, u32>,
    /// Those that may go on.
    talks: QuickMap<ChannelId, Talk>,
    remarks: QuickMap<u32, Vec<HttpRemark>>,
    /// Hosts and paths, hashed, whose POSTs have carried messages.
    places: HashSet<u64>,
    /// Request heads that are kept until the body has come.
    heads: usize,
    touched: Vec<u32>,
}

/// What is kept of an HTTP request while it is open.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// Its index in the list.
    pub(super) http: u32,
    /// The request's head, until its body was read.
    pub(super) head: Option<Head>,
    /// Its host and path, hashed.
    pub(super) place: u64,
    /// Whether its body calls itself JSON.
    pub(super) json: bool,
    /// Whether a body is still to come.
    pub(super) expects: bool,
    /// Whether it is a GET that asks for a stream.
    pub(super) asks_stream: bool,
    /// Whether the request itself, not only its response, named a session.
    pub(super) had_session: bool,
    /// What its body turned out to carry.
    pub(super) said: Said,
    /// Whether it speaks 2026-07-28, by its body or else by its version header.
    pub(super) modern: bool,
    /// The exchanges that its body began.
    pub(super) requests: Vec<u32>,
    /// Whether the response calls itself a stream of events.
    pub(super) streams: bool,
    /// Whether all of the request has come.
    pub(super) complete: bool,
    /// The `retry` that came last, in milliseconds.
    pub(super) retry: Option<u64>,
    /// Whether an `endpoint` event came.
    pub(super) endpoint: bool,
}

/// What the body of a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Said {
    /// No message, as far as was seen.
    #[default]
    Nothing,
    /// At least one request.
    Requests,
    /// `initialize`.
    Initialize,
    /// Notifications and answers only.
    Others,
}

/// The most request heads that are kept at one time while their bodies are on the way.
const MOST_HEADS: usize = 1024;
/// The most places that are remembered.
const MOST_PLACES: usize = 4096;
/// The most remarks about one HTTP request.
const MOST_REMARKS: usize = 16;

impl Https {
    /// Adds a request whose head was seen.
    pub(super) fn begin(&mut self, http: Http, mut talk: Talk) -> u32 {
        let number = self.list.len() as u32;
        talk.http = number;
        let kept = talk.head.take().filter(|_| self.heads < MOST_HEADS);
        self.heads += usize::from(kept.is_some());
        talk.head = kept;
        self.index.insert(http.channel, number);
        self.talks.insert(http.channel, talk);
        self.list.push(http);
        number
    }

    pub(super) fn number(&self, channel: ChannelId) -> Option<u32> {
        self.index.get(&channel).copied()
    }

    pub(super) fn of(&self, channel: ChannelId) -> Option<&Http> {
        self.number(channel).map(|number| &self.list[number as usize])
    }

    /// What is kept of a channel that is open.
    pub(super) fn talk(&mut self, channel: ChannelId) -> Option<(&mut Talk, &mut Http)> {
        let talk = self.talks.get_mut(&channel)?;
        let http = &mut self.list[talk.http as usize];
        Some((talk, http))
    }

    pub(super) fn open(&self, channel: ChannelId) -> Option<&Talk> {
        self.talks.get(&channel)
    }

    /// The request's head, which is not needed any more.
    pub(super) fn take_head(&mut self, channel: ChannelId) -> Option<Head> {
        let head = self.talks.get_mut(&channel)?.head.take();
        self.heads -= usize::from(head.is_some());
        head
    }

    /// What was kept of a channel that is over.
    pub(super) fn close(&mut self, channel: ChannelId) -> Option<Talk> {
        self.take_head(channel);
        self.talks.remove(&channel)
    }

    /// The channels that are open, in order.
    pub(super) fn all_open(&self) -> Vec<ChannelId> {
        let mut open: Vec<ChannelId> = self.talks.keys().copied().collect();
        open.sort_unstable();
        open
    }

    /// Notes that POSTs to this place carry messages.
    pub(super) fn carries(&mut self, place: u64) {
        if self.places.len() < MOST_PLACES {
            self.places.insert(place);
        }
    }

    /// Whether POSTs to this place have carried messages.
    pub(super) fn is_endpoint(&self, place: u64) -> bool {
        self.places.contains(&place)
    }

    /// Notes that a request stands otherwise than before.
    pub(super) fn touch(&mut self, number: u32) {
        let http = &mut self.list[number as usize];
        if !std::mem::replace(&mut http.touched, true) {
            self.touched.push(number);
        }
    }

    pub(super) fn take_touched(&mut self) -> Vec<u32> {
        for &number in &self.touched {
            self.list[number as usize].touched = false;
        }
        std::mem::take(&mut self.touched)
    }

    pub(super) fn remarks(&self, number: u32) -> &[HttpRemark] {
        self.remarks.get(&number).map_or(&[], Vec::as_slice)
    }

    pub(super) fn remarks_mut(&mut self, number: u32) -> &mut Vec<HttpRemark> {
        self.remarks.entry(number).or_default()
    }
}

/// The place of a request: its host and the path of its target, hashed.
pub(super) fn place(host: &[u8], target: &str) -> u64 {
    glance(host) ^ glance(path(target).split('?').next().unwrap_or_default().as_bytes()).rotate_left(1)
}

/// A target without scheme and host: those that are sent to a proxy have them.
pub(super) fn path(target: &str) -> &str {
    let Some((_, rest)) = target.split_once("://").filter(|(scheme, _)| !scheme.contains('/')) else { return target };
    rest.find(['/', '?']).map_or("/", |at| &rest[at..])
}

impl Trace {
    /// Notes something unusual about an HTTP request.
    pub(super) fn remark_http(&mut self, channel: ChannelId, remark: HttpRemark) {
        let Some(number) = self.https.number(channel) else { return };
        let list = self.https.remarks_mut(number);
        if list.len() < MOST_REMARKS && !list.iter().any(|known| known.says_the_same(&remark)) {
            list.push(remark);
            self.touch_http(number);
        }
    }

    /// Notes that an HTTP request, and with it what it carries, stands otherwise than before.
    pub(super) fn touch_http(&mut self, number: u32) {
        self.https.touch(number);
        let http = &self.https.list[number as usize];
        let (channel, exchange) = (http.channel, http.exchange);
        if let Some(exchange) = exchange {
            self.touch(exchange);
        }
        let requests = self.https.talks.get_mut(&channel).map(|talk| std::mem::take(&mut talk.requests));
        let Some(requests) = requests.filter(|list| !list.is_empty()) else { return };
        requests.iter().filter(|one| Some(**one) != exchange).for_each(|one| self.touch(*one));
        if let Some(talk) = self.https.talks.get_mut(&channel) {
            talk.requests = requests;
        }
    }

    /// What an entry that was just read means for the row of its HTTP request; `began` is the first
    /// exchange that it began, `ends` whether its side has nothing more to say. Whether the view of
    /// exchanges shows the entry itself; `None` when it belongs to no HTTP request.
    pub(super) fn http_row(&mut self, note: &Note, kind: EntryKind, began: Option<u32>, ends: bool) -> Option<bool> {
        let number = self.https.number(note.channel)?;
        let expects = self.https.open(note.channel).is_some_and(|talk| talk.expects);
        let own = self.has_row(note);
        let is_client = note.side == Some(Side::Client);
        let replaces = is_client && kind == EntryKind::Body && (began.is_some() || !own);
        if let Some(row) = self.https.list[number as usize].row.filter(|row| replaces && *row != note.seq) {
            self.drop_row(row);
        }
        let http = &mut self.https.list[number as usize];
        if replaces {
            http.exchange = http.exchange.or(began).or(note.exchange());
            http.row = None;
            return Some(own && note.kind == NoteKind::Batch);
        }
        let stands = match kind {
            EntryKind::Head if is_client => note.seq == http.request && !expects,
            EntryKind::Head => ends || (http.response == Some(note.seq) && !expects),
            EntryKind::Lifecycle => http.end.is_some() && http.row.is_none() && http.exchange.is_none(),
            EntryKind::Body if is_client => true,
            _ => ends || (kind == EntryKind::Body && note.speaks()),
        };
        let has_row = http.exchange.is_some() || http.row.is_some_and(|row| row != note.seq);
        if stands && !has_row {
            http.row = Some(note.seq);
            return Some(true);
        }
        let broken = matches!(note.kind, NoteKind::NotJson | NoteKind::NotRpc | NoteKind::Truncated);
        Some(kind == EntryKind::Event && (broken || (note.speaks() && own)))
    }

    /// Takes out the row of an entry: an exchange stands for its HTTP request after all.
    fn drop_row(&mut self, seq: Seq) {
        let at = self.rows.partition_point(|row| self.row_seq(*row) < seq);
        if self.rows.get(at) == Some(&RowRef::Entry(seq)) {
            self.rows.remove(at);
            self.reordered += 1;
        }
    }

    /// The sentences about an HTTP request.
    pub(super) fn sentences(&self, channel: ChannelId) -> impl Iterator<Item = String> {
        let number = self.https.number(channel);
        let remarks = number.map_or(&[][..], |number| self.https.remarks(number));
        remarks.iter().map(|remark| remark.sentence(&self.names))
    }

    /// Whether an entry is where the remarks about its HTTP request belong.
    pub(super) fn speaks_for_http(&self, note: &Note) -> bool {
        let is = |seq: Option<Seq>| seq == Some(note.seq);
        self.https.of(note.channel).is_some_and(|http| is(http.row) || is(Some(http.request)) || is(http.response))
    }
}
