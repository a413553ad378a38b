//! How often each client has asked each thing: a client that comes anew begins anew.

use std::collections::{HashMap, VecDeque};

use super::canon::Key;
use crate::model::Era;
use crate::peer::server::{Asked, ClientId, Link};

/// So many clients are remembered; the one that came first is forgotten first.
const MOST: usize = 4096;

/// All clients.
#[derive(Debug, Default)]
pub(super) struct Seats {
    counts: HashMap<ClientId, HashMap<Key, u64>>,
    order: VecDeque<ClientId>,
}

impl Seats {
    /// How often this was asked before; from now on once more.
    pub(super) fn count(&mut self, asked: &Asked<'_>, key: Key) -> u64 {
        // Over HTTP each request of 2026-07-28 comes from nobody in particular, so all of them are one client.
        let client = if asked.era == Era::Modern && asked.link == Link::Http { 0 } else { asked.client };
        if !self.counts.contains_key(&client) {
            self.order.push_back(client);
            if self.order.len() > MOST
                && let Some(oldest) = self.order.pop_front()
            {
                self.counts.remove(&oldest);
            }
        }
        let count = self.counts.entry(client).or_default().entry(key).or_default();
        *count += 1;
        *count - 1
    }
}
