//! Calls that become tasks: those of 2025-11-25 and those of the extension of 2026-07-28. The call is answered with its
//! task, and its plan goes on; what it ends with is kept. What clients ask about tasks is in `task_requests`.

use super::fault::{CAPABILITY, Fault, INTERNAL, METHOD};
use super::flight::Wait;
use super::machine::Server;
use super::rounds::Resume;
use super::running::Go;
use super::sending::Body;
use super::task::{Outcome, Record, Status};
use super::{Bytes, Ended, Plan, RequestNo, Step, Task, Text, Told, dress};
use crate::mcp::{Known, methods};
use crate::model::{Era, Nanos, Revision};
use crate::wire::{Json, quote};

impl Server {
    /// Whether a call asks for a task where its tool has none, or not where it must (TD-011, TD-012). A server that does
    /// not declare tasks passes `task` over (TD-016).
    pub(super) fn check_task(&mut self, now: Nanos, no: RequestNo) -> Resume {
        let fault = match (self.offers_task(no), self.asks_for_task(no)) {
            (Some(support), false) if support == "required" => "this tool is called with `task` only (TD-012)",
            (Some(support), true) if support == "forbidden" => "this tool is not called with `task` (TD-012)",
            _ => return Resume::No,
        };
        self.refuse(now, no, &Fault::new(METHOD, fault));
        Resume::Over
    }

    /// What the tool that is called says about tasks of 2025-11-25; nothing where it does not matter.
    fn offers_task(&self, no: RequestNo) -> Option<String> {
        let flight = self.flights.get(no)?;
        let is_call = flight.method == "tools/call" && flight.revision == Revision::V2025_11_25;
        if !is_call || !self.declares(Era::Legacy, "tasks.requests.tools.call") {
            return None;
        }
        self.task_support(no)
    }

    /// `execution.taskSupport` of the tool that is called; nothing for a tool that is not listed.
    fn task_support(&self, no: RequestNo) -> Option<String> {
        let name = self.flights.get(no)?.param("name")?.text()?;
        let is_it = |item: &&Bytes| {
            let json = Json::parse(item).ok();
            json.and_then(|json| json.get("name")).is_some_and(|known| known.is_text(&name))
        };
        let tool = Json::parse(self.script.list(super::Kind::Tools).iter().find(is_it)?).ok()?;
        let support = tool.get("execution").and_then(|execution| execution.get("taskSupport"));
        Some(support.and_then(|support| support.text()).map_or_else(|| "forbidden".to_owned(), Into::into))
    }

    fn asks_for_task(&self, no: RequestNo) -> bool {
        self.flights.get(no).is_some_and(|flight| flight.param("task").is_some())
    }

    /// A plan for a call that asks for a task and is to get one begins with it, if it has none (TD-001).
    pub(super) fn with_task(&self, no: RequestNo, mut plan: Plan) -> Plan {
        let wanted = self.asks_for_task(no) && self.offers_task(no).is_some_and(|support| support != "forbidden");
        if wanted && !plan.steps.iter().any(|step| matches!(step, Step::Task(_))) {
            plan.steps.insert(0, Step::Task(Task::default()));
        }
        plan
    }

    /// From here on the request is a task: it is answered with that, and `task` of the flight is set.
    pub(super) fn begin_task(&mut self, now: Nanos, no: RequestNo, task: &Task) -> Go {
        let Some(flight) = self.flights.get(no) else { return Go::Over };
        if flight.task.is_some() || flight.ended.is_some() {
            self.note(no, "the call did not become a task: it is one, or was answered");
            return Go::On;
        }
        if let Some(why) = self.no_task(no).filter(|_| !task.forced) {
            let must = self.task_support(no).is_some_and(|support| support == "required");
            let lacks = flight.era == Era::Modern && flight.can().has(&extension()) != Known::Yes;
            if must && lacks {
                self.note(no, why);
                return self.lacks_tasks(now, no);
            }
            self.note(no, format!("the call did not become a task: {why}"));
            return Go::On;
        }
        let (era, client) = (flight.era, flight.client);
        let wanted = flight.param("task").and_then(|task| task.get("ttl")).and_then(|ttl| ttl.as_u64());
        let id = self.seal.id(&[b"task", &no.to_be_bytes()]);
        let record = Record {
            id: id.clone(),
            era,
            client,
            request: no,
            status: Status::Working,
            says: None,
            created: now,
            updated: now,
            ttl: task.ttl.or(wanted.filter(|_| era == Era::Legacy)),
            poll: task.poll,
            outcome: None,
            asks: None,
        };
        let created = if era == Era::Legacy { record.legacy_created() } else { record.modern_created() };
        self.answer_with_task(no, &id, created.into_bytes());
        let gone = self.kept.add(record);
        self.tasks_gone(now, gone, "there were too many tasks");
        self.tell(Told::Step(no, format!("became the task {id}")));
        Go::On
    }

    /// The call is answered; what follows belongs to no delivery, and no cancellation of the call reaches it.
    fn answer_with_task(&mut self, no: RequestNo, id: &str, created: Vec<u8>) {
        let Some(flight) = self.flights.get(no) else { return };
        let result = dress::result(flight.era, &flight.method, self.script.about(), created);
        self.respond(no, Body::Result(result), None, 200);
        let Some(flight) = self.flights.get_mut(no) else { return };
        (flight.task, flight.ended) = (Some(id.to_owned()), None);
        let (client, via, batch) = (flight.client, std::mem::take(&mut flight.via), flight.batch.take());
        if let Some(known) = self.clients.get_mut(client) {
            known.running.retain(|running| *running != no);
        }
        if let Some(whole) = batch.and_then(|batch| self.deliveries.leave(batch)) {
            self.send(client, via, whole, 200);
        }
        self.release(via);
    }

    /// Why a call cannot become a task; nothing where it can (CA-020, CA-023, RT-006).
    fn no_task(&self, no: RequestNo) -> Option<String> {
        let flight = self.flights.get(no)?;
        if flight.method != "tools/call" {
            return Some(format!("{} has no tasks (RT-006)", flight.method));
        }
        let extension = extension();
        let (declared, wanted) = match flight.era {
            Era::Legacy => {
                let is_d = flight.revision.nearest_known() == Revision::V2025_11_25;
                (is_d && self.declares(Era::Legacy, "tasks.requests.tools.call"), self.asks_for_task(no))
            }
            Era::Modern => (self.declares(Era::Modern, &extension), flight.can().has(&extension) == Known::Yes),
        };
        match (declared, wanted, flight.era) {
            (false, ..) => Some("this server declares no tasks for the revision".to_owned()),
            (_, false, Era::Legacy) => Some("the client did not ask for one with `task`".to_owned()),
            (_, false, Era::Modern) => Some(format!("the client does not declare {} (CA-023)", methods::TASKS)),
            _ => None,
        }
    }

    /// TE-009: the client did not declare the extension, and this needs it.
    pub(super) fn lacks_tasks(&mut self, now: Nanos, no: RequestNo) -> Go {
        let fault = Fault::new(CAPABILITY, format!("this needs the extension {} of the client", methods::TASKS));
        self.leave_plan(no);
        let needed = format!("{{\"extensions\":{{{}:{{}}}}}}", quote(methods::TASKS));
        self.refuse(now, no, &fault.with_data(format!("{{\"requiredCapabilities\":{needed}}}")));
        Go::Over
    }

    /// The status message of the task that the request has become.
    pub(super) fn task_status(&mut self, now: Nanos, no: RequestNo, message: &Text) {
        let says = String::from_utf8_lossy(&self.filled(no, message)).into_owned();
        let Some(id) = self.flights.get(no).and_then(|flight| flight.task.clone()) else {
            return self.note(no, "a status message was left out: the call is no task");
        };
        self.change_task(now, &id, |task| task.says = Some(says));
    }

    /// What the task of the request ends with: a result or an error.
    pub(super) fn task_ended(&mut self, now: Nanos, no: RequestNo, how: &Ended) {
        let Some(id) = self.flights.get(no).and_then(|flight| flight.task.clone()) else { return };
        let outcome = match how {
            Ended::Result(bytes) => Outcome::Result(bytes.clone()),
            Ended::Error(bytes) => Outcome::Error(bytes.clone()),
            Ended::Otherwise(_) | Ended::Cancelled => return,
        };
        let gone = self.kept.end(now, &id, outcome);
        self.task_told(&id);
        self.give_results(now, &id);
        self.tasks_gone(now, gone, "there was no more room for results");
    }

    /// In 2026-07-28 a task asks by its own state, and `tasks/update` answers (TE-003, TE-012).
    pub(super) fn ask_in_task(&mut self, now: Nanos, no: RequestNo) -> Go {
        let (asked, end) = self.asks_at(no);
        let Some(flight) = self.flights.get_mut(no) else { return Go::Over };
        let answered = |ask: &super::rounds::Ask| flight.answers.iter().any(|(known, _)| *known == ask.question.key);
        let asked = asked.into_iter().filter(|ask| !answered(ask)).collect();
        let (open, _) = self.declared(no, asked);
        let Some(flight) = self.flights.get_mut(no) else { return Go::Over };
        let Some(id) = flight.task.clone() else { return Go::On };
        if open.is_empty() {
            flight.at = end;
            self.task_works(now, &id);
            return Go::On;
        }
        flight.wait = Wait::Client;
        let requests = super::states::requests(&open);
        self.change_task(now, &id, |task| (task.status, task.asks) = (Status::InputRequired, Some(requests)));
        let keys: Vec<String> = open.into_iter().map(|one| format!("{}: {}", one.method, one.key)).collect();
        self.tell(Told::Step(no, format!("the task asks: {}", keys.join(", "))));
        Go::Held
    }

    /// What a task asked is answered.
    pub(super) fn task_works(&mut self, now: Nanos, id: &str) {
        if self.kept.get(id).is_some_and(|task| task.status == Status::InputRequired) {
            self.change_task(now, id, |task| (task.status, task.asks) = (Status::Working, None));
        }
    }

    /// Changes a task that is not over, and tells those who are to be told.
    pub(super) fn change_task(&mut self, now: Nanos, id: &str, change: impl FnOnce(&mut Record)) {
        let Some(task) = self.kept.get_mut(id).filter(|task| !task.status.is_terminal()) else { return };
        change(task);
        task.updated = now;
        self.task_told(id);
    }

    /// Tasks are not kept any more: what runs for them ends, and who waits for them is told.
    pub(super) fn tasks_gone(&mut self, now: Nanos, gone: Vec<Record>, why: &str) {
        for task in gone {
            if !task.status.is_terminal() {
                self.tell(Told::Note(Some(task.request), format!("the task {} is forgotten: {why}", task.id)));
                self.finish(now, task.request, Ended::Otherwise(format!("forgotten: {why}")));
            }
            for no in self.waiting_for(&task.id) {
                self.refuse(now, no, &Fault::new(INTERNAL, format!("the task is not kept any more: {why}")));
            }
        }
    }

    /// Time has passed: tasks are kept for their time.
    pub(super) fn tasks_passed(&mut self, now: Nanos) {
        let gone = self.kept.expire(now);
        self.tasks_gone(now, gone, "its time is over");
    }

    /// The requests that wait for what comes of a task, oldest first.
    pub(super) fn waiting_for(&self, id: &str) -> Vec<RequestNo> {
        let waits = |flight: &&super::flight::Flight| {
            flight.method == "tasks/result"
                && flight.wait == Wait::Client
                && flight.param("taskId").is_some_and(|task| task.is_text(id))
        };
        self.flights.iter().filter(waits).map(|flight| flight.no).collect()
    }
}

/// The path of the extension in capabilities.
pub(super) fn extension() -> String {
    format!("extensions.{}", methods::TASKS)
}
