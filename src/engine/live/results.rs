//! The thread that lays out what calls of the window's clients ended with, as `inspect` does for what was recorded, so
//! that neither the window nor a connection waits for a large one.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::content;
use super::outbox::{Gone, Outbox};
use super::view::{Body, ClientEvent, ConnectionId, Event};
use crate::engine::clock;
use crate::model::Side;
use crate::peer::client::{Bytes, CallId, Gist, Outcome};

/// What a call ended with.
#[derive(Debug)]
pub(super) struct Result {
    connection: ConnectionId,
    call: CallId,
    outcome: Outcome,
}

impl Result {
    /// An outcome; nothing where there are no bytes in it.
    pub(super) fn of(connection: ConnectionId, call: CallId, outcome: &Outcome) -> Option<Self> {
        bytes(outcome)?;
        Some(Self { connection, call, outcome: outcome.clone() })
    }
}

/// Lays results out until the connections have gone.
pub(super) fn run(results: &Receiver<Result>, out: &Outbox) {
    while let Ok(Result { connection, call, outcome }) = results.recv() {
        let body = Arc::new(laid_out(bytes(&outcome).map_or(&[][..], |bytes| bytes)));
        let gist = Gist::of(&outcome);
        if let Err(Gone) = out.post(Event::Client(ClientEvent::Laid(connection, call, body, gist))) {
            return;
        }
    }
}

/// The bytes in an outcome.
fn bytes(outcome: &Outcome) -> Option<&Bytes> {
    match outcome {
        Outcome::Result(bytes) | Outcome::Error(bytes) | Outcome::Http { body: bytes, .. } => Some(bytes),
        _ => None,
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
        let body = laid_out(super::bytes(&result.outcome).expect("bytes"));
        assert!(body.pretty.is_some());
        assert_eq!((body.content.len(), body.content[0].pointer.as_str()), (1, "/content/0/data"));
        assert!(laid_out(b"<html>").pretty.is_none());
        assert!(Result::of(1, 2, &Outcome::Cancelled).is_none());
    }
}
