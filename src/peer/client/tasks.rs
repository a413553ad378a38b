//! Calls that became tasks: asked for until they are over, their questions answered, their result fetched. What
//! a task ends with is what its call ends with.

use std::collections::BTreeMap;

use super::flight::{Landing, Purpose};
use super::machine::Client;
use super::send::Post;
use super::task::{Shape, Task};
use super::{Bytes, CallId, Outcome, Told};
use crate::mcp::{mirror, one_line};
use crate::model::{Era, Nanos};
use crate::wire::{Json, JsonKind};

/// How many requests about a task may fail, one after the other, before the call ends with it.
const MOST_FAILURES: u32 = 5;

/// The calls that are tasks.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    pub(super) all: BTreeMap<CallId, Task>,
}

impl Tasks {
    pub(super) fn forget(&mut self, call: CallId) {
        self.all.remove(&call);
    }

    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.all.values().filter(|task| !task.polling).filter_map(|task| task.state.next).min()
    }

    /// The call whose task has this id.
    pub(super) fn call_of(&self, id: &str) -> Option<CallId> {
        self.all.iter().find(|(_, task)| task.state.id == id).map(|(call, _)| *call)
    }
}

impl Client {
    /// Whether a result is a task; then the call goes on with it. In the extension only `tools/call` can become
    /// one (TE-018), in 2025-11-25 only a request that asked for it (TD-016).
    pub(super) fn became_task(&mut self, now: Nanos, call: CallId, method: &str, result: Json<'_>) -> bool {
        let Some(called) = self.calls.get(call) else { return false };
        let shape = match self.era() {
            Era::Modern => {
                let says_so = result.get("resultType").is_some_and(|kind| kind.is_text("task"));
                (says_so && method == "tools/call").then_some(Shape::Extension)
            }
            Era::Legacy => {
                let params = called.request.params.as_deref().and_then(|params| Json::parse(params).ok());
                let asked = called.request.task.is_some() || params.is_some_and(|params| params.get("task").is_some());
                asked.then_some(Shape::Core)
            }
        };
        let Some(task) = shape.and_then(|shape| Task::created(shape, result, now)) else { return false };
        let json = Bytes::clone(&task.state.json);
        let Ok(json) = Json::parse(&json) else { return false };
        self.tasks.all.insert(call, task);
        self.task_moved(now, call, json, false);
        true
    }

    /// The state of a task is known anew: what follows of it. `asked`: it was asked for, so it is all that there is.
    fn task_moved(&mut self, now: Nanos, call: CallId, json: Json<'_>, asked: bool) {
        self.settle_answered_elsewhere(now, call, json);
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        task.state.next = self.settings.poll_tasks.then(|| task.next_poll(now));
        let (shape, over, wants_input) = (task.shape, task.is_over(), task.wants_input());
        if over && (asked || shape == Shape::Core || is_final(task, json)) {
            task.state.next = None;
        }
        let state = task.state.clone();
        self.tell(Told::Task { call, task: state });
        match shape {
            Shape::Extension if over => self.end_with(now, call, json, asked),
            Shape::Extension if wants_input => self.ask_for_task(now, call, json),
            Shape::Core if over || wants_input => self.fetch_result(now, call),
            _ => {}
        }
    }

    /// The task of the extension is over: its outcome is inline (TE-003). Where it was told of without it, it is
    /// asked for.
    fn end_with(&mut self, now: Nanos, call: CallId, json: Json<'_>, asked: bool) {
        let Some(task) = self.tasks.all.get(&call) else { return };
        let outcome = match task.state.status.as_str() {
            "completed" => json.get("result").map(|result| Outcome::Result(result.raw().into())),
            "failed" => json.get("error").map(|error| Outcome::Error(error.raw().into())),
            _ => Some(cancelled(task)),
        };
        match outcome {
            Some(outcome) => self.ended(now, call, outcome),
            None if asked => {
                let status = task.state.status.clone();
                let why = format!("the task is {status}, but the server does not say with what (TE-003)");
                self.ended(now, call, Outcome::Refused(why));
            }
            None => {}
        }
    }

    fn fetch_result(&mut self, now: Nanos, call: CallId) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        if task.fetching || (task.early && !task.is_over()) {
            return;
        }
        if task.state.status == "cancelled" {
            let outcome = cancelled(task);
            return self.ended(now, call, outcome);
        }
        task.fetching = true;
        let params = task.params();
        self.post_for_task(now, Purpose::TaskResult(call), "tasks/result", params);
    }

    /// [`super::Order::Poll`].
    pub(super) fn poll(&mut self, now: Nanos, call: CallId) {
        let Some(task) = self.tasks.all.get_mut(&call).filter(|task| !task.polling) else { return };
        (task.polling, task.state.next) = (true, None);
        task.state.polls = task.state.polls.saturating_add(1);
        let params = task.params();
        self.post_for_task(now, Purpose::Poll(call), "tasks/get", params);
    }

    /// A request about a task has the call's header fields, but for those that name the call itself.
    pub(super) fn post_for_task(&mut self, now: Nanos, purpose: Purpose, method: &str, params: Vec<u8>) {
        let Some(called) = purpose.call().and_then(|call| self.calls.get(call)) else { return };
        let mut post = Post::of(&called.request, method, Some(params));
        post.bare = false;
        let own = |name: &str| {
            let is_param =
                name.get(..mirror::PARAM.len()).is_some_and(|start| start.eq_ignore_ascii_case(mirror::PARAM));
            is_param || name.eq_ignore_ascii_case(mirror::NAME) || name.eq_ignore_ascii_case(mirror::METHOD)
        };
        post.fields.retain(|(name, _)| !own(name));
        self.post(now, purpose, post);
    }

    /// `tasks/get` came back.
    pub(super) fn polled(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        task.polling = false;
        let Landing::Result(json) = landing else { return self.poll_failed(now, call, landing) };
        task.failures = 0;
        task.take(json);
        let late = task.has_expired(now) && !task.is_over() && self.settings.poll_tasks;
        let (ttl, status) = (task.ttl(), one_line(&task.state.status, 40));
        self.task_moved(now, call, json, true);
        if late && self.tasks.all.contains_key(&call) {
            let why = format!("the time to live of the task, {ttl}, is over, and it is still {status}");
            self.ended(now, call, Outcome::TimedOut(why));
        }
    }

    /// `tasks/get` failed. That the server does not know the task ends the call; anything else is tried again.
    fn poll_failed(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        task.failures = task.failures.saturating_add(1);
        let is_final = matches!(landing.code(), Some(-32601 | -32602));
        if is_final || task.failures >= MOST_FAILURES {
            return self.ended(now, call, landing.outcome());
        }
        self.poll_later(now, call);
    }

    /// An answer or the fetching of the result failed.
    pub(super) fn task_refused(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        task.refusals = task.refusals.saturating_add(1);
        if task.refusals >= MOST_FAILURES {
            return self.ended(now, call, landing.outcome());
        }
        self.poll_later(now, call);
    }

    fn poll_later(&mut self, now: Nanos, call: CallId) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        task.state.next = self.settings.poll_tasks.then(|| task.next_poll(now));
        let state = task.state.clone();
        self.tell(Told::Task { call, task: state });
    }

    /// `tasks/result` came back: the result or error of the request itself (TD-008). A server that does not wait
    /// for the end of the task answers with an error of its own meanwhile; then it is asked again at the end.
    pub(super) fn task_result_landed(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        task.fetching = false;
        match landing {
            Landing::Error(_) if !task.is_over() => {
                task.early = true;
                self.poll_later(now, call);
            }
            Landing::Result(_) | Landing::Error(_) => self.ended(now, call, landing.outcome()),
            _ => self.task_refused(now, call, landing),
        }
    }

    /// Whether a call is a task that can still be cancelled: it is asked of the server, with `tasks/cancel` (CN-006).
    pub(super) fn cancel_task(&mut self, now: Nanos, call: CallId, _reason: &str) -> bool {
        let Some(task) = self.tasks.all.get_mut(&call) else { return false };
        if task.cancelling || task.is_over() {
            return false;
        }
        task.cancelling = true;
        let params = task.params();
        self.post_for_task(now, Purpose::TaskCancel(call), "tasks/cancel", params);
        true
    }

    /// `tasks/cancel` came back. In 2025-11-25 it brings the task as it is now; in the extension it is a mere
    /// acknowledgement, and the task may still end otherwise.
    pub(super) fn task_cancelled(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        let Some(task) = self.tasks.all.get_mut(&call) else { return };
        match landing {
            Landing::Result(json) if task.shape == Shape::Core && json.get("status").is_some() => {
                task.take(json);
                self.task_moved(now, call, json, true);
            }
            Landing::Result(_) => task.state.next = self.settings.poll_tasks.then_some(now),
            landing => {
                task.cancelling = false;
                let why = format!("the task was not cancelled: {}", landing.words());
                task.state.next = self.settings.poll_tasks.then_some(now);
                let bytes = if let Landing::Error(error) = landing { error.raw().to_vec() } else { Vec::new() };
                self.stray(&bytes, why);
            }
        }
        self.tasks_passed(now);
    }

    /// `notifications/tasks` or `notifications/tasks/status`; the call whose task it is.
    pub(super) fn task_notified(&mut self, now: Nanos, params: Option<Json<'_>>) -> Option<CallId> {
        let params = params?;
        let call = self.tasks.call_of(&params.get("taskId")?.text()?)?;
        if let Some(task) = self.tasks.all.get_mut(&call)
            && params.get("status").is_some_and(|status| status.kind() == JsonKind::String)
        {
            task.take(params);
            self.task_moved(now, call, params, false);
        }
        Some(call)
    }

    pub(super) fn tasks_passed(&mut self, now: Nanos) {
        let due = |task: &Task| !task.polling && task.state.next.is_some_and(|at| at <= now);
        let due: Vec<CallId> = self.tasks.all.iter().filter(|(_, task)| due(task)).map(|(call, _)| *call).collect();
        for call in due {
            self.poll(now, call);
        }
    }
}

/// Whether a task object of the extension says all that its status owes.
fn is_final(task: &Task, json: Json<'_>) -> bool {
    match task.state.status.as_str() {
        "completed" => json.get("result").is_some(),
        "failed" => json.get("error").is_some(),
        _ => true,
    }
}

/// The end of a task that was cancelled, by us or by the server.
fn cancelled(task: &Task) -> Outcome {
    if task.cancelling {
        return Outcome::Cancelled;
    }
    let message = task.state.message.as_ref().map(|text| format!(": {}", one_line(text, 200))).unwrap_or_default();
    Outcome::Refused(format!("the server cancelled the task{message}"))
}
