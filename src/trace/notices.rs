//! Notifications and lines of stderr: to which exchange each belongs (protocol.md 4.3–4.5).

use super::flights::Hit;
use super::params::Params;
use super::record::{Found, Heard};
use super::remark::Remark;
use super::{AttachKind, Marks, Name, Note, NoteKind, Place, Status, Trace};
use crate::mcp::{self, meta};
use crate::model::{Entry, Era, Id, Side};

impl Trace {
    pub(super) fn notification(&mut self, heard: &Heard<'_>) -> Found {
        let text = heard.message.method.as_deref().unwrap_or_default();
        let params = Params::read(heard.message.params);
        let method = self.names.intern(&mcp::one_line(text, 200));
        // What differs each time is not kept for ever: a server may log for days.
        let fleeting = matches!(text, "notifications/progress" | "notifications/message");
        let subject = if fleeting {
            mcp::subject(text, heard.message.params).map_or(Name::NONE, |subject| self.names.intern_fleeting(&subject))
        } else {
            self.subject(text, heard.message.params)
        };
        let found = Found::alone(method, subject);
        if let Some(subscription) = params.meta.subscription {
            return self.of_subscription(heard, text, &meta::typed(subscription), found);
        }
        match text {
            "notifications/progress" => self.progress(heard, &params, found),
            "notifications/cancelled" => self.cancelled(heard, &params, found),
            "notifications/message" => self.log(heard, found),
            "notifications/tasks" | "notifications/tasks/status" => self.task_told(heard, &params, found),
            "notifications/elicitation/complete" => self.elicited(heard, &params, found),
            _ => self.other(heard, &params, found),
        }
    }

    /// Attaches to the one exchange that it certainly belongs to.
    fn belongs(&mut self, heard: &Heard<'_>, exchange: u32, kind: AttachKind, found: Found) -> Found {
        self.attach(exchange, heard.at, kind, true, heard.size);
        found.of(exchange)
    }

    /// Attaches to each that it may belong to.
    fn may_belong(&mut self, heard: &Heard<'_>, list: &[u32], kind: AttachKind, found: Found) -> Found {
        for &exchange in list {
            self.attach(exchange, heard.at, kind, false, heard.size);
        }
        list.first().map_or(found, |&first| found.of(first).marked(Marks::POSSIBLE))
    }

    fn progress(&mut self, heard: &Heard<'_>, params: &Params<'_>, found: Found) -> Found {
        let token = params.token.map(meta::typed);
        let asker = heard.side.other();
        let Some(token) = token else { return found.marked(Marks::UNKNOWN_TARGET) };
        let owners = self.flights.by_token(heard.chan, asker, &token);
        match owners[..] {
            [exchange] => {
                self.check_progress(heard, params, exchange);
                self.belongs(heard, exchange, AttachKind::Progress, found)
            }
            [] => match self.flights.by_old_token(heard.chan, asker, &token) {
                Some(exchange) => {
                    self.remark(exchange, Remark::LateProgress(heard.at.seq));
                    self.belongs(heard, exchange, AttachKind::Progress, found).marked(Marks::LATE)
                }
                None => found.marked(Marks::UNKNOWN_TARGET),
            },
            _ => self.may_belong(heard, &owners[..owners.len().min(16)], AttachKind::Progress, found),
        }
    }

    /// Notes where progress does not rise (PR-004).
    fn check_progress(&mut self, heard: &Heard<'_>, params: &Params<'_>, exchange: u32) {
        let Some(now) = params.progress.and_then(|progress| progress.as_f64()) else { return };
        let Some(flight) = self.flights.get_mut(exchange) else { return };
        let before = flight.progress.replace(now);
        if before.is_some_and(|before| now <= before) {
            self.remark(exchange, Remark::ProgressFell(heard.at.seq));
        }
    }

    fn cancelled(&mut self, heard: &Heard<'_>, params: &Params<'_>, found: Found) -> Found {
        let Some(id) = params.request_id.map(meta::typed) else { return found.marked(Marks::UNKNOWN_TARGET) };
        match self.flights.find(heard.chan, heard.side, &id, &self.exchanges) {
            Hit::One(exchange) => {
                let found = self.belongs(heard, exchange, AttachKind::Cancelled, found);
                self.cancel(exchange, heard);
                found
            }
            Hit::Several(_, list) => {
                self.may_belong(heard, &list, AttachKind::Cancelled, found).marked(Marks::AMBIGUOUS)
            }
            Hit::None => self.cancelled_unasked(heard, &id, found),
        }
    }

    /// The sender has no such request in flight: it is over, or it is a server that ends a subscription.
    fn cancelled_unasked(&mut self, heard: &Heard<'_>, id: &Id, found: Found) -> Found {
        if let Some(exchange) = self.flights.find_last(heard.chan, heard.side, id, &self.exchanges) {
            self.remark(exchange, Remark::CancelledAfterAnswer(heard.at.seq));
            return self.belongs(heard, exchange, AttachKind::Cancelled, found);
        }
        // In 2026-07-28 closing the stream cancels; clients send the notification on another request all
        // the same (CN-010).
        if let Some(exchange) = self.flights.find_elsewhere(heard.chan, heard.side, id, &self.exchanges) {
            return self.may_belong(heard, &[exchange], AttachKind::Cancelled, found);
        }
        let other = self.flights.find_last(heard.chan, heard.side.other(), id, &self.exchanges);
        let listen = other.filter(|&other| self.exchanges[other as usize].method == self.words.listen);
        let Some(exchange) = listen.filter(|_| heard.side == Side::Server) else {
            return found.marked(Marks::UNKNOWN_TARGET);
        };
        let found = self.belongs(heard, exchange, AttachKind::Cancelled, found);
        if self.exchanges[exchange as usize].status.is_open() {
            self.close(exchange, Status::Closed, self.words.ended_by_server, heard.ended);
        }
        found
    }

    fn cancel(&mut self, exchange: u32, heard: &Heard<'_>) {
        let listens = self.exchanges[exchange as usize].method == self.words.listen;
        let (status, outcome) = if listens {
            (Status::Closed, self.words.ended_by_client)
        } else {
            (Status::Cancelled, self.words.cancelled)
        };
        self.close(exchange, status, outcome, heard.ended);
    }

    fn log(&mut self, heard: &Heard<'_>, found: Found) -> Found {
        let asker = heard.side.other();
        let Some(scope) = heard.chan.attribution() else { return found };
        let candidates = self.candidates(scope, asker);
        if let ([exchange], true) = (&candidates[..], heard.chan.names_its_request()) {
            return self.belongs(heard, *exchange, AttachKind::Log, found);
        }
        let wants = |exchange: &u32| self.flights.get(*exchange).is_some_and(|flight| flight.wants_logs);
        let candidates: Vec<u32> = candidates.into_iter().filter(wants).collect();
        match candidates[..] {
            // In 2026-07-28 a log message is about a request; before, it may be about none.
            [exchange] if self.exchanges[exchange as usize].era == Some(Era::Modern) => {
                self.belongs(heard, exchange, AttachKind::Log, found)
            }
            _ => self.may_belong(heard, &candidates, AttachKind::Log, found),
        }
    }

    /// What a subscription brings names the `subscriptions/listen` by its id, with its JSON type.
    fn of_subscription(&mut self, heard: &Heard<'_>, method: &str, id: &Id, found: Found) -> Found {
        let listen = self.flights.find_last(heard.chan, heard.side.other(), id, &self.exchanges);
        let listen = listen.filter(|&exchange| self.exchanges[exchange as usize].method == self.words.listen);
        let Some(exchange) = listen else { return found.marked(Marks::UNKNOWN_TARGET) };
        if method == "notifications/subscriptions/acknowledged" {
            if self.exchanges[exchange as usize].status.is_open() {
                self.exchanges[exchange as usize].outcome = self.words.listening;
            }
            return self.belongs(heard, exchange, AttachKind::Acknowledged, found);
        }
        if method == "notifications/tasks" {
            let params = Params::read(heard.message.params);
            self.task_told(heard, &params, found);
        }
        let found = self.belongs(heard, exchange, AttachKind::Subscription, found);
        let over = !self.exchanges[exchange as usize].status.is_open();
        if over { found.marked(Marks::LATE) } else { found }
    }

    fn task_told(&mut self, heard: &Heard<'_>, params: &Params<'_>, found: Found) -> Found {
        let task = params.task_id.map(meta::typed);
        let Some(operation) = task.and_then(|task| self.task_of(heard.side, &task)) else {
            return found.marked(Marks::UNKNOWN_TARGET);
        };
        self.task_is(operation, params.status, heard.ended);
        let first = self.operations[operation as usize].members.first().map(|member| member.exchange);
        first.map_or(found, |first| self.belongs(heard, first, AttachKind::TaskStatus, found))
    }

    fn elicited(&mut self, heard: &Heard<'_>, params: &Params<'_>, found: Found) -> Found {
        let id = params.elicitation.and_then(|id| id.text());
        let exchange = id.and_then(|id| self.tasks.elicitations.get(&*id).copied());
        match exchange {
            Some(exchange) => self.belongs(heard, exchange, AttachKind::Notification, found),
            None => found.marked(Marks::UNKNOWN_TARGET),
        }
    }

    /// Anything else: by the task that it names, or by the HTTP request on whose response it came.
    fn other(&mut self, heard: &Heard<'_>, params: &Params<'_>, found: Found) -> Found {
        if let Some(task) = params.meta.related_task.map(meta::typed) {
            let operation = self.task_of(heard.side, &task);
            let members = operation.map(|operation| &self.operations[operation as usize].members);
            let Some(first) = members.and_then(|members| members.first()) else {
                return found.marked(Marks::UNKNOWN_TARGET);
            };
            return self.belongs(heard, first.exchange, AttachKind::Notification, found);
        }
        let by_channel = heard.chan.names_its_request() && heard.side == Side::Server;
        let scope = heard.chan.attribution().filter(|_| by_channel);
        let candidates = scope.map_or_else(Vec::new, |scope| self.candidates(scope, Side::Client));
        match candidates[..] {
            [exchange] => self.belongs(heard, exchange, AttachKind::Notification, found),
            _ => found,
        }
    }

    /// A line of stderr may be about any request in flight, and says so of none.
    pub(super) fn stderr(&mut self, entry: &Entry, note: Note) -> Note {
        let scope = self.channels.get(entry.channel).attribution();
        let candidates = scope.map_or_else(Vec::new, |scope| self.candidates(scope, Side::Client));
        let at = Place { seq: entry.seq, item: 0 };
        for &exchange in &candidates {
            self.attach(exchange, at, AttachKind::Stderr, false, entry.size);
        }
        let first = candidates.first().copied();
        let marks = first.map_or(Marks(0), |_| Marks::POSSIBLE);
        Note { kind: NoteKind::Stderr, exchange: first.unwrap_or(Note::NO_EXCHANGE), marks, ..note }
    }
}
