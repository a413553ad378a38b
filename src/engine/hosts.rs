//! The servers that hosts on this machine have: their files are found, read and made into targets. Nothing is written.

mod files;
mod find;
mod folders;
mod server;

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::client::Target;
use crate::hosts::Host;

/// One file of a host.
#[derive(Debug, Clone)]
pub struct HostFile {
    /// Whose it is.
    pub host: Host,
    /// The file.
    pub path: PathBuf,
    /// Its servers, in its order.
    pub servers: Vec<HostServer>,
    /// What is wrong with the file as a whole, in a sentence that fits after "failed to".
    pub fault: Option<String>,
}

/// One server in a host's file.
#[derive(Debug, Clone)]
pub struct HostServer {
    /// What it is called there.
    pub name: String,
    /// Whose file it is from.
    pub host: Host,
    /// The file.
    pub path: PathBuf,
    /// The project for which it is, where a user's file has lists for several.
    pub project: Option<String>,
    /// What to connect to, with `from` set; `None` when the entry says nothing usable.
    pub target: Option<Box<Target>>,
    /// The command or URL in one line, secrets masked.
    pub shown: String,
    /// What is set in its environment, or sent as header fields, values masked where they may be secrets.
    pub details: Vec<(String, String)>,
    /// The host does not use it.
    pub disabled: bool,
    /// In the file its command stands behind `midwire tap … --`.
    pub tapped: bool,
    /// What is wrong with it, each in a sentence.
    pub faults: Vec<String>,
    /// Variables that have no value here, as written in the file. Connecting says which are needed.
    pub unresolved: Vec<String>,
}

/// Why there is no server of a name. Each fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FindError {
    /// None has it.
    #[error("find the server `{name}`: {why}")]
    None {
        /// The name.
        name: String,
        /// Where was looked, and which names are like it.
        why: String,
    },
    /// Several have it, and they differ.
    #[error("find the server `{name}`: it is in {}; say which by its host", .places.join(", "))]
    Several {
        /// The name.
        name: String,
        /// Where.
        places: Vec<String>,
    },
    /// It is there and cannot be used.
    #[error("use the server `{name}` of {place}: {why}")]
    Unusable {
        /// The name.
        name: String,
        /// Where.
        place: String,
        /// Why.
        why: String,
    },
}

/// The files of hosts that exist here: those of the user, and those of the project in `folder` (ours where it is
/// `None`). Read anew each time.
pub fn list(folder: Option<&Path>) -> Vec<HostFile> {
    folders::Here::new(folder).map_or_else(Vec::new, |here| files::all(&here))
}

/// A file that is named: of whatever host, by its shape.
pub fn read(path: &Path) -> HostFile {
    let unread = |why: &str| HostFile::unread(Host::Other, path, why.to_owned());
    let Some(here) = folders::Here::new(None) else { return unread("there is no home folder") };
    files::one(&here, Host::Other, path).unwrap_or_else(|| unread("there is no such file"))
}

/// The server with this name, in the files of one host or of all, for somebody who works in our folder. Where a host
/// has it twice, the project's comes before the user's, as hosts take it; one that the host does not use is taken only
/// where no other is. Servers that are the same for several hosts are one.
pub fn find(name: &str, host: Option<Host>) -> Result<HostServer, FindError> {
    let here = std::env::current_dir().unwrap_or_default();
    find::among(&list(Some(&here)), &here, name, host)
}

impl HostFile {
    fn unread(host: Host, path: &Path, why: String) -> Self {
        let fault = Some(format!("read {}: {why}", path.display()));
        Self { host, path: path.to_owned(), servers: Vec::new(), fault }
    }
}

#[cfg(test)]
mod tests;
