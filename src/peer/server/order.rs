//! What a server is asked to do, by a person at the window or by its script.

use std::sync::Arc;

use super::{Bytes, ClientId, Kind, RequestNo, Settings, Step};

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Do this about a request that waits: for a person, or for the real server (then it is learnt).
    Answer(RequestNo, Vec<Step>),
    /// Let a request that waits be answered as if nobody sat here: by the script, or as a miss.
    LetGo(RequestNo),
    /// Stop what is being done about a request, and never answer it.
    Drop(RequestNo),
    /// Send a notification that belongs to no request, to one client or all; params are JSON text.
    Notify(Option<ClientId>, String, Option<Bytes>),
    /// Ask one client, or all, something that belongs to no request (legacy era only); params are JSON text. What it
    /// answers is [`super::Told::Replied`].
    Ask(Option<ClientId>, String, Option<Bytes>),
    /// A list has changed: tell those who are to be told.
    Changed(Kind),
    /// A resource has changed: tell those who subscribed to it.
    Updated(String),
    /// Send bytes as they are to one client, or all.
    Raw(Option<ClientId>, Bytes),
    /// End subscriptions in order (`subscriptions/listen` of 2026-07-28 gets its result), as a server does that goes.
    EndListening,
    /// Behave otherwise from now on.
    Change(Arc<Settings>),
}
