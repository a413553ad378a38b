//! A new connection to the server of a recording, over which something recorded is sent again: what is known of that
//! server and of its client, the secrets that were left out, and the target that comes of it.

use std::fmt;
use std::path::{Path, PathBuf};

use super::wish::url_fault;
use super::{Bench, Errand};
use crate::engine::client::{Given, MASK, Target, Way};
use crate::engine::imitation::{Imitation, Missing, Original};
use crate::engine::view::{ClientCommand, ClientEvent, Json};
use crate::model::{Era, Revision};
use crate::peer::client::{EraChoice, Ids, Settings};

/// Our own ids begin beyond those that a recorded request may have, since two requests with one id cannot be told apart.
const FIRST_ID: i64 = 700_001;

/// The connection, while it is asked for.
pub struct Reconnect {
    /// What is to be sent or filled in.
    pub errand: Errand,
    /// What that is, for people.
    pub what: String,
    /// What is known of the server, once it was read; an error fits after "failed to".
    pub original: Option<Result<Box<Original>, String>>,
    /// Who its client was, once it was read; an error fits after "failed to".
    pub imitation: Option<Result<Box<Imitation>, String>>,
    /// The URL, which can be changed where nothing was left out of it.
    pub url: String,
    /// What was typed for each [`Original::missing`].
    pub values: Vec<String>,
    /// Whether it says that it is the recorded client, and declares what that declared.
    pub as_client: bool,
    /// Whether it speaks the revision of the recording, rather than what is agreed upon.
    pub as_recorded: bool,
    /// Whether the keyboard is to go to the first secret.
    pub focus: bool,
    recording: PathBuf,
    era: Option<Era>,
}

impl fmt::Debug for Reconnect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What was typed may be secret.
        f.debug_struct("Reconnect").field("recording", &self.recording).finish_non_exhaustive()
    }
}

impl Reconnect {
    /// Asks the engine for the client and the server of a recording, for something that was sent to `url` in this era.
    pub fn ask(
        bench: &mut Bench,
        recording: &Path,
        url: Option<String>,
        era: Option<Era>,
        what: String,
        errand: Errand,
    ) -> Self {
        // Answers to an earlier question, which nobody waits for any more.
        bench.take_answers(|event| is_about(event, recording));
        bench.send(ClientCommand::Original(recording.to_owned(), url));
        bench.send(ClientCommand::Imitate(recording.to_owned()));
        Self {
            errand,
            what,
            original: None,
            imitation: None,
            url: String::new(),
            values: Vec::new(),
            as_client: false,
            as_recorded: true,
            focus: true,
            recording: recording.to_owned(),
            era,
        }
    }

    /// Takes in what the engine has said.
    pub fn learn(&mut self, bench: &mut Bench) {
        for event in bench.take_answers(|event| is_about(event, &self.recording)) {
            match event {
                ClientEvent::Original(_, original) => {
                    if let Ok(original) = &original {
                        self.values = vec![String::new(); original.missing.len()];
                        if let Way::Url { url, .. } = &original.target.way {
                            self.url.clone_from(url);
                        }
                    }
                    self.original = Some(original);
                }
                ClientEvent::Imitation(_, imitation) => self.imitation = Some(imitation),
                _ => {}
            }
        }
    }

    fn known(&self) -> Option<&Original> {
        self.original.as_ref()?.as_deref().ok()
    }

    /// The secrets that were left out.
    pub fn missing(&self) -> &[Missing] {
        self.known().map_or(&[], |original| &original.missing)
    }

    /// Whether the URL can be changed.
    pub fn is_url_free(&self) -> bool {
        self.known().is_some_and(|it| matches!(&it.target.way, Way::Url { url, .. } if !url.contains(MASK)))
    }

    /// What is wrong with the URL.
    pub fn url_fault(&self) -> Option<String> {
        url_fault(self.url.trim()).filter(|_| self.is_url_free())
    }

    /// Whether the secret at an index is lacking: only header fields can be left out.
    pub fn is_lacking(&self, index: usize) -> bool {
        let is_empty = self.values.get(index).is_none_or(String::is_empty);
        is_empty && self.missing().get(index).is_some_and(|missing| !missing.is_header)
    }

    /// Whether it can be tried.
    pub fn is_ready(&self) -> bool {
        self.known().is_some()
            && self.url_fault().is_none()
            && (0..self.values.len()).all(|index| !self.is_lacking(index))
    }

    /// What the recorded client calls itself.
    pub fn client(&self) -> Option<String> {
        let imitation = self.imitation.as_ref()?.as_ref().ok()?;
        let identity = imitation.identity.as_ref()?;
        let json = Json::parse(identity.as_bytes()).ok()?;
        let word = |name: &str| json.get(name).and_then(|it| it.text().map(std::borrow::Cow::into_owned));
        let name = word("name").unwrap_or_else(|| "a client without name".to_owned());
        Some(word("version").map_or_else(|| name.clone(), |version| format!("{name} {version}")))
    }

    /// The era or revision of the recording, where it is known.
    pub fn choice(&self) -> Option<EraChoice> {
        match self.era? {
            Era::Modern => Some(EraChoice::Modern),
            Era::Legacy => {
                let asked = self.imitation.as_ref().and_then(|it| it.as_ref().ok()?.revision.clone());
                let revision = asked.map(|text| Revision::from_text(&text)).filter(|it| it.era() == Era::Legacy);
                let known = revision.filter(|it| Revision::KNOWN.contains(it));
                Some(known.map_or(EraChoice::Legacy, EraChoice::Pinned))
            }
        }
    }

    /// What to connect to, with the secrets that were typed. A header field for which nothing was typed is left out.
    pub fn target(&self) -> Option<Target> {
        let mut target = self.known()?.target.clone();
        let mut values = self.values.clone();
        if let Way::Url { url, headers, .. } = &mut target.way {
            let mut at = url.matches(MASK).count();
            headers.retain(|(_, value)| {
                let end = (at + value.matches(MASK).count()).min(values.len());
                let keep = values[at..end].iter().any(|value| !value.is_empty());
                if keep {
                    at = end;
                } else {
                    values.drain(at..end);
                }
                keep
            });
            if self.is_url_free() {
                self.url.trim().clone_into(url);
            }
        }
        target.given = Given::new(values);
        Some(target)
    }

    /// How the client behaves.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings { ids: Ids::Numbers(FIRST_ID), ..Settings::default() };
        if let Some(Ok(imitation)) = self.imitation.as_ref().filter(|_| self.as_client) {
            let Imitation { identity, capabilities, .. } = &**imitation;
            identity.iter().for_each(|it| settings.identity.clone_from(it));
            capabilities.iter().for_each(|it| settings.capabilities.clone_from(it));
        }
        if let Some(era) = self.choice().filter(|_| self.as_recorded) {
            settings.era = era;
        }
        settings
    }
}

fn is_about(event: &ClientEvent, recording: &Path) -> bool {
    matches!(event, ClientEvent::Original(path, _) | ClientEvent::Imitation(path, _) if path == recording)
}

#[cfg(test)]
mod tests;
