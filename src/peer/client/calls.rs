//! The calls that were asked for: how they begin, are cancelled and end.

use std::collections::{BTreeMap, VecDeque};

use super::flight::{Flight, Landing, Purpose};
use super::machine::Client;
use super::opening::Stage;
use super::past::Over;
use super::send::{Launch, Post, token_of};
use super::splice::with_member;
use super::{Call, CallId, Do, Order, Outcome, Told};
use crate::model::Nanos;
use crate::peer::edit::renumbered;
use crate::wire::{Frame, MessageKind, read};

/// How many orders wait for the connection to open.
const MOST_HELD: usize = 1_024;

/// A call that is under way.
#[derive(Debug)]
pub(super) struct Called {
    /// What was asked for.
    pub(super) request: Call,
    /// When its first request was sent.
    pub(super) began: Nanos,
    /// The round of MRTR, counting from 1.
    pub(super) round: u32,
    /// How many pages of tools were asked for, since its header fields did not agree with its body.
    pub(super) refreshed: u32,
}

/// The calls that are under way, and the orders that wait for the connection to open.
#[derive(Debug, Default)]
pub(super) struct Calls {
    all: BTreeMap<CallId, Called>,
    held: VecDeque<Order>,
}

impl Calls {
    pub(super) fn get(&self, call: CallId) -> Option<&Called> {
        self.all.get(&call)
    }

    pub(super) fn get_mut(&mut self, call: CallId) -> Option<&mut Called> {
        self.all.get_mut(&call)
    }

    pub(super) fn round(&self, call: CallId) -> u32 {
        self.get(call).map_or(1, |called| called.round)
    }

    /// Lets an order wait that belongs to no call. Beyond the limit it is dropped.
    pub(super) fn hold(&mut self, order: Order) {
        if self.held.len() < MOST_HELD {
            self.held.push_back(order);
        }
    }

    pub(super) fn begin(&mut self, now: Nanos, call: CallId, request: Call) {
        self.all.insert(call, Called { request, began: now, round: 1, refreshed: 0 });
    }
}

impl Client {
    /// Whether an order for a call can be carried out now. Before the connection is open it waits; when it is over,
    /// the call is. A number that is in use already is refused.
    pub(super) fn is_ready(&mut self, now: Nanos, call: CallId, order: impl FnOnce() -> Order) -> bool {
        match &self.stage {
            Stage::Open => return true,
            Stage::Closed => self.ended(now, call, Outcome::Refused("it was not sent: the connection is over".into())),
            _ if self.calls.held.len() >= MOST_HELD => {
                let why = "it was not sent: too much waits for the connection to open already";
                self.ended(now, call, Outcome::Refused(why.to_owned()));
            }
            _ => self.calls.held.push_back(order()),
        }
        false
    }

    /// The connection is open: what waited for it is done.
    pub(super) fn release(&mut self, now: Nanos) {
        for order in std::mem::take(&mut self.calls.held) {
            self.order(now, order);
        }
    }

    /// [`Order::Call`].
    pub(super) fn call(&mut self, now: Nanos, call: CallId, request: Call) {
        let may_ping = request.method == "ping" && self.stage == Stage::Greeting;
        if !may_ping && !self.is_ready(now, call, || Order::Call(call, request.clone())) {
            return;
        }
        let mut post = Post::of(&request, &request.method, request.params.clone());
        post.id.clone_from(&request.id);
        if let Some(ttl) = request.task {
            let task = ttl.map_or_else(|| "{}".to_owned(), |ttl| format!(r#"{{"ttl":{ttl}}}"#));
            post.params = Some(with_member(post.params.as_deref(), "task", task));
        }
        self.calls.begin(now, call, request);
        self.post(now, Purpose::Call(call), post);
    }

    /// [`Order::Again`].
    pub(super) fn again(&mut self, now: Nanos, call: CallId, message: Vec<u8>) {
        let (written, method, token, params) = match read(&message) {
            Frame::Message(found) if found.kind == MessageKind::Request => {
                let written = found.json.get("id").map(|id| id.raw().to_vec()).unwrap_or_default();
                let token = found.params.and_then(|params| token_of(params.raw()));
                let params = found.params.map(|params| params.raw().to_vec());
                (written, found.method.unwrap_or_default().into_owned(), token, params)
            }
            _ => {
                let why =
                    "it was not sent: only one JSON-RPC request can be sent again as a call; send other bytes raw";
                return self.ended(now, call, Outcome::Refused(why.to_owned()));
            }
        };
        if !self.is_ready(now, call, || Order::Again(call, message.clone())) {
            return;
        }
        // Two answers with one id cannot be told apart.
        let twin = self.flights.iter().find(|flight| flight.written == written);
        if let Some((id, waits)) = twin.map(|twin| (twin.id.clone(), twin.method.clone())) {
            let why = format!(
                "it was not sent: {waits} with the same id {id} waits for its answer; wait for that, or send it with a \
                 new id"
            );
            return self.ended(now, call, Outcome::Refused(why));
        }
        self.calls.begin(now, call, Call { method: method.clone(), params, bare: true, ..Call::default() });
        let clocks = self.clocks(call);
        let launch = Launch { written, method, token, message, fields: Vec::new(), clocks };
        self.launch(now, Purpose::Call(call), launch);
    }

    /// [`Order::Anew`]. What is no object is refused as it would be with its own id.
    pub(super) fn anew(&mut self, now: Nanos, call: CallId, message: Vec<u8>) {
        let id = self.next_id();
        let message = renumbered(&message, &id).unwrap_or(message);
        self.again(now, call, message);
    }

    /// The request of a call came back. What is no end of the call is for rounds and tasks.
    pub(super) fn call_landed(&mut self, now: Nanos, call: CallId, method: &str, landing: Landing<'_>) {
        if self.repairs(now, call, &landing) {
            return;
        }
        if let Landing::Result(result) = landing
            && (self.needs_input(now, call, method, result) || self.became_task(now, call, method, result))
        {
            return;
        }
        if let (Landing::Result(_), Some(called)) = (&landing, self.calls.all.get(&call)) {
            self.listens.subscribed.answered(call, method, called.request.params.as_deref());
        }
        self.ended(now, call, landing.outcome());
    }

    /// [`Order::Cancel`].
    pub(super) fn cancel(&mut self, now: Nanos, call: CallId, reason: &str) {
        if self.drop_held(call) {
            return self.ended(now, call, Outcome::Cancelled);
        }
        if self.calls.get(call).is_none() || self.cancel_task(now, call, reason) {
            return;
        }
        while let Some(flight) = self.flights.take_of(call) {
            self.cancel_flight(&flight, reason);
            self.past.note(flight.id, flight.purpose, Over::Cancelled);
        }
        self.ended(now, call, Outcome::Cancelled);
    }

    /// [`Order::Forget`].
    pub(super) fn forget(&mut self, now: Nanos, call: CallId) {
        if self.drop_held(call) || self.calls.get(call).is_some() {
            self.drop_flights(call);
            self.ended(now, call, Outcome::Refused("nobody waits for it any more; the server was not told".into()));
        }
    }

    /// The time of a request is up: the server is told, and what it was for goes on without it.
    pub(super) fn give_up(&mut self, now: Nanos, flight: Flight) {
        let lateness = flight.lateness(now);
        self.cancel_flight(&flight, &lateness);
        self.past.note(flight.id.clone(), flight.purpose, Over::TimedOut);
        self.landed(now, flight, Landing::TimedOut(lateness));
    }

    /// A call is over. Requests of its that are still on the wire are forgotten.
    pub(super) fn ended(&mut self, now: Nanos, call: CallId, outcome: Outcome) {
        self.drop_flights(call);
        let began = self.calls.all.remove(&call).map_or(now, |called| called.began);
        self.lists.forget(call);
        self.rounds.forget(call);
        self.tasks.forget(call);
        self.listens.forget(call);
        for question in self.questions.take_of(call) {
            self.tell(Told::Settled(question, "its call is over".to_owned()));
        }
        self.questions_changed(now);
        self.tell(Told::Ended { call, outcome, took: now.saturating_sub(began) });
    }

    /// The connection is gone, and with it all calls.
    pub(super) fn end_calls(&mut self, now: Nanos, why: &str) {
        for order in std::mem::take(&mut self.calls.held) {
            if let Some(call) = order.call() {
                self.ended(now, call, Outcome::Refused(format!("it was not sent: {why}")));
            }
        }
        while let Some(call) = self.calls.all.keys().next().copied() {
            self.ended(now, call, Outcome::Lost(why.to_owned()));
        }
    }

    /// [`Order::Break`].
    pub(super) fn break_stream(&mut self, call: Option<CallId>) {
        let id = match call {
            None => None,
            Some(call) => match self.flights.iter().find(|flight| flight.purpose.call() == Some(call)) {
                Some(flight) => Some(flight.id.clone()),
                None => return,
            },
        };
        self.out.push_back(Do::Break(id));
    }

    fn drop_flights(&mut self, call: CallId) {
        while let Some(flight) = self.flights.take_of(call) {
            self.past.note(flight.id, flight.purpose, Over::Forgotten);
        }
    }

    fn drop_held(&mut self, call: CallId) -> bool {
        let before = self.calls.held.len();
        self.calls.held.retain(|order| order.call() != Some(call));
        self.calls.held.len() < before
    }
}
