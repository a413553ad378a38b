//! Which server is meant by the words: what stands behind `--`, a URL, or a name from a host's file. A command that
//! nobody typed is run only after somebody has seen it and agreed.

use std::ffi::OsString;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

use super::words::Server;
use crate::cli::failure::Failure;
use crate::cli::{out, safe};
use crate::engine::client::{Target, Way};
use crate::engine::hosts::{self, HostServer};
use crate::hosts::Host;

/// The server and the words that are left: with a command behind `--` all of them, else all but the first.
pub(in crate::cli) fn split(
    words: &[String],
    command: Vec<OsString>,
    server: &Server,
    name: Option<&str>,
) -> Result<(Target, Vec<String>), Failure> {
    let (mut target, rest) = if command.is_empty() {
        let Some((first, rest)) = words.split_first() else { return Err(Failure::said(NO_TARGET)) };
        let target = if is_url(first) { typed(server.url(first)?) } else { hosted(first, server)? };
        (target, rest.to_vec())
    } else {
        if let Some(url) = words.first().filter(|word| is_url(word)) {
            return Err(Failure::said(format!("{url} and the command behind -- are two servers: give one of the two")));
        }
        (typed(server.command(texts(command)?)?), words.to_vec())
    };
    if let Some(name) = name {
        name.clone_into(&mut target.name);
    }
    Ok((target, rest))
}

const NO_TARGET: &str = "which server is meant? Give a URL, the name of a server in a host's file, or its command at \
                         the end: -- COMMAND ARGUMENTS…";

fn typed(way: Way) -> Target {
    Target { way, ..Target::default() }
}

pub(in crate::cli) fn is_url(word: &str) -> bool {
    let scheme = word.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https"))
}

/// A command's words, which are given to the server as text.
fn texts(command: Vec<OsString>) -> Result<Vec<String>, Failure> {
    let text = |word: OsString| {
        word.into_string()
            .map_err(|word| Failure::said(format!("the word {} of the command is not UTF-8", word.display())))
    };
    command.into_iter().map(text).collect()
}

/// A server of a host's file.
fn hosted(name: &str, server: &Server) -> Result<Target, Failure> {
    let host = match &server.host {
        Some(word) => Some(Host::of_word(word).ok_or_else(|| {
            let words = Host::ALL.iter().map(|(_, word, _)| *word).collect::<Vec<_>>().join(", ");
            Failure::said(format!("--host takes one of {words}; {word:?} is none of them"))
        })?),
        None => None,
    };
    let found = match &server.config {
        Some(path) => of_file(name, path)?,
        None => hosts::find(name, host).map_err(|error| Failure::of(&error))?,
    };
    for fault in &found.faults {
        out::problem(&safe::line(&format!("{name} in {}: {fault}", found.path.display())));
    }
    for variable in &found.unresolved {
        out::problem(&safe::line(&format!("{name} in {}: {variable} has no value here", found.path.display())));
    }
    let fault = || Failure::said(format!("the entry {name:?} in {} names no server", found.path.display()));
    let mut target = *found.target.clone().ok_or_else(fault)?;
    server.adapt(&mut target.way)?;
    Ok(target)
}

/// A server of the file that was named.
fn of_file(name: &str, path: &Path) -> Result<HostServer, Failure> {
    let file = hosts::read(path);
    if let Some(fault) = file.fault {
        return Err(Failure::said(format!("failed to {fault}")));
    }
    let names = file.servers.iter().map(|server| server.name.clone()).collect::<Vec<_>>().join(", ");
    let fault = || format!("there is no server called {name:?} in {}; there are: {names}", path.display());
    let found = file.servers.into_iter().find(|server| server.name == name);
    found.ok_or_else(|| Failure::said(safe::line(&fault()).into_owned()))
}

/// Shows the whole command of a host's or a project's file, and lets it be run only when somebody agrees.
pub(in crate::cli) fn consent(target: &Target, yes: bool) -> Result<(), Failure> {
    let (Some(from), Way::Command { command, folder, environment }) = (&target.from, &target.way) else {
        return Ok(());
    };
    if yes {
        return Ok(());
    }
    let words: Vec<String> = command.iter().map(|word| safe::line(&format!("{word:?}")).into_owned()).collect();
    let folder = folder.as_ref().map_or_else(String::new, |folder| format!(", in {}", folder.display()));
    let variables = environment.set.keys().cloned().collect::<Vec<_>>().join(", ");
    let variables = if variables.is_empty() { String::new() } else { format!(", with {variables} set") };
    let what = format!("{}{}{}", words.join(" "), safe::line(&folder), safe::line(&variables));
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return Err(Failure::said(format!("{from} asks to run {what}; nobody can be asked here: agree with --yes")));
    }
    out::question(&format!("{from} asks to run:"), true);
    out::question(&format!("  {what}"), true);
    out::question("Run it? [y/N] ", false);
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    if read.is_ok() && matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Failure::said("the command was not run"))
}
