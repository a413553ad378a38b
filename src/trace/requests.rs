//! Requests: each begins an exchange.

use super::flights::Flight;
use super::params::Params;
use super::record::{Found, Heard};
use super::remark::Remark;
use super::scope::{Chan, Resumes, Scope, glance};
use super::{AttachKind, Exchange, Name, Status, Trace};
use crate::mcp::{self, meta};
use crate::model::{Era, Id, Side};

/// To how many requests in flight something without a name is put down as possible; beyond that it
/// would say nothing.
const MOST_POSSIBLE: usize = 4;

impl Trace {
    pub(super) fn request(&mut self, heard: &Heard<'_>) -> Found {
        let message = heard.message;
        let text = message.method.as_deref().unwrap_or_default();
        let params = Params::read_hashed(message.params, heard.chan.is_http());
        let method = self.names.intern(&mcp::one_line(text, 200));
        let subject = self.subject(text, message.params);
        let exchange = self.exchanges.len() as u32;
        let voice = self.voice(heard, text, &params, exchange);
        self.exchanges.push(Exchange {
            request: heard.at,
            answer: None,
            id: message.id.clone().unwrap_or(Id::Null),
            at: heard.began,
            end: None,
            size: heard.size,
            method,
            subject,
            outcome: self.words.pending,
            revision: voice.revision,
            channel: heard.chan.id,
            session: voice.session,
            operation: None,
            attached: Vec::new(),
            more: 0,
            side: heard.side,
            status: Status::Pending,
            era: voice.era,
            certain: voice.certain,
        });
        self.touch(exchange);
        self.belongs_inside(heard, text, &params, exchange);
        let flight = flight(heard, text, &params, voice.era);
        self.take_off(exchange, flight);
        self.link_request(heard, text, &params, exchange);
        self.repeats(heard, params.hash, exchange);
        Found::alone(method, subject).of(exchange)
    }

    /// A message's subject, interned.
    pub(super) fn subject(&mut self, method: &str, params: Option<crate::wire::Json<'_>>) -> Name {
        mcp::subject(method, params).map_or(Name::NONE, |subject| self.names.intern(&subject))
    }

    /// Puts a request in flight, and says so where its id or token is not its own.
    fn take_off(&mut self, exchange: u32, flight: Flight) {
        let (chan, side, token) = (flight.chan, flight.side, flight.token.clone());
        let start = self.flights.start(exchange, flight, &self.exchanges);
        if let Some(before) = start.cancelled {
            self.remark(exchange, Remark::AfterCancelled(self.began(before)));
        }
        for (scope, twin) in start.twins.into_iter().filter(|_| !start.crowd) {
            let (seq, other) = (self.began(exchange), self.began(twin));
            match scope {
                Scope::Channel(_) => {
                    self.remark(exchange, Remark::TwinOnChannel(other));
                    self.remark(twin, Remark::TwinOnChannel(seq));
                }
                Scope::Session(_) => {
                    self.remark(exchange, Remark::TwinInSession(other));
                    self.remark(twin, Remark::TwinInSession(seq));
                }
                // Different clients may use one id at one time (protocol.md 8.31).
                Scope::Peer(_) => {}
            }
            self.touch(twin);
        }
        if start.crowd {
            self.remark(exchange, Remark::Crowd);
            self.exchanges[exchange as usize].status = Status::Ambiguous;
            self.exchanges[exchange as usize].outcome = self.words.ambiguous;
        }
        let Some(token) = token else { return };
        let owners = self.flights.by_token(chan, side, &token);
        if let [.., other, _] = owners[..] {
            let (seq, before) = (self.began(exchange), self.began(other));
            self.remark(exchange, Remark::SharedToken(before));
            self.remark(other, Remark::SharedToken(seq));
        }
    }

    /// A request of the server in the middle of one of the client's belongs to that (legacy: sampling,
    /// elicitation, roots). A ping belongs to nothing.
    fn belongs_inside(&mut self, heard: &Heard<'_>, method: &str, params: &Params<'_>, exchange: u32) {
        if let Some(task) = params.meta.related_task {
            self.nested_in_task(heard, &meta::typed(task), exchange);
            return;
        }
        let asks = matches!(method, "sampling/createMessage" | "elicitation/create" | "roots/list");
        if heard.side != Side::Server || !asks {
            return;
        }
        // The stream that a GET opened names no request, but there may be only one.
        let by_stream = heard.chan.attribution();
        let scope = by_stream.unwrap_or_else(|| heard.chan.home());
        let candidates = self.candidates(scope, Side::Client);
        let certain = candidates.len() == 1 && by_stream.is_some() && heard.chan.resumes != Resumes::Unknown;
        for outer in candidates {
            self.attach(outer, heard.at, AttachKind::Nested, certain, heard.size);
        }
    }

    /// The few requests in flight that something without a name may belong to; nothing when there
    /// are many.
    pub(super) fn candidates(&self, scope: Scope, side: Side) -> Vec<u32> {
        let open = self.flights.in_flight(scope, side);
        open.filter(|open| open.len() <= MOST_POSSIBLE).map_or_else(Vec::new, |open| open.iter().copied().collect())
    }
}

/// What is kept of a request while it is in flight.
fn flight(heard: &Heard<'_>, method: &str, params: &Params<'_>, era: Option<Era>) -> Flight {
    let may_ask = matches!(method, "tools/call" | "prompts/get" | "resources/read");
    let arguments = params.arguments.filter(|_| may_ask).map_or(0, |arguments| glance(arguments.raw()));
    let chan: Chan = heard.chan;
    Flight {
        chan,
        side: heard.side,
        token: params.meta.token.map(meta::typed),
        progress: None,
        wants_logs: era != Some(Era::Modern) || params.meta.log_level.is_some(),
        stands: method == "subscriptions/listen",
        arguments,
    }
}
