//! The levels of log messages, the least severe first (RFC 5424), and who sets them.

use super::RequestNo;
use super::fault::{Fault, PARAMS};
use super::machine::Server;
use crate::model::Nanos;

/// Their names.
const NAMES: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// How severe a level is, from 0; nothing for what is none.
pub(super) fn rank(name: &str) -> Option<u8> {
    NAMES.iter().position(|known| *known == name).and_then(|at| u8::try_from(at).ok())
}

/// The error for what is none (EC-019).
pub(super) fn unknown() -> Fault {
    Fault::new(PARAMS, format!("the level must be one of {}", NAMES.join(", ")))
}

impl Server {
    /// The protocol's own answer to `logging/setLevel`.
    pub(super) fn own_level(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get(no) else { return };
        let level = flight.param("level").and_then(|level| level.text()).and_then(|level| rank(&level));
        let Some(level) = level else { return self.refuse(now, no, &unknown()) };
        if let Some(client) = self.clients.get_mut(flight.client) {
            client.level = Some(level);
        }
        self.fulfil(now, no, b"{}".to_vec());
    }
}
