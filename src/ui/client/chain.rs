//! A run of a saved call or chain over a connection of the window: which step it is at, and what became of each.

use crate::engine::project::{answer, call, kept_target, one_way};
use crate::engine::view::ConnectionId;
use crate::peer::client::{CallId, Order};
use crate::project::{Answer, Named, Project, Ready, Run, SavedTarget, SavedWay, get};
use crate::ui::client::{Bench, Connection, Standing};

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

/// A run.
#[derive(Debug)]
pub struct ChainRun {
    /// The chain or call.
    pub name: String,
    /// The calls in order, with what became of them.
    pub steps: Vec<(String, State)>,
    connection: ConnectionId,
    run: Run,
    targets: Named<SavedTarget>,
    at: Option<(usize, CallId)>,
    over: bool,
}

impl ChainRun {
    /// A run that can begin; the error fits after "failed to".
    pub fn new(project: &Project, name: &str, connection: ConnectionId) -> Result<Self, String> {
        let run = Run::new(project, name, None, &[]).map_err(|error| error.to_string())?;
        let steps = run.calls().iter().map(|call| (call.clone(), State::Waiting)).collect();
        Ok(Self {
            name: name.to_owned(),
            steps,
            connection,
            run,
            targets: project.targets.clone(),
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
        if let Some((index, call)) = self.at.take() {
            let why = "the run was stopped by the person at the window".to_owned();
            bench.order(self.connection, Order::Cancel(call, why));
            self.set(index, State::Failed("it was stopped".to_owned()));
        }
        self.over = true;
    }

    /// Goes on as far as it can now.
    pub fn go_on(&mut self, bench: &mut Bench, now: i64) {
        while !self.over {
            if let Some((index, call)) = self.at {
                let connection = bench.get(self.connection);
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
                    let waiting = self.steps.iter().position(|(_, state)| *state == State::Waiting);
                    self.set(waiting.unwrap_or_default(), State::Failed(why));
                    self.over = true;
                }
                Some(Ok(ready)) => self.begin(ready, bench, now),
            }
        }
    }

    fn begin(&mut self, ready: Ready, bench: &mut Bench, now: i64) {
        let index = ready.index;
        let Some(connection) = right_one(bench, &self.targets, ready.target.as_deref(), self.connection) else {
            let why = match &ready.target {
                Some(target) => format!("no connection to `{target}` is open; connect to it and run again"),
                None => "the connection is not open".to_owned(),
            };
            return self.ended(index, Answer::Lost(&why));
        };
        self.connection = connection;
        if let Some(order) = one_way(&ready) {
            bench.order(self.connection, order);
            return self.ended(index, Answer::Sent);
        }
        match bench.call(self.connection, None, call(&ready), now) {
            Some(call) => {
                self.at = Some((index, call));
                self.set(index, State::Running);
            }
            None => self.ended(index, Answer::Lost("the connection is gone")),
        }
    }

    fn ended(&mut self, index: usize, answer: Answer<'_>) {
        let verdict = self.run.ended(answer);
        self.set(index, verdict.why.map_or(State::Fine(verdict.picked), State::Failed));
        self.over |= verdict.stops;
    }

    fn set(&mut self, index: usize, state: State) {
        if let Some(step) = self.steps.get_mut(index) {
            step.1 = state;
        }
    }
}

/// The open connection that a call with this target goes over: the preferred one if it is right, else another that is.
/// A call without a target goes over the preferred one.
pub fn right_one(
    bench: &Bench,
    targets: &Named<SavedTarget>,
    target: Option<&str>,
    preferred: ConnectionId,
) -> Option<ConnectionId> {
    let is_open = |it: &&Connection| it.standing() == Standing::Open;
    let Some(name) = target else { return bench.get(preferred).filter(is_open).map(|it| it.id) };
    let saved = get(targets, name).map(|target| &target.way);
    let is_right = |it: &&Connection| {
        let way = kept_target(&it.target).0;
        let was_made = bench.saved_ways.iter().any(|(other, made)| other == name && *made == way);
        was_made || saved.is_some_and(|saved| is_same(saved, &way, &it.name()))
    };
    let preferred = bench.get(preferred).into_iter();
    preferred.chain(&bench.connections).filter(is_open).find(is_right).map(|it| it.id)
}

/// Whether a server of the file is the one that a connection is to; a server of a host's file goes by its name.
fn is_same(saved: &SavedWay, way: &SavedWay, name: &str) -> bool {
    match (saved, way) {
        (SavedWay::Host { server, .. }, _) => server == name,
        (SavedWay::Url { url: a, .. }, SavedWay::Url { url: b, .. }) => a == b,
        (SavedWay::Command { folder: Some(_), .. }, _) => saved == way,
        (SavedWay::Command { command: a, .. }, SavedWay::Command { command: b, .. }) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{ChainRun, State};
    use crate::engine::client::Target;
    use crate::engine::view::ClientEvent;
    use crate::model::Nanos;
    use crate::peer::client::{Outcome, Settings, Told};
    use crate::project::{Chain, Project, SavedCall, What};
    use crate::ui::client::Bench;

    #[test]
    fn a_chain_over_a_connection_that_is_not_open_says_so_and_stops() {
        let call = |name: &str| (name.to_owned(), SavedCall::of(What::Tool(name.to_owned())));
        let chain = Chain { calls: vec!["a".to_owned(), "b".to_owned()], ..Chain::default() };
        let project = Project {
            calls: vec![call("a"), call("b")],
            chains: vec![("both".to_owned(), chain)],
            ..Project::default()
        };
        let mut bench = Bench::default();
        let now: Nanos = 1;
        let id = bench.connect(Target::default(), Settings::default(), now);
        bench.absorb(
            ClientEvent::Told(id, Box::new(Told::Ended { call: 9, outcome: Outcome::Cancelled, took: 1 })),
            now,
        );
        let mut run = ChainRun::new(&project, "both", id).expect("the chain is there");
        run.go_on(&mut bench, now);
        assert!(!run.is_running());
        assert!(matches!(&run.steps[0].1, State::Failed(why) if why.contains("not open")));
        assert_eq!(run.steps[1].1, State::Waiting);
        assert!(ChainRun::new(&project, "nothing", id).is_err());
    }
}
