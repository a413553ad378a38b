//! Rounds of MRTR (2026-07-28): a result that asks for input, and the request that brings it.

use super::flight::Landing;
use super::machine::Client;
use super::{Answer, CallId};
use crate::model::Nanos;
use crate::wire::Json;

/// What is known of rounds.
#[derive(Debug, Default)]
pub(super) struct Rounds;

impl Rounds {
    /// When the next round is to be sent.
    pub(super) const fn wakes_at(&self) -> Option<Nanos> {
        None
    }

    /// A call is over.
    pub(super) const fn forget(&mut self, _call: CallId) {}
}

impl Client {
    /// Whether a result asks for input, so that the call goes on.
    pub(super) const fn needs_input(&mut self, _now: Nanos, _call: CallId, _method: &str, _result: Json<'_>) -> bool {
        false
    }

    /// A further round came back.
    pub(super) fn round_landed(&mut self, now: Nanos, call: CallId, method: &str, landing: Landing<'_>) {
        self.call_landed(now, call, method, landing);
    }

    /// A question of a round was answered.
    pub(super) fn round_answered(&mut self, _now: Nanos, _call: CallId, _key: &str, _answer: Answer) {}

    /// [`super::Order::Step`].
    pub(super) fn step(&mut self, _now: Nanos, _call: CallId, _params: Option<Vec<u8>>) {}

    /// Time has passed.
    pub(super) const fn rounds_passed(&mut self, _now: Nanos) {}
}
