//! Answers as recordings do.

use crate::peer::server::{About, Answer, Asked, Bytes, Kind, Miss, Script};

use super::{Matching, Session, session};

/// A script made of recordings; the first that has an answer counts.
#[derive(Debug)]
pub struct Player {
    sessions: Vec<Session>,
    #[allow(dead_code)]
    matching: Matching,
    about: About,
}

impl Player {
    /// One that answers from these.
    pub fn new(sessions: Vec<Session>, matching: Matching) -> Self {
        let about = sessions.first().map_or_else(session::nobody, |session| session.about.clone());
        Self { sessions, matching, about }
    }

    /// What it answers from.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }
}

impl Script for Player {
    fn about(&self) -> &About {
        &self.about
    }

    fn list(&self, kind: Kind) -> &[Bytes] {
        self.sessions.iter().map(|session| session.list(kind)).find(|items| !items.is_empty()).unwrap_or_default()
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Answer {
        if matches!(asked.method, "initialize" | "server/discover" | "ping") {
            return Answer::Own;
        }
        let why = format!("no call of {} is recorded", asked.method);
        Answer::Miss(Box::new(Miss { why, near: Vec::new() }))
    }
}
