//! Links between exchanges: rounds of one request, pages of one list, the same request under another
//! revision (protocol.md 4.6, 4.8). Tasks have a file of their own.

use std::collections::{HashMap, VecDeque};

use super::flights::Flight;
use super::params::{Answer, Params};
use super::record::Heard;
use super::remark::Remark;
use super::scope::{Scope, digest, fingerprint};
use super::{Member, Name, Operation, OperationKind, Part, Trace};
use crate::model::{Era, Nanos, Side};
use crate::wire::{Json, JsonKind};

/// A request that was answered with "input required" and has not been tried again.
#[derive(Debug)]
struct Waiting {
    method: Name,
    target: Name,
    scope: Scope,
    arguments: u64,
    /// The `requestState` as its bytes on the wire.
    state: Option<u128>,
    keys: Vec<Box<str>>,
}

/// What later requests may be linked to.
#[derive(Debug, Default)]
pub(super) struct Chains {
    waiting: HashMap<u32, Waiting>,
    by_state: HashMap<(Name, u128), Vec<u32>>,
    by_target: HashMap<(Name, Name), Vec<u32>>,
    waiting_order: VecDeque<u32>,
    /// A cursor that was given out, by method → the exchange that gave it.
    pages: HashMap<(Scope, Name, u64), u32>,
    page_order: VecDeque<(Scope, Name, u64)>,
    /// A request that was refused with -32022.
    refused: HashMap<(Scope, Name), u32>,
}

/// The most of each kind that are kept waiting; the oldest are given up, as their client has.
const MOST: usize = 4096;

impl Trace {
    /// Links a request to what came before it.
    pub(super) fn link_request(&mut self, heard: &Heard<'_>, method: &str, params: &Params<'_>, exchange: u32) {
        if let Some(task) = params.task_id.filter(|_| method.starts_with("tasks/")) {
            return self.task_asked(heard, method, &crate::mcp::meta::typed(task), exchange);
        }
        if let Some(elicitation) = params.elicitation.and_then(|id| id.text()) {
            self.tasks.elicitations.insert(elicitation.into(), exchange);
        }
        if heard.side != Side::Client {
            return;
        }
        let found = self.round_before(heard, params, exchange).map(|(before, remark)| {
            if let Some(remark) = remark {
                self.remark(exchange, remark);
            }
            (before, OperationKind::Rounds, Part::Round)
        });
        let found = found.or_else(|| self.page_before(heard, params, exchange));
        if let Some((before, kind, part)) = found.or_else(|| self.refused_before(heard, exchange)) {
            self.link(before, exchange, kind, part);
        }
    }

    /// The round that this request carries on, and what is odd about it.
    fn round_before(&mut self, heard: &Heard<'_>, params: &Params<'_>, exchange: u32) -> Option<(u32, Option<Remark>)> {
        let this = &self.exchanges[exchange as usize];
        if (params.state.is_none() && params.responses.is_none()) || self.chains.waiting.is_empty() {
            return None;
        }
        let state = params.state.map(|state| fingerprint(state.raw()));
        let arguments = self.flights.get(exchange).map_or(0, |flight| flight.arguments);
        let target = (this.method, this.subject);
        let by_state = state.and_then(|state| self.chains.by_state(this.method, state, arguments));
        let scope = heard.chan.home();
        let before = by_state.or_else(|| self.chains.by_keys(target, scope, arguments, params))?;
        let waiting = self.chains.take(before)?;
        let same_id = self.exchanges[before as usize].id == this.id;
        let remark = match (waiting.state, state) {
            (Some(given), Some(brought)) if given != brought => Some(Remark::StateAltered),
            (Some(_), None) => Some(Remark::StateMissing),
            (None, Some(_)) => Some(Remark::StateInvented),
            _ => same_id.then_some(Remark::SameId),
        };
        Some((before, remark))
    }

    fn page_before(
        &mut self,
        heard: &Heard<'_>,
        params: &Params<'_>,
        exchange: u32,
    ) -> Option<(u32, OperationKind, Part)> {
        let cursor = params.cursor.filter(|cursor| cursor.kind() == JsonKind::String)?;
        let method = self.exchanges[exchange as usize].method;
        let before = self.chains.pages.remove(&(heard.chan.home(), method, digest(&cursor.raw())))?;
        Some((before, OperationKind::Pages, Part::Page))
    }

    fn refused_before(&mut self, heard: &Heard<'_>, exchange: u32) -> Option<(u32, OperationKind, Part)> {
        if self.chains.refused.is_empty() {
            return None;
        }
        let this = &self.exchanges[exchange as usize];
        let before = self.chains.refused.remove(&(heard.chan.group(), this.method))?;
        let that = &self.exchanges[before as usize];
        let again = this.era == Some(Era::Modern) && that.revision != this.revision && that.subject == this.subject;
        again.then_some((before, OperationKind::Negotiation, Part::Again))
    }

    /// Remembers what an answer gives out that a later request may carry. Whether the request's
    /// progress token stays valid, since its task goes on.
    pub(super) fn link_answer(
        &mut self,
        exchange: u32,
        heard: &Heard<'_>,
        result: &Answer<'_>,
        flight: Option<&Flight>,
    ) -> bool {
        if let Some(error) = heard.message.error {
            self.refused(exchange, heard, error);
        }
        let asks = result.is_type("input_required");
        if asks {
            self.wait_for_round(exchange, heard, result, flight);
        }
        if let Some(cursor) = result.next_cursor.filter(|cursor| cursor.kind() == JsonKind::String) {
            let method = self.exchanges[exchange as usize].method;
            self.chains.expect_page((heard.chan.home(), method, digest(&cursor.raw())), exchange);
        }
        let keeps = self.task_answered(exchange, heard, result, flight);
        if !asks {
            self.end_operation(exchange, heard.ended);
        }
        keeps
    }

    fn refused(&mut self, exchange: u32, heard: &Heard<'_>, error: Json<'_>) {
        match error.get("code").and_then(|code| code.as_i64()) {
            Some(-32022) => {
                let method = self.exchanges[exchange as usize].method;
                self.chains.refused.insert((heard.chan.group(), method), exchange);
            }
            Some(-32042) => {
                let list = error.pointer("/data/elicitations");
                for id in list.iter().flat_map(Json::items).filter_map(|item| item.get("elicitationId")?.text()) {
                    self.tasks.elicitations.insert(id.into(), exchange);
                }
            }
            _ => {}
        }
    }

    fn wait_for_round(&mut self, exchange: u32, heard: &Heard<'_>, result: &Answer<'_>, flight: Option<&Flight>) {
        let this = &self.exchanges[exchange as usize];
        let keys = result.requests.iter().flat_map(Json::members).take(100);
        let waiting = Waiting {
            method: this.method,
            target: this.subject,
            scope: heard.chan.home(),
            arguments: flight.map_or(0, |flight| flight.arguments),
            state: result.state.filter(|state| state.kind() == JsonKind::String).map(|state| fingerprint(state.raw())),
            keys: keys.filter_map(|(key, _)| key.text()).map(Into::into).collect(),
        };
        self.chains.wait(exchange, waiting);
    }

    /// Makes two exchanges parts of one operation.
    pub(super) fn link(&mut self, before: u32, exchange: u32, kind: OperationKind, part: Part) {
        let known = self.exchanges[before as usize].operation;
        let operation = known.unwrap_or_else(|| self.begin_operation(kind, Some(before)));
        self.join(operation, exchange, part);
    }

    pub(super) fn begin_operation(&mut self, kind: OperationKind, first: Option<u32>) -> u32 {
        let number = self.operations.len() as u32;
        let at = first.map_or(0, |first| self.exchanges[first as usize].at);
        let (task, state) = (Name::NONE, Name::NONE);
        self.operations.push(Operation { kind, members: Vec::new(), at, end: None, rounds: 0, task, state });
        if let Some(first) = first {
            self.join(number, first, Part::First);
        }
        number
    }

    pub(super) fn join(&mut self, operation: u32, exchange: u32, part: Part) {
        let this = &mut self.operations[operation as usize];
        this.members.push(Member { exchange, part });
        if part != Part::Nested {
            this.rounds += 1;
        }
        if this.task.is_none() {
            this.end = None;
        }
        self.exchanges[exchange as usize].operation = Some(operation);
        let first = self.operations[operation as usize].members[0].exchange;
        self.touch(first);
        self.touch(exchange);
    }

    /// An operation without a task ends with its last answer, as far as is known.
    fn end_operation(&mut self, exchange: u32, at: Nanos) {
        let Some(operation) = self.exchanges[exchange as usize].operation else { return };
        let this = &mut self.operations[operation as usize];
        if this.task.is_none() {
            this.end = Some(at);
        }
        let first = this.members[0].exchange;
        self.touch(first);
    }
}

impl Chains {
    fn wait(&mut self, exchange: u32, waiting: Waiting) {
        if let Some(state) = waiting.state {
            self.by_state.entry((waiting.method, state)).or_default().push(exchange);
        }
        self.by_target.entry((waiting.method, waiting.target)).or_default().push(exchange);
        self.waiting.insert(exchange, waiting);
        self.waiting_order.push_back(exchange);
        if self.waiting_order.len() > MOST
            && let Some(oldest) = self.waiting_order.pop_front()
        {
            self.take(oldest);
        }
    }

    fn take(&mut self, exchange: u32) -> Option<Waiting> {
        let waiting = self.waiting.remove(&exchange)?;
        if let Some(state) = waiting.state {
            drop_from(&mut self.by_state, (waiting.method, state), exchange);
        }
        drop_from(&mut self.by_target, (waiting.method, waiting.target), exchange);
        Some(waiting)
    }

    /// The one that was given exactly this state; of several the oldest with the same arguments.
    fn by_state(&self, method: Name, state: u128, arguments: u64) -> Option<u32> {
        let list = self.by_state.get(&(method, state))?;
        let same = |exchange: &&u32| self.waiting[*exchange].arguments == arguments;
        list.iter().find(same).or_else(|| list.first()).copied()
    }

    /// The one of the same target whose questions these are answers to, or, where it asked nothing,
    /// with the same arguments. Of several the oldest that fits best.
    fn by_keys(&self, target: (Name, Name), scope: Scope, arguments: u64, params: &Params<'_>) -> Option<u32> {
        let members = params.responses.iter().flat_map(Json::members).take(100);
        let keys: Vec<_> = members.filter_map(|(key, _)| key.text()).collect();
        let fit = |exchange: u32| {
            let waiting = &self.waiting[&exchange];
            let shared = waiting.keys.iter().filter(|key| keys.iter().any(|given| **given == ***key)).count();
            let same_arguments = waiting.arguments == arguments;
            let asked_nothing = waiting.keys.is_empty() && params.state.is_some() && same_arguments;
            let fits = waiting.scope == scope && (shared > 0 || asked_nothing);
            fits.then_some((shared == waiting.keys.len(), same_arguments))
        };
        let mut best = None;
        for &exchange in self.by_target.get(&target)?.iter().take(64) {
            if let Some(how) = fit(exchange)
                && best.is_none_or(|(known, _)| how > known)
            {
                best = Some((how, exchange));
            }
        }
        best.map(|(_, exchange)| exchange)
    }

    fn expect_page(&mut self, page: (Scope, Name, u64), exchange: u32) {
        if self.pages.insert(page, exchange).is_none() {
            self.page_order.push_back(page);
        }
        if self.page_order.len() > MOST
            && let Some(oldest) = self.page_order.pop_front()
        {
            self.pages.remove(&oldest);
        }
    }
}

fn drop_from<K: std::hash::Hash + Eq>(map: &mut HashMap<K, Vec<u32>>, key: K, exchange: u32) {
    if let Some(list) = map.get_mut(&key) {
        list.retain(|one| *one != exchange);
        if list.is_empty() {
            map.remove(&key);
        }
    }
}
