//! Connections of the window's own clients: what is asked for, and what is told of them.

use std::path::PathBuf;
use std::sync::Arc;

use super::Body;
use crate::engine::client::Target;
use crate::peer::client::{CallId, Order, Settings, Told};

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
    /// What a call ended with, laid out: the result, the error object, or the body of an HTTP response. Comes after
    /// the [`Told::Ended`] of the call, from another thread.
    Laid(ConnectionId, CallId, Arc<Body>),
    /// A line of the server's stderr.
    Stderr(ConnectionId, String),
    /// The environment that the server was started with, values masked, in order.
    Environment(ConnectionId, Vec<(String, String)>),
}
