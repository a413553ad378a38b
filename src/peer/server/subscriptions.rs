//! Who listens to what: `resources/subscribe` of the legacy era and `subscriptions/listen` of 2026-07-28, and to whom
//! changes are told.

use std::collections::{BTreeMap, BTreeSet};

use super::client::Stage;
use super::dress;
use super::fault::{Fault, PARAMS};
use super::filter::{Filter, Refused, covers};
use super::flight::Wait;
use super::machine::Server;
use super::sending::Body;
use super::{Bytes, ClientId, Ended, Kind, Link, RequestNo, Script, Ticket, Told};
use crate::mcp::Capabilities;
use crate::mcp::meta::SUBSCRIPTION_ID;
use crate::model::{Era, Nanos};
use crate::peer::edit::with_meta;
use crate::wire::{Json, quote};

/// The most resources that all clients together subscribe to.
const MOST: usize = 100_000;

/// Who listens.
#[derive(Debug, Default)]
pub(super) struct Listening {
    /// URIs that clients of the legacy era subscribed to.
    uris: BTreeMap<ClientId, BTreeSet<String>>,
    /// Open `subscriptions/listen` requests.
    open: BTreeMap<RequestNo, Filter>,
}

impl Server {
    /// The protocol's own answer to `resources/subscribe`, `resources/unsubscribe` and `subscriptions/listen`.
    pub(super) fn own_subscription(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get(no) else { return };
        let (client, method) = (flight.client, flight.method.clone());
        if method == "subscriptions/listen" {
            return self.listen(now, no);
        }
        let Some(uri) = flight.param("uri").and_then(|uri| uri.text()).map(String::from) else {
            return self.refuse(now, no, &Fault::new(PARAMS, "params.uri is no string"));
        };
        let all: usize = self.listening.uris.values().map(BTreeSet::len).sum();
        let uris = self.listening.uris.entry(client).or_default();
        let what = if method == "resources/unsubscribe" {
            uris.remove(&uri);
            format!("no more to {uri}")
        } else if all < MOST || uris.contains(&uri) {
            uris.insert(uri.clone());
            format!("to {uri}")
        } else {
            let why = format!("no more than {MOST} resources can be subscribed to by all clients");
            return self.refuse(now, no, &Fault::new(PARAMS, why));
        };
        self.tell(Told::Listening(client, what));
        self.fulfil(now, no, b"{}".to_vec());
    }

    /// The acknowledgement comes first, and no response until the end (SU-001 … SU-004).
    fn listen(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get(no) else { return };
        let about = self.script.about();
        let server = Json::parse(about.modern.as_bytes()).map_or(Capabilities::UNKNOWN, Capabilities::read);
        let mut filter = match Filter::read(flight.param("notifications"), &server, &flight.can()) {
            Ok(filter) => filter,
            Err(Refused::Shape(why)) => return self.refuse(now, no, &Fault::new(PARAMS, why)),
            Err(Refused::Tasks) => {
                self.lacks_tasks(now, no);
                return;
            }
        };
        filter.keep_tasks(|task| self.kept.get(task).is_some());
        let (client, via, granted) = (flight.client, flight.via, filter.json());
        let params = format!("{{\"notifications\":{granted}}}");
        let params = with_meta(params.as_bytes(), SUBSCRIPTION_ID, &flight.written);
        self.notify(client, via, "notifications/subscriptions/acknowledged", params.as_deref());
        self.tell(Told::Listening(client, format!("to {granted}")));
        self.listening.open.insert(no, filter);
        if let Some(flight) = self.flights.get_mut(no) {
            flight.wait = Wait::Client;
        }
    }

    /// Open `subscriptions/listen` requests whose filter fits: client, way, and id as written, which each notification
    /// repeats (SU-004).
    pub(super) fn listeners(&self, fits: impl Fn(&Filter) -> bool) -> Vec<(ClientId, Ticket, Bytes)> {
        let open = self.listening.open.iter().filter(|(_, filter)| fits(filter));
        let flights = open.filter_map(|(no, _)| self.flights.get(*no));
        flights.map(|flight| (flight.client, flight.via, flight.written.clone())).collect()
    }

    /// A list has changed: those who shook hands are told where the server says that it tells (CA-007), others as they
    /// listen (SU-005, SU-007).
    pub(super) fn changed(&mut self, _now: Nanos, kind: Kind) {
        if kind == Kind::Tools {
            self.annotated.forget();
        }
        let (method, path) = match kind {
            Kind::Tools => ("notifications/tools/list_changed", "tools.listChanged"),
            Kind::Prompts => ("notifications/prompts/list_changed", "prompts.listChanged"),
            Kind::Resources | Kind::Templates => ("notifications/resources/list_changed", "resources.listChanged"),
            Kind::Tasks => return,
        };
        let mut told = 0_usize;
        if self.declares(Era::Legacy, path) {
            for client in self.clients.numbers() {
                let known = self.clients.get(client).filter(|known| known.stage == Stage::Ready);
                if known.and_then(|known| known.revision.as_ref()).is_some_and(|known| known.era() == Era::Legacy) {
                    self.notify(client, 0, method, None);
                    told += 1;
                }
            }
        }
        told += self.tell_listeners(method, b"{}", |filter| filter.wants_list(kind));
        self.count_told(method, told);
    }

    /// The answers come from another script: each list that differs has changed.
    pub(super) fn lists_changed(&mut self, now: Nanos, before: &dyn Script) {
        let differs = |kind: &Kind| before.list(*kind) != self.script.list(*kind);
        let mut kinds: Vec<Kind> = Kind::ALL.into_iter().filter(differs).collect();
        // Resources and their templates have one notification.
        if kinds.contains(&Kind::Resources) {
            kinds.retain(|kind| *kind != Kind::Templates);
        }
        for kind in kinds {
            self.changed(now, kind);
        }
    }

    /// A resource has changed: those are told who subscribed to it, or to what it lies below (SU-013).
    pub(super) fn updated(&mut self, _now: Nanos, uri: &str) {
        let method = "notifications/resources/updated";
        let params = format!("{{\"uri\":{}}}", quote(uri)).into_bytes();
        let subscribed = self.listening.uris.iter().filter(|(_, uris)| covers(uris, uri));
        let subscribed: Vec<ClientId> = subscribed.map(|(client, _)| *client).collect();
        for client in &subscribed {
            self.notify(*client, 0, method, Some(&params));
        }
        let listeners = self.tell_listeners(method, &params, |filter| filter.wants_resource(uri));
        self.count_told(method, subscribed.len() + listeners);
    }

    fn tell_listeners(&mut self, method: &str, params: &[u8], fits: impl Fn(&Filter) -> bool) -> usize {
        let listeners = self.listeners(fits);
        for (client, via, written) in &listeners {
            let params = with_meta(params, SUBSCRIPTION_ID, written);
            self.notify(*client, *via, method, params.as_deref());
        }
        listeners.len()
    }

    /// A notification of such a kind, as its plan has it: to those who listen to it. How many those are.
    pub(super) fn tell_listeners_of(&mut self, method: &str, params: &[u8]) -> usize {
        let uri = Json::parse(params).ok().and_then(|params| params.get("uri")).and_then(|uri| uri.text());
        let uri = uri.unwrap_or_default().into_owned();
        self.tell_listeners(method, params, |filter| filter.wants(method, &uri))
    }

    /// Likewise to one client, whatever it listens to: a person wants it so.
    pub(super) fn tell_client(&mut self, client: ClientId, method: &str, params: &[u8]) {
        let mut listeners = self.listeners(|_| true);
        listeners.retain(|(known, ..)| *known == client);
        if listeners.is_empty() {
            self.tell(Told::Note(None, format!("{method} was not sent to client {client}: it does not listen")));
        }
        for (client, via, written) in listeners {
            let params = with_meta(params, SUBSCRIPTION_ID, &written);
            self.notify(client, via, method, params.as_deref());
        }
    }

    fn count_told(&mut self, method: &str, told: usize) {
        let what = match told {
            0 => format!("{method} went to nobody: no client is to be told of it"),
            1 => format!("{method} went to one client"),
            many => format!("{method} went to {many} clients"),
        };
        self.tell(Told::Note(None, what));
    }

    /// Ends every `subscriptions/listen` in order: with its result, and on stdio with a cancellation too, since the
    /// specification says both (SU-008, SU-009).
    pub(super) fn end_listening(&mut self, now: Nanos) {
        for (no, _) in std::mem::take(&mut self.listening.open) {
            let Some(flight) = self.flights.get(no) else { continue };
            let (client, via, link, written) = (flight.client, flight.via, flight.link, flight.written.clone());
            let result = with_meta(b"{}", SUBSCRIPTION_ID, &written).unwrap_or_default();
            let result = dress::result(Era::Modern, "subscriptions/listen", self.script.about(), result);
            self.respond(no, Body::Result(result), None, 200);
            if link == Link::Stdio {
                let params = [br#"{"requestId":"#, &*written, br#","reason":"the subscription is over"}"#].concat();
                self.notify(client, via, "notifications/cancelled", Some(&params));
            }
            self.tell(Told::Listening(client, "no more: the server ended it".to_owned()));
            self.finish(now, no, Ended::Otherwise("answered".to_owned()));
        }
    }

    /// A request is over; if it was one to listen, nothing more is told for it (SU-010).
    pub(super) fn unlisten(&mut self, no: RequestNo) {
        let client = self.flights.get(no).map(|flight| flight.client);
        if let Some(client) = client.filter(|_| self.listening.open.remove(&no).is_some()) {
            self.tell(Told::Listening(client, "no more".to_owned()));
        }
    }

    /// A client has gone.
    pub(super) fn unsubscribe_all(&mut self, client: ClientId) {
        self.listening.uris.remove(&client);
        self.questions.forget(client);
    }
}

/// Whether a notification goes only to those who listen, in 2026-07-28 (SU-007).
pub(super) fn is_subscribed(method: &str) -> bool {
    method.ends_with("/list_changed") || method == "notifications/resources/updated"
}
