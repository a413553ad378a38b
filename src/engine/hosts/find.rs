//! One server by its name.

use std::path::Path;

use super::{FindError, HostFile, HostServer};
use crate::engine::client::Target;
use crate::hosts::Host;

/// Names told of when there is none of the one that was wanted.
const TOLD: usize = 30;

/// The server with this name among files, for somebody who works in `folder`. See [`find()`](super::find()).
pub(super) fn among(
    files: &[HostFile],
    folder: &Path,
    name: &str,
    host: Option<Host>,
) -> Result<HostServer, FindError> {
    let asked = files.iter().filter(|file| host.is_none_or(|host| file.host == host));
    let all: Vec<&HostServer> = asked.flat_map(|file| &file.servers).filter(|one| is_for(one, folder)).collect();
    let mut found: Vec<&HostServer> = all.iter().copied().filter(|one| one.name == name).collect();
    if found.is_empty() {
        return Err(FindError::None { name: name.to_owned(), why: none(files, &all, host) });
    }
    // Claude Code takes what a user has for one project before what the project itself has.
    found.sort_by_key(|one| one.project.is_none());
    if found.iter().any(|one| one.target.is_some() && !one.disabled) {
        found.retain(|one| one.target.is_some() && !one.disabled);
    } else if found.iter().any(|one| one.target.is_some()) {
        found.retain(|one| one.target.is_some());
    }
    let mut one_each: Vec<&HostServer> = Vec::new();
    for server in found {
        let known = one_each.iter().any(|other| other.host == server.host || same(other, server));
        if !known {
            one_each.push(server);
        }
    }
    match one_each[..] {
        [server] if server.target.is_none() => {
            Err(FindError::Unusable { name: name.to_owned(), place: place(server), why: server.faults.join("; ") })
        }
        [server] => Ok(server.clone()),
        _ => {
            let places = one_each.iter().map(|server| format!("{} ({})", server.host.word(), server.path.display()));
            Err(FindError::Several { name: name.to_owned(), places: places.collect() })
        }
    }
}

/// Whether a server is for whoever works in a folder: lists of other projects are not.
fn is_for(server: &HostServer, folder: &Path) -> bool {
    server.project.as_deref().is_none_or(|project| folder.starts_with(project))
}

fn place(server: &HostServer) -> String {
    format!("{} ({})", server.host.title(), server.path.display())
}

/// Whether two hosts start or reach the same.
fn same(one: &HostServer, other: &HostServer) -> bool {
    let way = |server: &HostServer| server.target.as_deref().map(|Target { way, .. }| format!("{way:?}"));
    way(one) == way(other)
}

fn none(files: &[HostFile], all: &[&HostServer], host: Option<Host>) -> String {
    let broken: Vec<&str> = files.iter().filter_map(|file| file.fault.as_deref()).collect();
    let mut names: Vec<&str> = all.iter().map(|server| server.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let more = if names.len() > TOLD { ", …" } else { "" };
    names.truncate(TOLD);
    let whose =
        host.map_or_else(|| "the hosts' files here".to_owned(), |host| format!("the files of {}", host.title()));
    let mut why = if names.is_empty() {
        format!("{whose} have no servers")
    } else {
        format!("{whose} have {}{more}", names.join(", "))
    };
    if !broken.is_empty() {
        why.push_str("; could not ");
        why.push_str(&broken.join("; could not "));
    }
    why
}
