//! A recorded message that is to be sent again over a connection of the page: as it is, with its arguments in a form, or
//! in the tab for raw frames. It waits for a connection that is being made.

use std::sync::Arc;

use super::{Bench, Connection, Standing, Subject};
use crate::engine::client::Way;
use crate::engine::view::ConnectionId;
use crate::model::Nanos;
use crate::peer::client::{Order, State, renumbered};

/// The ids that requests get which are sent raw with another: beyond what the client itself is likely to reach, and apart
/// from those of the shelf.
const FIRST_ID: u64 = 800_001;

/// What is to be done with a recorded message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// Send a call again, byte for byte but for its id where that is to be a new one.
    Again {
        /// What it tries out.
        subject: Subject,
        /// The request.
        bytes: Arc<[u8]>,
        /// Whether it gets our next id.
        new_id: bool,
    },
    /// Fill its arguments (JSON text) in where such a call is made.
    Fill(Subject, String),
    /// Send anything raw.
    Raw {
        /// The bytes, without the line end that stdio needs.
        bytes: Arc<[u8]>,
        /// Whether it gets another id, where it is one request.
        new_id: bool,
    },
    /// Show it where raw frames are typed.
    Type(Arc<[u8]>),
}

impl Errand {
    /// Whether something leaves by itself.
    pub const fn sends(&self) -> bool {
        matches!(self, Self::Again { .. } | Self::Raw { .. })
    }

    /// Whether the connection is ready for it. Over HTTP a tool may say which arguments stand in header fields as well,
    /// so the tools are known first.
    fn is_ready(&self, connection: &Connection) -> bool {
        let waits = match self {
            Self::Again { subject, .. } if matches!(connection.target.way, Way::Url { .. }) => {
                connection.fetching.contains_key(&subject.kind)
            }
            _ => false,
        };
        connection.standing() == Standing::Open && !waits
    }
}

/// What the page is to show of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The connection.
    Connection,
    /// What was called, or is to be.
    Subject(Subject),
    /// Bytes in the tab for raw frames, and whether they were just sent.
    Frame(Arc<[u8]>, bool),
}

impl Bench {
    /// Does what is to be done as soon as the connection is ready for it.
    pub fn entrust(&mut self, id: ConnectionId, errand: Errand, now: Nanos) {
        self.errand = Some((id, errand));
        self.current = Some(id);
        self.shown = Some((id, Shown::Connection));
        self.run_errand(now);
    }

    /// Goes on with what waits for a connection. Of one that failed, that is said.
    pub(super) fn run_errand(&mut self, now: Nanos) {
        let Some((id, errand)) = self.errand.take() else { return };
        // A connection that was closed by hand was given up, and the errand with it.
        let Some(connection) = self.get(id) else { return };
        match &connection.state {
            State::Closed { why, failed } => {
                if *failed || errand.sends() {
                    let what =
                        if errand.sends() { "The recorded message was not sent" } else { "Nothing was filled in" };
                    self.failures.push(format!("{what}: there is no connection to {}: {why}", connection.name()));
                }
            }
            State::Open(_) if errand.is_ready(connection) => self.carry_out(id, errand, now),
            _ => self.errand = Some((id, errand)),
        }
    }

    fn carry_out(&mut self, id: ConnectionId, errand: Errand, now: Nanos) {
        let shown = match errand {
            Errand::Again { subject, bytes, new_id } => {
                self.again(id, subject.clone(), &bytes, new_id, now);
                Shown::Subject(subject)
            }
            Errand::Fill(subject, arguments) => {
                self.to_load = Some((subject.clone(), arguments));
                Shown::Subject(subject)
            }
            Errand::Raw { bytes, new_id } => Shown::Frame(self.raw(id, bytes, new_id), true),
            Errand::Type(bytes) => Shown::Frame(bytes, false),
        };
        self.shown = Some((id, shown));
    }

    /// Sends bytes raw. Returns them as they were sent, but for the line end.
    fn raw(&mut self, id: ConnectionId, bytes: Arc<[u8]>, new_id: bool) -> Arc<[u8]> {
        let is_stdio = self.get(id).is_some_and(|it| matches!(it.target.way, Way::Command { .. }));
        let other = if new_id { renumbered(&bytes, (FIRST_ID + self.raws).to_string().as_bytes()) } else { None };
        let bytes = other.map_or(bytes, Arc::from);
        let mut sent = bytes.to_vec();
        if is_stdio {
            sent.push(b'\n');
        }
        self.raws += u64::from(new_id);
        self.order(id, Order::Raw(sent, Vec::new()));
        bytes
    }
}
