//! Our own client at work: carries what `peer::client` decides to a server on stdio or HTTP, records it like any other
//! traffic, and tells what happens.

mod driver;
mod environment;
mod facts;
mod given;
mod http;
mod keep;
mod link;
mod pipes;
mod process;
mod session;
mod stdio;
mod substitute;
mod target;
mod words;

pub use crate::engine::record::secrets::MASK;
pub use crate::transport::http::{Trust, read_fingerprint};
pub use given::Given;
pub use keep::{Keep, is_midwire, keep};
pub use session::{Session, start};
pub(super) use substitute::Sources;
pub use target::{Base, Environment, Target, Way};
pub use words::{line, name_of, words};

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::peer::client::{Settings, Told};

/// What a session is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The server.
    pub target: Target,
    /// How the client behaves.
    pub settings: Settings,
    /// The folder for the recording; otherwise see [`paths::folder`](crate::engine::paths::folder).
    pub recordings: Option<PathBuf>,
    /// How many bytes of one entry are recorded.
    pub max_entry: u64,
    /// Whether what looks like a secret in heads, commands and URLs is recorded. What came from the keychain or from
    /// `${NAME}` never is.
    pub keep_secrets: bool,
    /// How long a server on stdio may take to exit by itself after its input was closed, and requests over HTTP to be
    /// answered after the session was closed.
    pub grace: Duration,
}

impl Options {
    /// For this server, with everything else as usual.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            settings: Settings::default(),
            recordings: None,
            max_entry: 64 << 20,
            keep_secrets: false,
            grace: Duration::from_secs(3),
        }
    }
}

/// What is told of a session.
#[derive(Debug, Clone)]
pub enum Happening {
    /// What the client tells.
    Told(Told),
    /// A line of the server's stderr without its end, cut at 16 KiB; what is no UTF-8 is replaced.
    Stderr(String),
    /// The environment that the server is started with, in order, values masked where they may be secrets.
    Environment(Vec<(String, String)>),
}

/// Takes what is told, on a thread of the session. It may wait: then the session waits too, and with it the server.
/// When nobody listens any more it must come back.
pub type Tell = Arc<dyn Fn(Happening) + Send + Sync>;

/// Why a session could not be started. Each fits after "failed to".
#[derive(Debug, Error)]
pub enum StartError {
    /// The system gave no thread.
    #[error("start the threads of the client: {0}")]
    Threads(std::io::Error),
}

/// Calls `told` on a thread of its own for each signal that asks a program to end (HUP, INT, QUIT, TERM), as long as it
/// says `true`. Where the platform has no signals, it is never called.
pub fn on_interrupt(told: impl FnMut() -> bool + Send + 'static) -> std::io::Result<()> {
    #[cfg(unix)]
    return crate::transport::on_interrupt(told);
    #[cfg(not(unix))]
    {
        drop(told);
        Ok(())
    }
}
