//! Streams of `subscriptions/listen` (2026-07-28): opened, acknowledged, ended by the server, or lost and then
//! opened again. What a stream brings names the id of the request that opened it, of the same JSON type (SU-004).

use std::collections::{BTreeMap, BTreeSet};

use super::filter::Filter;
use super::flight::{Landing, Purpose, span};
use super::machine::Client;
use super::send::Post;
use super::subscribed::Subscribed;
use super::{Call, CallId, Kind, Order, Outcome, Refused, Told};
use crate::mcp::one_line;
use crate::model::{Id, Nanos};
use crate::wire::{Json, JsonKind, Message};

const METHOD: &str = "subscriptions/listen";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
const SECOND: Nanos = 1_000_000_000;
/// How often a lost stream is opened again, without an acknowledgement in between.
const MOST_ATTEMPTS: u32 = 10;
/// The longest wait before that.
const LONGEST: Nanos = 30 * SECOND;
/// How long a server that ends a stream by a notification has for the result that ought to follow.
const GRACE: Nanos = SECOND;
/// How many oddities of one stream are told.
const MOST_ODDITIES: usize = 16;

/// One stream.
#[derive(Debug)]
struct Stream {
    /// The filter as JSON text.
    text: String,
    filter: Filter,
    /// The id of the request that opened it last.
    id: Id,
    /// Whether that one was acknowledged.
    acknowledged: bool,
    /// Whether any was.
    stood: bool,
    attempts: u32,
    /// When it is opened again.
    at: Option<Nanos>,
    /// Until when the server, which ended it, has time for the result.
    ends_at: Option<Nanos>,
    /// The oddities that were told.
    oddities: BTreeSet<String>,
}

/// The streams, and the subscriptions of the legacy era.
#[derive(Debug, Default)]
pub(super) struct Listens {
    all: BTreeMap<CallId, Stream>,
    pub(super) subscribed: Subscribed,
}

impl Listens {
    pub(super) fn forget(&mut self, call: CallId) {
        self.all.remove(&call);
    }

    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.all.values().flat_map(|stream| [stream.at, stream.ends_at]).flatten().min()
    }

    /// The stream with this id; where there is none, the only one whose id says the same in the other JSON type.
    fn find(&self, id: &Id) -> Option<(CallId, bool)> {
        let exact = self.all.iter().find(|(_, stream)| stream.id == *id);
        if let Some((call, _)) = exact {
            return Some((*call, true));
        }
        let mut alike = self.all.iter().filter(|(_, stream)| same_text(&stream.id, id));
        let (call, _) = alike.next()?;
        alike.next().is_none().then_some((*call, false))
    }
}

/// Whether two ids say the same in different JSON types.
fn same_text(one: &Id, other: &Id) -> bool {
    match (one, other) {
        (Id::Number(number), Id::String(text)) | (Id::String(text), Id::Number(number)) => number == text,
        _ => false,
    }
}

impl Client {
    /// [`Order::Listen`].
    pub(super) fn listen(&mut self, now: Nanos, call: CallId, filter: String) {
        if !self.is_ready(now, call, || Order::Listen(call, filter.clone())) {
            return;
        }
        self.calls.begin(now, call, Call { method: METHOD.to_owned(), ..Call::default() });
        let read = Json::parse(filter.as_bytes()).map(Filter::read).unwrap_or_default();
        let stream = Stream {
            text: filter,
            filter: read,
            id: Id::Null,
            acknowledged: false,
            stood: false,
            attempts: 0,
            at: None,
            ends_at: None,
            oddities: BTreeSet::new(),
        };
        self.listens.all.insert(call, stream);
        self.open_stream(now, call);
    }

    fn open_stream(&mut self, now: Nanos, call: CallId) {
        let Some(stream) = self.listens.all.get_mut(&call) else { return };
        (stream.at, stream.acknowledged) = (None, false);
        let params = format!(r#"{{"notifications":{}}}"#, stream.text);
        let id = self.post(now, Purpose::Listen(call), Post::new(METHOD, Some(params)));
        if let Some(stream) = self.listens.all.get_mut(&call) {
            stream.id = id;
        }
    }

    /// The stream ended with an answer, or broke.
    pub(super) fn listen_landed(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        match landing {
            Landing::Result(_) => self.tell_stream(call, "the server ended it, in order"),
            Landing::Refused(refused) if self.is_lost(call, &refused) => return self.stream_lost(now, call, refused),
            _ => {}
        }
        self.ended(now, call, landing.outcome());
    }

    /// Whether a stream that stood may be had again. What a server refuses (4xx) it refuses again.
    fn is_lost(&self, call: CallId, refused: &Refused) -> bool {
        let stood = self.listens.all.get(&call).is_some_and(|stream| stream.stood && stream.ends_at.is_none());
        stood && !refused.status.is_some_and(|status| (400..500).contains(&status) && !matches!(status, 408 | 429))
    }

    fn stream_lost(&mut self, now: Nanos, call: CallId, refused: Refused) {
        let Some(stream) = self.listens.all.get_mut(&call) else { return };
        stream.acknowledged = false;
        if stream.attempts >= MOST_ATTEMPTS {
            return self.ended(now, call, Landing::Refused(refused).outcome());
        }
        let wait = (SECOND << stream.attempts).min(LONGEST);
        stream.attempts += 1;
        stream.at = Some(now.saturating_add(wait));
        let (attempt, why) = (stream.attempts, one_line(&refused.why, 200));
        let again = format!("it is opened again in {} (attempt {attempt} of {MOST_ATTEMPTS})", span(wait));
        self.tell_stream(call, &format!("lost: {why}; {again}"));
    }

    /// A notification that names a subscription, or an acknowledgement that should; the call that listens.
    pub(super) fn listen_notified(&mut self, id: Option<&Id>, method: &str, message: &Message<'_>) -> Option<CallId> {
        let Some(id) = id else {
            let mut waiting = self.listens.all.iter().filter(|(_, stream)| !stream.acknowledged && stream.at.is_none());
            let (call, _) = waiting.next().filter(|_| method == ACKNOWLEDGED)?;
            let call = *call;
            if waiting.next().is_some() {
                return None;
            }
            self.odd_stream(call, "the acknowledgement does not name its subscription (SU-004)");
            self.stream_acknowledged(call, message);
            return Some(call);
        };
        let (call, exact) = self.listens.find(id)?;
        let stream = self.listens.all.get(&call)?;
        if !exact {
            let what = format!("the server names it {id}, but the id of the request is {} (SU-004)", stream.id);
            self.odd_stream(call, &what);
        }
        let stream = self.listens.all.get(&call)?;
        if method == ACKNOWLEDGED {
            self.stream_acknowledged(call, message);
        } else if !stream.acknowledged {
            self.odd_stream(call, "something came before the acknowledgement (SU-002)");
        } else if !stream.filter.covers(method) {
            self.odd_stream(call, &format!("{} was not asked for (SU-005)", one_line(method, 80)));
        }
        Some(call)
    }

    fn stream_acknowledged(&mut self, call: CallId, message: &Message<'_>) {
        let Some(stream) = self.listens.all.get_mut(&call) else { return };
        let again = stream.stood;
        (stream.acknowledged, stream.stood, stream.attempts) = (true, true, 0);
        let said = message.params.and_then(|params| params.get("notifications"));
        let difference = match said.filter(|said| said.kind() == JsonKind::Object) {
            Some(said) => stream.filter.difference(&Filter::read(said)),
            None => Some("without saying what for".to_owned()),
        };
        let filter = stream.filter.clone();
        let what = match difference {
            Some(difference) => format!("acknowledged, but {difference}"),
            None => "acknowledged".to_owned(),
        };
        if !again {
            return self.tell_stream(call, &what);
        }
        self.tell_stream(call, &format!("{what}, again; what changed in between was not told"));
        let lists: [(&str, &[Kind]); 3] = [
            ("notifications/tools/list_changed", &[Kind::Tools]),
            ("notifications/prompts/list_changed", &[Kind::Prompts]),
            ("notifications/resources/list_changed", &[Kind::Resources, Kind::Templates]),
        ];
        for (_, kinds) in lists.into_iter().filter(|(method, _)| filter.covers(method)) {
            for kind in kinds {
                self.list_changed(*kind);
            }
        }
    }

    /// The call that subscribed to the resource that was updated (legacy).
    pub(super) fn subscriber(&self, params: Option<Json<'_>>) -> Option<CallId> {
        self.listens.subscribed.subscriber(&params?.get("uri")?.text()?)
    }

    /// The server ends the stream with this id by `notifications/cancelled` (SU-009); the call that listened.
    pub(super) fn listen_cancelled(&mut self, now: Nanos, id: &Id) -> Option<CallId> {
        let (call, _) = self.listens.find(id)?;
        let stream = self.listens.all.get_mut(&call)?;
        if stream.ends_at.is_none() {
            stream.ends_at = Some(now.saturating_add(GRACE));
            self.tell_stream(call, "the server ends it");
        }
        Some(call)
    }

    pub(super) fn listens_passed(&mut self, now: Nanos) {
        let due = |time: Option<Nanos>| time.is_some_and(|time| time <= now);
        let all = &self.listens.all;
        let ended: Vec<CallId> = all.iter().filter(|(_, stream)| due(stream.ends_at)).map(|(call, _)| *call).collect();
        let again: Vec<CallId> = all.iter().filter(|(_, stream)| due(stream.at)).map(|(call, _)| *call).collect();
        for call in ended {
            self.ended(now, call, Outcome::Lost("the server ended the stream, without a result (SU-008)".to_owned()));
        }
        for call in again {
            if let Some(called) = self.calls.get_mut(call) {
                called.round = called.round.saturating_add(1);
            }
            self.open_stream(now, call);
        }
    }

    /// Tells of an oddity of a stream, once.
    fn odd_stream(&mut self, call: CallId, what: &str) {
        let Some(stream) = self.listens.all.get_mut(&call) else { return };
        if stream.oddities.len() < MOST_ODDITIES && stream.oddities.insert(what.to_owned()) {
            self.tell_stream(call, what);
        }
    }

    fn tell_stream(&mut self, call: CallId, what: &str) {
        self.tell(Told::Stream { call, what: what.to_owned() });
    }
}
