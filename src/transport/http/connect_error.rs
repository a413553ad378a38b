//! Why a server could not be reached: the step at which it failed, the cause, and what to do.

use std::io;

use thiserror::Error;

/// The steps on the way to a server, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// What the user set: certificate files, proxies.
    Settings,
    /// The address of a name.
    Dns,
    /// A connection to an address.
    Tcp,
    /// What a proxy says.
    Proxy,
    /// The agreement on TLS, and the certificate.
    Tls,
    /// The first words of HTTP.
    Http,
}

impl Step {
    /// As it stands in a message.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Dns => "DNS",
            Self::Tcp => "TCP",
            Self::Proxy => "proxy",
            Self::Tls => "TLS",
            Self::Http => "HTTP",
        }
    }
}

/// Why a server could not be reached; fits after "failed to".
#[derive(Debug, Error)]
pub enum ConnectError {
    /// A file that was named for TLS cannot be used.
    #[error("read {what} {path:?}: {why}")]
    File {
        /// What it should hold.
        what: &'static str,
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// A step failed.
    #[error("reach {target}: {}: {why}", .step.word())]
    Step {
        /// Which.
        step: Step,
        /// The server that was to be reached: its origin.
        target: String,
        /// The cause, and what to do.
        why: String,
        /// Whether nobody answered in time.
        is_late: bool,
    },
}

impl ConnectError {
    /// At which step it failed.
    pub const fn step(&self) -> Step {
        match self {
            Self::File { .. } => Step::Settings,
            Self::Step { step, .. } => *step,
        }
    }

    /// Whether nobody answered in time, which HTTP tells apart (504 rather than 502).
    pub const fn is_late(&self) -> bool {
        matches!(self, Self::Step { is_late: true, .. })
    }
}

/// A cause before it is known which server was to be reached.
#[derive(Debug)]
pub(super) struct Cause {
    pub(super) step: Step,
    pub(super) why: String,
    pub(super) is_late: bool,
}

impl Cause {
    pub(super) fn new(step: Step, why: impl Into<String>) -> Self {
        Self { step, why: why.into(), is_late: false }
    }

    pub(super) fn reaching(self, target: impl ToString) -> ConnectError {
        let Self { step, why, is_late } = self;
        ConnectError::Step { step, target: target.to_string(), why, is_late }
    }
}

/// An error of the system without its number, which says nothing to most people.
pub(super) fn plainly(error: &io::Error) -> String {
    let said = error.to_string();
    match said.find(" (os error") {
        Some(end) => said[..end].to_lowercase(),
        None => said,
    }
}
