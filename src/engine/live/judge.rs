//! Decides whether a row matches a filter: the words by what the trace knows of it, the texts by what
//! was found in its bytes. Which rows are asked about is for `shown`.

use std::ops::Range;

use super::search::Hits;
use super::view::{RowKey, View};
use super::{requests, rows};
use crate::filter::{Facts, Filter, Is, Pattern};
use crate::model::{ChannelId, EntryKind, Flags, Nanos, Seq, Side};
use crate::trace::{AttachKind, Exchange, Http, Marks, Note, NoteKind, OperationKind, Status, Trace};
use crate::wire::Oddities;

/// A filter as the timeline applies it.
#[derive(Default)]
pub(super) struct Judge {
    filter: Filter,
    texts: Vec<Pattern>,
    started: Nanos,
}

impl Judge {
    /// The filter that `text` says, for a recording that began at `started`; or the place in the text
    /// that is wrong, and a sentence.
    pub(super) fn parse(text: &str, started: Nanos) -> Result<Self, (Range<usize>, String)> {
        let filter = Filter::parse(text).map_err(|error| (error.range, error.message))?;
        let texts = filter.texts().into_iter().cloned().collect();
        Ok(Self { filter, texts, started })
    }

    /// Whether it lets everything through.
    pub(super) fn is_empty(&self) -> bool {
        self.filter.is_empty()
    }

    /// What it looks for in the bytes.
    pub(super) fn texts(&self) -> &[Pattern] {
        &self.texts
    }

    /// Whether it lets the row at `position` of a view through.
    pub(super) fn matches(&self, trace: &Trace, view: View, position: u32, hits: &Hits) -> bool {
        let Some(key) = rows::key(trace, view, position) else { return false };
        let facts = match key {
            RowKey::Exchange(index) => {
                trace.exchanges().get(index as usize).map(|exchange| of_exchange(trace, exchange, self.started))
            }
            RowKey::Entry(seq) => trace.note(seq).map(|note| match requests::of_row(trace, view, seq) {
                Some(http) => of_http(trace, http, note, self.started),
                None => of_entry(trace, note, self.started),
            }),
        };
        let Some(facts) = facts else { return false };
        self.filter.matches(&facts, &mut |pattern| is_hit(trace, view, key, pattern, hits))
    }
}

/// Whether one of the entries of a row holds a text. The heads of an exchange's HTTP request are looked
/// at for what is asked of heads alone: every other text would be found in many of them.
fn is_hit(trace: &Trace, view: View, key: RowKey, pattern: &Pattern, hits: &Hits) -> bool {
    let has = |seq: Seq| hits.has(pattern.number(), seq);
    let in_heads = |http: &Http| has(http.request) || http.response.is_some_and(has);
    match key {
        RowKey::Entry(seq) => {
            let http = requests::of_row(trace, view, seq);
            has(seq) || http.is_some_and(|http| in_heads(http) || http.body.is_some_and(has))
        }
        RowKey::Exchange(index) => trace.exchanges().get(index as usize).is_some_and(|exchange| {
            let of_heads = !pattern.reads(EntryKind::Frame);
            (of_heads && trace.http(exchange.channel).is_some_and(in_heads))
                || has(exchange.request.seq)
                || exchange.answer.is_some_and(|answer| has(answer.seq))
                || exchange.attached.iter().any(|attached| attached.certain && has(attached.seq))
        }),
    }
}

fn of_exchange<'a>(trace: &'a Trace, exchange: &'a Exchange, started: Nanos) -> Facts<'a> {
    let method = &**trace.name(exchange.method);
    let subject = Some(&**trace.name(exchange.subject)).filter(|subject| !subject.is_empty());
    let revision = Some(&**trace.name(exchange.revision)).filter(|revision| !revision.is_empty());
    let operation = exchange.operation.and_then(|index| trace.operations().get(index as usize));
    let is_task = operation.is_some_and(|it| matches!(it.kind, OperationKind::CoreTask | OperationKind::Task));
    let mut is = Is::REQUEST.with(of_status(exchange.status)).with_if(is_task, Is::TASK);
    for seq in [Some(exchange.request.seq), exchange.answer.map(|answer| answer.seq)].into_iter().flatten() {
        is = trace.note(seq).map_or(is, |note| is.with(of_wire(note)));
    }
    let web = trace.http(exchange.channel);
    let is_twice = exchange.attached.iter().any(|attached| attached.kind == AttachKind::DuplicateAnswer);
    Facts {
        method,
        tool: subject.filter(|_| method == "tools/call"),
        subject,
        id: Some(&exchange.id),
        from: Some(exchange.side),
        is: is.with_if(is_twice, Is::DUPLICATE).with(of_web(trace, web)),
        code: if exchange.status == Status::Error { code(trace.name(exchange.outcome)) } else { None },
        latency: exchange.duration(),
        since_start: exchange.at - started,
        size: exchange.size,
        tokens: None,
        rules: &[],
        revision,
        era: exchange.era,
        seq: exchange.request.seq,
        rounds: operation.map_or(1, |operation| operation.rounds),
        ..web_facts(trace, exchange.channel)
    }
}

/// What is known of the HTTP request on a channel.
fn web_facts(trace: &Trace, channel: ChannelId) -> Facts<'_> {
    let http = trace.http(channel);
    Facts {
        status: http.and_then(|http| http.status),
        session: http.map(|http| &**trace.name(http.session)).filter(|session| !session.is_empty()),
        channel: Some(channel),
        transport: Some(trace.transport(channel)),
        ..Facts::default()
    }
}

fn of_web(trace: &Trace, http: Option<&Http>) -> Is {
    http.map_or(Is::NONE, |http| {
        Is::NONE.with_if(http.is_open(), Is::OPEN).with_if(requests::is_stream(trace, http), Is::STREAM)
    })
}

/// The row of an HTTP request that carries no request of JSON-RPC.
fn of_http<'a>(trace: &'a Trace, http: &'a Http, note: &Note, started: Nanos) -> Facts<'a> {
    let status = requests::status(trace, http);
    let is = match status {
        super::view::Status::Error => Is::ERROR,
        super::view::Status::Pending => Is::PENDING,
        super::view::Status::Unanswered => Is::UNANSWERED,
        super::view::Status::Ok => Is::OK,
        super::view::Status::Odd | super::view::Status::None => Is::NONE,
    };
    let (method, subject) = match note.kind {
        NoteKind::Notification => (note.method, note.subject),
        _ => (http.method, http.target),
    };
    Facts {
        method: trace.name(method),
        subject: Some(&**trace.name(subject)).filter(|subject| !subject.is_empty()),
        from: Some(Side::Client),
        is: is.with(of_web(trace, Some(http))).with(of_kind(note)).with(of_wire(note)),
        latency: http.ended.map(|ended| ended - http.at),
        since_start: http.at - started,
        size: requests::size(http, note),
        seq: note.seq,
        rounds: 1,
        ..web_facts(trace, http.channel)
    }
}

fn of_entry<'a>(trace: &'a Trace, note: &'a Note, started: Nanos) -> Facts<'a> {
    let speaks = matches!(note.kind, NoteKind::Request | NoteKind::Result | NoteKind::Error);
    let exchange = note.exchange().and_then(|index| trace.exchanges().get(index as usize)).filter(|_| speaks);
    let of_its_own = Facts {
        method: trace.name(note.method),
        subject: Some(&**trace.name(note.subject)).filter(|subject| !subject.is_empty()),
        from: note.side,
        is: of_kind(note).with(of_wire(note)).with_if(requests::is_event(trace, note), Is::STREAM),
        since_start: note.at - started,
        size: note.size,
        seq: note.seq,
        rounds: 1,
        ..web_facts(trace, note.channel)
    };
    let Some(exchange) = exchange else { return of_its_own };
    let whole = of_exchange(trace, exchange, started);
    let answers = note.kind != NoteKind::Request;
    // A request is pending or unanswered; how it was answered is said of the answer.
    let open = [Is::PENDING, Is::UNANSWERED, Is::CANCELLED, Is::TASK];
    let told = open.into_iter().filter(|is| whole.is.has(*is)).fold(Is::NONE, Is::with);
    Facts {
        method: whole.method,
        tool: whole.tool,
        subject: whole.subject,
        id: whole.id,
        is: of_its_own.is.with(if answers { of_status(exchange.status) } else { told }),
        code: whole.code.filter(|_| answers),
        latency: whole.latency.filter(|_| answers),
        revision: whole.revision,
        era: whole.era,
        ..of_its_own
    }
}

const fn of_status(status: Status) -> Is {
    match status {
        Status::Pending => Is::PENDING,
        Status::Ok => Is::OK,
        Status::Failed | Status::Error => Is::ERROR,
        Status::Cancelled => Is::CANCELLED,
        Status::Late => Is::LATE.with(Is::CANCELLED),
        Status::Ambiguous => Is::DUPLICATE,
        Status::Unanswered => Is::UNANSWERED,
        Status::Closed => Is::NONE,
    }
}

const fn of_kind(note: &Note) -> Is {
    match note.kind {
        NoteKind::Request => Is::REQUEST,
        NoteKind::Notification => Is::NOTIFICATION,
        NoteKind::Result => Is::RESULT,
        NoteKind::Error => Is::RESULT.with(Is::ERROR),
        NoteKind::Batch => Is::BATCH,
        NoteKind::Stderr => Is::STDERR,
        NoteKind::Head | NoteKind::Body | NoteKind::Event => Is::NONE,
        NoteKind::Lifecycle => Is::LIFECYCLE,
        NoteKind::NotJson | NoteKind::NotRpc => Is::BROKEN,
        NoteKind::Blank => Is::BROKEN.with(Is::BLANK),
        NoteKind::Unfinished => Is::UNFINISHED,
        NoteKind::Truncated => Is::TRUNCATED,
    }
}

/// What the wire and the trace found unusual about an entry.
fn of_wire(note: &Note) -> Is {
    Is::NONE
        .with_if(note.oddities != Oddities::default(), Is::ODD)
        .with_if(note.flags.has(Flags::TRUNCATED), Is::TRUNCATED)
        .with_if(note.flags.has(Flags::UNFINISHED), Is::UNFINISHED)
        .with_if(note.flags.has(Flags::UNDELIVERED), Is::UNDELIVERED)
        .with_if(note.marks.has(Marks::ORPHAN), Is::ORPHAN)
        .with_if(note.marks.has(Marks::LATE), Is::LATE)
        .with_if(note.marks.has(Marks::DUPLICATE), Is::DUPLICATE)
        .with_if(note.kind == NoteKind::Batch, Is::BATCH)
}

/// The code with which the words for an error begin.
fn code(outcome: &str) -> Option<i64> {
    let end = outcome.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(outcome.len());
    outcome[..end].parse().ok()
}
