//! When what came loose is said again: so long after the call that it came after is asked again.

use super::session::{By, LooseWhat, Session};
use crate::model::{Era, Nanos};
use crate::peer::server::{Asked, ClientId, Order, Pace};

/// So much waits at most; more is left out, since clients that ask without end would make it grow.
const MOST: usize = 10_000;

/// What is still to be said.
#[derive(Debug, Default)]
pub(super) struct Timers {
    /// So long after the next look at the clock.
    begun: Vec<(Nanos, Order)>,
    /// At this time; the next one last.
    waiting: Vec<(Nanos, Order)>,
    /// Whether what came before every call was begun.
    started: bool,
    /// How the times are taken.
    pub(super) pace: Pace,
}

impl Timers {
    /// This call of a session is asked, by this client.
    pub(super) fn call(&mut self, session: &Session, call: usize, asked: &Asked<'_>) {
        let start = !std::mem::replace(&mut self.started, true);
        // They stand in the order of their calls, those of the start first.
        let until = |place: usize| session.loose.partition_point(|loose| before(loose.by, place));
        let of_start = if start { 0..until(0) } else { 0..0 };
        for loose in session.loose[of_start].iter().chain(&session.loose[until(call)..until(call + 1)]) {
            if let Some(order) = order(&loose.what, asked)
                && self.begun.len() + self.waiting.len() < MOST
            {
                self.begun.push((self.pace.of(loose.after), order));
            }
        }
    }

    /// What is due.
    pub(super) fn due(&mut self, now: Nanos) -> Option<Order> {
        if !self.begun.is_empty() {
            self.waiting.extend(self.begun.drain(..).map(|(after, order)| (now.saturating_add(after), order)));
            self.waiting.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        }
        self.waiting.pop_if(|(at, _)| *at <= now).map(|(_, order)| order)
    }

    /// When the next is due.
    pub(super) fn next(&self) -> Option<Nanos> {
        self.waiting.last().map(|(at, _)| *at)
    }
}

/// Whether something comes before this call is asked.
const fn before(by: By, call: usize) -> bool {
    match by {
        By::Start => true,
        By::Call(place) => place < call,
    }
}

/// In 2026-07-28 nothing is said that no subscription asked for, and nothing is asked outside of a call.
fn order(what: &LooseWhat, asked: &Asked<'_>) -> Option<Order> {
    let client: Option<ClientId> = (asked.era == Era::Legacy).then_some(asked.client);
    match what {
        LooseWhat::Changed(kind) => Some(Order::Changed(*kind)),
        LooseWhat::Updated(uri) => Some(Order::Updated(uri.clone())),
        LooseWhat::Notify(method, params) => client.map(|to| Order::Notify(Some(to), method.clone(), params.clone())),
        LooseWhat::Ask(method, params) => client.map(|to| Order::Ask(Some(to), method.clone(), params.clone())),
    }
}
