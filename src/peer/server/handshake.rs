//! The handshake of the legacy era: `initialize`, what it agrees upon, and `notifications/initialized`.

use super::client::Stage;
use super::fault::{Fault, PARAMS, REQUEST};
use super::hearing::Source;
use super::machine::Server;
use super::{Bytes, RequestNo};
use crate::model::{Era, Nanos, Revision};
use crate::wire::{Json, JsonKind, Message, quote};

impl Server {
    /// LC-002, JR-021, LC-011: what the client says about itself is kept, whatever becomes of the request.
    pub(super) fn check_initialize(&mut self, source: &Source<'_>, message: &Message<'_>) -> Result<(), Fault> {
        if source.batch.is_some() {
            return Err(Fault::new(REQUEST, "initialize must not be in a batch (JR-021)"));
        }
        let member = |name: &str| message.params.and_then(|params| params.get(name));
        if member("protocolVersion").is_none_or(|version| version.kind() != JsonKind::String) {
            let ours: Vec<String> = self.legacy().map(|revision| quote(revision.text())).collect();
            return Err(Fault::new(PARAMS, "params.protocolVersion is no string (LC-002)")
                .with_data(format!("{{\"supported\":[{}]}}", ours.join(","))));
        }
        let object = |name: &str| member(name).filter(|value| value.kind() == JsonKind::Object);
        let (identity, capabilities) = (object("clientInfo"), object("capabilities"));
        if identity.is_none() || capabilities.is_none() {
            let what = "initialize lacks clientInfo or capabilities; it is answered all the same";
            self.remark(source.client, "LC-002", what);
        }
        let Some(client) = self.clients.get_mut(source.client) else { return Ok(()) };
        let again = client.stage != Stage::New;
        client.identity = identity.map(|json| Bytes::from(json.raw()));
        client.capabilities = capabilities.map(|json| Bytes::from(json.raw()));
        if again {
            self.remark(source.client, "LC-011", "a second initialize; what it says counts from now on");
        }
        Ok(())
    }

    /// The revisions with a handshake that are spoken, oldest first.
    fn legacy(&self) -> impl Iterator<Item = &Revision> {
        self.ours().filter(|revision| revision.era() == Era::Legacy)
    }

    /// LC-004: what is asked for where it is spoken, and otherwise the newest that has a handshake.
    pub(super) fn negotiated(&self, params: Option<Json<'_>>) -> Revision {
        let asked = params.and_then(|params| params.get("protocolVersion")?.text()).unwrap_or_default();
        let found = self.legacy().find(|revision| revision.text() == asked).or_else(|| self.newest(Era::Legacy));
        found.cloned().unwrap_or(Revision::V2025_11_25)
    }

    /// The protocol's own answer to `initialize`.
    pub(super) fn own_initialize(&mut self, now: Nanos, no: RequestNo) {
        let Some(flight) = self.flights.get(no) else { return };
        let about = self.script.about();
        let instructions =
            about.instructions.as_ref().map(|text| format!(",\"instructions\":{}", quote(text))).unwrap_or_default();
        let result = format!(
            "{{\"protocolVersion\":{},\"capabilities\":{},\"serverInfo\":{}{instructions}}}",
            quote(flight.revision.text()),
            about.legacy,
            about.identity
        );
        self.agree(no, result.as_bytes());
        self.fulfil(now, no, result.into());
    }

    /// The result of `initialize` goes out, whoever made it: what it says is agreed upon.
    pub(super) fn agree(&mut self, no: RequestNo, result: &[u8]) {
        let Some(flight) = self.flights.get(no) else { return };
        let number = flight.client;
        let said = Json::parse(result).ok().and_then(|json| json.get("protocolVersion"));
        let version = said.and_then(|version| version.text());
        let revision = version.map_or_else(|| flight.revision.clone(), |version| Revision::from_text(&version));
        let Some(client) = self.clients.get_mut(number) else { return };
        client.revision = Some(revision);
        client.stage = Stage::Greeted;
        self.shook_hands(number);
    }
}
