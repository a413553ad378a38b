//! What a request of 2026-07-28 asks of its client: asks that follow each other are one round of MRTR, whose answers come
//! with the next request (MR-001 … MR-013).

use super::fault::{CAPABILITY, Fault, PARAMS};
use super::machine::Server;
use super::running::{Go, context};
use super::sending::Body;
use super::states::{Call, METHODS, Question, input_required};
use super::{Bytes, Plan, RequestNo, Step, Text, Told, asks, fill};
use crate::model::{Era, Nanos};
use crate::wire::{Json, JsonKind, quote};

/// Whether a request goes on with a plan that was begun before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resume {
    /// It is a new one.
    No,
    /// It goes on where another one was left.
    On,
    /// It was refused.
    Over,
}

/// What goes on when the client comes again.
#[derive(Debug, Clone)]
pub(super) struct Onward {
    plan: Plan,
    /// The step that is next; `None`: the script is asked anew.
    at: Option<usize>,
    answers: Vec<(String, Bytes)>,
    by_hand: bool,
}

/// An ask, filled in.
pub(super) struct Ask {
    pub(super) question: Question,
    pub(super) forced: bool,
}

impl Server {
    /// The next step of the request is [`Step::Ask`] or [`Step::ComeAgain`]; whoever carries it out moves on `at` behind
    /// it and those that belong to it.
    pub(super) fn ask(&mut self, now: Nanos, no: RequestNo) -> Go {
        match self.flights.get(no).map(|flight| (flight.era, flight.task.is_some())) {
            None => Go::Over,
            Some((Era::Legacy, _)) => self.ask_next(now, no),
            Some((Era::Modern, true)) => self.ask_in_task(now, no),
            Some((Era::Modern, false)) => self.ask_round(now, no),
        }
    }

    /// The request may be the next round of one before: its plan, step and answers are set then, before any script is
    /// asked.
    pub(super) fn resume(&mut self, now: Nanos, no: RequestNo) -> Resume {
        let Some(flight) = self.flights.get(no) else { return Resume::Over };
        if flight.era == Era::Legacy || !METHODS.contains(&flight.method.as_str()) {
            return self.check_task(now, no);
        }
        let given = flight.param("inputResponses");
        let state = flight.param("requestState").map(|state| state.text().map(String::from));
        if given.is_some_and(|given| given.kind() != JsonKind::Object) {
            return self.refuse_round(now, no, "params.inputResponses is no object (MR-011)");
        }
        let state = match state {
            None => return Resume::No,
            Some(None) => return self.refuse_round(now, no, "params.requestState is no string (MR-014)"),
            Some(Some(state)) => state,
        };
        // A script that makes rounds of its own knows its states.
        if self.states.is_passed(&state) {
            return Resume::No;
        }
        let call = self.call_of(no);
        let once = self.settings.single_use;
        match self.states.resume(&self.seal, &call, &state, now, once) {
            Err(refused) => self.refuse_round(now, no, refused.says()),
            Ok(Onward { at: None, .. }) => Resume::No,
            Ok(Onward { plan, at: Some(at), answers, by_hand }) => {
                self.tell(Told::Matched { request: no, by: plan.by.clone(), place: plan.place, nth: plan.nth });
                if let Some(flight) = self.flights.get_mut(no) {
                    (flight.plan, flight.at, flight.answers, flight.by_hand) = (plan, at, answers, by_hand);
                }
                Resume::On
            }
        }
    }

    /// A state that a script hands out itself in a whole result is the script's to check.
    pub(super) fn let_pass(&mut self, no: RequestNo, body: &Body) {
        let (Some(flight), Body::Result(result)) = (self.flights.get(no), body) else { return };
        if flight.era == Era::Legacy || !METHODS.contains(&flight.method.as_str()) {
            return;
        }
        let json = Json::parse(result)
            .ok()
            .filter(|json| json.get("resultType").is_some_and(|kind| kind.is_text("input_required")));
        if let Some(state) = json.and_then(|json| json.get("requestState")).and_then(|state| state.text()) {
            self.states.pass(&state);
        }
    }

    fn refuse_round(&mut self, now: Nanos, no: RequestNo, why: &str) -> Resume {
        self.note(no, why);
        self.leave_plan(no);
        self.refuse(now, no, &Fault::new(PARAMS, why));
        Resume::Over
    }

    /// What stands next in the plan is not for this request: with its answer it is over.
    pub(super) fn leave_plan(&mut self, no: RequestNo) {
        if let Some(flight) = self.flights.get_mut(no) {
            flight.at = flight.plan.steps.len();
        }
    }

    /// What a `requestState` for this request is bound to.
    fn call_of(&self, no: RequestNo) -> Call {
        let flight = self.flights.get(no);
        let principal = flight.and_then(|flight| flight.principal.as_deref());
        let identity = flight.and_then(|flight| flight.identity.as_deref());
        let method = flight.map(|flight| flight.method.as_str()).unwrap_or_default();
        Call::new(principal, identity, method, flight.and_then(|flight| flight.params()))
    }

    /// A round: what was answered already is taken, and the rest is asked.
    fn ask_round(&mut self, now: Nanos, no: RequestNo) -> Go {
        let (asked, end) = self.asks_at(no);
        let Some(flight) = self.flights.get_mut(no) else { return Go::Over };
        let start = flight.at;
        if !METHODS.contains(&flight.method.as_str()) {
            flight.at = end;
            let why = format!("{} cannot ask for input (RT-003)", flight.method);
            return self.not_asked(no, why);
        }
        if asked.is_empty() {
            flight.at = end;
            let comes_again = matches!(flight.plan.steps.get(start), Some(Step::ComeAgain));
            return if comes_again { self.send_round(now, no, Some(end), &[]) } else { Go::On };
        }
        let before = flight.answers.len();
        let open = match self.take_given(no, asked) {
            Ok(open) => open,
            Err(why) => {
                self.refuse_round(now, no, &why);
                return Go::Over;
            }
        };
        let took = self.flights.get(no).is_some_and(|flight| flight.answers.len() > before);
        let (open, missing) = self.declared(no, open);
        if !open.is_empty() {
            return self.send_round(now, no, Some(start), &open);
        }
        if !missing.is_empty() && !took {
            return self.lacks(now, no, &missing);
        }
        if let Some(flight) = self.flights.get_mut(no) {
            flight.at = end;
        }
        Go::On
    }

    /// The asks that stand next in the plan and can be filled in, and where they end. One that names what another of them
    /// is yet to answer belongs to the next round.
    pub(super) fn asks_at(&mut self, no: RequestNo) -> (Vec<Ask>, usize) {
        let Some(flight) = self.flights.get(no) else { return (Vec::new(), 0) };
        let start = flight.at;
        let (mut found, mut end, mut failed) = (Vec::new(), start, None);
        for step in &flight.plan.steps[start.min(flight.plan.steps.len())..] {
            let Step::Ask { key, method, params, forced } = step else { break };
            let filled = params.as_ref().map(|text| self.fill_ask(no, text)).transpose();
            let params = match filled {
                Ok(params) => params.map(|params| params.to_vec()),
                Err(why) => {
                    if found.is_empty() {
                        end += 1;
                        failed = Some(format!("{method} was not asked: {why}"));
                    }
                    break;
                }
            };
            end += 1;
            let question = Question { key: key.clone(), method: method.clone(), params };
            found.push(Ask { question, forced: *forced });
        }
        if let Some(why) = failed {
            self.not_asked(no, why);
        }
        // A round that asks nothing.
        if end == start { (found, end + 1) } else { (found, end) }
    }

    /// JSON text of an ask, filled in; the error says what it lacks.
    pub(super) fn fill_ask(&self, no: RequestNo, text: &Text) -> Result<Bytes, String> {
        let flight = self.flights.get(no).ok_or("it is over")?;
        let filled = fill::json(text, &context(flight))?;
        match Json::parse(&filled) {
            Ok(_) => Ok(filled),
            Err(fault) => Err(format!("its params are not JSON: {} at byte {}", fault.what, fault.at)),
        }
    }

    /// Takes what the client gives with `inputResponses`, and gives what is still open. Keys that nobody asked for are
    /// passed over (MR-012); the error names an answer of the wrong shape (MR-011).
    fn take_given(&mut self, no: RequestNo, asked: Vec<Ask>) -> Result<Vec<Ask>, String> {
        let (mut open, mut taken) = (Vec::new(), Vec::new());
        let Some(flight) = self.flights.get(no) else { return Ok(open) };
        let given = flight.param("inputResponses");
        for ask in asked {
            let key = &ask.question.key;
            if flight.answers.iter().any(|(known, _)| known == key) {
                continue;
            }
            let Some(answer) = given.and_then(|given| given.get(key)) else {
                open.push(ask);
                continue;
            };
            if let Some(fault) = asks::fault(&ask.question.method, answer) {
                return Err(format!("inputResponses[{}] does not answer what was asked: {fault}", quote(key)));
            }
            taken.push((key.clone(), Bytes::from(answer.raw())));
        }
        for (key, answer) in taken {
            self.tell(Told::Heard { request: no, key: key.clone(), ok: true, answer: answer.clone() });
            if let Some(flight) = self.flights.get_mut(no) {
                flight.answers.push((key, answer));
            }
        }
        Ok(open)
    }

    /// Those that may be asked of this client, in the words of the revision, and the capabilities that the others need
    /// (CA-018). What is left out is told.
    pub(super) fn declared(&mut self, no: RequestNo, asked: Vec<Ask>) -> (Vec<Question>, Vec<&'static str>) {
        let (mut open, mut missing) = (Vec::new(), Vec::new());
        for Ask { mut question, forced } in asked {
            let Some(flight) = self.flights.get(no) else { break };
            let params = question.params.as_deref().and_then(|params| Json::parse(params).ok());
            let bar = asks::bar(&flight.revision, &flight.can(), &question.method, params).filter(|_| !forced);
            if let Some(bar) = bar {
                self.not_asked(no, bar.says(&question.method));
                if let asks::Bar::Undeclared(paths) = bar {
                    missing.extend(paths);
                }
                continue;
            }
            if !forced {
                let params = question.params.take().map(Bytes::from);
                let worded = self.worded_for(no, &question.key, &question.method, params);
                question.params = worded.map(|params| params.to_vec());
            }
            open.push(question);
        }
        missing.dedup();
        (open, missing)
    }

    /// The client lacks what the request cannot do without (EC-008, EC-009).
    pub(super) fn lacks(&mut self, now: Nanos, no: RequestNo, missing: &[&str]) -> Go {
        let why = format!("this needs capabilities that the client does not declare: {}", missing.join(", "));
        let data = format!("{{\"requiredCapabilities\":{}}}", asks::required(missing));
        self.leave_plan(no);
        self.refuse(now, no, &Fault::new(CAPABILITY, why).with_data(data));
        Go::Over
    }

    /// Answers with `input_required`; the plan goes on at a step when the client comes again.
    pub(super) fn send_round(&mut self, now: Nanos, no: RequestNo, at: Option<usize>, questions: &[Question]) -> Go {
        let call = self.call_of(no);
        let until = now.saturating_add(self.patience());
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        let (plan, answers, by_hand) = (flight.plan.clone(), flight.answers.clone(), flight.by_hand);
        let size = answers.iter().map(|(key, answer)| key.len() + answer.len()).sum::<usize>();
        let size = size + plan.steps.len() * size_of::<Step>();
        let state = self.states.open(&self.seal, &call, until, Onward { plan, at, answers, by_hand }, size);
        let what = match questions {
            [] => "told to come again".to_owned(),
            some => some.iter().map(|one| format!("{}: {}", one.method, one.key)).collect::<Vec<_>>().join(", "),
        };
        self.tell(Told::Step(no, format!("input_required: {what}")));
        self.leave_plan(no);
        self.fulfil(now, no, input_required(questions, &state).into());
        Go::Over
    }
}
