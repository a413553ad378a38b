//! Progress tokens: which active request each stands for, and which one it stood for not long ago.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use super::scope::{Chan, QuickMap, Scope, key};
use crate::model::{Id, Side};

/// The tokens of a recording.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// Key of a token → the active requests that have it.
    active: QuickMap<u64, Owners>,
    /// Tokens of requests that ended not long ago, so that late progress is known for what it is.
    old: QuickMap<u64, u32>,
    old_order: VecDeque<u64>,
}

/// The active requests with one token: mostly one.
#[derive(Debug)]
enum Owners {
    One(u32),
    Many(Vec<u32>),
}

impl Owners {
    fn list(&self) -> &[u32] {
        match self {
            Self::One(owner) => std::slice::from_ref(owner),
            Self::Many(owners) => owners,
        }
    }
}

/// How many tokens of ended requests are remembered.
const MOST_OLD: usize = 1024;

impl Tokens {
    /// A request of `side` becomes active with a token.
    pub(super) fn own(&mut self, chan: Chan, side: Side, token: &Id, exchange: u32) {
        for scope in chan.scopes() {
            match self.active.entry(key(scope, side, token)) {
                Entry::Vacant(entry) => {
                    entry.insert(Owners::One(exchange));
                }
                Entry::Occupied(mut entry) => {
                    let mut owners = entry.get().list().to_vec();
                    owners.push(exchange);
                    entry.insert(Owners::Many(owners));
                }
            }
        }
    }

    /// A request is over, and its token with it.
    pub(super) fn disown(&mut self, chan: Chan, side: Side, token: &Id, exchange: u32) {
        for scope in chan.scopes() {
            let key = key(scope, side, token);
            match self.active.get_mut(&key) {
                Some(Owners::Many(owners)) => {
                    owners.retain(|&owner| owner != exchange);
                    if owners.is_empty() {
                        self.active.remove(&key);
                    }
                }
                Some(Owners::One(owner)) if *owner == exchange => {
                    self.active.remove(&key);
                }
                _ => {}
            }
            self.remember(key, exchange);
        }
    }

    fn remember(&mut self, key: u64, exchange: u32) {
        if self.old.insert(key, exchange).is_none() {
            self.old_order.push_back(key);
        }
        if self.old_order.len() > MOST_OLD
            && let Some(oldest) = self.old_order.pop_front()
        {
            self.old.remove(&oldest);
        }
    }

    /// The active requests of `side` with this token that fit, in the narrowest scope that has some.
    pub(super) fn owners(&self, chan: Chan, side: Side, token: &Id, fits: impl Fn(u32) -> bool) -> Vec<u32> {
        let owners = |scope| {
            let list = self.active.get(&key(scope, side, token))?.list().iter().copied();
            let list: Vec<u32> = list.filter(|&owner| fits(owner)).collect();
            (!list.is_empty()).then_some(list)
        };
        chan.scopes().find_map(owners).unwrap_or_default()
    }

    /// The request of `side` that had this token last and is over. Not one of another session.
    pub(super) fn last_owner(&self, chan: Chan, side: Side, token: &Id) -> Option<u32> {
        let mut scopes = chan.scopes().filter(|scope| chan.session().is_none() || !matches!(scope, Scope::Peer(_)));
        scopes.find_map(|scope| self.old.get(&key(scope, side, token)).copied())
    }
}
