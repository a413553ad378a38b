//! A target of a project file as something to connect to.

use std::path::{Path, PathBuf};

use crate::engine::client::{Base, Environment, Target, Way};
use crate::engine::hosts;
use crate::engine::proxy::{Trust, read_fingerprint};
use crate::hosts::Host;
use crate::model::{Nanos, Revision};
use crate::peer::client::{EraChoice, Ids, Reply, Settings};
use crate::project::{Project, SavedBase, SavedReply, SavedSettings, SavedWay, get};
use crate::wire::Json;

const MILLISECOND: Nanos = 1_000_000;

/// The target of a project with this name (`None`: the only one), and how the client behaves with it. Folders are
/// counted from that of the file.
pub fn target(project: &Project, path: &Path, name: Option<&str>) -> Result<(Target, Settings), String> {
    let all: Vec<&str> = project.targets.iter().map(|(name, _)| name.as_str()).collect();
    let told = if all.is_empty() { "the file has none".to_owned() } else { format!("there are {}", all.join(", ")) };
    let (name, saved) = match (name, &project.targets[..]) {
        (Some(name), _) => {
            let found = get(&project.targets, name);
            (name, found.ok_or_else(|| format!("find the target `{name}`: {told}"))?)
        }
        (None, [(name, only)]) => (name.as_str(), only),
        (None, _) => return Err(format!("choose a target: the call names none, and {told}")),
    };
    let settings = settings(project, &saved.settings).map_err(|why| format!("use the target `{name}`: {why}"))?;
    let way = match (&saved.way, way(&saved.way, &folder_of(path))) {
        (_, Some(way)) => way.map_err(|why| format!("use the target `{name}`: {why}"))?,
        (SavedWay::Host { host, server }, None) => {
            let unknown = |word: &String| format!("use the target `{name}`: midwire knows no host called {word}");
            let host = host.as_ref().map(|word| Host::of_word(word).ok_or_else(|| unknown(word))).transpose()?;
            let found = hosts::find(server, host).map_err(|error| error.to_string())?;
            let target = found.target.ok_or_else(|| format!("use the server `{server}`: it names no server"))?;
            return Ok((*target, settings));
        }
        (_, None) => return Err(format!("use the target `{name}`: it names no server")),
    };
    Ok((Target { name: name.to_owned(), way, from: Some(path.display().to_string()), ..Target::default() }, settings))
}

/// The folder that a project file's paths are counted from.
pub fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// How a server of a project file is reached, with paths counted from this folder. Nothing for one of a host's file,
/// which says it.
pub fn way(saved: &SavedWay, folder: &Path) -> Option<Result<Way, String>> {
    Some(Ok(match saved {
        SavedWay::Host { .. } => return None,
        SavedWay::Command { command, folder: within, base, set } => Way::Command {
            command: command.clone(),
            folder: within.as_ref().map(|within| folder.join(within)),
            environment: Environment { base: of_base(base), set: set.iter().cloned().collect() },
        },
        SavedWay::Url { url, headers, authorities, accepted } => {
            let Some(fingerprint) = accepted.as_deref().map(read_fingerprint).map_or(Some(None), |it| it.map(Some))
            else {
                return Some(Err("`accept-cert` is no SHA-256".to_owned()));
            };
            let ca: Vec<PathBuf> = authorities.iter().map(|file| folder.join(file)).collect();
            Way::Url { url: url.clone(), headers: headers.clone(), trust: Trust { ca, client: None, fingerprint } }
        }
    }))
}

fn of_base(base: &SavedBase) -> Base {
    match base {
        SavedBase::Inherit => Base::Inherit,
        SavedBase::Sdk => Base::Sdk,
        SavedBase::Empty => Base::Empty,
        SavedBase::Only(names) => Base::Only(names.clone()),
    }
}

fn settings(project: &Project, saved: &SavedSettings) -> Result<Settings, String> {
    let mut settings = Settings::default();
    if let Some(era) = &saved.era {
        settings.era = match era.as_str() {
            "auto" => EraChoice::Auto,
            "legacy" => EraChoice::Legacy,
            "modern" => EraChoice::Modern,
            text if text.starts_with(|c: char| c.is_ascii_digit()) => EraChoice::Pinned(Revision::from_text(text)),
            text => return Err(format!("`{text}` is no era and no revision of MCP")),
        };
    }
    let set = |slot: &mut String, value: &Option<String>| {
        if let Some(value) = value {
            slot.clone_from(value);
        }
    };
    set(&mut settings.identity, &saved.identity);
    set(&mut settings.capabilities, &saved.capabilities);
    set(&mut settings.roots, &saved.roots);
    if let Some(ids) = &saved.ids {
        let json = Json::parse(ids.as_bytes()).map_err(|_| "`ids` is a number or a text".to_owned())?;
        settings.ids = match (json.as_i64(), json.text()) {
            (Some(number), _) => Ids::Numbers(number),
            (None, Some(text)) => Ids::Strings(text.into_owned()),
            (None, None) => return Err("`ids` is a number or a text".to_owned()),
        };
    }
    // 0 is for ever.
    let clock = |ms: u64| (ms > 0).then(|| MILLISECOND.saturating_mul(Nanos::try_from(ms).unwrap_or(Nanos::MAX)));
    settings.patience = saved.patience_ms.map_or(settings.patience, clock);
    settings.cap = saved.cap_ms.map_or(settings.cap, clock);
    settings.probe = saved.probe_ms.and_then(clock).unwrap_or(settings.probe);
    settings.progress = saved.progress.unwrap_or(settings.progress);
    settings.log_level = saved.log_level.clone().or(settings.log_level);
    if let Some(reply) = &saved.sampling {
        settings.sampling = of_reply(project, reply)?;
    }
    if let Some(reply) = &saved.elicitation {
        settings.elicitation = of_reply(project, reply)?;
    }
    Ok(settings)
}

fn of_reply(project: &Project, reply: &SavedReply) -> Result<Reply, String> {
    Ok(match reply {
        SavedReply::Ask => Reply::Ask,
        SavedReply::Decline => Reply::Decline,
        SavedReply::Made => Reply::Made,
        SavedReply::Answer(name) => {
            let answer = get(&project.answers, name);
            let answer = answer.ok_or_else(|| format!("there is no answer `{name}` in the file"))?;
            // Variables have no values before a run.
            Reply::Result(answer.result.clone())
        }
    })
}
