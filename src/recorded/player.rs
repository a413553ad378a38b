//! Answers as recordings do.

use std::collections::BTreeSet;

use super::loose::Timers;
use super::seats::Seats;
use super::shelf::{self, Shelf};
use super::{Call, Listing, MatchWay, Matching, Outcome, Session, era, near, session};
use crate::model::{Era, Nanos};
use crate::peer::server::{About, Answer, Asked, Bytes, Kind, Link, Miss, Near, Order, Pace, Plan, Script, Step, Text};
use crate::wire::Json;

/// So many calls are learnt.
const LEARNT: usize = 10_000;

/// A script made of recordings; the first that has an answer counts.
#[derive(Debug)]
pub struct Player {
    /// The last one is what was learnt while serving.
    sessions: Vec<Session>,
    shelves: Vec<Shelf>,
    matching: Matching,
    about: About,
    seats: Seats,
    timers: Timers,
    lists: Vec<(Kind, Vec<Bytes>)>,
}

/// The call that answers.
#[derive(Debug, Clone, Copy)]
struct Found {
    session: usize,
    call: usize,
    /// How often this was asked, this time included.
    nth: u64,
    /// Whether this call answers for the first time.
    first: bool,
}

impl Player {
    /// One that answers from these.
    pub fn new(mut sessions: Vec<Session>, matching: Matching) -> Self {
        let about = sessions.first().map_or_else(session::nobody, |session| session.about.clone());
        let lists = [Kind::Tools, Kind::Resources, Kind::Templates, Kind::Prompts];
        let lists = lists.map(|kind| (kind, merged(&sessions, kind))).into();
        sessions.push(Session::learnt());
        let shelves = sessions.iter().map(|session| Shelf::new(&session.calls, &matching)).collect();
        let (seats, timers) = (Seats::default(), Timers::default());
        Self { sessions, shelves, matching, about, seats, timers, lists }
    }

    /// With what comes loose at this pace.
    #[must_use]
    pub fn paced(mut self, pace: Pace) -> Self {
        self.timers.pace = pace;
        self
    }

    /// What it answers from; the last is what was learnt while serving.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// The call that is to answer; how many would have, had they not answered already.
    fn find(&mut self, asked: &Asked<'_>) -> Result<Found, usize> {
        let key = shelf::key(asked.method, asked.params, &self.matching);
        let (count, seat) = self.seats.count(asked, key);
        let mut gone = 0;
        for (session, shelf) in self.shelves.iter().enumerate() {
            let calls = &self.sessions[session].calls;
            let fitting = fitting(calls, shelf.find(&key), asked, seat.map(|seat| seat % shelf.clients()));
            let Some(last) = fitting.last() else { continue };
            let place = usize::try_from(count).unwrap_or(usize::MAX);
            let found = |call, first| Ok(Found { session, call, nth: count + 1, first });
            match fitting.get(place.saturating_sub(gone)) {
                Some(call) => return found(*call, true),
                None if self.matching.way == MatchWay::Params => {
                    let answered = fitting.iter().rev().find(|call| calls[**call].is_answered());
                    return found(*answered.unwrap_or(last), false);
                }
                None => gone += fitting.len(),
            }
        }
        Err(gone)
    }

    /// The handshake that agreed on the revision of this one, whoever the client was.
    fn greeted(&self, asked: &Asked<'_>, found: Option<Found>) -> Option<Found> {
        if asked.method != "initialize" || found.is_some_and(|found| agrees(self.call(found), asked)) {
            return found;
        }
        self.sessions.iter().enumerate().find_map(|(session, recorded)| {
            let call = recorded.calls.iter().position(|call| call.method == "initialize" && agrees(call, asked))?;
            Some(Found { session, call, nth: 1, first: true })
        })
    }

    fn call(&self, found: Found) -> &Call {
        &self.sessions[found.session].calls[found.call]
    }

    fn found(&mut self, found: Found, asked: &Asked<'_>) -> Answer {
        let session = &self.sessions[found.session];
        if found.first {
            self.timers.call(session, found.call, asked);
        }
        let call = &session.calls[found.call];
        if let Some(list) = session.listed(call) {
            self.lists
                .iter_mut()
                .filter(|(kind, _)| *kind == list.kind)
                .for_each(|(_, items)| items.clone_from(&list.items));
        }
        let own = is_own(call, asked);
        if own && call.steps.is_empty() {
            return Answer::Own;
        }
        let steps = match era::steps(call, asked) {
            Ok(steps) if own => accompanied(steps),
            Ok(steps) => steps,
            Err(_) if own => return Answer::Own,
            Err(why) => {
                let near = Near { what: call.name(), place: Some(call.seq), seq: Some(call.seq), ..Near::default() };
                return miss(why, vec![near]);
            }
        };
        let whence = if self.sessions.len() > 2 { format!(" of {}", session.name) } else { String::new() };
        let other = if call.era == asked.era { String::new() } else { format!(", recorded in {}", call.revision) };
        let by = format!("{}{whence}{other}", call.name());
        Answer::Plan(Plan { by, place: (call.seq > 0).then_some(call.seq), nth: found.nth, steps, ..Plan::default() })
    }

    fn missed(&self, asked: &Asked<'_>, gone: usize) -> Answer {
        let calls = || self.sessions.iter().flat_map(|session| &session.calls);
        let near = near::near(asked, calls(), &self.matching.ignored);
        let method = asked.method;
        if gone > 0 {
            let what = if self.matching.way == MatchWay::Order { "of this method" } else { "that ask this" };
            let why = format!("all recorded calls {what} ({gone} of {method}) have answered already");
            return miss(why, near);
        }
        if near.is_empty() {
            let methods: BTreeSet<&str> = calls().map(|call| &*call.method).take(100_000).collect();
            let methods: Vec<&str> = methods.into_iter().take(20).collect();
            return miss(format!("no call of {method} is recorded; recorded are {}", methods.join(", ")), near);
        }
        miss(format!("no recorded call of {method} asks this"), near)
    }
}

impl Script for Player {
    fn about(&self) -> &About {
        &self.about
    }

    fn list(&self, kind: Kind) -> &[Bytes] {
        self.lists.iter().find(|(known, _)| *known == kind).map_or(&[], |(_, items)| items)
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Answer {
        let found = self.find(asked);
        let greeted = self.greeted(asked, found.ok());
        match greeted.map_or(found, Ok) {
            Ok(found) => self.found(found, asked),
            Err(_) if protocols_own(asked.method) => Answer::Own,
            Err(gone) => self.missed(asked, gone),
        }
    }

    fn learn(&mut self, asked: &Asked<'_>, steps: &[Step]) {
        let Some(learnt) = self.sessions.last_mut().filter(|learnt| learnt.calls.len() < LEARNT) else { return };
        let call = Call::learnt(asked, steps);
        if let Some(shelf) = self.shelves.last_mut() {
            shelf.put(&call, learnt.calls.len(), &self.matching);
        }
        learnt.calls.push(call);
    }

    fn due(&mut self, now: Nanos) -> Option<Order> {
        self.timers.due(now)
    }

    fn due_at(&self) -> Option<Nanos> {
        self.timers.next()
    }
}

/// Of the calls that ask this those that answer best: of the same era, of the client whose place this one takes (the
/// second client that comes gets what the second was told), of a task where one is asked for, and on stdio
/// none that ended because a connection of HTTP broke.
fn fitting(calls: &[Call], places: &[usize], asked: &Asked<'_>, client: Option<u32>) -> Vec<usize> {
    let mut fitting = places.to_vec();
    let mut prefer = |wanted: &dyn Fn(&Call) -> bool| {
        if fitting.iter().any(|place| wanted(&calls[*place])) {
            fitting.retain(|place| wanted(&calls[*place]));
        }
    };
    prefer(&|call| call.era == asked.era);
    if client.is_some() {
        prefer(&|call| call.client == client);
    }
    let task = has_task(asked.params);
    prefer(&|call| asked.era == Era::Modern || has_task(call.params.as_deref()) == task);
    prefer(&|call| asked.link == Link::Http || !matches!(call.outcome, Outcome::Broken | Outcome::Http { .. }));
    fitting
}

fn has_task(params: Option<&[u8]>) -> bool {
    // Few have one, and large params are not read for each call that may answer.
    let may = params.filter(|params| memchr::memmem::find(params, b"\"task\"").is_some());
    may.and_then(|params| Json::parse(params).ok()).is_some_and(|params| params.get("task").is_some())
}

/// Whether a recorded handshake agreed on the revision that is to be agreed on.
fn agrees(call: &Call, asked: &Asked<'_>) -> bool {
    let Outcome::Result(result) = &call.outcome else { return false };
    let version = Json::parse(result).ok().and_then(|result| result.get("protocolVersion"));
    version.is_some_and(|version| version.is_text(asked.revision.text()))
}

/// What every server answers by the protocol alone.
pub(super) fn protocols_own(method: &str) -> bool {
    let named =
        matches!(method, "initialize" | "server/discover" | "ping" | "logging/setLevel" | "subscriptions/listen");
    named || lists(method) || method.starts_with("tasks/") || subscribes(method)
}

fn lists(method: &str) -> bool {
    matches!(method, "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list")
}

fn subscribes(method: &str) -> bool {
    matches!(method, "resources/subscribe" | "resources/unsubscribe")
}

/// Whether the machine answers although the recording does: what it must know itself (who is there, what is subscribed
/// to, tasks), and lists in the other era.
fn is_own(call: &Call, asked: &Asked<'_>) -> bool {
    let method = call.method.as_str();
    let recorded = call.era == asked.era;
    let succeeded = matches!(call.outcome, Outcome::Result(_));
    match method {
        "initialize" => !agrees(call, asked),
        "server/discover" | "subscriptions/listen" => true,
        _ if method.starts_with("tasks/") => true,
        _ if lists(method) => !recorded,
        _ => protocols_own(method) && (!recorded || succeeded),
    }
}

/// The protocol's own answer, with what came along with the recorded one.
fn accompanied(mut steps: Vec<Step>) -> Vec<Step> {
    steps.retain(|step| {
        !matches!(step, Step::Result { .. } | Step::Error { .. } | Step::Respond { .. } | Step::Break | Step::Task(_))
    });
    steps.push(Step::Own);
    steps
}

fn miss(why: String, near: Vec<Near>) -> Answer {
    Answer::Miss(Box::new(Miss { why, near }))
}

/// The first list of each session, one behind the other without what is there already.
fn merged(sessions: &[Session], kind: Kind) -> Vec<Bytes> {
    let mut names = BTreeSet::new();
    let first = |session: &Session| session.lists.iter().find(|list| list.kind == kind).cloned();
    let items = sessions.iter().filter_map(first).flat_map(|list: Listing| list.items);
    items
        .enumerate()
        .filter(|(place, item)| names.insert(name(item).unwrap_or_else(|| place.to_string())))
        .map(|(_, item)| item)
        .collect()
}

/// By what an item is known.
fn name(item: &[u8]) -> Option<String> {
    let json = Json::parse(item).ok()?;
    let name = json.get("uri").or_else(|| json.get("uriTemplate")).or_else(|| json.get("name"))?;
    Some(name.text()?.into_owned())
}

impl Session {
    /// One to which is added what is learnt.
    fn learnt() -> Self {
        Self {
            name: "this run".to_owned(),
            about: session::nobody(),
            spoken: Vec::new(),
            calls: Vec::new(),
            loose: Vec::new(),
            lists: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The list that this call asked for the beginning of.
    fn listed(&self, call: &Call) -> Option<&Listing> {
        self.lists.iter().find(|list| list.seq == call.seq)
    }
}

impl Call {
    /// What was done about a request.
    fn learnt(asked: &Asked<'_>, steps: &[Step]) -> Self {
        let mut call = Self {
            seq: 0,
            client: None,
            era: asked.era,
            revision: asked.revision.clone(),
            method: asked.method.to_owned(),
            params: asked.params.map(Into::into),
            message: asked.message.into(),
            steps: Vec::new(),
            answered: Vec::new(),
            outcome: Outcome::Nothing,
            after: 0,
            notes: Vec::new(),
        };
        let mut after = 0;
        for step in steps {
            match step {
                Step::Wait(time) => after += time,
                Step::Result { result: Text::Fixed(result), .. } => {
                    call.outcome = Outcome::Result(Bytes::clone(result));
                }
                Step::Error { error: Text::Fixed(error), .. } => call.outcome = Outcome::Error(Bytes::clone(error)),
                other => call.steps.push((std::mem::take(&mut after), other.clone())),
            }
        }
        call.after = after;
        call
    }
}
