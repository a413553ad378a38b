//! The clients: what each said about itself, and where its handshake stands.

use std::collections::HashMap;

use super::{Bytes, ClientId, Link, RequestNo, Who};
use crate::model::Revision;

/// How many clients are known at once; what further ones say is refused.
pub(super) const MOST: usize = 10_000;

/// Where a client stands in the handshake of the legacy era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// No `initialize` came.
    #[default]
    New,
    /// `initialize` came, `notifications/initialized` did not.
    Greeted,
    /// Both came.
    Ready,
}

/// One client.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) link: Link,
    pub(super) stage: Stage,
    /// It spoke 2026-07-28 before.
    pub(super) modern: bool,
    /// What `initialize` agreed upon.
    pub(super) revision: Option<Revision>,
    /// `clientInfo` of `initialize`.
    pub(super) identity: Option<Bytes>,
    /// `capabilities` of `initialize`.
    pub(super) capabilities: Option<Bytes>,
    /// The rank of the level that it set.
    pub(super) level: Option<u8>,
    /// Its requests that are being answered.
    pub(super) running: Vec<RequestNo>,
    /// What was last told about it.
    pub(super) known: Option<Who>,
    /// The rules whose breach by it was told, which is done once.
    pub(super) remarked: Vec<&'static str>,
}

impl Client {
    const fn new(link: Link) -> Self {
        Self {
            link,
            stage: Stage::New,
            modern: false,
            revision: None,
            identity: None,
            capabilities: None,
            level: None,
            running: Vec::new(),
            known: None,
            remarked: Vec::new(),
        }
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Clients(HashMap<ClientId, Client>);

impl Clients {
    /// A new one; false when there are too many.
    pub(super) fn add(&mut self, client: ClientId, link: Link) -> bool {
        let room = self.0.len() < MOST;
        if room {
            self.0.entry(client).or_insert_with(|| Client::new(link));
        }
        room
    }

    pub(super) fn get(&self, client: ClientId) -> Option<&Client> {
        self.0.get(&client)
    }

    pub(super) fn get_mut(&mut self, client: ClientId) -> Option<&mut Client> {
        self.0.get_mut(&client)
    }

    pub(super) fn take(&mut self, client: ClientId) -> Option<Client> {
        self.0.remove(&client)
    }

    /// Their numbers, in order.
    pub(super) fn numbers(&self) -> Vec<ClientId> {
        let mut numbers: Vec<ClientId> = self.0.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }
}
