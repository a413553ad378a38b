//! What a task of the extension asks (`inputRequests`), and how it is answered (`tasks/update`).

use super::flight::{Landing, Purpose};
use super::input::{asks, responses};
use super::machine::Client;
use super::questions::Asker;
use super::task::Shape;
use super::{Answer, CallId, Told};
use crate::model::Nanos;
use crate::wire::Json;

impl Client {
    /// Asks what a task of the extension wants to know, each key once.
    pub(super) fn ask_for_task(&mut self, now: Nanos, call: CallId, json: Json<'_>) {
        for ask in asks(json.get("inputRequests")) {
            let Some(task) = self.tasks.all.get_mut(&call) else { return };
            task.gathering = true;
            if task.is_new(&ask.key) {
                task.open.push((ask.key.clone(), ask.written));
                let round = task.round;
                self.ask(now, Asker::Task(call, ask.key), (&ask.method, ask.params, Some(call), round));
            }
        }
        if let Some(task) = self.tasks.all.get_mut(&call) {
            task.gathering = false;
        }
        self.send_answers(now, call);
    }

    /// Questions that the server does not ask any more need no answer.
    pub(super) fn settle_answered_elsewhere(&mut self, now: Nanos, call: CallId, json: Json<'_>) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        if task.shape == Shape::Core || task.open.is_empty() {
            return;
        }
        let asked = asks(json.get("inputRequests"));
        let (open, gone) = task.open.drain(..).partition(|(key, _)| asked.iter().any(|ask| ask.key == *key));
        task.open = open;
        task.take_back(&gone);
        let still: Vec<String> = task.open.iter().map(|(key, _)| key.clone()).collect();
        let gone = |asker: &Asker| matches!(asker, Asker::Task(of, key) if *of == call && !still.contains(key));
        for question in self.questions.take_where(gone) {
            self.tell(Told::Settled(question, "the task does not ask it any more".to_owned()));
        }
        self.questions_changed(now);
    }

    /// A question of a task was answered.
    pub(super) fn task_answered(&mut self, now: Nanos, call: CallId, key: &str, answer: Answer) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        let Some(at) = task.open.iter().position(|(open, _)| open == key) else { return };
        let (_, written) = task.open.remove(at);
        match answer {
            Answer::Result(result) => task.answers.push((written, result)),
            Answer::Silence => {}
            // There is no error to answer with, so what is refused is the task.
            Answer::Error(_) => {
                self.cancel_task(now, call, "");
                return;
            }
        }
        self.send_answers(now, call);
    }

    /// Sends the answers that have gathered (TE-013).
    fn send_answers(&mut self, now: Nanos, call: CallId) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        if task.gathering || task.answers.is_empty() {
            return;
        }
        let answers = std::mem::take(&mut task.answers);
        task.sent.extend(answers.iter().filter_map(|(key, _)| Json::parse(key).ok()?.text().map(Into::into)));
        let mut params = task.params();
        params.pop();
        params.extend_from_slice(b",\"inputResponses\":");
        params.extend(responses(answers.iter().map(|(key, answer)| (&**key, answer.as_slice()))));
        params.push(b'}');
        self.post_for_task(now, Purpose::TaskUpdate(call), "tasks/update", params);
    }

    /// `tasks/update` came back. When it failed, its questions are asked again.
    pub(super) fn task_updated(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        if matches!(landing, Landing::Result(_)) {
            task.sent.clear();
            return;
        }
        task.ask_again();
        self.task_refused(now, call, landing);
    }
}
