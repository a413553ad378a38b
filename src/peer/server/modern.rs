//! What is wrong with a request of 2026-07-28 before anybody is asked: header fields, `_meta`, whether they agree, and
//! the revision, in this order (3.4, HM-028).

use super::fault::{Fault, MISMATCH, PARAMS, VERSION};
use super::hearing::Source;
use super::machine::Server;
use super::request::kind;
use super::{ClientId, RequestNo, Who, levels};
use crate::mcp::meta::{CLIENT_CAPABILITIES, Meta, PROTOCOL_VERSION};
use crate::mcp::mirror::{self, Annotation};
use crate::mcp::mirrored::{Known, disagreements};
use crate::model::{Era, Nanos, Revision};
use crate::wire::http::HeadWriter;
use crate::wire::{Json, JsonKind, Message, quote};

impl Server {
    pub(super) fn check_modern(
        &mut self,
        source: &Source<'_>,
        message: &Message<'_>,
        method: &str,
        meta: &Meta<'_>,
    ) -> Result<(), Fault> {
        if method == "initialize" && !self.ours().any(|revision| revision.era() == Era::Legacy) {
            let asked = message.params.and_then(|params| params.get("protocolVersion"));
            return Err(self.unspoken(asked));
        }
        let params = message.params;
        if source.fields.is_some() {
            present(source, method, params)?;
        }
        required(params, meta)?;
        if source.fields.is_some() {
            self.agreement(source, message, method)?;
        }
        let version = meta.version.and_then(|version| version.text()).unwrap_or_default();
        if !self.ours().any(|revision| revision.text() == version && revision.era() == Era::Modern) {
            return Err(self.unspoken(meta.version));
        }
        match meta.log_level {
            Some(level) if level.text().and_then(|level| levels::rank(&level)).is_none() => Err(levels::unknown()),
            _ => Ok(()),
        }
    }

    /// HM-012, EC-010: a revision that is not spoken, with those that are.
    pub(super) fn unspoken(&self, asked: Option<Json<'_>>) -> Fault {
        let ours: Vec<String> = self.modern().map(|revision| quote(revision.text())).collect();
        let requested = asked.map(|asked| String::from_utf8_lossy(asked.raw()).into_owned());
        let requested = requested.map(|asked| format!(",\"requested\":{asked}")).unwrap_or_default();
        let names: Vec<&str> = self.modern().map(Revision::text).collect();
        Fault::new(VERSION, format!("this revision is not spoken here; these are: {}", names.join(", ")))
            .with_data(format!("{{\"supported\":[{}]{requested}}}", ours.join(",")))
    }

    /// The revisions without a handshake that are spoken, oldest first.
    fn modern(&self) -> impl Iterator<Item = &Revision> {
        self.ours().filter(|revision| revision.era() == Era::Modern)
    }

    /// HM-011: header fields that say something else than the body.
    fn agreement(&mut self, source: &Source<'_>, message: &Message<'_>, method: &str) -> Result<(), Fault> {
        let mut head = HeadWriter::request("POST", "/");
        for (name, value) in source.fields.unwrap_or_default() {
            head.field(name, value);
        }
        let head = head.finish();
        let annotations: &[Annotation] = match method {
            "tools/call" => {
                let name = message.params.and_then(|params| params.get("name")?.text()).unwrap_or_default();
                self.annotated.of(self.script.as_ref(), &name)
            }
            _ => &[],
        };
        let known = Known { annotations: Some(annotations), negotiated: None };
        let found = disagreements(&head, Some(message), known);
        // HM-010 is no fault of the request: what nobody asked for is passed over.
        match found.into_iter().find(|found| found.rule != "HM-010") {
            Some(found) => Err(Fault::new(MISMATCH, format!("{} ({})", found.text, found.rule))),
            None => Ok(()),
        }
    }

    /// The protocol's own answer to `server/discover`.
    pub(super) fn own_discover(&mut self, now: Nanos, no: RequestNo) {
        let about = self.script.about();
        let versions: Vec<String> = self.modern().map(|revision| quote(revision.text())).collect();
        let instructions =
            about.instructions.as_ref().map(|text| format!(",\"instructions\":{}", quote(text))).unwrap_or_default();
        let result = format!(
            "{{\"supportedVersions\":[{}],\"capabilities\":{}{instructions}}}",
            versions.join(","),
            about.modern
        );
        self.fulfil(now, no, result.into());
    }

    /// Who a client is that shook hands.
    pub(super) fn shook_hands(&mut self, client: ClientId) {
        let Some(known) = self.clients.get(client) else { return };
        let Some(revision) = known.revision.clone() else { return };
        let (identity, capabilities) = (known.identity.clone(), known.capabilities.clone());
        self.known(client, Who { era: Era::Legacy, revision, identity, capabilities });
    }
}

/// The header fields that have to be there.
fn present(source: &Source<'_>, method: &str, params: Option<Json<'_>>) -> Result<(), Fault> {
    let name = params.and_then(|params| mirror::name(method, params));
    let wanted = [Some(mirror::VERSION), Some(mirror::METHOD), name.map(|_| mirror::NAME)];
    match wanted.into_iter().flatten().find(|field| source.field(&field.to_ascii_lowercase()).is_none()) {
        Some(field) => Err(Fault::new(MISMATCH, format!("the header field {field} is missing"))),
        None => Ok(()),
    }
}

/// ME-005, HM-014.
fn required(params: Option<Json<'_>>, meta: &Meta<'_>) -> Result<(), Fault> {
    let fault = |why: String| Err(Fault::new(PARAMS, why).with_status(400));
    if let Some(params) = params.filter(|params| params.kind() != JsonKind::Object) {
        return fault(format!("params must be an object, not {} (JR-015)", kind(params)));
    }
    let wanted = [
        (PROTOCOL_VERSION, meta.version, JsonKind::String),
        (CLIENT_CAPABILITIES, meta.capabilities, JsonKind::Object),
    ];
    for (key, value, wants) in wanted {
        match value {
            None => return fault(format!("params._meta lacks {key} (ME-005)")),
            Some(value) if value.kind() != wants => {
                return fault(format!("{key} in params._meta is {} (ME-005)", kind(value)));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
