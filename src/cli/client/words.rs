//! The words that all commands of the client share: how the server is reached, how the client behaves, what is
//! printed and recorded. Says what contradicts itself; which server is meant is for `target`.

mod manner;
mod server;

use std::path::PathBuf;

use clap::Args;

pub(in crate::cli) use manner::Manner;
pub(in crate::cli) use server::Server;

use crate::cli::failure::Failure;
use crate::wire::Json;

/// What every command of the client takes.
#[derive(Debug, Args)]
pub(in crate::cli) struct Shared {
    #[command(flatten)]
    pub(super) server: Server,
    #[command(flatten)]
    pub(super) manner: Manner,
    #[command(flatten)]
    pub(super) place: Place,
}

/// What is printed and recorded.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output and recording")]
pub(in crate::cli) struct Place {
    /// Print one object about the outcome, with the result in it, instead of the bare result
    #[arg(long)]
    pub(super) envelope: bool,
    /// Say nothing on stderr but what goes wrong
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Folder for the recording [default: $MIDWIRE_RECORDINGS, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    pub(super) recordings: Option<PathBuf>,
    /// What to call the server in the list of recordings [default: taken from the command or URL]
    #[arg(long)]
    pub(super) name: Option<String>,
    /// Keep at most this many mebibytes of one message
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    pub(super) max_entry: u64,
    /// Record also what looks like a secret in the command, the URL and HTTP heads
    #[arg(long)]
    pub(super) keep_secrets: bool,
}

/// The JSON that an option names: itself, `@FILE`, or `-` for our input. Without white space around it, else byte for
/// byte. `option` is what it was given with.
pub(in crate::cli) fn json(text: &str, option: &str) -> Result<Vec<u8>, Failure> {
    let bytes = bytes(text, option)?;
    let json = Json::of_frame(&bytes).map_err(|fault| {
        Failure::said(format!("{option} takes JSON, @FILE or -, and this is no JSON: {fault}; --raw sends anything"))
    })?;
    Ok(json.raw().to_vec())
}

/// The bytes that an option names: its text, `@FILE`, or `-` for our input.
pub(in crate::cli) fn bytes(text: &str, option: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    if text == "-" {
        std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)
            .map_err(|error| Failure::said(format!("failed to read the input for {option}: {error}")))?;
        return Ok(bytes);
    }
    match text.strip_prefix('@') {
        Some(path) => {
            std::fs::read(path).map_err(|error| Failure::said(format!("failed to read {path} for {option}: {error}")))
        }
        None => Ok(text.as_bytes().to_vec()),
    }
}

/// A number of seconds in nanoseconds; 0 is none.
fn seconds(value: f64, option: &str) -> Result<Option<crate::model::Nanos>, Failure> {
    let duration = std::time::Duration::try_from_secs_f64(value).ok();
    let nanos = duration.and_then(|duration| crate::model::Nanos::try_from(duration.as_nanos()).ok());
    let nanos = nanos
        .ok_or_else(|| Failure::said(format!("{option} takes a number of seconds, such as 5 or 0.5; 0 is for ever")))?;
    Ok((nanos > 0).then_some(nanos))
}
