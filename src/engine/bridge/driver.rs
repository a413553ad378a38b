//! Joins the machine to the world: the host's streams, the couriers, signals and the time. Whatever is
//! heard is given to the machine one at a time; while the host does not read, nothing else is heard.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender};

use crate::engine::record::{Queue, Say, Stream};
use crate::engine::remote::{Carrier, Courier, Do, Machine, News};
use crate::model::Lifecycle;

/// What comes from the host besides lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A signal that asks us to end.
    Signal,
    /// The host reads no more.
    Gone,
}

/// The ends of the channels that the driver serves.
pub struct Ends {
    /// What the host says; closed at the end of our input.
    pub input: Receiver<Vec<u8>>,
    /// What the host is told.
    pub output: Sender<Vec<u8>>,
    /// Signals, and that the host is gone.
    pub signs: Receiver<Sign>,
    /// What the couriers tell.
    pub news: Receiver<News>,
}

/// Serves a host until nothing is left to do.
pub struct Driver {
    carrier: Carrier,
    queue: Arc<Queue>,
    say: Say,
    /// What the host is told next, when it was not ready for it.
    blocked: Option<Vec<u8>>,
    input_open: bool,
    signs_open: bool,
}

impl Driver {
    /// One that has not heard anything.
    pub fn new(machine: Machine, courier: Arc<Courier>, queue: Arc<Queue>, say: Say) -> Self {
        Self {
            carrier: Carrier::new(machine, courier, Arc::clone(&queue)),
            queue,
            say,
            blocked: None,
            input_open: true,
            signs_open: true,
        }
    }

    /// Serves until the machine has finished.
    pub async fn run(mut self, mut ends: Ends) {
        while self.perform(&ends.output) {
            let now = self.queue.now();
            let wait =
                self.carrier.machine.wakes_at().map(|at| Duration::from_nanos(u64::try_from(at - now).unwrap_or(0)));
            let free = self.blocked.is_none();
            tokio::select! {
                Ok(permit) = ends.output.reserve(), if !free => {
                    if let Some(bytes) = self.blocked.take() {
                        permit.send(bytes);
                    }
                }
                sign = ends.signs.recv(), if self.signs_open => self.sign(sign),
                Some(news) = ends.news.recv(), if free => self.carrier.hear(news),
                input = ends.input.recv(), if free && self.input_open && !self.carrier.machine.is_full() => self.input(input),
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {
                    self.carrier.machine.passed(self.queue.now());
                }
            }
        }
    }

    fn sign(&mut self, sign: Option<Sign>) {
        let now = self.queue.now();
        match sign {
            Some(Sign::Signal) => self.carrier.machine.stop(now, true),
            Some(Sign::Gone) => {
                self.queue.happened(Stream::WHOLE, Lifecycle::ClientStoppedReading);
                self.blocked = None;
                self.carrier.machine.host_gone(now);
            }
            None => self.signs_open = false,
        }
    }

    fn input(&mut self, input: Option<Vec<u8>>) {
        let now = self.queue.now();
        match input {
            Some(bytes) => self.carrier.machine.input(now, &bytes),
            None => {
                self.input_open = false;
                self.queue.happened(Stream::WHOLE, Lifecycle::ClientClosed);
                self.carrier.machine.stop(now, false);
            }
        }
    }

    /// Does what is to be done, until the host is not ready for more. Whether there will be more.
    fn perform(&mut self, output: &Sender<Vec<u8>>) -> bool {
        while self.blocked.is_none() {
            let Some(next) = self.carrier.next() else { return true };
            match next {
                Do::Print(bytes) => match output.try_send(bytes) {
                    Err(TrySendError::Full(bytes)) => self.blocked = Some(bytes),
                    // That the host is gone is told by a sign.
                    Ok(()) | Err(TrySendError::Closed(_)) => {}
                },
                Do::Say(text) => (self.say)(&text),
                Do::Finish => return false,
                // The carrier does the others; a host is told of what was refused by lines.
                _ => {}
            }
        }
        true
    }
}
