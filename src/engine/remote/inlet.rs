//! What arrives as the answer to one request, on its way to becoming lines: JSON, events, or something
//! that is looked at when it is complete.

use super::events::Events;
use super::values::Values;

/// A piece of what becomes a line.
#[derive(Debug)]
pub enum Part<'a> {
    /// Text of a message, without line breaks.
    Text(&'a [u8]),
    /// The message is complete; for an event, what else it said.
    End(Option<EventEnd>),
}

/// What an event said besides its data.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct EventEnd {
    /// Its name, when it has one.
    pub name: Option<String>,
    /// Its id.
    pub id: Option<String>,
    /// The time before a reconnection, in milliseconds.
    pub retry: Option<u64>,
    /// Whether it had a `data` field.
    pub has_data: bool,
}

/// The kinds of bodies.
#[derive(Debug, Default)]
pub enum Inlet {
    /// `application/json` with success: passed on as it comes.
    Json(Values),
    /// `text/event-stream` with success.
    Events(Events),
    /// Anything else: looked at when it is complete.
    #[default]
    Held,
}

impl Inlet {
    /// The inlet for an answer with this status and `Content-Type`; `exact`: line breaks inside messages stay.
    pub fn of(status: u16, media: &str, exact: bool) -> Self {
        let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match &*media {
            "text/event-stream" if is_success(status) && exact => Self::Events(Events::exact()),
            "text/event-stream" if is_success(status) => Self::Events(Events::default()),
            "application/json" | "application/x-ndjson" if is_success(status) && exact => Self::Json(Values::exact()),
            "application/json" | "application/x-ndjson" if is_success(status) => Self::Json(Values::default()),
            _ => Self::Held,
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8], emit: &mut dyn FnMut(Part<'_>)) {
        match self {
            Self::Json(values) => values.push(bytes, emit),
            Self::Events(events) => events.push(bytes, emit),
            Self::Held => {}
        }
    }

    /// Whether it is a stream of events.
    pub fn is_events(&self) -> bool {
        matches!(self, Self::Events(_))
    }
}

/// Whether a status says that it went well.
pub fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}
