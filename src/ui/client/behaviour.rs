//! The part of the form that says how the client behaves, as it is typed.

use serde::{Deserialize, Serialize};

use super::wish::Place;
use crate::engine::view::{Json, JsonKind};
use crate::model::{Nanos, Revision};
use crate::peer::client::{EraChoice, Ids, Reply, Settings};

const SECOND: f64 = 1e9;

/// How one kind of question is answered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Answering {
    /// By whom or what.
    pub by: By,
    /// The saved result, as JSON text.
    pub saved: String,
}

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum By {
    /// The person at the window.
    #[default]
    Person,
    /// A saved result.
    Saved,
    /// A refusal.
    Decline,
    /// Something made up that fits.
    Made,
}

/// How the client behaves, as typed. Times are in seconds; empty means for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Behaviour {
    /// `auto`, `legacy`, `modern` or a revision.
    pub era: String,
    /// `clientInfo`.
    pub identity: String,
    /// `capabilities`.
    pub capabilities: String,
    /// Whether ids are strings.
    pub strings: bool,
    /// The first number, or what strings begin with.
    pub ids: String,
    /// Time for the probe.
    pub probe: String,
    /// Time without a sign of life.
    pub patience: String,
    /// Whether progress is a sign of life.
    pub progress_counts: bool,
    /// Time in all.
    pub cap: String,
    /// Whether requests carry a progress token.
    pub progress: bool,
    /// The log level; empty for none.
    pub log_level: String,
    /// Roots.
    pub roots: String,
    /// Sampling.
    pub sampling: Answering,
    /// Elicitation.
    pub elicitation: Answering,
    /// Questions for roots.
    pub roots_reply: Answering,
    /// Rounds of one call.
    pub most_rounds: String,
    /// Whether rounds wait for a step.
    pub step_rounds: bool,
    /// Pages of one list.
    pub most_pages: String,
    /// Whether tasks are polled by themselves.
    pub poll_tasks: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self::of(&Settings::default())
    }
}

impl Behaviour {
    /// What would be typed for these settings.
    pub fn of(settings: &Settings) -> Self {
        let era = match &settings.era {
            EraChoice::Auto => "auto",
            EraChoice::Legacy => "legacy",
            EraChoice::Modern => "modern",
            EraChoice::Pinned(revision) => revision.text(),
        };
        let (strings, ids) = match &settings.ids {
            Ids::Numbers(first) => (false, first.to_string()),
            Ids::Strings(prefix) => (true, prefix.clone()),
        };
        Self {
            era: era.to_owned(),
            identity: settings.identity.clone(),
            capabilities: settings.capabilities.clone(),
            strings,
            ids,
            probe: seconds(Some(settings.probe)),
            patience: seconds(settings.patience),
            progress_counts: settings.progress_counts,
            cap: seconds(settings.cap),
            progress: settings.progress,
            log_level: settings.log_level.clone().unwrap_or_default(),
            roots: settings.roots.clone(),
            sampling: answering(&settings.sampling),
            elicitation: answering(&settings.elicitation),
            roots_reply: answering(&settings.roots_reply),
            most_rounds: settings.most_rounds.to_string(),
            step_rounds: settings.step_rounds,
            most_pages: settings.most_pages.to_string(),
            poll_tasks: settings.poll_tasks,
        }
    }

    /// The settings that are meant; what cannot be read is as usual.
    pub fn settings(&self) -> Settings {
        let usual = Settings::default();
        let ids = if self.strings {
            Ids::Strings(self.ids.clone())
        } else {
            Ids::Numbers(self.ids.trim().parse().unwrap_or(1))
        };
        Settings {
            era: match self.era.as_str() {
                "auto" => EraChoice::Auto,
                "legacy" => EraChoice::Legacy,
                "modern" => EraChoice::Modern,
                revision => EraChoice::Pinned(Revision::from_text(revision)),
            },
            identity: self.identity.clone(),
            capabilities: self.capabilities.clone(),
            ids,
            probe: read_seconds(&self.probe).ok().flatten().unwrap_or(usual.probe),
            patience: read_seconds(&self.patience).unwrap_or(usual.patience),
            progress_counts: self.progress_counts,
            cap: read_seconds(&self.cap).unwrap_or(usual.cap),
            progress: self.progress,
            log_level: Some(self.log_level.trim().to_owned()).filter(|level| !level.is_empty()),
            roots: self.roots.clone(),
            sampling: reply(&self.sampling),
            elicitation: reply(&self.elicitation),
            roots_reply: reply(&self.roots_reply),
            most_rounds: self.most_rounds.trim().parse().unwrap_or(usual.most_rounds),
            step_rounds: self.step_rounds,
            most_pages: self.most_pages.trim().parse().unwrap_or(usual.most_pages),
            poll_tasks: self.poll_tasks,
        }
    }

    /// What is wrong with it: the field and a sentence.
    pub fn faults(&self) -> Vec<(Place, String)> {
        let mut faults = Vec::new();
        let mut add = |place, fault: Option<String>| faults.extend(fault.map(|fault| (place, fault)));
        add(Place::Identity, json_fault(&self.identity, JsonKind::Object, "an object with name and version"));
        add(Place::Capabilities, json_fault(&self.capabilities, JsonKind::Object, "an object"));
        add(Place::Roots, json_fault(&self.roots, JsonKind::Array, "an array of objects with uri and name"));
        let number = !self.strings && self.ids.trim().parse::<i64>().is_err();
        add(Place::Ids, number.then(|| "Ids count up from a whole number.".to_owned()));
        let probe = match read_seconds(&self.probe) {
            Ok(None) => Some("The probe needs an end: seconds.".to_owned()),
            Ok(Some(_)) => None,
            Err(why) => Some(why),
        };
        add(Place::Probe, probe);
        add(Place::Patience, read_seconds(&self.patience).err());
        add(Place::Cap, read_seconds(&self.cap).err());
        for (place, answering) in [
            (Place::Sampling, &self.sampling),
            (Place::Elicitation, &self.elicitation),
            (Place::RootsReply, &self.roots_reply),
        ] {
            let saved = answering.by == By::Saved;
            add(
                place,
                saved.then(|| json_fault(&answering.saved, JsonKind::Object, "the result, an object")).flatten(),
            );
        }
        let count = |text: &str| {
            let good = text.trim().parse::<u32>().is_ok_and(|number| number > 0);
            (!good).then(|| "A whole number from 1.".to_owned())
        };
        add(Place::Rounds, count(&self.most_rounds));
        add(Place::Pages, count(&self.most_pages));
        faults
    }
}

/// Whether what has this name is likely to be a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["authorization", "token", "secret", "password", "key", "cookie", "credential"]
        .iter()
        .any(|word| name.contains(word))
}

fn json_fault(text: &str, kind: JsonKind, what: &str) -> Option<String> {
    match Json::of_frame(text.as_bytes()) {
        Ok(json) if json.kind() == kind => None,
        Ok(_) => Some(format!("This is JSON, but not {what}.")),
        Err(_) => Some(format!("This is no JSON; {what} is needed.")),
    }
}

fn seconds(nanos: Option<Nanos>) -> String {
    nanos.map(|nanos| (nanos as f64 / SECOND).to_string()).unwrap_or_default()
}

/// Seconds as typed; nothing typed is for ever.
///
/// # Errors
///
/// A sentence where it is no time.
pub fn read_seconds(text: &str) -> Result<Option<Nanos>, String> {
    let text = text.trim().trim_end_matches('s').trim_end();
    if text.is_empty() {
        return Ok(None);
    }
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0 && *value < 1e9);
    value
        .map(|value| Some((value * SECOND) as Nanos))
        .ok_or_else(|| "Seconds, such as 60; empty for no limit.".to_owned())
}

fn answering(reply: &Reply) -> Answering {
    let (by, saved) = match reply {
        Reply::Ask => (By::Person, String::new()),
        Reply::Result(text) => (By::Saved, text.clone()),
        Reply::Decline => (By::Decline, String::new()),
        Reply::Made => (By::Made, String::new()),
    };
    Answering { by, saved }
}

fn reply(answering: &Answering) -> Reply {
    match answering.by {
        By::Person => Reply::Ask,
        By::Saved => Reply::Result(answering.saved.clone()),
        By::Decline => Reply::Decline,
        By::Made => Reply::Made,
    }
}
