//! Orders, of a person or of the script.

use super::flight::Wait;
use super::machine::Server;
use super::{Ended, MissPolicy, Order, Plan, RequestNo, Step, Told};
use crate::model::Nanos;

impl Server {
    pub(super) fn obey(&mut self, now: Nanos, order: Order) {
        match order {
            Order::Answer(no, steps) => self.answer_by_order(now, no, steps),
            Order::LetGo(no) => self.let_go(now, no),
            Order::Drop(no) => {
                if let Some(flight) = self.flights.get_mut(no) {
                    flight.missed = false;
                    self.hang(now, no, Ended::Otherwise("dropped by hand, never answered".to_owned()));
                }
            }
            Order::Notify(client, method, params) => self.notify_loose(now, client, &method, params.as_deref()),
            Order::Ask(client, method, params) => self.ask_loose(now, client, &method, params.as_deref()),
            Order::Changed(kind) => self.changed(now, kind),
            Order::Updated(uri) => self.updated(now, &uri),
            Order::Raw(client, bytes) => {
                let all = client.map_or_else(|| self.clients.numbers(), |client| vec![client]);
                for client in all.into_iter().filter(|client| self.clients.get(*client).is_some()).collect::<Vec<_>>() {
                    self.send_raw(client, 0, bytes.clone());
                }
            }
            Order::EndListening => self.end_listening(now),
            Order::Change(settings) => self.settings = settings,
        }
    }

    /// Does this about a request that waits for a person or for the real server. What is done in pieces is learnt whole.
    fn answer_by_order(&mut self, now: Nanos, no: RequestNo, steps: Vec<Step>) {
        let Some(flight) = self.flights.get_mut(no) else {
            return self.tell(Told::Note(Some(no), "it is over, and cannot be answered any more".to_owned()));
        };
        let by = match flight.wait {
            Wait::Person => "by hand",
            Wait::Real => "the real server",
            _ => return self.note(no, "it is being answered, and does not wait for anybody"),
        };
        if flight.plan.steps.is_empty() {
            let plan = Plan { by: by.to_owned(), steps, ..Plan::default() };
            return self.begin_plan(now, no, plan);
        }
        flight.plan.steps.extend(steps);
        self.advance(now, no);
    }

    /// As if nobody sat here.
    fn let_go(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get_mut(no) else { return };
        if !matches!(flight.wait, Wait::Person | Wait::Real) {
            return;
        }
        (flight.missed, flight.by_hand) = (false, false);
        self.ask_script(now, no, MissPolicy::Error);
    }
}
