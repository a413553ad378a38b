//! The requests that are on the wire: what each is for, by which ids and tokens its answer and progress are known,
//! and its two clocks.

use std::time::Duration;

use super::refusals::Fault;
use super::{CallId, Outcome, Refused};
use crate::model::{Id, Nanos};
use crate::wire::Json;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// `server/discover`, to find out the era.
    Probe,
    /// `initialize`.
    Initialize,
    /// `logging/setLevel`, by the settings.
    SetLevel,
    /// What was asked for.
    Call(CallId),
    /// A page of tools, before a call is made once more.
    Refresh(CallId),
    /// A page of a list.
    Page(CallId),
    /// A further round of MRTR.
    Round(CallId),
    /// `tasks/get`.
    Poll(CallId),
    /// `tasks/result`.
    TaskResult(CallId),
    /// `tasks/update`.
    TaskUpdate(CallId),
    /// `tasks/cancel`.
    TaskCancel(CallId),
    /// `subscriptions/listen`.
    Listen(CallId),
}

impl Purpose {
    /// The call that it belongs to.
    pub(super) const fn call(self) -> Option<CallId> {
        match self {
            Self::Probe | Self::Initialize | Self::SetLevel => None,
            Self::Call(call)
            | Self::Refresh(call)
            | Self::Page(call)
            | Self::Round(call)
            | Self::Poll(call)
            | Self::TaskResult(call)
            | Self::TaskUpdate(call)
            | Self::TaskCancel(call)
            | Self::Listen(call) => Some(call),
        }
    }

    /// Whether it asks for progress, where the settings want that.
    pub(super) const fn wants_progress(self) -> bool {
        matches!(self, Self::Call(_) | Self::Page(_) | Self::Round(_) | Self::TaskResult(_))
    }

    /// Whether its time is limited. A stream stays open for as long as it may, `tasks/result` for as long as its
    /// task takes.
    pub(super) const fn has_clocks(self) -> bool {
        !matches!(self, Self::Listen(_) | Self::TaskResult(_))
    }

    /// Whether the server is told that its answer is not wanted any more.
    pub(super) const fn is_cancellable(self) -> bool {
        !matches!(self, Self::Probe | Self::Initialize)
    }
}

/// A request on the wire.
#[derive(Debug, Clone)]
pub(super) struct Flight {
    /// Its id.
    pub(super) id: Id,
    /// The place of its message among all that were sent, counted from 1.
    pub(super) place: u64,
    /// Its id as it was written.
    pub(super) written: Vec<u8>,
    /// What it is for.
    pub(super) purpose: Purpose,
    /// Its method.
    pub(super) method: String,
    /// The token that its progress carries.
    pub(super) token: Option<Id>,
    /// When it was sent.
    pub(super) sent: Nanos,
    /// The last sign of life.
    pub(super) heard: Nanos,
    /// How long it may be without a sign of life.
    pub(super) patience: Option<Nanos>,
    /// How long it may take in all.
    pub(super) cap: Option<Nanos>,
}

impl Flight {
    /// When its time is up. While the server waits for an answer of ours, only the cap counts.
    fn ends_at(&self, waited_for: bool) -> Option<Nanos> {
        let patience = self.patience.filter(|_| !waited_for).map(|span| self.heard.saturating_add(span));
        let cap = self.cap.map(|span| self.sent.saturating_add(span));
        patience.into_iter().chain(cap).min()
    }

    /// Which clock ran out, in a sentence.
    pub(super) fn lateness(&self, now: Nanos) -> String {
        match self.cap.filter(|cap| self.sent.saturating_add(*cap) <= now) {
            Some(cap) => format!("no answer within {} in all", span(cap)),
            None => format!("no sign of life for {}", span(self.patience.unwrap_or_default())),
        }
    }
}

/// What came of a request.
#[derive(Debug, Clone)]
pub(super) enum Landing<'a> {
    /// Its `result`.
    Result(Json<'a>),
    /// Its `error`.
    Error(Json<'a>),
    /// The link could not carry it, or brought something that is no answer.
    Refused(Refused),
    /// Its time is up, by which clock; the server was told.
    TimedOut(String),
}

impl Landing<'_> {
    /// The code of an error.
    pub(super) fn code(&self) -> Option<i64> {
        if let Self::Error(error) = self { error.get("code")?.as_i64() } else { None }
    }

    /// What came instead of a result, in words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Result(_) => "a result".to_owned(),
            Self::Error(error) => Fault::read(*error).to_string(),
            Self::Refused(Refused { status: Some(status), why, .. }) => format!("HTTP {status}: {why}"),
            Self::Refused(Refused { why, .. }) | Self::TimedOut(why) => why.clone(),
        }
    }

    /// What it means for a call that it ends.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Result(json) => Outcome::Result(json.raw().into()),
            Self::Error(json) => Outcome::Error(json.raw().into()),
            Self::Refused(Refused { status, why, body, challenge }) => Outcome::Http { status, why, body, challenge },
            Self::TimedOut(which) => Outcome::TimedOut(which),
        }
    }
}

/// The requests on the wire, oldest first.
#[derive(Debug, Default)]
pub(super) struct Flights {
    all: Vec<Flight>,
    /// Questions of the server's that wait for an answer: while there are any, nobody is late for want of a sign.
    pub(super) waited_for: bool,
}

impl Flights {
    pub(super) fn begin(&mut self, flight: Flight) {
        self.all.push(flight);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Flight> {
        self.all.iter()
    }

    /// Takes out the oldest one with this id: a person may send an id twice.
    pub(super) fn take(&mut self, id: &Id) -> Option<Flight> {
        let at = self.all.iter().position(|flight| flight.id == *id)?;
        Some(self.all.remove(at))
    }

    /// The same where it is known in which place it was sent. What is not there any more is not mistaken for another.
    pub(super) fn take_at(&mut self, id: &Id, place: Option<u64>) -> Option<Flight> {
        let Some(place) = place else { return self.take(id) };
        let at = self.all.iter().position(|flight| flight.id == *id && flight.place == place)?;
        Some(self.all.remove(at))
    }

    /// Takes out the next one that belongs to a call.
    pub(super) fn take_of(&mut self, call: CallId) -> Option<Flight> {
        let at = self.all.iter().position(|flight| flight.purpose.call() == Some(call))?;
        Some(self.all.remove(at))
    }

    /// Takes out the next one whose time is up.
    pub(super) fn take_late(&mut self, now: Nanos) -> Option<Flight> {
        let is_late = |flight: &Flight| flight.ends_at(self.waited_for).is_some_and(|at| at <= now);
        let at = self.all.iter().position(is_late)?;
        Some(self.all.remove(at))
    }

    /// Takes out everything.
    pub(super) fn take_all(&mut self) -> Vec<Flight> {
        std::mem::take(&mut self.all)
    }

    /// The one whose progress carries this token.
    pub(super) fn by_token(&mut self, token: &Id) -> Option<&mut Flight> {
        self.all.iter_mut().find(|flight| flight.token.as_ref() == Some(token))
    }

    /// What is the only one on the wire.
    pub(super) fn only(&self) -> Option<&Flight> {
        if let [only] = self.all.as_slice() { Some(only) } else { None }
    }

    /// All of them were heard of now: the server waited for us until now.
    pub(super) fn refresh(&mut self, now: Nanos) {
        for flight in &mut self.all {
            flight.heard = flight.heard.max(now);
        }
    }

    /// When the next one is late.
    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.all.iter().filter_map(|flight| flight.ends_at(self.waited_for)).min()
    }
}

/// A span in words: `60 s`, `1.5 s`.
pub(super) fn span(nanos: Nanos) -> String {
    let seconds = Duration::from_nanos(u64::try_from(nanos).unwrap_or_default()).as_secs_f64();
    format!("{} s", (seconds * 1_000.0).round() / 1_000.0)
}
