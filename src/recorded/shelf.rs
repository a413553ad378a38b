//! The calls of one session by what they ask.

use std::collections::HashMap;

use super::canon::{self, Key};
use super::{Call, MatchWay, Matching};

/// Where the calls stand in their session.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    by_key: HashMap<Key, Vec<usize>>,
    /// How many clients there were.
    clients: u32,
}

/// By what a request is looked for.
pub(super) fn key(method: &str, params: Option<&[u8]>, matching: &Matching) -> Key {
    match matching.way {
        MatchWay::Order => canon::key(method, None, &[]),
        MatchWay::Params | MatchWay::Strict => canon::key(method, params, &matching.ignored),
    }
}

impl Shelf {
    /// One with these calls.
    pub(super) fn new(calls: &[Call], matching: &Matching) -> Self {
        let mut shelf = Self::default();
        for (place, call) in calls.iter().enumerate() {
            shelf.put(call, place, matching);
        }
        shelf
    }

    /// Puts one more on it.
    pub(super) fn put(&mut self, call: &Call, place: usize, matching: &Matching) {
        let key = key(&call.method, call.params.as_deref(), matching);
        self.by_key.entry(key).or_default().push(place);
        self.clients = self.clients.max(call.client.map_or(0, |client| client + 1));
    }

    /// How many clients there were, at least one.
    pub(super) fn clients(&self) -> u32 {
        self.clients.max(1)
    }

    /// The calls with this key, in recorded order.
    pub(super) fn find(&self, key: &Key) -> &[usize] {
        self.by_key.get(key).map_or(&[], Vec::as_slice)
    }
}
