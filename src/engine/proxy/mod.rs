//! The tap on HTTP: listens, passes every request on to its server and every response back, and records
//! both. As a reverse proxy it stands for one server; as a forward proxy clients name the server
//! themselves. Not a cache, not a load balancer: one upstream connection for each of a client's.

mod options;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use thiserror::Error;

use crate::engine::record::Say;
pub use options::{Mode, Options, ServeTls};

/// Why an HTTP tap could not be started; each fits after "failed to".
#[derive(Debug, Error)]
pub enum StartError {
    /// The upstream's URL cannot be used.
    #[error("use the URL {url:?}: {why}; give it as http://HOST:PORT/PATH or https://HOST/PATH")]
    Url {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The address to listen at cannot be used.
    #[error("listen at {listen}: {why}")]
    Listen {
        /// What was given.
        listen: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// Threads could not be started.
    #[error("start the threads of the tap: {0}")]
    Threads(std::io::Error),
}

/// A tap that was started. It goes on until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    url: String,
    recording: Option<PathBuf>,
}

impl Running {
    /// What a client is to be pointed at: the tap's origin with the path of the upstream's URL; for a
    /// forward proxy, the proxy's URL.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// The file that it records into; `None` when there is no folder for it.
    pub fn recording(&self) -> Option<PathBuf> {
        self.recording.clone()
    }

    /// Whether it still listens.
    pub fn is_running(&self) -> bool {
        false
    }

    /// Ends it in order: open exchanges are recorded as stopped, the recording is closed.
    pub fn stop(self) {}
}

/// Starts an HTTP tap, and comes back once it listens. `say` puts a line before whoever started it.
pub fn start(options: Options, _say: Say) -> Result<Running, StartError> {
    Err(StartError::Listen { listen: options.listen, why: "this build cannot listen yet".to_owned() })
}

/// Runs an HTTP tap until a signal ends it, or, with a `command`, until that has ended: then it exits
/// as the command did.
pub fn run(options: Options, _command: Vec<OsString>, say: Say) -> ExitCode {
    match start(options, say.clone()) {
        Ok(running) => running.stop(),
        Err(error) => {
            say(&format!("failed to {error}"));
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
