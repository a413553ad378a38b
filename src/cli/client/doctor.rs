//! `midwire doctor`: the way to a server, step by step, with what to do where it fails.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::class::Class;
use super::object::Object;
use super::{Done, Shared, printed, settings, target};
use crate::cli::out::{self, Color, Ink, Page};
use crate::cli::safe;
use crate::engine::client::Options;
use crate::engine::doctor::{Fault, Step, Verdict, examine};

const EXAMPLES: &str = "\
Examples:
  midwire doctor https://example.com/mcp
  midwire doctor -- npx -y @modelcontextprotocol/server-everything
  midwire doctor everything --json | jq -r 'select(.verdict != \"ok\") | .remedy'

On HTTP: settings, dns, tcp, proxy, tls, http, era, version, auth. On stdio: command, starts, stdout (nothing but
messages?), era, version, stderr, end (does it exit when its input ends?). What a server names for OAuth is said,
not followed. --json prints one object a line: step, verdict (ok, odd, failed, skipped), took_ms, detail, remedy.
The exit code is that of the first step that failed (`midwire help exit-codes`), 1 where something is only odd.";

/// The words of `midwire doctor`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Doctor {
    /// A URL or the name of a server (not with -- COMMAND)
    #[arg(value_name = "TARGET")]
    words: Vec<String>,
    /// One JSON object for each step
    #[arg(long)]
    json: bool,
    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Doctor {
    pub(in crate::cli) fn run(self) -> Done {
        let Self { words, json, color, shared, command } = self;
        let (target, rest) = target::split(&words, command, &shared.server, shared.place.name.as_deref())?;
        super::discover::nothing_else(&rest)?;
        let settings = settings(&shared)?;
        target::consent(&target, shared.server.yes)?;
        let mut options = Options::new(target);
        options.settings = settings;
        options.recordings.clone_from(&shared.place.recordings);
        options.keep_secrets = shared.place.keep_secrets;
        options.grace = shared.server.grace()?;
        let mut page = Page::new(if json { Color::Never } else { color });
        let mut class = Class::Fine;
        let mut failed = None;
        examine(
            options,
            &mut |step| {
                class = worse(class, step.verdict);
                let said = if json { line(&step) } else { row(&page, &step) };
                let written = page.line(&said).and_then(|()| page.flush());
                failed = failed.take().or(written.err());
            },
            Arc::new(out::problem),
        );
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(class),
        }
    }
}

/// The class so far: the first failure counts, and before any a step that is odd.
const fn worse(class: Class, verdict: Verdict) -> Class {
    match (class, verdict) {
        (Class::Fine | Class::Answered, Verdict::Failed(fault)) => match fault {
            Fault::Start => Class::Usage,
            Fault::Connection => Class::Connection,
            Fault::Http => Class::Http,
            Fault::Late => Class::Late,
            Fault::Protocol => Class::Protocol,
        },
        (Class::Fine, Verdict::Odd) => Class::Answered,
        (class, _) => class,
    }
}

fn line(step: &Step) -> String {
    let mut object = Object::new();
    object.text("step", step.name).text("verdict", step.verdict.word());
    object.plain("took_ms", printed::milliseconds(nanos(step.took))).text("detail", &step.detail);
    object.maybe("remedy", Some(step.remedy.as_str()).filter(|remedy| !remedy.is_empty()));
    String::from_utf8_lossy(&object.finish()).into_owned()
}

fn row(page: &Page, step: &Step) -> String {
    let (sign, ink) = match step.verdict {
        Verdict::Fine => ("✓", Ink::Good),
        Verdict::Odd => ("!", Ink::Odd),
        Verdict::Failed(_) => ("✗", Ink::Bad),
        Verdict::Skipped => ("·", Ink::Dim),
    };
    let took = if step.took.is_zero() { String::new() } else { crate::cli::figures::duration(nanos(step.took)) };
    let name = page.ink(Ink::Bold, &format!("{:<8}", step.name));
    let took = page.ink(Ink::Dim, &format!("{took:>9}"));
    let mut row = format!("{} {name} {took}  {}", page.ink(ink, sign), safe::line(&step.detail));
    if !step.remedy.is_empty() {
        row.push('\n');
        row.push_str(&" ".repeat(22));
        row.push_str("→ ");
        row.push_str(&safe::line(&step.remedy));
    }
    row
}

fn nanos(duration: Duration) -> crate::model::Nanos {
    crate::model::Nanos::try_from(duration.as_nanos()).unwrap_or(crate::model::Nanos::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_the_exit_code() {
        let of =
            |verdicts: &[Verdict]| verdicts.iter().fold(Class::Fine, |class, verdict| worse(class, *verdict)).code();
        let failed = Verdict::Failed;
        assert_eq!(of(&[Verdict::Fine, Verdict::Skipped]), 0);
        assert_eq!(of(&[Verdict::Fine, Verdict::Odd]), 1);
        assert_eq!(of(&[Verdict::Odd, failed(Fault::Http), failed(Fault::Connection)]), 4);
        assert_eq!(of(&[failed(Fault::Start), Verdict::Odd]), 2);
        assert_eq!([Fault::Connection, Fault::Late, Fault::Protocol].map(|fault| of(&[failed(fault)])), [3, 5, 6]);
    }
}
