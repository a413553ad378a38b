//! A session in this process, what it tells, and what it recorded.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use midwire::engine::client::{self, Environment, Happening, Options, Session, Target, Way};
use midwire::model::Role;
use midwire::peer::client::{Call, CallId, Order, Outcome, Settings, State, Told};

use crate::tapped::Recorded;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// A session with all that it has told.
pub(crate) struct Talk {
    pub(crate) session: Option<Session>,
    pub(crate) told: Vec<Happening>,
    news: Receiver<Happening>,
    asked: CallId,
    folder: tempfile::TempDir,
}

/// A server that is run by `sh`.
pub(crate) fn shell(script: &str) -> Way {
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    Way::Command { command, folder: None, environment: Environment::default() }
}

/// midwire's own server of the demo.
pub(crate) fn demo_server() -> Way {
    let command = [env!("CARGO_BIN_EXE_midwire"), "demo-server", "--step", "1"].map(str::to_owned).to_vec();
    Way::Command { command, folder: None, environment: Environment::default() }
}

impl Talk {
    pub(crate) fn start(way: Way) -> Self {
        Self::with(way, |_| {})
    }

    pub(crate) fn with(way: Way, change: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut options = Options::new(Target { way, name: "t".into(), ..Target::default() });
        options.recordings = Some(folder.path().to_owned());
        options.grace = Duration::from_millis(200);
        change(&mut options);
        let (tell, news) = sync_channel(64);
        let tell = Arc::new(move |happening| drop(tell.send(happening)));
        let session = client::start(options, tell, Arc::new(|line: &str| panic!("said: {line}"))).expect("a session");
        Self { session: Some(session), told: Vec::new(), news, asked: 1_000, folder }
    }

    /// One that behaves so, once it can be used.
    pub(crate) fn open(way: Way, settings: Settings) -> Self {
        let mut talk = Self::with(way, |options| options.settings = settings);
        talk.opened();
        talk
    }

    /// Waits until something is told that `wanted` takes.
    pub(crate) fn until<T>(&mut self, what: &str, mut wanted: impl FnMut(&Happening) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.news.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(happening) => {
                    let found = wanted(&happening);
                    self.told.push(happening);
                    if let Some(found) = found {
                        return found;
                    }
                }
                Err(error) => panic!("{what} was not told ({error}); {:#?}", self.told),
            }
        }
    }

    /// Waits until it can be used.
    pub(crate) fn opened(&mut self) {
        self.until("an open state", |happening| match happening {
            Happening::Told(Told::State(State::Open(_))) => Some(()),
            Happening::Told(Told::State(State::Closed { why, .. })) => panic!("closed: {why}"),
            _ => None,
        });
    }

    /// Waits until it is closed: why, and whether that is a failure.
    pub(crate) fn closed(&mut self) -> (String, bool) {
        self.until("a closed state", |happening| match happening {
            Happening::Told(Told::State(State::Closed { why, failed })) => Some((why.clone(), *failed)),
            _ => None,
        })
    }

    pub(crate) fn order(&self, order: Order) {
        assert!(self.session.as_ref().expect("runs").order(order), "the session takes orders");
    }

    /// Calls a method and waits for its end.
    pub(crate) fn call(&mut self, call: CallId, method: &str, params: &str) -> Outcome {
        let params = Some(params.as_bytes().to_vec()).filter(|params| !params.is_empty());
        self.order(Order::Call(call, Call { method: method.into(), params, ..Call::default() }));
        self.ended(call)
    }

    pub(crate) fn ended(&mut self, wanted: CallId) -> Outcome {
        self.until("the end of a call", |happening| match happening {
            Happening::Told(Told::Ended { call, outcome, .. }) if *call == wanted => Some(outcome.clone()),
            _ => None,
        })
    }

    /// Calls a method without waiting for its end.
    pub(crate) fn ask(&mut self, method: &str, params: &str) -> CallId {
        let params = Some(params.as_bytes().to_vec()).filter(|params| !params.is_empty());
        self.make(Call { method: method.into(), params, ..Call::default() })
    }

    /// Makes a call without waiting for its end.
    pub(crate) fn make(&mut self, call: Call) -> CallId {
        let number = self.number();
        self.order(Order::Call(number, call));
        number
    }

    /// A number that no call has.
    pub(crate) const fn number(&mut self) -> CallId {
        self.asked += 1;
        self.asked
    }

    /// The result of a call, as text.
    pub(crate) fn result(&mut self, call: CallId) -> String {
        match self.ended(call) {
            Outcome::Result(result) => String::from_utf8_lossy(&result).into_owned(),
            other => panic!("call {call} has no result: {other:?}"),
        }
    }

    /// Ends it and gives what was recorded.
    pub(crate) fn stop(&mut self) -> Recorded {
        let path = self.end();
        let recorded = Recorded::read(self.folder.path());
        assert_eq!((recorded.path.as_path(), recorded.facts.role), (path.as_path(), Role::Client));
        assert!(recorded.facts.ended.is_some(), "it was closed in order");
        recorded
    }

    /// Ends it; where it recorded.
    pub(crate) fn end(&mut self) -> PathBuf {
        let session = self.session.take().expect("runs");
        let path = session.recording().expect("it is recorded");
        assert!(path.starts_with(self.folder.path()));
        // What it tells at its end is read, or it would wait.
        let ending = std::thread::scope(|scope| {
            let ending = scope.spawn(|| session.stop());
            while !ending.is_finished() {
                self.told.extend(self.news.recv_timeout(Duration::from_millis(5)));
            }
            ending.join()
        });
        ending.expect("ends");
        self.told.extend(self.news.try_iter());
        path
    }
}
