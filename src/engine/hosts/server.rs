//! An entry of a host's file as a server that can be shown and connected to.

use std::path::{Path, PathBuf};

use super::HostServer;
use super::folders::Here;
use crate::engine::client::{Base, Environment, Target, Way, line};
use crate::engine::record::secrets::{self, MASK};
use crate::hosts::{Entry, Host, Way as Found};
use crate::transport::http::Trust;

/// The server of an entry.
pub(super) fn server(here: &Here, host: Host, path: &Path, entry: Entry) -> HostServer {
    let (shown, details) = match &entry.way {
        None => (String::new(), Vec::new()),
        Some(Found::Command { command, set, .. }) => (line(&secrets::mask(command).0), masked(set, &entry.hidden)),
        Some(Found::Url { url, headers }) => (secrets::mask_word(url), masked(headers, &[])),
    };
    let from = format!("{}, {}", host.title(), path.display());
    let folder = |folder: String| here.project.join(PathBuf::from(folder));
    let way = entry.way.map(|way| match way {
        Found::Command { command, folder: within, set } => Way::Command {
            command,
            folder: within.map(folder).or_else(|| entry.project.clone().map(PathBuf::from)),
            environment: Environment { base: Base::Inherit, set: set.into_iter().collect() },
        },
        Found::Url { url, headers } => Way::Url { url, headers, trust: Trust::default() },
    });
    let target =
        way.map(|way| Box::new(Target { name: entry.name.clone(), way, from: Some(from), ..Target::default() }));
    HostServer {
        name: entry.name,
        host,
        path: path.to_owned(),
        project: entry.project,
        target,
        shown,
        details,
        disabled: entry.disabled,
        tapped: entry.tapped,
        faults: entry.faults,
        unresolved: entry.unresolved,
    }
}

/// Names with values, those masked that may be secrets, and those that are `hidden` by name; a reference to a variable shows nothing.
fn masked(pairs: &[(String, String)], hidden: &[String]) -> Vec<(String, String)> {
    let mask = |(name, value): &(String, String)| {
        let bare = value.strip_prefix("Bearer ").unwrap_or(value);
        let refers = bare.starts_with("${") && bare.ends_with('}') && bare.matches('}').count() == 1;
        let secret = secrets::is_secret(name) || secrets::has_key_shape(bare);
        let hides = hidden.contains(name) || (!refers && !value.is_empty() && secret);
        let value = if hides { MASK.to_owned() } else { secrets::mask_word(value) };
        (name.clone(), value)
    };
    pairs.iter().map(mask).collect()
}
