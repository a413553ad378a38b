//! What the server asks, and how it is answered: by a person, or by the settings. Questions of MRTR rounds and of
//! tasks stand beside the requests of the legacy era; only their answers go another way.

use super::flight::Purpose;
use super::machine::Client;
use super::opening::Stage;
use super::replies::{automatic, refused_for};
use super::{Answer, CallId, Question, QuestionId, Told};
use crate::model::{Era, Id, Nanos};
use crate::wire::{Json, Message, quote};

/// How many questions may wait for an answer at once.
const MOST: usize = 256;

/// Where an answer goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asker {
    /// To a request of the legacy era: its id, and as it was written.
    Request(Id, Vec<u8>),
    /// Into the next round of a call, under this key.
    Round(CallId, String),
    /// Into `tasks/update` of a call's task, under this key.
    Task(CallId, String),
}

impl Asker {
    /// The call whose end is the end of the question. A request of the legacy era wants its answer in any case.
    const fn call(&self) -> Option<CallId> {
        match self {
            Self::Request(..) => None,
            Self::Round(call, _) | Self::Task(call, _) => Some(*call),
        }
    }
}

/// The questions that wait for an answer.
#[derive(Debug, Default)]
pub(super) struct Questions {
    waiting: Vec<(QuestionId, Asker)>,
    asked: QuestionId,
}

impl Questions {
    fn take(&mut self, question: QuestionId) -> Option<Asker> {
        let at = self.waiting.iter().position(|(id, _)| *id == question)?;
        Some(self.waiting.remove(at).1)
    }

    pub(super) fn take_where(&mut self, test: impl Fn(&Asker) -> bool) -> Vec<QuestionId> {
        let taken = self.waiting.iter().filter(|(_, asker)| test(asker)).map(|(id, _)| *id).collect();
        self.waiting.retain(|(_, asker)| !test(asker));
        taken
    }

    /// Takes those that end with a call.
    pub(super) fn take_of(&mut self, call: CallId) -> Vec<QuestionId> {
        self.take_where(|asker| asker.call() == Some(call))
    }

    /// Takes all of them.
    pub(super) fn take_all(&mut self) -> Vec<QuestionId> {
        self.take_where(|_| true)
    }

    fn has_requests(&self) -> bool {
        self.waiting.iter().any(|(_, asker)| matches!(asker, Asker::Request(..)))
    }
}

impl Client {
    /// A request of the server's.
    pub(super) fn asked(&mut self, now: Nanos, message: &Message<'_>) {
        let method = message.method.as_deref().unwrap_or_default();
        let may_be_legacy = self.era() == Era::Legacy || (self.stage == Stage::Probing && method == "ping");
        if !may_be_legacy {
            let why = format!("the server asks with a request ({method}), which 2026-07-28 does not have (JR-027)");
            return self.stray(message.json.raw(), why);
        }
        let written = message.json.get("id").map(|id| id.raw().to_vec()).unwrap_or_default();
        if method == "ping" {
            return self.respond(&written, "result", b"{}");
        }
        let id = message.id.clone().unwrap_or(Id::Null);
        let related = message.params.and_then(|params| params.pointer("/_meta/io.modelcontextprotocol~1related-task"));
        let call = related.and_then(|task| task.get("taskId")?.text()).and_then(|id| self.tasks.call_of(&id));
        let call = call.or_else(|| self.only_call());
        let question = (method, message.params, call, 0);
        match refused_for(method, message.params, &self.opening.declared) {
            Some(error) => {
                let number = self.tell_asked(question, None, Some(id));
                self.respond(&written, "error", error.as_bytes());
                self.tell(Told::Settled(number, format!("it was answered with an error: {error}")));
            }
            None => self.ask(now, Asker::Request(id, written), question),
        }
    }

    /// Something is asked: method, params, the call and the round. It is answered by the settings, or by an
    /// [`super::Order::Answer`].
    pub(super) fn ask(&mut self, now: Nanos, asker: Asker, question: (&str, Option<Json<'_>>, Option<CallId>, u32)) {
        let (key, request) = match &asker {
            Asker::Request(id, _) => (None, Some(id.clone())),
            Asker::Round(_, key) | Asker::Task(_, key) => (Some(key.clone()), None),
        };
        let number = self.tell_asked(question, key, request);
        if self.questions.waiting.len() >= MOST {
            let error = Answer::Error(br#"{"code":-32603,"message":"Too many questions wait for an answer"}"#.to_vec());
            self.tell(Told::Settled(number, format!("it was refused, since {MOST} others wait")));
            return self.give(now, asker, error);
        }
        let revision = self.revision();
        match automatic(&self.settings, question.0, question.1, &revision) {
            Some((answer, how)) => {
                self.tell(Told::Settled(number, how.to_owned()));
                self.give(now, asker, answer);
            }
            None => {
                self.questions.waiting.push((number, asker));
                self.questions_changed(now);
            }
        }
    }

    /// [`super::Order::Answer`].
    pub(super) fn answer(&mut self, now: Nanos, question: QuestionId, answer: Answer) {
        let Some(asker) = self.questions.take(question) else { return };
        let how = match &answer {
            Answer::Result(_) => "it was answered",
            Answer::Error(_) => "it was answered with an error",
            Answer::Silence => "it stays without an answer",
        };
        self.tell(Told::Settled(question, how.to_owned()));
        self.give(now, asker, answer);
        self.questions_changed(now);
    }

    /// The server took a request back.
    pub(super) fn question_taken_back(&mut self, now: Nanos, id: &Id, reason: Option<&str>) {
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        for question in self.questions.take_where(|asker| matches!(asker, Asker::Request(asked, _) if asked == id)) {
            self.tell(Told::Settled(question, format!("the server took it back{reason}")));
        }
        self.questions_changed(now);
    }

    /// While the server waits for an answer, a request is not late for want of a sign of life; afterwards its clock
    /// begins anew.
    pub(super) fn questions_changed(&mut self, now: Nanos) {
        let waited_for = self.questions.has_requests();
        if self.flights.waited_for && !waited_for {
            self.flights.refresh(now);
        }
        self.flights.waited_for = waited_for;
    }

    fn give(&mut self, now: Nanos, asker: Asker, answer: Answer) {
        match asker {
            Asker::Request(_, written) => match answer {
                Answer::Result(result) => self.respond(&written, "result", &result),
                Answer::Error(error) => self.respond(&written, "error", &error),
                Answer::Silence => {}
            },
            Asker::Round(call, key) => self.round_answered(now, call, &key, answer),
            Asker::Task(call, key) => self.task_answered(now, call, &key, answer),
        }
    }

    fn respond(&mut self, id: &[u8], member: &str, value: &[u8]) {
        let head = br#"{"jsonrpc":"2.0","id":"#.as_slice();
        let name = format!(",{}:", quote(member));
        self.send([head, id, name.as_bytes(), value, b"}"].concat(), Vec::new());
    }

    fn tell_asked(
        &mut self,
        (method, params, call, round): (&str, Option<Json<'_>>, Option<CallId>, u32),
        key: Option<String>,
        request: Option<Id>,
    ) -> QuestionId {
        self.questions.asked += 1;
        let id = self.questions.asked;
        let params = params.map(|params| params.raw().into());
        self.tell(Told::Asked(Question { id, method: method.to_owned(), params, call, key, round, request }));
        id
    }

    /// The one call that is on the wire: what the server asks now, it asks for that.
    fn only_call(&self) -> Option<CallId> {
        let mut calls = self.flights.iter().filter_map(|flight| match flight.purpose {
            Purpose::Call(call) | Purpose::TaskResult(call) => Some(call),
            _ => None,
        });
        let only = calls.next()?;
        calls.next().is_none().then_some(only)
    }
}
