//! `midwire mock`: recordings as a mock file, on stdout or in a file.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::find;
use super::out::{self, Color, Page};
use crate::engine::serve::turned;

const EXAMPLES: &str = "\
Examples:
  midwire mock git -o git.mock.toml && midwire serve git.mock.toml
  midwire mock last --filter 'tool:search is:ok'
  midwire mock monday.midwire tuesday.midwire -o both.mock.toml

Each distinct call becomes a rule, each item of a list a table; assets/MOCK.md describes the file, which is
meant to be edited. `midwire serve RECORDING` serves a recording as it is.";

/// The words of `midwire mock`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Mock {
    /// Recordings: paths, file names, names of servers, beginnings of either, or last
    #[arg(required = true, value_name = "RECORDING")]
    recording: Vec<String>,
    /// Write to FILE instead of stdout (- is stdout)
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Only the exchanges that this filter lets through; see midwire help filter
    #[arg(long, value_name = "FILTER", default_value = "")]
    filter: String,
    /// Folder of the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
}

impl Mock {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        let paths: Result<Vec<PathBuf>, Failure> =
            self.recording.iter().map(|wanted| find::recording(&folder, Some(wanted))).collect();
        let turned =
            turned::into_mock(&paths?, &self.filter).map_err(|why| Failure::said(format!("failed to {why}")))?;
        if self.output == Path::new("-") {
            let mut page = Page::new(Color::Never);
            page.write_all(turned.text.as_bytes()).map_err(|error| closed(&error))?;
            page.flush()?;
        } else {
            write_new(&self.output, &turned.text)?;
        }
        turned.warnings.iter().for_each(|warning| out::problem(warning));
        Ok(())
    }
}

/// A file that is there already may have been edited, so it is not written over.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        Failure::said(format!("failed to create {}: {error}; name a new file with -o", path.display()))
    })
}

fn closed(error: &std::io::Error) -> Failure {
    if error.kind() == std::io::ErrorKind::BrokenPipe { Failure::Closed } else { Failure::said(error.to_string()) }
}
