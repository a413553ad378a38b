//! The machine: what it holds, and its doors. Each kind of thing that it does is in a file of its own.

use std::collections::VecDeque;
use std::sync::Arc;

use super::annotated::Annotated;
use super::client::Clients;
use super::delivery::Deliveries;
use super::flight::{Flights, Wait};
use super::kept::Kept;
use super::questions::Questions;
use super::rounds::Onward;
use super::seal::Seal;
use super::states::States;
use super::subscriptions::Listening;
use super::{Asked, ClientId, Do, Ended, Link, Order, RequestNo, Script, Settings, Ticket, Told};
use crate::model::Nanos;

/// How many orders of its script are carried out at one time; more wait for the next.
const MOST_DUE: usize = 1_000;

/// A server.
#[derive(Debug)]
pub struct Server {
    pub(super) settings: Arc<Settings>,
    pub(super) script: Box<dyn Script>,
    pub(super) seal: Seal,
    pub(super) todo: VecDeque<Do>,
    pub(super) clients: Clients,
    pub(super) flights: Flights,
    pub(super) deliveries: Deliveries,
    pub(super) annotated: Annotated,
    pub(super) questions: Questions,
    pub(super) states: States<Onward>,
    pub(super) kept: Kept,
    pub(super) listening: Listening,
}

impl Server {
    /// One that nobody has spoken to. `seed` makes what nobody is to guess (`requestState`, task ids).
    pub fn new(settings: Settings, script: Box<dyn Script>, seed: [u8; 32]) -> Self {
        Self {
            settings: Arc::new(settings),
            script,
            seal: Seal::new(seed),
            todo: VecDeque::new(),
            clients: Clients::default(),
            flights: Flights::default(),
            deliveries: Deliveries::default(),
            annotated: Annotated::default(),
            questions: Questions::default(),
            states: States::default(),
            kept: Kept::default(),
            listening: Listening::default(),
        }
    }

    /// A client has come.
    pub fn joined(&mut self, now: Nanos, client: ClientId, link: Link) {
        if self.clients.add(client, link) {
            self.tell(Told::Joined(client, link));
        } else {
            self.tell(Told::Note(None, "a client was not let in: there are too many".to_owned()));
        }
        self.after(now);
    }

    /// It says something: one line, event or body, whole. On HTTP with the header fields of the POST, names in lower
    /// case, and the ticket of it.
    pub fn heard(
        &mut self,
        now: Nanos,
        client: ClientId,
        via: Ticket,
        fields: Option<&[(String, String)]>,
        frame: &[u8],
    ) {
        // With HTTP+SSE nothing is sent on the response.
        let sse = self.clients.get(client).is_some_and(|client| client.link == Link::Sse);
        self.deliveries.hold(via);
        self.read(now, client, if sse { 0 } else { via }, fields, frame);
        self.release(via);
        self.after(now);
    }

    /// The client does not wait for the response to this delivery any more.
    pub fn gone(&mut self, now: Nanos, via: Ticket) {
        self.delivery_gone(now, via);
        self.after(now);
    }

    /// The client has gone: end of input, its session was ended; why.
    pub fn left(&mut self, now: Nanos, client: ClientId, why: &str) {
        let Some(gone) = self.clients.take(client) else { return };
        for no in gone.running {
            self.abandon(now, no);
        }
        self.unsubscribe_all(client);
        self.tell(Told::Left(client, why.to_owned()));
        self.after(now);
    }

    /// Something is to be done.
    pub fn order(&mut self, now: Nanos, order: Order) {
        self.obey(now, order);
        self.after(now);
    }

    /// The answers come from here from now on; who listens is told of lists that changed.
    pub fn replace(&mut self, now: Nanos, script: Box<dyn Script>) {
        let before = std::mem::replace(&mut self.script, script);
        self.annotated.forget();
        self.lists_changed(now, before.as_ref());
        self.after(now);
    }

    /// The script.
    pub fn script(&self) -> &dyn Script {
        self.script.as_ref()
    }

    /// How it behaves.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Time has passed.
    pub fn passed(&mut self, now: Nanos) {
        while let Some(no) = self.flights.take_due(now) {
            self.advance(now, no);
        }
        self.questions_passed(now);
        self.tasks_passed(now);
        self.after(now);
    }

    /// When it has something to do next.
    pub fn wakes_at(&self) -> Option<Nanos> {
        let own = [self.flights.wakes_at(), self.questions.wakes_at(), self.kept.wakes_at()];
        own.into_iter().flatten().chain(self.script.due_at()).min()
    }

    /// What is to be done next.
    #[allow(clippy::should_implement_trait, reason = "when there is nothing to do now, there may be later")]
    pub fn next(&mut self) -> Option<Do> {
        self.todo.pop_front()
    }

    /// What the script wants done by itself.
    fn after(&mut self, now: Nanos) {
        for _ in 0..MOST_DUE {
            let Some(order) = self.script.due(now) else { return };
            self.obey(now, order);
        }
    }

    pub(super) fn tell(&mut self, told: Told) {
        self.todo.push_back(Do::Tell(told));
    }

    /// A sentence about a request.
    pub(super) fn note(&mut self, no: RequestNo, what: impl Into<String>) {
        self.tell(Told::Note(Some(no), what.into()));
    }

    /// One less thing keeps the delivery open.
    pub(super) fn release(&mut self, via: Ticket) {
        if self.deliveries.release(via) {
            self.todo.push_back(Do::Done(via));
        }
    }

    /// The request is over: it is forgotten, and its delivery ended if it was the last.
    pub(super) fn finish(&mut self, now: Nanos, no: RequestNo, how: Ended) {
        self.end(now, no, how, true);
    }

    /// The request is over, but its delivery stays open for as long as the client likes.
    pub(super) fn hang(&mut self, now: Nanos, no: RequestNo, how: Ended) {
        self.end(now, no, how, false);
    }

    fn end(&mut self, now: Nanos, no: RequestNo, how: Ended, release: bool) {
        self.unask(no);
        self.unlisten(no);
        let Some(flight) = self.flights.take(no) else { return };
        if let Some(client) = self.clients.get_mut(flight.client) {
            client.running.retain(|running| *running != no);
        }
        if flight.missed && !flight.plan.steps.is_empty() {
            let asked: Asked<'_> = flight.asked();
            self.script.learn(&asked, &flight.plan.steps);
        }
        let how = flight.ended.unwrap_or(how);
        self.tell(Told::Ended { request: no, how, took: now.saturating_sub(flight.came) });
        if let Some(whole) = flight.batch.and_then(|batch| self.deliveries.leave(batch)) {
            self.send(flight.client, flight.via, whole, 200);
        }
        if release {
            self.release(flight.via);
        } else {
            self.deliveries.forget(flight.via);
        }
    }

    /// Its client went away.
    pub(super) fn abandon(&mut self, now: Nanos, no: RequestNo) {
        if let Some(flight) = self.flights.get_mut(no) {
            flight.wait = Wait::Ready;
            flight.missed = false;
        }
        self.finish(now, no, Ended::Cancelled);
    }
}
