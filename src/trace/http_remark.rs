//! What is unusual about an HTTP request with its response, said to a person in a sentence that tells
//! what it means.

use super::{Name, Names};
use crate::model::{HttpEnd, Nanos, Seq};

/// One unusual thing about one HTTP request. Entries are named by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum HttpRemark {
    /// It did not come to its end in order, and this is why.
    Ended(HttpEnd, String),
    /// A header and the body do not agree: a sentence without its full stop.
    Mirrored { rule: &'static str, text: String },
    /// Headers and body do not agree, and the server answered as if they did.
    MirrorIgnored,
    /// The status does not belong to the error.
    Status { code: i64, status: u16, expected: (u16, &'static str) },
    /// A session was assigned in this entry, and the request names none.
    SessionMissing(Seq),
    /// The server no longer knows the session; in entry `again` the client began a new one.
    SessionLost { again: Option<Seq> },
    /// The same, for a request that was on its way when that became known.
    SessionLostToo(Seq),
    /// The session had been lost in this entry, and the client goes on to use it.
    SessionGoesOn(Seq),
    /// The client had ended the session in this entry.
    SessionEnded(Seq),
    /// `initialize` names a session.
    InitializeInSession,
    /// It does not name the revision that was agreed on.
    VersionMissing(Name),
    /// It names another revision than was agreed on.
    VersionOther { sent: Name, agreed: Name },
    /// It continues the stream on which this event came.
    Continues(Seq),
    /// It continues a stream that is not in the recording.
    ContinuesUnknown,
    /// The stream was opened again before the time that it had asked for.
    TooSoon { waited: Nanos, asked: u64 },
    /// The stream was opened so often in a row without anything coming.
    Loop(u32),
    /// Two events have the same id.
    EventIdTwice { first: Seq, again: Seq },
    /// The last event was not finished.
    Unterminated(Seq),
    /// A further `endpoint` event.
    EndpointAgain(Seq),
    /// The response of a POST brings a message that should come on the stream.
    AnswerOnPost(Seq),
    /// The response's body answers what this request did not ask.
    ForeignAnswer(Seq),
    /// What should be a message is none.
    NotMessage(Seq),
    /// A stream of events is compressed.
    Compressed(String),
    /// The endpoint redirects.
    Redirect(u16),
    /// The request's body is a message and does not call itself JSON.
    NotCalledJson,
    /// A request is answered with another media type.
    Media(Name),
    /// A GET for a stream is answered with something else.
    NoStream,
    /// What was accepted was not answered with 202.
    NotAccepted(u16),
    /// What was accepted was answered with 202 and a body.
    AcceptedWithBody(u64),
}

impl HttpRemark {
    /// Whether one of them is enough. Headers are named one by one.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Mirrored { text: one, .. }, Self::Mirrored { text: two, .. }) => one == two,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Whether a server of 2026-07-28 has to refuse the request for it (HM-011).
    pub(super) fn must_be_refused(&self) -> bool {
        matches!(self, Self::Mirrored { rule, .. } if (*rule >= "HM-001" && *rule <= "HM-007") )
    }

    pub(super) fn sentence(&self, names: &Names) -> String {
        match self {
            Self::Ended(end, why) => ended(*end, why),
            Self::Mirrored { rule, text } => format!("{text} ({rule})."),
            Self::MirrorIgnored => {
                "The server answered it although headers and body do not agree; it must refuse such a \
                                    request with HTTP 400 and the error -32020 (HM-011)."
                    .to_owned()
            }
            Self::Status { code, status, expected: (expected, rule) } => {
                format!("The error {code} came with HTTP {status}; it belongs to HTTP {expected} ({rule}).")
            }
            Self::SessionMissing(seq) => format!(
                "It has no Mcp-Session-Id although the server had assigned a session in entry {seq}; every later \
                 request must name it (HL-003), provided that it comes from the same client."
            ),
            Self::InitializeInSession => {
                "The initialize request carries an Mcp-Session-Id; a new session begins without one (HL-006)."
                    .to_owned()
            }
            Self::VersionMissing(agreed) => format!(
                "It has no MCP-Protocol-Version header although {} was agreed on; without one the server may take it \
                 for 2025-03-26 (HL-020).",
                names.text(*agreed)
            ),
            Self::VersionOther { sent, agreed } => format!(
                "Its MCP-Protocol-Version is {}, but {} was agreed on (HL-021).",
                names.text(*sent),
                names.text(*agreed)
            ),
            Self::SessionLost { .. } | Self::SessionLostToo(_) | Self::SessionGoesOn(_) | Self::SessionEnded(_) => {
                self.about_session()
            }
            Self::Media(media) => format!(
                "The response is of the media type {}; a request is answered with application/json or \
                 text/event-stream (HX-007).",
                if media.is_none() { "(none)" } else { names.text(*media) }
            ),
            Self::Continues(_) | Self::ContinuesUnknown | Self::TooSoon { .. } | Self::Loop(_) => self.about_stream(),
            Self::EventIdTwice { .. } | Self::Unterminated(_) | Self::EndpointAgain(_) => self.about_event(),
            _ => self.about_response(),
        }
    }

    fn about_session(&self) -> String {
        match self {
            Self::SessionLost { again: None } => "The server no longer knows this session: it was restarted, or it \
                                                  ended the session (HL-005). The client has not re-initialised: it \
                                                  must send initialize without a session id (HL-006)."
                .to_owned(),
            Self::SessionLost { again: Some(seq) } => format!(
                "The server no longer knows this session: it was restarted, or it ended the session (HL-005). The \
                 client re-initialised in entry {seq}, as it must (HL-006)."
            ),
            Self::SessionLostToo(seq) => {
                format!("The session was lost in entry {seq}; this request was on its way by then.")
            }
            Self::SessionGoesOn(seq) => format!(
                "The session had been lost in entry {seq}, and the client goes on to use it instead of sending \
                 initialize (HL-006): it will get 404 each time."
            ),
            Self::SessionEnded(seq) => {
                format!(
                    "The client had ended this session in entry {seq}; 404 is the right answer from then on (HL-005)."
                )
            }
            _ => String::new(),
        }
    }

    fn about_stream(&self) -> String {
        match self {
            Self::Continues(seq) => {
                format!("It continues the stream of the event in entry {seq}, by its Last-Event-ID.")
            }
            Self::ContinuesUnknown => "Its Last-Event-ID names no event of this recording: that came before the \
                                       recording began, or never (HL-015)."
                .to_owned(),
            Self::TooSoon { waited, asked } => format!(
                "The stream was opened again after {} ms, but the server had asked to wait {asked} ms (HL-019).",
                waited / 1_000_000
            ),
            Self::Loop(times) => format!(
                "The stream was opened again {times} times in a row, each time soon after it had ended and without a \
                 message: the client is caught in a loop of reconnections (HL-019)."
            ),
            _ => String::new(),
        }
    }

    fn about_event(&self) -> String {
        match self {
            Self::EventIdTwice { first, again } => format!(
                "The event in entry {again} has the id of the one in entry {first}; ids must be unique in a session \
                 (HL-014), or a client that resumes gets the wrong stream."
            ),
            Self::Unterminated(seq) => format!(
                "No empty line ends the last event, entry {seq}, so clients discard it (SE-006); the stream broke off \
                 within it."
            ),
            Self::EndpointAgain(seq) => {
                format!("A further endpoint event came in entry {seq} (HS-007); what clients make of it differs.")
            }
            _ => String::new(),
        }
    }

    fn about_response(&self) -> String {
        match self {
            Self::AnswerOnPost(seq) => format!(
                "The response of the POST brings a message, entry {seq}; in HTTP+SSE it belongs on the stream (HS-006), \
                 and clients do not look for it here."
            ),
            Self::ForeignAnswer(seq) => format!(
                "The response's body, entry {seq}, answers another id than was asked here (HX-008), so it is not taken \
                 for the answer."
            ),
            Self::NotMessage(seq) => {
                format!("The response's body, entry {seq}, calls itself JSON and is no message of JSON-RPC (HX-007).")
            }
            Self::Compressed(coding) => format!(
                "The stream of events is compressed ({coding}), which holds events back until a block is full, unless \
                 the server flushes after each (HX-018)."
            ),
            Self::Redirect(status) => format!(
                "The endpoint redirects (HTTP {status}, HX-020): not every client follows with a POST, and credentials \
                 may be dropped on the way. Better give the client the final URL."
            ),
            Self::NotCalledJson => {
                "Its body is a message, but its Content-Type is not application/json (HX-003); many \
                                    servers refuse that with 415."
                    .to_owned()
            }
            Self::NoStream => {
                "A GET of the endpoint is answered with a stream of events or with 405 (HL-010); this is \
                               neither."
                    .to_owned()
            }
            Self::NotAccepted(status) => format!(
                "It brought no request, and the server answered HTTP {status}; what is accepted is answered with 202 \
                 (HX-005)."
            ),
            Self::AcceptedWithBody(bytes) => {
                format!("The response has the status 202 and a body of {bytes} bytes; it must have none (HX-005).")
            }
            _ => String::new(),
        }
    }
}

fn ended(end: HttpEnd, why: &str) -> String {
    let what = match end {
        HttpEnd::Complete => "The response is complete",
        HttpEnd::ClientGone => "The client closed its connection before the response was complete",
        HttpEnd::ServerGone => "The server closed its connection before the response was complete",
        HttpEnd::Failed => "The server was not reached",
        HttpEnd::Refused => "midwire refused the request",
        HttpEnd::Stopped => "midwire was stopped",
    };
    let stop = if why.ends_with(['?', '!', '.', '…']) { "" } else { "." };
    match (end, why.chars().next()) {
        (_, None) => format!("{what}."),
        (HttpEnd::Failed | HttpEnd::Refused, _) => format!("{what}: {why}{stop}"),
        // The recorder's own words say what and why.
        (_, Some(first)) => format!("{}{}{stop}", first.to_uppercase(), &why[first.len_utf8()..]),
    }
}
