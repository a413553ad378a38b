//! Where ids live: a stdio pipe, one HTTP request, an SSE stream.

/// Number of a channel in its recording, from 1.
pub type ChannelId = u32;

/// How bytes travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transport {
    /// The pipes of one child process.
    Stdio,
    /// One HTTP request with its response, whether that is one body or an SSE stream.
    HttpRequest,
    /// A stream that a GET opened: the standalone stream of 2025-03-26 … 2025-11-25.
    HttpStream,
    /// The stream of the old HTTP+SSE transport (2024-11-05); its POSTs carry the client's messages.
    HttpSse,
}

/// One channel of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its number.
    pub id: ChannelId,
    /// How bytes travel on it.
    pub transport: Transport,
    /// Whose connection it is, where several clients share one recording: an opaque name, equal for
    /// the channels of one client.
    pub peer: Option<String>,
    /// The session id of the HTTP request or of its response (2025-03-26 … 2025-11-25).
    pub session: Option<String>,
    /// The `MCP-Protocol-Version` header of the HTTP request.
    pub version: Option<String>,
    /// The `Last-Event-ID` header, when this stream continues an earlier one.
    pub resumes: Option<String>,
}

impl Channel {
    /// The one channel of a recording made on stdio.
    pub const fn stdio(id: ChannelId) -> Self {
        Self { id, transport: Transport::Stdio, peer: None, session: None, version: None, resumes: None }
    }
}
