//! A request's body on its way into hyper: given piece by piece at one end, taken at the other as the
//! server has room for it.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame};
use thiserror::Error;
use tokio::sync::mpsc;

use crate::transport::http::broken::Broken;

/// How many pieces may wait.
const ROOM: usize = 4;

enum Part {
    Frame(Frame<Bytes>),
    End,
}

/// Where the body is given. Dropping it before [`Outlet::end`] resets the stream.
#[derive(Debug)]
pub(super) struct Outlet(mpsc::Sender<Part>);

/// Where hyper takes it.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// `None` when it is over.
    parts: Option<mpsc::Receiver<Part>>,
}

/// The body was given up before its end.
#[derive(Debug, Error)]
#[error("the client gave up its request")]
pub(super) struct GivenUp;

/// A body and where it is given.
pub(super) fn channel() -> (Outlet, Outgoing) {
    let (sender, receiver) = mpsc::channel(ROOM);
    (Outlet(sender), Outgoing { parts: Some(receiver) })
}

impl Outlet {
    /// Gives the next piece; waits while the server has no room.
    pub(super) async fn put(&self, frame: Frame<Bytes>) -> Result<(), Broken> {
        self.send(Part::Frame(frame)).await
    }

    /// Ends the body in order.
    pub(super) async fn end(&self) -> Result<(), Broken> {
        self.send(Part::End).await
    }

    async fn send(&self, part: Part) -> Result<(), Broken> {
        let taken = self.0.send(part).await;
        taken.map_err(|_| Broken::Http2 { why: "the server takes no more of the request".to_owned(), gone: true })
    }
}

impl Outgoing {
    /// No body.
    pub(super) const fn none() -> Self {
        Self { parts: None }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = GivenUp;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, GivenUp>>> {
        let Some(parts) = &mut self.parts else { return Poll::Ready(None) };
        let part = ready!(parts.poll_recv(context));
        Poll::Ready(match part {
            Some(Part::Frame(frame)) => Some(Ok(frame)),
            Some(Part::End) => {
                self.parts = None;
                None
            }
            None => {
                self.parts = None;
                Some(Err(GivenUp))
            }
        })
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_none()
    }
}
