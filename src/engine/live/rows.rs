//! Rows of the timeline, made on demand from the trace: what stands in each column. Which rows are
//! shown is for `timeline`; everything about one of them is for `detail`.

use std::sync::Arc;

use super::view::{Row, RowKey, Sign, Status, View};
use super::{requests, visible};
use crate::model::{EntryKind, Seq, Side};
use crate::trace::{self, Exchange, Marks, Name, Note, NoteKind, RowRef, Trace};
use crate::wire;

/// The head of an entry's bytes, read when a row has nothing but its text to show.
pub(super) type Head<'a> = &'a mut dyn FnMut(Seq) -> Vec<u8>;

/// How many rows a view has.
pub(super) fn total(trace: &Trace, view: View) -> u32 {
    let rows = match view {
        View::Exchanges => trace.rows().len(),
        View::Messages => trace.notes().len(),
    };
    u32::try_from(rows).unwrap_or(u32::MAX)
}

/// What the row at `position` stands for.
pub(super) fn key(trace: &Trace, view: View, position: u32) -> Option<RowKey> {
    match view {
        View::Exchanges => trace.rows().get(position as usize).map(|row| match *row {
            RowRef::Exchange(index) => RowKey::Exchange(index),
            RowRef::Entry(seq) => RowKey::Entry(seq),
        }),
        View::Messages => trace.notes().get(position as usize).map(|note| RowKey::Entry(note.seq)),
    }
}

/// The position at which a view shows `key`; in the view of messages an exchange is at its request,
/// in that of exchanges an entry is at the exchange that it belongs to.
pub(super) fn position(trace: &Trace, view: View, key: RowKey) -> Option<u32> {
    let seq = first_seq(trace, key)?;
    let at = match (view, key) {
        (View::Messages, _) => trace.position(seq)?,
        (View::Exchanges, RowKey::Exchange(index)) => place(trace, RowRef::Exchange(index), seq)?,
        (View::Exchanges, RowKey::Entry(_)) => place(trace, RowRef::Entry(seq), seq).or_else(|| {
            let index = trace.note(seq)?.exchange()?;
            place(trace, RowRef::Exchange(index), trace.exchanges().get(index as usize)?.request.seq)
        })?,
    };
    u32::try_from(at).ok()
}

/// Where a row is that begins with entry `seq`; the requests of a batch all begin with one.
fn place(trace: &Trace, row: RowRef, seq: Seq) -> Option<usize> {
    let rows = trace.rows();
    let first = rows.partition_point(|other| row_seq(trace, *other) < seq);
    let same = rows[first..].iter().take_while(|other| row_seq(trace, **other) == seq);
    same.enumerate().find(|(_, other)| **other == row).map(|(offset, _)| first + offset)
}

/// The number of the first entry of a row.
pub(super) fn first_seq(trace: &Trace, key: RowKey) -> Option<Seq> {
    match key {
        RowKey::Exchange(index) => trace.exchanges().get(index as usize).map(|exchange| exchange.request.seq),
        RowKey::Entry(seq) => Some(seq),
    }
}

/// The number of the first entry of a row.
pub(super) fn row_seq(trace: &Trace, row: RowRef) -> Seq {
    match row {
        RowRef::Exchange(index) => trace.exchanges().get(index as usize).map_or(0, |exchange| exchange.request.seq),
        RowRef::Entry(seq) => seq,
    }
}

/// The row of `key` in a view.
pub(super) fn row(trace: &Trace, view: View, key: RowKey, head: Head<'_>) -> Option<Row> {
    match key {
        RowKey::Exchange(index) => trace.exchanges().get(index as usize).map(|exchange| {
            let row = of_exchange(trace, exchange);
            Row { key, going: requests::going(trace, index), ..row }
        }),
        RowKey::Entry(seq) => trace.note(seq).map(|note| match requests::of_row(trace, view, seq) {
            Some(http) => requests::row(trace, http, note, says(note).then(|| of_entry(trace, note, head))),
            None => of_entry(trace, note, head),
        }),
    }
}

fn of_exchange(trace: &Trace, exchange: &Exchange) -> Row {
    Row {
        key: RowKey::Entry(exchange.request.seq),
        seq: exchange.request.seq,
        at: exchange.at,
        sign: from(Some(exchange.side)),
        method: shown(trace, exchange.method),
        subject: shown(trace, exchange.subject),
        status: status(exchange.status),
        outcome: requests::with_status(trace, exchange, shown(trace, exchange.outcome)),
        duration: exchange.duration(),
        size: exchange.size,
        rounds: rounds(trace, exchange),
        going: None,
    }
}

fn of_entry(trace: &Trace, note: &Note, head: Head<'_>) -> Row {
    let (method, subject) = words(trace, note, head);
    let plain = Row {
        key: RowKey::Entry(note.seq),
        seq: note.seq,
        at: note.at,
        sign: sign(note),
        method,
        subject,
        status: Status::None,
        outcome: Arc::from(""),
        duration: None,
        size: note.size,
        rounds: 1,
        going: None,
    };
    let exchange = note.exchange().and_then(|index| trace.exchanges().get(index as usize));
    match (note.kind, exchange) {
        (NoteKind::Request, Some(exchange)) => {
            let status = Some(status(exchange.status)).filter(|status| *status == Status::Pending);
            Row { status: status.unwrap_or(Status::None), ..plain }
        }
        (NoteKind::Result | NoteKind::Error, Some(exchange)) if is_answer(note, exchange) => {
            let answered = of_exchange(trace, exchange);
            Row { status: answered.status, outcome: answered.outcome, duration: answered.duration, ..plain }
        }
        (NoteKind::Result | NoteKind::Error, _) => {
            Row { status: Status::Odd, outcome: Arc::from(odd_answer(note.marks)), ..plain }
        }
        (NoteKind::Head, _) => Row { status: requests::head_status(&plain.method), ..plain },
        _ => plain,
    }
}

fn is_answer(note: &Note, exchange: &Exchange) -> bool {
    exchange.answer.is_some_and(|answer| answer.seq == note.seq)
}

fn odd_answer(marks: Marks) -> &'static str {
    if marks.has(Marks::DUPLICATE) {
        "answered twice"
    } else if marks.has(Marks::AMBIGUOUS) {
        "ambiguous"
    } else if marks.has(Marks::LATE) {
        "late"
    } else {
        "no such request"
    }
}

/// Whether an entry is a message, which says more than the HTTP request that carried it.
const fn says(note: &Note) -> bool {
    matches!(note.kind, NoteKind::Notification | NoteKind::Result | NoteKind::Error | NoteKind::Batch)
}

/// What stands in the columns for method and subject.
fn words(trace: &Trace, note: &Note, head: Head<'_>) -> (Arc<str>, Arc<str>) {
    let text = |head: Head<'_>| {
        let bytes = head(note.seq);
        let kind = if requests::is_event(trace, note) { EntryKind::Event } else { EntryKind::Frame };
        Arc::from(visible::first_line(&wire::payload(kind, &bytes)))
    };
    match note.kind {
        // Of very many different logs or progress notices the trace keeps no subjects.
        NoteKind::Notification if note.subject.is_none() && is_fleeting(trace.name(note.method)) => {
            (shown(trace, note.method), text(head))
        }
        NoteKind::Request | NoteKind::Notification | NoteKind::Batch | NoteKind::Lifecycle => {
            (shown(trace, note.method), shown(trace, note.subject))
        }
        NoteKind::Result | NoteKind::Error => {
            let exchange = note.exchange().and_then(|index| trace.exchanges().get(index as usize));
            match exchange {
                Some(exchange) => (shown(trace, exchange.method), shown(trace, exchange.subject)),
                None => (Arc::from("answer"), text(head)),
            }
        }
        NoteKind::Stderr => (Arc::from("stderr"), text(head)),
        NoteKind::Head => requests::head_words(&head(note.seq)),
        NoteKind::Body => (Arc::from("body"), text(head)),
        NoteKind::Event => (Arc::from("event"), requests::event_words(&head(note.seq))),
        NoteKind::NotJson => (Arc::from("not JSON"), text(head)),
        NoteKind::NotRpc => (Arc::from("not JSON-RPC"), text(head)),
        NoteKind::Blank => (Arc::from("blank line"), Arc::from("")),
        NoteKind::Unfinished => (Arc::from("unfinished"), text(head)),
        NoteKind::Truncated => (Arc::from("truncated"), text(head)),
    }
}

fn is_fleeting(method: &str) -> bool {
    matches!(method, "notifications/message" | "notifications/progress")
}

/// The sign of an entry's row.
pub(super) fn sign(note: &Note) -> Sign {
    match note.kind {
        NoteKind::Request
        | NoteKind::Result
        | NoteKind::Error
        | NoteKind::Batch
        | NoteKind::Head
        | NoteKind::Body
        | NoteKind::Event => from(note.side),
        NoteKind::Notification => Sign::Notification,
        NoteKind::Stderr => Sign::Stderr,
        NoteKind::Lifecycle => Sign::Lifecycle,
        NoteKind::NotJson | NoteKind::NotRpc | NoteKind::Blank | NoteKind::Unfinished | NoteKind::Truncated => {
            Sign::Broken
        }
    }
}

/// The sign of what a side sent.
pub(super) fn sign_of(side: Side) -> Sign {
    from(Some(side))
}

fn from(side: Option<Side>) -> Sign {
    if side == Some(Side::Server) { Sign::FromServer } else { Sign::FromClient }
}

/// How an exchange stands, in the few words that the window has a colour for.
pub(super) const fn status(status: trace::Status) -> Status {
    match status {
        trace::Status::Pending => Status::Pending,
        trace::Status::Ok => Status::Ok,
        trace::Status::Failed | trace::Status::Error => Status::Error,
        trace::Status::Cancelled | trace::Status::Late | trace::Status::Ambiguous => Status::Odd,
        trace::Status::Unanswered => Status::Unanswered,
        trace::Status::Closed => Status::None,
    }
}

fn rounds(trace: &Trace, exchange: &Exchange) -> u32 {
    let operation = exchange.operation.and_then(|index| trace.operations().get(index as usize));
    operation.map_or(1, |operation| operation.rounds.max(1))
}

/// A string of the trace as a column shows it: as it is, unless it is foreign text that would not stay
/// in its column.
pub(super) fn shown(trace: &Trace, name: Name) -> Arc<str> {
    let text = trace.name(name);
    let plain = text.len() <= visible::HEAD && !text.contains(visible::is_hidden);
    if plain { Arc::clone(text) } else { Arc::from(visible::one_line(text, false)) }
}
