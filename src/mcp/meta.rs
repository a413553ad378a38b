//! The reserved keys of `_meta` (protocol.md 6.6) and their reading.

use super::{Capabilities, Identity};
use crate::model::Id;
use crate::wire::{Json, JsonKind};

/// Under which a request names the revision that it speaks (2026-07-28).
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Under which a request says who sends it (2026-07-28).
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Under which a request says what its sender can do (2026-07-28).
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Under which a request asks for log messages (2026-07-28).
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Under which a result says who answers (2026-07-28).
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// Under which what a subscription brings names the `subscriptions/listen` that asked (2026-07-28).
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// Under which anything names the task that it belongs to (2025-11-25).
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// Under which a created task brings a text for the model (2025-11-25).
pub const IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";
/// Under which a request names the token that its progress shall carry.
pub const PROGRESS_TOKEN: &str = "progressToken";

/// What a `_meta` object says, as far as it is reserved. Other keys are skipped.
#[derive(Debug, Clone, Copy, Default)]
pub struct Meta<'a> {
    /// [`PROTOCOL_VERSION`].
    pub version: Option<Json<'a>>,
    /// [`CLIENT_INFO`].
    pub client: Option<Json<'a>>,
    /// [`CLIENT_CAPABILITIES`].
    pub capabilities: Option<Json<'a>>,
    /// [`LOG_LEVEL`].
    pub log_level: Option<Json<'a>>,
    /// [`SERVER_INFO`].
    pub server: Option<Json<'a>>,
    /// [`SUBSCRIPTION_ID`].
    pub subscription: Option<Json<'a>>,
    /// The `taskId` inside [`RELATED_TASK`].
    pub related_task: Option<Json<'a>>,
    /// [`PROGRESS_TOKEN`].
    pub token: Option<Json<'a>>,
}

impl<'a> Meta<'a> {
    /// Reads a `_meta` value in one pass.
    pub fn read(meta: Json<'a>) -> Self {
        let mut read = Self::default();
        for (key, value) in meta.members() {
            let slot = match key.text().as_deref() {
                Some(PROTOCOL_VERSION) => &mut read.version,
                Some(CLIENT_INFO) => &mut read.client,
                Some(CLIENT_CAPABILITIES) => &mut read.capabilities,
                Some(LOG_LEVEL) => &mut read.log_level,
                Some(SERVER_INFO) => &mut read.server,
                Some(SUBSCRIPTION_ID) => &mut read.subscription,
                Some(PROGRESS_TOKEN) => &mut read.token,
                Some(RELATED_TASK) => {
                    read.related_task = value.get("taskId");
                    continue;
                }
                _ => continue,
            };
            *slot = Some(value);
        }
        read
    }

    /// Who the client says it is.
    pub fn client(&self) -> Option<Identity> {
        self.client.and_then(Identity::read)
    }

    /// Who the server says it is.
    pub fn server(&self) -> Option<Identity> {
        self.server.and_then(Identity::read)
    }

    /// What the client says that it can do, in this request.
    pub fn client_can(&self) -> Capabilities {
        self.capabilities.map_or(Capabilities::UNKNOWN, Capabilities::read)
    }
}

/// A JSON value used as an id or a token, with its JSON type; what can be neither is kept as its text.
pub fn typed(json: Json<'_>) -> Id {
    match json.kind() {
        JsonKind::Number => Id::number(json.number().unwrap_or_default()),
        JsonKind::String => Id::String(json.text().unwrap_or_default().into()),
        JsonKind::Null => Id::Null,
        _ => Id::Other(String::from_utf8_lossy(json.raw()).into()),
    }
}
