//! Messages that go out: answers with the request's id, notifications, and errors to what was no request.

use super::dress;
use super::fault::Fault;
use super::flight::Wait;
use super::machine::Server;
use super::{Bytes, ClientId, Do, Ended, RequestNo, Ticket, To, Told};
use crate::model::{Era, Nanos};
use crate::peer::client::splice::on_one_line;
use crate::wire::{Json, quote};

/// What answers a request.
pub(super) enum Body {
    /// A result, as JSON text.
    Result(Vec<u8>),
    /// An error object, as JSON text.
    Error(Vec<u8>),
}

impl Server {
    /// Sends a message on the response to a delivery, or on the way for what belongs to none.
    pub(super) fn send(&mut self, client: ClientId, via: Ticket, message: Vec<u8>, status: u16) {
        let message = if memchr::memchr2(b'\n', b'\r', &message).is_some() { on_one_line(message) } else { message };
        self.todo.push_back(Do::Send { client, to: to(via), message: message.into(), status });
    }

    /// Sends bytes as they are on the way of a request.
    pub(super) fn send_raw(&mut self, client: ClientId, via: Ticket, bytes: Bytes) {
        self.todo.push_back(Do::Raw { client, to: to(via), bytes });
    }

    /// Answers a request, which is noted; what its plan has behind that goes on. `id` takes the place of its own.
    pub(super) fn respond(&mut self, no: RequestNo, body: Body, id: Option<&[u8]>, status: u16) {
        let Some(flight) = self.flights.get_mut(no) else { return };
        let (name, bytes) = match &body {
            Body::Result(bytes) => ("result", bytes),
            Body::Error(bytes) => ("error", bytes),
        };
        let id = id.unwrap_or(&flight.written);
        let message = [br#"{"jsonrpc":"2.0","id":"#, id, b",\"", name.as_bytes(), b"\":", bytes, b"}"].concat();
        if flight.ended.is_none() {
            flight.ended = Some(match body {
                Body::Result(bytes) => Ended::Result(bytes.into()),
                Body::Error(bytes) => Ended::Error(bytes.into()),
            });
        }
        let (client, via, batch) = (flight.client, flight.via, flight.batch);
        match batch {
            Some(batch) => self.deliveries.gather(batch, message),
            None => self.send(client, via, message, status),
        }
    }

    /// Answers a request with an error of the protocol's own, and is done with it.
    pub(super) fn refuse(&mut self, now: Nanos, no: RequestNo, fault: &Fault) {
        let era = self.flights.get(no).map_or(Era::Legacy, |flight| flight.era);
        self.respond(no, Body::Error(fault.object().into()), None, fault.status(era));
        self.settle(now, no);
    }

    /// Answers a request with a result of the protocol's own, dressed for its era, and is done with it.
    pub(super) fn fulfil(&mut self, now: Nanos, no: RequestNo, result: Vec<u8>) {
        let Some(flight) = self.flights.get(no) else { return };
        let result = dress::result(flight.era, &flight.method, self.script.about(), result);
        self.respond(no, Body::Result(result), None, 200);
        self.settle(now, no);
    }

    /// The protocol has answered a request: it is over, unless that was one step of its plan.
    fn settle(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get(no) else { return };
        if !flight.own || flight.at >= flight.plan.steps.len() {
            self.finish(now, no, Ended::Otherwise("answered".to_owned()));
        } else if flight.wait == Wait::Client {
            self.advance(now, no);
        }
    }

    /// Sends a notification on a delivery's way; params are JSON text.
    pub(super) fn notify(&mut self, client: ClientId, via: Ticket, method: &str, params: Option<&[u8]>) {
        self.send(client, via, notification(method, params), 200);
    }

    /// Sends an error to what was no request: with its id as written where that could be read.
    pub(super) fn complain(&mut self, client: ClientId, via: Ticket, id: Option<&[u8]>, fault: &Fault) {
        let id = id.map(|id| [b",\"id\":", id].concat()).unwrap_or_default();
        let error = fault.object();
        let message = [br#"{"jsonrpc":"2.0""#, id.as_slice(), b",\"error\":", error.as_bytes(), b"}"].concat();
        self.send(client, via, message, fault.status(Era::Legacy));
    }

    /// Tells of something that fits nowhere.
    pub(super) fn stray(&mut self, client: ClientId, bytes: &[u8], why: impl Into<String>) {
        self.tell(Told::Stray { client, bytes: bytes.into(), why: why.into() });
    }
}

/// The way of a delivery; 0 is the one for what belongs to none.
pub(super) const fn to(via: Ticket) -> To {
    if via == 0 { To::Loose } else { To::Ticket(via) }
}

/// A notification.
pub(super) fn notification(method: &str, params: Option<&[u8]>) -> Vec<u8> {
    let params = params.map(|params| [b",\"params\":", params].concat()).unwrap_or_default();
    [br#"{"jsonrpc":"2.0","method":"#, quote(method).as_bytes(), params.as_slice(), b"}"].concat()
}

/// A request of ours.
pub(super) fn request(id: u64, method: &str, params: Option<&[u8]>) -> Vec<u8> {
    let params = params.map(|params| [b",\"params\":", params].concat()).unwrap_or_default();
    let head = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":{}", quote(method));
    [head.as_bytes(), params.as_slice(), b"}"].concat()
}

/// The code of an error object.
pub(super) fn code(error: &[u8]) -> Option<i64> {
    Json::parse(error).ok()?.get("code")?.as_i64()
}
