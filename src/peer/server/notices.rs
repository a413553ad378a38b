//! Notifications of clients: the end of a handshake, cancellations, and any other, which is told.

use super::client::Stage;
use super::hearing::Source;
use super::machine::Server;
use super::{ClientId, Ended, RequestNo, Ticket, Told};
use crate::mcp::meta::typed;
use crate::model::{Era, Nanos};
use crate::wire::{Json, Message};

impl Server {
    pub(super) fn notified(&mut self, now: Nanos, source: &Source<'_>, message: &Message<'_>) {
        let Some(method) = message.method.as_deref() else {
            return self.stray(source.client, message.json.raw(), "a notification's method is a string (JR-016)");
        };
        self.tell(Told::Notified(source.client, method.to_owned(), message.json.raw().into()));
        match method {
            "notifications/initialized" => {
                if let Some(client) = self.clients.get_mut(source.client).filter(|client| client.revision.is_some()) {
                    client.stage = Stage::Ready;
                }
            }
            "notifications/cancelled" => self.cancelled(now, source.client, message.params),
            _ => {}
        }
    }

    /// CN-001 … CN-008: nothing more is sent for the request. A race with its answer is nobody's fault.
    fn cancelled(&mut self, now: Nanos, client: ClientId, params: Option<Json<'_>>) {
        let Some(id) = params.and_then(|params| params.get("requestId")).map(typed) else {
            return self.tell(Told::Note(None, format!("client {client}: a cancellation without requestId (CN-005)")));
        };
        let Some(known) = self.clients.get(client) else { return };
        let is_it = |no: &&RequestNo| self.flights.get(**no).is_some_and(|flight| flight.id == id);
        let found = known.running.iter().find(is_it).and_then(|no| self.flights.get(*no));
        let Some(flight) = found else {
            let what =
                format!("client {client}: nothing with the id {id} is being answered, which it cancels (CN-003)");
            return self.tell(Told::Note(None, what));
        };
        let no = flight.no;
        if flight.method == "initialize" {
            return self.note(no, "initialize cannot be cancelled (CN-004)");
        }
        if flight.task.is_some() {
            return self.note(no, "a task is cancelled with tasks/cancel, not with a notification (CN-006)");
        }
        self.cancel(now, no);
    }

    /// The client does not want an answer any more.
    pub(super) fn cancel(&mut self, now: Nanos, no: RequestNo) {
        if let Some(flight) = self.flights.get_mut(no) {
            if flight.plan.deaf {
                return self.note(no, "the client cancelled it; its plan goes on all the same (CN-007)");
            }
            flight.missed = false;
            flight.ended = Some(Ended::Cancelled);
        }
        self.finish(now, no, Ended::Cancelled);
    }

    /// The response to a delivery is not waited for any more: in 2026-07-28 that cancels, in the legacy era it does not.
    pub(super) fn delivery_gone(&mut self, now: Nanos, via: Ticket) {
        let of_it = |flight: &&super::flight::Flight| flight.via == via && flight.era == Era::Modern;
        let numbers: Vec<RequestNo> =
            self.flights.iter().filter(of_it).filter(|flight| flight.task.is_none()).map(|flight| flight.no).collect();
        if !numbers.is_empty() {
            self.deliveries.forget(via);
        }
        for no in numbers {
            self.cancel(now, no);
        }
    }
}
