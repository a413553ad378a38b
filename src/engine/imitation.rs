//! What a recording says about its client and its server, so that our own client can take the place of the one and
//! connect to the other.

mod server;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::path::Path;

pub use self::server::{Missing, Original, server};
use crate::mcp::meta::Meta;
use crate::model::{EntryKind, Flags, Side};
use crate::store::Reader;
use crate::wire::{self, Frame, Item, Json, Message};

/// Entries looked at: who a client is stands in its first messages.
const LOOKED: u64 = 5_000;

/// The client of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imitation {
    /// `clientInfo` as JSON text, as sent.
    pub identity: Option<String>,
    /// `capabilities` as JSON text, as sent.
    pub capabilities: Option<String>,
    /// The revision that it asked for.
    pub revision: Option<String>,
    /// Where that stood: `initialize`, or the method of the first request with `_meta` of 2026-07-28.
    pub source: String,
    /// The sequence number of that entry.
    pub seq: u64,
}

/// Who the client of a recording was: what it says in `initialize`, or in the first request that says it in `_meta`
/// (2026-07-28). A probe that gets a legacy server an `initialize` says the same in both; the first counts. The error
/// fits after "failed to".
pub fn client(recording: &Path) -> Result<Imitation, String> {
    let reader = open(recording)?;
    let (mut found, mut left) = (None, LOOKED);
    let scanned = reader.scan(0, &mut |entry| {
        left -= 1;
        let speaks = entry.kind != EntryKind::Lifecycle && entry.side == Some(Side::Client);
        if speaks && !entry.flags.has(Flags::TRUNCATED) {
            found = of_frame(entry.bytes, entry.seq);
        }
        if found.is_some() || left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    scanned.map_err(|error| error.to_string())?;
    let none = "its client says nowhere who it is (no `initialize`, no `_meta` of 2026-07-28)";
    found.ok_or_else(|| format!("imitate the client of {}: {none}", recording.display()))
}

fn open(recording: &Path) -> Result<Reader, String> {
    Reader::open(recording).map_err(|error| error.to_string())
}

/// What a message, or the first of a batch that says it, tells of its sender.
fn of_frame(bytes: &[u8], seq: u64) -> Option<Imitation> {
    match wire::read(bytes) {
        Frame::Message(message) => of_message(&message, seq),
        Frame::Batch(items) => items.iter().find_map(|item| match item {
            Item::Message(message) => of_message(message, seq),
            Item::NotRpc { .. } => None,
        }),
        _ => None,
    }
}

fn of_message(message: &Message<'_>, seq: u64) -> Option<Imitation> {
    let (method, params) = (message.method.as_deref()?, message.params?);
    let text = |json: Option<Json<'_>>| json.map(|json| String::from_utf8_lossy(json.raw()).into_owned());
    let word = |json: Option<Json<'_>>| Some(json?.text()?.into_owned());
    if method == "initialize" {
        return Some(Imitation {
            identity: text(params.get("clientInfo")),
            capabilities: text(params.get("capabilities")),
            revision: word(params.get("protocolVersion")),
            source: method.to_owned(),
            seq,
        });
    }
    let meta = Meta::read(params.get("_meta")?);
    // A progress token alone says nothing of who asks.
    meta.client.or(meta.capabilities)?;
    Some(Imitation {
        identity: text(meta.client),
        capabilities: text(meta.capabilities),
        revision: word(meta.version),
        source: method.to_owned(),
        seq,
    })
}
