//! Looks at the way to a server step by step, and says at each what was found, how long it took and what to do. It
//! speaks MCP through the client's own session; what a session hides (a page of HTML, a redirect) is asked for apart.

mod anatomy;
mod ending;
mod http;
mod response;
mod session;
mod stdio;

use std::time::{Duration, Instant};

use super::client::{Options, Way};
use super::record::Say;

/// How a step came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All is well.
    Fine,
    /// It works, and something about it is worth mending.
    Odd,
    /// It does not work.
    Failed(Fault),
    /// Not tried, because a step before it failed or it does not apply.
    Skipped,
}

impl Verdict {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Odd => "odd",
            Self::Failed(_) => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// What kind of thing does not work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It could not be begun: a command, a file, a setting.
    Start,
    /// The server is not reached, or lost.
    Connection,
    /// It answers in HTTP, and not as a server of MCP.
    Http,
    /// It does not answer in time.
    Late,
    /// It answers, and there is no going on.
    Protocol,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What was looked at.
    pub name: &'static str,
    /// How it came out.
    pub verdict: Verdict,
    /// How long it took.
    pub took: Duration,
    /// What was found.
    pub detail: String,
    /// What to do about it; empty when there is nothing.
    pub remedy: String,
}

/// Takes each step as it is done.
pub type Report<'a> = &'a mut dyn FnMut(Step);

/// Looks at the way to the server of `options`. `say` puts troubles of the recording before whoever asked.
pub fn examine(options: Options, report: Report<'_>, say: Say) {
    let mut chart = Chart::new(report);
    match &options.target.way {
        Way::Command { .. } => stdio::examine(options, &mut chart, say),
        Way::Url { .. } => http::examine(options, &mut chart, say),
    }
}

/// Notes steps with their times.
struct Chart<'a> {
    report: Report<'a>,
    since: Instant,
}

impl<'a> Chart<'a> {
    fn new(report: Report<'a>) -> Self {
        Self { report, since: Instant::now() }
    }

    /// Notes a step that took until now.
    fn step(&mut self, name: &'static str, verdict: Verdict, detail: impl Into<String>, remedy: impl Into<String>) {
        let now = Instant::now();
        let took = now - self.since;
        self.since = now;
        (self.report)(Step { name, verdict, took, detail: detail.into(), remedy: remedy.into() });
    }

    /// Notes a step that is part of one before, and took no time of its own.
    fn aside(&mut self, name: &'static str, verdict: Verdict, detail: impl Into<String>, remedy: impl Into<String>) {
        (self.report)(Step { name, verdict, took: Duration::ZERO, detail: detail.into(), remedy: remedy.into() });
    }

    /// Notes steps that were not tried.
    fn skip(&mut self, names: &[&'static str], why: &str) {
        for name in names {
            self.aside(name, Verdict::Skipped, why, "");
        }
    }
}
