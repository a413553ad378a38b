//! Runs a call or a chain of a project: one connection for each server that it names, one call after the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use super::request;
use super::seat::{Seat, leave};
use super::target::target;
use crate::engine::client::{Happening, Options, Target};
use crate::engine::record::Say;
use crate::model::Nanos;
use crate::peer::client as peer;
use crate::peer::client::{CallId, Order, Outcome, Peer, Told};
use crate::project::{Answer, Project, Ready, Run, Verdict};

/// So much waits to be taken.
const ROOM: usize = 1_024;

/// What a run needs besides the project.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The project's file, from whose folder those of servers are counted.
    pub path: PathBuf,
    /// The folder for recordings; otherwise the usual one.
    pub recordings: Option<PathBuf>,
    /// How many bytes of one entry are recorded.
    pub max_entry: u64,
    /// Whether what looks like a secret is recorded.
    pub keep_secrets: bool,
    /// How long servers have to exit at the end.
    pub grace: Duration,
}

impl RunOptions {
    /// For this file, with everything else as usual.
    pub fn new(path: &Path) -> Self {
        let usual = Options::new(Target::default());
        let (max_entry, keep_secrets, grace) = (usual.max_entry, usual.keep_secrets, usual.grace);
        Self { path: path.to_owned(), recordings: None, max_entry, keep_secrets, grace }
    }
}

/// What happens in a run.
#[derive(Debug)]
pub enum Step<'a> {
    /// A server was reached; its recording.
    Open(&'a str, &'a Arc<Peer>, Option<PathBuf>),
    /// A call is sent now.
    Begins(&'a Ready),
    /// Something was told of a connection besides.
    Told(&'a str, &'a Told),
    /// A server wrote a line on its stderr.
    Stderr(&'a str, &'a str),
    /// A call is over; without an outcome it was one that nothing answers.
    Ended(&'a Ready, Option<&'a Outcome>, Nanos, &'a Verdict),
    /// A call cannot be sent: why.
    Unsent(&'a str, &'a str),
}

/// Ends a run from another thread.
#[derive(Debug, Clone)]
pub struct Stop(SyncSender<Mail>);

impl Stop {
    /// Cancels the call that is under way and ends the run. `false` when it is over.
    pub fn stop(&self) -> bool {
        self.0.send(Mail::Stop).is_ok()
    }
}

/// What reaches a run.
#[derive(Debug)]
pub(super) enum Mail {
    Happening(usize, Happening),
    Stop,
}

/// A run that can begin.
pub struct Runner {
    project: Project,
    run: Run,
    options: RunOptions,
    mail: SyncSender<Mail>,
    news: Receiver<Mail>,
    seats: Vec<(String, Seat)>,
    last: CallId,
    stopped: bool,
}

/// Who is told of steps.
type Tell<'a> = &'a mut dyn FnMut(Step<'_>);

impl Runner {
    /// A runner of this run.
    pub fn new(project: Project, run: Run, options: RunOptions) -> Self {
        let (mail, news) = sync_channel(ROOM);
        Self { project, run, options, mail, news, seats: Vec::new(), last: 0, stopped: false }
    }

    /// What ends it from another thread.
    pub fn stopper(&self) -> Stop {
        Stop(self.mail.clone())
    }

    /// The targets of the run, in the order in which they are needed, so that somebody can agree to their commands
    /// before anything is started. The error fits after "failed to".
    pub fn targets(&self) -> Result<Vec<Target>, String> {
        let mut names: Vec<Option<&str>> = Vec::new();
        let mut before = None;
        for call in self.run.calls() {
            let own = crate::project::get(&self.project.calls, call).and_then(|call| call.target.as_deref());
            before = own.or(before);
            if !names.contains(&before) {
                names.push(before);
            }
        }
        names.into_iter().map(|name| Ok(target(&self.project, &self.options.path, name)?.0)).collect()
    }

    /// Runs it; how many calls ended as expected, and the first outcome that was not, if any. `tell` hears each step,
    /// `say` troubles of recordings.
    pub fn run(mut self, tell: Tell<'_>, say: &Say) -> (usize, Option<Failed>) {
        let (mut fine, mut failed) = (0, None);
        while !self.stopped {
            let ready = match self.run.next_call() {
                None => break,
                Some(Ok(ready)) => ready,
                Some(Err(why)) => {
                    tell(Step::Unsent(self.name(), &why));
                    failed.get_or_insert(Failed { why, outcome: None });
                    break;
                }
            };
            let (outcome, took) = match self.seat(&ready, tell, say) {
                Ok(index) => self.call(index, &ready, tell),
                Err(why) => (Some(Outcome::Lost(why)), 0),
            };
            let verdict = self.run.ended(outcome.as_ref().map_or(Answer::Sent, request::answer));
            tell(Step::Ended(&ready, outcome.as_ref(), took, &verdict));
            match verdict.why {
                None => fine += 1,
                Some(why) => drop(failed.get_or_insert(Failed { why, outcome })),
            }
        }
        leave(self.seats.into_iter().map(|(_, seat)| seat).collect(), self.news, self.stopped);
        (fine, failed)
    }

    fn name(&self) -> &str {
        self.run.calls().first().map_or("", String::as_str)
    }

    /// The connection that a call needs, begun where there is none yet.
    fn seat(&mut self, ready: &Ready, tell: Tell<'_>, say: &Say) -> Result<usize, String> {
        let name = ready.target.clone().unwrap_or_default();
        if let Some(index) = self.seats.iter().position(|(other, _)| *other == name) {
            return Ok(index);
        }
        let (target, settings) = target(&self.project, &self.options.path, ready.target.as_deref())?;
        let mut options = Options::new(target);
        options.settings = settings;
        options.recordings.clone_from(&self.options.recordings);
        options.max_entry = self.options.max_entry;
        options.keep_secrets = self.options.keep_secrets;
        options.grace = self.options.grace;
        let index = self.seats.len();
        let seat = Seat::start(index, options, self.mail.clone(), Arc::clone(say))?;
        self.seats.push((name, seat));
        loop {
            let (name, seat) = &self.seats[index];
            if let Some(peer) = &seat.peer {
                tell(Step::Open(name, peer, seat.session.recording()));
                return Ok(index);
            }
            if let Some(why) = &seat.over {
                return Err(why.clone());
            }
            if self.stopped {
                return Err("it was interrupted".to_owned());
            }
            self.take(tell);
        }
    }

    /// Makes a call and waits for its end; nothing where nothing answers.
    fn call(&mut self, index: usize, ready: &Ready, tell: Tell<'_>) -> (Option<Outcome>, Nanos) {
        self.last += 1;
        if self.seats[index].1.lists(ready, self.last) {
            // Where the list fails, the call is made all the same.
            self.wait(index, self.last, &[], tell);
            self.last += 1;
        }
        let (_, seat) = &self.seats[index];
        seat.behave(&ready.answers);
        tell(Step::Begins(ready));
        if let Some(order) = request::one_way(ready) {
            seat.session.order(order);
            return (None, 0);
        }
        seat.session.order(Order::Call(self.last, request::call(ready)));
        let (outcome, took) = self.wait(index, self.last, &ready.answers, tell);
        (Some(outcome), took)
    }

    /// Waits for the end of a call, and answers what the server asks meanwhile.
    fn wait(&mut self, index: usize, call: CallId, answers: &[(String, String)], tell: Tell<'_>) -> (Outcome, Nanos) {
        let mut used: Vec<usize> = vec![0; answers.len()];
        let mut cancelled = false;
        loop {
            if self.stopped && !cancelled {
                cancelled = true;
                self.seats[index].1.session.order(Order::Cancel(call, "interrupted".to_owned()));
            }
            if let Some(why) = &self.seats[index].1.over {
                return (Outcome::Lost(why.clone()), 0);
            }
            match self.take(tell) {
                Some((from, Told::Ended { call: ended, outcome, took })) if from == index && ended == call => {
                    return (outcome, took);
                }
                Some((from, Told::Asked(question))) => {
                    let answer = request::saved_answer(&question, answers, &mut used).unwrap_or_else(unanswered);
                    self.seats[from].1.session.order(Order::Answer(question.id, answer));
                }
                _ => {}
            }
        }
    }

    /// Takes whatever comes next.
    fn take(&mut self, tell: Tell<'_>) -> Option<(usize, Told)> {
        match self.news.recv() {
            Ok(Mail::Happening(index, Happening::Told(told))) => {
                let (name, seat) = self.seats.get_mut(index)?;
                seat.see(&told);
                tell(Step::Told(name, &told));
                return Some((seat.number, told));
            }
            Ok(Mail::Happening(index, Happening::Stderr(line))) => {
                let (name, _) = self.seats.get(index)?;
                tell(Step::Stderr(name, &line));
            }
            Ok(Mail::Happening(_, Happening::Environment(_))) => {}
            Ok(Mail::Stop) if self.stopped => self.seats.iter().for_each(|(_, seat)| seat.session.hurry()),
            // The run holds a sender itself, so there is always one.
            Ok(Mail::Stop) | Err(_) => self.stopped = true,
        }
        None
    }
}

/// The first call of a run that did not end as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Why not.
    pub why: String,
    /// How it ended; `None` where it was not sent, or nothing answers it.
    pub outcome: Option<Outcome>,
}

/// Nobody is there to be asked.
fn unanswered() -> peer::Answer {
    peer::Answer::Error(br#"{"code":-32601,"message":"no saved answer is for this"}"#.to_vec())
}
