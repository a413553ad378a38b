//! The thread that reads the recording that is open.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::outbox::{Gone, Outbox};
use super::view::{Command, Event, Opened, State};
use crate::store::Reader;

/// Serves the window until it has gone.
pub(super) fn run(commands: &Receiver<Command>, out: &Outbox) {
    while let Ok(command) = commands.recv() {
        if let Command::Open(path) = command
            && open(path, out).is_err()
        {
            return;
        }
    }
}

fn open(path: PathBuf, out: &Outbox) -> Result<(), Gone> {
    let opened = Reader::open(&path).map_err(|error| error.to_string()).and_then(|reader| {
        let facts = reader.recording().map_err(|error| error.to_string())?;
        Ok((reader.warning(), facts))
    });
    match opened {
        Ok((warning, facts)) => {
            let live = super::watch::is_live(&facts);
            out.post(Event::Opened(Arc::new(Opened { path, facts, warning })))?;
            out.post(Event::State(State { version: 1, live, ..State::default() }))
        }
        Err(why) => out.post(Event::OpenFailed { path, why: format!("failed to {why}") }),
    }
}
