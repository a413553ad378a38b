//! What was delivered and is not answered for good: how many requests of it are open, and the batches whose answers
//! are gathered (2025-03-26).

use std::collections::HashMap;

use super::Ticket;

/// Deliveries and batches that are open.
#[derive(Debug, Default)]
pub(super) struct Deliveries {
    open: HashMap<Ticket, usize>,
    batches: HashMap<u64, Batch>,
    last: u64,
}

/// A batch: how many of its requests are open, and what the others were answered with.
#[derive(Debug, Default)]
struct Batch {
    open: usize,
    answers: Vec<Vec<u8>>,
}

impl Deliveries {
    /// One more request, or the reading itself, keeps a delivery open.
    pub(super) fn hold(&mut self, via: Ticket) {
        if via != 0 {
            *self.open.entry(via).or_default() += 1;
        }
    }

    /// One less does; whether that was the last.
    pub(super) fn release(&mut self, via: Ticket) -> bool {
        let Some(open) = self.open.get_mut(&via) else { return false };
        *open = open.saturating_sub(1);
        let over = *open == 0;
        if over {
            self.open.remove(&via);
        }
        over
    }

    /// Nothing is known of it any more: it is never ended from here.
    pub(super) fn forget(&mut self, via: Ticket) {
        self.open.remove(&via);
    }

    /// A new batch, held open by its reading.
    pub(super) fn batch(&mut self) -> u64 {
        self.last += 1;
        self.batches.insert(self.last, Batch { open: 1, answers: Vec::new() });
        self.last
    }

    /// One more request of a batch.
    pub(super) fn join(&mut self, batch: u64) {
        if let Some(batch) = self.batches.get_mut(&batch) {
            batch.open += 1;
        }
    }

    /// An answer for a batch.
    pub(super) fn gather(&mut self, batch: u64, answer: Vec<u8>) {
        if let Some(batch) = self.batches.get_mut(&batch) {
            batch.answers.push(answer);
        }
    }

    /// One less request is open; the whole answer when that was the last and there is one.
    pub(super) fn leave(&mut self, number: u64) -> Option<Vec<u8>> {
        let batch = self.batches.get_mut(&number)?;
        batch.open = batch.open.saturating_sub(1);
        if batch.open > 0 {
            return None;
        }
        let answers = self.batches.remove(&number)?.answers;
        (!answers.is_empty()).then(|| [b"[", answers.join(&b","[..]).as_slice(), b"]"].concat())
    }
}
