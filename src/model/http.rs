//! One HTTP request with its response, as far as it is not in the entries.

use super::{ChannelId, Nanos};

/// One HTTP request with its response. The bodies are entries of the channel; the heads and the times
/// are here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Http {
    /// Its number in the recording, from 1.
    pub id: u32,
    /// The channel on which its bodies are.
    pub channel: ChannelId,
    /// The method, such as `POST`.
    pub method: String,
    /// The target as in the request line: path and query.
    pub target: String,
    /// The request's head as on the wire, from the request line to the empty line; secrets left out.
    pub request_head: Vec<u8>,
    /// When the request's head was complete.
    pub requested: Nanos,
    /// The status; `None` while there is no response, or when none came.
    pub status: Option<u16>,
    /// The response's head as on the wire; secrets left out.
    pub response_head: Option<Vec<u8>>,
    /// When the response's head was complete.
    pub responded: Option<Nanos>,
    /// When the first byte of the response's body came.
    pub first_byte: Option<Nanos>,
    /// When the response ended, in order or not.
    pub ended: Option<Nanos>,
}
