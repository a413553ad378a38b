//! Where a server has its answers from, as the machine sees it.

use std::fmt;

use super::{Bytes, ClientId, Kind, Link, Order, Plan, RequestNo, Step};
use crate::model::{Era, Nanos, Revision, Seq};

/// What makes the answers: a mock file, a recording, or nothing.
pub trait Script: Send + fmt::Debug {
    /// Who the server is.
    fn about(&self) -> &About;

    /// What the server has of a kind: each item as JSON text.
    fn list(&self, kind: Kind) -> &[Bytes];

    /// What is to be done about this request; asked for every one, also `initialize`, `ping` and lists.
    fn answer(&mut self, asked: &Asked<'_>) -> Answer;

    /// What was done about a request that it had missed, by hand or by the real server, so that it knows next time.
    fn learn(&mut self, _asked: &Asked<'_>, _steps: &[Step]) {}

    /// What happens by itself: asked after each thing that happens, until it says nothing more is due. `now` counts from
    /// when serving began.
    fn due(&mut self, _now: Nanos) -> Option<Order> {
        None
    }

    /// When [`Script::due`] has something next, counted likewise.
    fn due_at(&self) -> Option<Nanos> {
        None
    }
}

/// Who a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// `serverInfo`, as JSON text.
    pub identity: String,
    /// `capabilities` in the legacy era, as JSON text.
    pub legacy: String,
    /// `capabilities` in 2026-07-28, as JSON text.
    pub modern: String,
    /// `instructions`.
    pub instructions: Option<String>,
    /// The revisions that it speaks, oldest first; not empty.
    pub revisions: Vec<Revision>,
    /// How many items a page of a list has; `None`: all.
    pub page: Option<usize>,
    /// `ttlMs` and `cacheScope` of what may be cached (2026-07-28).
    pub hint: (u64, String),
    /// Completions that the machine gives by itself when the script does not answer `completion/complete`: what is
    /// completed (a prompt's name or a template's URI), the argument, the values.
    pub completions: Vec<(String, String, Vec<String>)>,
}

/// A request as a script sees it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Its number.
    pub request: RequestNo,
    /// Who asks.
    pub client: ClientId,
    /// On what.
    pub link: Link,
    /// The era in which it is asked.
    pub era: Era,
    /// The revision.
    pub revision: &'a Revision,
    /// Its method.
    pub method: &'a str,
    /// Its params, as sent.
    pub params: Option<&'a [u8]>,
    /// The whole message, as sent.
    pub message: &'a [u8],
    /// `clientInfo`, as JSON text, where it is known.
    pub identity: Option<&'a [u8]>,
    /// `capabilities` of the client, as JSON text, where they are known.
    pub capabilities: Option<&'a [u8]>,
}

/// What a script says to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Do this.
    Plan(Plan),
    /// The machine answers by itself: handshake, lists, ping, levels, subscriptions, tasks; for a method that it does
    /// not know, or an item that is not there, with the error of the era.
    Own,
    /// It has no answer, and says why.
    Miss(Box<Miss>),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Miss {
    /// A sentence for the client and the person at the window.
    pub why: String,
    /// What comes nearest, the nearest first; few.
    pub near: Vec<Near>,
}

/// A rule or recorded call that nearly answered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Near {
    /// Which: a rule's name, `recorded call 17`.
    pub what: String,
    /// Where it stands; see [`Plan::place`].
    pub place: Option<u64>,
    /// The sequence number of the recorded request.
    pub seq: Option<Seq>,
    /// The JSON pointer in `params` at which it first differs.
    pub pointer: String,
    /// What it wants there, as JSON text or in words.
    pub wanted: String,
    /// What came, as JSON text; `None`: nothing.
    pub got: Option<String>,
    /// What it would have done: a start for an answer by hand.
    pub steps: Vec<Step>,
}
