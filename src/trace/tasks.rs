//! Tasks, of 2025-11-25 and of the extension of 2026-07-28: what created one, what asks for it, what
//! tells of it (protocol.md 4.7).

use std::collections::HashMap;

use super::flights::Flight;
use super::params::Answer;
use super::record::Heard;
use super::{AttachKind, OperationKind, Part, Trace};
use crate::mcp::meta;
use crate::model::{Era, Id, Nanos, Side};
use crate::wire::Json;

/// The tasks that are known.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// Who holds a task and its id → its operation. Task ids outlive channels.
    by_id: HashMap<(Side, Id), u32>,
    /// Requests whose progress token is valid until their task is over.
    held: HashMap<u32, (u32, Flight)>,
    /// Elicitations by URL → the exchange that asked.
    pub(super) elicitations: HashMap<Box<str>, u32>,
}

impl Trace {
    /// A request about a task: linked to what created it, or the first that is known of it.
    pub(super) fn task_asked(&mut self, heard: &Heard<'_>, method: &str, task: &Id, exchange: u32) {
        let part = match method {
            "tasks/get" => Part::Poll,
            "tasks/result" => Part::Fetch,
            "tasks/update" => Part::Update,
            "tasks/cancel" => Part::Cancel,
            _ => return,
        };
        let holder = heard.side.other();
        let modern = self.exchanges[exchange as usize].era == Some(Era::Modern);
        let operation = if let Some(&operation) = self.tasks.by_id.get(&(holder, task.clone())) {
            operation
        } else {
            let kind = if modern { OperationKind::Task } else { OperationKind::CoreTask };
            let operation = self.begin_operation(kind, None);
            self.operations[operation as usize].at = heard.began;
            self.know_task(operation, holder, task.clone());
            operation
        };
        self.join(operation, exchange, part);
    }

    /// A request of the other side that says it belongs to a task.
    pub(super) fn nested_in_task(&mut self, heard: &Heard<'_>, task: &Id, exchange: u32) {
        let Some(operation) = self.task_of(heard.side, task) else { return };
        let first = self.operations[operation as usize].members.first().map(|member| member.exchange);
        self.join(operation, exchange, Part::Nested);
        if let Some(first) = first {
            self.attach(first, heard.at, AttachKind::Nested, true, heard.size);
        }
    }

    /// The operation of a task that `side` speaks of: mostly it holds it.
    pub(super) fn task_of(&self, side: Side, task: &Id) -> Option<u32> {
        let known = |holder| self.tasks.by_id.get(&(holder, task.clone())).copied();
        known(side).or_else(|| known(side.other()))
    }

    fn know_task(&mut self, operation: u32, holder: Side, task: Id) {
        let text = match &task {
            Id::String(text) => crate::mcp::one_line(text, 80),
            other => other.to_string(),
        };
        self.operations[operation as usize].task = self.names.intern(&text);
        self.tasks.by_id.insert((holder, task), operation);
    }

    /// Whether the request goes on as a task, so that its progress token stays valid.
    pub(super) fn task_answered(
        &mut self,
        exchange: u32,
        heard: &Heard<'_>,
        result: &Answer<'_>,
        flight: Option<&Flight>,
    ) -> bool {
        let nested = result.task.and_then(|task| Some((task.get("taskId")?, task.get("status"))));
        let flat = result.task_id.filter(|_| result.is_type("task")).map(|task| (task, result.status));
        if let Some((task, status)) = nested.or(flat) {
            let kind = if nested.is_some() { OperationKind::CoreTask } else { OperationKind::Task };
            return self.task_created(exchange, heard, (kind, meta::typed(task), status), flight);
        }
        let Some(operation) = self.exchanges[exchange as usize].operation else { return false };
        let part = self.operations[operation as usize].members.iter().rev().find(|member| member.exchange == exchange);
        match part.map(|member| member.part) {
            Some(Part::Poll | Part::Cancel) => self.task_is(operation, result.status, heard.ended),
            Some(Part::Fetch) => {
                self.operations[operation as usize].end = Some(heard.ended);
                self.release_token(operation);
            }
            _ => {}
        }
        false
    }

    fn task_created(
        &mut self,
        exchange: u32,
        heard: &Heard<'_>,
        (kind, task, status): (OperationKind, Id, Option<Json<'_>>),
        flight: Option<&Flight>,
    ) -> bool {
        let known = self.exchanges[exchange as usize].operation;
        let operation = known.unwrap_or_else(|| self.begin_operation(kind, Some(exchange)));
        self.operations[operation as usize].end = None;
        self.know_task(operation, heard.side, task);
        self.task_is(operation, status, heard.ended);
        let goes_on = kind == OperationKind::CoreTask && self.operations[operation as usize].end.is_none();
        if let Some(flight) = flight.filter(|flight| goes_on && flight.token.is_some()) {
            self.tasks.held.insert(operation, (exchange, flight.clone()));
            return true;
        }
        false
    }

    /// Takes in the status of a task; a terminal one ends its operation.
    pub(super) fn task_is(&mut self, operation: u32, status: Option<Json<'_>>, at: Nanos) {
        let Some(status) = status.and_then(|status| status.text()) else { return };
        let this = &mut self.operations[operation as usize];
        this.state = self.names.intern(&crate::mcp::one_line(&status, 40));
        if matches!(&*status, "completed" | "failed" | "cancelled") {
            this.end.get_or_insert(at);
            self.release_token(operation);
        }
        if let Some(first) = self.operations[operation as usize].members.first() {
            self.touch(first.exchange);
        }
    }

    fn release_token(&mut self, operation: u32) {
        if let Some((exchange, flight)) = self.tasks.held.remove(&operation) {
            self.flights.drop_token(exchange, &flight);
        }
    }
}
