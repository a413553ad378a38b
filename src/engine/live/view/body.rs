//! Bytes that are shown: those of an entry, or JSON that stood in one, laid out, with the content that is worth opening by
//! itself.

use std::sync::Arc;

use crate::model::{EntryKind, Flags, Nanos, Seq, Side};
use crate::wire::Pretty;

/// One entry's bytes, ready to be shown.
#[derive(Debug)]
pub struct Body {
    /// The entry.
    pub seq: Seq,
    /// What it is.
    pub kind: EntryKind,
    /// Who sent it.
    pub side: Option<Side>,
    /// When its first byte was read.
    pub at: Nanos,
    /// When its last byte was read.
    pub until: Nanos,
    /// What is special about it.
    pub flags: Flags,
    /// Its length on the wire.
    pub size: u64,
    /// Its bytes exactly as recorded.
    pub bytes: Vec<u8>,
    /// The data of an event of SSE, which is what it says; `None` for everything else.
    pub data: Option<Vec<u8>>,
    /// The JSON text laid out in lines; `None` when the bytes are not JSON.
    pub pretty: Option<Pretty>,
    /// Content that is worth opening by itself: images, audio, JSON inside text, text with a media type.
    pub content: Vec<Content>,
}

impl Body {
    /// JSON that is no entry of a recording, laid out as the frame would be in which it stood; without the content in
    /// it.
    pub fn loose(bytes: &[u8], side: Option<Side>, at: Nanos) -> Self {
        Self {
            seq: 0,
            kind: EntryKind::Frame,
            side,
            at,
            until: at,
            flags: Flags::default(),
            size: bytes.len() as u64,
            bytes: bytes.to_vec(),
            data: None,
            pretty: Pretty::of(bytes),
            content: Vec::new(),
        }
    }

    /// What it says: an event's data, of everything else all bytes.
    pub fn payload(&self) -> &[u8] {
        self.data.as_deref().unwrap_or(&self.bytes)
    }
}

/// One piece of content inside a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Where it is: a JSON pointer into the body.
    pub pointer: String,
    /// Its media type where it is known.
    pub media: Option<String>,
    /// What it is.
    pub kind: ContentKind,
    /// The decoded bytes: of the picture, the sound, the text.
    pub bytes: Arc<[u8]>,
}

/// What a piece of content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentKind {
    /// A picture.
    Image,
    /// A sound.
    Audio,
    /// Text that is itself JSON.
    Json,
    /// Other text.
    Text,
    /// A blob of another kind.
    Blob,
}
