//! What is counted and collected while a recording is read: how its exchanges stand, which methods and
//! tools occur.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::Seq;
use crate::trace::{Name, NoteKind, Status, Trace};

/// Names offered for completion; a recording in which every call names another tool stays small.
const MOST_NAMES: usize = 2000;

/// The counts of a recording.
#[derive(Default)]
pub(super) struct Tally {
    /// Exchanges that ended in an error.
    pub(super) errors: u64,
    /// Exchanges without an answer yet.
    pub(super) pending: u64,
    /// HTTP responses that may still go on.
    pub(super) open: u64,
    /// How each exchange stood when it was counted.
    counted: Vec<Status>,
    methods: Collected,
    tools: Collected,
    sessions: Collected,
    /// Whether each HTTP request was open when it was counted.
    were_open: Vec<bool>,
}

#[derive(Default)]
struct Collected {
    names: BTreeSet<Name>,
    texts: Arc<[Arc<str>]>,
}

impl Tally {
    /// Counts an exchange, newly seen or seen again. Exchanges come in order, so those before it have
    /// been counted.
    pub(super) fn count(&mut self, trace: &Trace, index: u32) {
        for index in self.counted.len()..=index as usize {
            let Some(exchange) = trace.exchanges().get(index) else { return };
            self.counted.push(exchange.status);
            self.add(exchange.status, 1);
            self.methods.add(exchange.method);
            if &**trace.name(exchange.method) == "tools/call" {
                self.tools.add(exchange.subject);
            }
        }
        let status = trace.exchanges()[index as usize].status;
        let before = std::mem::replace(&mut self.counted[index as usize], status);
        self.add(before, -1);
        self.add(status, 1);
    }

    /// Counts an HTTP request, newly seen or seen again; they come in order as exchanges do.
    pub(super) fn http(&mut self, trace: &Trace, index: u32) {
        for http in trace.https().iter().take(index as usize + 1).skip(self.were_open.len()) {
            self.were_open.push(false);
            self.sessions.add(http.session);
        }
        let Some(http) = trace.https().get(index as usize) else { return };
        self.sessions.add(http.session);
        let is_open = http.is_open() && http.responded.is_some();
        let was_open = std::mem::replace(&mut self.were_open[index as usize], is_open);
        self.open = self.open + u64::from(is_open) - u64::from(was_open);
    }

    /// Collects the method of an entry that is a notification.
    pub(super) fn entry(&mut self, trace: &Trace, seq: Seq) {
        if let Some(note) = trace.note(seq).filter(|note| note.kind == NoteKind::Notification) {
            self.methods.add(note.method);
        }
    }

    fn add(&mut self, status: Status, sign: i64) {
        if status.is_error() {
            self.errors = self.errors.saturating_add_signed(sign);
        }
        if status.is_open() {
            self.pending = self.pending.saturating_add_signed(sign);
        }
    }

    /// The methods seen, in alphabetical order.
    pub(super) fn methods(&mut self, trace: &Trace) -> Arc<[Arc<str>]> {
        self.methods.texts(trace)
    }

    /// The session ids of HTTP, in alphabetical order.
    pub(super) fn sessions(&mut self, trace: &Trace) -> Arc<[Arc<str>]> {
        self.sessions.texts(trace)
    }

    /// The tools called, in alphabetical order.
    pub(super) fn tools(&mut self, trace: &Trace) -> Arc<[Arc<str>]> {
        self.tools.texts(trace)
    }
}

impl Collected {
    fn add(&mut self, name: Name) {
        if !name.is_none() && self.names.len() < MOST_NAMES {
            self.names.insert(name);
        }
    }

    fn texts(&mut self, trace: &Trace) -> Arc<[Arc<str>]> {
        if self.texts.len() != self.names.len() {
            let mut texts: Vec<Arc<str>> = self.names.iter().map(|name| Arc::clone(trace.name(*name))).collect();
            texts.sort();
            self.texts = texts.into();
        }
        Arc::clone(&self.texts)
    }
}
