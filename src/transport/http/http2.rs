//! The client's role in HTTP/2 on one connection, by hyper. Heads are taken and given in the form of
//! HTTP/1, so that whoever relays and records needs to know only that; a response's first line is
//! `HTTP/2 200`.
//!
//! Informational responses do not come through hyper. A client that waits for one before it sends its body
//! (`Expect: 100-continue`) is told to go on at once, and the server is not asked.

mod body;
mod heads;

use std::pin::Pin;

use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Frame, Incoming};
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper::{Error, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::task::JoinHandle;

use super::broken::{Broken, Peer};
use super::connect_error::{Cause, Step};
use super::heard::Heard;
use super::origin::Origin;
use super::stream::Stream;
use crate::wire::http::{BodyLength, Head, request_length};
use body::{Outgoing, Outlet};

/// As for HTTP/1.
const HEAD_LIMIT: u32 = 256 << 10;

/// One connection to a server.
#[derive(Debug)]
pub(super) struct Http2 {
    origin: Origin,
    requests: SendRequest<Outgoing>,
    /// Runs the connection; `None` once its end was noticed.
    driver: Option<JoinHandle<()>>,
}

#[derive(Debug)]
pub(super) struct Sending {
    /// `None` when the body is over.
    outlet: Option<Outlet>,
}

pub(super) struct Hearing {
    phase: Phase,
    length: BodyLength,
    is_head: bool,
    /// What was handed out last.
    data: Bytes,
}

enum Phase {
    /// The client is still to be told that it may send its body.
    Expected(Waiting),
    Waiting(Waiting),
    Body(Incoming),
    Over,
}

/// Dropping it resets the stream.
type Waiting = Pin<Box<dyn Future<Output = Result<Response<Incoming>, Error>> + Send>>;

impl Http2 {
    /// Begins HTTP/2 on a connection that was agreed to speak it.
    pub(super) async fn begin(stream: Stream, origin: Origin) -> Result<Self, Cause> {
        let begun = Builder::new(TokioExecutor::new())
            .max_header_list_size(HEAD_LIMIT)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| Cause::new(Step::Http, format!("the server does not speak HTTP/2: {}", words(&error))))?;
        let (requests, connection) = begun;
        // How it ended is told to the requests that were under way.
        let driver = tokio::spawn(async move { drop(connection.await) });
        Ok(Self { origin, requests, driver: Some(driver) })
    }

    pub(super) fn send(&mut self, head: &Head) -> Result<(Sending, Hearing), Broken> {
        let length = request_length(head).map_err(|source| Broken::Head { from: Peer::Client, source })?;
        let (outlet, body) = match length {
            BodyLength::None | BodyLength::Exact(0) => (None, Outgoing::none()),
            _ => {
                let (outlet, body) = body::channel();
                (Some(outlet), body)
            }
        };
        let request = heads::request(head, &self.origin, body)?;
        let waiting: Waiting = Box::pin(self.requests.send_request(request));
        let expects = head.get("expect").is_some_and(|value| value.eq_ignore_ascii_case(b"100-continue"));
        let phase = if expects && outlet.is_some() { Phase::Expected(waiting) } else { Phase::Waiting(waiting) };
        let is_head = head.method() == "HEAD";
        Ok((Sending { outlet }, Hearing { phase, length: BodyLength::None, is_head, data: Bytes::new() }))
    }

    pub(super) async fn closed(&mut self) {
        if let Some(driver) = &mut self.driver {
            // A task that panicked is over too.
            let _ = driver.await;
            self.driver = None;
        }
    }

    pub(super) fn reusable(&self) -> bool {
        !self.requests.is_closed()
    }
}

impl Sending {
    pub(super) async fn data(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        match &self.outlet {
            Some(outlet) if !bytes.is_empty() => outlet.put(Frame::data(Bytes::copy_from_slice(bytes))).await,
            _ => Ok(()),
        }
    }

    pub(super) async fn finish(&mut self, trailers: &[u8]) -> Result<(), Broken> {
        let Some(outlet) = self.outlet.take() else { return Ok(()) };
        let fields = heads::trailers(trailers);
        if !fields.is_empty() {
            outlet.put(Frame::trailers(fields)).await?;
        }
        outlet.end().await
    }
}

impl Hearing {
    pub(super) async fn next(&mut self) -> Result<Heard<'_>, Broken> {
        if matches!(self.phase, Phase::Expected(_)) {
            if let Phase::Expected(waiting) = std::mem::replace(&mut self.phase, Phase::Over) {
                self.phase = Phase::Waiting(waiting);
            }
            return Ok(Heard::Head(Head::read(b"HTTP/2 100\r\n\r\n")));
        }
        match &mut self.phase {
            Phase::Expected(_) | Phase::Over => Ok(Heard::End),
            Phase::Waiting(waiting) => {
                let (parts, incoming) = waiting.await.map_err(|error| broken(&error))?.into_parts();
                self.length = heads::length(&parts, self.is_head);
                self.phase = Phase::Body(incoming);
                Ok(Heard::Head(heads::response(&parts)))
            }
            Phase::Body(incoming) => loop {
                let Some(frame) = incoming.frame().await else {
                    self.phase = Phase::Over;
                    return Ok(Heard::End);
                };
                match frame.map_err(|error| broken(&error))?.into_data() {
                    Ok(data) if data.is_empty() => {}
                    Ok(data) => {
                        self.data = data;
                        return Ok(Heard::Data(&self.data));
                    }
                    Err(frame) => match frame.into_trailers() {
                        Ok(fields) if !fields.is_empty() => return Ok(Heard::Trailers(heads::lines(&fields))),
                        _ => {}
                    },
                }
            },
        }
    }

    pub(super) const fn length(&self) -> BodyLength {
        self.length
    }
}

fn broken(error: &Error) -> Broken {
    let why = words(error);
    // hyper hands errors of HTTP/2 out in words only. What was not found here was done there, or on the way.
    let found_here = ["error detected", "sent by user", "user error"].iter().any(|words| why.contains(words));
    Broken::Http2 { why, gone: !found_here }
}

/// An error with what is behind it.
fn words(error: &Error) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    causes.fold(error.to_string(), |words, cause| format!("{words}: {cause}"))
}
