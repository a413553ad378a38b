//! One call as the page remembers it: what was sent in each round, what came while it ran, how it ended.

use std::sync::Arc;

use super::Subject;
use crate::engine::view::{Body, Json};
use crate::model::{Id, Nanos};
use crate::peer::client::{Bytes, Call, CallId, Gist, Outcome, TaskState};
use crate::project::Named;

/// Things that came while a call ran which are kept; of more the oldest go.
const MOST_COURSE: usize = 2_000;

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
    /// What that says in a word.
    pub gist: Gist,
    /// When it ended, by the window's clock.
    pub ended: Nanos,
    /// Whether the server has said since that the resource that it read is another now.
    pub changed: bool,
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
            gist: Gist::default(),
            ended: 0,
            changed: false,
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

    /// Notes how it ended, and when; what a large outcome says comes later, with its layout.
    pub fn end(&mut self, outcome: Outcome, took: Nanos, now: Nanos) {
        if !Gist::is_long(&outcome) {
            self.gist = Gist::of(&outcome);
        }
        self.outcome = Some(outcome);
        (self.took, self.ended) = (took, now);
    }

    /// Takes in what it ended with, laid out and read.
    pub fn lay(&mut self, body: Arc<Body>, gist: Gist) {
        (self.body, self.gist) = (Some(body), gist);
    }

    /// The resource that it reads, where it does.
    pub fn reads(&self) -> Option<String> {
        let params = self.call.as_ref().filter(|_| self.method == "resources/read")?.params.as_deref()?;
        Some(Json::parse(params).ok()?.get("uri")?.text()?.into_owned())
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
