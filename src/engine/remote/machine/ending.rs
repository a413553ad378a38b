//! The end of a bridge: what runs may finish for a while, then the session is ended, then nothing is left.

use super::exchange::{Do, Exchange, Number};
use super::{Line, Machine, SECOND};
use crate::model::Nanos;

/// How long the server may take to hear that the session is over.
const FAREWELL: Nanos = 2 * SECOND;

/// How far the end has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It has not begun.
    Not,
    /// The host says no more; what runs has until then.
    Draining(Nanos),
    /// The server is being told, at the longest until then.
    Leaving(Nanos),
    /// It is over.
    Over,
}

impl Ending {
    /// Whether requests may still be sent.
    pub const fn may_send(self) -> bool {
        matches!(self, Self::Not | Self::Draining(_))
    }

    /// Whether nothing new is to be begun for the host.
    pub const fn is_over(self) -> bool {
        !self.may_send()
    }
}

impl Machine {
    /// The host has closed our input, or sent a signal: requests that run have their grace. The second
    /// signal ends them.
    pub fn stop(&mut self, now: Nanos, is_signal: bool) {
        match self.ending {
            Ending::Not => {
                let rest = std::mem::take(&mut self.begun);
                if !self.skips {
                    self.queue.extend(Line::read(&rest));
                }
                self.ending = Ending::Draining(now.saturating_add(self.grace));
            }
            Ending::Draining(_) if is_signal => self.ending = Ending::Draining(now),
            Ending::Leaving(_) if is_signal => self.finish(),
            _ => {}
        }
        self.advance(now);
    }

    /// The host reads no more: there is nobody to finish anything for.
    pub fn host_gone(&mut self, now: Nanos) {
        if self.ending.may_send() {
            self.ending = Ending::Draining(now);
        }
        self.advance(now);
    }

    /// Goes on with the end as far as possible.
    pub(super) fn settle(&mut self, now: Nanos) {
        match self.ending {
            Ending::Draining(until) if now >= until || !self.is_busy() => self.leave(now),
            Ending::Leaving(until) if now >= until => self.finish(),
            _ => {}
        }
    }

    /// When [`Machine::settle`] will have something to do at the latest.
    pub(super) fn ending_due(&self) -> Option<Nanos> {
        match self.ending {
            Ending::Draining(until) | Ending::Leaving(until) => Some(until),
            Ending::Not | Ending::Over => None,
        }
    }

    /// Whether somebody waits for something.
    fn is_busy(&self) -> bool {
        let streamed = self.legacy.stream.as_ref().is_some_and(|stream| !stream.waits.is_empty());
        let runs = self.exchanges.values().any(Exchange::is_awaited) || !self.legacy.resumes.is_empty();
        runs || streamed || !self.queue.is_empty() || self.legacy.is_greeting()
    }

    fn leave(&mut self, now: Nanos) {
        self.ending = Ending::Leaving(now + FAREWELL);
        self.queue.clear();
        self.legacy.resumes.clear();
        self.legacy.give_up_greeting();
        let open: Vec<Number> = self.exchanges.keys().copied().collect();
        for number in open {
            self.abort(number, "midwire was stopped");
        }
        if !self.leave_session(now) {
            self.finish();
        }
    }

    /// The server has heard that a session is over.
    pub(super) fn left(&mut self) {
        if matches!(self.ending, Ending::Leaving(_)) {
            self.finish();
        }
    }

    fn finish(&mut self) {
        if self.ending != Ending::Over {
            self.ending = Ending::Over;
            self.out.push_back(Do::Finish);
        }
    }
}
