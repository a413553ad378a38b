//! A run of a saved call or chain over a connection of the window: which step it is at, and what became of each.

use crate::engine::project::{answer, call, one_way};
use crate::engine::view::ConnectionId;
use crate::peer::client::{CallId, Kind, Order};
use crate::project::{Answer, Named, Project, Ready, Run, What, get};
use crate::ui::client::call::Saved;
use crate::ui::client::servers::Servers;
use crate::ui::client::{Bench, Standing, Subject};

/// What became of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It has not begun.
    Waiting,
    /// It was sent and is not over.
    Running,
    /// It ended as expected, with what was picked.
    Fine(Named<String>),
    /// It ended otherwise, or could not be sent: why.
    Failed(String),
}

/// A call of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The saved call.
    pub name: String,
    /// What became of it.
    pub state: State,
    /// The call that was made, and on which connection.
    pub made: Option<(ConnectionId, CallId)>,
}

/// A run.
#[derive(Debug)]
pub struct ChainRun {
    /// The chain or call.
    pub name: String,
    /// The calls in order, with what became of them.
    pub steps: Vec<Step>,
    /// The connection that was shown when it began.
    start: ConnectionId,
    run: Run,
    servers: Servers,
    /// The connection that each server of the file has in this run: always the same, whatever else is open.
    seats: Named<ConnectionId>,
    at: Option<(usize, ConnectionId, CallId)>,
    over: bool,
}

impl ChainRun {
    /// A run that can begin, with the variables as they stand, over this connection where a call names no server and
    /// none before it does; the error fits after "failed to".
    pub fn new(project: &Project, bench: &Bench, name: &str, start: ConnectionId) -> Result<Self, String> {
        let environment = bench.variables.environment.as_deref();
        let run = Run::new(project, name, environment, &bench.variables.own()).map_err(|error| error.to_string())?;
        let step = |name: &String| Step { name: name.clone(), state: State::Waiting, made: None };
        let steps = run.calls().iter().map(step).collect();
        Ok(Self {
            name: name.to_owned(),
            steps,
            start,
            run,
            servers: bench.servers.clone(),
            seats: Vec::new(),
            at: None,
            over: false,
        })
    }

    /// Whether it is not over yet.
    pub const fn is_running(&self) -> bool {
        !self.over
    }

    /// Cancels the call that is under way and ends the run.
    pub fn stop(&mut self, bench: &mut Bench) {
        if let Some((index, connection, call)) = self.at.take() {
            let why = "the run was stopped by the person at the window".to_owned();
            bench.order(connection, Order::Cancel(call, why));
            self.set(index, State::Failed("it was stopped".to_owned()));
        }
        self.over = true;
    }

    /// Goes on as far as it can now.
    pub fn go_on(&mut self, bench: &mut Bench, now: i64) {
        while !self.over {
            if let Some((index, connection, call)) = self.at {
                let connection = bench.get(connection);
                let record = connection.and_then(|it| it.call(call));
                if record.is_some_and(|record| record.outcome.is_none())
                    && connection.is_some_and(|it| it.standing() == Standing::Open)
                {
                    return;
                }
                let outcome = record.and_then(|record| record.outcome.clone());
                self.at = None;
                let lost = Answer::Lost("the connection is gone");
                self.ended(index, outcome.as_ref().map_or(lost, answer));
            }
            match self.run.next_call() {
                None => self.over = true,
                Some(Err(why)) => {
                    let waiting = self.steps.iter().position(|step| step.state == State::Waiting);
                    self.set(waiting.unwrap_or_default(), State::Failed(why));
                    self.over = true;
                }
                Some(Ok(ready)) => self.begin(ready, bench, now),
            }
        }
    }

    fn begin(&mut self, ready: Ready, bench: &mut Bench, now: i64) {
        let index = ready.index;
        let Some(connection) = self.seat(ready.target.as_deref(), bench) else {
            let why = match &ready.target {
                Some(target) => {
                    format!("no connection to `{target}`, as the file has it, is open; connect to it there")
                }
                None => "the connection that was shown when the run began is not open".to_owned(),
            };
            return self.ended(index, Answer::Lost(&why));
        };
        if let Some(order) = one_way(&ready) {
            bench.order(connection, order);
            return self.ended(index, Answer::Sent);
        }
        let answers = if bench.asks { Vec::new() } else { ready.answers.clone() };
        let saved = Saved { name: Some(ready.name.clone()), answers, typed: None };
        match bench.call_saved(connection, subject(&ready), call(&ready), saved, now) {
            Some(call) => {
                self.at = Some((index, connection, call));
                if let Some(step) = self.steps.get_mut(index) {
                    step.made = Some((connection, call));
                }
                self.set(index, State::Running);
            }
            None => self.ended(index, Answer::Lost("the connection is gone")),
        }
    }

    /// The connection for a call: the one that its server had before in this run, else one that is to that server.
    fn seat(&mut self, target: Option<&str>, bench: &Bench) -> Option<ConnectionId> {
        let Some(name) = target else { return self.servers.connection(bench, None, self.start) };
        if let Some(&seat) = get(&self.seats, name) {
            return bench.get(seat).filter(|it| it.standing() == Standing::Open).map(|it| it.id);
        }
        let found = self.servers.connection(bench, Some(name), self.start)?;
        self.seats.push((name.to_owned(), found));
        Some(found)
    }

    fn ended(&mut self, index: usize, answer: Answer<'_>) {
        let verdict = self.run.ended(answer);
        self.set(index, verdict.why.map_or(State::Fine(verdict.picked), State::Failed));
        self.over |= verdict.stops;
    }

    fn set(&mut self, index: usize, state: State) {
        if let Some(step) = self.steps.get_mut(index) {
            step.state = state;
        }
    }
}

/// What a saved call tries out, so that its result is found with those of the same item.
fn subject(ready: &Ready) -> Option<Subject> {
    Some(match (&ready.saved.what, &ready.what) {
        (What::Template(template), _) => Subject::new(Kind::Templates, template),
        (_, What::Tool(name)) => Subject::new(Kind::Tools, name),
        (_, What::Prompt(name)) => Subject::new(Kind::Prompts, name),
        (_, What::Resource(uri)) => Subject::new(Kind::Resources, uri),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
