//! One connection of the window's own client, as the page knows it.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use super::Subject;
use super::call::{CallRecord, Progress, Round, Sort};
use crate::engine::client::{Target, Way, name_of};
use crate::engine::view::{Body, ConnectionId, Json};
use crate::model::Nanos;
use crate::peer::client::{
    Attempt, Bytes, CallId, Gist, Kind, List, Peer, Question, QuestionId, Settings, State, Told,
};

/// Calls that are remembered; of more the oldest that are over go.
const MOST_CALLS: usize = 500;
/// Bytes that remembered calls may hold; beyond it the oldest lose what they ended with.
const MOST_BYTES: usize = 256 * 1024 * 1024;
/// Notifications that are kept.
const MOST_NOTICES: usize = 10_000;
/// Bytes of notifications that are kept.
const MOST_NOTICE_BYTES: usize = 32 * 1024 * 1024;
/// Lines of stderr that are kept.
const MOST_LINES: usize = 5_000;
/// Late answers of one call that are kept.
const MOST_LATE: usize = 8;
/// Bytes of a notification that is read for the resource that it is about.
const MOST_CHANGE: usize = 64 * 1024;

/// Where a connection stands, in the page's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is being opened.
    Opening,
    /// It can be used.
    Open,
    /// It ended as was asked for.
    Closed,
    /// It failed.
    Failed,
}

/// A question that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// When it was asked, by the window's clock.
    pub at: Nanos,
}

/// A notification, or something that fits nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// When it came.
    pub at: Nanos,
    /// Its method; for a stray why it fits nowhere; for a stream what happened.
    pub what: String,
    /// The message; empty for what happened to a stream.
    pub message: Bytes,
    /// Its call, or the call that listens.
    pub call: Option<CallId>,
    /// What it is.
    pub sort: NoticeSort,
}

/// What stands in the stream of notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeSort {
    /// A notification.
    Notification,
    /// Something about a subscription.
    Stream,
    /// Something that fits nowhere.
    Stray,
}

/// A connection.
#[derive(Debug)]
pub struct Connection {
    /// Its number.
    pub id: ConnectionId,
    /// What it is connected to.
    pub target: Target,
    /// How it behaves.
    pub settings: Arc<Settings>,
    /// Where it stands.
    pub state: State,
    /// Who is at the other end; stays when the connection has ended.
    pub peer: Option<Arc<Peer>>,
    /// How the era was found out.
    pub attempts: Vec<Attempt>,
    /// The lists, as far as they were fetched.
    pub lists: BTreeMap<Kind, Arc<List>>,
    /// The calls that fetch them.
    pub fetching: BTreeMap<Kind, CallId>,
    /// Calls, the oldest first.
    pub calls: Vec<CallRecord>,
    /// Questions that wait for an answer, the oldest first.
    pub questions: Vec<Asked>,
    /// Notifications and the like, the oldest first.
    pub notifications: VecDeque<Notice>,
    /// How many of them were let go.
    pub notices_left_out: u64,
    /// Lines of the server's stderr, the oldest first.
    pub stderr: VecDeque<String>,
    /// How many of them were let go.
    pub lines_left_out: u64,
    /// The environment that the server was started with, values masked.
    pub environment: Vec<(String, String)>,
    /// The file that it is recorded in.
    pub recording: Option<PathBuf>,
    /// When it was asked for.
    pub since: Nanos,
    last_call: CallId,
    notice_bytes: usize,
}

impl Connection {
    /// A connection that is about to be made.
    pub fn new(id: ConnectionId, target: Target, settings: Settings, now: Nanos) -> Self {
        Self {
            id,
            target,
            settings: Arc::new(settings),
            state: State::Opening,
            peer: None,
            attempts: Vec::new(),
            lists: BTreeMap::new(),
            fetching: BTreeMap::new(),
            calls: Vec::new(),
            questions: Vec::new(),
            notifications: VecDeque::new(),
            notices_left_out: 0,
            stderr: VecDeque::new(),
            lines_left_out: 0,
            environment: Vec::new(),
            recording: None,
            since: now,
            last_call: 0,
            notice_bytes: 0,
        }
    }

    /// Where it stands.
    pub fn standing(&self) -> Standing {
        match &self.state {
            State::Opening => Standing::Opening,
            State::Open(_) => Standing::Open,
            State::Closed { failed: false, .. } => Standing::Closed,
            State::Closed { failed: true, .. } => Standing::Failed,
        }
    }

    /// What it is called: by who connected, else by its command or URL.
    pub fn name(&self) -> String {
        Self::name_of(&self.target)
    }

    /// What the connection to a target is called.
    pub fn name_of(target: &Target) -> String {
        if !target.name.is_empty() {
            return target.name.clone();
        }
        match &target.way {
            Way::Command { command, .. } => name_of(command),
            Way::Url { url, .. } => url.clone(),
        }
    }

    /// A call by its number.
    pub fn call(&self, id: CallId) -> Option<&CallRecord> {
        self.calls.iter().rev().find(|call| call.id == id)
    }

    /// The same, to be changed.
    pub fn call_mut(&mut self, id: CallId) -> Option<&mut CallRecord> {
        self.calls.iter_mut().rev().find(|call| call.id == id)
    }

    /// The calls of one subject, the latest first.
    pub fn calls_of<'a>(&'a self, subject: &'a Subject) -> impl Iterator<Item = &'a CallRecord> {
        self.calls.iter().rev().filter(move |call| call.subject.as_ref() == Some(subject))
    }

    /// The number of the next call.
    pub fn next_call(&mut self) -> CallId {
        self.last_call += 1;
        self.last_call
    }

    /// Remembers a call that is about to be made.
    pub fn remember(&mut self, record: CallRecord) {
        if self.calls.len() >= MOST_CALLS
            && let Some(oldest) = self.calls.iter().position(|call| !call.is_running())
        {
            self.calls.remove(oldest);
        }
        self.calls.push(record);
    }

    /// Whether the server declares a capability; `None` where it said nothing of its capabilities.
    pub fn declares(&self, capability: &str) -> Option<bool> {
        let bytes = self.peer.as_ref()?.capabilities.as_ref()?;
        Some(Json::parse(bytes).ok()?.get(capability).is_some())
    }

    /// Takes in what happened.
    pub fn absorb(&mut self, told: Told, now: Nanos) {
        match told {
            Told::State(state) => self.stands(state),
            Told::Attempt(attempt) => self.attempts.push(attempt),
            Told::List(kind, list) => {
                self.lists.insert(kind, list);
            }
            Told::Asked(question) => self.asked(question, now),
            Told::Settled(id, how) => self.settled(id, &how, now),
            Told::Notified { method, message, call } => {
                if method == "notifications/resources/updated" && message.len() <= MOST_CHANGE {
                    self.resource_changed(&message);
                }
                self.notice(Notice { at: now, what: method, message, call, sort: NoticeSort::Notification });
            }
            Told::Stream { call, what } => {
                if let Some(record) = self.call_mut(call) {
                    record.note(now, Sort::Course, "stream", what.clone());
                }
                let message = Bytes::from([]);
                self.notice(Notice { at: now, what, message, call: Some(call), sort: NoticeSort::Stream });
            }
            Told::Link(what) => {
                let message = Bytes::from([]);
                self.notice(Notice { at: now, what, message, call: None, sort: NoticeSort::Stream });
            }
            Told::Stray { bytes, why } => {
                self.notice(Notice { at: now, what: why, message: bytes, call: None, sort: NoticeSort::Stray });
            }
            Told::Sent { call, .. }
            | Told::Progress { call, .. }
            | Told::Round { call, .. }
            | Told::Task { call, .. }
            | Told::Ended { call, .. }
            | Told::Late { call, .. } => self.of_call(call, told, now),
        }
    }

    /// Takes in what a call ended with, laid out.
    pub fn laid(&mut self, call: CallId, body: Arc<Body>, gist: Gist) {
        if let Some(record) = self.call_mut(call) {
            record.lay(body, gist);
        }
        self.lighten();
    }

    /// Takes in a line of stderr.
    pub fn line(&mut self, line: String) {
        if self.stderr.len() == MOST_LINES {
            self.stderr.pop_front();
            self.lines_left_out += 1;
        }
        self.stderr.push_back(line);
    }

    fn stands(&mut self, state: State) {
        match &state {
            State::Open(peer) => self.peer = Some(Arc::clone(peer)),
            State::Closed { .. } => {
                self.questions.clear();
                self.fetching.clear();
            }
            State::Opening => {}
        }
        self.state = state;
    }

    fn asked(&mut self, question: Question, now: Nanos) {
        if let Some(record) = question.call.and_then(|call| self.call_mut(call)) {
            record.note(now, Sort::Question, question.method.clone(), "asked");
        }
        self.questions.push(Asked { question, at: now });
    }

    /// A question was answered here: it waits no longer, whatever the client makes of the answer.
    pub fn answered(&mut self, id: QuestionId, now: Nanos) {
        self.settled(id, "answered", now);
    }

    /// A question waits no longer: how it was settled.
    pub fn settled(&mut self, id: QuestionId, how: &str, now: Nanos) {
        let Some(place) = self.questions.iter().position(|asked| asked.question.id == id) else { return };
        let asked = self.questions.remove(place);
        if let Some(record) = asked.question.call.and_then(|call| self.call_mut(call)) {
            record.note(now, Sort::Question, asked.question.method, how);
        }
    }

    /// The server says that a resource is another now: what was read of it is not fresh any more.
    fn resource_changed(&mut self, message: &[u8]) {
        let json = Json::parse(message).ok();
        let uri = json.and_then(|json| json.get("params")?.get("uri")?.text());
        let Some(uri) = uri else { return };
        for record in self.calls.iter_mut().filter(|record| record.gist.caching.is_some() && !record.changed) {
            record.changed = record.reads().is_some_and(|read| read == uri);
        }
    }

    fn notice(&mut self, notice: Notice) {
        if let Some(record) = notice.call.and_then(|call| self.call_mut(call))
            && notice.sort == NoticeSort::Notification
            && notice.what != "notifications/progress"
        {
            let text = String::from_utf8_lossy(&notice.message[..notice.message.len().min(400)]).into_owned();
            record.note(notice.at, Sort::Notification, notice.what.clone(), text);
        }
        self.notice_bytes += notice.message.len();
        self.notifications.push_back(notice);
        while self.notifications.len() > MOST_NOTICES || self.notice_bytes > MOST_NOTICE_BYTES {
            let Some(gone) = self.notifications.pop_front() else { break };
            self.notice_bytes -= gone.message.len();
            self.notices_left_out += 1;
        }
    }

    fn of_call(&mut self, call: CallId, told: Told, now: Nanos) {
        if matches!(told, Told::Ended { .. }) {
            self.fetching.retain(|_, id| *id != call);
        }
        let Some(record) = self.call_mut(call) else { return };
        match told {
            Told::Sent { round, id, message, .. } => {
                if round > 1 {
                    record.note(now, Sort::Course, format!("round {round}"), "sent");
                }
                record.sent(Round { number: round, id, request: message, at: now, result: None, next: None });
            }
            Told::Progress { progress, total, message, .. } => {
                let count = record.progress.as_ref().map_or(0, |last| last.count) + 1;
                let of = total.as_ref().map(|total| format!(" of {total}")).unwrap_or_default();
                let text = message.clone().unwrap_or_default();
                record.note(now, Sort::Notification, format!("progress {progress}{of}"), text);
                record.progress = Some(Progress { done: progress, total, message, count, at: now });
            }
            Told::Round { round, result, next, .. } => {
                let known = record.rounds.iter_mut().rev().find(|it| it.number == round);
                let fresh = known.as_ref().is_some_and(|it| it.result.is_none());
                if let Some(known) = known {
                    known.result = Some(result);
                    known.next = next;
                }
                if fresh {
                    record.note(now, Sort::Course, format!("round {round}"), "input required");
                }
            }
            Told::Task { task, .. } => {
                if record.task.as_ref().is_none_or(|known| known.status != task.status) {
                    record.note(
                        now,
                        Sort::Course,
                        format!("task {}", task.status),
                        task.message.clone().unwrap_or_default(),
                    );
                }
                record.task = Some(task);
            }
            Told::Ended { outcome, took, .. } => {
                record.end(outcome, took, now);
            }
            Told::Late { message, .. } if record.late.len() < MOST_LATE => {
                record.note(now, Sort::Odd, "late answer", "it came after the call was over");
                record.late.push(message);
            }
            _ => {}
        }
        self.lighten();
    }

    /// Lets the oldest calls go that hold more than is kept.
    fn lighten(&mut self) {
        let mut weight: usize = self.calls.iter().map(CallRecord::weight).sum();
        while weight > MOST_BYTES && self.calls.len() > 1 {
            let Some(oldest) = self.calls.iter().position(|call| !call.is_running()) else { return };
            if oldest + 1 == self.calls.len() {
                return;
            }
            weight -= self.calls.remove(oldest).weight();
        }
    }
}
