//! Several exchanges that are one thing to the one who asked: rounds, polls, pages.

use super::Name;
use crate::model::{Nanos, Seq};

/// What links the exchanges of an operation in the first place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// Rounds of a multi round-trip request: the server asked for input and the client tried again.
    Rounds,
    /// A task of 2025-11-25: created by one request, polled and fetched by others.
    CoreTask,
    /// A task of the extension `io.modelcontextprotocol/tasks`.
    Task,
    /// The pages of one list.
    Pages,
    /// A request that was repeated under another revision after -32022.
    Negotiation,
    /// A request that was sent again with a new id after its response's stream had broken off (2026-07-28).
    Reissue,
}

/// What an exchange is within its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The first request.
    First,
    /// A further round of a multi round-trip request.
    Round,
    /// A `tasks/get`.
    Poll,
    /// A `tasks/update`.
    Update,
    /// A `tasks/result`.
    Fetch,
    /// A `tasks/cancel`.
    Cancel,
    /// A request of the other side that says it belongs to the task.
    Nested,
    /// A further page.
    Page,
    /// The repetition under another revision.
    Again,
    /// The request sent again after its stream had broken off.
    Reissued,
}

/// One exchange of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its index in [`Trace::exchanges`](super::Trace::exchanges).
    pub exchange: u32,
    /// What it is within the operation.
    pub part: Part,
}

/// Several exchanges that are one thing to the one who asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What links them.
    pub kind: OperationKind,
    /// The exchanges in order.
    pub members: Vec<Member>,
    /// When the first request was seen.
    pub at: Nanos,
    /// When it ended; `None` while it goes on.
    pub end: Option<Nanos>,
    /// Rounds, polls, pages or tries, the first included.
    pub rounds: u32,
    /// The task's id, where it is one.
    pub task: Name,
    /// The status last told of the task (`working`, `completed` …).
    pub state: Name,
}

impl Operation {
    /// Nanoseconds from the first request to the end.
    pub fn duration(&self) -> Option<Nanos> {
        self.end.map(|end| end - self.at)
    }

    /// What an exchange is to the whole, in a sentence; `first` is the entry that began it. Only for
    /// rounds and tasks, whose single exchanges say little about how long the caller waited.
    pub(super) fn sentence(&self, exchange: u32, first: Seq) -> Option<String> {
        let of_one = self.members.len() < 2;
        if of_one || matches!(self.kind, OperationKind::Pages | OperationKind::Negotiation | OperationKind::Reissue) {
            return None;
        }
        let number = self.members.iter().position(|member| member.exchange == exchange)? + 1;
        let time = match self.duration() {
            Some(time) => format!("took {}", seconds(time)),
            None => "goes on".to_owned(),
        };
        let all = self.members.len();
        Some(format!("It is request {number} of {all} of one operation that began with entry {first} and {time}."))
    }

    /// The exchange before this one.
    pub fn previous(&self, exchange: u32) -> Option<u32> {
        let here = self.members.iter().position(|member| member.exchange == exchange)?;
        self.members.get(here.checked_sub(1)?).map(|member| member.exchange)
    }

    /// The exchange after this one.
    pub fn next(&self, exchange: u32) -> Option<u32> {
        let here = self.members.iter().position(|member| member.exchange == exchange)?;
        self.members.get(here + 1).map(|member| member.exchange)
    }
}

/// A time in words: `5.999 s`, `12.3 ms`.
fn seconds(time: Nanos) -> String {
    let milliseconds = time as f64 / 1e6;
    if milliseconds < 1000.0 { format!("{milliseconds:.1} ms") } else { format!("{:.3} s", milliseconds / 1000.0) }
}
