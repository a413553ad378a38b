//! What clients send: each frame is read, and what is no message is answered with the error that JSON-RPC has for it.

use super::fault::{Fault, PARSE, REQUEST};
use super::machine::Server;
use super::{Bytes, ClientId, Do, Ticket, Told};
use crate::model::{Nanos, Revision};
use crate::wire::{Frame, Item, Json, JsonKind, Message, MessageKind, read};

/// Where a message came from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) client: ClientId,
    pub(super) via: Ticket,
    /// The header fields of the POST that brought it.
    pub(super) fields: Option<&'a [(String, String)]>,
    /// The batch that it is of.
    pub(super) batch: Option<u64>,
}

impl Source<'_> {
    /// The value of a header field, its name in lower case.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let fields = self.fields?;
        fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim_matches([' ', '\t']))
    }
}

impl Server {
    /// Takes one frame.
    pub(super) fn read(
        &mut self,
        now: Nanos,
        client: ClientId,
        via: Ticket,
        fields: Option<&[(String, String)]>,
        frame: &[u8],
    ) {
        if self.clients.get(client).is_none() {
            self.stray(client, frame, "nobody knows this client: it was not let in, or has gone");
            if via != 0 {
                let (status, fields, body) = (503, Vec::new(), Bytes::from(*b""));
                self.todo.push_back(Do::Respond { ticket: via, status, fields, body });
            }
            return;
        }
        let source = Source { client, via, fields, batch: None };
        match read(frame) {
            Frame::Blank if via == 0 => {}
            Frame::Blank => self.broken(&source, frame, "the body is empty"),
            Frame::Message(message) => self.message(now, &source, &message),
            Frame::Batch(items) => self.batch(now, &source, frame, &items),
            Frame::NotRpc { json, why } => self.no_message(&source, json, why),
            Frame::NotJson(fault) => {
                self.broken(&source, frame, &format!("this is not JSON: {} at byte {}", fault.what, fault.at));
            }
        }
    }

    fn message(&mut self, now: Nanos, source: &Source<'_>, message: &Message<'_>) {
        if message.kind != MessageKind::Request
            && let Err(fault) = self.check_version_field(source)
        {
            self.stray(source.client, message.json.raw(), fault.message.clone());
            return self.complain(source.client, source.via, None, &fault);
        }
        match message.kind {
            MessageKind::Request => self.request(now, source, message),
            MessageKind::Notification => self.notified(now, source, message),
            MessageKind::Result | MessageKind::Error => self.answered(now, source, message),
        }
    }

    /// A batch: read item by item where the revision has such, and refused where it was taken away again (JR-017 …
    /// JR-022).
    fn batch(&mut self, now: Nanos, source: &Source<'_>, frame: &[u8], items: &[Item<'_>]) {
        let revision = self.revision_of(source);
        let taken = revision
            .as_ref()
            .is_none_or(|revision| matches!(revision.nearest_known(), Revision::V2024_11_05 | Revision::V2025_03_26));
        if items.is_empty() || !taken {
            let revision = revision.map_or_else(|| "the protocol".to_owned(), |revision| revision.to_string());
            let why = if items.is_empty() {
                "an empty batch says nothing (JR-019)".to_owned()
            } else {
                format!("{revision} has no batches (JR-017)")
            };
            self.stray(source.client, frame, why.clone());
            let id = self.unknown_id(source.client);
            return self.complain(source.client, source.via, id, &Fault::new(REQUEST, why));
        }
        let batch = self.deliveries.batch();
        let inside = Source { batch: Some(batch), ..*source };
        for item in items {
            match item {
                Item::Message(message) => self.message(now, &inside, message),
                Item::NotRpc { json, why } => self.no_message(&inside, *json, why),
            }
        }
        if let Some(whole) = self.deliveries.leave(batch) {
            self.send(source.client, source.via, whole, 200);
        }
    }

    /// The revision that a client speaks, as far as it is known before a message is read.
    pub(super) fn revision_of(&self, source: &Source<'_>) -> Option<Revision> {
        let client = self.clients.get(source.client)?;
        let in_head = || source.field("mcp-protocol-version").map(Revision::from_text);
        client.revision.clone().or_else(in_head).or_else(|| client.modern.then_some(Revision::V2026_07_28))
    }

    /// What stands for the id that could not be read (JR-012): nothing where the revision lets it be left out.
    pub(super) fn unknown_id(&self, client: ClientId) -> Option<&'static [u8]> {
        let client = self.clients.get(client)?;
        let left_out = client.modern
            || client.revision.as_ref().is_some_and(|revision| {
                matches!(revision.nearest_known(), Revision::V2025_11_25 | Revision::V2026_07_28)
            });
        (!left_out).then_some(b"null")
    }

    fn broken(&mut self, source: &Source<'_>, frame: &[u8], why: &str) {
        self.stray(source.client, frame, why);
        let id = self.unknown_id(source.client);
        self.complain(source.client, source.via, id, &Fault::new(PARSE, why));
    }

    /// JSON that is no message. Its id is repeated where it could be one (JR-011).
    fn no_message(&mut self, source: &Source<'_>, json: Json<'_>, why: &str) {
        self.stray(source.client, json.raw(), format!("this is no message: {why}"));
        let fit = |id: &Json<'_>| matches!(id.kind(), JsonKind::String | JsonKind::Number);
        let id = json.get("id").filter(fit).map(|id| id.raw());
        self.object_to(source, id, &Fault::new(REQUEST, format!("this is no message: {why}")));
    }

    /// An error for what is no request, in its batch or by itself.
    pub(super) fn object_to(&mut self, source: &Source<'_>, id: Option<&[u8]>, fault: &Fault) {
        let id = id.or_else(|| self.unknown_id(source.client));
        match source.batch {
            None => self.complain(source.client, source.via, id, fault),
            Some(batch) => {
                let (id, error) = (id.unwrap_or(b"null"), fault.object());
                let parts = [br#"{"jsonrpc":"2.0","id":"#, id, br#","error":"#, error.as_bytes(), b"}"];
                self.deliveries.gather(batch, parts.concat());
            }
        }
    }

    /// An answer: to something that was asked of the client, or to nothing.
    fn answered(&mut self, now: Nanos, source: &Source<'_>, message: &Message<'_>) {
        if self.replied(now, source.client, message) {
            return;
        }
        let bytes = message.json.raw();
        let modern = self.revision_of(source).is_some_and(|revision| revision.era() == crate::model::Era::Modern);
        if modern {
            self.stray(source.client, bytes, "an answer, and in 2026-07-28 clients send none (JR-028)");
            if source.via != 0 {
                let fault = Fault::new(REQUEST, "in 2026-07-28 clients send no answers (JR-028)");
                self.complain(source.client, source.via, None, &fault);
            }
            return;
        }
        self.stray(source.client, bytes, "an answer to nothing that was asked (JR-007)");
    }

    /// Says once that a client breaks a rule; by which the sentence ends.
    pub(super) fn remark(&mut self, client: ClientId, rule: &'static str, what: &str) {
        let Some(known) = self.clients.get_mut(client).filter(|known| !known.remarked.contains(&rule)) else { return };
        known.remarked.push(rule);
        self.tell(Told::Note(None, format!("client {client}: {what} ({rule})")));
    }
}
