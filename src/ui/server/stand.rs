//! All servers of the window, and what is asked of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Serving, Standing, Wish};
use crate::engine::view::{ServerCommand, ServerEvent, ServerId, Turned};
use crate::model::Nanos;
use crate::peer::server::{Order, RequestNo, Step};

/// The servers of the window.
#[derive(Debug, Default)]
pub struct Stand {
    /// The servers, the oldest first.
    pub servers: Vec<Serving>,
    /// The one that the page shows.
    pub current: Option<ServerId>,
    /// Mock files that were read or written, until those who asked have taken them.
    files: Vec<(PathBuf, Result<Arc<str>, String>)>,
    /// Recordings that were turned into mock files, until the page has taken it.
    turned: Vec<(PathBuf, Result<Vec<String>, String>)>,
    last: ServerId,
    outbox: Vec<ServerCommand>,
}

impl Stand {
    /// Starts a server, and shows it.
    pub fn start(&mut self, wish: Wish, now: Nanos) -> ServerId {
        self.last += 1;
        let id = self.last;
        self.outbox.push(ServerCommand::Start(id, Box::new(wish.options())));
        self.servers.push(Serving::new(id, wish, now));
        self.current = Some(id);
        id
    }

    /// Starts what a server was started with once more, in its place.
    pub fn again(&mut self, id: ServerId, now: Nanos) -> Option<ServerId> {
        let place = self.servers.iter().position(|it| it.id == id)?;
        let old = self.servers.remove(place);
        self.outbox.push(ServerCommand::Stop(id));
        let new = self.start(old.wish, now);
        let serving = self.servers.pop()?;
        self.servers.insert(place, serving);
        Some(new)
    }

    /// Stops a server; it stays in the list. One that does not serve any more is taken from it.
    pub fn stop(&mut self, id: ServerId) {
        let Some(serving) = self.get_mut(id) else { return };
        match serving.standing() {
            Standing::Starting | Standing::Serving => {
                serving.state = (Standing::Stopped, "it was stopped at the window".to_owned());
                serving.requests.iter_mut().for_each(|it| it.waits = false);
                self.outbox.push(ServerCommand::Stop(id));
            }
            Standing::Stopped | Standing::Failed => {
                self.servers.retain(|it| it.id != id);
                if self.current == Some(id) {
                    self.current = self.servers.last().map(|it| it.id);
                }
            }
        }
    }

    /// Has a server do something.
    pub fn order(&mut self, id: ServerId, order: Order) {
        self.outbox.push(ServerCommand::Order(id, Box::new(order)));
    }

    /// Answers a request by hand.
    pub fn answer(&mut self, id: ServerId, request: RequestNo, steps: Vec<Step>) {
        if let Some(serving) = self.get_mut(id) {
            serving.answered(request);
        }
        self.order(id, Order::Answer(request, steps));
    }

    /// Changes how a server behaves from now on.
    pub fn change(&mut self, id: ServerId, wish: Wish) {
        self.order(id, Order::Change(Arc::new(wish.settings())));
        if let Some(serving) = self.get_mut(id) {
            serving.wish = wish;
        }
    }

    /// Asks what a mock file says.
    pub fn read(&mut self, path: &Path) {
        self.outbox.push(ServerCommand::Read(path.to_owned()));
    }

    /// Writes a mock file, if it still says what was read.
    pub fn write(&mut self, path: &Path, was: Arc<str>, text: String) {
        self.outbox.push(ServerCommand::Write(path.to_owned(), was, text));
    }

    /// Turns recorded calls into a mock file.
    pub fn turn(&mut self, recording: &Path, what: Turned, to: &Path) {
        self.outbox.push(ServerCommand::Turn { recording: recording.to_owned(), what, to: to.to_owned() });
    }

    /// A server by its number.
    pub fn get(&self, id: ServerId) -> Option<&Serving> {
        self.servers.iter().find(|it| it.id == id)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: ServerId) -> Option<&mut Serving> {
        self.servers.iter_mut().find(|it| it.id == id)
    }

    /// The server that the page shows.
    pub fn current(&self) -> Option<&Serving> {
        self.get(self.current?)
    }

    /// How many requests wait for a person.
    pub fn waiting(&self) -> usize {
        self.servers.iter().map(|it| it.waiting().count()).sum()
    }

    /// Whether something on the screen moves with time.
    pub fn is_busy(&self) -> bool {
        self.servers.iter().any(|it| it.standing() == Standing::Starting) || self.waiting() > 0
    }

    /// What was read of a mock file, once it is there.
    pub fn take_file(&mut self, path: &Path) -> Option<Result<Arc<str>, String>> {
        let at = self.files.iter().position(|(of, _)| of == path)?;
        Some(self.files.remove(at).1)
    }

    /// What came of turning a recording into a mock file, once it is known.
    pub fn take_turned(&mut self) -> Option<(PathBuf, Result<Vec<String>, String>)> {
        (!self.turned.is_empty()).then(|| self.turned.remove(0))
    }

    /// Takes in what the engine says.
    pub fn absorb(&mut self, event: ServerEvent, now: Nanos) {
        match event {
            ServerEvent::Started(id, url, recording) => {
                if let Some(serving) = self.get_mut(id) {
                    (serving.url, serving.recording) = (url, recording);
                    if serving.standing() == Standing::Starting {
                        serving.state = (Standing::Serving, String::new());
                    }
                }
            }
            ServerEvent::Failed(id, why) => {
                if let Some(serving) = self.get_mut(id) {
                    serving.state = (Standing::Failed, why);
                }
            }
            ServerEvent::Happened(id, happening) => {
                if let Some(serving) = self.get_mut(id) {
                    serving.absorb(*happening, now);
                }
            }
            ServerEvent::File(path, read) => {
                self.files.retain(|(of, _)| *of != path);
                self.files.push((path, read));
            }
            ServerEvent::Turned(path, made) => self.turned.push((path, made)),
        }
    }

    /// The commands since the last frame.
    pub fn commands(&mut self) -> Vec<ServerCommand> {
        std::mem::take(&mut self.outbox)
    }
}
