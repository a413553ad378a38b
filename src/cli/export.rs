//! `midwire export`: a recording as JSON Lines, on stdout or in a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::find;
use super::out::{self, Color, Page};
use crate::engine::jsonl::{self, ExportError};
use crate::store::Reader;

const EXAMPLES: &str = "\
Examples:
  midwire export git -o git.jsonl
  midwire export last | zstd > last.jsonl.zst
  midwire export git | jq -r 'select(.seq) | .text'

Each line is a JSON object; recordings/FORMAT.md describes them. Messages are strings in them, never
JSON values, so that midwire import gives the same bytes back.";

/// The words of `midwire export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Export {
    /// A recording: a path, a file name, the name of a server, the beginning of either, or last
    recording: String,
    /// Write to FILE instead of stdout (- is stdout)
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Folder of the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
}

impl Export {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        let path = find::recording(&folder, Some(&self.recording))?;
        let reader = Reader::open(&path).map_err(|error| Failure::of(&error))?;
        if self.output == Path::new("-") {
            write(&reader, &mut Page::new(Color::Never))?;
        } else {
            self.to_file(&reader, &path)?;
        }
        if let Some(warning) = reader.warning() {
            out::problem(&format!("{}: {warning}", path.display()));
        }
        Ok(())
    }

    fn to_file(&self, reader: &Reader, recording: &Path) -> Result<(), Failure> {
        let output = &self.output;
        let same = |path: &Path| std::fs::canonicalize(path).ok();
        if same(output).is_some_and(|output| Some(output) == same(recording)) {
            return Err(Failure::said(format!("{} is the recording itself; name another file", output.display())));
        }
        let file = File::create(output).map_err(|error| {
            Failure::said(format!("failed to create {}: {error}; name another file with -o", output.display()))
        })?;
        write(reader, &mut BufWriter::new(file))
    }
}

fn write(reader: &Reader, out: &mut impl Write) -> Result<(), Failure> {
    jsonl::export(reader, out).map(drop).map_err(|error| match error {
        ExportError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => Failure::Closed,
        error => Failure::of(&error),
    })
}
