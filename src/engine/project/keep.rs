//! A target and its settings as they are saved in a project file: without secrets, and only what is not usual.

use std::path::Path;

use crate::engine::client::{Base, Target, Way};
use crate::engine::record::secrets;
use crate::peer::client::{EraChoice, Ids, Reply, Settings};
use crate::project::{Named, SavedBase, SavedReply, SavedSettings, SavedWay};
use crate::wire::quote;

/// How a target is saved, and what was left out because it may be a secret. In the place of such a value stands a
/// variable of the environment, which must be set when the file is used.
pub fn kept_target(target: &Target) -> (SavedWay, Vec<String>) {
    let mut left_out = Vec::new();
    let way = match &target.way {
        Way::Command { command, folder, environment } => {
            let (command, count) = secrets::mask(command);
            if count > 0 {
                left_out.push(format!("{count} arguments, which stand as {}", secrets::MASK));
            }
            let pairs = environment.set.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            SavedWay::Command {
                command,
                folder: folder.as_deref().map(kept_path),
                base: match &environment.base {
                    Base::Inherit => SavedBase::Inherit,
                    Base::Sdk => SavedBase::Sdk,
                    Base::Only(names) => SavedBase::Only(names.clone()),
                    Base::Empty => SavedBase::Empty,
                },
                set: kept_pairs(pairs, &mut left_out),
            }
        }
        Way::Url { url, headers, trust } => {
            let (mut words, count) = secrets::mask(&[String::new(), url.clone()]);
            if count > 0 {
                left_out.push("a part of the URL".to_owned());
            }
            let digits = |bytes: &[u8; 32]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            SavedWay::Url {
                url: words.pop().unwrap_or_default(),
                headers: kept_pairs(headers.clone(), &mut left_out),
                authorities: trust.ca.iter().map(|file| kept_path(file)).collect(),
                accepted: trust.fingerprint.as_ref().map(digits),
            }
        }
    };
    (way, left_out)
}

/// Header fields of a call as they are saved, and the names of those that were left out because they may be secrets:
/// nothing is filled into those of a call later.
pub fn kept_fields(fields: &[(String, String)]) -> (Named<String>, Vec<String>) {
    let is_open = |(name, value): &&(String, String)| !secrets::is_secret(name) && !secrets::has_key_shape(value);
    let kept: Named<String> = fields.iter().filter(is_open).cloned().collect();
    let left_out = fields.iter().filter(|field| !is_open(field)).map(|(name, _)| name.clone()).collect();
    (kept, left_out)
}

/// A path as it is saved: whole, since in the file it would be counted from the file's folder.
fn kept_path(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Pairs with references in the place of values that may be secrets.
fn kept_pairs(pairs: Named<String>, left_out: &mut Vec<String>) -> Named<String> {
    let keep = |(name, value): (String, String)| {
        let bare = value.strip_prefix("Bearer ").unwrap_or(&value);
        let refers = bare.contains("${");
        if refers || value.is_empty() || !(secrets::is_secret(&name) || secrets::has_key_shape(bare)) {
            return (name, value);
        }
        let variable: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
        left_out.push(name.clone());
        let scheme = if value.starts_with("Bearer ") { "Bearer " } else { "" };
        (name, format!("{scheme}${{{variable}}}"))
    };
    pairs.into_iter().map(keep).collect()
}

/// What of the settings is not usual.
pub fn kept_settings(settings: &Settings) -> SavedSettings {
    let usual = Settings::default();
    let text = |value: &String, usual: &String| (value != usual).then(|| value.clone());
    let clock = |value: Option<i64>, usual: Option<i64>| {
        (value != usual).then(|| u64::try_from(value.unwrap_or_default() / 1_000_000).unwrap_or_default())
    };
    SavedSettings {
        era: (settings.era != usual.era).then(|| match &settings.era {
            EraChoice::Auto => "auto".to_owned(),
            EraChoice::Legacy => "legacy".to_owned(),
            EraChoice::Modern => "modern".to_owned(),
            EraChoice::Pinned(revision) => revision.text().to_owned(),
        }),
        identity: text(&settings.identity, &usual.identity),
        capabilities: text(&settings.capabilities, &usual.capabilities),
        ids: (settings.ids != usual.ids).then(|| match &settings.ids {
            Ids::Numbers(first) => first.to_string(),
            Ids::Strings(prefix) => quote(prefix),
        }),
        patience_ms: clock(settings.patience, usual.patience),
        cap_ms: clock(settings.cap, usual.cap),
        probe_ms: clock(Some(settings.probe), Some(usual.probe)),
        progress: (settings.progress != usual.progress).then_some(settings.progress),
        log_level: settings.log_level.clone(),
        roots: text(&settings.roots, &usual.roots),
        sampling: kept_reply(&settings.sampling),
        elicitation: kept_reply(&settings.elicitation),
    }
}

fn kept_reply(reply: &Reply) -> Option<SavedReply> {
    match reply {
        // A result that was typed has no name in the file.
        Reply::Ask | Reply::Result(_) => None,
        Reply::Decline => Some(SavedReply::Decline),
        Reply::Made => Some(SavedReply::Made),
    }
}
