//! The requests that are being answered: who asked what, how far the plan has come, and what it waits for.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{Asked, Bytes, ClientId, Ended, Link, Plan, RequestNo, Ticket};
use crate::mcp::Capabilities;
use crate::model::{Era, Id, Nanos, Revision};
use crate::wire::Json;

/// How many requests are answered at once; one more is refused.
pub(super) const MOST: usize = 4_096;

/// What a request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// Nothing: its next step can be done.
    Ready,
    /// A time.
    Until(Nanos),
    /// Its client: answers to what it is asked, the end of what it listens to. Who set it goes on.
    Client,
    /// A person.
    Person,
    /// The real server.
    Real,
}

/// One request.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) no: RequestNo,
    pub(super) client: ClientId,
    pub(super) link: Link,
    /// The delivery that brought it, on whose response its answer goes; 0 for none.
    pub(super) via: Ticket,
    /// The batch that it is of.
    pub(super) batch: Option<u64>,
    pub(super) id: Id,
    /// Its id as it was written.
    pub(super) written: Bytes,
    pub(super) method: String,
    pub(super) message: Bytes,
    /// Where its params stand in the message.
    pub(super) params: Option<Range<usize>>,
    pub(super) era: Era,
    pub(super) revision: Revision,
    /// Who asks, and what it can do, as JSON text.
    pub(super) identity: Option<Bytes>,
    pub(super) capabilities: Option<Bytes>,
    /// On whose behalf it asks: the value of `Authorization`.
    pub(super) principal: Option<Bytes>,
    /// Its progress token as it was written.
    pub(super) token: Option<Bytes>,
    /// The rank of the `logLevel` that it asks for (2026-07-28).
    pub(super) level: Option<u8>,
    pub(super) came: Nanos,
    pub(super) plan: Plan,
    /// The step that is next.
    pub(super) at: usize,
    /// What the client answered to asks, by their keys.
    pub(super) answers: Vec<(String, Bytes)>,
    pub(super) wait: Wait,
    /// The script had no answer, and learns what is done.
    pub(super) missed: bool,
    /// A person answers it, who may do so in pieces.
    pub(super) by_hand: bool,
    /// How it was answered. Steps may follow.
    pub(super) ended: Option<Ended>,
    /// The protocol answers it as one step of its plan: what stands behind that follows.
    pub(super) own: bool,
    /// What of the plan was left out though nothing else answers.
    pub(super) left_out: Option<String>,
    /// The progress that was last sent.
    pub(super) progress: Option<f64>,
    /// The task that it has become: what it ends with is the task's.
    pub(super) task: Option<String>,
}

impl Flight {
    /// Its params as sent.
    pub(super) fn params(&self) -> Option<&[u8]> {
        self.params.clone().map(|range| &self.message[range])
    }

    /// A member of its params.
    pub(super) fn param(&self, name: &str) -> Option<Json<'_>> {
        Json::parse(self.params()?).ok()?.get(name)
    }

    /// What its client can do.
    pub(super) fn can(&self) -> Capabilities {
        let json = self.capabilities.as_deref().and_then(|text| Json::parse(text).ok());
        json.map_or(Capabilities::UNKNOWN, Capabilities::read)
    }

    /// As a script sees it.
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            request: self.no,
            client: self.client,
            link: self.link,
            era: self.era,
            revision: &self.revision,
            method: &self.method,
            params: self.params(),
            message: &self.message,
            identity: self.identity.as_deref(),
            capabilities: self.capabilities.as_deref(),
        }
    }
}

/// The requests that are being answered, oldest first, and when those wake that wait for a time.
#[derive(Debug, Default)]
pub(super) struct Flights {
    last: RequestNo,
    all: BTreeMap<RequestNo, Flight>,
    /// May name some that are over or wait for something else by now.
    timers: BTreeSet<(Nanos, RequestNo)>,
}

impl Flights {
    /// A number for the next one.
    pub(super) fn number(&mut self) -> RequestNo {
        self.last += 1;
        self.last
    }

    /// The number that was given last.
    pub(super) const fn last(&self) -> RequestNo {
        self.last
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn begin(&mut self, flight: Flight) {
        self.all.insert(flight.no, flight);
    }

    pub(super) fn get(&self, no: RequestNo) -> Option<&Flight> {
        self.all.get(&no)
    }

    pub(super) fn get_mut(&mut self, no: RequestNo) -> Option<&mut Flight> {
        self.all.get_mut(&no)
    }

    pub(super) fn take(&mut self, no: RequestNo) -> Option<Flight> {
        let flight = self.all.remove(&no)?;
        if let Wait::Until(at) = flight.wait {
            self.timers.remove(&(at, no));
        }
        Some(flight)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Flight> {
        self.all.values()
    }

    /// It waits until then.
    pub(super) fn sleep(&mut self, no: RequestNo, at: Nanos) {
        if let Some(flight) = self.all.get_mut(&no) {
            flight.wait = Wait::Until(at);
            self.timers.insert((at, no));
        }
    }

    /// The next one that has waited long enough.
    pub(super) fn take_due(&mut self, now: Nanos) -> Option<RequestNo> {
        while let Some((at, no)) = self.timers.first().copied().filter(|(at, _)| *at <= now) {
            self.timers.remove(&(at, no));
            if self.all.get(&no).is_some_and(|flight| flight.wait == Wait::Until(at)) {
                return Some(no);
            }
        }
        None
    }

    /// When the next one wakes.
    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.timers.first().map(|(at, _)| *at)
    }
}
