//! The protocol's own answers: whether there is such a method, and what is said where no script says anything.

use super::fault::{Fault, INTERNAL, METHOD, PARAMS, RESOURCE};
use super::machine::Server;
use super::{Kind, RequestNo};
use crate::mcp::{Capabilities, Known, methods};
use crate::model::{Era, Nanos};
use crate::wire::{Json, quote};

impl Server {
    /// Answers a request by itself.
    pub(super) fn own(&mut self, now: Nanos, no: RequestNo) {
        if let Err(fault) = self.has_method(no) {
            return self.refuse(now, no, &fault);
        }
        let method = self.flights.get(no).map(|flight| flight.method.clone()).unwrap_or_default();
        match method.as_str() {
            "initialize" => self.own_initialize(now, no),
            "ping" => self.fulfil(now, no, b"{}".to_vec()),
            "server/discover" => self.own_discover(now, no),
            "logging/setLevel" => self.own_level(now, no),
            "completion/complete" => self.own_completion(now, no),
            "resources/subscribe" | "resources/unsubscribe" | "subscriptions/listen" => self.own_subscription(now, no),
            "tools/call" => self.own_item(now, no, Kind::Tools),
            "prompts/get" => self.own_item(now, no, Kind::Prompts),
            "resources/read" => self.own_item(now, no, Kind::Resources),
            other if other.starts_with("tasks/") => self.own_task(now, no),
            other => match Kind::ALL.into_iter().find(|kind| kind.method() == other) {
                Some(kind) => self.own_list(now, no, kind),
                None => self.refuse(now, no, &Fault::new(METHOD, format!("there is no method {}", quote(other)))),
            },
        }
    }

    /// EC-014, HM-013: the method is one of the revision and its capability is declared.
    fn has_method(&self, no: RequestNo) -> Result<(), Fault> {
        let Some(flight) = self.flights.get(no) else { return Ok(()) };
        let (method, revision) = (flight.method.as_str(), &flight.revision);
        let fault = |why: String| {
            let fault = Fault::new(METHOD, why);
            // As servers do that know nothing of 2026-07-28, so that clients fall back (3.6).
            if flight.era == Era::Legacy && method == "server/discover" { fault.with_status(400) } else { fault }
        };
        let Some(known) = methods::find(method) else {
            return Err(fault(format!("there is no method {}", quote(method))));
        };
        let in_extension = flight.era == Era::Modern && !known.extension.is_empty();
        if !known.from.allows(crate::model::Side::Client)
            || !(known.revisions.contains(revision) || in_extension)
            || known.shape != methods::Shape::Request
        {
            return Err(fault(format!("{revision} has no request {method} of clients")));
        }
        let gated = !known.gate.is_empty() && !in_extension;
        // 2024-11-05 has no capability for completions.
        let gated = gated && !(known.gate == "completions" && *revision == crate::model::Revision::V2024_11_05);
        if gated && !self.declares(flight.era, known.gate) {
            return Err(fault(format!("this server does not declare {}, which {method} needs", known.gate)));
        }
        Ok(())
    }

    /// Whether the server declares a capability, as a dotted path.
    pub(super) fn declares(&self, era: Era, path: &str) -> bool {
        let about = self.script.about();
        let text = if era == Era::Modern { &about.modern } else { &about.legacy };
        let declared = Json::parse(text.as_bytes()).map(Capabilities::read);
        declared.is_ok_and(|declared| declared.has(path) == Known::Yes)
    }

    /// A tool, prompt or resource that the script has no rule for: unknown (EC-015 … EC-017), or known and unanswered.
    fn own_item(&mut self, now: Nanos, no: RequestNo, kind: Kind) {
        let fault = self.item_fault(no, kind);
        self.refuse(now, no, &fault);
    }

    fn item_fault(&self, no: RequestNo, kind: Kind) -> Fault {
        let (key, word) = match kind {
            Kind::Resources => ("uri", "resource"),
            Kind::Prompts => ("name", "prompt"),
            _ => ("name", "tool"),
        };
        let Some(flight) = self.flights.get(no) else { return Fault::new(INTERNAL, "it is over") };
        let Some(name) = flight.param(key).and_then(|name| name.text()) else {
            return Fault::new(PARAMS, format!("params.{key} is no string"));
        };
        let Some(item) = self.script.list(kind).iter().find_map(|item| named(item, key, &name)) else {
            let fault = Fault::new(PARAMS, format!("unknown {word}: {name}"));
            return match kind {
                Kind::Resources => {
                    let code = if flight.era == Era::Modern { PARAMS } else { RESOURCE };
                    Fault { code, ..fault }.with_data(format!("{{\"uri\":{}}}", quote(&name)))
                }
                _ => fault,
            };
        };
        let given = flight.param("arguments");
        let lacks = |argument: &Json<'_>| {
            let required = argument.get("required").is_some_and(|required| required.as_bool() == Some(true));
            let name = argument.get("name").and_then(|name| name.text()).unwrap_or_default();
            required && given.and_then(|given| given.get(&name)).is_none()
        };
        let arguments = item.get("arguments").filter(|_| kind == Kind::Prompts);
        if let Some(missing) = arguments.and_then(|arguments| arguments.items().find(lacks)) {
            let missing = missing.get("name").and_then(|name| name.text()).unwrap_or_default();
            return Fault::new(PARAMS, format!("the prompt {name} needs the argument {missing}"));
        }
        Fault::new(INTERNAL, format!("the {word} {name} is listed, but nothing says what it answers"))
    }
}

/// The item when it is the one of this name.
fn named<'a>(item: &'a [u8], key: &str, name: &str) -> Option<Json<'a>> {
    let json = Json::parse(item).ok()?;
    json.get(key)?.is_text(name).then_some(json)
}
