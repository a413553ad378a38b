//! The window's own servers: what is asked for, and what is told of them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::engine::serve::{Happening, Options};
use crate::model::Seq;
use crate::peer::server::Order;

/// Number of a server of this window, given by the window, from 1.
pub type ServerId = u32;

/// What the window asks of its servers.
#[derive(Debug, Clone)]
pub enum ServerCommand {
    /// Serve.
    Start(ServerId, Box<Options>),
    /// Do something as a server.
    Order(ServerId, Box<Order>),
    /// Stop serving.
    Stop(ServerId),
    /// Tell what a mock file says; answered with [`ServerEvent::File`].
    Read(PathBuf),
    /// Write a mock file; answered with [`ServerEvent::File`]. The text is what stood there when it was read: where
    /// something else stands there now, nothing is written.
    Write(PathBuf, Arc<str>, String),
    /// Turn recorded calls into a mock file; one that is there already is not written over. Answered with
    /// [`ServerEvent::Turned`].
    Turn {
        /// The recording.
        recording: PathBuf,
        /// Which calls.
        what: Turned,
        /// Where the mock file goes.
        to: PathBuf,
    },
}

/// Which calls of a recording become rules of a mock file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turned {
    /// All.
    All,
    /// Those that a filter lets through.
    Filter(String),
    /// Those whose requests have these sequence numbers.
    Only(Vec<Seq>),
}

/// What the window is told of its servers.
#[derive(Debug, Clone)]
pub enum ServerEvent {
    /// It serves, at this URL, and records into this file; `None` where it cannot be recorded.
    Started(ServerId, Option<String>, Option<PathBuf>),
    /// It could not be begun: why and what to do.
    Failed(ServerId, String),
    /// Something happened.
    Happened(ServerId, Box<Happening>),
    /// What a mock file says now; the error fits after "failed to", and the file is as it was.
    File(PathBuf, Result<Arc<str>, String>),
    /// Recorded calls were turned into this mock file, with what could not be read of the recording; the error fits after "failed to".
    Turned(PathBuf, Result<Vec<String>, String>),
}
