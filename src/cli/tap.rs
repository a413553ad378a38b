//! `midwire tap`: its words, and which of the taps they mean. Says what contradicts itself; what a tap does
//! is the engine's.

mod http;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use crate::engine;
use crate::engine::tap::Options;
use http::Http;

const EXAMPLES: &str = "\
Examples:
  midwire tap -- npx -y @modelcontextprotocol/server-everything
  midwire tap --name files -- mcp-server-filesystem /srv/data
  midwire tap --url https://api.example.com/mcp --listen 127.0.0.1:4000
  midwire tap --forward -- claude
  midwire tap --stdio --url https://api.example.com/mcp

On stdio, a host starts this instead of the server; `midwire help hosts` shows how to tell it. The server's
command stands behind --. Nothing of midwire's own is written to stdout. It exits as the server did.
For a server on HTTP, `midwire help http` explains --url and --forward, and what OAuth does with each.";

/// The words of `midwire tap`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Tap {
    /// What to call the server in the list of recordings [default: taken from the command or URL]
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
    /// Record the command as it is, also what looks like a secret in it; so with HTTP heads
    #[arg(long)]
    keep_secrets: bool,
    #[command(flatten)]
    http: Http,
    /// Given by midwire to itself: the process that keeps this one.
    #[arg(long, hide = true)]
    kept_by: Option<u32>,
    /// Given by midwire to itself: the process that started the keeper.
    #[arg(long, hide = true)]
    host: Option<u32>,
    /// The server's command with its arguments, untouched; with --forward, the client's
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    command: Vec<OsString>,
}

impl Tap {
    /// Runs the tap until its server has ended, or, on HTTP, until it is stopped.
    pub fn run(self) -> ExitCode {
        self.start().unwrap_or_else(|problem| {
            super::out::problem(&problem);
            ExitCode::from(2)
        })
    }

    fn start(mut self) -> Result<ExitCode, String> {
        // Only here do words of a command look like ours: later ones are never read as options.
        if let Some(word) = self.command.first().filter(|word| word.as_encoded_bytes().starts_with(b"-")) {
            return Err(format!("midwire tap has no option {}; see midwire tap --help", word.display()));
        }
        let say: engine::Say = Arc::new(super::out::problem);
        self.http.check(&self.command)?;
        let grace = Duration::try_from_secs_f64(self.grace)
            .map_err(|_| "--grace takes a number of seconds, such as 5 or 0.5".to_owned())?;
        if let Some(mut options) = self.http.options()? {
            options.name = self.name;
            options.recordings = self.recordings;
            options.max_entry = self.max_entry.saturating_mul(1 << 20);
            options.keep_secrets = self.keep_secrets;
            options.keeper = self.kept_by;
            if self.http.stdio {
                return Ok(engine::bridge::run(options, grace, say));
            }
            return Ok(engine::proxy::run(options, self.command, say));
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
        Ok(engine::tap::run(options, say))
    }
}
