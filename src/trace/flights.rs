//! The requests in flight, and which request an id or a place in the stream stands for.

use std::collections::BTreeSet;

use super::scope::{Chan, QuickMap, Scope, key};
use super::tokens::Tokens;
use super::{Exchange, Status};
use crate::model::{Era, Id, Side};

/// What is kept of a request only while it is in flight.
#[derive(Debug, Clone)]
pub(super) struct Flight {
    pub(super) chan: Chan,
    pub(super) side: Side,
    pub(super) token: Option<Id>,
    /// The progress last told.
    pub(super) progress: Option<f64>,
    /// Whether it asked for log messages (2026-07-28), or its revision has no such thing.
    pub(super) wants_logs: bool,
    /// Whether it stays open by its nature, so that nothing without a name is put down to it.
    pub(super) stands: bool,
    /// The hash of its arguments' bytes, where it may be asked for input.
    pub(super) arguments: u64,
}

/// Requests that share one id at one time, which is against the rules (JR-005, JR-006).
#[derive(Debug, Default)]
pub(super) struct Group {
    members: Vec<u32>,
    /// How many answers have come that may be of any of them.
    pub(super) answers: usize,
}

/// With whom a request shares its id.
#[derive(Debug, Default)]
pub(super) struct Start {
    /// Requests that are in flight with the same id, and in which scope.
    pub(super) twins: Vec<(Scope, u32)>,
    /// Whether so many share it on its own channel that this one is given up at once.
    pub(super) crowd: bool,
    /// The request that had it before, was cancelled, and has not been answered.
    pub(super) cancelled: Option<u32>,
}

/// Which requests an id may stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hit {
    /// None in flight.
    None,
    /// This one.
    One(u32),
    /// One of these, in the group with this key.
    Several(u64, Vec<u32>),
}

/// The requests in flight and the ways to find them.
#[derive(Debug, Default)]
pub(super) struct Flights {
    /// Key of an id → the exchange that used it last, answered or not.
    latest: QuickMap<u64, u32>,
    /// The same for modern HTTP requests among all of a client's channels. Ids may be in use several
    /// times there, so what is found by it is only possible.
    elsewhere: QuickMap<u64, u32>,
    /// Key of an id → the requests in flight that share it.
    groups: QuickMap<u64, Group>,
    flying: QuickMap<u32, Flight>,
    /// In flight by where they are, those that stand left out.
    open: QuickMap<(Scope, Side), BTreeSet<u32>>,
    tokens: Tokens,
}

/// More requests than this with one id at one time are not told apart even as candidates.
const MOST_IN_GROUP: usize = 16;

impl Flights {
    /// Puts a request in flight, and says with whom it shares its id.
    pub(super) fn start(&mut self, exchange: u32, flight: Flight, all: &[Exchange]) -> Start {
        let this = &all[exchange as usize];
        let mut start = Start::default();
        // A modern HTTP request is found through its own channel only (protocol.md 4.2).
        let narrow = flight.chan.is_http() && this.era == Some(Era::Modern);
        if narrow {
            self.elsewhere.insert(key(flight.chan.group(), this.side, &this.id), exchange);
        }
        for scope in flight.chan.scopes().take(if narrow { 1 } else { usize::MAX }) {
            let key = key(scope, this.side, &this.id);
            let before = self.latest.insert(key, exchange).filter(|&before| is_same(&all[before as usize], this));
            if let Some(twin) = self.twin(key, before, all) {
                start.twins.push((scope, twin));
                start.crowd |= self.group(key, twin, exchange, all) && matches!(scope, Scope::Channel(_));
            } else if before.is_some_and(|before| all[before as usize].status == Status::Cancelled) {
                start.cancelled = before;
            }
        }
        if !start.crowd {
            self.enter(exchange, flight);
        }
        start
    }

    /// A request in flight with this key: the latest one, or one of those that share it.
    fn twin(&self, key: u64, before: Option<u32>, all: &[Exchange]) -> Option<u32> {
        let open = |one: &u32| all[*one as usize].status.is_open();
        let grouped = || self.groups.get(&key)?.members.iter().rev().copied().find(open);
        before.filter(open).or_else(grouped)
    }

    fn enter(&mut self, exchange: u32, flight: Flight) {
        for scope in homes(flight.chan).filter(|_| !flight.stands) {
            self.open.entry((scope, flight.side)).or_default().insert(exchange);
        }
        if let Some(token) = &flight.token {
            self.tokens.own(flight.chan, flight.side, token, exchange);
        }
        self.flying.insert(exchange, flight);
    }

    /// Notes that two requests share a key; whether the group is too large for the new one.
    fn group(&mut self, key: u64, twin: u32, exchange: u32, all: &[Exchange]) -> bool {
        let group = self.groups.entry(key).or_default();
        group.members.retain(|&member| all[member as usize].status.is_open());
        if group.members.is_empty() {
            *group = Group { members: vec![twin], answers: 0 };
        }
        let full = group.members.len() >= MOST_IN_GROUP;
        if !full {
            group.members.push(exchange);
        }
        full
    }

    /// Takes a request out of flight: it was answered, cancelled, or its connection ended.
    pub(super) fn land(&mut self, exchange: u32) -> Option<Flight> {
        let flight = self.flying.remove(&exchange)?;
        for scope in homes(flight.chan) {
            if let Some(open) = self.open.get_mut(&(scope, flight.side)) {
                open.remove(&exchange);
                if open.is_empty() && flight.chan.is_http() {
                    self.open.remove(&(scope, flight.side));
                }
            }
        }
        Some(flight)
    }

    /// The request in flight of `side` that has this id, as seen from a channel.
    pub(super) fn find(&self, chan: Chan, side: Side, id: &Id, all: &[Exchange]) -> Hit {
        for scope in chan.scopes() {
            let key = key(scope, side, id);
            if let Some(group) = self.groups.get(&key) {
                let is_it = |member: &&u32| is_open(&all[**member as usize], side, id) && self.shares(chan, **member);
                let open: Vec<u32> = group.members.iter().filter(is_it).copied().collect();
                match open[..] {
                    [] => {}
                    [one] if group.answers == 0 => return Hit::One(one),
                    _ => return Hit::Several(key, open),
                }
            }
            let fits = |&&latest: &&u32| is_open(&all[latest as usize], side, id) && self.shares(chan, latest);
            if let Some(&latest) = self.latest.get(&key).filter(fits) {
                return Hit::One(latest);
            }
        }
        Hit::None
    }

    /// The request of `side` that used this id last, whether it is in flight or not.
    pub(super) fn find_last(&self, chan: Chan, side: Side, id: &Id, all: &[Exchange]) -> Option<u32> {
        let fits = |&latest: &u32| all[latest as usize].side == side && all[latest as usize].id == *id;
        let mut scopes = chan.scopes().filter(|scope| chan.session().is_none() || !matches!(scope, Scope::Peer(_)));
        scopes.find_map(|scope| self.latest.get(&key(scope, side, id)).copied().filter(fits))
    }

    /// The modern HTTP request in flight that may be meant by an id on another channel of its client.
    pub(super) fn find_elsewhere(&self, chan: Chan, side: Side, id: &Id, all: &[Exchange]) -> Option<u32> {
        let found = self.elsewhere.get(&key(chan.group(), side, id)).copied();
        found.filter(|&exchange| is_open(&all[exchange as usize], side, id))
    }

    /// Whether a channel is not of another session than a request: ids begin anew in each.
    fn shares(&self, chan: Chan, exchange: u32) -> bool {
        let other = self.flying.get(&exchange).and_then(|flight| flight.chan.session());
        chan.session().is_none_or(|session| other.is_none_or(|other| other == session))
    }

    /// Counts an answer to one of a group; whether there are now as many answers as requests.
    pub(super) fn answer_group(&mut self, key: u64, open: &[u32]) -> bool {
        let Some(group) = self.groups.get_mut(&key) else { return false };
        group.answers += 1;
        let done = group.answers >= open.len();
        if done {
            self.groups.remove(&key);
        }
        done
    }

    /// The requests in flight of `side` that something without a name may belong to.
    pub(super) fn in_flight(&self, scope: Scope, side: Side) -> Option<&BTreeSet<u32>> {
        self.open.get(&(scope, side)).filter(|open| !open.is_empty())
    }

    pub(super) fn get(&self, exchange: u32) -> Option<&Flight> {
        self.flying.get(&exchange)
    }

    pub(super) fn get_mut(&mut self, exchange: u32) -> Option<&mut Flight> {
        self.flying.get_mut(&exchange)
    }

    /// Forgets the progress token of a request that is over.
    pub(super) fn drop_token(&mut self, exchange: u32, flight: &Flight) {
        if let Some(token) = &flight.token {
            self.tokens.disown(flight.chan, flight.side, token, exchange);
        }
    }

    /// The active requests of `side` with this progress token, in the narrowest scope that has some.
    pub(super) fn by_token(&self, chan: Chan, side: Side, token: &Id) -> Vec<u32> {
        self.tokens.owners(chan, side, token, |owner| self.shares(chan, owner))
    }

    /// The request of `side` that had this token and is over.
    pub(super) fn by_old_token(&self, chan: Chan, side: Side, token: &Id) -> Option<u32> {
        self.tokens.last_owner(chan, side, token)
    }

    /// All requests in flight that fit, in order.
    pub(super) fn all(&self, fits: impl Fn(&Flight) -> bool) -> Vec<u32> {
        let mut list: Vec<u32> = self.flying.iter().filter(|(_, flight)| fits(flight)).map(|(&one, _)| one).collect();
        list.sort_unstable();
        list
    }
}

/// Where a request in flight is counted: on its channel, and over HTTP in its conversation as well.
fn homes(chan: Chan) -> impl Iterator<Item = Scope> {
    let wide = chan.is_http().then(|| chan.home());
    std::iter::once(Scope::Channel(chan.id)).chain(wide)
}

fn is_same(other: &Exchange, this: &Exchange) -> bool {
    other.side == this.side && other.id == this.id
}

/// Whether an answer with this id may be this exchange's. After the end of the connection as well:
/// what was still in the pipe is recorded after the exit.
fn is_open(exchange: &Exchange, side: Side, id: &Id) -> bool {
    matches!(exchange.status, Status::Pending | Status::Unanswered) && exchange.side == side && exchange.id == *id
}
