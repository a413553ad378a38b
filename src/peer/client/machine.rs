//! The machine: what it holds, and its doors. Each kind of thing that it does is in a file of its own.

use std::collections::VecDeque;
use std::sync::Arc;

use super::calls::Calls;
use super::flight::{Flight, Flights, Landing, Purpose};
use super::ids::Counter;
use super::listen::Listens;
use super::lists::Lists;
use super::opening::{Opening, Stage};
use super::past::Past;
use super::questions::Questions;
use super::rounds::Rounds;
use super::tasks::Tasks;
use super::{Bytes, Do, Link, Order, Peer, Refused, Settings, State, Told};
use crate::model::{Era, Id, Nanos, Revision};

/// A client of one server, without I/O and without a clock. Orders and frames go in; [`Client::next`] gives what is
/// to be done.
#[derive(Debug)]
pub struct Client {
    pub(super) settings: Arc<Settings>,
    pub(super) link: Link,
    pub(super) out: VecDeque<Do>,
    pub(super) stage: Stage,
    pub(super) opening: Opening,
    /// Who is at the other end, once that is known.
    pub(super) peer: Option<Arc<Peer>>,
    pub(super) ids: Counter,
    pub(super) flights: Flights,
    /// Messages that were sent so far.
    pub(super) sent: u64,
    /// The place of the message that what is being heard answers, where the link says so.
    pub(super) place: Option<u64>,
    pub(super) calls: Calls,
    pub(super) past: Past,
    pub(super) questions: Questions,
    pub(super) lists: Lists,
    pub(super) rounds: Rounds,
    pub(super) tasks: Tasks,
    pub(super) listens: Listens,
}

impl Client {
    /// A client that waits for its link.
    pub fn new(settings: Settings, link: Link) -> Self {
        let ids = Counter::new(settings.ids.clone());
        Self {
            settings: Arc::new(settings),
            link,
            out: VecDeque::new(),
            stage: Stage::default(),
            opening: Opening::default(),
            peer: None,
            ids,
            flights: Flights::default(),
            sent: 0,
            place: None,
            calls: Calls::default(),
            past: Past::default(),
            questions: Questions::default(),
            lists: Lists::default(),
            rounds: Rounds::default(),
            tasks: Tasks::default(),
            listens: Listens::default(),
        }
    }

    /// The link stands, at first or again after [`Do::Restart`].
    pub fn opened(&mut self, now: Nanos) {
        self.open(now);
    }

    /// Something is asked for. What needs an open connection waits for it.
    pub fn order(&mut self, now: Nanos, order: Order) {
        match order {
            Order::Call(call, request) => self.call(now, call, request),
            Order::Again(call, message) => self.again(now, call, message),
            Order::Anew(call, message) => self.anew(now, call, message),
            Order::List(call, kind) => self.list(now, call, kind),
            Order::Page(call, kind, cursor) => self.page(now, call, kind, cursor),
            Order::Cancel(call, reason) => self.cancel(now, call, &reason),
            Order::Forget(call) => self.forget(now, call),
            Order::Answer(question, answer) => self.answer(now, question, answer),
            Order::Step(call, params) => self.step(now, call, params),
            Order::Poll(call) => self.poll(now, call),
            Order::Listen(call, filter) => self.listen(now, call, filter),
            Order::Notify(method, params) => self.notify_by_order(&method, params),
            Order::Raw(bytes, fields) => self.raw(bytes, fields),
            Order::Break(call) => self.break_stream(call),
            Order::Change(settings) => self.change(now, settings),
            Order::Close => self.end(now, "it was closed from here", false),
        }
    }

    /// The server sent a frame: a line, the data of an event, a body.
    pub fn heard(&mut self, now: Nanos, frame: &[u8]) {
        self.read(now, frame);
        // However much the server says, what is late is late.
        if self.wakes_at().is_some_and(|at| at <= now) {
            self.passed(now);
        }
    }

    /// The same where the link may know which message is answered: its place among all that were sent, counted from 1.
    /// Two requests may have the same id.
    pub fn heard_at(&mut self, now: Nanos, frame: &[u8], place: Option<u64>) {
        self.place = place;
        self.heard(now, frame);
        self.place = None;
    }

    /// The link could not carry the requests with these ids, or what it brought is no answer to them. Without ids it
    /// was a notification, an answer, or raw bytes.
    pub fn refused(&mut self, now: Nanos, ids: &[Id], refused: Refused) {
        self.refused_at(now, ids, refused, None);
    }

    /// The same where the link may know which message it was, as for [`Client::heard_at`].
    pub fn refused_at(&mut self, now: Nanos, ids: &[Id], refused: Refused, place: Option<u64>) {
        for id in ids {
            match self.flights.take_at(id, place) {
                Some(flight) => self.landed(now, flight, Landing::Refused(refused.clone())),
                None => self.refused_stray(&refused),
            }
        }
        if ids.is_empty() {
            self.refused_stray(&refused);
        }
    }

    /// The link is gone.
    pub fn closed(&mut self, now: Nanos, why: &str, failed: bool) {
        self.link_closed(now, why, failed);
    }

    /// Time has passed.
    pub fn passed(&mut self, now: Nanos) {
        while let Some(flight) = self.flights.take_late(now) {
            self.give_up(now, flight);
        }
        self.lists_passed(now);
        self.rounds_passed(now);
        self.tasks_passed(now);
        self.listens_passed(now);
    }

    /// When [`Client::passed`] has something to do.
    pub fn wakes_at(&self) -> Option<Nanos> {
        let own = [self.lists.wakes_at(), self.rounds.wakes_at(), self.tasks.wakes_at(), self.listens.wakes_at()];
        own.into_iter().flatten().chain(self.flights.wakes_at()).min()
    }

    /// What is to be done next.
    #[allow(clippy::should_implement_trait, reason = "when there is nothing to do now, there may be later")]
    pub fn next(&mut self) -> Option<Do> {
        self.out.pop_front()
    }

    /// A request came back, one way or another.
    pub(super) fn landed(&mut self, now: Nanos, flight: Flight, landing: Landing<'_>) {
        match flight.purpose {
            Purpose::Probe => self.probed(now, landing),
            Purpose::Initialize => self.greeted(now, landing),
            Purpose::SetLevel => self.level_set(landing),
            Purpose::Call(call) => self.call_landed(now, call, &flight.method, landing),
            Purpose::Refresh(call) => self.refreshed(now, call, &landing),
            Purpose::Page(call) => self.page_landed(now, call, landing),
            Purpose::Round(call) => self.round_landed(now, call, &flight.method, landing),
            Purpose::Poll(call) => self.polled(now, call, landing),
            Purpose::TaskResult(call) => self.task_result_landed(now, call, landing),
            Purpose::TaskUpdate(call) => self.task_updated(now, call, landing),
            Purpose::TaskCancel(call) => self.task_cancelled(now, call, landing),
            Purpose::Listen(call) => self.listen_landed(now, call, landing),
        }
    }

    pub(super) fn tell(&mut self, told: Told) {
        self.out.push_back(Do::Tell(told));
    }

    /// Tells of something that fits nowhere.
    pub(super) fn stray(&mut self, bytes: &[u8], why: impl Into<String>) {
        self.tell(Told::Stray { bytes: bytes.into(), why: why.into() });
    }

    fn refused_stray(&mut self, refused: &Refused) {
        let Refused { status, why, body, .. } = refused;
        let status = status.map(|status| format!("HTTP {status}: ")).unwrap_or_default();
        self.tell(Told::Stray { bytes: Bytes::clone(body), why: format!("{status}{why}") });
    }

    /// The era in which the server is spoken to, as far as that is known.
    pub(super) fn era(&self) -> Era {
        self.revision().era()
    }

    /// The revision in which the server is spoken to, as far as that is known.
    pub(super) fn revision(&self) -> Revision {
        match &self.peer {
            Some(peer) => peer.revision.clone(),
            None => self.opening.asked.clone(),
        }
    }

    /// Whether closing a request's stream cancels it (2026-07-28 on HTTP).
    pub(super) fn closing_cancels(&self) -> bool {
        self.link == Link::Http && self.era() == Era::Modern
    }

    /// The session is over; what was under way is lost.
    pub(super) fn end(&mut self, now: Nanos, why: &str, failed: bool) {
        if self.stage == Stage::Closed {
            return;
        }
        self.stage = Stage::Closed;
        self.flights.take_all();
        for question in self.questions.take_all() {
            self.tell(Told::Settled(question, "the connection ended".to_owned()));
        }
        self.end_calls(now, why);
        self.tell(Told::State(State::Closed { why: why.to_owned(), failed }));
        self.out.push_back(Do::Finish);
    }
}
