//! Answers on their way to the host: bytes become lines, each whole, and whoever waits for an answer
//! that will not come is told so.

use std::collections::VecDeque;

use super::exchange::{Do, Exchange, Number, Purpose};
use super::{Line, Machine, is_success};
use crate::engine::remote::inlet::{EventEnd, Inlet, Part};
use crate::engine::remote::line::{Asked, Kind};
use crate::engine::remote::refusal::{Refusal, adopted, answered};
use crate::engine::remote::values::Values;
use crate::model::Nanos;

/// A message that is larger is passed on while it comes, and the others wait for their turn.
const HOLD: usize = 4 << 20;
/// The longest message that is given to our own client.
const LONGEST: usize = 256 << 20;
/// So much is kept of a body that is looked at when it is complete.
const KEPT: usize = 1 << 20;

/// Who may write to the host in the middle of a line.
#[derive(Debug, Default)]
pub struct Pen {
    /// The exchange whose line is begun.
    holder: Option<Number>,
    /// Those that wait to begin one of theirs.
    next: VecDeque<Number>,
    /// Lines of our own that wait.
    late: Vec<u8>,
}

/// A part that is ours to keep.
enum Piece {
    Text(Vec<u8>),
    End(Option<EventEnd>),
}

impl Machine {
    /// Takes the next bytes of a response's body. More may follow after [`Do::ReadOn`].
    pub fn body(&mut self, now: Nanos, number: Number, bytes: &[u8]) {
        let Some(exchange) = self.exchanges.get_mut(&number) else { return };
        let mut pieces = Vec::new();
        match &mut exchange.inlet {
            Inlet::Held => keep(&mut exchange.body, bytes, KEPT),
            inlet => {
                if exchange.body.len() < 2048 {
                    keep(&mut exchange.body, bytes, 2048);
                }
                inlet.push(bytes, &mut |part| match part {
                    Part::Text(text) => pieces.push(Piece::Text(text.to_vec())),
                    Part::End(event) => pieces.push(Piece::End(event)),
                });
            }
        }
        for piece in pieces {
            self.piece(now, number, piece);
        }
        self.turn(number);
        self.advance(now);
    }

    fn piece(&mut self, now: Nanos, number: Number, piece: Piece) {
        let has_pen = self.pen.holder == Some(number);
        match piece {
            Piece::Text(text) if has_pen => self.out.push_back(Do::Print(text)),
            Piece::Text(text) => self.gather(number, &text),
            Piece::End(_) if has_pen => {
                self.out.push_back(Do::Print(b"\n".to_vec()));
                self.passed_through(number);
                self.hand_on();
            }
            Piece::End(event) => {
                let Some(exchange) = self.exchanges.get_mut(&number) else { return };
                let text = std::mem::take(&mut exchange.text);
                match std::mem::take(&mut exchange.skipped) {
                    0 => self.message(now, number, text, event),
                    skipped => {
                        let size = text.len() + skipped;
                        self.out.push_back(Do::Damaged(text, size));
                    }
                }
            }
        }
    }

    /// Keeps more of a message, unless it is too long for our own client, or all together are.
    fn gather(&mut self, number: Number, text: &[u8]) {
        let held: usize = if self.whole { self.exchanges.values().map(|one| one.text.len()).sum() } else { 0 };
        let Some(exchange) = self.exchanges.get_mut(&number) else { return };
        let is_long = self.whole && (exchange.text.len() + text.len() > LONGEST || held + text.len() > 2 * LONGEST);
        if is_long || exchange.skipped > 0 {
            exchange.skipped += text.len();
            exchange.text.truncate(KEPT);
        } else {
            exchange.text.extend_from_slice(text);
        }
    }

    /// Lets an exchange read on, or wait for its turn.
    fn turn(&mut self, number: Number) {
        let Some(exchange) = self.exchanges.get_mut(&number) else { return };
        if exchange.text.len() > HOLD && !self.whole {
            if self.pen.holder.is_none() {
                self.pen.holder = Some(number);
                self.out.push_back(Do::Print(std::mem::take(&mut exchange.text)));
            } else {
                exchange.paused = true;
                self.pen.next.push_back(number);
            }
        }
        if !exchange.paused {
            self.out.push_back(Do::ReadOn(number));
        }
    }

    /// A line has ended that was begun before it was complete: whoever waited may write.
    fn hand_on(&mut self) {
        self.pen.holder = None;
        let late = std::mem::take(&mut self.pen.late);
        if !late.is_empty() {
            self.out.push_back(Do::Print(late));
        }
        for (&number, exchange) in &mut self.exchanges {
            if !exchange.ready.is_empty() {
                self.out.push_back(Do::Print(std::mem::take(&mut exchange.ready)));
            }
            if exchange.paused && !self.pen.next.contains(&number) {
                exchange.paused = false;
                self.out.push_back(Do::ReadOn(number));
            }
        }
        while let Some(number) = self.pen.next.pop_front() {
            if let Some(exchange) = self.exchanges.get_mut(&number) {
                exchange.paused = false;
                return self.turn(number);
            }
        }
    }

    /// A message went to the host without being read: it is taken for the answer where there is one
    /// request that it can belong to.
    fn passed_through(&mut self, number: Number) {
        if let Some(exchange) = self.exchanges.get_mut(&number) {
            exchange.fruitful = true;
            if exchange.waits.len() == 1 {
                exchange.waits.clear();
            }
        }
    }

    /// A message is complete.
    fn message(&mut self, now: Nanos, number: Number, text: Vec<u8>, event: Option<EventEnd>) {
        let Some(exchange) = self.exchanges.get_mut(&number) else { return };
        if let Some(event) = event {
            if let Some(id) = event.id {
                exchange.bids |= !id.is_empty() && exchange.last_event.as_ref() != Some(&id);
                exchange.last_event = Some(id).filter(|id| !id.is_empty());
            }
            exchange.retry = event.retry.or(exchange.retry);
            match event.name.as_deref() {
                None | Some("message") => {}
                Some("endpoint") if matches!(exchange.purpose, Purpose::Opening | Purpose::Stream) => {
                    return self.endpoint(now, number, &text);
                }
                // Other events are not messages (SE-003); an SDK passes over them too.
                Some(_) => return,
            }
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        exchange.fruitful = true;
        if exchange.line.as_ref().is_some_and(|line| line.method == "tools/list") {
            self.tools.learn(&text);
        }
        if !self.greeted(now, number, &text) {
            self.deliver(number, text);
        }
    }

    /// Gives a message to the host.
    fn deliver(&mut self, number: Number, mut text: Vec<u8>) {
        let ids = answered(&text);
        self.tell_which(number, &ids);
        if let Some(stream) = &mut self.legacy.stream {
            stream.waits.retain(|(_, asked)| !ids.contains(&asked.id));
        }
        if let Some(exchange) = self.exchanges.get_mut(&number) {
            exchange.waits.retain(|asked| !ids.contains(&asked.id));
            if let [asked] = &exchange.waits[..]
                && !exchange.inlet.is_events()
                && let Some(line) = adopted(&text, asked)
            {
                let id = String::from_utf8_lossy(&asked.raw).into_owned();
                exchange.waits.clear();
                self.note(number, "id", id);
                return self.print(number, line);
            }
        }
        text.push(b'\n');
        self.print(number, text);
    }

    /// Writes a line of an exchange, or keeps it until its turn has come.
    fn print(&mut self, number: Number, line: Vec<u8>) {
        match (self.pen.holder, self.exchanges.get_mut(&number)) {
            (None, _) => self.out.push_back(Do::Print(line)),
            (Some(_), Some(exchange)) => {
                exchange.ready.extend_from_slice(&line);
                exchange.paused = true;
            }
            (Some(_), None) => self.pen.late.extend_from_slice(&line),
        }
    }

    /// Looks at a body that was kept, now that it is complete: an answer in it goes to the host, whatever
    /// its status and type; of what is no answer only a refusal tells.
    pub(super) fn judge(&mut self, number: Number, exchange: &mut Exchange) {
        let is_unreadable = exchange.line.as_ref().is_some_and(|line| line.kind == Kind::Unreadable);
        if !matches!(exchange.inlet, Inlet::Held) || (exchange.waits.is_empty() && !is_unreadable) {
            return;
        }
        for mut text in messages(&exchange.body) {
            let ids = answered(&text);
            let before = exchange.waits.len();
            if let ([id], Some(asked)) = (&ids[..], exchange.waits.iter().find(|asked| ids.contains(&asked.id)))
                && *id == asked.id
            {
                self.tell_place(asked, 1);
            }
            exchange.waits.retain(|asked| !ids.contains(&asked.id));
            if let [asked] = &exchange.waits[..]
                && let Some(line) = adopted(&text, asked)
            {
                let id = String::from_utf8_lossy(&asked.raw).into_owned();
                exchange.waits.clear();
                self.note(number, "id", id);
                self.print(number, line);
            } else if exchange.waits.len() < before || (is_unreadable && is_answer(&text)) {
                text.push(b'\n');
                self.print(number, text);
            }
        }
    }

    /// Tells the host that its requests get no answer.
    pub(super) fn refuse(&mut self, number: Option<Number>, waits: &[Asked], refusal: &Refusal) {
        for asked in waits {
            if let Some(number) = number {
                let what = format!("answer to {}", String::from_utf8_lossy(&asked.raw));
                self.note(number, &what, refusal.why.clone());
            }
            self.decline(asked, refusal);
        }
    }

    /// The same without a note.
    pub(super) fn decline(&mut self, asked: &Asked, refusal: &Refusal) {
        if self.whole {
            self.tell_place(asked, 1);
            self.out.push_back(Do::Refused(Some(asked.id.clone()), refusal.clone()));
        } else {
            self.print(Number::MAX, refusal.line(asked));
        }
    }

    /// Ends the line that an exchange was in the middle of, and keeps what it had to say.
    pub(super) fn closed(&mut self, number: Number, mut exchange: Exchange) -> Exchange {
        self.pen.next.retain(|&next| next != number);
        self.pen.late.append(&mut exchange.ready);
        if self.pen.holder == Some(number) {
            self.out.push_back(Do::Print(b"\n".to_vec()));
            self.hand_on();
        } else if self.pen.holder.is_none() && !self.pen.late.is_empty() {
            self.hand_on();
        }
        exchange
    }

    /// Whether a line takes a request back. One of 2026-07-28 is taken back by closing its connection,
    /// and nothing is sent (protocol.md 3.4); a notification for one that is over is left out.
    pub(super) fn takes_back(&mut self, line: &Line) -> bool {
        let Some(id) = &line.cancels else { return false };
        let waits = |asked: &Asked| asked.id == *id;
        let found = self.exchanges.iter().find(|(_, exchange)| exchange.waits.iter().any(waits));
        let found = found.map(|(&number, exchange)| (number, exchange.is_modern()));
        match found {
            Some((number, true)) => {
                self.abort(number, "the request was taken back");
                return true;
            }
            Some((number, false)) => {
                // The server need not answer any more, and then nobody is to be told.
                self.exchanges.entry(number).and_modify(|exchange| {
                    exchange.waits.retain(|asked| !waits(asked));
                    exchange.taken_back = exchange.waits.is_empty();
                });
            }
            None => {}
        }
        if let Some(stream) = &mut self.legacy.stream {
            stream.waits.retain(|(_, asked)| !waits(asked));
        }
        self.legacy.resumes.iter_mut().for_each(|resume| resume.waits.retain(|asked| !waits(asked)));
        line.version.is_some() || !self.legacy.is_open()
    }

    /// Closes the connection of an exchange.
    pub(super) fn abort(&mut self, number: Number, why: &'static str) {
        if let Some(exchange) = self.exchanges.remove(&number) {
            self.forget(number);
            self.out.push_back(Do::Abort(number, why));
            self.closed(number, exchange);
        }
    }
}

/// The values in a body, each as a line without its end.
pub fn messages(body: &[u8]) -> Vec<Vec<u8>> {
    let (mut values, mut found, mut text) = (Values::default(), Vec::new(), Vec::new());
    values.push(body, &mut |part| match part {
        Part::Text(part) => text.extend_from_slice(part),
        Part::End(_) => found.push(std::mem::take(&mut text)),
    });
    found
}

/// Whether a text is an answer of JSON-RPC, with or without an id.
fn is_answer(text: &[u8]) -> bool {
    use crate::wire::{Frame, MessageKind, read};
    match read(text) {
        Frame::Message(message) => matches!(message.kind, MessageKind::Result | MessageKind::Error),
        Frame::Batch(_) => true,
        _ => false,
    }
}

fn keep(body: &mut Vec<u8>, bytes: &[u8], limit: usize) {
    let room = limit.saturating_sub(body.len());
    body.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

impl Exchange {
    /// Whether it is a stream of events that the server began with success.
    pub(super) fn is_stream(&self) -> bool {
        is_success(self.answer.status) && self.inlet.is_events()
    }
}
