//! The words typed and the modes that they start.

pub mod out;
mod tap;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A debugging inspector and traffic recorder for the Model Context Protocol (MCP).
#[derive(Debug, Parser)]
#[command(name = "midwire", version, about, max_term_width = 100)]
pub struct Cli {
    /// What to do; without it, the window opens.
    #[command(subcommand)]
    mode: Option<Mode>,
}

/// What midwire is asked to do.
#[derive(Debug, Subcommand)]
enum Mode {
    /// Stand between a host and a stdio server, pass every byte on, and record it.
    Tap(tap::Tap),
}

/// Reads the command line, does what it says and gives the exit code: 0 fine, 1 findings or
/// differences, 2 could not do it. A tap exits as its server did.
pub fn run() -> ExitCode {
    match Cli::parse().mode {
        Some(Mode::Tap(tap)) => tap.run(),
        None => {
            out::problem("nothing to do; see midwire --help");
            ExitCode::from(2)
        }
    }
}
