//! Plans being carried out, step by step. What a step asks of a client, tasks and subscriptions are in their own files.

use super::fault::{Fault, INTERNAL};
use super::flight::{Flight, Wait};
use super::machine::Server;
use super::sending::{Body, code};
use super::urls::URLS_REQUIRED;
use super::{Bytes, Do, Ended, Link, RequestNo, Step, Text, dress, fault, fill};
use crate::model::{Era, Nanos};
use crate::wire::Json;

/// How a plan goes on after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Go {
    /// With the next step.
    On,
    /// It waits; somebody calls [`Server::advance`] later.
    Held,
    /// The request is over.
    Over,
}

impl Server {
    /// Carries out the steps of a request's plan for as long as nothing is to be waited for.
    pub(super) fn advance(&mut self, now: Nanos, no: RequestNo) {
        loop {
            let Some(flight) = self.flights.get_mut(no) else { return };
            flight.wait = Wait::Ready;
            let Some(step) = flight.plan.steps.get(flight.at).cloned() else { return self.ran_out(now, no) };
            let go = if matches!(step, Step::Ask { .. } | Step::ComeAgain) {
                self.ask(now, no)
            } else {
                flight.at += 1;
                self.step(now, no, step)
            };
            match go {
                Go::On if self.is_settled(no) => return self.finish(now, no, Ended::Otherwise("answered".to_owned())),
                Go::On => self.let_response_go(no),
                Go::Held | Go::Over => return,
            }
        }
    }

    fn step(&mut self, now: Nanos, no: RequestNo, step: Step) -> Go {
        match step {
            Step::Wait(span) => self.wait(now, no, span),
            Step::Progress { progress, total, message } => self.progress(no, &progress, total, message),
            Step::Log { level, logger, data } => self.log(no, &level, logger.as_deref(), &data),
            Step::Notify { method, params, loose } => self.notify_by_plan(no, &method, params, loose),
            Step::Changed(kind) => {
                self.changed(now, kind);
                Go::On
            }
            Step::Updated(uri) => {
                self.updated(now, &uri);
                Go::On
            }
            Step::Ask { .. } | Step::ComeAgain => self.ask(now, no),
            Step::Task(task) => self.begin_task(now, no, &task),
            Step::Status(message) => {
                self.task_status(now, no, &message);
                Go::On
            }
            Step::Result { result, bare, id } => self.result(now, no, &result, bare, id.as_deref()),
            Step::Error { error, id } => self.error(now, no, &error, id.as_deref()),
            Step::Own => {
                if let Some(flight) = self.flights.get_mut(no) {
                    flight.own = true;
                }
                self.own(now, no);
                match self.flights.get(no).map(|flight| flight.wait) {
                    None => Go::Over,
                    Some(Wait::Ready) => Go::On,
                    Some(_) => Go::Held,
                }
            }
            Step::Stderr(text) => {
                let line = self.filled(no, &text);
                self.todo.push_back(Do::Stderr(String::from_utf8_lossy(&line).into_owned()));
                Go::On
            }
            step => self.misbehave(now, no, step),
        }
    }

    /// The steps that are about the link rather than about messages.
    fn misbehave(&mut self, now: Nanos, no: RequestNo, step: Step) -> Go {
        let Some(flight) = self.flights.get_mut(no) else { return Go::Over };
        let (client, via, on_http) = (flight.client, flight.via, flight.link == Link::Http);
        match step {
            Step::Raw(bytes) => {
                flight.ended.get_or_insert_with(|| Ended::Otherwise("with raw bytes".to_owned()));
                self.send_raw(client, via, bytes);
                Go::On
            }
            Step::Respond { status, fields, body } if on_http => {
                let body = self.filled(no, &body);
                self.todo.push_back(Do::Respond { ticket: via, status, fields, body });
                self.finish(now, no, Ended::Otherwise(format!("with HTTP {status}")));
                Go::Over
            }
            Step::Respond { status, .. } => self.leave_out(no, &format!("a response with HTTP {status}")),
            Step::Fields(fields) if on_http => {
                self.todo.push_back(Do::Fields(via, fields));
                Go::On
            }
            Step::Fields(_) => self.leave_out(no, "header fields"),
            Step::Close if on_http => {
                self.todo.push_back(Do::Close(via));
                Go::On
            }
            Step::Close => self.leave_out(no, "the close of a stream"),
            Step::Break => {
                self.todo.push_back(Do::Break(via));
                self.hang(now, no, Ended::Otherwise("broken off".to_owned()));
                Go::Over
            }
            Step::LoseSession if flight.link == Link::Stdio => self.leave_out(no, "the loss of a session"),
            Step::LoseSession => {
                self.todo.push_back(Do::LoseSession(client));
                Go::On
            }
            Step::Exit(exit) => {
                self.todo.push_back(Do::Exit(exit));
                self.hang(now, no, Ended::Otherwise(format!("with exit code {exit}")));
                Go::Over
            }
            _ => Go::On,
        }
    }

    /// Something that the link does not have.
    fn leave_out(&mut self, no: RequestNo, what: &str) -> Go {
        let why = format!("{what} was left out: the client is not on HTTP");
        if let Some(flight) = self.flights.get_mut(no) {
            flight.left_out.get_or_insert_with(|| why.clone());
        }
        self.note(no, why);
        Go::On
    }

    fn wait(&mut self, now: Nanos, no: RequestNo, span: Nanos) -> Go {
        let span = self.settings.pace.of(span);
        if span <= 0 {
            return Go::On;
        }
        self.flights.sleep(no, now.saturating_add(span));
        Go::Held
    }

    fn result(&mut self, now: Nanos, no: RequestNo, result: &Text, bare: bool, id: Option<&[u8]>) -> Go {
        let result = match self.made(no, result) {
            Ok(result) => result.to_vec(),
            Err(why) => return self.unmade(now, no, &why),
        };
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        let result = if bare { result } else { dress::result(flight.era, &flight.method, self.script.about(), result) };
        if flight.method == "initialize" {
            self.agree(no, &result);
        }
        self.conclude(now, no, Body::Result(result), id, 200)
    }

    fn error(&mut self, now: Nanos, no: RequestNo, error: &Text, id: Option<&[u8]>) -> Go {
        let error = match self.made(no, error) {
            Ok(error) => error.to_vec(),
            Err(why) => return self.unmade(now, no, &why),
        };
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        let (era, code) = (flight.era, code(&error).unwrap_or_default());
        let status = fault::status(flight.era, code);
        if code == URLS_REQUIRED
            && let Some(go) = self.urls_required(now, no, &error)
        {
            return go;
        }
        if era == Era::Modern && matches!(code, fault::RESOURCE | URLS_REQUIRED) {
            self.note(no, format!("{code} is no error code of 2026-07-28 (EC-003)"));
        }
        self.conclude(now, no, Body::Error(error), id, status)
    }

    /// An answer that could not be made: the client is told so.
    fn unmade(&mut self, now: Nanos, no: RequestNo, why: &str) -> Go {
        let by = self.flights.get(no).map(|flight| flight.plan.by.clone()).unwrap_or_default();
        let fault = Fault::new(INTERNAL, format!("{by}: {why}"));
        self.conclude(now, no, Body::Error(fault.object().into()), None, 200)
    }

    /// Answers the request, or ends its task.
    fn conclude(&mut self, now: Nanos, no: RequestNo, body: Body, id: Option<&[u8]>, status: u16) -> Go {
        if self.flights.get(no).is_none_or(|flight| flight.task.is_none()) {
            self.let_pass(no, &body);
            self.respond(no, body, id, status);
            return Go::On;
        }
        let how = match body {
            Body::Result(bytes) => Ended::Result(bytes.into()),
            Body::Error(bytes) => Ended::Error(bytes.into()),
        };
        self.task_ended(now, no, &how);
        if let Some(flight) = self.flights.get_mut(no) {
            flight.ended = Some(how);
        }
        Go::On
    }

    /// Whether the request is answered and nothing of its plan follows.
    fn is_settled(&self, no: RequestNo) -> bool {
        self.flights.get(no).is_some_and(|flight| flight.ended.is_some() && flight.at >= flight.plan.steps.len())
    }

    /// The response of a request that is answered ends as soon as nothing of its plan goes there any more.
    fn let_response_go(&mut self, no: RequestNo) {
        let Some(flight) = self.flights.get_mut(no) else { return };
        let rest = flight.plan.steps.get(flight.at..).unwrap_or_default();
        if flight.ended.is_some() && flight.batch.is_none() && rest.iter().all(goes_elsewhere) {
            let via = std::mem::take(&mut flight.via);
            self.release(via);
        }
    }

    /// The plan has no more steps.
    fn ran_out(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get_mut(no) else { return };
        if flight.ended.is_some() {
            return self.finish(now, no, Ended::Otherwise("answered".to_owned()));
        }
        if flight.by_hand {
            flight.wait = Wait::Person;
            return self.tell(super::Told::Waiting(no));
        }
        if let Some(why) = flight.left_out.take() {
            let by = flight.plan.by.clone();
            if flight.task.is_some() {
                self.unmade(now, no, &format!("no answer here: {why}"));
                return self.finish(now, no, Ended::Otherwise("answered".to_owned()));
            }
            return self.refuse(now, no, &Fault::new(INTERNAL, format!("{by} has no answer here: {why}")));
        }
        self.hang(now, no, Ended::Otherwise("never answered, as its plan has it".to_owned()));
    }

    /// The text of a step that is no JSON, filled in. What cannot be filled in is told, and stays as it is.
    pub(super) fn filled(&mut self, no: RequestNo, text: &Text) -> Bytes {
        let made = self.flights.get(no).map(|flight| fill::plain(text, &context(flight)));
        match made {
            Some(Ok(bytes)) => bytes,
            Some(Err(why)) => {
                self.note(no, format!("failed to {why}"));
                as_written(text)
            }
            None => as_written(text),
        }
    }

    /// The text of a step that is JSON, filled in. Nothing where that failed or is no JSON, which is told.
    pub(super) fn filled_json(&mut self, no: RequestNo, text: &Text) -> Option<Bytes> {
        match self.made(no, text) {
            Ok(bytes) => Some(bytes),
            Err(why) => {
                self.note(no, why);
                None
            }
        }
    }

    /// Likewise, with why not.
    fn made(&self, no: RequestNo, text: &Text) -> Result<Bytes, String> {
        let flight = self.flights.get(no).ok_or("the request is over")?;
        let bytes = fill::json(text, &context(flight)).map_err(|why| format!("failed to {why}"))?;
        match Json::parse(&bytes) {
            Ok(_) => Ok(bytes),
            Err(fault) => Err(format!("what was to be sent is not JSON: {} at byte {}", fault.what, fault.at)),
        }
    }
}

/// Whether a step has nothing to do with the response to its request.
const fn goes_elsewhere(step: &Step) -> bool {
    matches!(
        step,
        Step::Wait(_)
            | Step::Changed(_)
            | Step::Updated(_)
            | Step::Notify { loose: true, .. }
            | Step::Stderr(_)
            | Step::LoseSession
            | Step::Exit(_)
    )
}

/// What the texts of a request's plan are filled in from.
pub(super) fn context(flight: &Flight) -> fill::Context<'_> {
    fill::Context {
        params: flight.params(),
        answers: &flight.answers,
        nth: flight.plan.nth,
        identity: flight.identity.as_deref(),
        values: &flight.plan.values,
    }
}

fn as_written(text: &Text) -> Bytes {
    match text {
        Text::Fixed(bytes) | Text::Template(bytes) => bytes.clone(),
    }
}
