//! The facts about one recording as a whole.

use super::{Nanos, Transport};

/// How midwire came to see the traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It stood between a host and a server.
    Tap,
    /// It was the client.
    Client,
    /// It was the server.
    Server,
    /// It read the traffic from a file that another program had written.
    Import,
}

impl Role {
    /// Every role, with the word that stands for it in a recording.
    pub const WORDS: [(Self, &'static str); 4] =
        [(Self::Tap, "tap"), (Self::Client, "client"), (Self::Server, "server"), (Self::Import, "import")];
}

/// The process that started a tap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Host {
    /// Its process id.
    pub pid: u32,
    /// Its program's name, such as `claude` or `node`.
    pub program: String,
    /// When it was started, so that a reused process id is not taken for the same host.
    pub started: Option<Nanos>,
}

/// The facts about one recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// What the user calls the server.
    pub name: String,
    /// How midwire came to see the traffic.
    pub role: Role,
    /// How the bytes travelled.
    pub transport: Transport,
    /// The server's command with its arguments, secrets left out; empty when it was not a command.
    pub command: Vec<String>,
    /// How many values were left out of `command` because they looked like secrets.
    pub left_out: u32,
    /// The server's URL, without credentials; `None` on stdio.
    pub url: Option<String>,
    /// The working directory of the tap.
    pub directory: Option<String>,
    /// Who started the tap, where the platform tells.
    pub host: Option<Host>,
    /// Process id of the recorder, so that a reader can tell a live recording from an orphaned one.
    pub recorder: u32,
    /// Version of midwire that wrote it.
    pub program: String,
    /// When it began.
    pub started: Nanos,
    /// When it was closed in order; `None` while it is being written, or when the recorder was killed.
    pub ended: Option<Nanos>,
    /// How many entries could not be written.
    pub lost: u64,
}
