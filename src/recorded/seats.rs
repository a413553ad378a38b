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
    taken: HashMap<ClientId, Seat>,
    order: VecDeque<ClientId>,
    /// How many came.
    came: u32,
}

/// One client.
#[derive(Debug, Default)]
struct Seat {
    /// The how manyth it is, from 0; nothing where requests come from nobody in particular.
    number: Option<u32>,
    counts: HashMap<(Era, Key), u64>,
}

impl Seats {
    /// How often this client asked this before, and the how manyth client it is; from now on once more.
    pub(super) fn count(&mut self, asked: &Asked<'_>, key: Key) -> (u64, Option<u32>) {
        let id = self.seat(asked);
        let seat = self.taken.entry(id).or_default();
        let count = seat.counts.entry((asked.era, key)).or_default();
        *count += 1;
        (*count - 1, seat.number)
    }

    /// The seat of a client: a process, or a session. All requests of neither are one client's.
    fn seat(&mut self, asked: &Asked<'_>) -> ClientId {
        let nobody = asked.link != Link::Stdio && (asked.era == Era::Modern || asked.method != "initialize");
        if self.taken.contains_key(&asked.client) {
            return asked.client;
        }
        if nobody {
            return 0;
        }
        self.order.push_back(asked.client);
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.taken.remove(&oldest);
        }
        self.taken.insert(asked.client, Seat { number: Some(self.came), counts: HashMap::new() });
        self.came = self.came.wrapping_add(1);
        asked.client
    }
}
