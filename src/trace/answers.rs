//! Answers: to which request each belongs, and how its exchange ended.

use super::flights::{Flight, Hit};
use super::params::Answer;
use super::record::{Found, Heard};
use super::remark::Remark;
use super::scope::Resumes;
use super::{AttachKind, Marks, Name, Status, Trace};
use crate::mcp;
use crate::model::{Id, Side, Transport};
use crate::wire::MessageKind;

impl Trace {
    pub(super) fn answer(&mut self, heard: &Heard<'_>) -> Found {
        let asker = heard.side.other();
        let id = match &heard.message.id {
            None | Some(Id::Null) => return self.answer_without_id(heard, asker),
            Some(id) => id,
        };
        match self.flights.find(heard.chan, asker, id, &self.exchanges) {
            Hit::One(exchange) => self.answered(exchange, heard),
            Hit::Several(key, open) => self.answered_one_of(key, &open, heard),
            Hit::None => match self.flights.find_last(heard.chan, asker, id, &self.exchanges) {
                Some(exchange) => self.answered_again(exchange, heard),
                None => Found::alone(Name::NONE, Name::NONE).marked(Marks::ORPHAN),
            },
        }
    }

    /// The answer that a request waited for.
    fn answered(&mut self, exchange: u32, heard: &Heard<'_>) -> Found {
        let result = Answer::read(heard.message.result);
        self.conclude(exchange, heard, &result);
        self.check_stream(exchange, heard);
        self.check_status(exchange, heard);
        self.learn_mirrored(exchange, heard);
        // An exchange whose connection had ended is no longer in flight; the rest is the same.
        let flight = self.flights.land(exchange);
        self.forget_end(exchange);
        self.learn(exchange, heard, &result, flight.as_ref());
        self.about(exchange)
    }

    /// Writes the answer into the exchange.
    fn conclude(&mut self, exchange: u32, heard: &Heard<'_>, result: &Answer<'_>) {
        let this = &self.exchanges[exchange as usize];
        let method = std::sync::Arc::clone(self.names.text(this.method));
        let outcome = match (heard.message.kind, heard.message.result, heard.message.error) {
            (MessageKind::Error, _, Some(error)) => mcp::error_outcome(error),
            (_, Some(result), _) => mcp::outcome(&method, result),
            _ => "ok".to_owned(),
        };
        let failed = result.is_error.is_some_and(|is| is.as_bool() == Some(true));
        let status = match heard.message.kind {
            MessageKind::Error => Status::Error,
            _ if failed => Status::Failed,
            _ => Status::Ok,
        };
        let outcome = self.names.intern(&outcome);
        let this = &mut self.exchanges[exchange as usize];
        (this.status, this.outcome) = (status, outcome);
        (this.answer, this.end) = (Some(heard.at), Some(heard.ended));
        this.size += heard.size;
        self.touch(exchange);
    }

    /// Notes where an answer came on a stream on which it does not belong (protocol.md 4.2).
    fn check_stream(&mut self, exchange: u32, heard: &Heard<'_>) {
        let (chan, seq) = (heard.chan, heard.at.seq);
        let asked_on = self.exchanges[exchange as usize].channel;
        if heard.side != Side::Server || chan.over_sse || !chan.is_http() || chan.id == asked_on {
            return;
        }
        match (chan.transport, chan.resumes) {
            (_, Resumes::Request(origin)) if origin == asked_on => {}
            (_, Resumes::Request(_)) => self.remark(exchange, Remark::ReplayedElsewhere(seq)),
            (Transport::HttpStream, Resumes::Nothing | Resumes::Stream(_)) => {
                self.remark(exchange, Remark::OnListening(seq));
            }
            (Transport::HttpRequest, _) => self.remark(exchange, Remark::OnOtherPost(seq)),
            _ => {}
        }
    }

    /// An answer to one of several requests with the same id.
    fn answered_one_of(&mut self, key: u64, open: &[u32], heard: &Heard<'_>) -> Found {
        let done = self.flights.answer_group(key, open);
        for &exchange in open {
            self.attach(exchange, heard.at, AttachKind::PossibleAnswer, false, heard.size);
            if done {
                let this = &mut self.exchanges[exchange as usize];
                (this.status, this.outcome, this.end) = (Status::Ambiguous, self.words.ambiguous, Some(heard.ended));
                if let Some(flight) = self.flights.land(exchange) {
                    self.flights.drop_token(exchange, &flight);
                }
            }
        }
        let first = open.first().copied().unwrap_or_default();
        self.about(first).marked(Marks::AMBIGUOUS)
    }

    /// An answer to a request that is not waiting any more.
    fn answered_again(&mut self, exchange: u32, heard: &Heard<'_>) -> Found {
        let found = self.about(exchange);
        match self.exchanges[exchange as usize].status {
            Status::Cancelled => {
                self.answered_late(exchange, heard);
                found.marked(Marks::LATE)
            }
            Status::Ambiguous => {
                self.attach(exchange, heard.at, AttachKind::PossibleAnswer, false, heard.size);
                found.marked(Marks::AMBIGUOUS)
            }
            _ => {
                self.attach(exchange, heard.at, AttachKind::DuplicateAnswer, true, heard.size);
                let seq = heard.at.seq;
                let first = self.exchanges[exchange as usize].answer.and_then(|answer| self.note(answer.seq));
                let elsewhere = first.is_some_and(|first| first.channel != heard.chan.id);
                let remark = match heard.chan.resumes {
                    Resumes::Nothing if elsewhere => Remark::TwoStreams(seq),
                    Resumes::Nothing => Remark::Duplicate(seq),
                    _ => Remark::Replayed(seq),
                };
                self.remark(exchange, remark);
                found.marked(Marks::DUPLICATE)
            }
        }
    }

    /// The answer to a request that had been cancelled (protocol.md 4.9).
    fn answered_late(&mut self, exchange: u32, heard: &Heard<'_>) {
        let this = &self.exchanges[exchange as usize];
        let cancel = this.attached.iter().find(|attached| attached.kind == AttachKind::Cancelled);
        let cancelled = cancel.map(|attached| attached.seq);
        let result = Answer::read(heard.message.result);
        self.conclude(exchange, heard, &result);
        let this = &mut self.exchanges[exchange as usize];
        (this.status, this.outcome) = (Status::Late, self.words.late);
        self.remark(exchange, Remark::Late { cancelled, answered: heard.at.seq });
    }

    /// An error that names no request, as for one that could not be read (JR-011, JR-012).
    ///
    /// Over HTTP the response to a POST with one request is the answer to it. On a stream it is only
    /// possible that the one request in flight is meant.
    fn answer_without_id(&mut self, heard: &Heard<'_>, asker: Side) -> Found {
        if heard.message.id.is_some()
            && let Hit::One(exchange) = self.flights.find(heard.chan, asker, &Id::Null, &self.exchanges)
        {
            return self.answered(exchange, heard);
        }
        let orphan = Found::alone(Name::NONE, Name::NONE).marked(Marks::ORPHAN);
        let Some(scope) = heard.chan.attribution() else { return orphan };
        let [exchange] = self.candidates(scope, asker)[..] else { return orphan };
        if heard.chan.names_its_request() {
            self.remark(exchange, Remark::NoId(heard.at.seq));
            return self.answered(exchange, heard);
        }
        self.attach(exchange, heard.at, AttachKind::PossibleAnswer, false, heard.size);
        self.about(exchange).marked(Marks::POSSIBLE)
    }

    /// What an entry says about itself when it belongs to an exchange.
    pub(super) fn about(&self, exchange: u32) -> Found {
        let this = &self.exchanges[exchange as usize];
        Found::alone(this.method, this.subject).of(exchange)
    }

    /// Learns from an answer: who speaks, and what links further requests to this one.
    fn learn(&mut self, exchange: u32, heard: &Heard<'_>, result: &Answer<'_>, flight: Option<&Flight>) {
        self.learn_speaker(exchange, heard, result);
        let keeps_token = self.link_answer(exchange, heard, result, flight);
        if let Some(flight) = flight
            && !keeps_token
        {
            self.flights.drop_token(exchange, flight);
        }
    }
}
