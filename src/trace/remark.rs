//! What is unusual about an exchange or an entry, said to a person in a sentence that tells what it means.

use super::{Exchange, Marks, Note, NoteKind, Status};
use crate::model::{Era, Id, Revision, Seq};
use crate::wire::{self, Frame, Oddities};

/// One unusual thing about one exchange. Entries are named by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Remark {
    /// Another request with the same id was in flight on this channel.
    TwinOnChannel(Seq),
    /// Another request with the same id was in flight in this session, on another HTTP request.
    TwinInSession(Seq),
    /// So many requests share the id that this one was not even tried.
    Crowd,
    /// The request that had its id before was cancelled and not answered.
    AfterCancelled(Seq),
    /// It was cancelled after it had been answered.
    CancelledAfterAnswer(Seq),
    /// It was answered after it had been cancelled.
    Late { cancelled: Option<Seq>, answered: Seq },
    /// It was answered again.
    Duplicate(Seq),
    /// It was answered again on another stream.
    TwoStreams(Seq),
    /// Its answer came on a stream that a GET had opened for what belongs to no request.
    OnListening(Seq),
    /// Its answer came in the response to another POST.
    OnOtherPost(Seq),
    /// Its answer came on a stream that continues another request's.
    ReplayedElsewhere(Seq),
    /// The client closed the connection before it was answered.
    Disconnected { modern: bool },
    /// Its stream ended before it was answered, in order or not.
    BrokenOff { modern: bool, ids: bool, gone: bool },
    /// Its response was a success without an answer.
    NoAnswer(u16),
    /// The POST of something that belongs to it was refused.
    PostRefused { body: Seq, status: u16 },
    /// The POST of something that belongs to it did not reach the server.
    PostNotReached(Seq),
    /// It repeats a request that was lost with its stream, under the same id.
    ReissuedSameId(Seq),
    /// It was answered again on a stream that continues an earlier one.
    Replayed(Seq),
    /// An error without an id was taken for its answer, because nothing else was asked there.
    NoId(Seq),
    /// Progress came after the end.
    LateProgress(Seq),
    /// Progress did not rise.
    ProgressFell(Seq),
    /// Another active request has the same progress token.
    SharedToken(Seq),
    /// The retry changed `requestState`.
    StateAltered,
    /// The retry left `requestState` out.
    StateMissing,
    /// The retry brought a `requestState` that nobody had given.
    StateInvented,
    /// The retry has the id of the round before.
    SameId,
    /// It is the answer to a probe, and the client had already gone on with `initialize`.
    StaleProbe,
    /// The connection ended before it was answered.
    Ended(&'static str),
}

impl Remark {
    pub(super) fn sentence(&self, of: &Exchange) -> String {
        let id = &of.id;
        let rule = if of.era == Some(Era::Modern) { "JR-006" } else { "JR-005" };
        match self {
            Self::TwinOnChannel(other) => format!(
                "Two requests with the id {id} were in flight on this channel at once ({rule}), this one and entry \
                 {other}; which answer belongs to which cannot be told."
            ),
            Self::TwinInSession(other) => format!(
                "Two requests with the id {id} were in flight in this session at once ({rule}), this one and entry \
                 {other}; their answers are told apart by the HTTP request that each came on. A server that looks \
                 only at the id would mix them up."
            ),
            Self::Crowd => format!(
                "More than sixteen requests with the id {id} were in flight at once ({rule}); answers with this id are \
                 not looked for among all of them."
            ),
            Self::AfterCancelled(before) => format!(
                "The request in entry {before} had the id {id} as well; it was cancelled and had not been answered. \
                 Should its answer have come late, it is taken for the answer to this one."
            ),
            Self::CancelledAfterAnswer(seq) => format!(
                "It was cancelled in entry {seq} after it had been answered: the two crossed on the way, which is \
                 allowed (CN-003)."
            ),
            Self::Late { cancelled, answered } => late(*cancelled, *answered),
            Self::Duplicate(seq) => {
                format!("It was answered a second time in entry {seq} (JR-008); the first answer is shown.")
            }
            Self::Replayed(seq) => {
                format!("Its answer came again in entry {seq}, on a stream that continues an earlier one.")
            }
            Self::NoId(seq) if of.era == Some(Era::Modern) => format!(
                "The error in entry {seq} names no request (JR-011, over HTTP also HM-016); it is taken for the answer \
                 because this was the only request on its channel."
            ),
            Self::NoId(seq) => format!(
                "The error in entry {seq} names no request (JR-011); it is taken for the answer because this was the \
                 only request on its channel."
            ),
            Self::LateProgress(seq) if matches!(of.status, Status::Cancelled | Status::Late) => {
                format!("Progress in entry {seq} came after it had been cancelled: the server went on for a while.")
            }
            Self::LateProgress(seq) => {
                format!("Progress in entry {seq} came after the request was over (PR-005).")
            }
            Self::ProgressFell(seq) => {
                format!("Progress in entry {seq} is not more than before (PR-004); it has to rise each time.")
            }
            Self::SharedToken(other) => format!(
                "The request in entry {other} was active with the same progress token (PR-002); which of them the \
                 progress is about cannot be told."
            ),
            Self::StateAltered => "The retry carries another requestState than the server gave (MR-005): it was \
                                   changed on the way, or belongs to another request. It is linked by its answers."
                .to_owned(),
            Self::StateMissing => "The retry carries no requestState although the server gave one (MR-005). It is \
                                   linked by its answers."
                .to_owned(),
            Self::StateInvented => "The retry carries a requestState although the server gave none (MR-006). It is \
                                    linked by its answers."
                .to_owned(),
            Self::SameId => format!("The retry has the id {id} of the round before; it needs a new one (MR-004)."),
            Self::StaleProbe => "This answer to the probe came after the client had sent initialize: the client had \
                                 stopped waiting and ignores it."
                .to_owned(),
            Self::Ended(why) => format!("It was never answered: {why}."),
            _ => self.over_http(id),
        }
    }

    /// What happens over HTTP only.
    fn over_http(&self, id: &Id) -> String {
        match self {
            Self::TwoStreams(seq) => format!(
                "It was answered a second time in entry {seq}, on another stream (HL-013): a server sends each message \
                 on one stream only. The first answer is shown."
            ),
            Self::OnListening(seq) => format!(
                "Its answer, entry {seq}, came on a stream that the client had opened with GET (HL-011); it belongs in \
                 the response to its own POST, and clients may not look for it elsewhere."
            ),
            Self::OnOtherPost(seq) => format!(
                "Its answer, entry {seq}, came in the response to another POST (HX-008); clients may not look for it \
                 there. It is linked by its id."
            ),
            Self::ReplayedElsewhere(seq) => format!(
                "Its answer, entry {seq}, came on a stream that continues another request's (HL-016). It is linked by \
                 its id."
            ),
            Self::Disconnected { modern: true } => "The client closed the connection before the answer, which cancels \
                                                    the request."
                .to_owned(),
            Self::Disconnected { modern: false } => {
                "The client closed the connection before the answer. That does not \
                                                     cancel a request before 2026-07-28 (CN-011): the server may go \
                                                     on, and the answer may come on a stream that resumes this one."
                    .to_owned()
            }
            Self::BrokenOff { modern, ids, gone } => broken_off(*modern, *ids, *gone),
            Self::NoAnswer(status) => format!(
                "The response has the status {status} and no answer in it: a request is answered with JSON or a stream \
                 of events (HX-007)."
            ),
            Self::PostRefused { body, status } => format!(
                "The POST of entry {body} was refused with HTTP {status}: the server has not taken it in (HX-006)."
            ),
            Self::PostNotReached(body) => format!("The POST of entry {body} did not reach the server."),
            Self::ReissuedSameId(before) => format!(
                "It repeats the request of entry {before}, which was lost with its stream, under the same id {id}; it \
                 needs a new one (HM-022)."
            ),
            _ => String::new(),
        }
    }
}

fn broken_off(modern: bool, ids: bool, gone: bool) -> String {
    let what = if gone { "The server broke the connection off" } else { "The server ended the stream" };
    let then = match (modern, ids) {
        (true, _) => {
            "before the answer (HX-015). In 2026-07-28 the request is lost with its stream; the client may send it again \
             under a new id (HM-022)."
        }
        (false, true) => {
            "before the answer. It had given event ids, so the client may resume the stream with Last-Event-ID and get \
             the answer there."
        }
        (false, false) => {
            "before the answer, and had given no event id with which the client could resume it (HX-015): the request \
             is lost."
        }
    };
    format!("{what} {then}")
}

fn late(cancelled: Option<Seq>, answered: Seq) -> String {
    let by = cancelled.map_or_else(String::new, |seq| format!(" in entry {seq}"));
    format!(
        "It was cancelled{by} and answered nevertheless in entry {answered}: the answer was on its way or the server \
         went on (CN-007). The client ignores it."
    )
}

/// What is said of an exchange by its state alone.
pub(super) fn of_state(exchange: &Exchange, revision: Option<&Revision>) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(revision) = revision {
        let rules = rules(revision, exchange.era);
        if *revision != revision.nearest_known() {
            said.push(format!("{revision} is not a revision that midwire knows; it is read by the rules of {rules}."));
        }
    }
    match &exchange.id {
        Id::Null => said.push("Its id is null, which MCP forbids (JR-004); peers may not answer it.".to_owned()),
        Id::Other(_) => said.push("Its id is neither a string nor a number (JR-003).".to_owned()),
        Id::Number(_) | Id::String(_) => {}
    }
    if exchange.status == Status::Ambiguous {
        said.push("The answers that may be its own are listed with it; none of them is taken for it.".to_owned());
    }
    if exchange.more > 0 {
        said.push(format!("{} more entries belong to it than are listed here.", exchange.more));
    }
    said
}

/// The known revision whose rules apply: never one of the other era.
fn rules(revision: &Revision, era: Option<Era>) -> Revision {
    let nearest = revision.nearest_known();
    match era {
        Some(Era::Legacy) if nearest.era() == Era::Modern => Revision::V2025_11_25,
        Some(Era::Modern) => Revision::V2026_07_28,
        _ => nearest,
    }
}

/// What is said of an entry by itself: what is odd about its bytes and about its place.
pub(super) fn of_entry(note: &Note, method: &str, items: &[Note]) -> Vec<String> {
    let odd = Oddities::iter(note.oddities);
    let mut said: Vec<String> = odd.map(|(_, rule, says)| format!("The message {says} ({rule}).")).collect();
    match note.kind {
        NoteKind::Batch if items.is_empty() => said.push("The batch is empty (JR-019).".to_owned()),
        NoteKind::Unfinished => said.push("The end of this line has not been seen.".to_owned()),
        NoteKind::Truncated => {
            said.push("Only its head was kept, and what it is cannot be read from that.".to_owned());
        }
        _ => {}
    }
    said.extend(of_place(note, method));
    said
}

/// Why a frame is not a message, read again from its bytes since the trace keeps none; `None` for one
/// that is.
pub fn of_frame(bytes: &[u8]) -> Option<String> {
    match wire::read(bytes) {
        Frame::NotJson(fault) => {
            Some(format!("This is not JSON: {} (byte {}). Only messages belong here (IO-001).", fault.what, fault.at))
        }
        Frame::NotRpc { why, .. } => Some(format!("This is JSON but not a message of JSON-RPC: {why} (JR-001).")),
        _ => None,
    }
}

fn of_place(note: &Note, method: &str) -> Option<String> {
    let nameless = note.oddities.has(Oddities::ID_NULL) || note.oddities.has(Oddities::ID_MISSING);
    let says = if note.marks.has(Marks::REPLAYED) {
        "It had come before, with the same event id, and came again on a stream that continues an earlier one; it \
         counts once."
    } else if note.marks.has(Marks::ORPHAN) && nameless {
        "It names no request: what was sent could not be read, or was refused before it was read (JR-012)."
    } else if note.marks.has(Marks::ORPHAN) {
        "It answers no request of this recording: that was sent before the recording began, or never (JR-007)."
    } else if note.marks.has(Marks::DUPLICATE) {
        "Its request had been answered before (JR-008)."
    } else if note.marks.has(Marks::AMBIGUOUS) {
        "Several requests with its id were in flight at once, so which one it is about cannot be told (JR-005)."
    } else if note.marks.has(Marks::UNKNOWN_TARGET) {
        unknown_target(method)
    } else if note.marks.has(Marks::LATE) {
        "It came after what it belongs to was over."
    } else if note.marks.has(Marks::POSSIBLE) {
        "It may belong to one of the requests that were in flight; nothing in it tells to which."
    } else {
        return None;
    };
    Some(says.to_owned())
}

/// What a notification names that is not there. A recording may have begun after it.
fn unknown_target(method: &str) -> &'static str {
    match method {
        "notifications/progress" => {
            "No request in flight has this progress token: none was sent with it, it has another JSON type, or the \
             request is older than the recording (PR-003)."
        }
        "notifications/cancelled" => {
            "Its sender has no request with this id in the recording: the request is older, or there is none (CN-001)."
        }
        "notifications/tasks" | "notifications/tasks/status" => {
            "The task that it names is not in the recording: it is older, or there is none."
        }
        "notifications/elicitation/complete" => {
            "The elicitation that it names is not in the recording: it is older, or there is none."
        }
        _ => "The subscription or task that it names is not in the recording: it is older, or there is none.",
    }
}
