//! The requests that were on the wire and are no more, so that a late answer is known for what it is and an id is
//! not given out twice. The oldest are forgotten.

use std::collections::VecDeque;

use super::flight::Purpose;
use crate::model::Id;
use crate::wire::{Frame, Item, read};

/// How many are remembered.
const MOST: usize = 1_024;

/// Why a request is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// It was answered.
    Answered,
    /// It was cancelled by us.
    Cancelled,
    /// Its time was up.
    TimedOut,
    /// Nobody waits for it any more.
    Forgotten,
}

/// A request that is over.
#[derive(Debug, Clone)]
pub(super) struct Former {
    pub(super) id: Id,
    pub(super) purpose: Purpose,
    pub(super) over: Over,
}

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Past {
    all: VecDeque<Former>,
    /// The ids of requests that were sent as raw bytes.
    raw: VecDeque<Id>,
}

impl Past {
    pub(super) fn note(&mut self, id: Id, purpose: Purpose, over: Over) {
        if self.all.len() >= MOST {
            self.all.pop_front();
        }
        self.all.push_back(Former { id, purpose, over });
    }

    /// Raw bytes leave: the ids of the requests in them, where they can be read, are known when answers come.
    pub(super) fn note_raw(&mut self, bytes: &[u8]) {
        let items = match read(bytes) {
            Frame::Message(message) => vec![Item::Message(message)],
            Frame::Batch(items) => items,
            _ => return,
        };
        let ids =
            items.into_iter().filter_map(|item| if let Item::Message(message) = item { message.id } else { None });
        self.raw.extend(ids);
        let superfluous = self.raw.len().saturating_sub(MOST);
        self.raw.drain(..superfluous);
    }

    /// Whether raw bytes asked with this id.
    pub(super) fn is_raw(&self, id: &Id) -> bool {
        self.raw.contains(id)
    }

    /// The last request with this id.
    pub(super) fn find(&self, id: &Id) -> Option<&Former> {
        self.all.iter().rev().find(|former| former.id == *id)
    }
}
