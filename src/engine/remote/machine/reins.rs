//! What our own client may do with requests under way: let one go, break its stream, end everything.

use super::exchange::{Do, Number, Purpose};
use super::{Kind, Machine};
use crate::model::{Id, Nanos};

/// What a stream that was broken on request is said to have ended with.
const BROKEN: &str = "the stream was broken from here, as a bad network would";

impl Machine {
    /// The answer to a request is not wanted any more: its connection is closed (2026-07-28, cancellation).
    pub fn let_go(&mut self, now: Nanos, id: &Id) {
        self.queue.retain(|line| !line.asks.iter().any(|asked| asked.id == *id));
        if let Some(number) = self.carrying(id) {
            self.abort(number, "the request was cancelled");
        }
        self.advance(now);
    }

    /// Breaks the stream that answers a request, or that of the session, as a bad network would: what can be resumed is
    /// resumed.
    pub fn break_stream(&mut self, now: Nanos, id: Option<&Id>) {
        let number = match id {
            Some(id) => self.carrying(id).or_else(|| self.legacy.stream.as_ref().map(|stream| stream.number)),
            None => {
                let is_open = |purpose: &Purpose| matches!(purpose, Purpose::Listening | Purpose::Stream);
                self.exchanges.iter().find(|(_, exchange)| is_open(&exchange.purpose)).map(|(&number, _)| number)
            }
        };
        match number {
            Some(number) => {
                self.out.push_back(Do::Abort(number, BROKEN));
                self.ended(now, number, Some(BROKEN.to_owned()));
            }
            None => self.say("there is no stream that could be broken: none is open, or the answer has come"),
        }
    }

    /// Nobody waits for an answer any more; what was not sent yet of other messages goes first.
    pub fn finish_up(&mut self, now: Nanos) {
        self.queue.retain(|line| line.kind != Kind::Request);
        self.legacy.resumes.clear();
        if let Some(stream) = &mut self.legacy.stream {
            stream.waits.clear();
        }
        for exchange in self.exchanges.values_mut() {
            exchange.waits.clear();
            exchange.taken_back |= exchange.line.as_ref().is_some_and(|line| line.kind == Kind::Request);
        }
        self.stop(now, false);
    }

    /// The exchange that brings the answer to a request.
    fn carrying(&self, id: &Id) -> Option<Number> {
        let waits = |number: &Number| self.exchanges[number].waits.iter().any(|asked| asked.id == *id);
        self.exchanges.keys().copied().find(waits)
    }
}
