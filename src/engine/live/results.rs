//! The thread that lays out what calls of the window's clients ended with, as `inspect` does for what was recorded, so
//! that neither the window nor a connection waits for a large one.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::content;
use super::outbox::{Gone, Outbox};
use super::view::{Body, ClientEvent, ConnectionId, Event};
use crate::engine::clock;
use crate::model::Side;
use crate::peer::client::{Bytes, CallId, Outcome};

/// What a call ended with.
#[derive(Debug)]
pub(super) struct Result {
    connection: ConnectionId,
    call: CallId,
    bytes: Bytes,
}

impl Result {
    /// The bytes in an outcome; nothing where it has none.
    pub(super) fn of(connection: ConnectionId, call: CallId, outcome: &Outcome) -> Option<Self> {
        let (Outcome::Result(bytes) | Outcome::Error(bytes) | Outcome::Http { body: bytes, .. }) = outcome else {
            return None;
        };
        Some(Self { connection, call, bytes: Arc::clone(bytes) })
    }
}

/// Lays results out until the connections have gone.
pub(super) fn run(results: &Receiver<Result>, out: &Outbox) {
    while let Ok(Result { connection, call, bytes }) = results.recv() {
        let body = Arc::new(laid_out(&bytes));
        if let Err(Gone) = out.post(Event::Client(ClientEvent::Laid(connection, call, body))) {
            return;
        }
    }
}

/// A result is no entry of a recording; it is shown like the frame that it came in.
fn laid_out(bytes: &[u8]) -> Body {
    let mut body = Body::loose(bytes, Some(Side::Server), clock::wall());
    if body.pretty.is_some() {
        body.content = content::of(bytes);
    }
    body
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Result, laid_out};

    #[test]
    fn what_has_bytes_is_laid_out_with_its_content() {
        let text = r#"{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}"#;
        let result = Result::of(1, 2, &Outcome::Result(text.as_bytes().into())).expect("bytes");
        let body = laid_out(&result.bytes);
        assert!(body.pretty.is_some());
        assert_eq!((body.content.len(), body.content[0].pointer.as_str()), (1, "/content/0/data"));
        assert!(laid_out(b"<html>").pretty.is_none());
        assert!(Result::of(1, 2, &Outcome::Cancelled).is_none());
    }
}
