//! The words that say how a server behaves and where clients come in, and what contradicts itself among them.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::failure::Failure;
use crate::cli::find;
use crate::engine::serve::{Front, MatchWay, Matching, Source};
use crate::model::{Nanos, Revision};
use crate::peer::server::{ByHand, MissPolicy, Pace, Settings};

/// Where clients come in.
#[derive(Debug, Args)]
#[command(next_help_heading = "HTTP")]
pub(in crate::cli) struct Place {
    /// The path of the endpoint [default: /mcp]
    #[arg(long)]
    pub(super) path: Option<String>,
    /// Do not serve HTTP+SSE of 2024-11-05, which is at /sse
    #[arg(long)]
    no_sse: bool,
    /// Give no sessions to clients of the legacy era: each POST stands for itself
    #[arg(long)]
    no_sessions: bool,
    /// Answer with JSON where a single answer is all that comes, rather than with a stream
    #[arg(long)]
    json: bool,
}

impl Place {
    pub(super) fn front(&self, listen: String) -> Front {
        let path = self.path.clone().unwrap_or_else(|| "/mcp".to_owned());
        Front::Http { listen, path, sse: !self.no_sse, sessions: !self.no_sessions, json: self.json }
    }

    /// Says so when one of them was given without HTTP.
    pub(super) fn only_http(&self) -> Result<(), Failure> {
        let words = [
            ("--path", self.path.is_some()),
            ("--no-sse", self.no_sse),
            ("--no-sessions", self.no_sessions),
            ("--json", self.json),
        ];
        let given = words.into_iter().find(|(_, given)| *given);
        given.map_or(Ok(()), |(word, _)| {
            Err(Failure::said(format!("{word} is about HTTP: give --http 127.0.0.1:0 with it, or leave it out")))
        })
    }
}

/// How a server behaves.
#[derive(Debug, Args)]
#[command(next_help_heading = "Behaviour")]
pub(in crate::cli) struct Behaviour {
    /// Speak only this revision (repeatable), such as 2025-06-18 [default: all that the source speaks]
    #[arg(long, value_name = "DATE", conflicts_with_all = ["legacy", "modern"])]
    revision: Vec<String>,
    /// Speak only revisions with a handshake: 2024-11-05 to 2025-11-25
    #[arg(long, conflicts_with = "modern")]
    legacy: bool,
    /// Speak only 2026-07-28
    #[arg(long)]
    modern: bool,
    /// How a request finds its recorded call: by params without what is volatile, likewise but each call once, or in
    /// recorded order
    #[arg(long = "match", value_name = "WAY", default_value = "params", value_parser = ["params", "strict", "order"])]
    way: String,
    /// JSON pointer into params that does not count when calls are matched (repeatable), such as /arguments/now
    #[arg(long, value_name = "POINTER", value_parser = pointer)]
    ignore: Vec<String>,
    /// Pace of what is recorded or written: recorded, none, X2 (twice as fast), cap:500 (at most so many ms)
    #[arg(long, value_name = "PACE", default_value = "recorded", value_parser = pace)]
    pace: Pace,
    /// What becomes of a request that nothing answers: error, hand (a person answers, in the window), pass (the real
    /// server does)
    #[arg(long, value_name = "WHAT", default_value = "error", value_parser = ["error", "hand", "pass"])]
    on_miss: String,
}

impl Behaviour {
    pub(super) fn matching(&self) -> Matching {
        let way = match self.way.as_str() {
            "strict" => MatchWay::Strict,
            "order" => MatchWay::Order,
            _ => MatchWay::Params,
        };
        Matching { way, ignored: self.ignore.clone() }
    }

    pub(super) fn settings(&self) -> Result<Settings, Failure> {
        let miss = match self.on_miss.as_str() {
            "hand" => MissPolicy::ByHand,
            "pass" => MissPolicy::Pass,
            _ => MissPolicy::Error,
        };
        let (by_hand, pace) = (ByHand::Nothing, self.pace);
        Ok(Settings { revisions: self.revisions()?, by_hand, miss, pace, ..Settings::default() })
    }

    fn revisions(&self) -> Result<Vec<Revision>, Failure> {
        let [legacy @ .., modern] = Revision::KNOWN;
        if self.legacy {
            return Ok(legacy.to_vec());
        }
        if self.modern {
            return Ok(vec![modern]);
        }
        let known = |text: &String| match Revision::from_text(text) {
            Revision::Other(_) => {
                let known = Revision::KNOWN.map(|revision| revision.to_string()).join(", ");
                Err(Failure::said(format!("--revision takes one of {known}; {text:?} is none of them")))
            }
            revision => Ok(revision),
        };
        self.revision.iter().map(known).collect()
    }
}

/// What is served: one mock file, or recordings.
pub(super) fn source(words: &[String], folder: &Path, has_real: bool) -> Result<Source, Failure> {
    let is_mock = |word: &String| Path::new(word).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    match words {
        [] if has_real => Ok(Source::Nothing),
        [] => Err(Failure::said(
            "what is to be served? Name a mock file (*.toml), a recording, or with --on-miss pass the real server \
             behind --; see midwire serve --help",
        )),
        [word] if is_mock(word) => Ok(Source::Mock(PathBuf::from(word))),
        words if words.iter().any(is_mock) => {
            Err(Failure::said("a mock file is served alone: name one, or recordings only"))
        }
        words => {
            let found = words.iter().map(|word| find::recording(folder, Some(word)));
            Ok(Source::Recordings(found.collect::<Result<_, _>>()?))
        }
    }
}

/// What only makes sense together.
pub(super) fn check(settings: &Settings, has_real: bool, front: &Front) -> Result<(), Failure> {
    let said = match (settings.miss, has_real) {
        (MissPolicy::Pass, false) => "--on-miss pass needs the real server: --url URL, or its command behind --",
        (MissPolicy::Error | MissPolicy::ByHand, true) => {
            "a real server was named, and nothing is passed to it: say --on-miss pass, or leave it out"
        }
        (MissPolicy::ByHand, _) => {
            "--on-miss hand needs the window, where a person answers: start the server on its Server page"
        }
        _ => return only_known(settings, front),
    };
    Err(Failure::said(said))
}

/// HTTP+SSE is all that 2024-11-05 has over HTTP.
fn only_known(settings: &Settings, front: &Front) -> Result<(), Failure> {
    let is_first_only = settings.revisions == [Revision::V2024_11_05];
    if is_first_only && matches!(front, Front::Http { sse: false, .. }) {
        return Err(Failure::said("2024-11-05 knows only HTTP+SSE, which --no-sse takes away: leave one of them out"));
    }
    Ok(())
}

fn pointer(text: &str) -> Result<String, String> {
    if text.starts_with('/') { Ok(text.to_owned()) } else { Err("a JSON pointer begins with /".to_owned()) }
}

fn pace(text: &str) -> Result<Pace, String> {
    let fault = || "give recorded, none, X2 or X0.5 (a factor), or cap:500 (milliseconds)".to_owned();
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "recorded" => return Ok(Pace::Recorded),
        "none" => return Ok(Pace::None),
        _ => {}
    }
    if let Some(limit) = lower.strip_prefix("cap:") {
        let limit: u32 = limit.trim_end_matches("ms").parse().map_err(|_| fault())?;
        return Ok(Pace::Capped(Nanos::from(limit) * 1_000_000));
    }
    let factor: f64 = lower.strip_prefix('x').and_then(|factor| factor.parse().ok()).ok_or_else(fault)?;
    if !(0.001..=1_000.0).contains(&factor) {
        return Err("a factor lies between X0.001 and X1000".to_owned());
    }
    // At most a million, so it fits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Ok(Pace::Scaled((1_000.0 / factor).round() as u32))
}

#[cfg(test)]
mod tests {
    use super::{Pace, pace};

    #[test]
    fn paces_are_read_as_people_say_them() {
        assert_eq!(pace("recorded"), Ok(Pace::Recorded));
        assert_eq!(pace("none"), Ok(Pace::None));
        assert_eq!(pace("X2"), Ok(Pace::Scaled(500)));
        assert_eq!(pace("x0.5"), Ok(Pace::Scaled(2_000)));
        assert_eq!(pace("cap:250"), Ok(Pace::Capped(250_000_000)));
        assert_eq!(pace("cap:250ms"), Ok(Pace::Capped(250_000_000)));
        for wrong in ["", "2", "X", "X0", "X-1", "Xnan", "cap:", "cap:x", "fast"] {
            assert!(pace(wrong).is_err(), "{wrong}");
        }
    }
}
