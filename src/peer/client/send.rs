//! What leaves: requests, notifications, raw bytes.

use super::flight::{Flight, Purpose};
use super::machine::Client;
use super::splice::{Member, on_one_line, with_meta};
use super::{Bytes, Call, CallId, Do, Link, Told};
use crate::mcp::meta::{self, Meta, typed};
use crate::model::{Era, Id, Nanos};
use crate::wire::{Json, quote};

/// A request to be sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Post {
    /// Its method.
    pub(super) method: String,
    /// Its params as JSON text.
    pub(super) params: Option<Vec<u8>>,
    /// Its id as JSON text; `None`: the next one.
    pub(super) id: Option<Vec<u8>>,
    /// Nothing is added.
    pub(super) bare: bool,
    /// Header fields on HTTP.
    pub(super) fields: Vec<(String, String)>,
    /// Instead of the settings'.
    pub(super) patience: Option<Nanos>,
    /// Instead of the settings'.
    pub(super) cap: Option<Nanos>,
}

impl Post {
    /// A request of our own making.
    pub(super) fn new(method: &str, params: Option<String>) -> Self {
        Self { method: method.to_owned(), params: params.map(String::into_bytes), ..Self::default() }
    }

    /// A further request of a call: it has the call's fields and clocks, and an id of its own.
    pub(super) fn of(call: &Call, method: &str, params: Option<Vec<u8>>) -> Self {
        Self {
            method: method.to_owned(),
            params,
            id: None,
            bare: call.bare,
            fields: call.fields.clone(),
            patience: call.patience,
            cap: call.cap,
        }
    }
}

impl Client {
    /// Sends a request and notes what it is for. What is to be in its `_meta` is put there.
    pub(super) fn post(&mut self, now: Nanos, purpose: Purpose, post: Post) -> Id {
        let written = post.id.unwrap_or_else(|| self.next_id());
        let params = if post.bare {
            post.params
        } else {
            let members = self.meta(purpose, &written);
            with_meta(post.params.as_deref(), &members)
        };
        let token = params.as_deref().and_then(token_of);
        let mut message = br#"{"jsonrpc":"2.0","id":"#.to_vec();
        message.extend_from_slice(&written);
        message.extend_from_slice(br#","method":"#);
        message.extend_from_slice(quote(&post.method).as_bytes());
        if let Some(params) = &params {
            message.extend_from_slice(br#","params":"#);
            message.extend_from_slice(params);
        }
        message.push(b'}');
        let clocks = (post.patience.or(self.settings.patience), post.cap.or(self.settings.cap));
        self.launch(now, purpose, Launch { written, method: post.method, token, message, fields: post.fields, clocks })
    }

    /// Puts a request on the wire as it is.
    pub(super) fn launch(&mut self, now: Nanos, purpose: Purpose, launch: Launch) -> Id {
        let Launch { written, method, token, message, fields, clocks } = launch;
        let id = Json::parse(&written).map_or_else(|_| Id::Other(String::from_utf8_lossy(&written).into()), typed);
        let (patience, cap) = if purpose.has_clocks() { clocks } else { (None, None) };
        let (sent, heard, place) = (now, now, self.sent + 1);
        let flight = Flight { id: id.clone(), place, written, purpose, method, token, sent, heard, patience, cap };
        self.flights.begin(flight);
        let message = self.send(message, fields);
        if let Some(call) = purpose.call() {
            let round = self.calls.round(call);
            self.tell(Told::Sent { call, round, id: id.clone(), message });
        }
        id
    }

    /// Sends one message.
    pub(super) fn send(&mut self, message: Vec<u8>, fields: Vec<(String, String)>) -> Bytes {
        let message = if self.link == Link::Stdio { on_one_line(message) } else { message };
        let message = Bytes::from(message);
        self.sent += 1;
        self.out.push_back(Do::Send(Bytes::clone(&message), fields));
        message
    }

    /// Sends a notification; the params are JSON text.
    pub(super) fn notify(&mut self, method: &str, params: Option<&[u8]>) {
        let mut message = format!(r#"{{"jsonrpc":"2.0","method":{}"#, quote(method)).into_bytes();
        if let Some(params) = params {
            message.extend_from_slice(br#","params":"#);
            message.extend_from_slice(params);
        }
        message.push(b'}');
        self.send(message, Vec::new());
    }

    /// Says that the answer to a request is not wanted any more, as its era and its transport say it: by closing
    /// the stream in 2026-07-28 on HTTP, else by a notification (CN-010, IO-011). `initialize` is never cancelled
    /// (CN-004).
    pub(super) fn cancel_flight(&mut self, flight: &Flight, reason: &str) {
        if self.closing_cancels() {
            self.out.push_back(Do::Drop(flight.id.clone()));
        } else if flight.purpose.is_cancellable() {
            let mut params = br#"{"requestId":"#.to_vec();
            params.extend_from_slice(&flight.written);
            if !reason.is_empty() {
                params.extend_from_slice(format!(r#","reason":{}"#, quote(reason)).as_bytes());
            }
            params.push(b'}');
            self.notify("notifications/cancelled", Some(&params));
        }
    }

    /// The next id that is not in use and was not lately.
    pub(super) fn next_id(&mut self) -> Vec<u8> {
        loop {
            let written = self.ids.next();
            let id = Json::parse(&written).map_or(Id::Null, typed);
            if self.past.find(&id).is_none() && self.flights.iter().all(|flight| flight.id != id) {
                return written;
            }
        }
    }

    /// What belongs in the `_meta` of a request.
    fn meta(&self, purpose: Purpose, id: &[u8]) -> Vec<Member> {
        let mut members = Vec::new();
        if purpose == Purpose::Probe || (self.era() == Era::Modern && purpose != Purpose::Initialize) {
            members.push((meta::PROTOCOL_VERSION, quote(self.revision().text())));
            members.push((meta::CLIENT_INFO, self.settings.identity.clone()));
            members.push((meta::CLIENT_CAPABILITIES, self.settings.capabilities.clone()));
            let level = self.settings.log_level.as_deref();
            members.extend(level.map(|level| (meta::LOG_LEVEL, quote(level))));
        }
        if self.settings.progress && purpose.wants_progress() {
            members.push((meta::PROGRESS_TOKEN, token(id)));
        }
        members
    }
}

/// A request as it goes on the wire.
#[derive(Debug)]
pub(super) struct Launch {
    pub(super) written: Vec<u8>,
    pub(super) method: String,
    pub(super) token: Option<Id>,
    pub(super) message: Vec<u8>,
    pub(super) fields: Vec<(String, String)>,
    /// Patience and cap.
    pub(super) clocks: (Option<Nanos>, Option<Nanos>),
}

impl Client {
    /// The clocks of a call.
    pub(super) fn clocks(&self, call: CallId) -> (Option<Nanos>, Option<Nanos>) {
        let own = self.calls.get(call).map(|called| (called.request.patience, called.request.cap));
        let (patience, cap) = own.unwrap_or_default();
        (patience.or(self.settings.patience), cap.or(self.settings.cap))
    }
}

/// The token for the progress of the request with this id: the id itself, where it can be a token (PR-001).
fn token(id: &[u8]) -> String {
    let text = String::from_utf8_lossy(id).into_owned();
    let is_integer = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    let fits = Json::parse(id).is_ok_and(|json| json.text().is_some() || (json.number().is_some() && is_integer));
    if fits { text } else { quote(&text) }
}

/// The token that params name.
pub(super) fn token_of(params: &[u8]) -> Option<Id> {
    let meta = Json::parse(params).ok()?.get("_meta")?;
    Meta::read(meta).token.map(typed)
}
