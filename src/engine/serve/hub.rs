//! Where everything meets: the machine, who carries for it, and who is told. One thing at a time is given to it, and what
//! it decides is done before the next. Whoever carries may call from any thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::front::Carrier;
use super::http::Ended;
use super::{Happening, Tell};
use crate::engine::record::Queue;
use crate::model::Nanos;
use crate::peer::server::{Bytes, Do, RequestNo, Server, Told};

/// The meeting place.
pub struct Hub {
    core: Mutex<Core>,
    stirred: Notify,
    queue: Arc<Queue>,
}

/// What is behind its lock.
pub struct Core {
    /// The machine.
    pub server: Server,
    /// Who carries.
    pub carrier: Carrier,
    tell: Tell,
    /// Who the client said it is that said so last, as JSON text.
    pub identity: Option<Bytes>,
    /// What the real server is to be asked.
    pub passed: Vec<(RequestNo, Bytes)>,
    /// With which code the program is to exit, once it is over.
    pub exit: Option<i32>,
    /// Why it is over.
    pub over: Option<String>,
    /// When the driver will look at the time again.
    sleeps: Option<Nanos>,
}

impl Hub {
    /// For this machine and carrier.
    pub fn new(server: Server, carrier: Carrier, tell: Tell, queue: Arc<Queue>) -> Self {
        let core =
            Core { server, carrier, tell, identity: None, passed: Vec::new(), exit: None, over: None, sleeps: None };
        Self { core: Mutex::new(core), stirred: Notify::new(), queue }
    }

    /// Does something with the machine, and what it decides upon that.
    pub fn with<T>(&self, act: impl FnOnce(Nanos, &mut Core) -> T) -> T {
        let mut core = self.lock();
        let done = act(self.queue.now(), &mut core);
        core.perform(self.queue.now());
        let is_urgent = core.over.is_some() || !core.passed.is_empty();
        let is_sooner = core.server.wakes_at().is_some_and(|at| core.sleeps.is_none_or(|sleeps| at < sleeps));
        drop(core);
        if is_urgent || is_sooner {
            self.stirred.notify_one();
        }
        done
    }

    /// When the driver is to look at the time again; it is stirred when that becomes sooner.
    pub fn wakes_at(&self) -> Option<Nanos> {
        let mut core = self.lock();
        core.sleeps = core.server.wakes_at();
        core.sleeps
    }

    /// Resolves when the driver is to look again.
    pub async fn stirred(&self) {
        self.stirred.notified().await;
    }

    /// What was noted and when.
    pub const fn queue(&self) -> &Arc<Queue> {
        &self.queue
    }

    fn lock(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Core {
    /// Tells.
    pub fn tell(&self, happening: Happening) {
        (self.tell)(happening);
    }

    /// It is over, unless it is already.
    pub fn end(&mut self, why: &str) {
        self.over.get_or_insert_with(|| why.to_owned());
    }

    fn perform(&mut self, now: Nanos) {
        while let Some(next) = self.server.next() {
            if let Some(gone) = self.act(next) {
                self.server.left(now, gone, "its request was answered");
                self.carrier.remove(gone);
            }
        }
    }

    /// Does one thing; gives the client who has gone with it.
    fn act(&mut self, next: Do) -> Option<u64> {
        if self.exit.is_some() && !matches!(next, Do::Tell(_)) {
            return None;
        }
        let ended = match next {
            Do::Tell(told) => {
                if let Told::Known(client, who) = &told {
                    self.carrier.learn(*client, &who.revision);
                    self.identity = who.identity.clone().or(self.identity.take());
                }
                self.tell(Happening::Told(told));
                Ended::Stays
            }
            Do::Pass(request, message) => {
                self.passed.push((request, message));
                Ended::Stays
            }
            Do::Exit(code) => {
                self.exit = Some(code);
                self.end(&format!("it exited with code {code}, as it was to"));
                Ended::Stays
            }
            Do::Break(0) if self.carrier.is_stdio() => {
                self.exit = Some(0);
                self.end("it was to break the connection off");
                Ended::Stays
            }
            other => match self.carrier.act(other) {
                Ok(ended) => ended,
                Err(note) => {
                    self.tell(Happening::Told(Told::Note(None, note)));
                    Ended::Stays
                }
            },
        };
        match ended {
            Ended::Leaves(client) => Some(client),
            Ended::Stays => None,
        }
    }
}
