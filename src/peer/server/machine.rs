//! The machine: what is heard, ordered and due goes in, what is to be done comes out.

use std::collections::VecDeque;

use super::{ClientId, Do, Link, Order, Script, Settings, Ticket};
use crate::model::Nanos;

/// A server.
#[derive(Debug)]
pub struct Server {
    settings: Settings,
    script: Box<dyn Script>,
    todo: VecDeque<Do>,
}

impl Server {
    /// One that nobody has spoken to. `seed` makes what nobody is to guess (`requestState`, task ids).
    pub fn new(settings: Settings, script: Box<dyn Script>, _seed: [u8; 32]) -> Self {
        Self { settings, script, todo: VecDeque::new() }
    }

    /// A client has come.
    pub fn joined(&mut self, _now: Nanos, _client: ClientId, _link: Link) {}

    /// It says something: one line, event or body, whole. On HTTP with the header fields of the POST, names in lower
    /// case, and the ticket of it.
    pub fn heard(
        &mut self,
        _now: Nanos,
        _client: ClientId,
        _via: Ticket,
        _fields: Option<&[(String, String)]>,
        _frame: &[u8],
    ) {
    }

    /// The client does not wait for the response to this delivery any more.
    pub fn gone(&mut self, _now: Nanos, _via: Ticket) {}

    /// The client has gone: end of input, its session was ended; why.
    pub fn left(&mut self, _now: Nanos, _client: ClientId, _why: &str) {}

    /// Something is to be done.
    pub fn order(&mut self, _now: Nanos, _order: Order) {}

    /// The answers come from here from now on; who listens is told of lists that changed.
    pub fn replace(&mut self, _now: Nanos, script: Box<dyn Script>) {
        self.script = script;
    }

    /// The script.
    pub fn script(&self) -> &dyn Script {
        self.script.as_ref()
    }

    /// How it behaves.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Time has passed.
    pub fn passed(&mut self, _now: Nanos) {}

    /// When it has something to do next.
    pub fn wakes_at(&self) -> Option<Nanos> {
        None
    }

    /// What is to be done next.
    pub fn next(&mut self) -> Option<Do> {
        self.todo.pop_front()
    }
}
