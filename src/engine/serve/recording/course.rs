//! One call from its request to its end, as steps: what came in between, rounds and the life of a task included.

use std::collections::HashSet;

use super::answer::{self, Answered as Answer};
use super::tape::{Said, Tape};
use crate::mcp::meta::Meta;
use crate::model::{Era, Nanos, Revision};
use crate::peer::server::{Step, Task, Text};
use crate::recorded::{Answered, Call, Outcome};
use crate::trace::{AttachKind, Attached, Exchange, Part, Place};
use crate::wire::Json;

/// What happened in one place of the recording.
enum Event {
    /// Something that came with it.
    Attached(Attached),
    /// A further round, or an answer to a task's questions.
    Request,
    /// An answer to one of its requests.
    Answer(Part),
}

/// The call that an exchange begins; nothing where its request cannot be read.
pub(super) fn call(tape: &Tape, index: u32, claimed: &mut HashSet<Place>) -> Option<Call> {
    let exchange = tape.trace().exchanges().get(index as usize)?;
    let said = tape.said(exchange.request).ok()?;
    let message = said.message()?;
    let params = message.params;
    let (era, revision) = spoken(tape, exchange, params);
    let call = Call {
        seq: exchange.request.seq,
        client: None,
        era,
        revision,
        method: message.method.as_deref()?.to_owned(),
        params: params.map(|params| params.raw().into()),
        message: message.json.raw().into(),
        steps: Vec::new(),
        answered: Vec::new(),
        outcome: Outcome::Nothing,
        after: 0,
        notes: Vec::new(),
    };
    let wants_logs = era == Era::Legacy || params.is_some_and(|params| meta(params).log_level.is_some());
    let mut course = Course {
        tape,
        call,
        wants_logs,
        last: exchange.at,
        thinking: 0,
        asked: false,
        keys: Vec::new(),
        progress: None,
        status: None,
        over: false,
    };
    let members = members(tape, exchange, index);
    for (place, event) in events(tape, &members, claimed) {
        course.take(place, &event);
    }
    if !course.over {
        course.open_end(members.last().map_or(index, |(last, _)| *last));
    }
    Some(course.call)
}

/// The era and revision of a request: as the trace says, or else as it says itself.
fn spoken(tape: &Tape, exchange: &Exchange, params: Option<Json<'_>>) -> (Era, Revision) {
    let said = params.and_then(|params| meta(params).version?.text().map(|text| Revision::from_text(&text)));
    let known = tape.trace().revision(exchange).or(said);
    let modern = exchange.era == Some(Era::Modern) || known.as_ref().is_some_and(|known| known.era() == Era::Modern);
    let newest = if modern { Revision::V2026_07_28 } else { Revision::V2025_11_25 };
    (if modern { Era::Modern } else { Era::Legacy }, known.unwrap_or(newest))
}

/// The client's exchanges that make up the call, in order.
fn members(tape: &Tape, exchange: &Exchange, index: u32) -> Vec<(u32, Part)> {
    use crate::trace::OperationKind::{CoreTask, Rounds, Task};
    let operation = exchange.operation.and_then(|number| tape.trace().operations().get(number as usize));
    let operation = operation.filter(|operation| matches!(operation.kind, Rounds | CoreTask | Task));
    let begun = operation.filter(|operation| operation.members.first().is_some_and(|first| first.exchange == index));
    let listed = begun.map(|operation| operation.members.iter().map(|member| (member.exchange, member.part)));
    let listed: Vec<_> = listed.into_iter().flatten().filter(|(_, part)| *part != Part::Nested).collect();
    if listed.is_empty() { vec![(index, Part::First)] } else { listed }
}

/// All that happened to these exchanges, in recorded order.
fn events(tape: &Tape, members: &[(u32, Part)], claimed: &mut HashSet<Place>) -> Vec<(Place, Event)> {
    let mut events = Vec::new();
    for (index, part) in members {
        let Some(exchange) = tape.trace().exchanges().get(*index as usize) else { continue };
        for attached in &exchange.attached {
            let place = Place { seq: attached.seq, item: attached.item.into() };
            // What belongs to one of several calls in flight is told once, with the first.
            let belongs = !matches!(attached.kind, AttachKind::Acknowledged | AttachKind::Subscription);
            if belongs && claimed.insert(place) {
                events.push((place, Event::Attached(*attached)));
            }
        }
        if matches!(part, Part::Round | Part::Update) {
            events.push((exchange.request, Event::Request));
        }
        events.extend(exchange.answer.map(|answer| (answer, Event::Answer(*part))));
    }
    events.sort_by_key(|(place, _)| (place.seq, place.item));
    events
}

/// A call while it is put together.
struct Course<'a> {
    tape: &'a Tape,
    call: Call,
    /// Whether the client asked for logs, or needs not to.
    wants_logs: bool,
    /// When the step before was done.
    last: Nanos,
    /// Until when the client thinks about what it was asked.
    thinking: Nanos,
    /// Whether the step before asks, and so does what comes at the same time.
    asked: bool,
    /// The keys of its questions as they were, and as they are within the plan.
    keys: Vec<(String, String)>,
    /// How far it has come.
    progress: Option<f64>,
    /// The last status message of the task.
    status: Option<String>,
    /// Whether it has ended.
    over: bool,
}

impl Course<'_> {
    fn take(&mut self, place: Place, event: &Event) {
        if let Event::Attached(attached) = event
            && matches!(attached.kind, AttachKind::Stderr | AttachKind::Cancelled | AttachKind::Replayed)
        {
            return;
        }
        let said = match self.tape.said(place) {
            Ok(said) => said,
            Err(why) => return self.lost(event, why),
        };
        match event {
            Event::Attached(attached) => self.attached(place, attached.kind, &said),
            Event::Request => self.resumed(&said),
            Event::Answer(part) => self.answer(*part, &said),
        }
    }

    fn lost(&mut self, event: &Event, why: String) {
        let ends = matches!(event, Event::Answer(Part::First | Part::Round | Part::Fetch));
        if ends && !self.over {
            self.call.outcome = Outcome::Lost(why);
            self.over = true;
        } else {
            self.call.notes.push(format!("{why}, so what it said is left out"));
        }
    }

    /// Adds a step that was seen at this time.
    fn step(&mut self, at: Nanos, step: Step) {
        let asks = matches!(step, Step::Ask { .. } | Step::ComeAgain);
        let together = asks && self.asked && at <= self.thinking;
        // A time that is not nothing parts two questions that were asked one after the other.
        let least = i64::from(asks && self.asked && !together);
        let after = if together { 0 } else { (at - self.last.max(self.thinking)).max(least) };
        (self.last, self.asked) = (self.last.max(at), asks);
        self.call.steps.push((after, step));
    }

    fn attached(&mut self, place: Place, kind: AttachKind, said: &Said) {
        let Some(message) = said.message() else { return };
        let method = message.method.as_deref().unwrap_or_default();
        let params = message.params;
        match kind {
            AttachKind::Progress | AttachKind::Log | AttachKind::Notification => {
                let rises = self.rises(params);
                self.step(said.at, notified(method, params, self.wants_logs, rises));
            }
            AttachKind::Nested => self.ask(place, said.at, method, params),
            AttachKind::TaskStatus => self.told(said.at, params.and_then(|params| params.get("statusMessage"))),
            AttachKind::DuplicateAnswer => {
                self.call.notes.push(format!("a second answer (entry {}) is not repeated", place.seq));
            }
            _ => {}
        }
    }

    /// Whether this is progress that goes on; one that does not is repeated as it is all the same.
    fn rises(&mut self, params: Option<Json<'_>>) -> bool {
        let now = params.and_then(|params| params.get("progress")?.as_f64());
        let rises = now.is_some_and(|now| self.progress.is_none_or(|before| now > before));
        self.progress = now.or(self.progress);
        rises
    }

    /// A request of the server's, with what the client answered.
    fn ask(&mut self, place: Place, at: Nanos, method: &str, params: Option<Json<'_>>) {
        let trace = self.tape.trace();
        let asked = self.tape.note(place).and_then(|note| trace.exchanges().get(note.exchange()? as usize));
        let key = self.key(method);
        self.step(at, ask(key.clone(), method, params.map(|params| params.raw())));
        let Some(place) = asked.and_then(|asked| asked.answer) else { return };
        let Ok(said) = self.tape.said(place) else { return };
        self.thinking = self.thinking.max(said.at);
        let Some(message) = said.message() else { return };
        let (ok, answer) = (message.result.is_some(), message.result.or(message.error));
        self.call.answered.extend(answer.map(|answer| Answered { key, ok, answer: answer.raw().into() }));
    }

    /// A key for a question that had none on the wire.
    fn key(&self, method: &str) -> String {
        let word = method.split('/').next().unwrap_or_default();
        let asks = self.call.steps.iter().filter(|(_, step)| matches!(step, Step::Ask { .. })).count();
        format!("{word}-{}", asks + 1)
    }

    /// The client comes again: it has thought about what it was asked, and says what it found.
    fn resumed(&mut self, said: &Said) {
        (self.last, self.asked) = (self.last.max(said.at), false);
        let message = said.message();
        let responses = message.as_ref().and_then(|message| message.params?.get("inputResponses"));
        for (key, answer) in responses.iter().flat_map(Json::members) {
            let key = key.text().unwrap_or_default().into_owned();
            let key = self.keys.iter().rev().find(|(asked, _)| *asked == key).map_or(key, |(_, unique)| unique.clone());
            self.call.answered.push(Answered { key, ok: true, answer: answer.raw().into() });
        }
    }

    fn answer(&mut self, part: Part, said: &Said) {
        if self.over {
            return;
        }
        let Some(message) = said.message() else { return };
        match answer::read(part, &message) {
            Answer::Asks(asks) if asks.is_empty() => self.step(said.at, Step::ComeAgain),
            Answer::Asks(asks) => self.asks(said.at, asks),
            Answer::Task(task, status) => self.task(said.at, task, status),
            Answer::Polled { status, asks } => {
                self.told(said.at, status);
                self.asks(said.at, asks);
            }
            Answer::Over(outcome) => {
                self.call.after = (said.at - self.last.max(self.thinking)).max(0);
                self.call.outcome = outcome;
                self.over = true;
            }
            Answer::Nothing => {}
        }
    }

    /// The questions of a round, or of a task, but for those that a task only repeats until they are answered.
    fn asks(&mut self, at: Nanos, asks: Vec<answer::Ask>) {
        for (key, method, params) in asks {
            let known = |step: &Step| matches!(step, Step::Ask { key: asked, .. } if *asked == key);
            let asked = self.call.steps.iter().filter(|(_, step)| known(step)).count();
            if asked > 0 && self.status.is_some() {
                continue;
            }
            let unique = if asked > 0 { self.another(&key) } else { key.clone() };
            self.thinking = self.thinking.max(at);
            self.step(at, ask(unique.clone(), &method, params.as_deref()));
            self.keys.push((key, unique));
        }
    }

    /// A key for what is asked once more under the same: within a plan each has its own.
    fn another(&self, key: &str) -> String {
        let taken = |name: &String| self.keys.iter().any(|(_, unique)| unique == name);
        (2_u32..=u32::MAX).map(|number| format!("{key}-{number}")).find(|name| !taken(name)).unwrap_or_default()
    }

    fn task(&mut self, at: Nanos, task: Task, status: Option<Json<'_>>) {
        self.step(at, Step::Task(task));
        self.status = Some(String::new());
        self.told(at, status);
    }

    /// The task says something new.
    fn told(&mut self, at: Nanos, status: Option<Json<'_>>) {
        let Some(text) = status.and_then(|status| status.text()) else { return };
        if self.status.as_deref() != Some(&*text) && !text.is_empty() {
            self.status = Some(text.clone().into_owned());
            self.step(at, Step::Status(Text::Fixed(text.as_bytes().into())));
        }
    }

    /// It was not answered: how it ended nevertheless.
    fn open_end(&mut self, last: u32) {
        let Some(exchange) = self.tape.trace().exchanges().get(last as usize) else { return };
        let (outcome, at) = answer::without(self.tape, exchange);
        self.call.after = at.map_or(0, |at| (at - self.last.max(self.thinking)).max(0));
        self.call.outcome = outcome;
    }
}

/// A notification as a step of its call: as one that the machine makes anew where that says the same.
fn notified(method: &str, params: Option<Json<'_>>, wants_logs: bool, rises: bool) -> Step {
    let known = match method {
        "notifications/progress" if rises => params.and_then(progress),
        "notifications/message" if wants_logs => params.and_then(log),
        _ => None,
    };
    let verbatim =
        || Step::Notify { method: method.to_owned(), params: params.map(|params| fixed(params)), loose: false };
    known.unwrap_or_else(verbatim)
}

fn progress(params: Json<'_>) -> Option<Step> {
    has_only(params, &["progressToken", "progress", "total", "message"])?;
    let message = params.get("message").map(|message| Some(Text::Fixed(message.text()?.as_bytes().into())));
    Some(Step::Progress {
        progress: fixed(params.get("progress")?),
        total: params.get("total").map(fixed),
        message: message.unwrap_or_default(),
    })
}

fn log(params: Json<'_>) -> Option<Step> {
    has_only(params, &["level", "logger", "data"])?;
    Some(Step::Log {
        level: params.get("level")?.text()?.into_owned(),
        logger: params.get("logger").and_then(|logger| Some(logger.text()?.into_owned())),
        data: fixed(params.get("data")?),
    })
}

fn has_only(params: Json<'_>, names: &[&str]) -> Option<()> {
    params.members().all(|(name, _)| names.iter().any(|known| name.is_text(known))).then_some(())
}

fn fixed(json: Json<'_>) -> Text {
    Text::Fixed(json.raw().into())
}

fn ask(key: String, method: &str, params: Option<&[u8]>) -> Step {
    let params = params.map(|params| Text::Fixed(params.into()));
    Step::Ask { key, method: method.to_owned(), params, forced: false }
}

fn meta(params: Json<'_>) -> Meta<'_> {
    params.get("_meta").map(Meta::read).unwrap_or_default()
}
