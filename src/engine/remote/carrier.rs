//! A machine with its couriers: what concerns only the two is done here, everything else is handed out.

use std::collections::HashMap;
use std::sync::Arc;

use super::courier::{Courier, Errand, News};
use super::machine::{Do, Machine, Number};
use crate::engine::record::Queue;
use crate::model::{HttpEnd, Transport};

/// Carries requests as a machine decides.
pub struct Carrier {
    /// Who decides.
    pub machine: Machine,
    courier: Arc<Courier>,
    queue: Arc<Queue>,
    errands: HashMap<Number, Errand>,
    /// Those that are over.
    over: Vec<Number>,
}

impl Carrier {
    /// One that has done nothing.
    pub fn new(machine: Machine, courier: Arc<Courier>, queue: Arc<Queue>) -> Self {
        Self { machine, courier, queue, errands: HashMap::new(), over: Vec::new() }
    }

    /// Hears what a courier tells.
    pub fn hear(&mut self, news: News) {
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

    /// Does what is to be done, and hands out the next thing that is somebody else's to do. Only within a runtime.
    pub fn next(&mut self) -> Option<Do> {
        while let Some(next) = self.machine.next() {
            match next {
                Do::Send(number, request) => {
                    let errand = self.courier.start(number, request);
                    self.errands.insert(number, errand);
                }
                Do::Abort(number, why) => self.abort(number, why),
                Do::ReadOn(number) => self.errands.get(&number).into_iter().for_each(Errand::read_on),
                Do::Changed(number, what, to) => {
                    self.errands.get(&number).into_iter().for_each(|errand| errand.journal().changed(&what, &to));
                }
                Do::IsSse(number) => {
                    let is_sse = |errand: &Errand| errand.journal().learn(|it| it.transport = Transport::HttpSse);
                    self.errands.get(&number).into_iter().for_each(is_sse);
                }
                other => return Some(other),
            }
        }
        // All that is to be noted of them was.
        self.over.drain(..).for_each(|number| drop(self.errands.remove(&number)));
        None
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
