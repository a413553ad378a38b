//! `midwire serve`: its words, and which server they mean. On stdio nothing of ours is ever on stdout; what a person
//! wants to know goes to stderr.

mod notes;
mod snippet;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::failure::Failure;
use super::out;
use crate::engine::client::Target;
use crate::engine::serve::{self, Front, Options, Tell};
use notes::Notes;
use words::{Behaviour, Place};

const EXAMPLES: &str = "\
Examples:
  midwire serve weather.mock.toml                          on stdio: a host starts this as its server
  midwire serve weather.mock.toml --http 127.0.0.1:4000    for clients on HTTP, at /mcp
  midwire serve session.midwire --pace none                what a server once answered, without its delays
  midwire serve last --match order --on-miss error
  midwire serve session.midwire --on-miss pass -- npx -y some-server
  midwire serve weather.mock.toml --snippet claude-code    the entry for a host's file

A source is a mock file (*.toml, assets/MOCK.md), or recordings: files, or their names as in `midwire list`. A mock
file is read again whenever it changes. Clients of all five revisions are served at once, each in its own era.
On stdio, stdout carries the protocol only; it exits when its input ends, or as the mock says.";

/// The words of `midwire serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Serve {
    /// A mock file, or recordings; of several recordings the first that has an answer counts
    #[arg(value_name = "SOURCE")]
    sources: Vec<String>,
    /// Listen for clients on HTTP here, 0 for any free port; otherwise stdin and stdout are served
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<String>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    behaviour: Behaviour,
    /// Print the entry for a host's file, such as claude-code or vscode, instead of serving
    #[arg(long, value_name = "HOST")]
    snippet: Option<String>,
    /// What to call the server in the list of recordings [default: as it calls itself]
    #[arg(long)]
    name: Option<String>,
    /// Folder for the recording [default: $MIDWIRE_RECORDINGS, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Keep at most this many mebibytes of one message
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    max_entry: u64,
    /// Record also what looks like a secret in HTTP heads
    #[arg(long)]
    keep_secrets: bool,
    /// Say nothing on stderr but where it listens and what goes wrong
    #[arg(long, short)]
    quiet: bool,
    /// With --on-miss pass: the URL of the real server
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    #[command(flatten)]
    server: super::client::Server,
    /// With --on-miss pass: the command of the real server
    #[arg(last = true, value_name = "CMD")]
    command: Vec<OsString>,
}

impl Serve {
    /// Serves until the client has gone, a signal comes, or the mock exits.
    pub(super) fn run(self) -> ExitCode {
        let done = if self.snippet.is_some() { self.print().map(|()| 0) } else { self.serve() };
        match done {
            Ok(code) => ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1)),
            Err(Failure::Closed) => ExitCode::SUCCESS,
            Err(Failure::Said(said)) => {
                out::problem(&said);
                ExitCode::from(2)
            }
        }
    }

    fn serve(self) -> Result<i32, Failure> {
        let quiet = self.quiet;
        let is_http = self.http.is_some();
        let options = self.options()?;
        // A host shows what is on stderr: on stdio only what goes wrong belongs there.
        let notes = Arc::new(Notes::new(quiet, is_http));
        let says = Arc::clone(&notes);
        let tell: Tell = Arc::new(move |happening| says.tell(&happening));
        let says = Arc::clone(&notes);
        let running = serve::start(options, tell, Arc::new(move |line: &str| says.say(line)));
        let running = Arc::new(running.map_err(|error| Failure::of(&error))?);
        // Said however quiet it is: with port 0 nobody could know otherwise.
        if let Some(url) = running.url() {
            out::problem(&format!("listening at {url}"));
        }
        if let Some(path) = running.recording() {
            notes.say(&format!("recording into {}", path.display()));
        }
        let stops = Arc::downgrade(&running);
        // Where signals cannot be watched, they end it without order.
        let _ = crate::engine::client::on_interrupt(move || match stops.upgrade() {
            Some(running) => {
                running.stop();
                true
            }
            None => false,
        });
        Ok(running.wait())
    }

    fn options(self) -> Result<Options, Failure> {
        let folder = super::find::folder(self.recordings.as_deref())?;
        let real = self.real()?;
        let source = words::source(&self.sources, &folder, real.is_some())?;
        let front = match self.http {
            None => {
                self.place.only_http()?;
                Front::Stdio
            }
            Some(listen) => self.place.front(listen),
        };
        let settings = self.behaviour.settings()?;
        words::check(&settings, real.is_some(), &front)?;
        Ok(Options {
            source,
            matching: self.behaviour.matching(),
            front,
            settings,
            real,
            name: self.name,
            recordings: self.recordings,
            max_entry: self.max_entry.saturating_mul(1 << 20),
            keep_secrets: self.keep_secrets,
        })
    }

    /// The real server.
    fn real(&self) -> Result<Option<Target>, Failure> {
        let way = match (&self.url, self.command.is_empty()) {
            (Some(_), false) => {
                return Err(Failure::said("--url and the command behind -- are two servers: give one of the two"));
            }
            (Some(url), true) => self.server.url(url)?,
            (None, true) => return Ok(None),
            (None, false) => {
                let text = |word: &OsString| word.to_str().map(str::to_owned);
                let command: Option<Vec<String>> = self.command.iter().map(text).collect();
                let fault = || Failure::said("a word of the command is not UTF-8");
                self.server.command(command.ok_or_else(fault)?)?
            }
        };
        Ok(Some(Target { way, ..Target::default() }))
    }
}
