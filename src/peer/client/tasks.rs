//! Tasks: those of 2025-11-25 and those of the extension.

use super::flight::Landing;
use super::machine::Client;
use super::{Answer, CallId};
use crate::model::Nanos;
use crate::wire::Json;

/// What is known of tasks.
#[derive(Debug, Default)]
pub(super) struct Tasks;

impl Tasks {
    /// When the next task is to be asked for.
    pub(super) const fn wakes_at(&self) -> Option<Nanos> {
        None
    }

    /// A call is over.
    pub(super) const fn forget(&mut self, _call: CallId) {}

    /// The call whose task this is.
    pub(super) const fn call_of(&self, _task: &str) -> Option<CallId> {
        None
    }
}

impl Client {
    /// Whether a result is a task, so that the call goes on.
    pub(super) const fn became_task(&mut self, _now: Nanos, _call: CallId, _method: &str, _result: Json<'_>) -> bool {
        false
    }

    /// Whether a call is a task, which is then cancelled as such.
    pub(super) const fn cancel_task(&mut self, _now: Nanos, _call: CallId, _reason: &str) -> bool {
        false
    }

    /// [`super::Order::Poll`].
    pub(super) const fn poll(&mut self, _now: Nanos, _call: CallId) {}

    /// `tasks/get` came back.
    pub(super) fn polled(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        self.ended(now, call, landing.outcome());
    }

    /// `tasks/result` came back.
    pub(super) fn task_result_landed(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        self.ended(now, call, landing.outcome());
    }

    /// `tasks/update` came back.
    pub(super) fn task_updated(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        self.ended(now, call, landing.outcome());
    }

    /// `tasks/cancel` came back.
    pub(super) fn task_cancelled(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        self.ended(now, call, landing.outcome());
    }

    /// A question of a task was answered.
    pub(super) fn task_answered(&mut self, _now: Nanos, _call: CallId, _key: &str, _answer: Answer) {}

    /// A notification with the state of a task; the call that it belongs to.
    pub(super) const fn task_notified(&mut self, _now: Nanos, _params: Option<Json<'_>>) -> Option<CallId> {
        None
    }

    /// Time has passed.
    pub(super) const fn tasks_passed(&mut self, _now: Nanos) {}
}
