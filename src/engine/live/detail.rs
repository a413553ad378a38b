//! What is known of one row without reading its bytes: which entries are its request and its answer,
//! what belongs to it, what is unusual. The bytes are added by `inspect`, on its own thread.

use std::path::PathBuf;
use std::sync::Arc;

use super::http::HttpOutline;
use super::view::{Row, RowKey, Sign, View};
use super::{requests, rows};
use crate::model::{ChannelId, Era, Flags, Nanos, Seq, Side};
use crate::trace::{AttachKind, Exchange, Http, Note, NoteKind, Part, Trace};

/// How many things that belong to an exchange are read and shown; more are only counted.
const MOST: usize = 500;

/// Everything about one row but the bytes.
pub(super) struct Outline {
    /// The recording.
    pub(super) path: PathBuf,
    /// Counts the recordings opened: another file may have the same path.
    pub(super) opening: u64,
    /// The state's version.
    pub(super) version: u64,
    /// The row.
    pub(super) row: Row,
    /// The revision by which it is read.
    pub(super) revision: Option<String>,
    /// Its era.
    pub(super) era: Option<Era>,
    /// The id, with its JSON type visible.
    pub(super) id: Option<String>,
    /// The entry of the request, or the entry itself.
    pub(super) request: Option<Seq>,
    /// The entry of the answer.
    pub(super) answer: Option<Seq>,
    /// What else belongs to it.
    pub(super) belongs: Vec<Belonging>,
    /// What is unusual about it.
    pub(super) remarks: Vec<String>,
    /// The HTTP request that it came with.
    pub(super) http: Option<HttpOutline>,
}

/// One thing that belongs to a row, before its bytes are read.
pub(super) struct Belonging {
    /// Its row.
    pub(super) key: RowKey,
    /// Its entry.
    pub(super) seq: Seq,
    /// Nanoseconds after the request.
    pub(super) after: Nanos,
    /// The sign of its row.
    pub(super) sign: Sign,
    /// What it is.
    pub(super) what: What,
    /// Whether it certainly belongs here.
    pub(super) certain: bool,
    /// Whether its entry is an event of a stream.
    pub(super) is_event: bool,
}

/// What something that belongs to a row is, and where its words come from.
pub(super) enum What {
    /// A progress notification: the words are in its bytes.
    Progress,
    /// A log message: the words are in its bytes.
    Log,
    /// The cancellation: the reason is in its bytes.
    Cancelled,
    /// A line: its bytes are its words.
    Line(&'static str),
    /// An exchange or a notification that the trace has words for.
    Said(String, Arc<str>),
}

/// The channel of a row.
pub(super) fn channel(trace: &Trace, key: RowKey) -> Option<ChannelId> {
    match key {
        RowKey::Exchange(index) => trace.exchanges().get(index as usize).map(|exchange| exchange.channel),
        RowKey::Entry(seq) => trace.note(seq).map(|note| note.channel),
    }
}

/// Draws up the outline of `key`; `None` when there is no such row.
pub(super) fn outline(
    trace: &Trace,
    view: View,
    key: RowKey,
    path: PathBuf,
    version: u64,
    head: rows::Head<'_>,
) -> Option<Outline> {
    let row = rows::row(trace, view, key, head)?;
    let bare = Outline {
        path,
        opening: 0,
        version,
        row,
        revision: None,
        era: None,
        id: None,
        request: None,
        answer: None,
        belongs: Vec::new(),
        remarks: Vec::new(),
        http: None,
    };
    Some(match key {
        RowKey::Exchange(index) => of_exchange(trace, trace.exchanges().get(index as usize)?, index, bare),
        RowKey::Entry(seq) => {
            let note = trace.note(seq)?;
            let outline = of_entry(trace, note, bare);
            match requests::of_row(trace, view, seq) {
                Some(http) => of_http(trace, http, outline),
                None => outline,
            }
        }
    })
}

fn of_exchange(trace: &Trace, exchange: &Exchange, index: u32, bare: Outline) -> Outline {
    let mut belongs: Vec<Belonging> =
        exchange.attached.iter().take(MOST).filter_map(|attached| belonging(trace, exchange, attached)).collect();
    belongs.extend(members(trace, exchange, index));
    let mut remarks = trace.remarks(index);
    let unlisted = exchange.attached.len().saturating_sub(MOST) + exchange.more as usize;
    if unlisted > 0 {
        remarks.push(format!("{unlisted} more entries belong to it than are listed; the view of messages shows all."));
    }
    for seq in [Some(exchange.request.seq), exchange.answer.map(|answer| answer.seq)].into_iter().flatten() {
        remarks.extend(trace.note(seq).into_iter().flat_map(flags));
    }
    Outline {
        revision: revision(trace, exchange),
        era: exchange.era,
        id: Some(exchange.id.to_string()),
        request: Some(exchange.request.seq),
        answer: exchange.answer.map(|answer| answer.seq),
        belongs,
        remarks,
        ..bare
    }
}

fn of_entry(trace: &Trace, note: &Note, bare: Outline) -> Outline {
    let exchange = note.exchange().and_then(|index| trace.exchanges().get(index as usize).map(|it| (index, it)));
    let mut remarks = trace.entry_remarks(note.seq);
    remarks.extend(flags(note));
    let belongs = exchange.map(|(index, exchange)| Belonging {
        key: RowKey::Exchange(index),
        seq: exchange.request.seq,
        after: exchange.at - note.at,
        sign: rows::sign_of(exchange.side),
        what: What::Said("belongs to".to_owned(), said(trace, exchange)),
        certain: !note.marks.has(crate::trace::Marks::POSSIBLE) && !note.marks.has(crate::trace::Marks::AMBIGUOUS),
        is_event: false,
    });
    let speaks = matches!(note.kind, NoteKind::Request | NoteKind::Result | NoteKind::Error);
    Outline {
        revision: exchange.and_then(|(_, exchange)| revision(trace, exchange)),
        era: exchange.and_then(|(_, exchange)| exchange.era),
        id: exchange.filter(|_| speaks).map(|(_, exchange)| exchange.id.to_string()),
        request: Some(note.seq),
        belongs: belongs.into_iter().collect(),
        remarks,
        ..bare
    }
}

/// An HTTP request that carries no request of JSON-RPC: its body, and the body of its response.
fn of_http(trace: &Trace, http: &Http, outline: Outline) -> Outline {
    let is_answer =
        |note: &&Note| note.channel == http.channel && note.side == Some(Side::Server) && note.kind != NoteKind::Head;
    let streams = requests::is_stream(trace, http);
    let from = http.response.filter(|_| !streams).and_then(|seq| trace.position(seq));
    let until = |note: &&Note| http.ended.is_none_or(|ended| note.at <= ended);
    let answer = from.and_then(|from| trace.notes()[from..].iter().take_while(until).find(is_answer));
    Outline {
        request: http.body.or(Some(http.request)),
        answer: answer.map(|note| note.seq).or(http.response),
        ..outline
    }
}

fn revision(trace: &Trace, exchange: &Exchange) -> Option<String> {
    let text = trace.name(exchange.revision);
    let doubt = if exchange.certain { "" } else { " (assumed)" };
    (!text.is_empty()).then(|| format!("{text}{doubt}"))
}

/// Method and subject of an exchange, for a list.
fn said(trace: &Trace, exchange: &Exchange) -> Arc<str> {
    let (method, subject) = (trace.name(exchange.method), trace.name(exchange.subject));
    if subject.is_empty() { Arc::clone(method) } else { Arc::from(format!("{method} {subject}")) }
}

fn belonging(trace: &Trace, exchange: &Exchange, attached: &crate::trace::Attached) -> Option<Belonging> {
    let note = trace.note(attached.seq)?;
    let nested = note.exchange().filter(|_| attached.kind == AttachKind::Nested);
    let what = match attached.kind {
        AttachKind::Progress => What::Progress,
        AttachKind::Log => What::Log,
        AttachKind::Cancelled => What::Cancelled,
        AttachKind::Stderr => What::Line("stderr"),
        AttachKind::PossibleAnswer => What::Line("possible answer"),
        AttachKind::DuplicateAnswer => What::Line("second answer"),
        AttachKind::Replayed => What::Line("replayed event"),
        AttachKind::Nested => {
            let outcome = nested.and_then(|index| trace.exchanges().get(index as usize));
            let outcome = outcome.map_or_else(|| Arc::from(""), |nested| Arc::clone(trace.name(nested.outcome)));
            What::Said(trace.name(note.method).to_string(), outcome)
        }
        AttachKind::Acknowledged | AttachKind::Subscription | AttachKind::TaskStatus | AttachKind::Notification => {
            What::Said(trace.name(note.method).to_string(), Arc::clone(trace.name(note.subject)))
        }
    };
    Some(Belonging {
        key: nested.map_or(RowKey::Entry(note.seq), RowKey::Exchange),
        seq: note.seq,
        after: note.at - exchange.at,
        sign: rows::sign(note),
        what,
        certain: attached.certain,
        is_event: requests::is_event(trace, note),
    })
}

/// The other exchanges of the operation that this one is part of.
fn members(trace: &Trace, exchange: &Exchange, index: u32) -> Vec<Belonging> {
    let operation = exchange.operation.and_then(|index| trace.operations().get(index as usize));
    let Some(operation) = operation else { return Vec::new() };
    let members = operation.members.iter().enumerate().filter(|(_, member)| member.exchange != index);
    let listed = members.take(MOST).filter_map(|(number, member)| {
        let other = trace.exchanges().get(member.exchange as usize)?;
        Some(Belonging {
            key: RowKey::Exchange(member.exchange),
            seq: other.request.seq,
            after: other.at - exchange.at,
            sign: rows::sign_of(other.side),
            what: What::Said(part(member.part, number + 1), Arc::clone(trace.name(other.outcome))),
            certain: true,
            is_event: false,
        })
    });
    listed.collect()
}

fn part(part: Part, number: usize) -> String {
    match part {
        Part::First => "first request".to_owned(),
        Part::Round => format!("round {number}"),
        Part::Poll => "task poll".to_owned(),
        Part::Update => "task update".to_owned(),
        Part::Fetch => "task result".to_owned(),
        Part::Cancel => "task cancel".to_owned(),
        Part::Nested => "request of the task".to_owned(),
        Part::Page => format!("page {number}"),
        Part::Again => "asked again".to_owned(),
        Part::Reissued => "sent again".to_owned(),
    }
}

/// What the recorder noted about an entry, in sentences.
fn flags(note: &Note) -> Vec<String> {
    let seq = note.seq;
    let said = [
        (
            Flags::TRUNCATED,
            format!(
                "Entry {seq} was longer than is kept: only its head is here, {} bytes went over the wire.",
                note.size
            ),
        ),
        (
            Flags::UNFINISHED,
            format!("The end of entry {seq} has not been seen: it is still being sent, or the recorder was killed."),
        ),
        (
            Flags::NO_NEWLINE,
            format!("The stream ended before the line end of entry {seq}; the receiver may have dropped it."),
        ),
        (Flags::UNDELIVERED, format!("Entry {seq} was not delivered: its receiver had gone or had closed its end.")),
        (
            Flags::AFTER_LOSS,
            format!("Bytes before entry {seq} could not be recorded; they went over the wire all the same."),
        ),
    ];
    said.into_iter().filter(|(flag, _)| note.flags.has(*flag)).map(|(_, sentence)| sentence).collect()
}
