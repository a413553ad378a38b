//! One request with its response, passed on both ways at the same time. Each piece is noted first and
//! passed on at once; whichever side goes, the other learns it as it would without a tap.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use super::answer::{Answer, End};
use super::client::{Client, Link};
use super::journal::Journal;
use super::refusal::Refusal;
use super::request::Request;
use super::switched;
use crate::engine::record::Flow;
use crate::model::HttpEnd;
use crate::transport::http::{Broken, Connection, Heard, ReadHalf, Reader, Sending};
use crate::wire::http::BodyLength;

/// What becomes of the client's connection after an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// It may carry another.
    Kept,
    /// It is closed in order.
    Closed,
    /// It is closed in the middle of a message.
    Cut,
    /// The same, by a reset: the server's was reset.
    Reset,
}

/// Passes a request on, and its response back.
pub async fn run(client: &mut Client, request: Request) -> Over {
    let journal = if request.is_noted {
        client.tap.journal(&request.head, request.path(), &client.ip)
    } else {
        Journal::silent(&client.tap.queue)
    };
    journal.head(Flow::Input, request.head.raw());
    if request.page.is_some() {
        journal.changed("Origin", &request.site.name);
    }
    match request.length {
        BodyLength::None | BodyLength::Exact(0) => {}
        _ => journal.body(Flow::Input, &request.head, false),
    }
    client.reader.body(request.length);
    match reach(client, &request, &journal).await {
        Ok(connection) => converse(client, connection, &request, &journal).await,
        Err(over) => over,
    }
}

/// The connection upstream: the one that belongs to the client's, or a new one. It is taken from the client
/// until the exchange is over.
async fn reach(client: &mut Client, request: &Request, journal: &Journal) -> Result<Link, Over> {
    if let Some(mut link) = client.link.take().filter(|link| link.site == request.site)
        && !is_closed(&mut link.connection).await
    {
        return Ok(link);
    }
    let tap = std::sync::Arc::clone(&client.tap);
    let connected = tokio::select! {
        connected = tap.connector.connect(&request.site.origin) => connected,
        () = client.reader.closed() => {
            journal.over(HttpEnd::ClientGone, "the client closed its connection while the server was being reached");
            return Err(Over::Cut);
        }
    };
    match connected {
        Ok(connection) => Ok(Link { site: request.site.clone(), connection }),
        Err(error) => {
            let status = if error.is_late() { 504 } else { 502 };
            let refusal = Refusal::new(status, format!("failed to {error}"));
            journal.over(HttpEnd::Failed, format!("{}\nthe client was told so with a {status}", refusal.text()));
            client.refuse_to(request.head.method(), &refusal).await;
            Err(Over::Closed)
        }
    }
}

/// Whether the server has closed a connection that was idle.
async fn is_closed(connection: &mut Connection) -> bool {
    let mut closed = pin!(connection.closed());
    poll_fn(|context| Poll::Ready(closed.as_mut().poll(context).is_ready())).await
}

async fn converse(client: &mut Client, mut link: Link, request: &Request, journal: &Journal) -> Over {
    let head = request.rewritten(client);
    let protocol = link.connection.protocol();
    let (mut sending, mut hearing) = match link.connection.send(&head) {
        Ok(ways) => ways,
        Err(broken) => return failed(client, request, journal, &broken).await,
    };
    let mut answer = Answer::new(client, request, journal, protocol);
    let is_sent = AtomicBool::new(false);
    let end = {
        let mut up = pin!(send(&mut client.reader, &mut sending, journal, &is_sent));
        let end = {
            let mut down = pin!(answer.hear(&mut hearing, &mut client.writer));
            tokio::select! {
                biased;
                end = &mut down => end,
                gone = &mut up => End::Client(gone),
            }
        };
        // A server may answer before it has read everything, and read on.
        let is_open = matches!(end, End::Complete { closes: false });
        let rest = poll_fn(|context| match up.as_mut().poll(context) {
            Poll::Ready(_) => Poll::Ready(()),
            Poll::Pending if is_sent.load(Ordering::Relaxed) => Poll::Ready(()),
            Poll::Pending => Poll::Pending,
        });
        if is_open {
            rest.await;
        }
        end
    };
    let has_begun = answer.has_begun();
    match end {
        End::Complete { closes } => {
            drop((sending, hearing));
            client.link = Some(link).filter(|link| link.connection.reusable());
            if closes { Over::Closed } else { Over::Kept }
        }
        End::Switched => {
            switched::run(&mut client.reader, &mut client.writer, &mut sending, &mut hearing, journal).await;
            Over::Cut
        }
        End::Client(broken) => {
            let why = if has_begun {
                "the client closed its connection before the response was complete"
            } else {
                "the client closed its connection before there was a response"
            };
            let detail = broken.map(|broken| format!(" ({broken})")).unwrap_or_default();
            journal.over(HttpEnd::ClientGone, format!("{why}{detail}; the server was told so at once"));
            Over::Cut
        }
        End::Server(broken) if !has_begun => failed(client, request, journal, &broken).await,
        End::Server(broken) => {
            let how = if broken.is_gone() { HttpEnd::ServerGone } else { HttpEnd::Failed };
            journal.over(how, format!("failed to {broken}; the client's connection was closed in the middle, too"));
            // What was gathered is the server's, and it was said.
            let _ = client.writer.flush().await;
            if is_reset(&broken) { Over::Reset } else { Over::Cut }
        }
    }
}

/// The server's connection broke before there was any response.
async fn failed(client: &mut Client, request: &Request, journal: &Journal, broken: &Broken) -> Over {
    if broken.is_gone() {
        journal.over(HttpEnd::ServerGone, format!("failed to {broken}; the client's connection was closed, too"));
        return if is_reset(broken) { Over::Reset } else { Over::Cut };
    }
    let refusal = Refusal::new(502, format!("failed to {broken}"));
    journal.over(HttpEnd::Failed, format!("{}\nthe client was told so with a 502", refusal.text()));
    client.refuse_to(request.head.method(), &refusal).await;
    Over::Closed
}

fn is_reset(broken: &Broken) -> bool {
    let (Broken::Read { source, .. } | Broken::Write { source, .. }) = broken else { return false };
    source.kind() == std::io::ErrorKind::ConnectionReset
}

/// Passes the request's body on. Comes back when the client has gone, which may be long after; `is_sent`
/// says that all of the body was taken care of.
async fn send(
    reader: &mut Reader<ReadHalf>,
    sending: &mut Sending<'_>,
    journal: &Journal,
    is_sent: &AtomicBool,
) -> Option<Broken> {
    let mut takes = true;
    let mut trailers = Vec::new();
    loop {
        let heard = tokio::select! {
            biased;
            heard = reader.next() => heard,
            flushed = sending.flush(), if takes && sending.holds() => {
                takes = flushed.is_ok();
                journal.wake();
                continue;
            }
        };
        match heard {
            Ok(Heard::Data(bytes)) => {
                journal.data(Flow::Input, bytes);
                // A server that takes no more may still answer; what comes is noted as not delivered.
                takes = takes && sending.data(bytes).await.is_ok();
                if !takes {
                    journal.undelivered(Flow::Input);
                }
            }
            Ok(Heard::Trailers(lines)) => {
                journal.head(Flow::Input, &lines);
                trailers = lines;
            }
            Ok(Heard::Head(_)) => {}
            Ok(Heard::End) => break,
            Err(broken) => return Some(broken),
        }
    }
    journal.ended(Flow::Input);
    if takes {
        // The response says what became of it.
        let _ = sending.finish(&trailers).await;
    }
    journal.wake();
    is_sent.store(true, Ordering::Relaxed);
    reader.closed().await;
    None
}
