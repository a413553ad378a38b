//! Who answers a request: a person, the script, the protocol, the real server; and what is done when nobody knows.

use super::fault::{Fault, INTERNAL};
use super::flight::Wait;
use super::machine::Server;
use super::rounds::Resume;
use super::{Answer, ByHand, Do, Miss, MissPolicy, Near, Plan, RequestNo, Told};
use crate::mcp::one_line;
use crate::model::Nanos;
use crate::wire::quote;

impl Server {
    /// A request is fit to be answered.
    pub(super) fn consult(&mut self, now: Nanos, no: RequestNo) {
        match self.resume(now, no) {
            Resume::No => {}
            Resume::On => return self.advance(now, no),
            Resume::Over => return,
        }
        if self.is_by_hand(no) {
            return self.wait_for_person(no);
        }
        self.ask_script(now, no, self.settings.miss);
    }

    /// Asks the script; `policy` says what is done about a miss.
    pub(super) fn ask_script(&mut self, now: Nanos, no: RequestNo, policy: MissPolicy) {
        let Some(flight) = self.flights.get_mut(no) else { return };
        flight.by_hand = false;
        match self.script.answer(&flight.asked()) {
            Answer::Plan(plan) => self.begin_plan(now, no, plan),
            Answer::Own => {
                self.tell(matched(no, "the protocol"));
                self.own(now, no);
            }
            Answer::Miss(miss) => self.missed(now, no, *miss, policy),
        }
    }

    /// Begins to carry out a plan.
    pub(super) fn begin_plan(&mut self, now: Nanos, no: RequestNo, plan: Plan) {
        let plan = self.with_task(no, plan);
        self.tell(Told::Matched { request: no, by: plan.by.clone(), place: plan.place, nth: plan.nth });
        let Some(flight) = self.flights.get_mut(no) else { return };
        (flight.plan, flight.at) = (plan, 0);
        self.advance(now, no);
    }

    /// The script has no answer.
    fn missed(&mut self, now: Nanos, no: RequestNo, miss: Miss, policy: MissPolicy) {
        let fault = Fault::new(INTERNAL, words(&miss));
        self.tell(Told::Missed(no, Box::new(miss)));
        let Some(flight) = self.flights.get_mut(no) else { return };
        match policy {
            MissPolicy::Error => self.refuse(now, no, &fault),
            MissPolicy::ByHand => {
                flight.missed = true;
                self.wait_for_person(no);
            }
            MissPolicy::Pass => {
                (flight.missed, flight.wait) = (true, Wait::Real);
                let message = flight.message.clone();
                self.tell(matched(no, "the real server"));
                self.todo.push_back(Do::Pass(no, message));
            }
        }
    }

    fn wait_for_person(&mut self, no: RequestNo) {
        let Some(flight) = self.flights.get_mut(no) else { return };
        (flight.by_hand, flight.wait) = (true, Wait::Person);
        self.tell(Told::Waiting(no));
    }

    /// Whether the settings leave it to a person.
    fn is_by_hand(&self, no: RequestNo) -> bool {
        let Some(flight) = self.flights.get(no) else { return false };
        let method = flight.method.as_str();
        match &self.settings.by_hand {
            ByHand::Nothing => false,
            ByHand::Everything => true,
            ByHand::Calls => !is_protocols(method),
            ByHand::Methods(methods) => methods.iter().any(|wanted| match wanted.split_once(' ') {
                None => wanted == method,
                Some((wanted, name)) => {
                    wanted == method
                        && ["name", "uri"].iter().any(|key| flight.param(key).is_some_and(|value| value.is_text(name)))
                }
            }),
        }
    }
}

/// Whether the protocol itself answers such requests.
fn is_protocols(method: &str) -> bool {
    let listed = method.ends_with("/list") && !method.starts_with("roots/");
    listed
        || method.starts_with("tasks/")
        || matches!(
            method,
            "initialize"
                | "ping"
                | "server/discover"
                | "logging/setLevel"
                | "resources/subscribe"
                | "resources/unsubscribe"
                | "subscriptions/listen"
        )
}

/// That something answers which nobody counts.
pub(super) fn matched(no: RequestNo, by: &str) -> Told {
    Told::Matched { request: no, by: by.to_owned(), place: None, nth: 0 }
}

/// A miss in words: why, and what comes nearest.
fn words(miss: &Miss) -> String {
    let near = miss.near.first().map(nearest).unwrap_or_default();
    format!("{}{near}", miss.why)
}

fn nearest(near: &Near) -> String {
    if near.pointer.is_empty() && near.wanted.is_empty() {
        return format!("; the nearest is {}", near.what);
    }
    let got = near.got.as_deref().map_or_else(|| "nothing".to_owned(), |got| one_line(got, 80));
    let at = if near.pointer.is_empty() { "in its params".to_owned() } else { format!("at {}", quote(&near.pointer)) };
    format!("; the nearest is {}, which {at} wants {} where {got} came", near.what, one_line(&near.wanted, 80))
}
