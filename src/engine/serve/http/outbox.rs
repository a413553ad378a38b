//! What is to be written on one response, from the machine to the task of its connection: in order, without anybody
//! waiting, and bounded in bytes.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::peer::server::Bytes;

/// So many bytes may wait for a client that reads slowly; one message may always wait.
const ROOM: usize = 16 << 20;

/// One thing to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The response tells this session id.
    Session(String),
    /// A message; with the id of its event, should it become one, and the status, should it become the body.
    Message(Bytes, Option<String>, u16),
    /// Bytes as they are.
    Raw(Bytes),
    /// Changes of header fields; see [`Do::Fields`](crate::peer::server::Do::Fields).
    Fields(Vec<(String, Option<String>)>),
    /// This response and no other: status, header fields, body.
    Respond(u16, Vec<(String, String)>, Bytes),
    /// The end, in order.
    Done,
    /// The end of the stream in order; the client comes back for the rest.
    Close,
    /// The end, in the middle.
    Break,
}

impl Part {
    fn load(&self) -> usize {
        match self {
            Self::Message(bytes, ..) | Self::Raw(bytes) | Self::Respond(_, _, bytes) => bytes.len() + 64,
            _ => 64,
        }
    }
}

/// What is to be written on one response.
#[derive(Debug, Default)]
pub struct Outbox {
    held: Mutex<Held>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Held {
    parts: VecDeque<Part>,
    load: usize,
    closed: bool,
}

impl Outbox {
    /// Adds something; `false` when nobody takes it any more. Where too much waits, the response is broken off instead.
    pub fn put(&self, part: Part) -> bool {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.closed {
            return false;
        }
        let load = part.load();
        let is_full = held.load > 0 && held.load + load > ROOM;
        if is_full {
            held.closed = true;
            held.parts.push_back(Part::Break);
        } else {
            held.closed = matches!(part, Part::Done | Part::Close | Part::Break | Part::Respond(..));
            held.load += load;
            held.parts.push_back(part);
        }
        drop(held);
        self.filled.notify_one();
        !is_full
    }

    /// Waits until something is there, and takes all of it. May be given up without losing anything.
    pub async fn take(&self) -> VecDeque<Part> {
        loop {
            let parts = self.try_take();
            if !parts.is_empty() {
                return parts;
            }
            self.filled.notified().await;
        }
    }

    /// Takes what is there.
    pub fn try_take(&self) -> VecDeque<Part> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.load = 0;
        std::mem::take(&mut held.parts)
    }

    /// Nobody takes anything any more.
    pub fn shut(&self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.closed = true;
        held.parts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Outbox, Part, ROOM};

    #[test]
    fn a_response_that_nobody_reads_is_broken_off_and_a_large_message_is_not() {
        let outbox = Outbox::default();
        let large = || Part::Message(vec![b' '; ROOM + 1].into(), None, 200);
        assert!(outbox.put(large()), "one message may be as large as it is");
        assert!(!outbox.put(Part::Message(b"{}"[..].into(), None, 200)));
        assert!(!outbox.put(Part::Done), "it is over");
        let taken: Vec<Part> = outbox.try_take().into();
        assert_eq!(taken[1..], [Part::Break]);
        let outbox = Outbox::default();
        for _ in 0..8 {
            assert!(outbox.put(large()));
            assert_eq!(outbox.try_take().len(), 1);
        }
    }
}
