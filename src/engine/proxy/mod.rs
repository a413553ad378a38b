//! The tap on HTTP: listens, passes every request on to its server and every response back, and records
//! both. As a reverse proxy it stands for one server; as a forward proxy clients name the server
//! themselves. Not a cache, not a load balancer: one upstream connection for each of a client's.

pub(super) mod address;
mod answer;
mod client;
mod command;
mod connect;
mod endpoint;
mod environment;
mod exchange;
mod forward;
pub(super) mod journal;
mod listener;
mod options;
pub(super) mod plan;
mod refusal;
mod request;
mod rewrite;
mod running;
mod secure;
mod site;
mod switched;
mod tap;

use std::ffi::OsString;
use std::process::ExitCode;

use thiserror::Error;

use crate::engine::paths::PathError;
use crate::engine::record::Say;
use crate::transport::http::{AuthorityError, ConnectError, ServeError};
pub use crate::transport::http::{Trust, read_fingerprint};
pub use options::{Mode, Options, ServeTls};
pub use running::{Running, start};

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
    /// A field to be added upstream is none.
    #[error("add the header field {name:?}: {why}; give it as 'Name: value'")]
    Header {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// What is needed for TLS with servers is not there.
    #[error(transparent)]
    Trust(#[from] ConnectError),
    /// There is no folder for the local authority.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The local authority cannot be used.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
    /// The listener's certificate cannot be used.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// Threads could not be started.
    #[error("start the threads of the tap: {0}")]
    Threads(std::io::Error),
}

/// Runs an HTTP tap until a signal ends it, or, with a `command`, until that has ended: then it exits
/// as the command did.
pub fn run(options: Options, command: Vec<OsString>, say: Say) -> ExitCode {
    if command.is_empty() { command::until_signal(options, &say) } else { command::run(options, &command, &say) }
}
