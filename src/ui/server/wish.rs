//! The form that starts a server: what is typed, what is wrong with it, and the options that it means. Kept from one
//! run of the window to the next.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::engine::client::{Environment, Target, Trust, Way, words};
use crate::engine::serve::{Front, MatchWay, Matching, Options, Source};
use crate::model::{Nanos, Revision};
use crate::peer::server::{ByHand, MissPolicy, Pace, Settings};

/// What the answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum From {
    /// A mock file.
    #[default]
    Mock,
    /// A recording.
    Recording,
    /// A person.
    Hand,
}

/// Which eras are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Eras {
    /// All that the source speaks.
    #[default]
    Both,
    /// 2024-11-05 to 2025-11-25.
    Legacy,
    /// 2026-07-28.
    Modern,
}

/// How waits are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Speed {
    /// As recorded or written.
    #[default]
    Recorded,
    /// No waits.
    Fast,
    /// Each wait is cut to so many seconds.
    Capped,
}

/// What is done about a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Miss {
    /// An error.
    #[default]
    Error,
    /// A person is asked.
    Hand,
    /// The real server is asked.
    Pass,
}

/// Which requests a person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Hand {
    /// None but misses.
    #[default]
    Nothing,
    /// Calls, reads, prompts and whatever else is not the protocol's own.
    Calls,
    /// Everything.
    Everything,
}

/// How recorded calls are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Match {
    /// See [`MatchWay::Params`].
    #[default]
    Params,
    /// See [`MatchWay::Strict`].
    Strict,
    /// See [`MatchWay::Order`].
    Order,
}

/// A field of the form, to say beside it what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The file.
    Path,
    /// Where it listens.
    Listen,
    /// The path of the endpoint.
    Endpoint,
    /// JSON pointers.
    Ignored,
    /// Seconds.
    Cap,
    /// The real server.
    Real,
}

/// What is typed into the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a box in the form")]
pub struct Wish {
    /// What the answers come from.
    pub from: From,
    /// The mock file, or the recording.
    pub path: String,
    /// What to call it; empty: as the file.
    pub name: String,
    /// Where it listens; empty for any free port.
    pub listen: String,
    /// The path of the endpoint.
    pub endpoint: String,
    /// Whether HTTP+SSE is served as well.
    pub sse: bool,
    /// Whether legacy clients are given sessions.
    pub sessions: bool,
    /// Whether single answers are JSON.
    pub json: bool,
    /// Which eras are spoken.
    pub eras: Eras,
    /// How waits are taken.
    pub speed: Speed,
    /// Seconds, for [`Speed::Capped`].
    pub cap: String,
    /// How recorded calls are found.
    pub matching: Match,
    /// JSON pointers that do not count, with spaces between them.
    pub ignored: String,
    /// Which requests a person answers.
    pub hand: Hand,
    /// What is done about a miss.
    pub miss: Miss,
    /// Command or URL of the real server, for [`Miss::Pass`].
    pub real: String,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            from: From::default(),
            path: String::new(),
            name: String::new(),
            listen: String::new(),
            endpoint: "/mcp".to_owned(),
            sse: true,
            sessions: true,
            json: false,
            eras: Eras::default(),
            speed: Speed::default(),
            cap: "2".to_owned(),
            matching: Match::default(),
            ignored: String::new(),
            hand: Hand::default(),
            miss: Miss::default(),
            real: String::new(),
        }
    }
}

impl Wish {
    /// What is wrong with it and can be told without starting anything.
    pub fn faults(&self) -> Vec<(Place, String)> {
        let mut faults = Vec::new();
        let mut add = |place, fault: Option<String>| faults.extend(fault.map(|fault| (place, fault)));
        if self.from != From::Hand && self.path.trim().is_empty() {
            let what = if self.from == From::Mock { "a mock file" } else { "a recording" };
            add(Place::Path, Some(format!("The path of {what} is needed.")));
        }
        add(Place::Listen, listen_fault(self.listen.trim()));
        let endpoint = self.endpoint.trim();
        if !endpoint.starts_with('/') || endpoint.contains(['?', '#', ' ']) {
            add(Place::Endpoint, Some("A path begins with / and has neither spaces nor ? nor #.".to_owned()));
        }
        let odd = self.ignored.split_whitespace().find(|it| !it.starts_with('/'));
        add(Place::Ignored, odd.map(|it| format!("{it:?} is no JSON pointer: each begins with /.")));
        if self.speed == Speed::Capped && self.cap_nanos().is_none() {
            add(Place::Cap, Some("Seconds are needed, such as 2 or 0.5.".to_owned()));
        }
        if self.miss == Miss::Pass {
            add(Place::Real, self.real().err());
        }
        faults
    }

    fn cap_nanos(&self) -> Option<Nanos> {
        let seconds: f64 = self.cap.trim().parse().ok()?;
        (0.0..86_400.0).contains(&seconds).then_some((seconds * 1e9) as Nanos)
    }

    fn real(&self) -> Result<Target, String> {
        let text = self.real.trim();
        if text.is_empty() {
            return Err("The command or URL of the real server is needed.".to_owned());
        }
        let way = if text.starts_with("http://") || text.starts_with("https://") {
            Way::Url { url: text.to_owned(), headers: Vec::new(), trust: Trust::default() }
        } else {
            Way::Command { command: words(text)?, folder: None, environment: Environment::default() }
        };
        Ok(Target { way, ..Target::default() })
    }

    /// How the server behaves.
    pub fn settings(&self) -> Settings {
        let of = |era| Revision::KNOWN.into_iter().filter(|it| it.era() == era).collect();
        Settings {
            revisions: match self.eras {
                Eras::Both => Vec::new(),
                Eras::Legacy => of(crate::model::Era::Legacy),
                Eras::Modern => of(crate::model::Era::Modern),
            },
            by_hand: match (self.from, self.hand) {
                (_, Hand::Everything) => ByHand::Everything,
                (From::Hand, _) | (_, Hand::Calls) => ByHand::Calls,
                (_, Hand::Nothing) => ByHand::Nothing,
            },
            miss: match (self.from, self.miss) {
                (From::Hand, _) | (_, Miss::Hand) => MissPolicy::ByHand,
                (_, Miss::Error) => MissPolicy::Error,
                (_, Miss::Pass) => MissPolicy::Pass,
            },
            pace: match self.speed {
                Speed::Recorded => Pace::Recorded,
                Speed::Fast => Pace::None,
                Speed::Capped => self.cap_nanos().map_or(Pace::Recorded, Pace::Capped),
            },
            ..Settings::default()
        }
    }

    /// The options that it means, once nothing is wrong with it.
    pub fn options(&self) -> Options {
        let path = PathBuf::from(self.path.trim());
        let source = match self.from {
            From::Mock => Source::Mock(path),
            From::Recording => Source::Recordings(vec![path]),
            From::Hand => Source::Nothing,
        };
        let way = match self.matching {
            Match::Params => MatchWay::Params,
            Match::Strict => MatchWay::Strict,
            Match::Order => MatchWay::Order,
        };
        let listen = self.listen.trim();
        let listen = if listen.is_empty() { "127.0.0.1:0" } else { listen }.to_owned();
        let name = self.name.trim();
        Options {
            matching: Matching { way, ignored: self.ignored.split_whitespace().map(str::to_owned).collect() },
            front: Front::Http {
                listen,
                path: self.endpoint.trim().to_owned(),
                sse: self.sse,
                sessions: self.sessions,
                json: self.json,
            },
            settings: self.settings(),
            real: if self.miss == Miss::Pass { self.real().ok() } else { None },
            name: (!name.is_empty()).then(|| name.to_owned()),
            ..Options::new(source)
        }
    }

    /// What tells it from others in the list of recent ones.
    pub fn title(&self) -> String {
        let file = self.path.trim().rsplit(['/', '\\']).next().unwrap_or_default();
        match (self.name.trim(), self.from) {
            ("", From::Hand) => "by hand".to_owned(),
            ("", _) => file.trim_end_matches(".toml").trim_end_matches(".mock").trim_end_matches(".midwire").to_owned(),
            (name, _) => name.to_owned(),
        }
    }
}

fn listen_fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let Some((host, port)) = text.rsplit_once(':') else {
        return Some("Write address and port, such as 127.0.0.1:8200.".to_owned());
    };
    if port.parse::<u16>().is_err() {
        return Some(format!("{port:?} is no port: a number from 0 to 65535, 0 for any free one."));
    }
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let local = host == "localhost" || address.parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback());
    (!local).then(|| "A server listens on this machine alone: 127.0.0.1, [::1] or localhost.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{From, Hand, Miss, Place, Speed, Wish};
    use crate::engine::client::Way;
    use crate::engine::serve::{Front, Source};
    use crate::peer::server::{ByHand, MissPolicy, Pace};

    fn faults(wish: &Wish) -> Vec<Place> {
        wish.faults().into_iter().map(|(place, _)| place).collect()
    }

    #[test]
    fn what_cannot_work_is_said_before_it_is_tried() {
        let good = Wish { path: "a.mock.toml".to_owned(), ..Wish::default() };
        assert_eq!(faults(&good), []);
        assert_eq!(faults(&Wish::default()), [Place::Path]);
        assert_eq!(faults(&Wish { from: From::Hand, ..Wish::default() }), []);
        let bad = Wish {
            listen: "0.0.0.0:80".to_owned(),
            endpoint: "mcp".to_owned(),
            ignored: "/a b".to_owned(),
            speed: Speed::Capped,
            cap: "soon".to_owned(),
            miss: Miss::Pass,
            ..good
        };
        assert_eq!(faults(&bad), [Place::Listen, Place::Endpoint, Place::Ignored, Place::Cap, Place::Real]);
    }

    #[test]
    fn a_wish_becomes_options() {
        let wish = Wish {
            path: " /m/x.mock.toml ".to_owned(),
            ignored: "/arguments/when /x".to_owned(),
            speed: Speed::Capped,
            cap: "0.5".to_owned(),
            hand: Hand::Calls,
            miss: Miss::Pass,
            real: "node 'a b.js'".to_owned(),
            ..Wish::default()
        };
        let options = wish.options();
        assert_eq!(options.source, Source::Mock("/m/x.mock.toml".into()));
        assert!(
            matches!(&options.front, Front::Http { listen, path, sse: true, .. } if listen == "127.0.0.1:0" && path == "/mcp")
        );
        assert_eq!(options.matching.ignored, ["/arguments/when", "/x"]);
        assert_eq!(
            (options.settings.by_hand, options.settings.miss, options.settings.pace),
            (ByHand::Calls, MissPolicy::Pass, Pace::Capped(500_000_000))
        );
        let way = options.real.map(|it| it.way);
        assert!(matches!(way, Some(Way::Command { command, .. }) if command == ["node", "a b.js"]));
        assert_eq!(wish.title(), "x");
        let hand = Wish { from: From::Hand, ..Wish::default() }.settings();
        assert_eq!((hand.by_hand, hand.miss), (ByHand::Calls, MissPolicy::ByHand));
    }
}
