//! Finds the files of hosts and reads them. What vanishes meanwhile was not there; what cannot be read says why.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::HostFile;
use super::folders::Here;
use super::server::server;
use crate::hosts::{self, Host, Surroundings};

/// Bytes read of one file. Claude Code keeps the history of all projects in its.
const LARGEST: u64 = 64 << 20;
/// Files taken where a place has a `*`.
const MOST: usize = 200;

/// All files that exist, those of the project first. A file that two places lead to is listed once.
pub(super) fn all(here: &Here) -> Vec<HostFile> {
    let mut seen: Vec<(Host, PathBuf)> = Vec::new();
    let mut files = Vec::new();
    for place in here.places() {
        for path in opened(&place.path) {
            let one = (place.host, fs::canonicalize(&path).unwrap_or_else(|_| path.clone()));
            if seen.contains(&one) {
                continue;
            }
            let file = self::one(here, place.host, &path);
            // Settings of an editor that have no servers are of no interest.
            files.extend(file.filter(|file| !file.servers.is_empty() || file.fault.is_some()));
            seen.push(one);
        }
    }
    files
}

/// One file; `None` when it is not there.
pub(super) fn one(here: &Here, host: Host, path: &Path) -> Option<HostFile> {
    let text = match text(path) {
        Ok(text) => text?,
        Err(why) => return Some(HostFile::unread(host, path, why)),
    };
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if matches!(ending.as_str(), "yaml" | "yml") {
        let has_servers = text.contains("mcpServers");
        return has_servers.then(|| HostFile::unread(host, path, "midwire does not read YAML".to_owned()));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (home, workspace) = (here.home.to_string_lossy(), here.project.to_string_lossy());
    let around = Surroundings {
        variable: &|name| std::env::var(name).ok(),
        home: &home,
        workspace: &workspace,
        separator: std::path::MAIN_SEPARATOR,
        file: &|name| self::text(&here.project.join(name))?.ok_or_else(|| "there is none".to_owned()),
    };
    Some(match hosts::read(host, &text, ending == "toml", &stem, &around) {
        Err(why) => HostFile::unread(host, path, why),
        Ok(entries) => {
            let servers = entries.into_iter().map(|entry| server(here, host, path, entry)).collect();
            HostFile { host, path: path.to_owned(), servers, fault: None }
        }
    })
}

/// The text of a file; nothing when there is none.
fn text(path: &Path) -> Result<Option<String>, String> {
    let gone = |error: &std::io::Error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
    match fs::metadata(path) {
        Err(error) if gone(&error) => return Ok(None),
        Err(error) => return Err(error.to_string()),
        // Reading a pipe or a device might never end.
        Ok(facts) if !facts.is_file() => return Err("it is no file".to_owned()),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    match read {
        Err(error) if gone(&error) => Ok(None),
        Err(error) => Err(error.to_string()),
        Ok(size) if size as u64 > LARGEST => Err(format!("it is larger than {} MiB", LARGEST >> 20)),
        Ok(_) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned()),
    }
}

/// The paths that a place stands for: itself, or what is there in the place of its `*`.
fn opened(path: &Path) -> Vec<PathBuf> {
    let parts: Vec<_> = path.components().collect();
    let star = parts.iter().position(|part| part.as_os_str().to_string_lossy().contains('*'));
    let Some(star) = star else { return vec![path.to_owned()] };
    let folder: PathBuf = parts[..star].iter().collect();
    let pattern = parts[star].as_os_str().to_string_lossy().into_owned();
    let (before, after) = pattern.split_once('*').unwrap_or_default();
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let names = entries.flatten().take(MOST).map(|entry| entry.file_name());
    let mut names: Vec<_> = names
        .filter(|name| {
            let name = name.to_string_lossy();
            name.starts_with(before) && name.ends_with(after)
        })
        .collect();
    names.sort();
    let rest: PathBuf = parts[star + 1..].iter().collect();
    let joined = |name| if rest.as_os_str().is_empty() { folder.join(name) } else { folder.join(name).join(&rest) };
    names.into_iter().map(joined).collect()
}
