//! The ids of our own requests.

use super::Ids;
use crate::wire::quote;

/// Gives out ids.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    ids: Ids,
    given: i64,
}

impl Counter {
    pub(super) const fn new(ids: Ids) -> Self {
        Self { ids, given: 0 }
    }

    /// Ids look like this from now on. Where they looked so before, the count goes on.
    pub(super) fn change(&mut self, ids: &Ids) {
        if self.ids != *ids {
            *self = Self::new(ids.clone());
        }
    }

    /// The next one, as JSON text.
    pub(super) fn next(&mut self) -> Vec<u8> {
        self.given = self.given.wrapping_add(1);
        match &self.ids {
            Ids::Numbers(first) => first.wrapping_add(self.given - 1).to_string().into_bytes(),
            Ids::Strings(prefix) => quote(&format!("{prefix}{}", self.given)).into_bytes(),
        }
    }
}
