//! Requests coming in: in which era each is read, what is wrong with it before anybody is asked, and who asks.

use super::client::Stage;
use super::fault::{Fault, INTERNAL, PARAMS, REQUEST};
use super::flight::{Flight, MOST, Wait};
use super::hearing::Source;
use super::machine::Server;
use super::{Bytes, Link, Plan, Told, Who, levels};
use crate::mcp::meta::Meta;
use crate::mcp::methods::{self, Revisions};
use crate::mcp::mirror;
use crate::model::{Era, Id, Nanos, Revision};
use crate::wire::{Json, JsonKind, Message, Oddities};

impl Server {
    /// A request came.
    pub(super) fn request(&mut self, now: Nanos, source: &Source<'_>, message: &Message<'_>) {
        let written = message.json.get("id");
        let method = match fit(message) {
            Ok(method) => method,
            Err((why, id_is_fit)) => {
                self.stray(source.client, message.json.raw(), why);
                let id = written.filter(|_| id_is_fit).map(|id| id.raw());
                return self.object_to(source, id, &Fault::new(REQUEST, why));
            }
        };
        if self.flights.len() >= MOST {
            self.stray(source.client, message.json.raw(), "refused: too many requests are being answered");
            let fault = Fault::new(INTERNAL, "too many requests are being answered at once");
            return self.object_to(source, written.map(|id| id.raw()), &fault);
        }
        let meta = message.params.and_then(|params| params.get("_meta")).map(Meta::read).unwrap_or_default();
        let era = self.era(source, method, &meta);
        let flight = self.flight(now, source, message, method, &meta, era);
        let checked = match era {
            Era::Modern => self.check_modern(source, message, method, &meta),
            Era::Legacy => self.check_legacy(source, message, method),
        };
        self.take_off(flight, era, source);
        match checked {
            Ok(()) => self.consult(now, self.flights.last()),
            Err(fault) => self.refuse(now, self.flights.last(), &fault),
        }
    }

    /// The era in which a request is read (3.6). What only a server of one era is asked, it reads in that.
    fn era(&self, source: &Source<'_>, method: &str, meta: &Meta<'_>) -> Era {
        let speaks = |era| self.ours().any(|revision| revision.era() == era);
        if !(speaks(Era::Legacy) && speaks(Era::Modern)) {
            return if speaks(Era::Modern) { Era::Modern } else { Era::Legacy };
        }
        let Some(client) = self.clients.get(source.client) else { return Era::Legacy };
        let in_head = source.field("mcp-protocol-version").map(|version| Revision::from_text(version).era());
        let only_modern = methods::find(method).is_some_and(|known| known.revisions == Revisions::MODERN);
        let by_head = in_head == Some(Era::Modern) || source.field("mcp-method").is_some();
        let goes_on = client.modern && client.link != Link::Http;
        let unsaid = client.revision.is_none() && method != "initialize" && (by_head || goes_on);
        if meta.version.is_some() || only_modern || unsaid { Era::Modern } else { Era::Legacy }
    }

    /// The revisions that are spoken: those of the script that the settings let through; all, where that leaves none.
    pub(super) fn ours(&self) -> impl Iterator<Item = &Revision> {
        let (all, only) = (&self.script.about().revisions, &self.settings.revisions);
        let none_left = !all.iter().any(|revision| only.contains(revision));
        all.iter().filter(move |revision| none_left || only.contains(revision))
    }

    fn flight(
        &mut self,
        now: Nanos,
        source: &Source<'_>,
        message: &Message<'_>,
        method: &str,
        meta: &Meta<'_>,
        era: Era,
    ) -> Flight {
        let bytes = |json: Json<'_>| Bytes::from(json.raw());
        let client = self.clients.get(source.client);
        let (link, known) = client.map_or((Link::Stdio, (None, None)), |client| {
            (client.link, (client.identity.clone(), client.capabilities.clone()))
        });
        let (identity, capabilities) = match era {
            Era::Modern => (meta.client.map(bytes), meta.capabilities.map(bytes)),
            Era::Legacy => known,
        };
        let start = message.json.raw().as_ptr().addr();
        let params = message.params.map(|params| {
            let from = params.raw().as_ptr().addr() - start;
            from..from + params.raw().len()
        });
        let token = meta.token.filter(|token| matches!(token.kind(), JsonKind::String | JsonKind::Number));
        Flight {
            no: self.flights.number(),
            client: source.client,
            link,
            via: source.via,
            batch: source.batch,
            id: message.id.clone().unwrap_or(Id::Null),
            written: message.json.get("id").map_or_else(|| Bytes::from(*b"null"), bytes),
            method: method.to_owned(),
            message: bytes(message.json),
            params,
            era,
            revision: self.spoken(source, method, message.params, meta, era),
            identity,
            capabilities,
            principal: source.field("authorization").map(|value| value.as_bytes().into()),
            token: token.map(bytes),
            level: meta.log_level.and_then(|level| level.text()).and_then(|level| levels::rank(&level)),
            came: now,
            plan: Plan::default(),
            at: 0,
            answers: Vec::new(),
            wait: Wait::Ready,
            missed: false,
            by_hand: false,
            ended: None,
            own: false,
            left_out: None,
            progress: None,
            task: None,
        }
    }

    /// The revision of a request.
    fn spoken(
        &self,
        source: &Source<'_>,
        method: &str,
        params: Option<Json<'_>>,
        meta: &Meta<'_>,
        era: Era,
    ) -> Revision {
        if era == Era::Modern {
            let version = meta.version.and_then(|version| version.text());
            return version.map_or(Revision::V2026_07_28, |version| Revision::from_text(&version));
        }
        if method == "initialize" {
            return self.negotiated(params);
        }
        let agreed = self.clients.get(source.client).and_then(|client| client.revision.clone());
        let in_head = || source.field("mcp-protocol-version").map(Revision::from_text);
        let in_head = || in_head().filter(|revision| revision.era() == Era::Legacy);
        agreed.or_else(in_head).unwrap_or_else(|| match source.fields {
            // HL-023.
            Some(_) => Revision::V2025_03_26,
            None => self.newest(Era::Legacy).cloned().unwrap_or(Revision::V2025_11_25),
        })
    }

    /// The newest revision of an era that is spoken.
    pub(super) fn newest(&self, era: Era) -> Option<&Revision> {
        self.ours().filter(|revision| revision.era() == era).last()
    }

    /// The request is one of those that are being answered; what its client says about itself is told.
    fn take_off(&mut self, flight: Flight, era: Era, source: &Source<'_>) {
        self.deliveries.hold(flight.via);
        if let Some(batch) = flight.batch {
            self.deliveries.join(batch);
        }
        if era == Era::Modern {
            let who = Who {
                era,
                revision: flight.revision.clone(),
                identity: flight.identity.clone(),
                capabilities: flight.capabilities.clone(),
            };
            self.known(source.client, who);
        }
        if let Some(client) = self.clients.get_mut(source.client) {
            client.modern |= era == Era::Modern;
            client.running.push(flight.no);
        }
        self.tell(Told::Asked {
            request: flight.no,
            client: flight.client,
            id: flight.id.clone(),
            method: flight.method.clone(),
            message: flight.message.clone(),
            era,
        });
        self.flights.begin(flight);
    }

    /// What a client says about itself is told when it is new.
    pub(super) fn known(&mut self, number: super::ClientId, who: Who) {
        let Some(client) = self.clients.get_mut(number) else { return };
        if client.known.as_ref() != Some(&who) {
            client.known = Some(who.clone());
            self.tell(Told::Known(number, who));
        }
    }

    /// What is wrong with a request of the legacy era (2.3, HL-022). Hosts that speak too early are answered, and it is
    /// told.
    fn check_legacy(&mut self, source: &Source<'_>, message: &Message<'_>, method: &str) -> Result<(), Fault> {
        if let Some(params) = message.params.filter(|params| params.kind() != JsonKind::Object) {
            return Err(Fault::new(PARAMS, format!("params must be an object, not {} (JR-015)", kind(params))));
        }
        if method == "initialize" {
            return self.check_initialize(source, message);
        }
        if method == "server/discover" {
            return Ok(());
        }
        self.check_version_field(source)?;
        let Some(client) = self.clients.get(source.client) else { return Ok(()) };
        match client.stage {
            _ if method == "ping" => {}
            Stage::New if client.link != Link::Http => {
                let what = format!("{method} came before initialize; it is answered all the same");
                self.remark(source.client, "LC-001", &what);
            }
            Stage::Greeted => {
                let what = format!("{method} came before notifications/initialized; it is answered all the same");
                self.remark(source.client, "LC-006", &what);
            }
            _ => {}
        }
        Ok(())
    }

    /// HL-021, HL-022.
    pub(super) fn check_version_field(&mut self, source: &Source<'_>) -> Result<(), Fault> {
        let Some(sent) = source.field("mcp-protocol-version") else { return Ok(()) };
        let revision = Revision::from_text(sent);
        if !self.ours().any(|known| *known == revision) {
            let ours: Vec<&str> = self.ours().map(Revision::text).collect();
            let why = format!("{} {sent:?} is not spoken here; these are: {}", mirror::VERSION, ours.join(", "));
            return Err(Fault::new(REQUEST, why).with_status(400));
        }
        let agreed = self.clients.get(source.client).and_then(|client| client.revision.clone());
        if let Some(agreed) = agreed.filter(|agreed| *agreed != revision) {
            let what = format!("{} is {sent}, but {agreed} was agreed upon", mirror::VERSION);
            self.remark(source.client, "HL-021", &what);
        }
        Ok(())
    }
}

/// Whether a request is fit to be read: its method; or what is wrong, and whether its id can be repeated (JR-001, JR-003,
/// JR-004, JR-016).
fn fit<'a>(message: &'a Message<'_>) -> Result<&'a str, (&'static str, bool)> {
    match message.id {
        Some(Id::Number(_) | Id::String(_)) => {}
        Some(Id::Null) => return Err(("a request's id is not null (JR-004)", false)),
        _ => return Err(("a request's id is a string or a number (JR-003)", false)),
    }
    if message.oddities.has(Oddities::WRONG_VERSION) {
        return Err(("a message says \"jsonrpc\":\"2.0\" (JR-001)", true));
    }
    message.method.as_deref().ok_or(("a request's method is a string (JR-016)", true))
}

/// What a value is, in words.
pub(super) fn kind(json: Json<'_>) -> &'static str {
    match json.kind() {
        JsonKind::Object => "an object",
        JsonKind::Array => "a list",
        JsonKind::String => "a string",
        JsonKind::Number => "a number",
        JsonKind::Bool => "a boolean",
        JsonKind::Null => "null",
    }
}
