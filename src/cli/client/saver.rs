//! `midwire call --save`: the call and its server in a project file, for `midwire run` and the window.

use std::path::PathBuf;

use super::seat::Seat;
use super::words::Shared;
use crate::cli::failure::Failure;
use crate::engine::client::{Target, Way};
use crate::engine::project;
use crate::peer::client::Call;
use crate::project::{SavedCall, SavedTarget, What};

/// Where a call is saved, and with which server.
pub(super) struct Saver {
    path: PathBuf,
    name: Option<String>,
    server: String,
    target: SavedTarget,
    /// What was left out as a secret.
    left_out: Vec<String>,
}

impl Saver {
    /// For `FILE` or `FILE:NAME`. A colon after one letter is that of a drive.
    pub(super) fn new(place: &str, target: &Target, shared: &Shared) -> Result<Self, Failure> {
        let (path, name) = match place.rsplit_once(':') {
            Some((path, name)) if path.len() > 1 && !name.is_empty() && !name.contains(['/', '\\']) => {
                (path, Some(name))
            }
            _ => (place, None),
        };
        let (way, left_out) = project::kept_target(target);
        let settings = project::kept_settings(&super::settings(shared)?);
        let server = server(target);
        Ok(Self {
            path: path.into(),
            name: name.map(ToOwned::to_owned),
            server,
            target: SavedTarget { way, settings },
            left_out,
        })
    }

    /// Saves the call, before it is made: whatever comes of it, it can be made again.
    pub(super) fn save(self, seat: &Seat, call: &Call) -> Result<(), Failure> {
        let saved = SavedCall::of_request(&call.method, call.params.as_deref());
        let mut saved = saved.map_err(|why| Failure::said(format!("failed to save the call: {why}")))?;
        saved.id = call.id.as_ref().map(|id| String::from_utf8_lossy(id).into_owned());
        (saved.bare, saved.task) = (call.bare, call.task);
        let name = self.name.unwrap_or_else(|| name(&saved));
        project::save_call(&self.path, &name, saved, Some((&self.server, self.target)))
            .map_err(|error| Failure::of(&error))?;
        for what in &self.left_out {
            seat.voice.warn(&format!("not saved, since it may be a secret: {what}"));
        }
        seat.voice.note(&format!("saved as {name}: midwire run {} {name}", self.path.display()));
        Ok(())
    }
}

/// What a server is called in the file.
fn server(target: &Target) -> String {
    if !target.name.is_empty() {
        return target.name.clone();
    }
    match &target.way {
        Way::Url { url, .. } => {
            let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            rest.split(['/', '?', '#', '@']).next().unwrap_or_default().replace(':', "-")
        }
        Way::Command { command, .. } => {
            // What an interpreter or a runner is given says more than its own name.
            let told = command.iter().skip(1).find(|word| !word.starts_with('-')).or(command.first());
            let word = told.map_or("server", String::as_str).trim_end_matches("/dist/index.js");
            let last = word.rsplit(['/', '\\']).next().unwrap_or(word);
            last.trim_end_matches(".js").trim_end_matches(".py").to_owned()
        }
    }
}

/// What a call is called: after its tool, prompt, or method.
fn name(call: &SavedCall) -> String {
    match &call.what {
        What::Tool(name) | What::Prompt(name) | What::Method(name) => name.clone(),
        _ => "call".to_owned(),
    }
}
