//! Messages of clients: reads the body of a POST, finds whose it is (3.6), gives it to the machine, and writes what comes.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::answer::{Answer, End, Manner};
use super::connection::{Connection, Request};
use super::hall::{Ended, Kind};
use super::outbox::Outbox;
use super::refusal::Refusal;
use super::site::Site;
use super::wire::{self, Takes};
use crate::engine::record::Flow;
use crate::engine::serve::hub::Core;
use crate::mcp::meta::PROTOCOL_VERSION;
use crate::model::{Era, HttpEnd, Nanos, Revision};
use crate::peer::server::{ClientId, Link, Ticket};
use crate::transport::http::Heard;
use crate::wire::http::{BodyLength, Head};
use crate::wire::{Frame, Item, Message, MessageKind, read};

/// The longest body that is read.
const LONGEST: usize = 64 << 20;
/// A client that sends nothing of its body for so long has gone.
const STALL: Duration = Duration::from_mins(1);
/// Says that the body may come.
const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// What a POST is, as far as who sends it depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// It says by itself all that is to be known (2026-07-28).
    Modern,
    /// `initialize`.
    Opening,
    /// It belongs to a session.
    Legacy,
}

impl Connection {
    /// Answers a POST to the endpoint.
    pub async fn post(&mut self, request: Request, mut manner: Manner) -> End {
        let takes = Takes::of(&request.head);
        if !takes.json && !takes.events {
            let why = "Accept names neither application/json nor text/event-stream; list both";
            return self.refuse(&Refusal::new(406, why), manner, &request.journal).await;
        }
        let body = match self.body(&request).await {
            Ok(body) => body,
            Err(Some(refusal)) => return self.refuse(&refusal, manner, &request.journal).await,
            Err(None) => return End::Gone,
        };
        let (site, size) = (Arc::clone(&self.site), body.len());
        manner.json = site.json && takes.json;
        manner.only_json = !takes.events;
        let outbox = Arc::new(Outbox::default());
        let seated = site.hub.with(|now, core| seat(&site, now, core, &request.head, &body, &outbox, &manner));
        drop(body);
        site.release(size);
        let seated = match seated {
            Ok(seated) => seated,
            Err(refusal) => return self.refuse(&refusal, manner, &request.journal).await,
        };
        let mut answer = Answer::new(&mut self.reader, &mut self.writer, &request.journal, manner);
        let prime = || {
            let stream = seated.stream?;
            let primes = site.hub.with(|_, core| core.carrier.hall().is_some_and(|hall| hall.primes(seated.client)));
            primes.then(|| wire::priming(stream))
        };
        let end = answer.run(&outbox, prime).await;
        outbox.shut();
        if end == End::Gone {
            site.hub.with(|now, core| gone(now, core, seated.ticket));
        }
        end
    }

    /// The body of a POST, with its room held. An error is a refusal, or nothing when the client has gone.
    pub async fn body(&mut self, request: &Request) -> Result<Vec<u8>, Option<Refusal>> {
        if !wire::is_json(&request.head) {
            let why = "the body must be JSON without a coding: Content-Type: application/json";
            return Err(Some(self.unread(request, Refusal::new(415, why))));
        }
        let too_large = || Refusal::new(413, format!("the body is longer than {} MiB", LONGEST >> 20));
        if matches!(request.length, BodyLength::Exact(length) if length > LONGEST as u64) {
            return Err(Some(self.unread(request, too_large())));
        }
        if let Some(expect) = request.head.get("expect") {
            if !expect.eq_ignore_ascii_case(b"100-continue") {
                return Err(Some(self.unread(request, Refusal::new(417, "only 100-continue can be expected"))));
            }
            request.journal.head(Flow::Output, CONTINUE);
            self.writer.head(CONTINUE, BodyLength::None);
            self.writer.finish(b"").await.map_err(|_| None)?;
        }
        if !matches!(request.length, BodyLength::None | BodyLength::Exact(0)) {
            request.journal.body(Flow::Input, &request.head, false);
        }
        self.reader.body(request.length);
        let mut body = Vec::new();
        let read = self.fill(request, &mut body).await;
        request.journal.wake();
        match read {
            Ok(()) if body.len() <= LONGEST => Ok(body),
            other => {
                self.site.release(body.len());
                Err(other.err().unwrap_or_else(|| Some(too_large())))
            }
        }
    }

    /// Nothing of the body is read: it stands in the way of another request.
    fn unread(&mut self, request: &Request, refusal: Refusal) -> Refusal {
        self.reader.body(request.length);
        refusal
    }

    async fn fill(&mut self, request: &Request, body: &mut Vec<u8>) -> Result<(), Option<Refusal>> {
        loop {
            match timeout(STALL, self.reader.next()).await {
                Ok(Ok(Heard::Data(bytes))) => {
                    request.journal.data(Flow::Input, bytes);
                    if !self.site.hold(bytes.len()) {
                        return Err(Some(Refusal::new(503, "too many bodies are being read at once; try again")));
                    }
                    body.extend_from_slice(bytes);
                    if body.len() > LONGEST {
                        return Ok(());
                    }
                }
                Ok(Ok(Heard::End)) => {
                    request.journal.ended(Flow::Input);
                    return Ok(());
                }
                Ok(Ok(Heard::Head(_) | Heard::Trailers(_))) => {}
                Ok(Err(broken)) if broken.is_gone() => {
                    let why = "the client closed its connection before its request was complete";
                    request.journal.over(HttpEnd::ClientGone, why);
                    return Err(None);
                }
                Ok(Err(broken)) => return Err(Some(Refusal::new(400, format!("failed to {broken}")))),
                Err(_) => return Err(Some(Refusal::new(408, "the body did not come"))),
            }
        }
    }
}

/// The place of a delivery.
struct Seated {
    client: ClientId,
    ticket: Ticket,
    stream: Option<u64>,
}

/// Finds whose message it is, and gives it to the machine.
fn seat(
    site: &Site,
    now: Nanos,
    core: &mut Core,
    head: &Head,
    body: &[u8],
    outbox: &Arc<Outbox>,
    manner: &Manner,
) -> Result<Seated, Refusal> {
    let sessions = site.gives_sessions(core);
    let Some(hall) = core.carrier.hall() else { return Err(Refusal::new(500, "this is no server on HTTP")) };
    let full = |why: String| Refusal::new(500, format!("failed to {why}"));
    let (asks, session) = (asks(head, body), head.text("mcp-session-id"));
    let (client, opens, is_new) = match (asks, &session) {
        (Asks::Legacy | Asks::Opening, Some(id)) if sessions => {
            (hall.find(id, false).ok_or_else(|| Refusal::session(id))?, false, false)
        }
        (Asks::Legacy, None) if sessions => return Err(Refusal::no_session()),
        (Asks::Opening, _) if sessions => (hall.add(Kind::Session).map_err(full)?, true, true),
        _ => (hall.add(|_| Kind::Single).map_err(full)?, false, true),
    };
    let surplus = if opens { hall.surplus() } else { None };
    let (ticket, stream) = hall.seat(client, outbox, !manner.only_json, opens);
    if let Some(surplus) = surplus {
        hall.remove(surplus);
        core.server.left(now, surplus, "it was silent longest, and there are too many sessions");
    }
    if is_new {
        core.server.joined(now, client, Link::Http);
    }
    core.server.heard(now, client, ticket, Some(&fields(head)), body);
    Ok(Seated { client, ticket, stream })
}

/// The client does not wait for a response any more.
fn gone(now: Nanos, core: &mut Core, ticket: Ticket) {
    core.server.gone(now, ticket);
    let ended = core.carrier.hall().map(|hall| hall.unread(ticket));
    if let Some(Ended::Leaves(client)) = ended {
        core.server.left(now, client, "it closed its connection");
        core.carrier.remove(client);
    }
}

/// What a POST is. What is no message says nothing: it belongs to the session that it names, or to nobody.
fn asks(head: &Head, body: &[u8]) -> Asks {
    let by_head = match head.text("mcp-protocol-version").map(|version| Revision::from_text(&version).era()) {
        Some(Era::Modern) => Asks::Modern,
        _ => Asks::Legacy,
    };
    let one = |message: &Message<'_>| {
        let meta = message.params.and_then(|params| params.get("_meta"));
        if meta.and_then(|meta| meta.get(PROTOCOL_VERSION)).is_some() {
            Asks::Modern
        } else if message.kind == MessageKind::Request && message.method.as_deref() == Some("initialize") {
            Asks::Opening
        } else {
            by_head
        }
    };
    match read(body) {
        Frame::Message(message) => one(&message),
        Frame::Batch(items) => {
            let is_opening = |item: &Item<'_>| matches!(item, Item::Message(message) if one(message) == Asks::Opening);
            if items.iter().any(is_opening) { Asks::Opening } else { by_head }
        }
        Frame::Blank | Frame::NotRpc { .. } | Frame::NotJson(_) if head.get("mcp-session-id").is_none() => Asks::Modern,
        _ => by_head,
    }
}

/// The header fields for the machine: names in lower case.
pub fn fields(head: &Head) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let named = head.fields().filter(|field| !field.name.is_empty());
    named.map(|field| (text(field.name).to_ascii_lowercase(), text(field.value))).collect()
}

impl Site {
    /// Whether sessions are given: to clients of revisions that have them.
    pub fn gives_sessions(&self, core: &Core) -> bool {
        let only = &core.server.settings().revisions;
        let spoken = core.server.script().about().revisions.iter();
        let mut spoken = spoken.filter(|revision| only.is_empty() || only.contains(revision));
        self.sessions && spoken.any(|revision| revision.era() == Era::Legacy)
    }

    /// The same, asked from outside.
    pub fn has_sessions(&self) -> bool {
        self.hub.with(|_, core| self.gives_sessions(core))
    }
}
