//! Our own server at work: carries what `peer::server` decides to clients on stdio or HTTP, records it like any other
//! traffic, and tells what happens.

pub mod adding;
mod driver;
mod facts;
mod front;
mod http;
mod hub;
pub mod mock_file;
mod passing;
mod random;
pub mod recording;
mod reload;
mod running;
mod source;
mod stdio;
pub mod turned;

pub use random::bytes as random;
pub use running::{Running, start, start_with};

pub use crate::recorded::{MatchWay, Matching};

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::engine::client::Target;
use crate::peer::server::{Bytes, Kind, Settings, Told};

/// What it has its answers from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A mock file, read again when it changes.
    Mock(PathBuf),
    /// Recordings, the first that has an answer counts.
    Recordings(Vec<PathBuf>),
    /// Nothing: whatever is asked is a miss.
    Nothing,
}

/// Where clients come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Front {
    /// Our own stdin and stdout.
    Stdio,
    /// A listener on this machine.
    Http {
        /// Address and port, `127.0.0.1:0` for any free one.
        listen: String,
        /// The path of the endpoint, `/mcp`.
        path: String,
        /// Whether HTTP+SSE of 2024-11-05 is served as well, at `/sse`.
        sse: bool,
        /// Whether sessions are given to clients of the legacy era.
        sessions: bool,
        /// Whether responses to single requests are JSON where they can be, not streams.
        json: bool,
    },
}

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// What it has its answers from.
    pub source: Source,
    /// How recorded calls are found.
    pub matching: Matching,
    /// Where clients come in.
    pub front: Front,
    /// How it behaves.
    pub settings: Settings,
    /// The real server, for what is passed on.
    pub real: Option<Target>,
    /// What to call it; `None`: as the source does.
    pub name: Option<String>,
    /// The folder for the recording; otherwise see [`paths::folder`](crate::engine::paths::folder).
    pub recordings: Option<PathBuf>,
    /// How many bytes of one entry are recorded.
    pub max_entry: u64,
    /// Whether what looks like a secret in heads is recorded.
    pub keep_secrets: bool,
}

/// What a script has of each kind, each item as JSON text.
pub type Lists = Arc<Vec<(Kind, Vec<Bytes>)>>;

impl Options {
    /// For this source, over HTTP at any free port of this machine, with everything else as usual.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            matching: Matching::default(),
            front: Front::Http {
                listen: "127.0.0.1:0".to_owned(),
                path: "/mcp".to_owned(),
                sse: true,
                sessions: true,
                json: false,
            },
            settings: Settings::default(),
            real: None,
            name: None,
            recordings: None,
            max_entry: 64 << 20,
            keep_secrets: false,
        }
    }
}

/// What is told of a server.
#[derive(Debug, Clone)]
pub enum Happening {
    /// What the machine tells.
    Told(Told),
    /// The source was read, at the start and when it changed: how much it has, in words. An error fits after "failed to",
    /// and what was read before stays.
    Source(Result<String, String>),
    /// What the script has of each kind, as JSON text; told at the start and when it has been read again.
    Lists(Lists),
    /// It has ended; why.
    Over(String),
}

/// Takes what is told, on a thread of the server. It may wait: then the server waits too.
pub type Tell = Arc<dyn Fn(Happening) + Send + Sync>;

/// Why a server could not be started. Each fits after "failed to".
#[derive(Debug, Error)]
pub enum StartError {
    /// Nothing can be answered from its source: a mock file that cannot be read, a recording that is none.
    #[error("{0}")]
    Source(String),
    /// The address to listen at cannot be used.
    #[error("listen at {listen}: {why}")]
    Listen {
        /// What was given.
        listen: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// The path of the endpoint is none.
    #[error("serve at the path {path:?}: {why}; give it as /mcp")]
    Path {
        /// What was given.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The system gave no random bytes.
    #[error("{0}")]
    Random(String),
    /// Our own stdin and stdout could not be taken.
    #[error("take over stdin and stdout: {0}")]
    Streams(std::io::Error),
    /// The system gave no threads.
    #[error("start the threads of the server: {0}")]
    Threads(std::io::Error),
}
