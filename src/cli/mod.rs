//! The words typed and the modes that they start.

mod demo;
mod failure;
mod figures;
mod find;
mod open;
pub mod out;
mod readable;
mod safe;
mod scripted;
mod show;
mod tap;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

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
    /// Open recordings in the window.
    Open(open::Open),
    /// Show a recording as text or JSON.
    Show(show::Show),
    /// Show midwire at work on a client and a server of its own.
    Demo(demo::Words),
    /// The client of the demo.
    #[command(hide = true)]
    DemoClient(demo::ClientWords),
    /// The server of the demo.
    #[command(hide = true)]
    DemoServer(demo::ServerWords),
}

/// Reads the command line, does what it says and gives the exit code: 0 fine, 1 findings or
/// differences, 2 could not do it. A tap exits as its server did.
pub fn run() -> ExitCode {
    let done = match Cli::parse().mode {
        Some(Mode::Tap(tap)) => return tap.run(),
        Some(Mode::DemoServer(server)) => return server.run(),
        Some(Mode::Open(open)) => open.run(),
        Some(Mode::Show(show)) => show.run(),
        Some(Mode::Demo(demo)) => demo.run(),
        Some(Mode::DemoClient(client)) => client.run(),
        None => open::nothing_asked(),
    };
    match done {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Said(said)) => {
            out::problem(&said);
            ExitCode::from(2)
        }
    }
}

#[cfg(feature = "gui")]
fn run_window(folder: PathBuf, open: Vec<PathBuf>) -> Result<(), Failure> {
    let _ = (folder, open);
    Err(Failure::said("the window is not there yet"))
}

#[cfg(not(feature = "gui"))]
fn run_window(_folder: PathBuf, _open: Vec<PathBuf>) -> Result<(), Failure> {
    Err(Failure::said("this midwire was built without a window"))
}
