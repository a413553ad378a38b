//! One task, in both of its shapes: the core feature of 2025-11-25 and the extension of 2026-07-28. Reading and
//! arithmetic only; what follows is for `tasks`.

use std::collections::BTreeSet;

use super::{Bytes, TaskState};
use crate::model::Nanos;
use crate::wire::{Json, JsonKind};

/// How often a task is asked for that does not say how often.
const INTERVAL: Nanos = 1_000_000_000;
/// The shortest interval that is obeyed: a server may say 0.
const SHORTEST: Nanos = 50_000_000;
/// How many questions of one task are remembered as asked.
const MOST_KEYS: usize = 4_096;

const MILLISECOND: Nanos = 1_000_000;

/// Which of the two a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// 2025-11-25: `ttl`, `pollInterval`, `tasks/result`.
    Core,
    /// The extension: `ttlMs`, `pollIntervalMs`, the result inline, `tasks/update`.
    Extension,
}

/// A task and what is under way for it.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) shape: Shape,
    /// `taskId` as it was written.
    pub(super) written: Bytes,
    pub(super) state: TaskState,
    interval: Nanos,
    /// When it was first heard of, from which its time to live counts.
    since: Nanos,
    ttl: Option<Nanos>,
    /// `tasks/get` is on the wire.
    pub(super) polling: bool,
    /// `tasks/result` is on the wire.
    pub(super) fetching: bool,
    /// `tasks/cancel` was sent.
    pub(super) cancelling: bool,
    /// Polls that failed, one after the other.
    pub(super) failures: u32,
    /// Answers and fetches of the result that failed, in all.
    pub(super) refusals: u32,
    /// `tasks/result` was answered before the task was over, so it is not asked for again until then.
    pub(super) early: bool,
    /// Answers are gathered, to be sent together.
    pub(super) gathering: bool,
    /// The times that it came to want input.
    pub(super) round: u32,
    /// The keys of the questions that were asked.
    asked: BTreeSet<String>,
    /// Answers that are to be sent: key as written, result.
    pub(super) answers: Vec<(Bytes, Vec<u8>)>,
    /// The keys of open questions, and as they were written.
    pub(super) open: Vec<(String, Bytes)>,
    /// The keys whose answers are on the wire.
    pub(super) sent: Vec<String>,
}

impl Task {
    /// The task that a result is: nested in 2025-11-25, flat in the extension (TD-001, TE-001).
    pub(super) fn created(shape: Shape, result: Json<'_>, now: Nanos) -> Option<Self> {
        let json = match shape {
            Shape::Core => result.get("task")?,
            Shape::Extension => result,
        };
        let id = json.get("taskId").filter(|id| id.kind() == JsonKind::String)?;
        let mut task = Self {
            shape,
            written: id.raw().into(),
            state: TaskState {
                id: id.text()?.into_owned(),
                status: String::new(),
                message: None,
                polls: 0,
                next: None,
                json: json.raw().into(),
            },
            interval: INTERVAL,
            since: now,
            ttl: None,
            polling: false,
            fetching: false,
            cancelling: false,
            failures: 0,
            refusals: 0,
            early: false,
            gathering: false,
            round: 0,
            asked: BTreeSet::new(),
            answers: Vec::new(),
            open: Vec::new(),
            sent: Vec::new(),
        };
        task.take(json);
        Some(task)
    }

    /// Takes what a task object says. A terminal status stays (TD-004, TE-012).
    pub(super) fn take(&mut self, json: Json<'_>) {
        if self.is_over() {
            return;
        }
        let (ttl, interval) = match self.shape {
            Shape::Core => ("ttl", "pollInterval"),
            Shape::Extension => ("ttlMs", "pollIntervalMs"),
        };
        let span = |name: &str| {
            let milliseconds = json.get(name)?.as_u64()?;
            Some(Nanos::try_from(milliseconds).unwrap_or(Nanos::MAX).saturating_mul(MILLISECOND))
        };
        let text = |name: &str| json.get(name).and_then(|value| value.text()).map(std::borrow::Cow::into_owned);
        let status = text("status").unwrap_or_default();
        if status == "input_required" && self.state.status != status {
            self.round = self.round.saturating_add(1);
        }
        self.state.status = status;
        self.state.message = text("statusMessage");
        self.state.json = json.raw().into();
        self.interval = span(interval).unwrap_or(self.interval).max(SHORTEST);
        self.ttl = if json.get(ttl).is_some() { span(ttl) } else { self.ttl };
    }

    /// Whether its status is terminal.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.state.status.as_str(), "completed" | "failed" | "cancelled")
    }

    /// Whether it wants input.
    pub(super) fn wants_input(&self) -> bool {
        self.state.status == "input_required"
    }

    /// When it is to be asked for next: at once when only its result is missing, later after failures.
    pub(super) fn next_poll(&self, now: Nanos) -> Nanos {
        let wait = if self.is_over() && self.failures == 0 { 0 } else { self.interval };
        now.saturating_add(wait.saturating_mul(1 << self.failures.min(6)))
    }

    /// Whether its time to live is over, after which the server may have forgotten it.
    pub(super) fn has_expired(&self, now: Nanos) -> bool {
        self.ttl.is_some_and(|ttl| self.since.saturating_add(ttl) <= now)
    }

    /// Its time to live in words.
    pub(super) fn ttl(&self) -> String {
        super::flight::span(self.ttl.unwrap_or_default())
    }

    /// Whether a question with this key is new: keys are not used twice in a task (TE-012).
    pub(super) fn is_new(&mut self, key: &str) -> bool {
        self.asked.len() < MOST_KEYS && self.asked.insert(key.to_owned())
    }

    /// The answers on the wire did not arrive: their questions may be asked again.
    pub(super) fn ask_again(&mut self) {
        for key in std::mem::take(&mut self.sent) {
            self.asked.remove(&key);
        }
    }

    /// These questions were taken back unanswered: should they come again, they are new.
    pub(super) fn take_back(&mut self, gone: &[(String, Bytes)]) {
        for (key, _) in gone {
            self.asked.remove(key);
        }
    }

    /// `{"taskId": …}`.
    pub(super) fn params(&self) -> Vec<u8> {
        [b"{\"taskId\":".as_slice(), &self.written, b"}"].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::{Shape, Task};
    use crate::wire::Json;

    fn json(text: &str) -> Json<'_> {
        Json::parse(text.as_bytes()).expect("the test's JSON is valid")
    }

    #[test]
    fn both_shapes_are_read_and_neither_for_the_other() {
        let core = json(r#"{"task":{"taskId":"a","status":"working","ttl":60000,"pollInterval":500}}"#);
        let extension =
            json(r#"{"resultType":"task","taskId":"b","status":"working","ttlMs":null,"pollIntervalMs":0}"#);
        let task = Task::created(Shape::Core, core, 0).expect("a task");
        assert_eq!(
            (task.next_poll(0), task.has_expired(59_999_999_999), task.has_expired(60_000_000_000)),
            (500_000_000, false, true)
        );
        let task = Task::created(Shape::Extension, extension, 0).expect("a task");
        assert_eq!((task.next_poll(7), task.has_expired(i64::MAX)), (50_000_007, false));
        assert!(Task::created(Shape::Core, extension, 0).is_none());
        assert!(Task::created(Shape::Extension, core, 0).is_none());
        assert!(Task::created(Shape::Extension, json(r#"{"taskId":7}"#), 0).is_none());
    }

    #[test]
    fn a_terminal_status_stays_and_each_wish_for_input_counts() {
        let mut task =
            Task::created(Shape::Extension, json(r#"{"taskId":"b","status":"working"}"#), 0).expect("a task");
        for status in ["input_required", "input_required", "working", "input_required", "completed", "working"] {
            task.take(json(&format!(r#"{{"taskId":"b","status":"{status}"}}"#)));
        }
        assert_eq!((task.round, task.state.status.as_str(), task.is_over()), (2, "completed", true));
        assert!(task.is_new("k") && !task.is_new("k"));
        task.sent.push("k".to_owned());
        task.ask_again();
        assert!(task.is_new("k"));
    }
}
