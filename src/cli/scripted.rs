//! Rows as `midwire show --json` writes them for scripts: one JSON object a line. Message texts go out
//! exactly as they were sent, inside a string; the shape is documented in `midwire show --help`.

use base64::Engine as _;
use serde::Serialize;

use super::failure::Failure;
use super::figures;
use super::out::Page;
use crate::engine::transcript::{Line, Transcript};
use crate::engine::view::{Attached, Status};
use crate::model::{ChannelId, EntryKind, Seq};
use crate::wire;

#[derive(Serialize)]
struct Object<'a> {
    seq: Seq,
    at: String,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    method: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    subject: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    outcome: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ns: Option<i64>,
    size: u64,
    #[serde(skip_serializing_if = "is_one")]
    rounds: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<Http<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    era: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<Message>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    belongs: Vec<Belongs<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
}

/// The HTTP request that a row came with.
#[derive(Serialize)]
struct Http<'a> {
    channel: ChannelId,
    method: &'a str,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "str::is_empty")]
    session: &'a str,
    #[serde(skip_serializing_if = "is_zero")]
    events: u32,
    open: bool,
}

#[derive(Serialize)]
struct Message {
    seq: Seq,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
    /// An event of SSE as it was on the wire.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
}

#[derive(Serialize)]
struct Belongs<'a> {
    seq: Seq,
    after_ns: i64,
    what: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "is_true")]
    certain: bool,
}

/// Writes one row.
pub(super) fn row(page: &mut Page, transcript: &Transcript, line: &Line) -> Result<(), Failure> {
    let is_exchange = line.kind == "exchange";
    let first = line.request.map(|seq| message(transcript, seq)).transpose()?;
    let (request, entry) = if is_exchange { (first, None) } else { (None, first) };
    let object = Object {
        seq: line.row.seq,
        at: figures::instant(line.row.at),
        kind: line.kind,
        from: line.from.map(crate::model::Side::word),
        method: &line.row.method,
        subject: &line.row.subject,
        status: status(line.row.status),
        outcome: &line.row.outcome,
        duration_ns: line.row.duration,
        size: line.row.size,
        rounds: line.row.rounds,
        http: http(transcript, line),
        id: line.id.as_deref(),
        revision: line.revision.as_deref(),
        era: line.era.map(crate::model::Era::word),
        request,
        answer: line.answer.map(|seq| message(transcript, seq)).transpose()?,
        entry,
        belongs: line.belongs.iter().map(belongs).collect(),
        remarks: &line.remarks,
    };
    // Plain data with string keys: it cannot fail to be JSON.
    let text = serde_json::to_string(&object).map_err(|error| Failure::of(&error))?;
    page.line(&text)?;
    Ok(())
}

fn http<'a>(transcript: &'a Transcript, line: &Line) -> Option<Http<'a>> {
    let trace = transcript.trace();
    let http = trace.http(trace.note(line.row.seq)?.channel)?;
    Some(Http {
        channel: http.channel,
        method: trace.name(http.method),
        target: trace.name(http.target),
        status: http.status,
        session: trace.name(http.session),
        events: http.events,
        open: http.is_open(),
    })
}

fn belongs((seq, attached): &(Seq, Attached)) -> Belongs<'_> {
    let Attached { after, what, text, certain, .. } = attached;
    Belongs { seq: *seq, after_ns: *after, what, text, certain: *certain }
}

fn message(transcript: &Transcript, seq: Seq) -> Result<Message, Failure> {
    let entry = transcript.entry(seq).map_err(|error| Failure::of(&error))?;
    let (kind, all) = entry.map_or((EntryKind::Frame, Vec::new()), |entry| (entry.kind, entry.bytes));
    let size = transcript.trace().note(seq).map_or(all.len() as u64, |note| note.size);
    let says = wire::payload(kind, &all);
    // A line's end belongs to the stream; a body has none of its own.
    let is_line = matches!(kind, EntryKind::Frame | EntryKind::Stderr | EntryKind::Lifecycle);
    let bytes = says.strip_suffix(b"\n").filter(|_| is_line).unwrap_or(&says);
    let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
    let base64 = text.is_none().then(|| base64::engine::general_purpose::STANDARD.encode(bytes));
    let event = (kind == EntryKind::Event).then(|| String::from_utf8_lossy(&all).into_owned());
    Ok(Message { seq, size, text, base64, event })
}

const fn status(status: Status) -> Option<&'static str> {
    match status {
        Status::None => None,
        Status::Ok => Some("ok"),
        Status::Error => Some("error"),
        Status::Pending => Some("pending"),
        Status::Odd => Some("odd"),
        Status::Unanswered => Some("unanswered"),
    }
}

// serde hands a reference to its conditions.
#[expect(clippy::trivially_copy_pass_by_ref)]
const fn is_one(rounds: &u32) -> bool {
    *rounds == 1
}

#[expect(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(events: &u32) -> bool {
    *events == 0
}

#[expect(clippy::trivially_copy_pass_by_ref)]
const fn is_true(certain: &bool) -> bool {
    *certain
}
