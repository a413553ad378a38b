//! The handshake of the legacy era: `initialize`, its answer, `notifications/initialized`; and what later tells the
//! server of changed settings.

use std::sync::Arc;

use super::flight::{Landing, Purpose};
use super::machine::Client;
use super::opening::Stage;
use super::refusals::{Fault, both_lists, refusal};
use super::send::Post;
use super::splice::object;
use super::{Attempt, EraChoice, Peer, Settings, Told};
use crate::model::{Era, Nanos, Revision};
use crate::wire::{Json, quote};

impl Client {
    /// Sends `initialize`.
    pub(super) fn greet(&mut self, now: Nanos, revision: Revision) {
        self.stage = Stage::Greeting;
        let params = object(&[
            ("protocolVersion", quote(revision.text())),
            ("capabilities", self.settings.capabilities.clone()),
            ("clientInfo", self.settings.identity.clone()),
        ]);
        self.opening.asked = revision;
        self.opening.declared.clone_from(&self.settings.capabilities);
        self.post(now, Purpose::Initialize, Post::new("initialize", Some(params)));
    }

    /// What came of `initialize`.
    pub(super) fn greeted(&mut self, now: Nanos, landing: Landing<'_>) {
        if self.stage != Stage::Greeting {
            return;
        }
        let why = match landing {
            Landing::Result(result) => return self.welcomed(now, result),
            Landing::Error(error) => {
                let fault = Fault::read(error);
                let is_modern = fault.supported.iter().any(|text| text == Revision::V2026_07_28.text());
                let goes_on = is_modern && self.probe_after_all(now)
                    || self.greet_again(now, &fault.supported)
                    || self.modern_without_discover(now, &fault);
                if goes_on {
                    return;
                }
                let remedy = if is_modern { ". It speaks 2026-07-28: choose the era modern or auto" } else { "" };
                format!("the server refused initialize: {fault}{remedy}")
            }
            Landing::Refused(refused) => refusal(&refused).sentence,
            Landing::TimedOut(which) => format!("the server did not answer initialize: {which}"),
        };
        self.attempted(&why, false);
        self.end(now, &why, true);
    }

    fn welcomed(&mut self, now: Nanos, result: Json<'_>) {
        let asked = self.opening.asked.clone();
        let offered = result.get("protocolVersion").and_then(|version| version.text());
        let revision = offered.as_deref().map_or_else(|| asked.clone(), Revision::from_text);
        let pinned = matches!(self.settings.era, EraChoice::Pinned(_));
        let known = Revision::KNOWN.contains(&revision) && revision.era() == Era::Legacy;
        if revision != asked && (pinned || !known) {
            let lists = both_lists(&asked, &[revision.text().to_owned()]);
            let remedy = if pinned { "choose the era legacy to take it" } else { "pin that revision to try it" };
            self.attempted(&lists, false);
            return self.end(now, &format!("no version in common: {lists}; {remedy}"), true);
        }
        match offered {
            Some(_) => self.attempted(&format!("the server speaks {revision}"), true),
            None => self.attempted("a result without protocolVersion; taken for the one that was asked for", true),
        }
        let peer = Peer {
            era: Era::Legacy,
            revision,
            identity: result.get("serverInfo").map(|json| json.raw().into()),
            capabilities: result.get("capabilities").map(|json| json.raw().into()),
            instructions: result.get("instructions").and_then(|json| json.text()).map(Into::into),
            supported: Vec::new(),
            greeting: Some(result.raw().into()),
        };
        self.notify("notifications/initialized", None);
        self.set_level(now, &peer);
        self.opened_with(now, peer);
    }

    /// Asks a legacy server for the log level of the settings.
    fn set_level(&mut self, now: Nanos, peer: &Peer) {
        let Some(level) = self.settings.log_level.clone() else { return };
        let capabilities = peer.capabilities.as_deref().and_then(|text| Json::parse(text).ok());
        if capabilities.and_then(|json| json.get("logging")).is_none() {
            return self.level_told("not sent, since the server does not declare logging", false);
        }
        let params = object(&[("level", quote(&level))]);
        self.post(now, Purpose::SetLevel, Post::new("logging/setLevel", Some(params)));
    }

    /// What came of `logging/setLevel`.
    pub(super) fn level_set(&mut self, landing: Landing<'_>) {
        match landing {
            Landing::Result(_) => self.level_told("the level is set", true),
            Landing::Error(error) => self.level_told(&Fault::read(error).to_string(), false),
            Landing::Refused(refused) => self.level_told(&refusal(&refused).sentence, false),
            Landing::TimedOut(why) => self.level_told(&why, false),
        }
    }

    fn level_told(&mut self, came: &str, ok: bool) {
        let level = self.settings.log_level.clone().unwrap_or_default();
        let what = format!("logging/setLevel with {level}");
        self.tell(Told::Attempt(Attempt { what, came: came.to_owned(), ok }));
    }

    /// Other settings. A session of the legacy era is told of changed roots and of another log level.
    pub(super) fn change(&mut self, now: Nanos, settings: Arc<Settings>) {
        let before = std::mem::replace(&mut self.settings, settings);
        self.ids.change(&self.settings.ids);
        let Some(peer) = self.peer.clone().filter(|peer| self.stage == Stage::Open && peer.era == Era::Legacy) else {
            return;
        };
        let declared = Json::parse(self.opening.declared.as_bytes()).ok();
        let listed = declared.and_then(|json| json.pointer("/roots/listChanged")?.as_bool()).unwrap_or(false);
        if before.roots != self.settings.roots && listed {
            self.notify("notifications/roots/list_changed", None);
        }
        if before.log_level != self.settings.log_level {
            self.set_level(now, &peer);
        }
    }
}
