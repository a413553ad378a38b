//! Who carries for the machine: our own stdin and stdout, or HTTP.

use std::sync::Arc;

use super::http::{Ended, Hall, Part};
use super::stdio::Stdout;
use crate::engine::Say;
use crate::model::Revision;
use crate::peer::server::{ClientId, Do, To};

/// What waited for a stream and had to go.
const GIVEN_UP: &str =
    "messages that belong to no request were given up: too many wait for the client to open a stream";

/// One or the other.
pub enum Carrier {
    /// Our own stdin and stdout.
    Stdio(Arc<Stdout>),
    /// HTTP; lines of stderr go before whoever started it.
    Http(Hall, Say),
}

impl Carrier {
    /// Whether it is stdin and stdout.
    pub const fn is_stdio(&self) -> bool {
        matches!(self, Self::Stdio(_))
    }

    /// It is known what a client speaks.
    pub fn learn(&mut self, client: ClientId, revision: &Revision) {
        if let Self::Http(hall, _) = self {
            hall.learn(client, revision);
        }
    }

    /// A client has gone.
    pub fn remove(&mut self, client: ClientId) {
        if let Self::Http(hall, _) = self {
            hall.remove(client);
        }
    }

    /// Who is there over HTTP.
    pub const fn hall(&mut self) -> Option<&mut Hall> {
        match self {
            Self::Http(hall, _) => Some(hall),
            Self::Stdio(_) => None,
        }
    }

    /// Does what the machine wants of who carries. What could not be done is an error to be told.
    pub fn act(&mut self, next: Do) -> Result<Ended, String> {
        match self {
            Self::Stdio(stdout) => on_stdio(stdout, next),
            Self::Http(hall, say) => return on_http(hall, say, next),
        }
        Ok(Ended::Stays)
    }
}

fn on_stdio(stdout: &Stdout, next: Do) {
    match next {
        Do::Send { message, .. } => stdout.send(&[&message, &b"\n"[..]].concat()),
        Do::Raw { bytes, .. } => stdout.send(&bytes),
        Do::Stderr(line) => stdout.complain(&line),
        // There are no responses on stdio.
        _ => {}
    }
}

fn on_http(hall: &mut Hall, say: &Say, next: Do) -> Result<Ended, String> {
    match next {
        Do::Send { client, to, message, status } => {
            return kept(hall.send(client, to, message, status), to);
        }
        Do::Raw { client, to, bytes } => return kept(hall.raw(client, to, bytes), to),
        Do::Done(ticket) => return Ok(hall.done(ticket)),
        Do::Respond { ticket, status, fields, body } => {
            hall.tell(ticket, Part::Respond(status, fields, body));
            return Ok(hall.done(ticket));
        }
        Do::Fields(ticket, fields) => hall.tell(ticket, Part::Fields(fields)),
        Do::Close(ticket) => hall.close(ticket),
        Do::Break(ticket) => return Ok(hall.cut(ticket)),
        Do::LoseSession(client) => return Ok(hall.lose(client)),
        Do::Stderr(line) => say(&format!("stderr of the mock: {line}")),
        Do::Exit(_) | Do::Pass(..) | Do::Tell(_) => {}
    }
    Ok(Ended::Stays)
}

fn kept(all: bool, to: To) -> Result<Ended, String> {
    if all || to != To::Loose { Ok(Ended::Stays) } else { Err(GIVEN_UP.to_owned()) }
}
