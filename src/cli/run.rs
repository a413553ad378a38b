//! `midwire run`: a saved call or a chain of a project file, each step as one line of JSON on stdout.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::client::Class;
use super::failure::Failure;
use super::out::{self, Color, Page};
use super::safe;
use crate::engine::client;
use crate::engine::project::{self, RunOptions, Runner, Step};
use crate::model::Nanos;
use crate::peer::client::{Outcome, Told};
use crate::project::{Named, Ready, Run as Plan, Verdict};
use crate::wire::{Json, quote};

const EXAMPLES: &str = "\
Examples:
  midwire run calls.midwire.toml                       what can be run
  midwire run calls.midwire.toml lifecycle --yes
  midwire run calls.midwire.toml greet --env work --set name=Ada --set limit:=5

A chain stops at the first call that ends otherwise than its `expect` says. Each call gives one line of JSON on
stdout; everything else goes to stderr. The exit code is that of the first call that failed (`midwire help
exit-codes`), and 1 where an answer was not what was expected. assets/PROJECT.md describes the file.";

/// The words of `midwire run`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Run {
    /// A project file (*.midwire.toml)
    file: PathBuf,
    /// The chain or call to run; without it, they are listed
    name: Option<String>,
    /// Value of a variable (repeatable): NAME=TEXT, or NAME:=JSON
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Environment of the file whose variables are used
    #[arg(long, value_name = "NAME")]
    env: Option<String>,
    /// Run the commands of the file without asking
    #[arg(long)]
    yes: bool,
    /// Say nothing on stderr but what goes wrong
    #[arg(long, short)]
    quiet: bool,
    /// Folder for the recordings [default: $MIDWIRE_RECORDINGS, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Record also what looks like a secret in commands, URLs and HTTP heads
    #[arg(long)]
    keep_secrets: bool,
}

impl Run {
    pub(super) fn run(self) -> Result<Class, Failure> {
        let project = project::load(&self.file).map_err(|error| Failure::of(&error))?;
        for note in &project.notes {
            let place = format!("{}, line {}: {}", self.file.display(), note.line, note.text);
            out::problem(&safe::line(&place));
        }
        let Some(name) = &self.name else { return list(&project).map(|()| Class::Fine) };
        let set = self.set.iter().map(|word| variable(word)).collect::<Result<Vec<_>, _>>()?;
        let plan = Plan::new(&project, name, self.env.as_deref(), &set).map_err(|error| Failure::of(&error))?;
        let mut options = RunOptions::new(&self.file);
        options.recordings.clone_from(&self.recordings);
        options.keep_secrets = self.keep_secrets;
        let runner = Runner::new(project, plan, options);
        let mut agreed: Vec<String> = Vec::new();
        for target in runner.targets().map_err(|why| Failure::said(format!("failed to {why}")))? {
            // A server that two calls need is asked about once.
            let seen = format!("{:?}", target.way);
            if !agreed.contains(&seen) {
                super::client::consent(&target, self.yes)?;
                agreed.push(seen);
            }
        }
        self.steps(runner)
    }

    fn steps(&self, runner: Runner) -> Result<Class, Failure> {
        let stop = runner.stopper();
        client::on_interrupt(move || stop.stop())
            .map_err(|error| Failure::said(format!("failed to listen for signals: {error}")))?;
        let mut page = Page::new(Color::Never);
        let mut printed = Ok(());
        let quiet = self.quiet;
        let (_, failed) = runner.run(
            &mut |step| {
                let line = say(&step, quiet);
                if let (Some(line), Ok(())) = (line, &printed) {
                    printed = page.write_all(line.as_bytes()).and_then(|()| page.flush());
                }
            },
            &(Arc::new(out::problem) as crate::engine::Say),
        );
        printed?;
        Ok(match failed {
            None => Class::Fine,
            Some(failed) => match &failed.outcome {
                None => Class::Usage,
                // It is not what was expected, though it may be a result.
                Some(Outcome::Result(_) | Outcome::Error(_)) => Class::Answered,
                Some(outcome) => Class::of(outcome),
            },
        })
    }
}

/// A variable that was typed, as JSON text.
fn variable(word: &str) -> Result<(String, String), Failure> {
    let fault = || Failure::said(format!("--set takes NAME=TEXT or NAME:=JSON; `{word}` is neither"));
    let (name, value) = word.split_once('=').ok_or_else(fault)?;
    match name.strip_suffix(':') {
        None if name.is_empty() => Err(fault()),
        None => Ok((name.to_owned(), quote(value))),
        Some(name) => match Json::parse(value.as_bytes()) {
            Ok(json) => Ok((name.to_owned(), String::from_utf8_lossy(json.raw()).into_owned())),
            Err(why) => Err(Failure::said(format!("the value of {name} is no JSON: {}", why.what))),
        },
    }
}

/// What a file has to run, as lines.
fn list(project: &crate::project::Project) -> Result<(), Failure> {
    let mut page = Page::new(Color::Never);
    for (name, chain) in &project.chains {
        page.line(&safe::line(&format!("chain {name}: {}", chain.calls.join(", "))))?;
    }
    for (name, call) in &project.calls {
        let description = call.description.as_deref().map_or_else(String::new, |text| format!("  # {text}"));
        page.line(&safe::line(&format!("call {name}{description}")))?;
    }
    page.flush()?;
    Ok(())
}

/// Says a step on stderr, where that is wanted; a call that is over gives a line for stdout.
fn say(step: &Step<'_>, quiet: bool) -> Option<String> {
    let note = |text: String| {
        if !quiet {
            out::problem(&safe::line(&text));
        }
    };
    match step {
        Step::Open(name, peer, recording) => {
            let place = recording.as_ref().map_or_else(String::new, |path| format!(", recorded in {}", path.display()));
            note(format!("{name}: open, {}{place}", peer.revision.text()));
        }
        Step::Told(name, Told::Attempt(attempt)) if !attempt.ok => {
            note(format!("{name}: {}: {}", attempt.what, attempt.came));
        }
        Step::Told(name, Told::Asked(question)) => note(format!("{name}: the server asks {}", question.method)),
        Step::Stderr(name, line) if !quiet => out::aside(&safe::line(name), &safe::line(line)),
        Step::Begins(_) | Step::Told(..) | Step::Stderr(..) => {}
        Step::Unsent(name, why) => out::problem(&safe::line(&format!("{name} cannot go on: {why}"))),
        Step::Ended(ready, outcome, took, verdict) => {
            if let Some(why) = &verdict.why {
                out::problem(&safe::line(&format!("{}: {why}", ready.name)));
            }
            return Some(line(ready, *outcome, *took, verdict));
        }
    }
    None
}

/// One call as a line of JSON.
fn line(ready: &Ready, outcome: Option<&Outcome>, took: Nanos, verdict: &Verdict) -> String {
    let mut members = vec![format!("\"call\":{}", quote(&ready.name)), format!("\"ok\":{}", verdict.ok)];
    let text = |name: &str, value: &str| format!("\"{name}\":{}", quote(value));
    members.extend(ready.target.as_deref().map(|target| text("target", target)));
    members.push(text("method", &ready.method));
    members.extend(verdict.why.as_deref().map(|why| text("why", why)));
    members.push(text("outcome", outcome.map_or("sent", Outcome::word)));
    members.push(format!("\"ms\":{}", took / 1_000_000));
    match outcome {
        Some(Outcome::Result(bytes)) => members.push(format!("\"result\":{}", one_line(bytes))),
        Some(Outcome::Error(bytes)) => members.push(format!("\"error\":{}", one_line(bytes))),
        Some(Outcome::Http { status: Some(status), .. }) => members.push(format!("\"status\":{status}")),
        _ => {}
    }
    members.extend(picked(&verdict.picked));
    format!("{{{}}}\n", members.join(","))
}

fn picked(picked: &Named<String>) -> Option<String> {
    let pairs: Vec<String> = picked.iter().map(|(name, value)| format!("{}:{value}", quote(name))).collect();
    (!pairs.is_empty()).then(|| format!("\"picked\":{{{}}}", one_line(pairs.join(",").as_bytes())))
}

/// JSON as it was sent, on one line: its line ends stand between values only.
fn one_line(json: &[u8]) -> String {
    String::from_utf8_lossy(json).replace(['\r', '\n'], " ")
}
