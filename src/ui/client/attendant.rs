//! What is done by itself for calls that are saved ones: their saved answers are given while they run, and their picks
//! are taken when they end.

use std::sync::Arc;

use super::Bench;
use super::call::Sort;
use crate::engine::project::{answer, saved_answer};
use crate::engine::view::ConnectionId;
use crate::model::Nanos;
use crate::peer::client::{CallId, Order};
use crate::project::{Named, answers, get, judge};

impl Bench {
    /// The saved answers of a saved call with the values of variables as they are now; none where a person is to be
    /// asked. The error says what is not there.
    pub fn answers_of(&self, name: &str) -> Result<Named<String>, String> {
        let Some(project) = self.project.as_ref().filter(|_| !self.asks) else { return Ok(Vec::new()) };
        let Some(call) = get(&project.calls, name) else { return Ok(Vec::new()) };
        answers(project, call, &|variable| self.variables.value(project, variable))
    }

    /// Sees to a connection after something was told of it.
    pub(super) fn attend(&mut self, id: ConnectionId, ended: Option<CallId>, now: Nanos) {
        self.give(id, now);
        if let Some(call) = ended {
            self.take_picks(id, call, now);
            self.behave_again(id, call);
        }
    }

    /// Answers what saved answers are for.
    fn give(&mut self, id: ConnectionId, now: Nanos) {
        let Some(connection) = self.get_mut(id) else { return };
        let mut given = Vec::new();
        for asked in connection.questions.clone() {
            let mut running = connection.calls.iter().filter(|call| call.is_running());
            // Where the server does not say in whose course it asks, it is that of the only call that runs.
            let call = match (asked.question.call, running.next(), running.next()) {
                (Some(call), ..) => call,
                (None, Some(only), None) => only.id,
                _ => continue,
            };
            let Some(record) = connection.call_mut(call) else { continue };
            if let Some(answer) = saved_answer(&asked.question, &record.saved.answers, &mut record.given) {
                given.push((asked.question.id, answer));
            }
        }
        for (question, answer) in given {
            self.order(id, Order::Answer(question, answer));
            if let Some(connection) = self.get_mut(id) {
                connection.settled(question, "given the saved answer", now);
            }
        }
    }

    /// Gives variables the values that the saved call picks.
    fn take_picks(&mut self, id: ConnectionId, call: CallId, now: Nanos) {
        let Some(project) = self.project.clone() else { return };
        let Some(record) = self.get_mut(id).and_then(|it| it.call_mut(call)) else { return };
        let Some(name) = record.saved.name.clone() else { return };
        let Some(saved) = get(&project.calls, &name).filter(|saved| !saved.picks.is_empty()) else { return };
        let Some(outcome) = &record.outcome else { return };
        let (why, picked) = judge(saved, answer(outcome));
        if let Some(why) = why {
            record.note(now, Sort::Odd, "pick", why);
        }
        for (variable, value) in picked {
            self.variables.pick(&variable, value, &name);
        }
    }

    /// The connection behaves as it is set once no call with saved answers runs any more.
    fn behave_again(&mut self, id: ConnectionId, call: CallId) {
        let Some(connection) = self.get(id) else { return };
        let has_answers = |it: &&super::CallRecord| !it.saved.answers.is_empty();
        let was_one = connection.call(call).as_ref().is_some_and(has_answers);
        if was_one && !connection.calls.iter().filter(has_answers).any(super::CallRecord::is_running) {
            let settings = Arc::clone(&connection.settings);
            self.order(id, Order::Change(settings));
        }
    }
}
