//! What clients of the legacy era were asked and have not answered: the server's own ids, and until when each waits.

use std::collections::BTreeMap;

use super::{Bytes, ClientId, RequestNo, Ticket};
use crate::model::Nanos;

/// The most questions that are open at once; further ones are not asked.
pub(super) const MOST: usize = 10_000;

/// One question.
#[derive(Debug, Clone)]
pub(super) struct Question {
    /// Who is asked.
    pub(super) client: ClientId,
    /// On which way.
    pub(super) via: Ticket,
    /// The request that it is asked for, and its key; nothing where it belongs to none.
    pub(super) within: Option<(RequestNo, String)>,
    /// Its method.
    pub(super) method: String,
    /// Its params.
    pub(super) params: Option<Bytes>,
    /// Until when the client may answer; `None` while it waits for `tasks/result`, and is not sent (TD-018).
    pub(super) until: Option<Nanos>,
}

/// Open questions by their ids.
#[derive(Debug, Default)]
pub(super) struct Questions {
    open: BTreeMap<u64, Question>,
    last: u64,
}

impl Questions {
    /// Whether one more may be asked.
    pub(super) fn has_room(&self) -> bool {
        self.open.len() < MOST
    }

    /// Keeps one, and gives its id, which none had before (JR-005).
    pub(super) fn add(&mut self, question: Question) -> u64 {
        self.last += 1;
        self.open.insert(self.last, question);
        self.last
    }

    pub(super) fn get(&self, id: u64) -> Option<&Question> {
        self.open.get(&id)
    }

    pub(super) fn take(&mut self, id: u64) -> Option<Question> {
        self.open.remove(&id)
    }

    /// Takes those that are asked for a request.
    pub(super) fn take_of(&mut self, no: RequestNo) -> Vec<(u64, Question)> {
        let of_it = |question: &Question| question.within.as_ref().is_some_and(|(within, _)| *within == no);
        self.open.extract_if(.., |_, question| of_it(question)).collect()
    }

    /// Takes those of a client that belong to no request.
    pub(super) fn forget(&mut self, client: ClientId) {
        self.open.retain(|_, question| question.client != client || question.within.is_some());
    }

    /// Takes those whose time is over.
    pub(super) fn take_late(&mut self, now: Nanos) -> Vec<(u64, Question)> {
        self.open.extract_if(.., |_, question| question.until.is_some_and(|until| until <= now)).collect()
    }

    /// When the time of the next one is over.
    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.open.values().filter_map(|question| question.until).min()
    }
}
