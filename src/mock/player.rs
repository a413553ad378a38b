//! Answers by the rules of a mock file.

use std::sync::Arc;

use super::Mock;
use crate::peer::server::{About, Answer, Asked, Bytes, Kind, Script};

/// A mock file as a script. It counts how often its rules answered.
#[derive(Debug)]
pub struct Player {
    mock: Arc<Mock>,
    lists: [Vec<Bytes>; Kind::ALL.len()],
}

impl Player {
    /// One that has answered nothing yet.
    pub fn new(mock: Arc<Mock>) -> Self {
        let lists = Kind::ALL.map(|kind| mock.items(kind));
        Self { mock, lists }
    }

    /// What it plays.
    pub const fn mock(&self) -> &Arc<Mock> {
        &self.mock
    }
}

impl Script for Player {
    fn about(&self) -> &About {
        self.mock.about()
    }

    fn list(&self, kind: Kind) -> &[Bytes] {
        Kind::ALL.iter().position(|other| *other == kind).map_or(&[], |at| &self.lists[at])
    }

    fn answer(&mut self, _asked: &Asked<'_>) -> Answer {
        Answer::Own
    }
}
