//! Connections of the window's own clients: what is asked for, and what is told of them.

use std::path::PathBuf;
use std::sync::Arc;

use super::Body;
use crate::engine::client::Target;
use crate::engine::hosts::HostFile;
use crate::engine::imitation::{Imitation, Original};
use crate::peer::client::{CallId, Gist, Order, Settings, Told};
use crate::project::{Edit, Project};

/// Number of a connection of this window, given by the window, from 1.
pub type ConnectionId = u32;

/// What the window asks of its clients.
#[derive(Debug, Clone)]
pub enum ClientCommand {
    /// Connect.
    Connect(ConnectionId, Box<Target>, Box<Settings>),
    /// Do something on a connection.
    Order(ConnectionId, Box<Order>),
    /// Forget a connection that is over, or end one that is not.
    Disconnect(ConnectionId),
    /// List the servers of hosts' own files, read anew; answered with [`ClientEvent::Hosts`].
    Hosts,
    /// Tell who the client of a recording was; answered with [`ClientEvent::Imitation`].
    Imitate(PathBuf),
    /// Tell what the server of a recording was, asked for a request with this URL; answered with
    /// [`ClientEvent::Original`].
    Original(PathBuf, Option<String>),
    /// Read a project file; answered with [`ClientEvent::Project`].
    Project(PathBuf),
    /// Change a project file, which is made where there is none; answered with [`ClientEvent::Project`].
    Edit(PathBuf, Box<Edit>),
    /// Tell the target of this name in a project file (`None`: the only one); answered with
    /// [`ClientEvent::ProjectTarget`].
    ProjectTarget(PathBuf, Option<String>),
}

/// What the window is told of its clients.
#[derive(Debug, Clone)]
pub enum ClientEvent {
    /// A connection is being made, and is recorded in this file; `None` where it cannot be recorded.
    Started(ConnectionId, Option<PathBuf>),
    /// It could not be begun: why and what to do.
    Failed(ConnectionId, String),
    /// Something happened on it.
    Told(ConnectionId, Box<Told>),
    /// What a call ended with, laid out, and what it says in a word: the result, the error object, or the body of an HTTP response. Comes after
    /// the [`Told::Ended`] of the call, from another thread.
    Laid(ConnectionId, CallId, Arc<Body>, Gist),
    /// A line of the server's stderr.
    Stderr(ConnectionId, String),
    /// The environment that the server was started with, values masked, in order.
    Environment(ConnectionId, Vec<(String, String)>),
    /// The files of hosts that exist here.
    Hosts(Arc<Vec<HostFile>>),
    /// The client of a recording; the error fits after "failed to".
    Imitation(PathBuf, Result<Box<Imitation>, String>),
    /// The server of a recording, for *Send again* on a new connection; the error fits after "failed to".
    Original(PathBuf, Result<Box<Original>, String>),
    /// What a project file says now; the error fits after "failed to", and the file is as it was.
    Project(PathBuf, Result<Arc<Project>, String>),
    /// A target of a project file and how the client behaves with it; the error fits after "failed to".
    ProjectTarget(PathBuf, Option<String>, Result<Box<(Target, Settings)>, String>),
}
