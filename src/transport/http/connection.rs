//! A connection to a server, on which one request after the other is made, whichever version of HTTP
//! the two have agreed on. The caller sees heads in the form of HTTP/1.

use super::broken::Broken;
use super::heard::Heard;
use super::http2::{self, Http2};
use super::line::{self, Line};
use super::stream::Stream;
use crate::wire::http::{BodyLength, Head};

/// A connection to a server. Dropping it in the middle of an exchange closes it at once.
#[derive(Debug)]
pub struct Connection(Kind);

#[derive(Debug)]
enum Kind {
    One(Box<Line>),
    Two(Http2),
}

/// The way of the request's body. Dropping it does not end the body.
#[derive(Debug)]
pub struct Sending<'a>(SendingKind<'a>);

#[derive(Debug)]
enum SendingKind<'a> {
    One(line::Sending<'a>),
    Two(http2::Sending),
}

/// The way of the response.
pub struct Hearing<'a>(HearingKind<'a>);

enum HearingKind<'a> {
    One(line::Hearing<'a>),
    /// The connection is borrowed in this version too, though several requests could be under way.
    Two(http2::Hearing),
}

impl Connection {
    pub(super) fn http1(line: Line) -> Self {
        Self(Kind::One(Box::new(line)))
    }

    /// A connection by HTTP/1.1 over bytes that were agreed on otherwise ([`Connector::tunnel`](super::Connector::tunnel)).
    pub fn over(stream: Stream) -> Self {
        Self::http1(Line::new(stream, None))
    }

    pub(super) const fn http2(connection: Http2) -> Self {
        Self(Kind::Two(connection))
    }

    /// The version that is spoken.
    pub const fn protocol(&self) -> &'static str {
        match self.0 {
            Kind::One(_) => "HTTP/1.1",
            Kind::Two(_) => "HTTP/2",
        }
    }

    /// Begins a request: `head` has the fields that are for the server, those that frame its body included
    /// ([`request_length`](crate::wire::http::request_length)). Body and response go their ways at the same
    /// time. The head leaves with the first data, or by [`Sending::flush`].
    ///
    /// Only after the exchange before was over in order ([`Connection::reusable`]).
    pub fn send(&mut self, head: &Head) -> Result<(Sending<'_>, Hearing<'_>), Broken> {
        match &mut self.0 {
            Kind::One(line) => {
                let (sending, hearing) = line.send(head)?;
                Ok((Sending(SendingKind::One(sending)), Hearing(HearingKind::One(hearing))))
            }
            Kind::Two(connection) => {
                let (sending, hearing) = connection.send(head)?;
                Ok((Sending(SendingKind::Two(sending)), Hearing(HearingKind::Two(hearing))))
            }
        }
    }

    /// Resolves when the server closes or resets the connection while no request is under way.
    pub async fn closed(&mut self) {
        match &mut self.0 {
            Kind::One(line) => line.closed().await,
            Kind::Two(connection) => connection.closed().await,
        }
    }

    /// Whether another request may be sent: the last one was sent and answered to its end, and both sides
    /// keep the connection.
    pub fn reusable(&self) -> bool {
        match &self.0 {
            Kind::One(line) => line.reusable(),
            Kind::Two(connection) => connection.reusable(),
        }
    }
}

impl Sending<'_> {
    /// Sends bytes of the body. Small pieces may wait for more until [`Sending::flush`].
    pub async fn data(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        match &mut self.0 {
            SendingKind::One(sending) => sending.data(bytes).await,
            SendingKind::Two(sending) => sending.data(bytes).await,
        }
    }

    /// Sends whatever waits; to be called before waiting for anything else. May be given up while it
    /// waits, and is gone on with by the next call.
    pub async fn flush(&mut self) -> Result<(), Broken> {
        match &mut self.0 {
            SendingKind::One(sending) => sending.flush().await,
            SendingKind::Two(_) => Ok(()),
        }
    }

    /// Whether [`Sending::flush`] has something to do.
    pub const fn holds(&self) -> bool {
        match &self.0 {
            SendingKind::One(sending) => sending.holds(),
            SendingKind::Two(_) => false,
        }
    }

    /// Ends the request, with `trailers` as they came or none, and sends all of it.
    pub async fn finish(&mut self, trailers: &[u8]) -> Result<(), Broken> {
        match &mut self.0 {
            SendingKind::One(sending) => sending.finish(trailers).await,
            SendingKind::Two(sending) => sending.finish(trailers).await,
        }
    }

    /// After the server has agreed to another protocol (101, or 2xx to CONNECT): what is sent from here on
    /// is not HTTP. What is heard is given as data anyway. There is no such agreement in HTTP/2.
    pub fn upgrade(&mut self) {
        match &mut self.0 {
            SendingKind::One(sending) => sending.upgrade(),
            SendingKind::Two(_) => {}
        }
    }
}

impl Hearing<'_> {
    /// What is heard next, as soon as there is anything: heads first, informational ones included. May be
    /// given up while it waits; nothing is lost. Once the end was heard it is heard again.
    pub async fn next(&mut self) -> Result<Heard<'_>, Broken> {
        match &mut self.0 {
            HearingKind::One(hearing) => hearing.next().await,
            HearingKind::Two(hearing) => hearing.next().await,
        }
    }

    /// How the body is framed whose head was heard last.
    pub const fn length(&self) -> BodyLength {
        match &self.0 {
            HearingKind::One(hearing) => hearing.length(),
            HearingKind::Two(hearing) => hearing.length(),
        }
    }
}
