//! Streams of `subscriptions/listen` (2026-07-28).

use super::flight::{Landing, Purpose};
use super::machine::Client;
use super::send::Post;
use super::{Call, CallId, Order};
use crate::model::{Id, Nanos};
use crate::wire::Message;

/// What is known of streams.
#[derive(Debug, Default)]
pub(super) struct Listens;

impl Listens {
    /// When the next stream is to be opened again.
    pub(super) const fn wakes_at(&self) -> Option<Nanos> {
        None
    }

    /// A call is over.
    pub(super) const fn forget(&mut self, _call: CallId) {}
}

impl Client {
    /// [`Order::Listen`].
    pub(super) fn listen(&mut self, now: Nanos, call: CallId, filter: String) {
        if !self.is_ready(now, call, || Order::Listen(call, filter.clone())) {
            return;
        }
        let method = "subscriptions/listen";
        self.calls.begin(now, call, Call { method: method.to_owned(), ..Call::default() });
        self.post(now, Purpose::Listen(call), Post::new(method, Some(format!(r#"{{"notifications":{filter}}}"#))));
    }

    /// The stream ended with an answer, or broke.
    pub(super) fn listen_landed(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        self.ended(now, call, landing.outcome());
    }

    /// A notification that names a subscription; the call that listens.
    pub(super) fn listen_notified(
        &mut self,
        _now: Nanos,
        id: &Id,
        _method: &str,
        _message: &Message<'_>,
    ) -> Option<CallId> {
        self.flights.iter().find(|flight| flight.id == *id)?.purpose.call()
    }

    /// The server ends the stream with this id by `notifications/cancelled`; the call that listened.
    pub(super) fn listen_cancelled(&mut self, _now: Nanos, id: &Id) -> Option<CallId> {
        self.flights.iter().find(|flight| flight.id == *id)?.purpose.call()
    }

    /// Time has passed.
    pub(super) const fn listens_passed(&mut self, _now: Nanos) {}
}
