//! The steps of a plan that send notifications: progress, log messages, and any other.

use super::machine::Server;
use super::running::Go;
use super::subscriptions::is_subscribed;
use super::task_requests::related;
use super::{Link, RequestNo, Text, Told, levels};
use crate::mcp::meta::RELATED_TASK;
use crate::mcp::methods;
use crate::model::{Era, Nanos};
use crate::peer::edit::{with, with_meta};
use crate::wire::{Json, quote};

impl Server {
    /// PR-003, PR-004: only with a token, and only more than before.
    pub(super) fn progress(
        &mut self,
        no: RequestNo,
        progress: &Text,
        total: Option<Text>,
        message: Option<Text>,
    ) -> Go {
        let Some(token) = self.flights.get(no).and_then(|flight| flight.token.clone()) else {
            self.note(no, "progress was left out: the client gave no progressToken");
            return Go::On;
        };
        let Some(progress) = self.filled_json(no, progress) else { return Go::On };
        let value = Json::parse(&progress).ok().and_then(|json| json.as_f64());
        let Some(flight) = self.flights.get_mut(no) else { return Go::Over };
        if let (Some(before), Some(value)) = (flight.progress, value)
            && value <= before
        {
            self.note(no, format!("progress {value} was left out: it is not more than {before} (PR-004)"));
            return Go::On;
        }
        flight.progress = value.or(flight.progress);
        let mut params = [br#"{"progressToken":"#, &*token, br#","progress":"#, &progress].concat();
        let mut words = format!("progress {}", String::from_utf8_lossy(&progress));
        if let Some(total) = total.and_then(|total| self.filled_json(no, &total)) {
            params = [params.as_slice(), br#","total":"#, &total].concat();
            words = format!("{words} of {}", String::from_utf8_lossy(&total));
        }
        if let Some(message) = message {
            let message = self.filled(no, &message);
            let message = quote(&String::from_utf8_lossy(&message));
            params = [params.as_slice(), br#","message":"#, message.as_bytes()].concat();
        }
        params.push(b'}');
        self.notify_within(no, "notifications/progress", Some(params), format!("{words} sent"))
    }

    /// LG-*: what the client set in the legacy era; in 2026-07-28 only what the request asks for.
    pub(super) fn log(&mut self, no: RequestNo, level: &str, logger: Option<&str>, data: &Text) -> Go {
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        let client = flight.client;
        let wanted = match flight.era {
            Era::Modern => flight.level,
            Era::Legacy => Some(self.clients.get(client).and_then(|client| client.level).unwrap_or_default()),
        };
        let Some(wanted) = wanted else {
            self.note(no, format!("a log message ({level}) was left out: the request asks for none"));
            return Go::On;
        };
        if levels::rank(level).is_some_and(|rank| rank < wanted) {
            self.note(no, format!("a log message ({level}) was left out: the client wants more severe ones"));
            return Go::On;
        }
        let Some(data) = self.filled_json(no, data) else { return Go::On };
        let logger = logger.map(|logger| format!("\"logger\":{},", quote(logger))).unwrap_or_default();
        let start = format!("{{\"level\":{},{logger}\"data\":", quote(level));
        let params = [start.as_bytes(), &data, b"}"].concat();
        self.notify_within(no, "notifications/message", Some(params), format!("log message ({level}) sent"))
    }

    pub(super) fn notify_by_plan(&mut self, no: RequestNo, method: &str, params: Option<Text>, loose: bool) -> Go {
        let params = match params {
            Some(params) => match self.filled_json(no, &params) {
                None => return Go::On,
                params => params,
            },
            None => None,
        };
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        let (client, link, era) = (flight.client, flight.link, flight.era);
        if let Some(known) = methods::find(method).filter(|known| !known.revisions.contains(&flight.revision)) {
            let why = format!("{} was left out: {} has no such notification", known.name, flight.revision);
            self.note(no, why);
            return Go::On;
        }
        let mut params = params.map(|params| params.to_vec());
        if era == Era::Modern && is_subscribed(method) {
            let told = self.tell_listeners_of(method, params.as_deref().unwrap_or(b"{}"));
            return self.done(no, format!("{method} sent to {told} who listen"));
        }
        if method == "notifications/elicitation/complete"
            && let Some(id) = self.last_elicitation(no)
        {
            let given = params.as_deref().unwrap_or(b"{}");
            let named = Json::parse(given).is_ok_and(|params| params.get("elicitationId").is_some());
            params = if named { params } else { with(given, &[("elicitationId", quote(&id).as_bytes())]) };
        }
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        // One that belongs to no request keeps the token that it has, also one that nobody gave.
        if method == "notifications/progress" && !loose {
            let Some(token) = &flight.token else {
                self.note(no, "progress was left out: the client gave no progressToken");
                return Go::On;
            };
            params = params.map(|params| with(&params, &[("progressToken", token)]).unwrap_or(params));
        }
        if loose && era == Era::Modern && link != Link::Stdio {
            self.note(no, format!("{method} was left out: 2026-07-28 has no way for it"));
            return Go::On;
        }
        if !loose {
            return self.notify_within(no, method, params, format!("{method} sent"));
        }
        self.notify(client, 0, method, params.as_deref());
        self.done(no, format!("{method} sent"))
    }

    /// Sends a notification on the way of a request. One of a task goes to who waits for its result, with the task's name
    /// (TD-006); in 2026-07-28 tasks have none (PR-011).
    fn notify_within(&mut self, no: RequestNo, method: &str, params: Option<Vec<u8>>, what: String) -> Go {
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        let Some(task) = flight.task.clone() else {
            let (client, via) = (flight.client, flight.via);
            self.notify(client, via, method, params.as_deref());
            return self.done(no, what);
        };
        if flight.era == Era::Modern {
            self.note(no, format!("{method} was left out: tasks of 2026-07-28 have none (PR-011)"));
            return Go::On;
        }
        if self.clients.get(flight.client).is_none() {
            self.note(no, format!("{method} was left out: the client has gone"));
            return Go::On;
        }
        let waiting = self.waiting_for(&task).pop().and_then(|no| self.flights.get(no));
        let (client, via) = waiting.map_or((flight.client, 0), |waiting| (waiting.client, waiting.via));
        let named = with_meta(params.as_deref().unwrap_or(b"{}"), RELATED_TASK, related(&task).as_bytes());
        self.notify(client, via, method, named.or(params).as_deref());
        self.done(no, what)
    }

    fn done(&mut self, no: RequestNo, what: String) -> Go {
        self.tell(Told::Step(no, what));
        Go::On
    }

    /// A notification that belongs to no request, to one client or to all.
    pub(super) fn notify_loose(
        &mut self,
        _now: Nanos,
        to: Option<super::ClientId>,
        method: &str,
        params: Option<&[u8]>,
    ) {
        let all = to.map_or_else(|| self.clients.numbers(), |client| vec![client]);
        for client in all {
            let Some(known) = self.clients.get(client) else { continue };
            if known.modern && is_subscribed(method) {
                self.tell_client(client, method, params.unwrap_or(b"{}"));
                continue;
            }
            if known.link == Link::Http && known.revision.is_none() {
                self.tell(Told::Note(
                    None,
                    format!("{method} was not sent to client {client}: it has no stream for it"),
                ));
                continue;
            }
            self.notify(client, 0, method, params);
        }
    }
}
