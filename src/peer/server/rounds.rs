//! What is asked of a client while a request is answered: requests in the legacy era, rounds of MRTR in 2026-07-28.

use super::machine::Server;
use super::running::Go;
use super::{ClientId, RequestNo, Told};
use crate::model::Nanos;
use crate::wire::Message;

/// Whether a request goes on with a plan that was begun before.
pub(super) enum Resume {
    /// It is a new one.
    No,
}

impl Server {
    /// The request may be the next round of one before: its plan, step and answers are set then, before any script is
    /// asked.
    pub(super) fn resume(&mut self, _now: Nanos, _no: RequestNo) -> Resume {
        Resume::No
    }

    /// The next step of the request is [`super::Step::Ask`] or [`super::Step::ComeAgain`]; whoever carries it out moves
    /// on `at` behind it and those that belong to it.
    pub(super) fn ask(&mut self, _now: Nanos, no: RequestNo) -> Go {
        if let Some(flight) = self.flights.get_mut(no) {
            flight.at += 1;
        }
        self.tell(Told::Note(Some(no), "nothing was asked of the client".to_owned()));
        Go::On
    }

    /// An answer came from a client; whether it was one to something that was asked.
    pub(super) fn replied(&mut self, _now: Nanos, _client: ClientId, _message: &Message<'_>) -> bool {
        false
    }

    /// Something is asked of one client, or of all, that belongs to no request.
    pub(super) fn ask_loose(&mut self, _now: Nanos, _to: Option<ClientId>, method: &str, _params: Option<&[u8]>) {
        self.tell(Told::Note(None, format!("{method} was not asked")));
    }

    /// A request is over, or its client has gone: nothing that was asked for it is waited for any more.
    pub(super) fn unask(&mut self, _no: RequestNo) {}
}
