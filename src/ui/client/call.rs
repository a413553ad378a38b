//! One call as the page remembers it: what was sent in each round, what came while it ran, how it ended.

use std::sync::Arc;

use super::Subject;
use crate::engine::view::{Body, Json, Pretty};
use crate::model::{Id, Nanos};
use crate::peer::client::{Bytes, Call, CallId, Outcome, TaskState};
use crate::project::Named;

/// Things that came while a call ran which are kept; of more the oldest go.
const MOST_COURSE: usize = 2_000;
/// Bytes of a result that are read within a frame.
const AT_ONCE: usize = 128 * 1024;
/// Members of a large result that are looked at.
const MOST_MEMBERS: usize = 64;

/// What a call has of a saved one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Saved {
    /// The name of the saved call that it is.
    pub name: Option<String>,
    /// Saved answers that are given while it runs: methods and results as JSON text, in order.
    pub answers: Named<String>,
    /// Its arguments (JSON text) before values were put in for variables, where they differ.
    pub typed: Option<String>,
}

/// A call.
#[derive(Debug, Clone)]
pub struct CallRecord {
    /// Its number.
    pub id: CallId,
    /// What is tried out by it; `None` for a method typed by hand and for calls of the page's own.
    pub subject: Option<Subject>,
    /// Its method.
    pub method: String,
    /// What was asked for; `None` for one that was sent again byte for byte.
    pub call: Option<Arc<Call>>,
    /// What it has of a saved call.
    pub saved: Saved,
    /// How often each of its saved answers was given.
    pub given: Vec<usize>,
    /// When it was asked for, by the window's clock.
    pub at: Nanos,
    /// The rounds that were sent, the first first.
    pub rounds: Vec<Round>,
    /// The last progress.
    pub progress: Option<Progress>,
    /// Its task.
    pub task: Option<TaskState>,
    /// What happened while it ran, in order.
    pub course: Vec<Event>,
    /// How many of these were let go.
    pub left_out: u64,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Whether the result says `isError`.
    pub is_error: bool,
    /// The code of the error, as sent.
    pub code: Option<String>,
    /// From the first request to the end.
    pub took: Nanos,
    /// What it ended with, laid out; comes after the outcome.
    pub body: Option<Arc<Body>>,
    /// Answers that came after its end.
    pub late: Vec<Bytes>,
}

/// One round of MRTR, or the only one.
#[derive(Debug, Clone)]
pub struct Round {
    /// Counting from 1.
    pub number: u32,
    /// The id of its request.
    pub id: Id,
    /// Its request, without a line end.
    pub request: Bytes,
    /// When it was sent.
    pub at: Nanos,
    /// The `input_required` that it ended with.
    pub result: Option<Bytes>,
    /// The params of the next round, while they can be edited.
    pub next: Option<Bytes>,
}

/// The last that was said of how far a call is; numbers as sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// `progress`.
    pub done: String,
    /// `total`.
    pub total: Option<String>,
    /// `message`.
    pub message: Option<String>,
    /// How many of them came.
    pub count: u64,
    /// When it came.
    pub at: Nanos,
}

/// Something that happened while a call ran.
#[derive(Debug, Clone)]
pub struct Event {
    /// When.
    pub at: Nanos,
    /// What it is: `progress 1 of 3`, `log info`, `elicitation/create`.
    pub what: String,
    /// Its text, one line.
    pub text: String,
    /// What kind of thing it is, for its sign and colour.
    pub sort: Sort,
}

/// Kinds of things that happen while a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A notification.
    Notification,
    /// A question of the server's, or what became of it.
    Question,
    /// Something about the call itself: a round, its task, the stream.
    Course,
    /// Something that went wrong.
    Odd,
}

/// Whether a result that is laid out says `isError`: only its own members are looked at.
fn says_error(pretty: &Pretty) -> bool {
    let mut line = 1;
    for _ in 0..MOST_MEMBERS {
        let Some(entry) = pretty.lines.get(line).filter(|entry| entry.is_member()) else { return false };
        if pretty.line(line).trim_start().trim_end_matches(',') == r#""isError": true"# {
            return true;
        }
        line = entry.fold.map_or(line, |fold| fold as usize) + 1;
    }
    false
}

impl CallRecord {
    /// A call that is about to be made.
    pub fn new(id: CallId, subject: Option<Subject>, method: String, call: Option<Arc<Call>>, at: Nanos) -> Self {
        Self {
            id,
            subject,
            method,
            call,
            saved: Saved::default(),
            given: Vec::new(),
            at,
            rounds: Vec::new(),
            progress: None,
            task: None,
            course: Vec::new(),
            left_out: 0,
            outcome: None,
            is_error: false,
            code: None,
            took: 0,
            body: None,
            late: Vec::new(),
        }
    }

    /// Whether it is not over yet.
    pub fn is_running(&self) -> bool {
        self.outcome.is_none()
    }

    /// The id of its last request.
    pub fn request_id(&self) -> Option<&Id> {
        self.rounds.last().map(|round| &round.id)
    }

    /// Takes in a request that left. Of those that ask for the state of a task there may be any number: the first of a
    /// round and its latest are kept.
    pub fn sent(&mut self, round: Round) {
        if let [.., first, latest] = self.rounds.as_mut_slice()
            && first.number == round.number
            && latest.number == round.number
        {
            *latest = round;
        } else {
            self.rounds.push(round);
        }
    }

    /// How many rounds of MRTR it has taken.
    pub fn round_count(&self) -> u32 {
        self.rounds.last().map_or(0, |round| round.number)
    }

    /// Notes something that happened.
    pub fn note(&mut self, at: Nanos, sort: Sort, what: impl Into<String>, text: impl Into<String>) {
        if self.course.len() == MOST_COURSE {
            self.course.remove(0);
            self.left_out += 1;
        }
        self.course.push(Event { at, what: what.into(), text: text.into(), sort });
    }

    /// Notes how it ended.
    pub fn end(&mut self, outcome: Outcome, took: Nanos) {
        match &outcome {
            Outcome::Result(bytes) if bytes.len() <= AT_ONCE => self.is_error = !outcome.is_ok(),
            Outcome::Error(bytes) => {
                let code = Json::parse(bytes).ok().and_then(|json| Some(json.get("code")?.raw().to_vec()));
                self.code = code.map(|raw| String::from_utf8_lossy(&raw).into_owned());
            }
            _ => {}
        }
        self.outcome = Some(outcome);
        self.took = took;
    }

    /// Takes in what it ended with, laid out. Of a large result only here is looked at what it says.
    pub fn lay(&mut self, body: Arc<Body>) {
        if let (Some(Outcome::Result(bytes)), Some(pretty)) = (&self.outcome, &body.pretty)
            && bytes.len() > AT_ONCE
        {
            self.is_error = says_error(pretty);
        }
        self.body = Some(body);
    }

    /// Bytes that it holds, about.
    pub fn weight(&self) -> usize {
        let outcome = match &self.outcome {
            Some(Outcome::Result(bytes) | Outcome::Error(bytes) | Outcome::Http { body: bytes, .. }) => bytes.len(),
            _ => 0,
        };
        let rounds: usize =
            self.rounds.iter().map(|round| round.request.len() + round.result.as_ref().map_or(0, |it| it.len())).sum();
        // A body that is laid out takes about as much again as its bytes, and so do pictures in it.
        let body = self.body.as_ref().map_or(0, |body| body.bytes.len() * 4);
        outcome + rounds + body + self.late.iter().map(|bytes| bytes.len()).sum::<usize>()
    }
}
