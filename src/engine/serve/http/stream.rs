//! Streams that clients open: for what belongs to no request, to come back for what they missed, and those of HTTP+SSE.
//! And the end of a session by DELETE.

use std::sync::Arc;

use super::answer::{Answer, End, Manner};
use super::connection::{Connection, MESSAGES, Request};
use super::hall::{Ended, Kind};
use super::outbox::Outbox;
use super::refusal::Refusal;
use super::wire::{self, Takes};
use crate::engine::serve::hub::Core;
use crate::model::Transport;
use crate::peer::server::{ClientId, Link};
use crate::wire::http::Head;

/// A stream that was opened.
struct Opened {
    client: ClientId,
    stream: u64,
    /// It is new, and begins with a priming event.
    primes: bool,
}

impl Connection {
    /// Answers a GET of the endpoint with a stream.
    pub async fn listen(&mut self, request: &Request, manner: Manner) -> End {
        if !Takes::of(&request.head).events {
            let refusal = Refusal::new(406, "Accept does not name text/event-stream, and GET gives nothing else");
            return self.refuse(&refusal, manner, &request.journal).await;
        }
        let outbox = Arc::new(Outbox::default());
        let site = Arc::clone(&self.site);
        let opened = site.hub.with(|_, core| {
            if !site.gives_sessions(core) {
                return Err(Refusal::method("POST", "this server has no sessions, so GET has nothing to give"));
            }
            open(core, &request.head, &outbox)
        });
        let opened = match opened {
            Ok(opened) => opened,
            Err(refusal) => return self.refuse(&refusal, manner, &request.journal).await,
        };
        request.journal.learn(|channel| channel.transport = Transport::HttpStream);
        let first = opened.primes.then(|| wire::priming(opened.stream));
        let mut answer = Answer::new(&mut self.reader, &mut self.writer, &request.journal, manner);
        let end = match answer.open(first).await {
            Ok(()) => answer.run(&outbox, || None).await,
            Err(_) => End::Gone,
        };
        outbox.shut();
        if end == End::Gone {
            site.hub.with(|_, core| {
                core.carrier.hall().into_iter().for_each(|hall| hall.lost(opened.client, opened.stream, &outbox));
            });
        }
        end
    }

    /// Ends a session.
    pub async fn delete(&mut self, request: &Request, manner: Manner) -> End {
        let site = Arc::clone(&self.site);
        let ended = site.hub.with(|now, core| {
            if !site.gives_sessions(core) {
                return Err(Refusal::method("POST", "this server has no sessions, so there is none to end"));
            }
            let client = of_session(core, &request.head)?;
            core.server.left(now, client, "it ended its session");
            core.carrier.remove(client);
            Ok(())
        });
        match ended {
            Ok(()) => self.whole(200, b"", "", manner, &request.journal).await,
            Err(refusal) => self.refuse(&refusal, manner, &request.journal).await,
        }
    }

    /// Answers a GET with the stream of a client of HTTP+SSE (3.2).
    pub async fn sse(&mut self, request: &Request, mut manner: Manner) -> End {
        manner.named = true;
        let outbox = Arc::new(Outbox::default());
        let site = Arc::clone(&self.site);
        let came = site.hub.with(|now, core| {
            let hall = core.carrier.hall()?;
            let client = hall.add(|id| Kind::Sse(id, 0)).ok()?;
            let session = hall.listen_sse(client, &outbox)?;
            core.server.joined(now, client, Link::Sse);
            Some((client, session))
        });
        let Some((client, session)) = came else {
            let refusal = Refusal::new(500, "failed to make a session");
            return self.refuse(&refusal, manner, &request.journal).await;
        };
        request.journal.learn(|channel| {
            channel.transport = Transport::HttpSse;
            channel.session = Some(session.clone());
        });
        let endpoint = wire::event(Some("endpoint"), None, format!("{MESSAGES}?sessionId={session}").as_bytes());
        let mut answer = Answer::new(&mut self.reader, &mut self.writer, &request.journal, manner);
        let end = match answer.open(Some(endpoint)).await {
            Ok(()) => answer.run(&outbox, || None).await,
            Err(_) => End::Gone,
        };
        outbox.shut();
        site.hub.with(|now, core| {
            core.server.left(now, client, "its stream was closed");
            core.carrier.remove(client);
        });
        end
    }

    /// Takes a message of a client of HTTP+SSE: what answers it goes over the stream.
    pub async fn post_to_sse(&mut self, request: Request, manner: Manner) -> End {
        let body = match self.body(&request).await {
            Ok(body) => body,
            Err(Some(refusal)) => return self.refuse(&refusal, manner, &request.journal).await,
            Err(None) => return End::Gone,
        };
        let target = request.head.target();
        let session = target.split(['?', '&']).find_map(|pair| pair.strip_prefix("sessionId=")).unwrap_or_default();
        request.journal.learn(|channel| channel.session = Some(session.to_owned()));
        let site = Arc::clone(&self.site);
        let outbox = Arc::new(Outbox::default());
        let taken = site.hub.with(|now, core| {
            let hall = core.carrier.hall()?;
            let client = hall.find(session, true)?;
            let (ticket, _) = hall.seat(client, &outbox, false, false);
            core.server.heard(now, client, ticket, Some(&super::post::fields(&request.head)), &body);
            Some(ticket)
        });
        site.release(body.len());
        let Some(ticket) = taken else {
            return self.refuse(&Refusal::session(session), manner, &request.journal).await;
        };
        // What the machine had to say about the response itself, it has said.
        site.hub.with(|now, core| {
            if let Some(Ended::Leaves(client)) = core.carrier.hall().map(|hall| hall.done(ticket)) {
                core.server.left(now, client, "its session is known no more");
                core.carrier.remove(client);
            }
        });
        let mut answer = Answer::new(&mut self.reader, &mut self.writer, &request.journal, manner);
        answer.run(&outbox, || None).await
    }
}

/// The client whose session a request names.
fn of_session(core: &mut Core, head: &Head) -> Result<ClientId, Refusal> {
    let id = head.text("mcp-session-id").ok_or_else(Refusal::no_session)?;
    core.carrier.hall().and_then(|hall| hall.find(&id, false)).ok_or_else(|| Refusal::session(&id))
}

/// Opens a stream, or goes on with one.
fn open(core: &mut Core, head: &Head, outbox: &Arc<Outbox>) -> Result<Opened, Refusal> {
    let client = of_session(core, head)?;
    let Some(hall) = core.carrier.hall() else { return Err(Refusal::no_session()) };
    if let Some(event) = head.text("last-event-id").filter(|event| !event.is_empty()) {
        let why = "Last-Event-ID names no event that is still known: it was never given, or was forgotten";
        let stream = hall.resume(client, &event, outbox).ok_or_else(|| Refusal::new(400, why))?;
        return Ok(Opened { client, stream, primes: false });
    }
    let stream = hall.listen(client, outbox).ok_or_else(Refusal::no_session)?;
    Ok(Opened { client, stream, primes: hall.primes(client) })
}
