//! `midwire demo`: a client and a server that converse in both eras over the real tap, and the window
//! on them or a transcript of them. Also the words of the two ends, which midwire gives to itself.

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Args;

use super::failure::Failure;
use super::out::{self, Color, Page};
use super::{find, open, show};
use crate::engine::demo::{self, Demo};
use crate::engine::paths;
use crate::model::Era;

/// How long the client thinks when a person looks on: the conversation takes about ten seconds.
const SLOWLY: Duration = Duration::from_millis(250);
/// How long when nobody does: enough for one line after the other to be recorded in order.
const QUICKLY: Duration = Duration::from_millis(4);

const EXAMPLES: &str = "\
Examples:
  midwire demo                       opens the window on two live recordings
  midwire demo --headless            prints both conversations
  midwire demo --headless -p         with all messages

The client and the server are processes of their own, with `midwire tap` between them, as a
host and a server would be. The recordings are called demo-legacy (revision 2025-11-25) and
demo-modern (2026-07-28) and stay in the recordings folder. One line on stdout that is no
message is deliberate.";

/// The words of `midwire demo`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Words {
    /// Print the conversations instead of opening the window
    #[arg(long)]
    headless: bool,
    /// Print the messages themselves too
    #[arg(long, short)]
    payloads: bool,
    /// Folder for the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Also copy the recordings to DIR, as demo-legacy.midwire and demo-modern.midwire
    #[arg(long, value_name = "DIR", requires = "headless")]
    keep: Option<PathBuf>,
    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

impl Words {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        paths::make(&folder).map_err(|error| Failure::of(&error))?;
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let windowed = !self.headless && open::is_possible().map_err(|why| say_instead(&why)).is_ok();
        let mut demo = start(&folder, if windowed { SLOWLY } else { QUICKLY })?;
        if windowed {
            match watch(folder, &mut demo) {
                Ok(()) => return demo.finish().map(drop).map_err(|error| Failure::of(&error)),
                Err(Failure::Said(why)) => say_instead(&why),
                Err(Failure::Closed) => {}
            }
        }
        let recordings = demo.finish().map_err(|error| Failure::of(&error))?;
        let mut page = Page::new(self.color);
        for path in &recordings {
            show::whole(&mut page, path, self.payloads)?;
            page.line("")?;
        }
        page.line("The recordings:")?;
        for path in &recordings {
            page.line(&format!("  {}", path.display()))?;
        }
        page.flush()?;
        self.keep(&recordings)
    }

    fn keep(&self, recordings: &[PathBuf]) -> Result<(), Failure> {
        let Some(folder) = &self.keep else { return Ok(()) };
        paths::make(folder).map_err(|error| Failure::of(&error))?;
        for (era, path) in [Era::Legacy, Era::Modern].into_iter().zip(recordings) {
            let to = folder.join(demo::name(era)).with_extension(paths::EXTENSION);
            std::fs::copy(path, &to).map_err(|error| {
                Failure::said(format!("failed to copy {} to {}: {error}", path.display(), to.display()))
            })?;
        }
        Ok(())
    }
}

/// Opens the window on the conversation while it is held.
fn watch(folder: PathBuf, demo: &mut Demo) -> Result<(), Failure> {
    let recordings = demo.recordings().map_err(|error| Failure::of(&error))?;
    open::window(folder, recordings)
}

fn say_instead(why: &str) {
    out::problem(&format!("{why}; here is the conversation as text instead"));
}

fn start(folder: &std::path::Path, pace: Duration) -> Result<Demo, Failure> {
    Demo::start(&ourselves()?, folder, pace).map_err(|error| Failure::of(&error))
}

fn ourselves() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::said(format!("failed to find midwire's own program: {error}")))
}

/// The words of the demo's client, which midwire gives to itself.
#[derive(Debug, Args)]
pub(super) struct ClientWords {
    /// legacy or modern
    #[arg(long)]
    era: String,
    /// Milliseconds to think before each thing said
    #[arg(long)]
    pace: u64,
    /// Folder for the recording
    #[arg(long)]
    recordings: PathBuf,
}

impl ClientWords {
    pub(super) fn run(self) -> Result<(), Failure> {
        let era = if self.era == Era::Modern.word() { Era::Modern } else { Era::Legacy };
        let program = ourselves()?;
        let (Some(folder), Some(name)) = (program.parent(), program.file_name()) else {
            return Err(Failure::said("failed to find midwire's own program: it lies nowhere"));
        };
        // The server is called by its bare name, with our folder first in PATH, so that a recording of
        // the demo says the same on every machine.
        let before = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(folder.to_owned()).chain(std::env::split_paths(&before)))
            .map_err(|error| Failure::of(&error))?;
        let mut command = Command::new(&program);
        command.args(["tap", "--name", demo::name(era), "--recordings"]).arg(&self.recordings).arg("--").arg(name);
        command.args(["demo-server", "--step", &(self.pace / 3).to_string()]);
        command.env("PATH", path).current_dir(std::env::temp_dir());
        let status = demo::converse(era, &mut command, Duration::from_millis(self.pace))
            .map_err(|error| Failure::said(format!("failed to converse with the server: {error}")))?;
        if status.success() { Ok(()) } else { Err(Failure::said(format!("the tap ended with {status}"))) }
    }
}

/// The words of the demo's server, which midwire gives to itself.
#[derive(Debug, Args)]
pub(super) struct ServerWords {
    /// Milliseconds that one step of work takes
    #[arg(long, default_value_t = 100)]
    step: u64,
}

impl ServerWords {
    pub(super) fn run(self) -> ExitCode {
        let served = demo::serve(io::stdin().lock(), io::stdout(), io::stderr(), Duration::from_millis(self.step));
        match served {
            Ok(()) => ExitCode::SUCCESS,
            // A client that went away is the end like any other.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                out::problem(&format!("failed to serve: {error}"));
                ExitCode::from(2)
            }
        }
    }
}
