//! What the commands of the client share: their words, their server, their session, what they print and how they
//! exit. The result goes to stdout as it was sent, everything else to stderr.

mod arguments;
mod blame;
mod class;
mod clerk;
mod dialogue;
mod form;
mod object;
mod printed;
mod saver;
mod seat;
mod shape;
mod target;
mod typed;
mod voice;
mod words;

pub(super) mod call;
pub(super) mod completion;
pub(super) mod conformance;
pub(super) mod discover;
pub(super) mod doctor;
pub(super) mod listen;
pub(super) mod lists;
pub(super) mod prompts;
mod raw;
pub(super) mod resources;

use std::ffi::OsString;
use std::process::ExitCode;

pub(super) use class::{Class, table};
pub(super) use raw::page as frames;
pub(super) use target::consent;
pub(super) use words::{Server, Shared};

use super::failure::Failure;
use crate::peer::client::Settings;
use seat::Seat;

/// How a command of the client ended.
type Done = Result<Class, Failure>;

/// The exit code of a command; what went wrong is said.
pub(super) fn exit(done: Done) -> ExitCode {
    match done {
        Ok(class) => ExitCode::from(class.code()),
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Said(said)) => {
            super::out::problem(&said);
            ExitCode::from(Class::Usage.code())
        }
    }
}

/// Finds the server among the words and starts a session with it; the words that are left.
fn begin(words: &[String], command: Vec<OsString>, shared: &Shared) -> Result<(Seat, Vec<String>), Failure> {
    let (target, rest) = target::split(words, command, &shared.server, shared.place.name.as_deref())?;
    Ok((sit(target, shared)?, rest))
}

/// Starts a session with a server that was found.
fn sit(target: crate::engine::client::Target, shared: &Shared) -> Result<Seat, Failure> {
    let settings = settings(shared)?;
    target::consent(&target, shared.server.yes)?;
    Seat::start(target, settings, shared)
}

/// How the client behaves.
fn settings(shared: &Shared) -> Result<Settings, Failure> {
    let settings = match &shared.manner.imitate {
        None => Settings::default(),
        Some(recording) => imitated(recording, shared)?,
    };
    shared.manner.settings(settings)
}

/// Identity and capabilities of the client in a recording.
fn imitated(recording: &str, shared: &Shared) -> Result<Settings, Failure> {
    let folder = super::find::folder(shared.place.recordings.as_deref())?;
    let path = super::find::recording(&folder, Some(recording))?;
    let told = crate::engine::imitation::client(&path).map_err(|why| Failure::said(format!("failed to {why}")))?;
    let usual = Settings::default();
    let identity = told.identity.unwrap_or(usual.identity.clone());
    let capabilities = told.capabilities.unwrap_or(usual.capabilities.clone());
    Ok(Settings { identity, capabilities, ..usual })
}
