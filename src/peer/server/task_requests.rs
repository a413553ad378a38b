//! What clients ask about tasks: `tasks/get`, `tasks/list`, `tasks/result` and `tasks/cancel` of 2025-11-25, and
//! `tasks/get`, `tasks/update` and `tasks/cancel` of the extension of 2026-07-28; and to whom their changes are told.

use super::fault::{Fault, INTERNAL, METHOD, PARAMS};
use super::flight::Wait;
use super::machine::Server;
use super::sending::{Body, request};
use super::task::{Outcome, Record, Status};
use super::tasks::extension;
use super::{Bytes, Ended, Kind, RequestNo, Told, asks};
use crate::mcp::Known;
use crate::mcp::meta::{RELATED_TASK, SUBSCRIPTION_ID};
use crate::model::{Era, Nanos};
use crate::peer::edit::with_meta;
use crate::wire::{Json, JsonKind, quote};

impl Server {
    /// The protocol's own answer to `tasks/…`.
    pub(super) fn own_task(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get(no) else { return };
        let (era, method) = (flight.era, flight.method.clone());
        if era == Era::Modern {
            if !self.declares(Era::Modern, &extension()) {
                let why = format!("this server does not declare {}, which {method} needs", extension());
                return self.refuse(now, no, &Fault::new(METHOD, why));
            }
            if flight.can().has(&extension()) != Known::Yes {
                self.lacks_tasks(now, no);
                return;
            }
        }
        if method == "tasks/list" {
            let tasks = self.kept.of(flight.client);
            return self.give_list(now, no, Kind::Tasks, &tasks);
        }
        let id = flight.param("taskId").and_then(|id| id.text()).map(String::from).unwrap_or_default();
        let Some(task) = self.kept.get(&id) else {
            let why = format!("no task {} is known here (TD-010, TE-008)", quote(&id));
            return self.refuse(now, no, &Fault::new(PARAMS, why));
        };
        match (era, method.as_str()) {
            (Era::Legacy, "tasks/get") => self.fulfil(now, no, task.legacy().into()),
            (Era::Modern, "tasks/get") => self.fulfil(now, no, detail(task)),
            (_, "tasks/cancel") => self.cancel_task(now, no, &id),
            (Era::Legacy, "tasks/result") => self.result_of_task(now, no, &id),
            (Era::Modern, "tasks/update") => self.update_task(now, no, &id),
            _ => self.refuse(now, no, &Fault::new(METHOD, format!("there is no request {method}"))),
        }
    }

    /// TD-009; in the extension it is acknowledged also when the task is over (TE-007).
    fn cancel_task(&mut self, now: Nanos, no: RequestNo, id: &str) {
        let Some((era, task)) = self.flights.get(no).map(|flight| flight.era).zip(self.kept.get(id)) else { return };
        let (over, call) = (task.status.is_terminal(), task.request);
        if over && era == Era::Legacy {
            let why = "the task is over, and cannot be cancelled (TD-009)";
            return self.refuse(now, no, &Fault::new(PARAMS, why));
        }
        if !over {
            self.change_task(now, id, |task| (task.status, task.asks) = (Status::Cancelled, None));
        }
        let answer = match (era, self.kept.get(id)) {
            (Era::Legacy, Some(task)) => task.legacy(),
            _ => "{}".to_owned(),
        };
        self.fulfil(now, no, answer.into());
        if !over {
            self.cancel(now, call);
            self.give_results(now, id);
        }
    }

    /// TD-008: waits until the task is over. What it asks meanwhile goes on this way.
    fn result_of_task(&mut self, now: Nanos, no: RequestNo, id: &str) {
        if let Some(flight) = self.flights.get_mut(no) {
            flight.wait = Wait::Client;
        }
        if self.kept.get(id).is_some_and(|task| task.status.is_terminal()) {
            return self.give_results(now, id);
        }
        self.tell(Told::Step(no, format!("waits for the task {id}")));
        self.task_asks(now, id);
    }

    /// Answers those who wait for what came of a task (TD-006, TD-008).
    pub(super) fn give_results(&mut self, now: Nanos, id: &str) {
        for no in self.waiting_for(id) {
            match self.kept.get(id).and_then(|task| task.outcome.clone()) {
                Some(Outcome::Result(result)) => {
                    let related = with_meta(&result, RELATED_TASK, related(id).as_bytes());
                    self.respond(no, Body::Result(related.unwrap_or_else(|| result.to_vec())), None, 200);
                    self.finish(now, no, Ended::Otherwise("answered".to_owned()));
                }
                Some(Outcome::Error(error)) => {
                    self.respond(no, Body::Error(error.to_vec()), None, 200);
                    self.finish(now, no, Ended::Otherwise("answered".to_owned()));
                }
                None => self.refuse(now, no, &Fault::new(INTERNAL, "the task was cancelled")),
            }
        }
    }

    /// What a task of 2025-11-25 asks: its state says so, and the requests go to who waits for its result. Asked on a way
    /// that is not there any more, they are asked anew.
    pub(super) fn task_asks(&mut self, now: Nanos, id: &str) {
        let Some(call) = self.kept.get(id).map(|task| task.request) else { return };
        let open = self.questions.take_of(call);
        if open.is_empty() {
            return;
        }
        if self.kept.get(id).is_some_and(|task| task.status == Status::Working) {
            self.change_task(now, id, |task| task.status = Status::InputRequired);
        }
        let way = self.waiting_for(id).pop().and_then(|no| self.flights.get(no));
        let way = way.map(|flight| (flight.client, flight.via));
        let until = way.map(|_| now.saturating_add(self.patience()));
        for (_, mut question) in open {
            let (client, via) = way.unwrap_or((question.client, 0));
            (question.client, question.via, question.until) = (client, via, until);
            let (method, params) = (question.method.clone(), question.params.clone());
            let number = self.questions.add(question);
            if until.is_some() {
                self.send(client, via, request(number, &method, params.as_deref()), 200);
            }
        }
    }

    /// `tasks/update`: answers to what a task asks, perhaps not all (TE-007, TE-013, TE-014).
    fn update_task(&mut self, now: Nanos, no: RequestNo, id: &str) {
        let Some(flight) = self.flights.get(no) else { return };
        let given = flight.param("inputResponses").filter(|given| given.kind() == JsonKind::Object);
        let Some(given) = given else {
            return self.refuse(now, no, &Fault::new(PARAMS, "params.inputResponses must be an object"));
        };
        let given: Vec<(String, Bytes)> = given
            .members()
            .map(|(key, value)| (key.text().unwrap_or_default().into_owned(), Bytes::from(value.raw())))
            .collect();
        let Some(task) = self.kept.get(id) else { return };
        let call = task.request;
        let (taken, passed) = sort_out(task.asks.as_deref(), given);
        if let Some((key, fault)) = taken.iter().find_map(|(key, method, answer)| Some((key, fault(method, answer)?))) {
            let why = format!("inputResponses[{}] does not answer what was asked: {fault}", quote(key));
            return self.refuse(now, no, &Fault::new(PARAMS, why));
        }
        for key in passed {
            self.note(no, format!("{} was passed over: the task does not ask for it (TE-013)", quote(&key)));
        }
        self.fulfil(now, no, b"{}".to_vec());
        let any = !taken.is_empty();
        for (key, _, answer) in taken {
            self.tell(Told::Heard { request: call, key: key.clone(), ok: true, answer: answer.clone() });
            if let Some(flight) = self.flights.get_mut(call) {
                flight.answers.push((key, answer));
            }
        }
        if any {
            self.advance(now, call);
        }
    }

    /// Tells of a task's state: its client in the legacy era (TD-007), who listens to it in 2026-07-28 (TE-017).
    pub(super) fn task_told(&mut self, id: &str) {
        let Some(task) = self.kept.get(id) else { return };
        let (params, client) = (format!("{{{}}}", task.modern_detail()).into_bytes(), task.client);
        if task.era == Era::Legacy {
            let params = task.legacy();
            if self.clients.get(client).is_some() {
                self.notify(client, 0, "notifications/tasks/status", Some(params.as_bytes()));
            }
        }
        for (client, via, written) in self.listeners(|filter| filter.wants_task(id)) {
            let params = with_meta(&params, SUBSCRIPTION_ID, &written);
            self.notify(client, via, "notifications/tasks", params.as_deref());
        }
    }
}

/// The result of `tasks/get` in 2026-07-28 (TE-002).
fn detail(task: &Record) -> Vec<u8> {
    format!("{{\"resultType\":\"complete\",{}}}", task.modern_detail()).into()
}

/// The value of [`RELATED_TASK`].
pub(super) fn related(id: &str) -> String {
    format!("{{\"taskId\":{}}}", quote(id))
}

/// The answers to what is asked, with the methods of that; and the keys of the others.
fn sort_out(asked: Option<&str>, given: Vec<(String, Bytes)>) -> (Vec<(String, String, Bytes)>, Vec<String>) {
    let asked = asked.and_then(|asked| Json::parse(asked.as_bytes()).ok());
    let (mut taken, mut passed) = (Vec::new(), Vec::new());
    for (key, answer) in given {
        let method = asked.and_then(|asked| asked.get(&key)?.get("method")?.text());
        match method {
            Some(method) => taken.push((key, method.into_owned(), answer)),
            None => passed.push(key),
        }
    }
    (taken, passed)
}

fn fault(method: &str, answer: &Bytes) -> Option<String> {
    Json::parse(answer).map_or_else(|_| Some("it is no JSON".to_owned()), |answer| asks::fault(method, answer))
}
