//! Puts the demo on: starts one client process for each era and finds the recordings that they leave.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::name;
use crate::model::Era;
use crate::store::Reader;

/// How often a running demo is looked at, and for how long its recordings are waited for.
const LOOK: Duration = Duration::from_millis(50);
const LOOKS: u32 = 100;

/// Why the demo could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// A process could not be started.
    #[error("start the demo's {} client by {}", .era.word(), .program.display())]
    Start {
        /// Which conversation.
        era: Era,
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A client did not get through its conversation.
    #[error("hold the {} conversation: {said}", .era.word())]
    Broken {
        /// Which conversation.
        era: Era,
        /// What the processes said on stderr.
        said: String,
    },
    /// The conversation was held, but no recording of it is there.
    #[error("find the recording of the {} conversation in {}", .era.word(), .folder.display())]
    Missing {
        /// Which conversation.
        era: Era,
        /// Where it should be.
        folder: PathBuf,
    },
}

/// A demo that is running: two clients, each with its own tap and server.
pub struct Demo {
    folder: PathBuf,
    /// The files that were there before.
    before: Vec<OsString>,
    clients: Vec<(Era, Child)>,
}

impl Demo {
    /// Starts both conversations. `program` is midwire itself, `folder` takes the recordings, and the
    /// client thinks for `pace` before each thing that it says.
    pub fn start(program: &Path, folder: &Path, pace: Duration) -> Result<Self, DemoError> {
        let before = files(folder).into_iter().filter_map(|path| Some(path.file_name()?.to_owned())).collect();
        let mut demo = Self { folder: folder.to_owned(), before, clients: Vec::new() };
        for era in [Era::Legacy, Era::Modern] {
            let child = start_client(program, folder, era, pace).map_err(|source| DemoError::Start {
                era,
                program: program.to_owned(),
                source,
            })?;
            demo.clients.push((era, child));
        }
        Ok(demo)
    }

    /// The recordings, as soon as they are there: legacy first.
    pub fn recordings(&mut self) -> Result<Vec<PathBuf>, DemoError> {
        let mut found = Vec::new();
        for index in 0..self.clients.len() {
            found.push(self.recording(index)?);
        }
        Ok(found)
    }

    /// Waits until both conversations are over; gives the recordings, legacy first.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, DemoError> {
        let recordings = self.recordings();
        if let Err(broken @ DemoError::Broken { .. }) = recordings {
            return Err(broken);
        }
        for (era, client) in self.clients.drain(..) {
            let output = client.wait_with_output().map_err(|error| broken(era, &error.to_string()))?;
            if !output.status.success() {
                return Err(broken(era, &String::from_utf8_lossy(&output.stderr)));
            }
        }
        recordings
    }

    fn recording(&mut self, index: usize) -> Result<PathBuf, DemoError> {
        let (era, pid) = (self.clients[index].0, self.clients[index].1.id());
        for _ in 0..LOOKS {
            if let Some(path) = self.made_by(era, pid) {
                return Ok(path);
            }
            if matches!(self.clients[index].1.try_wait(), Ok(Some(status)) if !status.success()) {
                return Err(broken(era, &said(&mut self.clients[index].1)));
            }
            thread::sleep(LOOK);
        }
        Err(DemoError::Missing { era, folder: self.folder.clone() })
    }

    /// The new recording whose host is this client. Where the platform does not tell the host, the
    /// name has to do.
    fn made_by(&self, era: Era, pid: u32) -> Option<PathBuf> {
        let part = format!("-{}-", name(era));
        files(&self.folder).into_iter().find(|path| {
            let Some(file) = path.file_name() else { return false };
            if self.before.iter().any(|known| known == file) || !file.to_string_lossy().contains(&part) {
                return false;
            }
            let Ok(Ok(facts)) = Reader::open(path).map(|reader| reader.recording()) else { return false };
            facts.host.is_none_or(|host| host.pid == pid)
        })
    }
}

fn start_client(program: &Path, folder: &Path, era: Era, pace: Duration) -> io::Result<Child> {
    Command::new(program)
        .args(["demo-client", "--era", era.word(), "--pace", &pace.as_millis().to_string(), "--recordings"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "midwire")).collect()
}

/// What a client that has ended said on stderr.
fn said(client: &mut Child) -> String {
    let mut said = Vec::new();
    if let Some(stderr) = &mut client.stderr {
        // What cannot be read was not said.
        let _ = stderr.read_to_end(&mut said);
    }
    String::from_utf8_lossy(&said).into_owned()
}

fn broken(era: Era, said: &str) -> DemoError {
    let said = said.trim();
    let said = if said.is_empty() { "a process ended early and said nothing" } else { said };
    DemoError::Broken { era, said: said.to_owned() }
}
