//! The requests that were on the wire and are no more, so that a late answer is known for what it is and an id is
//! not given out twice. The oldest are forgotten.

use std::collections::VecDeque;

use super::flight::Purpose;
use crate::model::Id;

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
}

impl Past {
    pub(super) fn note(&mut self, id: Id, purpose: Purpose, over: Over) {
        if self.all.len() >= MOST {
            self.all.pop_front();
        }
        self.all.push_back(Former { id, purpose, over });
    }

    /// The last request with this id.
    pub(super) fn find(&self, id: &Id) -> Option<&Former> {
        self.all.iter().rev().find(|former| former.id == *id)
    }
}
