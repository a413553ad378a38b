//! Who is there over HTTP: sessions, senders of single POSTs, clients of HTTP+SSE, and the responses that are open.
//! Carries out what the machine wants of them. Does no I/O: what is to be written lies in outboxes.

use std::collections::HashMap;
use std::sync::Arc;

use super::outbox::{Outbox, Part};
use super::streams::{StreamNo, Streams};
use crate::engine::serve::random;
use crate::model::Revision;
use crate::peer::server::{Bytes, ClientId, Ticket, To};
use crate::wire::Json;

/// So many sessions are kept; the one that was silent longest makes room.
const MOST: usize = 8_000;

/// All that are there.
#[derive(Debug, Default)]
pub struct Hall {
    sessions: HashMap<String, ClientId>,
    guests: HashMap<ClientId, Guest>,
    seats: HashMap<Ticket, Seat>,
    last_client: ClientId,
    last_ticket: Ticket,
    /// Counts what was heard, to know who was silent longest.
    heard: u64,
}

/// One client.
#[derive(Debug)]
struct Guest {
    kind: Kind,
    revision: Option<Revision>,
    streams: Streams,
    heard: u64,
}

/// How a client comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// With a session, which is known once its `initialize` was answered with a result.
    Session(String),
    /// With one POST.
    Single,
    /// With a session that is known no more, until the responses that are open are done.
    Lost,
    /// Over HTTP+SSE, by the session in its endpoint.
    Sse(String, StreamNo),
}

/// One open response to a POST.
#[derive(Debug)]
struct Seat {
    client: ClientId,
    outbox: Arc<Outbox>,
    /// The stream of its session.
    stream: Option<StreamNo>,
    /// It may make a session known.
    opens: bool,
}

/// What became of a response that ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client stays.
    Stays,
    /// It came with this response only, or its session did not come about: it has gone.
    Leaves(ClientId),
}

impl Hall {
    /// A new client of this kind; a session id is made for it. An error fits after "failed to".
    pub fn add(&mut self, kind: fn(String) -> Kind) -> Result<ClientId, String> {
        self.last_client += 1;
        self.heard += 1;
        let mut kind = kind(String::new());
        if let Kind::Session(id) | Kind::Sse(id, _) = &mut kind {
            *id = new_id()?;
        }
        if let Kind::Sse(id, _) = &kind {
            self.sessions.insert(id.clone(), self.last_client);
        }
        let guest = Guest { kind, revision: None, streams: Streams::default(), heard: self.heard };
        self.guests.insert(self.last_client, guest);
        Ok(self.last_client)
    }

    /// Gives a client of HTTP+SSE its one stream, and says its session.
    pub fn listen_sse(&mut self, client: ClientId, outbox: &Arc<Outbox>) -> Option<String> {
        let guest = self.guests.get_mut(&client)?;
        let stream = guest.streams.listening(Arc::clone(outbox));
        let Kind::Sse(id, own) = &mut guest.kind else { return None };
        *own = stream;
        Some(id.clone())
    }

    /// The client of a session that is known; `sse` says of which kind it must be.
    pub fn find(&mut self, session: &str, sse: bool) -> Option<ClientId> {
        let client = *self.sessions.get(session)?;
        let guest = self.guests.get_mut(&client)?;
        self.heard += 1;
        guest.heard = self.heard;
        (matches!(guest.kind, Kind::Sse(..)) == sse).then_some(client)
    }

    /// The session that was silent longest and that nobody reads, when there are too many.
    pub fn surplus(&self) -> Option<ClientId> {
        if self.sessions.len() < MOST {
            return None;
        }
        let idle = self.guests.iter().filter(|(_, guest)| !guest.streams.is_read());
        idle.min_by_key(|(_, guest)| guest.heard).map(|(client, _)| *client)
    }

    /// A ticket for a POST of this client. With `streamed`, its response is a stream of the session.
    pub fn seat(
        &mut self,
        client: ClientId,
        outbox: &Arc<Outbox>,
        streamed: bool,
        opens: bool,
    ) -> (Ticket, Option<StreamNo>) {
        self.last_ticket += 1;
        let guest = self.guests.get_mut(&client);
        let in_session = guest.filter(|guest| streamed && matches!(guest.kind, Kind::Session(_)));
        let stream = in_session.map(|guest| guest.streams.answering(Arc::clone(outbox)));
        let seat = Seat { client, outbox: Arc::clone(outbox), stream, opens };
        self.seats.insert(self.last_ticket, seat);
        (self.last_ticket, stream)
    }

    /// Whether a client knows priming events (2025-11-25).
    pub fn primes(&self, client: ClientId) -> bool {
        self.guests.get(&client).is_some_and(|guest| guest.revision == Some(Revision::V2025_11_25))
    }

    /// Opens a stream for what belongs to no request.
    pub fn listen(&mut self, client: ClientId, outbox: &Arc<Outbox>) -> Option<StreamNo> {
        Some(self.guests.get_mut(&client)?.streams.listening(Arc::clone(outbox)))
    }

    /// Goes on with a stream behind an event.
    pub fn resume(&mut self, client: ClientId, event: &str, outbox: &Arc<Outbox>) -> Option<StreamNo> {
        self.guests.get_mut(&client)?.streams.resume(event, outbox)
    }

    /// Nobody reads that stream any more.
    pub fn lost(&mut self, client: ClientId, stream: StreamNo, outbox: &Arc<Outbox>) {
        if let Some(guest) = self.guests.get_mut(&client) {
            guest.streams.lost(stream, outbox);
        }
    }

    /// Nobody reads the response to this delivery any more. Where a session has it as a stream, it goes on without.
    pub fn unread(&mut self, ticket: Ticket) -> Ended {
        let Some(seat) = self.seats.get_mut(&ticket) else { return Ended::Stays };
        match (seat.stream, self.guests.get_mut(&seat.client)) {
            (Some(stream), Some(guest)) => {
                guest.streams.lost(stream, &seat.outbox);
                Ended::Stays
            }
            _ => self.done(ticket),
        }
    }

    /// It is known what a client speaks.
    pub fn learn(&mut self, client: ClientId, revision: &Revision) {
        if let Some(guest) = self.guests.get_mut(&client) {
            guest.revision = Some(revision.clone());
        }
    }

    /// Sends a message. `false` when something that waited had to be given up for it.
    pub fn send(&mut self, client: ClientId, to: To, message: Bytes, status: u16) -> bool {
        if let To::Ticket(ticket) = to {
            self.introduce(ticket, &message);
        }
        self.put(client, to, Part::Message(message, None, status))
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, client: ClientId, to: To, bytes: Bytes) -> bool {
        self.put(client, to, Part::Raw(bytes))
    }

    fn put(&mut self, client: ClientId, to: To, part: Part) -> bool {
        let seat = if let To::Ticket(ticket) = to { self.seats.get(&ticket) } else { None };
        let Some(guest) = self.guests.get_mut(&client) else {
            seat.into_iter().for_each(|seat| {
                seat.outbox.put(part.clone());
            });
            return true;
        };
        match (&guest.kind, to, seat) {
            (Kind::Sse(_, stream), ..) | (_, To::Ticket(_), Some(Seat { stream: Some(stream), .. })) => {
                guest.streams.send(*stream, part);
            }
            (_, To::Ticket(_), Some(seat)) => drop(seat.outbox.put(part)),
            (Kind::Session(_), To::Loose, _) => return guest.streams.send_loose(part),
            // The response is gone, or the client has none for what belongs to no request.
            _ => {}
        }
        true
    }

    /// Makes a session known whose `initialize` is answered with a result.
    fn introduce(&mut self, ticket: Ticket, message: &[u8]) {
        let Some(seat) = self.seats.get_mut(&ticket).filter(|seat| seat.opens) else { return };
        let has_result = Json::parse(message).is_ok_and(|json| json.get("result").is_some());
        let guest = self.guests.get(&seat.client);
        if let Some(Guest { kind: Kind::Session(id), .. }) = guest.filter(|_| has_result) {
            seat.opens = false;
            self.sessions.insert(id.clone(), seat.client);
            seat.outbox.put(Part::Session(id.clone()));
        }
    }

    /// Something is to be done on the response itself.
    pub fn tell(&mut self, ticket: Ticket, part: Part) {
        if let Some(seat) = self.seats.get(&ticket) {
            seat.outbox.put(part);
        }
    }

    /// The stream of a response is to be closed for now; it can only be where the client can come back.
    pub fn close(&mut self, ticket: Ticket) {
        let Some(seat) = self.seats.get(&ticket) else { return };
        if let (Some(stream), Some(guest)) = (seat.stream, self.guests.get_mut(&seat.client)) {
            guest.streams.part_with(stream, Part::Close);
        }
    }

    /// A response is to be broken off.
    pub fn cut(&mut self, ticket: Ticket) -> Ended {
        self.tell(ticket, Part::Break);
        self.done(ticket)
    }

    /// Nothing more comes on a response.
    pub fn done(&mut self, ticket: Ticket) -> Ended {
        let Some(seat) = self.seats.remove(&ticket) else { return Ended::Stays };
        let guest = self.guests.get_mut(&seat.client);
        match (seat.stream, guest) {
            (Some(stream), Some(guest)) => guest.streams.end(stream),
            _ => drop(seat.outbox.put(Part::Done)),
        }
        let leaves = match self.guests.get(&seat.client).map(|guest| &guest.kind) {
            Some(Kind::Single) => true,
            Some(Kind::Lost) => !self.seats.values().any(|other| other.client == seat.client),
            _ => seat.opens,
        };
        if leaves { Ended::Leaves(seat.client) } else { Ended::Stays }
    }

    /// The session of a client is known no more. What it waits for still comes; streams without a request end.
    pub fn lose(&mut self, client: ClientId) -> Ended {
        let Some(guest) = self.guests.get_mut(&client) else { return Ended::Stays };
        if let Kind::Session(id) | Kind::Sse(id, _) = &guest.kind {
            self.sessions.remove(id);
        }
        guest.kind = Kind::Lost;
        for seat in self.seats.values_mut().filter(|seat| seat.client == client) {
            seat.stream.take().into_iter().for_each(|stream| guest.streams.lost(stream, &seat.outbox));
            seat.opens = false;
        }
        guest.streams.close(&Part::Done);
        if self.seats.values().any(|seat| seat.client == client) { Ended::Stays } else { Ended::Leaves(client) }
    }

    /// A client has gone, or its session is lost: nothing is known of it any more. Its streams end in order.
    pub fn remove(&mut self, client: ClientId) {
        let Some(mut guest) = self.guests.remove(&client) else { return };
        if let Kind::Session(id) | Kind::Sse(id, _) = &guest.kind {
            self.sessions.remove(id);
        }
        guest.streams.close(&Part::Done);
        // Responses that are open have their own end.
        for seat in self.seats.values_mut().filter(|seat| seat.client == client) {
            (seat.stream, seat.opens) = (None, false);
        }
    }

    /// Ends every response and stream: in order, or broken off as by a crash.
    pub fn end(&mut self, last: &Part) {
        self.seats.drain().for_each(|(_, seat)| {
            seat.outbox.put(last.clone());
        });
        self.guests.values_mut().for_each(|guest| guest.streams.close(last));
        self.guests.clear();
        self.sessions.clear();
    }
}

/// A session id that nobody can guess, of visible ASCII (HL-001, HL-024).
fn new_id() -> Result<String, String> {
    use base64::Engine as _;
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(random::<24>()?))
}
