//! `midwire import`: JSON Lines to recordings.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::out::{self, Color, Page};
use super::{find, safe};
use crate::engine::jsonl::{self, Imported};
use crate::engine::{clock, paths};

const EXAMPLES: &str = "\
Examples:
  midwire import git.jsonl
  zstd -dc last.jsonl.zst | midwire import - --name last-week

It reads what midwire export writes, byte for byte, and the captures of other programs that have one
object a line with ts, dir and raw; recordings/FORMAT.md describes both. Each FILE becomes a
recording of its own. Lines that cannot be read are told and left out.";

/// The words of `midwire import`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Import {
    /// Files to read (- is stdin)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to call the server where the file does not say [default: the file's name]
    #[arg(long)]
    name: Option<String>,
    /// Folder for the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
}

impl Import {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        paths::make(&folder).map_err(|error| Failure::of(&error))?;
        let mut page = Page::new(Color::Never);
        let mut failures = Vec::new();
        for file in &self.files {
            match self.one(&folder, file) {
                Ok((path, imported)) => {
                    page.line(&format!("{}  {} entries", path.display(), imported.entries))?;
                    page.flush()?;
                    tell_bad_lines(file, &imported);
                }
                Err(Failure::Said(said)) => failures.push(said),
                Err(closed @ Failure::Closed) => return Err(closed),
            }
        }
        if failures.is_empty() { Ok(()) } else { Err(Failure::said(failures.join("\n"))) }
    }

    fn one(&self, folder: &Path, file: &Path) -> Result<(PathBuf, Imported), Failure> {
        let mut input = open(file)?;
        let stem = || file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = self.name.clone().unwrap_or_else(|| if is_stdin(file) { "import".to_owned() } else { stem() });
        let path = vacant(folder, &name);
        let start = input.fill_buf().map_err(|error| unreadable(file, &error))?;
        if start.starts_with(b"SQLite format 3\0") {
            return Err(Failure::said(format!(
                "{} is a recording already: midwire open and midwire show take its path",
                file.display()
            )));
        }
        let imported = jsonl::import(&mut input, &path, &name).map_err(|error| {
            let Failure::Said(said) = Failure::of(&error) else { return Failure::Closed };
            Failure::said(format!("{}: {said}", file.display()))
        })?;
        Ok((path, imported))
    }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

fn open(file: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if is_stdin(file) {
        return Ok(Box::new(BufReader::new(io::stdin().lock())));
    }
    let opened = File::open(file).map_err(|error| unreadable(file, &error))?;
    Ok(Box::new(BufReader::with_capacity(256 * 1024, opened)))
}

fn unreadable(file: &Path, error: &io::Error) -> Failure {
    Failure::said(format!("failed to read {}: {error}", file.display()))
}

/// A path for a new recording, where no file is. Several may be made in one second.
fn vacant(folder: &Path, name: &str) -> PathBuf {
    let now = clock::wall();
    let path = |name: &str| folder.join(paths::file_name(now, name, std::process::id()));
    let others = (2..1000).map(|number| path(&format!("{name}-{number}")));
    std::iter::once(path(name)).chain(others).find(|path| !path.exists()).unwrap_or_else(|| path(name))
}

fn tell_bad_lines(file: &Path, imported: &Imported) {
    for bad in &imported.first_bad {
        out::problem(&format!("{}:{}: {}", file.display(), bad.line, safe::line(&bad.why)));
    }
    let more = imported.bad.saturating_sub(imported.first_bad.len() as u64);
    if more > 0 {
        out::problem(&format!("{}: {more} more lines could not be read", file.display()));
    }
}
