//! `midwire tap`: its words, and the exit as the server's.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::engine;
use crate::engine::tap::Options;

const EXAMPLES: &str = "\
Examples:
  midwire tap -- npx -y @modelcontextprotocol/server-everything
  midwire tap --name files -- mcp-server-filesystem /srv/data

A host starts this instead of the server; `midwire help hosts` shows how to tell it. The server's
command stands behind --. Nothing of midwire's own is written to stdout. It exits as the server did.";

/// The words of `midwire tap`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Tap {
    /// What to call the server in the list of recordings [default: taken from the command]
    #[arg(long)]
    name: Option<String>,
    /// Folder for the recordings [default: $MIDWIRE_RECORDINGS, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Seconds that the server has to exit by itself after its input ended
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    grace: f64,
    /// Keep at most this many mebibytes of one message
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    max_entry: u64,
    /// Record the command as it is, also what looks like a secret in it
    #[arg(long)]
    keep_secrets: bool,
    /// Given by midwire to itself: the process that keeps this one.
    #[arg(long, hide = true)]
    kept_by: Option<u32>,
    /// Given by midwire to itself: the process that started the keeper.
    #[arg(long, hide = true)]
    host: Option<u32>,
    /// The server's command with its arguments, untouched
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    command: Vec<OsString>,
}

impl Tap {
    /// Runs the tap until its server has ended.
    pub fn run(self) -> ExitCode {
        let Ok(grace) = Duration::try_from_secs_f64(self.grace) else {
            super::out::problem("--grace takes a number of seconds, such as 5 or 0.5");
            return ExitCode::from(2);
        };
        // Only here do words of a command look like ours: later ones are never read as options.
        if let Some(word) = self.command.first().filter(|word| word.as_encoded_bytes().starts_with(b"-")) {
            super::out::problem(&format!("midwire tap has no option {}; see midwire tap --help", word.display()));
            return ExitCode::from(2);
        }
        let options = Options {
            name: self.name,
            recordings: self.recordings,
            grace,
            max_entry: self.max_entry.saturating_mul(1 << 20),
            keep_secrets: self.keep_secrets,
            command: self.command,
            keeper: self.kept_by,
            host: self.host,
        };
        engine::tap::run(options, Arc::new(super::out::problem))
    }
}
