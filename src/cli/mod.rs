//! The words typed and the modes that they start.

mod client;
mod demo;
mod export;
mod failure;
mod figures;
mod find;
mod help;
mod import;
mod keep;
mod list;
mod mock;
mod open;
pub mod out;
mod prune;
mod readable;
mod run;
mod safe;
mod scripted;
mod serve;
mod show;
mod tap;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use failure::Failure;

/// A debugging inspector and traffic recorder for the Model Context Protocol (MCP).
#[derive(Debug, Parser)]
#[command(name = "midwire", version, about, max_term_width = 100)]
#[command(disable_help_subcommand = true, after_help = help::OVERVIEW)]
pub struct Cli {
    /// What to do; without it, the window opens.
    #[command(subcommand)]
    mode: Option<Mode>,
}

/// What midwire is asked to do.
#[derive(Debug, Subcommand)]
enum Mode {
    /// Stand between a host and a server, on stdio or HTTP, pass every byte on, and record it.
    Tap(Box<tap::Tap>),
    /// Call a tool or any method of a server.
    Call(Box<client::call::Call>),
    /// List a server's tools.
    Tools(Box<client::lists::Tools>),
    /// List, read and subscribe to a server's resources.
    Resources(Box<client::resources::Resources>),
    /// List, get and complete a server's prompts.
    Prompts(Box<client::prompts::Prompts>),
    /// Say who a server is, and how that was found out.
    Discover(Box<client::discover::Discover>),
    /// Ask a server whether it answers.
    Ping(Box<client::discover::Ping>),
    /// Print a server's notifications as they come.
    Listen(Box<client::listen::Listen>),
    /// Look at the way to a server step by step, with remedies.
    Doctor(Box<client::doctor::Doctor>),
    /// Be a server: from a mock file, from recordings, or in front of the real one.
    Serve(Box<serve::Serve>),
    /// Run a saved call or a chain of a project file.
    Run(run::Run),
    /// Open recordings in the window.
    Open(open::Open),
    /// List the recordings: who spoke with whom, when, and how it ended.
    List(list::List),
    /// Show a recording as text or JSON.
    Show(show::Show),
    /// Write a recording as JSON Lines.
    Export(export::Export),
    /// Turn recordings into a mock file, to be edited and served.
    Mock(mock::Mock),
    /// Make recordings of JSON Lines.
    Import(import::Import),
    /// Delete old recordings.
    Prune(prune::Prune),
    /// Show midwire at work on a client and a server of its own.
    Demo(demo::Words),
    /// Print the completions of a shell.
    Completions(Completions),
    /// Explain a subcommand or a topic.
    Help(help::Help),
    /// The client under test of the official conformance suite.
    #[command(hide = true)]
    ConformanceClient(Box<client::conformance::Conformance>),
    /// The client of the demo.
    #[command(hide = true)]
    DemoClient(demo::ClientWords),
    /// The server of the demo.
    #[command(hide = true)]
    DemoServer(demo::ServerWords),
    /// The process between midwire's client and a server.
    #[command(hide = true)]
    Keep(keep::Words),
}

/// Reads the command line, does what it says and gives the exit code: 0 fine, 1 findings or
/// differences, 2 could not do it. A tap exits as its server did, a command of the client by the class of its end.
pub fn run() -> ExitCode {
    crate::engine::client::is_midwire();
    let done = match Cli::parse().mode {
        Some(Mode::Keep(keep)) => return keep.run(),
        Some(Mode::Tap(tap)) => return tap.run(),
        Some(Mode::Call(call)) => return client::exit(call.run()),
        Some(Mode::Tools(tools)) => return client::exit(tools.run()),
        Some(Mode::Resources(resources)) => return client::exit(resources.run()),
        Some(Mode::Prompts(prompts)) => return client::exit(prompts.run()),
        Some(Mode::Discover(discover)) => return client::exit(discover.run()),
        Some(Mode::Ping(ping)) => return client::exit(ping.run()),
        Some(Mode::Listen(listen)) => return client::exit(listen.run()),
        Some(Mode::Doctor(doctor)) => return client::exit(doctor.run()),
        Some(Mode::Run(run)) => return client::exit(run.run()),
        Some(Mode::Serve(serve)) => return serve.run(),
        Some(Mode::ConformanceClient(client)) => return client::exit(client.run()),
        Some(Mode::DemoServer(server)) => return server.run(),
        Some(Mode::Open(open)) => open.run(),
        Some(Mode::List(list)) => list.run(),
        Some(Mode::Show(show)) => show.run(),
        Some(Mode::Export(export)) => export.run(),
        Some(Mode::Mock(mock)) => mock.run(),
        Some(Mode::Import(import)) => import.run(),
        Some(Mode::Prune(prune)) => prune.run(),
        Some(Mode::Demo(demo)) => demo.run(),
        Some(Mode::Completions(completions)) => completions.run(),
        Some(Mode::Help(help)) => help.run(),
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

const SHELLS: &str = "\
Examples:
  midwire completions bash > ~/.local/share/bash-completion/completions/midwire
  midwire completions zsh > ~/.zfunc/_midwire
  midwire completions fish > ~/.config/fish/completions/midwire.fish";

/// The words of `midwire completions`.
#[derive(Debug, Args)]
#[command(after_help = SHELLS)]
struct Completions {
    /// Which shell
    shell: clap_complete::Shell,
}

impl Completions {
    fn run(self) -> Result<(), Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "midwire", &mut text);
        let mut page = out::Page::new(out::Color::Never);
        std::io::Write::write_all(&mut page, &text)?;
        page.flush()?;
        Ok(())
    }
}

#[cfg(feature = "gui")]
fn run_window(folder: PathBuf, open: Vec<PathBuf>) -> Result<(), Failure> {
    crate::ui::run(crate::ui::Options { folder, open }).map_err(|error| Failure::said(format!("failed to {error}")))
}

#[cfg(not(feature = "gui"))]
fn run_window(_folder: PathBuf, _open: Vec<PathBuf>) -> Result<(), Failure> {
    Err(Failure::said("this midwire was built without a window"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
