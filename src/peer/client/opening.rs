//! How a connection begins: the era is found out, or taken as given (protocol.md 3.6).

use std::sync::Arc;

use super::flight::{Landing, Purpose, span};
use super::machine::Client;
use super::past::Over;
use super::refusals::{Fault, both_lists, refusal};
use super::send::Post;
use super::{Attempt, Do, EraChoice, Link, Peer, State, Told};
use crate::mcp::meta::{Meta, SERVER_INFO};
use crate::model::{Era, Nanos, Revision};
use crate::wire::Json;

/// Where the connection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stage {
    /// The link does not stand yet, or not again.
    #[default]
    Waiting,
    /// `server/discover` is on the wire.
    Probing,
    /// `initialize` is on the wire.
    Greeting,
    /// It can be used.
    Open,
    /// It is over.
    Closed,
}

/// What is known while the connection opens.
#[derive(Debug)]
pub(super) struct Opening {
    /// The revision that was asked for last.
    pub(super) asked: Revision,
    /// The capabilities that were declared with `initialize`, as JSON text.
    pub(super) declared: String,
    /// This process was asked with `server/discover`.
    probed: bool,
    /// The process was started again since it ended over the probe.
    restarted: bool,
    /// The probe was repeated once already.
    probed_again: bool,
    /// `initialize` was repeated with another revision already.
    greeted_again: bool,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            asked: Revision::V2026_07_28,
            declared: "{}".to_owned(),
            probed: false,
            restarted: false,
            probed_again: false,
            greeted_again: false,
        }
    }
}

/// The newest revision with a handshake.
const NEWEST_LEGACY: Revision = Revision::V2025_11_25;

impl Client {
    /// The link stands.
    pub(super) fn open(&mut self, now: Nanos) {
        if self.stage != Stage::Waiting {
            return;
        }
        self.tell(Told::State(State::Opening));
        match self.settings.era.clone() {
            EraChoice::Auto if self.opening.restarted => self.greet(now, NEWEST_LEGACY),
            EraChoice::Auto | EraChoice::Modern => self.probe(now, Revision::V2026_07_28),
            EraChoice::Legacy => self.greet(now, NEWEST_LEGACY),
            EraChoice::Pinned(revision) if revision.era() == Era::Modern => self.probe(now, revision),
            EraChoice::Pinned(revision) => self.greet(now, revision),
        }
    }

    /// Asks with `server/discover`. On stdio its clock runs from now on, whatever else the server says.
    fn probe(&mut self, now: Nanos, revision: Revision) {
        self.stage = Stage::Probing;
        self.opening.asked = revision;
        self.opening.probed = true;
        let mut post = Post::new("server/discover", None);
        if self.link == Link::Stdio {
            (post.patience, post.cap) = (Some(self.settings.probe), Some(self.settings.probe));
        }
        self.post(now, Purpose::Probe, post);
    }

    /// What came of `server/discover`.
    pub(super) fn probed(&mut self, now: Nanos, landing: Landing<'_>) {
        if self.stage != Stage::Probing {
            return;
        }
        match landing {
            Landing::Result(result) => self.discovered(now, result),
            Landing::Error(error) => self.probe_refused(now, &Fault::read(error)),
            Landing::Refused(refused) if refusal(&refused).is_final => {
                let why = refusal(&refused).sentence;
                self.attempted(&why, false);
                self.end(now, &why, true);
            }
            Landing::Refused(refused) => self.not_modern(now, &refusal(&refused).sentence, true),
            Landing::TimedOut(_) if self.link == Link::Stdio => {
                let silence = format!("no answer for {}", span(self.settings.probe));
                self.not_modern(now, &silence, false);
            }
            Landing::TimedOut(which) => self.not_modern(now, &which, false),
        }
    }

    fn discovered(&mut self, now: Nanos, result: Json<'_>) {
        let Some(versions) = result.get("supportedVersions").filter(|versions| versions.items().next().is_some())
        else {
            return self.not_modern(now, "a result without supportedVersions, which is no answer to it", false);
        };
        let supported = texts(versions);
        let asked = self.opening.asked.clone();
        if supported.iter().any(|version| version == asked.text()) {
            self.attempted(&format!("the server is modern and speaks {}", supported.join(", ")), true);
            return self.opened_modern(now, supported, Some(result));
        }
        self.other_versions(now, &supported);
    }

    fn probe_refused(&mut self, now: Nanos, fault: &Fault) {
        match fault.code {
            Some(-32022) => {
                let asked = self.opening.asked.text();
                let contradicts = fault.supported.iter().any(|version| version == asked);
                if contradicts && !self.opening.probed_again {
                    self.attempted(&format!("{fault}, though it names that version; once more"), false);
                    self.opening.probed_again = true;
                    return self.probe(now, self.opening.asked.clone());
                }
                self.other_versions(now, &fault.supported);
            }
            Some(-32020 | -32021) => {
                self.attempted(&format!("{fault}; only 2026-07-28 has this error, so the server is modern"), true);
                self.opened_modern(now, Vec::new(), None);
            }
            _ => self.not_modern(now, &fault.to_string(), false),
        }
    }

    /// The server is modern, or says so, and does not speak the revision that it was asked for.
    fn other_versions(&mut self, now: Nanos, supported: &[String]) {
        let lists = both_lists(&self.opening.asked, supported);
        let legacy = best_legacy(supported).filter(|_| self.settings.era == EraChoice::Auto);
        match legacy {
            Some(revision) => {
                self.attempted(&format!("{lists}, so initialize"), true);
                self.greet(now, revision);
            }
            None => {
                self.attempted(&lists, false);
                self.end(now, &format!("no version in common: {lists}"), true);
            }
        }
    }

    /// The probe did not find a modern server.
    fn not_modern(&mut self, now: Nanos, came: &str, over_http: bool) {
        if self.settings.era == EraChoice::Auto {
            self.attempted(&format!("{came}, so the server is legacy"), true);
            return self.greet(now, NEWEST_LEGACY);
        }
        self.attempted(
            &format!("{came}, so the server is perhaps legacy, but {} was asked for", self.opening.asked),
            false,
        );
        if over_http {
            let why = format!("{came}. There is no MCP {} at this URL; try it with the era auto", self.opening.asked);
            return self.end(now, &why, true);
        }
        self.opened_modern(now, Vec::new(), None);
    }

    fn opened_modern(&mut self, now: Nanos, supported: Vec<String>, result: Option<Json<'_>>) {
        let member = |name: &str| result.and_then(|result| result.get(name));
        let in_meta = result.and_then(|result| result.get("_meta")).and_then(|meta| Meta::read(meta).server);
        let peer = Peer {
            era: Era::Modern,
            revision: self.opening.asked.clone(),
            identity: in_meta.or_else(|| member("serverInfo")).map(|json| json.raw().into()),
            capabilities: member("capabilities").map(|json| json.raw().into()),
            instructions: member("instructions").and_then(|json| json.text()).map(Into::into),
            supported,
            greeting: result.map(|result| result.raw().into()),
        };
        self.opened_with(now, peer);
    }

    /// The connection can be used.
    pub(super) fn opened_with(&mut self, now: Nanos, peer: Peer) {
        let peer = Arc::new(peer);
        self.peer = Some(Arc::clone(&peer));
        self.stage = Stage::Open;
        self.tell(Told::State(State::Open(peer)));
        self.release(now);
    }

    /// A modern server may say who it is with any result.
    pub(super) fn notice_identity(&mut self, result: Json<'_>) {
        let Some(peer) = self.peer.as_mut().filter(|peer| peer.era == Era::Modern && peer.identity.is_none()) else {
            return;
        };
        if let Some(identity) = result.get("_meta").and_then(|meta| meta.get(SERVER_INFO)) {
            let known = Peer { identity: Some(identity.raw().into()), ..Peer::clone(peer) };
            *peer = Arc::new(known);
            let state = State::Open(Arc::clone(peer));
            self.tell(Told::State(state));
        }
    }

    /// Tells of the step that ended.
    pub(super) fn attempted(&mut self, came: &str, ok: bool) {
        let method = if self.stage == Stage::Probing { "server/discover" } else { "initialize" };
        let what = format!("{method} with {}", self.opening.asked);
        self.tell(Told::Attempt(Attempt { what, came: came.to_owned(), ok }));
    }

    /// The initialize error says that the server is modern after all, as one that answered the probe too late does.
    pub(super) fn probe_after_all(&mut self, now: Nanos) -> bool {
        if self.settings.era != EraChoice::Auto || self.opening.probed_again {
            return false;
        }
        self.opening.probed_again = true;
        self.attempted("the server is modern after all", false);
        self.probe(now, Revision::V2026_07_28);
        true
    }

    /// The server knows neither `server/discover` nor `initialize`, which no legacy server lacks: then it is modern,
    /// and lacks the former only.
    pub(super) fn modern_without_discover(&mut self, now: Nanos, fault: &Fault) -> bool {
        let fits = fault.code == Some(-32601) && self.opening.probed && self.settings.era == EraChoice::Auto;
        if fits {
            self.attempted(&format!("{fault}, so the server is modern and only lacks server/discover"), true);
            self.opening.asked = Revision::V2026_07_28;
            self.opened_modern(now, Vec::new(), None);
        }
        fits
    }

    /// Tries another legacy revision, once.
    pub(super) fn greet_again(&mut self, now: Nanos, supported: &[String]) -> bool {
        let other = best_legacy(supported).filter(|revision| *revision != self.opening.asked);
        let pinned = matches!(self.settings.era, EraChoice::Pinned(_));
        let Some(other) = other.filter(|_| !pinned && !self.opening.greeted_again) else { return false };
        self.opening.greeted_again = true;
        self.attempted(&format!("it speaks {}", supported.join(", ")), false);
        self.greet(now, other);
        true
    }

    /// The link is gone. A legacy server may end over a probe: then its process is started once more, and greeted
    /// at once.
    pub(super) fn link_closed(&mut self, now: Nanos, why: &str, failed: bool) {
        let over_probe = self.opening.probed && matches!(self.stage, Stage::Probing | Stage::Greeting);
        let may = self.settings.era == EraChoice::Auto && self.link == Link::Stdio && !self.opening.restarted;
        if !(over_probe && may) {
            if matches!(self.stage, Stage::Probing | Stage::Greeting) {
                self.attempted(why, false);
            }
            return self.end(now, why, failed);
        }
        self.attempted(&format!("the process ended ({why}), so it is started again without server/discover"), false);
        for flight in self.flights.take_all() {
            self.past.note(flight.id, flight.purpose, Over::Forgotten);
        }
        self.stage = Stage::Waiting;
        self.opening.restarted = true;
        self.out.push_back(Do::Restart);
    }
}

/// The newest legacy revision among these that we speak.
fn best_legacy(supported: &[String]) -> Option<Revision> {
    let known = supported.iter().map(|text| Revision::from_text(text));
    let legacy = known.filter(|known| known.era() == Era::Legacy && Revision::KNOWN.contains(known));
    legacy.max_by(|a, b| a.text().cmp(b.text()))
}

/// The strings of an array.
pub(super) fn texts(array: Json<'_>) -> Vec<String> {
    array.items().filter_map(|item| item.text()).map(Into::into).collect()
}
