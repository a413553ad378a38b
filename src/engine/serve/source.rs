//! Where the answers come from: a mock file, recordings, or nothing; read into a script.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::adding::Adding;
use super::{Lists, Matching, Source, mock_file, recording};
use crate::mock;
use crate::model::Revision;
use crate::peer::server::{About, Answer, Asked, Bytes, Kind, Miss, Pace, Script};
use crate::recorded;

/// So many faults of a file are said.
const SAID: usize = 5;

/// A source that was read.
#[derive(Debug)]
pub struct Read {
    /// What answers.
    pub script: Box<dyn Script>,
    /// What it has, in words; with what is wrong where a part is served only.
    pub words: String,
    /// The recording that answers of the real server are added to: the first.
    pub adding: Option<Adding>,
}

/// Reads a source. Where there is only the real server, lists are misses too. The error fits after "failed to".
pub fn read(source: &Source, matching: &Matching, pace: Pace, has_real: bool) -> Result<Read, String> {
    match source {
        Source::Mock(path) => mock(path, &mock_file::read(path)?),
        Source::Recordings(paths) => recordings(paths, matching, pace),
        Source::Nothing => Ok(Read {
            script: Box::new(Nothing::new(has_real)),
            words: "nothing: all that is asked is a miss".into(),
            adding: None,
        }),
    }
}

/// What a script has of each kind.
pub fn lists(script: &dyn Script) -> Lists {
    Arc::new(Kind::ALL.into_iter().map(|kind| (kind, script.list(kind).to_vec())).collect())
}

/// A mock file as it reads now; the files that it names stand beside it.
fn mock(path: &Path, text: &str) -> Result<Read, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = |name: &str| std::fs::read(folder.join(name)).map_err(|error| format!("read {name}: {error}"));
    let read = mock::read_with(text, &files);
    let said = faults(&read.faults);
    let Some(mock) = read.mock else { return Err(format!("read {}: {said}", path.display())) };
    let mut words = mock.summary();
    if !said.is_empty() {
        // Writing into a String does not fail.
        let _ = write!(words, "; left out: {said}");
    }
    Ok(Read { script: Box::new(mock::Player::new(mock)), words, adding: None })
}

/// The files that a mock file names, which are a part of it; none where it cannot be read.
pub fn named(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let text = mock_file::read(path).ok();
    // What is in them does not matter here.
    let read = text.map(|text| mock::read_with(&text, &|_| Ok(b"{}".to_vec())));
    let mock = read.and_then(|read| read.mock);
    mock.map(|mock| mock.files().iter().map(|name| folder.join(name)).collect()).unwrap_or_default()
}

/// The first few of the faults, with line and column.
fn faults(faults: &[mock::Fault]) -> String {
    let said: Vec<String> = faults.iter().take(SAID).map(ToString::to_string).collect();
    let more = faults.len().saturating_sub(SAID);
    let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    format!("{}{more}", said.join("; "))
}

fn recordings(paths: &[PathBuf], matching: &Matching, pace: Pace) -> Result<Read, String> {
    let sessions: Vec<recorded::Session> = paths.iter().map(|path| recording::read(path)).collect::<Result<_, _>>()?;
    let calls: usize = sessions.iter().map(|session| session.calls.len()).sum();
    let warnings: Vec<&str> = sessions.iter().flat_map(|session| &session.warnings).map(String::as_str).collect();
    let counted = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let mut words = format!("{} of {}", counted(calls, "recorded call"), counted(sessions.len(), "recording"));
    if !warnings.is_empty() {
        let more = if warnings.len() > SAID { "; and more" } else { "" };
        let _ = write!(words, "; {}{more}", warnings[..warnings.len().min(SAID)].join("; "));
    }
    let adding = paths.first().zip(sessions.first()).map(|(path, session)| Adding::new(path, session));
    Ok(Read { script: Box::new(recorded::Player::new(sessions, matching.clone()).paced(pace)), words, adding })
}

/// A server that has nothing.
#[derive(Debug)]
struct Nothing {
    about: About,
    /// A real server answers lists too.
    has_real: bool,
}

impl Nothing {
    fn new(has_real: bool) -> Self {
        let identity = format!("{{\"name\":\"midwire\",\"version\":\"{}\"}}", env!("CARGO_PKG_VERSION"));
        let capabilities = || "{\"tools\":{},\"prompts\":{},\"resources\":{}}".to_owned();
        let about = About {
            identity,
            legacy: capabilities(),
            modern: capabilities(),
            instructions: None,
            revisions: Revision::KNOWN.to_vec(),
            page: None,
            hint: (0, "private".to_owned()),
            completions: Vec::new(),
        };
        Self { about, has_real }
    }
}

impl Script for Nothing {
    fn about(&self) -> &About {
        &self.about
    }

    fn list(&self, _: Kind) -> &[Bytes] {
        &[]
    }

    /// The handshake and the lists are the machine's; anything else is a miss, so that it can be answered by hand or by
    /// the real server.
    fn answer(&mut self, asked: &Asked<'_>) -> Answer {
        let is_list = Kind::ALL.iter().any(|kind| kind.method() == asked.method);
        let is_call = matches!(asked.method, "tools/call" | "prompts/get" | "resources/read" | "completion/complete");
        if is_call || is_list && self.has_real {
            let why = "this server has no answers of its own".to_owned();
            return Answer::Miss(Box::new(Miss { why, near: Vec::new() }));
        }
        Answer::Own
    }
}
