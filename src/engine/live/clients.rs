//! The thread that holds the connections of this window's own clients, and reads the files that they are made from.
//! Each connection has threads of its own; here is only told which to begin, what to ask and when to end. Orders are
//! never dropped while their connection stands.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use super::handle::spawn;
use super::outbox::{Gone, Outbox};
use super::results::{self, Result as Ended};
use super::view::{ClientCommand, ClientEvent, Command, ConnectionId, Event};
use crate::engine::client::{self, Happening, Options, Session, Target};
use crate::engine::{hosts, imitation, project};
use crate::peer::client::{Order, Settings, Told};

/// How often it is looked whether a connection has come to its end.
const LOOK: Duration = Duration::from_millis(100);
/// Results that may wait to be laid out before their connections wait.
const RESULTS: usize = 16;

/// Holds the connections, recorded into `folder`, until the window has gone; then ends them all.
pub(super) fn run(folder: &Path, commands: &Receiver<Command>, out: &Outbox) {
    let (results, ended) = sync_channel(RESULTS);
    let to = out.clone();
    spawn("results", out, move || results::run(&ended, &to));
    let mut clients = Clients { folder, out, results, open: Vec::new(), ending: Vec::new() };
    // It ends when the window goes: that is the only error there is.
    let _ = clients.serve(commands);
    // All at once, since each has its grace.
    clients.open.iter().for_each(|(_, session)| session.close());
}

struct Clients<'a> {
    folder: &'a Path,
    out: &'a Outbox,
    results: SyncSender<Ended>,
    open: Vec<(ConnectionId, Session)>,
    /// Those that were disconnected and are on their way out.
    ending: Vec<Session>,
}

impl Clients<'_> {
    fn serve(&mut self, commands: &Receiver<Command>) -> Result<(), Gone> {
        loop {
            match commands.recv_timeout(LOOK) {
                Ok(Command::Client(command)) => self.obey(command)?,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            }
            if self.out.stopped() {
                return Err(Gone);
            }
            self.ending.retain(Session::is_running);
        }
    }

    fn obey(&mut self, command: ClientCommand) -> Result<(), Gone> {
        match command {
            ClientCommand::Connect(id, target, settings) => self.connect(id, *target, *settings),
            ClientCommand::Order(id, order) => self.order(id, *order),
            ClientCommand::Disconnect(id) => {
                self.disconnect(id);
                Ok(())
            }
            ClientCommand::Hosts => self.tell(ClientEvent::Hosts(Arc::new(hosts::list(None)))),
            ClientCommand::Imitate(path) => {
                let found = imitation::client(&path).map(Box::new);
                self.tell(ClientEvent::Imitation(path, found))
            }
            ClientCommand::Original(path, url) => {
                let found = imitation::server(&path, url.as_deref()).map(Box::new);
                self.tell(ClientEvent::Original(path, found))
            }
            ClientCommand::Project(path) => {
                let read = project::load(&path).map(Arc::new).map_err(|error| error.to_string());
                self.tell(ClientEvent::Project(path, read))
            }
            ClientCommand::Edit(path, edit) => {
                let changed = project::change(&path, &edit).map(Arc::new).map_err(|error| error.to_string());
                self.tell(ClientEvent::Project(path, changed))
            }
            ClientCommand::ProjectTarget(path, name) => self.project_target(path, name),
        }
    }

    fn project_target(&self, path: PathBuf, name: Option<String>) -> Result<(), Gone> {
        let read = project::load(&path).map_err(|error| error.to_string());
        let target = read.and_then(|read| project::target(&read, &path, name.as_deref())).map(Box::new);
        self.tell(ClientEvent::ProjectTarget(path, name, target))
    }

    fn connect(&mut self, id: ConnectionId, target: Target, settings: Settings) -> Result<(), Gone> {
        // The window gives each its own number; a number that is used again is a new connection.
        self.disconnect(id);
        let mut options = Options::new(target);
        options.settings = settings;
        options.recordings = Some(self.folder.to_owned());
        let (out, results) = (self.out.clone(), self.results.clone());
        let tell = Arc::new(move |happening| told(id, happening, &out, &results));
        let out = self.out.clone();
        let say = Arc::new(move |line: &str| {
            // A window that is too busy has it in the recording.
            let _ = out.offer(Event::Notice(line.to_owned()));
        });
        match client::start(options, tell, say) {
            Ok(session) => {
                let recording = session.recording();
                self.open.push((id, session));
                self.tell(ClientEvent::Started(id, recording))
            }
            Err(error) => self.tell(ClientEvent::Failed(id, format!("failed to {error}"))),
        }
    }

    fn order(&self, id: ConnectionId, order: Order) -> Result<(), Gone> {
        let session = self.open.iter().find(|(known, _)| *known == id).map(|(_, session)| session);
        match session {
            // What is asked of a connection that is over was told of with its end.
            Some(session) if !session.order(order) && session.is_running() => {
                let sentence = "The server is so far behind that nothing more can be asked of it; wait, or disconnect.";
                self.out.post(Event::Notice(sentence.to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn disconnect(&mut self, id: ConnectionId) {
        if let Some(place) = self.open.iter().position(|(known, _)| *known == id) {
            let (_, session) = self.open.remove(place);
            session.close();
            self.ending.push(session);
        }
    }

    fn tell(&self, event: ClientEvent) -> Result<(), Gone> {
        self.out.post(Event::Client(event))
    }
}

/// Passes on what a connection tells, on a thread of that. When the window has gone, nobody need know.
fn told(id: ConnectionId, happening: Happening, out: &Outbox, results: &SyncSender<Ended>) {
    let event = match happening {
        Happening::Stderr(line) => ClientEvent::Stderr(id, line),
        Happening::Environment(all) => ClientEvent::Environment(id, all),
        Happening::Told(told) => {
            let ended = match &told {
                Told::Ended { call, outcome, .. } => Ended::of(id, *call, outcome),
                _ => None,
            };
            let _ = out.post(Event::Client(ClientEvent::Told(id, Box::new(told))));
            if let Some(ended) = ended {
                let _ = results.send(ended);
            }
            return;
        }
    };
    let _ = out.post(Event::Client(event));
}
