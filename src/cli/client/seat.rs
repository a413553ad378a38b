//! Where a command of the client sits: one session, all that is told of it, the questions that the server asks, and
//! the user's interrupts. One thread takes everything in its order.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use super::class::Class;
use super::clerk::Clerk;
use super::voice::{LastTask, Voice, cut};
use super::words::Shared;
use crate::cli::failure::Failure;
use crate::cli::out;
use crate::engine::client::{self, Happening, Options, Session, Target};
use crate::model::{Id, Nanos};
use crate::peer::client::{Attempt, Call, CallId, Item, Kind, List, Order, Outcome, Peer, Settings, State, Told};

/// So much waits to be taken.
const ROOM: usize = 1_024;
/// How long the end of a call is waited for once the connection is over.
const LAST: Duration = Duration::from_millis(500);

/// What reaches a seat.
pub(super) enum News {
    /// From the session.
    Happening(Happening),
    /// A line that was typed; `None` at the end of the input.
    Typed(Option<String>),
    /// The user wants it to end.
    Interrupt,
    /// A time that was asked for has passed.
    Alarm,
}

/// A session with somebody who drives it.
pub(in crate::cli) struct Seat {
    /// Before the session: when a seat is dropped nobody must wait for room here while the session ends.
    news: Receiver<News>,
    session: Session,
    mail: SyncSender<News>,
    pub(in crate::cli) voice: Voice,
    clerk: Clerk,
    settings: Settings,
    last: CallId,
    peer: Option<Arc<Peer>>,
    attempts: Vec<Attempt>,
    /// Why the connection is over, and whether that was an accident.
    over: Option<(String, bool)>,
    task: LastTask,
    interrupts: u32,
    is_time_up: bool,
}

/// How a call ended, with what was seen on its way.
#[derive(Debug)]
pub(in crate::cli) struct Ended {
    pub(in crate::cli) outcome: Outcome,
    pub(in crate::cli) took: Nanos,
    /// The id of the last request.
    pub(in crate::cli) id: Option<Id>,
    /// Requests that it took.
    pub(in crate::cli) rounds: u32,
    /// How often progress was told.
    pub(in crate::cli) progress: u64,
    /// The class of a connection that could not be made, where that is known better than by the outcome.
    class: Option<Class>,
}

impl Ended {
    pub(in crate::cli) fn class(&self) -> Class {
        self.class.unwrap_or_else(|| Class::of(&self.outcome))
    }

    /// The result, where there is one that is no error.
    pub(in crate::cli) fn result(&self) -> Option<&[u8]> {
        match &self.outcome {
            Outcome::Result(bytes) => Some(bytes),
            _ => None,
        }
    }
}

impl Seat {
    /// Starts a session with the server.
    pub(in crate::cli) fn start(target: Target, settings: Settings, shared: &Shared) -> Result<Self, Failure> {
        let voice = Voice::new(shared.place.quiet);
        let (mail, news) = sync_channel(ROOM);
        let clerk = Clerk::new(&settings, voice, mail.clone());
        let mut options = Options::new(target);
        options.settings = settings.clone();
        options.recordings.clone_from(&shared.place.recordings);
        options.max_entry = shared.place.max_entry.saturating_mul(1 << 20);
        options.keep_secrets = shared.place.keep_secrets;
        options.grace = shared.server.grace()?;
        let to = mail.clone();
        // Nobody listens any more once the seat is left: then there is nothing to be told.
        let tell = Arc::new(move |happening| drop(to.send(News::Happening(happening))));
        let to = mail.clone();
        client::on_interrupt(move || to.send(News::Interrupt).is_ok())
            .map_err(|error| Failure::said(format!("failed to listen for signals: {error}")))?;
        let session = client::start(options, tell, Arc::new(out::problem)).map_err(|error| Failure::of(&error))?;
        Ok(Self {
            session,
            news,
            mail,
            voice,
            clerk,
            settings,
            last: 0,
            peer: None,
            attempts: Vec::new(),
            over: None,
            task: LastTask::default(),
            interrupts: 0,
            is_time_up: false,
        })
    }

    /// How the client behaves.
    pub(in crate::cli) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Who is at the other end, once that is known; otherwise the class of what went wrong, which was said.
    pub(in crate::cli) fn opened(&mut self) -> Result<Arc<Peer>, Class> {
        loop {
            if let Some(peer) = &self.peer {
                return Ok(Arc::clone(peer));
            }
            if self.interrupts > 0 {
                return Err(Class::Interrupted);
            }
            if let Some((why, _)) = self.over.clone() {
                self.voice.warn(cut(&why));
                return Err(self.blame(&why));
            }
            self.take(None);
        }
    }

    /// The class of a connection that never opened, after saying what was tried.
    fn blame(&self, why: &str) -> Class {
        self.voice.attempts(&self.attempts);
        super::blame::class_of(why)
    }

    /// Who is at the other end, as far as that is known.
    pub(in crate::cli) fn peer(&self) -> Option<&Arc<Peer>> {
        self.peer.as_ref()
    }

    /// How the era was found out.
    pub(in crate::cli) fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The file that it is recorded into.
    pub(in crate::cli) fn recording(&self) -> Option<std::path::PathBuf> {
        self.session.recording()
    }

    /// Whether somebody asked for an end.
    pub(in crate::cli) fn is_stopped(&self) -> bool {
        self.interrupts > 0 || self.is_time_up
    }

    /// Whether it was a signal.
    pub(in crate::cli) fn is_interrupted(&self) -> bool {
        self.interrupts > 0
    }

    /// Whether the connection is over.
    pub(in crate::cli) fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Why it is over, where that was an accident.
    pub(in crate::cli) fn accident(&self) -> Option<&str> {
        self.over.as_ref().filter(|(_, failed)| *failed).map(|(why, _)| why.as_str())
    }

    /// Gives an order that has a number; which.
    pub(in crate::cli) fn order(&mut self, order: impl FnOnce(CallId) -> Order) -> CallId {
        self.last += 1;
        // An order that is not taken is the end of the session, which is told.
        self.session.order(order(self.last));
        self.last
    }

    /// Gives an order that has none.
    pub(in crate::cli) fn tell(&mut self, order: Order) {
        self.session.order(order);
    }

    /// Makes a request and waits for its end.
    pub(in crate::cli) fn call(&mut self, call: Call) -> Ended {
        let id = self.order(|id| Order::Call(id, call));
        self.wait(id)
    }

    /// Lists a kind, all pages. The list as far as it came, and how it ended.
    pub(in crate::cli) fn list(&mut self, kind: Kind) -> (Option<Arc<List>>, Ended) {
        let id = self.order(|id| Order::List(id, kind));
        self.listed(kind, id)
    }

    /// Fetches one page of a kind; without a cursor the first.
    pub(in crate::cli) fn page(&mut self, kind: Kind, cursor: Option<String>) -> (Option<Arc<List>>, Ended) {
        let id = self.order(|id| Order::Page(id, kind, cursor));
        self.listed(kind, id)
    }

    fn listed(&mut self, kind: Kind, id: CallId) -> (Option<Arc<List>>, Ended) {
        let mut list = None;
        let ended = self.watch(id, |told| {
            if let Told::List(told, seen) = told
                && *told == kind
            {
                list = Some(Arc::clone(seen));
            }
        });
        (list, ended)
    }

    /// Looks for one item, page by page, and no further than it lies.
    pub(in crate::cli) fn find(&mut self, kind: Kind, key: &str, most: u32) -> Result<Option<Item>, Ended> {
        let mut cursor = None;
        for _ in 0..most {
            let (list, ended) = self.page(kind, cursor.take());
            let Some(list) = list.filter(|_| ended.class() == Class::Fine) else { return Err(ended) };
            if let Some(item) = list.items.find(key) {
                return Ok(Some(item.clone()));
            }
            cursor.clone_from(&list.next);
            if cursor.is_none() {
                break;
            }
        }
        Ok(None)
    }

    /// Waits for the end of a call.
    pub(in crate::cli) fn wait(&mut self, call: CallId) -> Ended {
        self.watch(call, |_| ())
    }

    fn watch(&mut self, wanted: CallId, mut see: impl FnMut(&Told)) -> Ended {
        let lost = Outcome::Lost("the session is over".to_owned());
        let mut ended = Ended { outcome: lost, took: 0, id: None, rounds: 0, progress: 0, class: None };
        let mut cancelled = false;
        loop {
            if self.is_stopped() && !cancelled {
                cancelled = true;
                self.tell(Order::Cancel(wanted, "interrupted".to_owned()));
            }
            // A second signal waits for nobody; without a connection there is nobody to wait for.
            if self.interrupts > 1 || (cancelled && self.peer.is_none()) {
                ended.outcome = Outcome::Cancelled;
                return ended;
            }
            let before_open = self.peer.is_none();
            let told = match (self.take(self.over.as_ref().map(|_| LAST)), &self.over) {
                (Taken::Told(told), _) => told,
                (Taken::Nothing, Some((why, _))) => {
                    ended.outcome = Outcome::Lost(why.clone());
                    if before_open {
                        ended.class = Some(self.blame(why));
                    }
                    return ended;
                }
                _ => continue,
            };
            see(&told);
            match told {
                Told::Sent { call, round, id, .. } if call == wanted => {
                    ended.id = Some(id);
                    ended.rounds = round;
                }
                Told::Progress { call, .. } if call == wanted => ended.progress += 1,
                Told::Ended { call, outcome, took } if call == wanted => {
                    ended.took = took;
                    if let (true, Outcome::Lost(why) | Outcome::Refused(why)) = (before_open, &outcome) {
                        ended.class = Some(self.blame(why));
                    }
                    ended.outcome = outcome;
                    return ended;
                }
                _ => {}
            }
        }
    }

    /// Takes whatever is told next, until somebody asks for the end or the connection is over.
    pub(in crate::cli) fn hear(&mut self, limit: Option<Duration>) -> Option<Told> {
        while !self.is_stopped() && !self.is_over() {
            match self.take(limit) {
                Taken::Told(told) => return Some(told),
                Taken::Nothing => return None,
                Taken::Other => {}
            }
        }
        None
    }

    /// Asks for the end after this time.
    pub(in crate::cli) fn alarm(&self, after: Duration) -> Result<(), Failure> {
        let mail = self.mail.clone();
        let ring = move || {
            std::thread::sleep(after);
            drop(mail.send(News::Alarm));
        };
        let made = std::thread::Builder::new().name("alarm".to_owned()).spawn(ring);
        made.map(drop).map_err(|error| Failure::said(format!("failed to start a thread: {error}")))
    }

    fn take(&mut self, limit: Option<Duration>) -> Taken {
        let news = match limit {
            Some(limit) => self.news.recv_timeout(limit),
            None => self.news.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match news {
            Ok(News::Happening(Happening::Told(told))) => {
                self.see(&told);
                return Taken::Told(told);
            }
            Ok(News::Happening(Happening::Stderr(line))) => {
                if !self.voice.is_quiet() {
                    self.clerk.aside(|| self.voice.stderr(&line));
                }
            }
            Ok(News::Happening(Happening::Environment(_))) => {}
            Ok(News::Typed(line)) => {
                for order in self.clerk.typed(line) {
                    self.session.order(order);
                }
            }
            Ok(News::Interrupt) => {
                self.interrupts += 1;
                if self.interrupts > 1 {
                    self.session.hurry();
                }
            }
            Ok(News::Alarm) => self.is_time_up = true,
            Err(_) => return Taken::Nothing,
        }
        Taken::Other
    }

    /// Notes what a seat must know, says what somebody should hear, answers what is asked.
    fn see(&mut self, told: &Told) {
        match told {
            Told::State(State::Open(peer)) => self.peer = Some(Arc::clone(peer)),
            Told::State(State::Closed { why, failed }) => self.over = Some((why.clone(), *failed)),
            Told::Attempt(attempt) => self.attempts.push(attempt.clone()),
            Told::Asked(question) => {
                for order in self.clerk.asked(question) {
                    self.session.order(order);
                }
            }
            Told::Settled(question, why) => self.clerk.settled(*question, why),
            Told::Task { task, .. } if !self.task.is_news(task) => {}
            other if self.voice.tells(other) => self.clerk.aside(|| self.voice.told(other)),
            _ => {}
        }
    }

    /// Ends the session in order and says where its recording lies.
    pub(in crate::cli) fn leave(self) {
        let recording = self.session.recording();
        // Whatever is still told must find somebody, or the session would wait for room.
        let news = self.news;
        let drain = std::thread::Builder::new().name("drain".to_owned()).spawn(move || for _ in news {});
        if self.interrupts > 0 {
            self.session.hurry();
        }
        self.session.stop();
        // Without the thread the receiver is gone, and nobody waits.
        drop(drain);
        if let Some(path) = recording {
            self.voice.note(&format!("recorded in {}", path.display()));
        }
    }
}

/// What was taken.
enum Taken {
    Told(Told),
    /// Something that was dealt with.
    Other,
    /// Nothing came.
    Nothing,
}
