//! Who talked to whom, and what each said that it can do.

use super::Name;
use crate::mcp::{Capabilities, Identity};
use crate::model::{ChannelId, Era, Nanos, Seq};

/// A legacy session from its `initialize` on, or, in the modern era, which has no sessions, all
/// requests of one client for display.
///
/// Everything here is three-valued in effect: what was not seen is `None` or unknown, also because
/// the recording may have begun in the middle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its era.
    pub era: Era,
    /// The channel on which it was first seen.
    pub channel: ChannelId,
    /// The entry with which it began: `initialize`, or the first modern request.
    pub began: Seq,
    /// When that was seen.
    pub at: Nanos,
    /// The exchange of `initialize`; `None` in the modern era.
    pub initialize: Option<u32>,
    /// Who the client says it is (modern: said last).
    pub client: Option<Identity>,
    /// Who the server says it is (modern: said last).
    pub server: Option<Identity>,
    /// What the client says that it can do. Modern: in the latest request, and never inherited.
    pub client_can: Capabilities,
    /// What the server says that it can do: in the `initialize` or `server/discover` result.
    pub server_can: Capabilities,
    /// The revision that the client asked for.
    pub requested: Name,
    /// The revision agreed on (modern: of the latest request); [`Name::NONE`] before.
    pub revision: Name,
}
