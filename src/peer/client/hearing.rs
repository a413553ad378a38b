//! What the server sends: each frame is read, and what fits nowhere is told with the reason.

use super::Told;
use super::flight::{Landing, Purpose};
use super::machine::Client;
use super::opening::Stage;
use super::past::{Former, Over};
use crate::model::{Id, Nanos, Revision};
use crate::wire::{Frame, Item, Message, MessageKind, read};

impl Client {
    /// Takes one frame.
    pub(super) fn read(&mut self, now: Nanos, frame: &[u8]) {
        if self.stage == Stage::Closed {
            return;
        }
        match read(frame) {
            Frame::Blank => {}
            Frame::Message(message) => self.message(now, &message),
            Frame::Batch(items) => self.batch(now, frame, &items),
            Frame::NotRpc { why, .. } => self.stray(frame, format!("this is no message: {why}")),
            Frame::NotJson(fault) => {
                self.stray(frame, format!("this is not JSON: {} at byte {}", fault.what, fault.at));
            }
        }
    }

    /// A batch is read item by item, whether or not the revision has batches (JR-017).
    fn batch(&mut self, now: Nanos, frame: &[u8], items: &[Item<'_>]) {
        if items.is_empty() {
            return self.stray(frame, "an empty batch, which says nothing (JR-019)");
        }
        if self.revision() != Revision::V2025_03_26 {
            let why = format!("a batch, which {} does not have (JR-017); it was read item by item", self.revision());
            self.stray(frame, why);
        }
        for item in items {
            match item {
                Item::Message(message) => self.message(now, message),
                Item::NotRpc { json, why } => self.stray(json.raw(), format!("an item that is no message: {why}")),
            }
        }
    }

    fn message(&mut self, now: Nanos, message: &Message<'_>) {
        match message.kind {
            MessageKind::Request => self.asked(now, message),
            MessageKind::Notification => self.notified(now, message),
            MessageKind::Result | MessageKind::Error => self.answered(now, message),
        }
    }

    /// An answer: to a request on the wire, or to none.
    fn answered(&mut self, now: Nanos, message: &Message<'_>) {
        let id = message.id.clone().unwrap_or(Id::Null);
        let flight = match self.flights.take_at(&id, self.place) {
            // Servers that do not understand the first message answer without its id (running-peers).
            None if id == Id::Null && message.kind == MessageKind::Error => self.take_opening(),
            found => found,
        };
        let Some(flight) = flight else { return self.answer_astray(&id, message) };
        self.past.note(flight.id.clone(), flight.purpose, Over::Answered);
        match (message.kind, message.result, message.error) {
            (MessageKind::Error, _, Some(error)) => self.landed(now, flight, Landing::Error(error)),
            (_, Some(result), _) => {
                self.notice_identity(result);
                self.landed(now, flight, Landing::Result(result));
            }
            _ => {}
        }
    }

    /// The request that opens the connection, where nothing else is on the wire.
    fn take_opening(&mut self) -> Option<super::flight::Flight> {
        let only = self.flights.only()?;
        let opens = matches!(only.purpose, Purpose::Probe | Purpose::Initialize);
        let id = only.id.clone();
        if opens { self.flights.take(&id) } else { None }
    }

    /// An answer to nothing that is on the wire.
    fn answer_astray(&mut self, id: &Id, message: &Message<'_>) {
        let bytes = message.json.raw();
        if let Some(Former { purpose, over, .. }) = self.past.find(id) {
            let late = match over {
                Over::Answered => "a second answer to",
                Over::Cancelled => "a late answer, after it was cancelled, to",
                Over::TimedOut => "a late answer, after its time was up, to",
                Over::Forgotten => "a late answer to",
            };
            match *purpose {
                Purpose::Probe => self.stray(bytes, format!("{late} server/discover; it changes nothing")),
                Purpose::Initialize => self.stray(bytes, format!("{late} initialize")),
                Purpose::SetLevel => self.stray(bytes, format!("{late} logging/setLevel")),
                purpose => {
                    if let Some(call) = purpose.call() {
                        self.tell(Told::Late { call, message: bytes.into() });
                    }
                }
            }
            return;
        }
        let why = match id {
            id if message.id.is_some() && self.past.is_raw(id) => format!("the answer to {id}, which was sent raw"),
            Id::Null if message.id.is_none() => "an answer without an id (JR-011)".to_owned(),
            Id::Null => "an answer with the id null".to_owned(),
            id => match self.flights.iter().find(|flight| is_other_type(&flight.id, id)) {
                Some(flight) => format!("an answer to {id}, but the request's id is {} (JR-007)", flight.id),
                None => format!("an answer to {id}, which is no request of this client's (JR-007)"),
            },
        };
        self.stray(bytes, why);
    }
}

/// Whether two ids differ in their JSON type alone.
fn is_other_type(one: &Id, other: &Id) -> bool {
    match (one, other) {
        (Id::Number(number), Id::String(text)) | (Id::String(text), Id::Number(number)) => number == text,
        _ => false,
    }
}
