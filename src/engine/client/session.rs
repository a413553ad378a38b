//! A session of our client: who asks something of it, and what it records.

use std::path::PathBuf;

use super::{Options, StartError, Tell};
use crate::engine::record::Say;
use crate::peer::client::Order;

/// A session that was started. Dropping it ends it in order, like [`Session::stop`].
#[derive(Debug)]
pub struct Session {
    recording: Option<PathBuf>,
}

impl Session {
    /// Asks for something; never waits. `false` when the session is over, or when so many orders wait that no more are
    /// taken (10,000).
    pub fn order(&self, _order: Order) -> bool {
        false
    }

    /// The file that it records into; `None` when there is no folder for it.
    pub fn recording(&self) -> Option<PathBuf> {
        self.recording.clone()
    }

    /// Whether it is not over: the link is open, or being closed in order.
    pub fn is_running(&self) -> bool {
        false
    }

    /// Shortens the end that is under way, or begins it, without grace: for the second Ctrl+C. Never waits.
    pub fn hurry(&self) {}

    /// Ends it in order and waits for that: at the most the grace and a few seconds.
    pub fn stop(self) {}
}

/// Starts a session: begins the recording, starts the server or stands ready for it, and opens. What comes of it is
/// told; a server that cannot be started or reached is told as [`State::Closed`](crate::peer::client::State::Closed), so
/// that the recording says it too. `say` puts a line before whoever started it: troubles of the recording.
pub fn start(_options: Options, _tell: Tell, _say: Say) -> Result<Session, StartError> {
    Err(StartError::NotBuilt)
}
