//! `midwire show`: a recording as a transcript to read, or as JSON Lines for a script.

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;

use super::failure::Failure;
use super::out::{self, Color, Page};
use super::{find, readable, scripted};
use crate::engine::transcript::{Line, Transcript, TranscriptError};
use crate::engine::view::View;

/// How often a live recording is looked at for more.
const LOOK: Duration = Duration::from_millis(50);

const EXAMPLES: &str = "\
Examples:
  midwire show                              the last recording
  midwire show git is:error -p              what went wrong with git, with all messages
  midwire show git method:tools/call 'latency>200ms'
  midwire show last --follow                what a running server says, as it says it
  midwire show git --json | jq -r .method   one JSON object for each row

Without a recording the last one is shown, also when the first word is the beginning of a filter.
`midwire help filter` explains the filter language.

--json writes one object a line, of which what does not apply is left out:
  seq, at (RFC 3339), from (client, server), method, subject, outcome, duration_ns, size,
  rounds, id (its JSON text), revision, era, remarks
  kind       exchange, request, notification, result, error, batch, stderr, lifecycle,
             not-json, not-json-rpc, blank, unfinished, truncated; over HTTP also http (a request
             that carries none of JSON-RPC), head, body, event
  status     ok, error, pending, odd, unanswered
  request, answer (of an exchange), entry (of other rows)
             each: seq, size, and text, or base64 where the bytes are not UTF-8; text is the
             message exactly as it was sent, without its line end; of an event of SSE it is the
             data, and event is all of it
  http       channel, method, target, status, session, events, and whether it is open
  belongs    each: seq, after_ns, what, text, and certain: false where it may as well belong
             elsewhere";

/// The words of `midwire show`.
#[derive(Debug, Args)]
// Each is a switch that somebody may type; they are no states.
#[expect(clippy::struct_excessive_bools)]
#[command(after_help = EXAMPLES)]
pub(super) struct Show {
    /// A recording (path, file name, name of a server, the beginning of either, or last), then a filter
    #[arg(value_name = "RECORDING] [FILTER")]
    words: Vec<String>,
    /// Folder of the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// One row for each message instead of one for each exchange
    #[arg(long, short)]
    messages: bool,
    /// Show the messages themselves too, laid out, numbers and keys as sent
    #[arg(long, short)]
    payloads: bool,
    /// Show further rows as they come, until the recording ends; implies --messages
    #[arg(long, short)]
    follow: bool,
    /// One JSON object for each row
    #[arg(long)]
    json: bool,
    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

impl Show {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        let (recording, filter) = split(&folder, &self.words);
        let path = find::recording(&folder, recording)?;
        let view = if self.messages || self.follow { View::Messages } else { View::Exchanges };
        let mut transcript = Transcript::open(&path, view, &filter).map_err(|error| failure(&error, &filter))?;
        transcript.read().map_err(|error| Failure::of(&error))?;
        let mut page = Page::new(if self.json { Color::Never } else { self.color });
        if let Some(warning) = transcript.warning() {
            out::problem(&format!("{}: {warning}", path.display()));
        }
        if !self.json {
            readable::heading(&mut page, &transcript)?;
        }
        self.rows(&mut page, &mut transcript)?;
        page.flush()?;
        if self.follow { self.go_on(&mut page, &mut transcript) } else { Ok(()) }
    }

    /// Shows what comes until the recording ends.
    fn go_on(&self, page: &mut Page, transcript: &mut Transcript) -> Result<(), Failure> {
        loop {
            thread::sleep(LOOK);
            let more = transcript.follow().map_err(|error| Failure::of(&error))?;
            self.rows(page, transcript)?;
            page.flush()?;
            if !more {
                return Ok(());
            }
        }
    }

    fn rows(&self, page: &mut Page, transcript: &mut Transcript) -> Result<(), Failure> {
        while let Some(line) = transcript.next_line() {
            self.row(page, transcript, &line)?;
        }
        Ok(())
    }

    fn row(&self, page: &mut Page, transcript: &Transcript, line: &Line) -> Result<(), Failure> {
        if self.json {
            return scripted::row(page, transcript, line);
        }
        readable::row(page, transcript.facts().started, line)?;
        if self.payloads {
            readable::payloads(page, transcript, line)?;
        }
        Ok(())
    }
}

/// Shows a whole recording with its payloads as `midwire show -p` does.
pub(super) fn whole(page: &mut Page, path: &Path, payloads: bool) -> Result<(), Failure> {
    let mut transcript = Transcript::open(path, View::Exchanges, "").map_err(|error| Failure::of(&error))?;
    transcript.read().map_err(|error| Failure::of(&error))?;
    readable::heading(page, &transcript)?;
    while let Some(line) = transcript.next_line() {
        readable::row(page, transcript.facts().started, &line)?;
        if payloads {
            readable::payloads(page, &transcript, &line)?;
        }
    }
    page.flush().map_err(io::Error::into)
}

/// The recording and the filter in the words given. A first word that names no recording but looks
/// like a filter is one, and means the last recording.
fn split<'a>(folder: &Path, words: &'a [String]) -> (Option<&'a str>, String) {
    match words.split_first() {
        None => (None, String::new()),
        Some((first, _)) if looks_like_filter(first) && !find::is_recording(folder, first) => (None, words.join(" ")),
        Some((first, filter)) => (Some(first), filter.join(" ")),
    }
}

fn looks_like_filter(word: &str) -> bool {
    let regex = word.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
    let regex = regex.is_some_and(|(_, flags)| flags.chars().all(|flag| "ism".contains(flag)));
    word == "not" || regex || word.starts_with(['"', '(']) || word.contains([':', '<', '>', '=', ' '])
}

/// What is wrong, for a filter with its text and a mark below the place.
fn failure(error: &TranscriptError, filter: &str) -> Failure {
    let TranscriptError::Filter { at, why } = error else { return Failure::of(error) };
    let before = filter.get(..at.start).unwrap_or(filter).chars().count();
    let inside = filter.get(at.clone()).map_or(1, |text| text.chars().count()).max(1);
    let mark = format!("{}{}", " ".repeat(before), "^".repeat(inside));
    Failure::said(format!(
        "the filter cannot be read: {why}\n  {filter}\n  {mark}\n`midwire help filter` explains the language"
    ))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_first_word_that_is_no_recording_begins_a_filter() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("20261130-100000-git-1.midwire"), "").unwrap();
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        assert_eq!(split(folder.path(), &words("git is:error")), (Some("git"), "is:error".to_owned()));
        assert_eq!(split(folder.path(), &words("is:error size>1MB")), (None, "is:error size>1MB".to_owned()));
        assert_eq!(split(folder.path(), &words("gti")), (Some("gti"), String::new()), "a slip, to be complained of");
    }
}
