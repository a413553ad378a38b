//! Calls that become tasks: those of 2025-11-25 and those of the extension of 2026-07-28.

use super::fault::{Fault, METHOD};
use super::machine::Server;
use super::running::Go;
use super::{Ended, RequestNo, Task, Text, Told};
use crate::model::Nanos;

impl Server {
    /// From here on the request is a task: it is answered with that, and `task` of the flight is set.
    pub(super) fn begin_task(&mut self, _now: Nanos, no: RequestNo, _task: &Task) -> Go {
        self.tell(Told::Note(Some(no), "the call did not become a task".to_owned()));
        Go::On
    }

    /// The status message of the task that the request has become.
    pub(super) fn task_status(&mut self, _now: Nanos, _no: RequestNo, _message: &Text) {}

    /// What the task of the request ends with: a result or an error.
    pub(super) fn task_ended(&mut self, _now: Nanos, _no: RequestNo, _how: &Ended) {}

    /// The protocol's own answer to `tasks/…`.
    pub(super) fn own_task(&mut self, now: Nanos, no: RequestNo) {
        self.refuse(now, no, &Fault::new(METHOD, "there are no tasks here"));
    }
}
