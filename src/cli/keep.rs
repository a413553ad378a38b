//! The words of the process that keeps a server of the client's, which midwire gives to itself.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use crate::engine;
use crate::engine::client::{self, Keep};

/// The words of `midwire keep`.
#[derive(Debug, Args)]
pub(super) struct Words {
    /// The process that it is kept for
    #[arg(long)]
    by: u32,
    /// The inner one of two
    #[arg(long)]
    inside: bool,
    /// Where to report
    #[arg(long)]
    report: PathBuf,
    /// The server's command with its arguments, untouched
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

impl Words {
    pub(super) fn run(self) -> ExitCode {
        let say: engine::Say = Arc::new(super::out::problem);
        client::keep(&Keep { by: self.by, inside: self.inside, report: self.report, command: self.command }, &say)
    }
}
