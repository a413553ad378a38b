//! Requests to clients of the legacy era: those that belong to a request go on its way, with the server's own ids, and
//! are cancelled with it; others go on the way for what belongs to none.

use super::client::Stage;
use super::machine::Server;
use super::questions::Question;
use super::running::Go;
use super::sending::request;
use super::{Bytes, ClientId, RequestNo, Step, Told, asks};
use crate::mcp::Capabilities;
use crate::mcp::meta::RELATED_TASK;
use crate::model::{Era, Id, Nanos};
use crate::peer::edit::with_meta;
use crate::wire::{Json, Message, MessageKind, quote};

/// How long a client may take to answer, where the settings do not say.
const PATIENCE: Nanos = 300_000_000_000;

impl Server {
    /// How long a client may take to answer, or to come again.
    pub(super) fn patience(&self) -> Nanos {
        self.settings.patience.unwrap_or(PATIENCE)
    }

    /// The next step of a request of the legacy era asks something: one thing after another, since what is asked may name
    /// what was answered before.
    pub(super) fn ask_next(&mut self, now: Nanos, no: RequestNo) -> Go {
        let Some(flight) = self.flights.get_mut(no) else { return Go::Over };
        let step = flight.plan.steps.get(flight.at).cloned();
        flight.at += 1;
        let Some(Step::Ask { key, method, params, forced }) = step else { return Go::On };
        let params = match params.map(|text| self.fill_ask(no, &text)).transpose() {
            Ok(params) => params,
            Err(why) => return self.not_asked(no, format!("{method} was not asked: {why}")),
        };
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        let json = params.as_deref().and_then(|params| Json::parse(params).ok());
        if let Some(bar) = asks::bar(&flight.revision, &flight.can(), &method, json).filter(|_| !forced) {
            return self.not_asked(no, bar.says(&method));
        }
        if !self.questions.has_room() {
            return self.not_asked(no, format!("{method} was not asked: too much is being asked"));
        }
        let params = if forced { params } else { self.worded_for(no, &key, &method, params) };
        self.tell(Told::Step(no, format!("asked with {method}: {key}")));
        self.ask_within(now, no, key, method, params);
        Go::Held
    }

    /// What was left out counts when nothing else answers.
    pub(super) fn not_asked(&mut self, no: RequestNo, why: String) -> Go {
        if let Some(flight) = self.flights.get_mut(no) {
            flight.left_out.get_or_insert_with(|| why.clone());
        }
        self.note(no, why);
        Go::On
    }

    /// Params in the words of the request's revision.
    pub(super) fn worded_for(&self, no: RequestNo, key: &str, method: &str, params: Option<Bytes>) -> Option<Bytes> {
        let Some(flight) = self.flights.get(no) else { return params };
        let fresh = || self.elicitation_id(no, key);
        params.map(|params| asks::worded(&flight.revision, method, params.to_vec(), fresh).into())
    }

    fn ask_within(&mut self, now: Nanos, no: RequestNo, key: String, method: String, params: Option<Bytes>) {
        let Some(flight) = self.flights.get_mut(no) else { return };
        flight.wait = super::flight::Wait::Client;
        let (client, via, task) = (flight.client, flight.via, flight.task.clone());
        let within = Some((no, key));
        let Some(task) = task else {
            let until = Some(now.saturating_add(self.patience()));
            return self.put_question(Question { client, via, within, method, params, until });
        };
        // TD-006.
        let related = format!("{{\"taskId\":{}}}", quote(&task));
        let params = with_meta(params.as_deref().unwrap_or(b"{}"), RELATED_TASK, related.as_bytes()).map(Bytes::from);
        self.questions.add(Question { client, via, within, method, params, until: None });
        self.task_asks(now, &task);
    }

    /// Keeps a question and sends it.
    pub(super) fn put_question(&mut self, question: Question) {
        let (client, via) = (question.client, question.via);
        let (method, params) = (question.method.clone(), question.params.clone());
        let id = self.questions.add(question);
        self.send(client, via, request(id, &method, params.as_deref()), 200);
    }

    /// An answer came from a client; whether it was one to something that was asked.
    pub(super) fn replied(&mut self, now: Nanos, client: ClientId, message: &Message<'_>) -> bool {
        let Some(id) = message.id.as_ref().and_then(number) else { return false };
        let asked = self.questions.get(id).filter(|question| question.until.is_some());
        // Without sessions each POST is a client of its own.
        let homeless = self.clients.get(client).is_some_and(|known| known.stage == Stage::New);
        if !asked.is_some_and(|question| question.client == client || homeless) {
            return false;
        }
        let Some(question) = self.questions.take(id) else { return false };
        let ok = message.kind == MessageKind::Result;
        let Some(answer) = message.result.or(message.error) else { return false };
        if let Some(fault) = asks::fault(&question.method, answer).filter(|_| ok) {
            let no = question.within.as_ref().map(|(no, _)| *no);
            let what = format!("the answer to {} has the wrong shape: {fault} (MR-011)", question.method);
            self.tell(Told::Note(no, what));
        }
        self.take_answer(now, question, ok, answer.raw().into());
        true
    }

    fn take_answer(&mut self, now: Nanos, question: Question, ok: bool, answer: Bytes) {
        let Some((no, key)) = question.within else {
            return self.tell(Told::Replied { client: question.client, method: question.method, ok, answer });
        };
        self.tell(Told::Heard { request: no, key: key.clone(), ok, answer: answer.clone() });
        let Some(flight) = self.flights.get_mut(no) else { return };
        flight.answers.push((key, answer));
        if let Some(task) = flight.task.clone() {
            self.task_works(now, &task);
        }
        self.advance(now, no);
    }

    /// Something is asked of one client, or of all, that belongs to no request.
    pub(super) fn ask_loose(&mut self, now: Nanos, to: Option<ClientId>, method: &str, params: Option<&[u8]>) {
        let all = to.map_or_else(|| self.clients.numbers(), |client| vec![client]);
        for client in all {
            if let Err(why) = self.may_ask_loose(client, method, params) {
                // Of all of them only those are meant that can be asked.
                if to.is_some() {
                    self.tell(Told::Note(None, format!("client {client}: {why}")));
                }
                continue;
            }
            let (via, within) = (0, None);
            let until = Some(now.saturating_add(self.patience()));
            let (method, params) = (method.to_owned(), params.map(Bytes::from));
            self.put_question(Question { client, via, within, method, params, until });
        }
    }

    fn may_ask_loose(&self, client: ClientId, method: &str, params: Option<&[u8]>) -> Result<(), String> {
        let known = self.clients.get(client).ok_or("it is not there")?;
        let revision = known.revision.as_ref().filter(|revision| revision.era() == Era::Legacy);
        let Some(revision) = revision.filter(|_| known.stage == Stage::Ready) else {
            return Err(format!("{method} was not asked: requests need a client that shook hands (JR-027)"));
        };
        if !self.questions.has_room() {
            return Err(format!("{method} was not asked: too much is being asked"));
        }
        let can = known.capabilities.as_deref().and_then(|text| Json::parse(text).ok());
        let can = can.map_or(Capabilities::UNKNOWN, Capabilities::read);
        let params = params.and_then(|params| Json::parse(params).ok());
        asks::bar(revision, &can, method, params).map_or(Ok(()), |bar| Err(bar.says(method)))
    }

    /// A request is over, or its client has gone: nothing that was asked for it is waited for any more.
    pub(super) fn unask(&mut self, no: RequestNo) {
        for (id, question) in self.questions.take_of(no) {
            self.take_back(id, &question, "the request that it belongs to is over");
        }
    }

    /// Tells the client that a question needs no answer any more (CN-001).
    fn take_back(&mut self, id: u64, question: &Question, why: &str) {
        if question.until.is_some() && self.clients.get(question.client).is_some() {
            let params = format!("{{\"requestId\":{id},\"reason\":{}}}", quote(why));
            self.notify(question.client, question.via, "notifications/cancelled", Some(params.as_bytes()));
        }
    }

    /// Time has passed: what was not answered in time counts as answered with an error.
    pub(super) fn questions_passed(&mut self, now: Nanos) {
        let seconds = self.patience() / 1_000_000_000;
        for (id, question) in self.questions.take_late(now) {
            let why = format!("no answer to {} came within {seconds} s", question.method);
            self.take_back(id, &question, &why);
            self.tell(Told::Note(question.within.as_ref().map(|(no, _)| *no), why.clone()));
            let error = format!("{{\"code\":-32603,\"message\":{}}}", quote(&why));
            self.take_answer(now, question, false, error.into_bytes().into());
        }
    }
}

/// An id of ours.
fn number(id: &Id) -> Option<u64> {
    match id {
        Id::Number(text) => text.parse().ok(),
        _ => None,
    }
}
