//! Joins the machine to the world: the host's streams, the couriers, signals and the time. Whatever is
//! heard is given to the machine one at a time; while the host does not read, nothing else is heard.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender};

use super::courier::{Courier, Errand, News};
use super::machine::{Do, Machine, Number};
use crate::engine::record::{Queue, Say, Stream};
use crate::model::{HttpEnd, Lifecycle, Transport};

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
    machine: Machine,
    courier: Arc<Courier>,
    queue: Arc<Queue>,
    say: Say,
    errands: HashMap<Number, Errand>,
    /// Those that are over.
    over: Vec<Number>,
    /// What the host is told next, when it was not ready for it.
    blocked: Option<Vec<u8>>,
    input_open: bool,
    signs_open: bool,
}

impl Driver {
    /// One that has not heard anything.
    pub fn new(machine: Machine, courier: Arc<Courier>, queue: Arc<Queue>, say: Say) -> Self {
        Self {
            machine,
            courier,
            queue,
            say,
            errands: HashMap::new(),
            over: Vec::new(),
            blocked: None,
            input_open: true,
            signs_open: true,
        }
    }

    /// Serves until the machine has finished.
    pub async fn run(mut self, mut ends: Ends) {
        while self.perform(&ends.output) {
            let now = self.queue.now();
            let wait = self.machine.wakes_at().map(|at| Duration::from_nanos(u64::try_from(at - now).unwrap_or(0)));
            let free = self.blocked.is_none();
            tokio::select! {
                Ok(permit) = ends.output.reserve(), if !free => {
                    if let Some(bytes) = self.blocked.take() {
                        permit.send(bytes);
                    }
                }
                sign = ends.signs.recv(), if self.signs_open => self.sign(sign),
                Some(news) = ends.news.recv(), if free => self.hear(news),
                input = ends.input.recv(), if free && self.input_open && !self.machine.is_full() => self.input(input),
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {
                    self.machine.passed(self.queue.now());
                }
            }
        }
    }

    fn sign(&mut self, sign: Option<Sign>) {
        let now = self.queue.now();
        match sign {
            Some(Sign::Signal) => self.machine.stop(now, true),
            Some(Sign::Gone) => {
                self.queue.happened(Stream::WHOLE, Lifecycle::ClientStoppedReading);
                self.blocked = None;
                self.machine.host_gone(now);
            }
            None => self.signs_open = false,
        }
    }

    fn input(&mut self, input: Option<Vec<u8>>) {
        let now = self.queue.now();
        match input {
            Some(bytes) => self.machine.input(now, &bytes),
            None => {
                self.input_open = false;
                self.queue.happened(Stream::WHOLE, Lifecycle::ClientClosed);
                self.machine.stop(now, false);
            }
        }
    }

    fn hear(&mut self, news: News) {
        let now = self.queue.now();
        match news {
            News::Sent(number) => self.machine.sent(now, number),
            News::Head(number, answer) => self.machine.head(now, number, answer),
            News::Body(number, bytes) => self.machine.body(now, number, &bytes),
            News::Ended(number, why) => {
                self.machine.ended(now, number, why);
                self.over.push(number);
            }
        }
    }

    /// Does what is to be done, until the host is not ready for more. Whether there will be more.
    fn perform(&mut self, output: &Sender<Vec<u8>>) -> bool {
        while self.blocked.is_none() {
            let Some(next) = self.machine.next() else {
                // All that is to be noted of them was.
                self.over.drain(..).for_each(|number| drop(self.errands.remove(&number)));
                return true;
            };
            match next {
                Do::Send(number, request) => {
                    let errand = self.courier.start(number, request);
                    self.errands.insert(number, errand);
                }
                Do::Abort(number, why) => self.abort(number, why),
                Do::ReadOn(number) => self.errands.get(&number).into_iter().for_each(Errand::read_on),
                Do::Print(bytes) => match output.try_send(bytes) {
                    Err(TrySendError::Full(bytes)) => self.blocked = Some(bytes),
                    // That the host is gone is told by a sign.
                    Ok(()) | Err(TrySendError::Closed(_)) => {}
                },
                Do::Say(text) => (self.say)(&text),
                Do::Changed(number, what, to) => {
                    self.errands.get(&number).into_iter().for_each(|errand| errand.journal().changed(&what, &to));
                }
                Do::IsSse(number) => {
                    let is_sse = |errand: &Errand| errand.journal().learn(|it| it.transport = Transport::HttpSse);
                    self.errands.get(&number).into_iter().for_each(is_sse);
                }
                Do::Finish => return false,
            }
        }
        true
    }

    fn abort(&mut self, number: Number, why: &str) {
        if let Some(errand) = self.errands.get(&number) {
            let how = if why.contains("stopped") { HttpEnd::Stopped } else { HttpEnd::ClientGone };
            errand.journal().over(how, why);
            errand.abort();
            self.over.push(number);
        }
    }
}
