//! All connections of the window, and what is asked of them.

use std::sync::Arc;

use super::call::{CallRecord, Saved};
use super::chain::ChainRun;
use super::errand::{Errand, Shown};
use super::keeping::{Loading, Tie, ToPick, ToSave};
use super::servers::Servers;
use super::variables::Variables;
use super::{Connection, Standing, Subject};
use crate::engine::client::Target;
use crate::engine::hosts::HostFile;
use crate::engine::project::asking;
use crate::engine::view::{ClientCommand, ClientEvent, ConnectionId};
use crate::model::Nanos;
use crate::peer::client::{Call, CallId, Kind, Order, Settings, State, Told};
use crate::project::Project;

/// Answers that are kept for those who asked.
const MOST_ANSWERS: usize = 64;

/// The connections of the window.
#[derive(Debug, Default)]
pub struct Bench {
    /// The connections, the oldest first.
    pub connections: Vec<Connection>,
    /// The one that the page shows.
    pub current: Option<ConnectionId>,
    /// The files of hosts, once they were listed.
    pub hosts: Option<Arc<Vec<HostFile>>>,
    /// Answers that concern no connection, until those who asked have taken them.
    answers: Vec<ClientEvent>,
    /// A call that is to be saved.
    pub to_save: Option<ToSave>,
    /// A value of a result that is to be used in saved calls.
    pub to_pick: Option<ToPick>,
    /// A form that has become a saved call.
    pub to_tie: Option<Tie>,
    /// A call of a run whose result is to be shown.
    pub to_show: Option<(ConnectionId, CallId)>,
    /// A saved call that is to be filled in.
    pub to_load_saved: Option<Loading>,
    /// A call that is to be filled in, with its arguments as JSON text.
    pub to_load: Option<(Subject, String)>,
    /// The run of a saved call or chain, the last that was begun.
    pub run: Option<ChainRun>,
    /// The project file that is open.
    pub project: Option<Arc<Project>>,
    /// The variables of its calls.
    pub variables: Variables,
    /// Whether a person is asked where a saved call has saved answers.
    pub asks: bool,
    /// The servers of the project file.
    pub servers: Servers,
    /// What waits for a connection.
    pub(super) errand: Option<(ConnectionId, Errand)>,
    /// What the page is to show in the next frame: something that was done on another page.
    pub shown: Option<(ConnectionId, Shown)>,
    /// Sentences about what could not be done, until they were said.
    pub failures: Vec<String>,
    /// Requests that were sent raw with another id.
    pub(super) raws: u64,
    last: ConnectionId,
    outbox: Vec<ClientCommand>,
}

impl Bench {
    /// Connects, and shows the connection.
    pub fn connect(&mut self, target: Target, settings: Settings, now: Nanos) -> ConnectionId {
        self.last += 1;
        let id = self.last;
        self.outbox.push(ClientCommand::Connect(id, Box::new(target.clone()), Box::new(settings.clone())));
        self.connections.push(Connection::new(id, target, settings, now));
        self.current = Some(id);
        id
    }

    /// Connects again to what a connection was connected to, in its place.
    pub fn retry(&mut self, id: ConnectionId, now: Nanos) -> Option<ConnectionId> {
        let place = self.connections.iter().position(|it| it.id == id)?;
        let old = self.connections.remove(place);
        self.outbox.push(ClientCommand::Disconnect(id));
        let new = self.connect(old.target, (*old.settings).clone(), now);
        let connection = self.connections.pop()?;
        self.connections.insert(place, connection);
        Some(new)
    }

    /// Ends a connection in order; it stays in the list. One that is over is forgotten.
    pub fn disconnect(&mut self, id: ConnectionId) {
        let Some(connection) = self.get(id) else { return };
        match connection.standing() {
            Standing::Open => self.order(id, Order::Close),
            Standing::Opening => self.outbox.push(ClientCommand::Disconnect(id)),
            Standing::Closed | Standing::Failed => {
                self.outbox.push(ClientCommand::Disconnect(id));
                self.connections.retain(|it| it.id != id);
                if self.current == Some(id) {
                    self.current = self.connections.last().map(|it| it.id);
                }
            }
        }
        if let Some(connection) = self.get_mut(id).filter(|it| it.standing() == Standing::Opening) {
            connection.state = State::Closed { why: "it was given up before it was open".to_owned(), failed: false };
        }
    }

    /// Has something done on a connection.
    pub fn order(&mut self, id: ConnectionId, order: Order) {
        self.outbox.push(ClientCommand::Order(id, Box::new(order)));
    }

    /// Makes a call and remembers it.
    pub fn call(&mut self, id: ConnectionId, subject: Option<Subject>, call: Call, now: Nanos) -> Option<CallId> {
        self.call_saved(id, subject, call, Saved::default(), now)
    }

    /// Makes a call that is a saved one.
    pub fn call_saved(
        &mut self,
        id: ConnectionId,
        subject: Option<Subject>,
        call: Call,
        saved: Saved,
        now: Nanos,
    ) -> Option<CallId> {
        let connection = self.get_mut(id)?;
        let number = connection.next_call();
        let method = call.method.clone();
        let mut record = CallRecord::new(number, subject, method, Some(Arc::new(call.clone())), now);
        record.given = vec![0; saved.answers.len()];
        let settings = asking(&connection.settings, &saved.answers);
        record.saved = saved;
        connection.remember(record);
        if let Some(settings) = settings {
            self.order(id, Order::Change(Arc::new(settings)));
        }
        self.order(id, Order::Call(number, call));
        Some(number)
    }

    /// Sends a request again, byte for byte but for its id where it gets a new one, and remembers it.
    pub fn again(
        &mut self,
        id: ConnectionId,
        subject: Subject,
        bytes: &[u8],
        new_id: bool,
        now: Nanos,
    ) -> Option<CallId> {
        let connection = self.get_mut(id)?;
        let number = connection.next_call();
        let method = subject.method().to_owned();
        connection.remember(CallRecord::new(number, Some(subject), method, None, now));
        let order = if new_id { Order::Anew } else { Order::Again };
        self.order(id, order(number, bytes.to_vec()));
        Some(number)
    }

    /// Opens a stream of 2026-07-28 with this filter (JSON text), and remembers it as a call.
    pub fn listen(&mut self, id: ConnectionId, filter: String, now: Nanos) -> Option<CallId> {
        let connection = self.get_mut(id)?;
        let number = connection.next_call();
        connection.remember(CallRecord::new(number, None, "subscriptions/listen".to_owned(), None, now));
        self.order(id, Order::Listen(number, filter));
        Some(number)
    }

    /// Fetches a whole list anew.
    pub fn list(&mut self, id: ConnectionId, kind: Kind) {
        self.fetch(id, kind, |number| Order::List(number, kind));
    }

    /// Fetches one page of a list: the first, or the one of a cursor.
    pub fn page(&mut self, id: ConnectionId, kind: Kind, cursor: Option<String>) {
        self.fetch(id, kind, |number| Order::Page(number, kind, cursor));
    }

    fn fetch(&mut self, id: ConnectionId, kind: Kind, order: impl FnOnce(CallId) -> Order) {
        let Some(connection) = self.get_mut(id) else { return };
        if connection.fetching.contains_key(&kind) {
            return;
        }
        let number = connection.next_call();
        connection.fetching.insert(kind, number);
        self.order(id, order(number));
    }

    /// Changes how a connection behaves from now on.
    pub fn change(&mut self, id: ConnectionId, settings: Settings) {
        let settings = Arc::new(settings);
        let Some(connection) = self.get_mut(id) else { return };
        connection.settings = Arc::clone(&settings);
        self.order(id, Order::Change(settings));
    }

    /// Whether something on the screen moves with time: a call that runs, a connection that is being made.
    pub fn is_busy(&self) -> bool {
        self.is_in_run()
            || self.current().is_some_and(|it| {
                it.standing() == Standing::Opening
                    || it.calls.iter().any(|call| call.is_running() && call.subject.is_some())
            })
    }

    /// Whether a saved call or chain runs.
    pub fn is_in_run(&self) -> bool {
        self.run.as_ref().is_some_and(ChainRun::is_running)
    }

    /// Has the run go on as far as it can now, whatever page is shown.
    pub fn go_on(&mut self, now: Nanos) {
        if let Some(mut run) = self.run.take() {
            run.go_on(self, now);
            self.run = Some(run);
        }
    }

    /// A connection by its number.
    pub fn get(&self, id: ConnectionId) -> Option<&Connection> {
        self.connections.iter().find(|it| it.id == id)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Connection> {
        self.connections.iter_mut().find(|it| it.id == id)
    }

    /// The connection that the page shows.
    pub fn current(&self) -> Option<&Connection> {
        self.get(self.current?)
    }

    /// Asks the engine something that concerns no connection.
    pub fn send(&mut self, command: ClientCommand) {
        self.outbox.push(command);
    }

    /// Takes in what the engine says.
    pub fn absorb(&mut self, event: ClientEvent, now: Nanos) {
        match event {
            ClientEvent::Started(id, recording) => self.with(id, |it| it.recording = recording),
            ClientEvent::Failed(id, why) => self.with(id, |it| it.state = State::Closed { why, failed: true }),
            ClientEvent::Told(id, told) => {
                let was = self.get(id).map(Connection::standing);
                let ended = if let Told::Ended { call, .. } = &*told { Some(*call) } else { None };
                self.with(id, |it| it.absorb(*told, now));
                self.attend(id, ended, now);
                if was.is_some_and(|was| was != Standing::Open)
                    && self.get(id).is_some_and(|it| it.standing() == Standing::Open)
                {
                    self.look_around(id);
                }
            }
            ClientEvent::Laid(id, call, body, gist) => self.with(id, |it| it.laid(call, body, gist)),
            ClientEvent::Stderr(id, line) => self.with(id, |it| it.line(line)),
            ClientEvent::Environment(id, variables) => self.with(id, |it| it.environment = variables),
            ClientEvent::Hosts(files) => self.hosts = Some(files),
            ClientEvent::Imitation(..)
            | ClientEvent::Original(..)
            | ClientEvent::Project(..)
            | ClientEvent::ProjectTarget(..) => {
                if self.answers.len() == MOST_ANSWERS {
                    self.answers.remove(0);
                }
                self.answers.push(event);
            }
        }
        self.go_on(now);
        self.run_errand(now);
    }

    fn with(&mut self, id: ConnectionId, act: impl FnOnce(&mut Connection)) {
        if let Some(connection) = self.get_mut(id) {
            act(connection);
        }
    }

    /// Takes the answers that somebody waits for.
    pub fn take_answers(&mut self, wanted: impl Fn(&ClientEvent) -> bool) -> Vec<ClientEvent> {
        let (taken, kept) = std::mem::take(&mut self.answers).into_iter().partition(wanted);
        self.answers = kept;
        taken
    }

    /// Fetches what the server says that it has; tools also where it says nothing of what it has.
    fn look_around(&mut self, id: ConnectionId) {
        let Some(connection) = self.get(id) else { return };
        let declared = |name, otherwise| connection.declares(name).unwrap_or(otherwise);
        let (tools, resources, prompts) =
            (declared("tools", true), declared("resources", false), declared("prompts", false));
        let kinds = [
            (Kind::Tools, tools),
            (Kind::Resources, resources),
            (Kind::Templates, resources),
            (Kind::Prompts, prompts),
        ];
        for (kind, _) in kinds.into_iter().filter(|(_, wanted)| *wanted) {
            self.list(id, kind);
        }
    }

    /// The commands since the last frame.
    pub fn commands(&mut self) -> Vec<ClientCommand> {
        std::mem::take(&mut self.outbox)
    }
}
