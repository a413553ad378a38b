//! What an answer means for the call that it belongs to: its end, questions, a task or news of one; and what it means
//! that there is none.

use super::tape::Tape;
use crate::model::{HttpEnd, Nanos, Side};
use crate::peer::server::Task;
use crate::recorded::Outcome;
use crate::trace::{Exchange, Http, NoteKind, Part, Status};
use crate::wire::http::Head;
use crate::wire::{Json, Message};

/// A question: key, method, params.
pub(super) type Ask = (String, String, Option<Vec<u8>>);

/// What an answer means.
pub(super) enum Answered<'a> {
    /// A round of MRTR: it asks these, or only to come again.
    Asks(Vec<Ask>),
    /// It goes on as a task, of this status message.
    Task(Task, Option<Json<'a>>),
    /// News of the task: its status message, and what it asks.
    Polled { status: Option<Json<'a>>, asks: Vec<Ask> },
    /// The end.
    Over(Outcome),
    /// Nothing that matters.
    Nothing,
}

/// What an answer to a part of a call means.
pub(super) fn read<'a>(part: Part, message: &Message<'a>) -> Answered<'a> {
    let Some(result) = message.result else {
        let error = message.error.map(|error| Outcome::Error(error.raw().into()));
        // That a poll failed says nothing of the call.
        let counts = matches!(part, Part::First | Part::Round | Part::Fetch);
        return error.filter(|_| counts).map_or(Answered::Nothing, Answered::Over);
    };
    match part {
        Part::First | Part::Round => called(result),
        Part::Poll => polled(result),
        Part::Fetch => Answered::Over(Outcome::Result(result.raw().into())),
        Part::Cancel => Answered::Over(Outcome::Cancelled),
        _ => Answered::Nothing,
    }
}

fn called(result: Json<'_>) -> Answered<'_> {
    let is_type = |what: &str| result.get("resultType").is_some_and(|kind| kind.is_text(what));
    if is_type("input_required") {
        return Answered::Asks(asks(result));
    }
    let nested = result.get("task").filter(|task| task.get("taskId").is_some());
    let flat = Some(result).filter(|_| is_type("task"));
    match nested.or(flat) {
        Some(task) => Answered::Task(terms(task), task.get("statusMessage")),
        None => Answered::Over(Outcome::Result(result.raw().into())),
    }
}

/// How long a task lives and how often it may be asked for, in both spellings.
fn terms(task: Json<'_>) -> Task {
    let number = |names: [&str; 2]| names.iter().find_map(|name| task.get(name)?.as_u64());
    Task { ttl: number(["ttl", "ttlMs"]), poll: number(["pollInterval", "pollIntervalMs"]), forced: false }
}

fn polled(task: Json<'_>) -> Answered<'_> {
    let is = |status: &str| task.get("status").is_some_and(|said| said.is_text(status));
    let end = match (task.get("result"), task.get("error")) {
        (Some(result), _) if is("completed") => Some(Outcome::Result(result.raw().into())),
        (_, Some(error)) if is("failed") => Some(Outcome::Error(error.raw().into())),
        _ => is("cancelled").then_some(Outcome::Cancelled),
    };
    match end {
        Some(outcome) => Answered::Over(outcome),
        None => Answered::Polled { status: task.get("statusMessage"), asks: asks(task) },
    }
}

fn asks(result: Json<'_>) -> Vec<Ask> {
    let requests = result.get("inputRequests");
    let text = |json: Json<'_>| json.text().unwrap_or_default().into_owned();
    let ask = |(key, request): (Json<'_>, Json<'_>)| {
        let params = request.get("params").map(|params| params.raw().to_vec());
        Some((text(key), text(request.get("method")?), params))
    };
    requests.iter().flat_map(Json::members).filter_map(ask).collect()
}

/// How a request ended that has no answer, and when.
pub(super) fn without(tape: &Tape, exchange: &Exchange) -> (Outcome, Option<Nanos>) {
    let http = tape.trace().http(exchange.channel);
    let at = exchange.end.or(http.and_then(|http| http.ended));
    if matches!(exchange.status, Status::Cancelled | Status::Late) {
        return (Outcome::Cancelled, at);
    }
    if exchange.status == Status::Ambiguous {
        let why = "several requests with its id were in flight, so which answer is its own cannot be told";
        return (Outcome::Lost(why.to_owned()), at);
    }
    let Some(http) = http else { return (Outcome::Nothing, at) };
    match http.status {
        // On HTTP+SSE answers come elsewhere, and a stream that is only open says nothing yet.
        Some(status) if !(200..300).contains(&status) => (response(tape, http, status), at),
        _ if http.end == Some(HttpEnd::ServerGone) => (Outcome::Broken, at),
        _ => (Outcome::Nothing, at),
    }
}

/// A response that is no message.
fn response(tape: &Tape, http: &Http, status: u16) -> Outcome {
    let head = http.response.and_then(|seq| tape.head(seq));
    let media = head.and_then(|head| Some(Head::read(&head).text("content-type")?.into_owned()));
    let from = http.response.and_then(|seq| tape.trace().position(seq)).unwrap_or(usize::MAX);
    let notes = tape.trace().notes().get(from..).unwrap_or_default();
    let is_body = |kind| !matches!(kind, NoteKind::Head | NoteKind::Lifecycle | NoteKind::Truncated);
    let own = notes.iter().filter(|note| note.channel == http.channel && note.side == Some(Side::Server));
    let body = own.filter(|note| is_body(note.kind)).map(|note| tape.body(note.seq)).next().unwrap_or_default();
    Outcome::Http { status, media, body: body.into() }
}
