//! What the heads of HTTP say against what the conversation says: session and version headers of legacy
//! requests, statuses of errors in 2026-07-28 (HL-003, HL-020, HL-021, HM-011 … HM-015). Only where the
//! recording knows enough: one that began in the middle blames nobody.

use super::http_remark::HttpRemark;
use super::https::Said;
use super::record::Heard;
use super::scope::{Chan, Scope};
use super::{Name, Trace};
use crate::model::{ChannelId, Era, Revision};

impl Trace {
    /// A request is there as a whole: what its head says can be held against what is known.
    pub(super) fn request_complete(&mut self, channel: ChannelId) {
        let head = self.https.take_head(channel);
        let Some((talk, http)) = self.https.talk(channel).filter(|(talk, _)| !talk.complete) else { return };
        talk.complete = true;
        let (said, place, asks_stream) = (talk.said, talk.place, talk.asks_stream);
        let (modern, had_session) = (talk.modern, talk.had_session);
        let (request, at, method) = (http.request, http.at, http.method);
        if said == Said::Initialize {
            self.session_renewed(channel, request);
            if had_session {
                self.remark_http(channel, HttpRemark::InitializeInSession);
            }
        }
        if asks_stream {
            let last_event = head.as_ref().and_then(|head| head.get("last-event-id"));
            self.stream_asked(channel, place, last_event, at);
        }
        let method = self.names.text(method);
        let counts = matches!(&**method, "GET" | "DELETE") && self.https.is_endpoint(place);
        let chan = self.channels.get(channel);
        if !modern && !chan.over_sse && (counts || matches!(said, Said::Requests | Said::Others)) {
            self.check_session(chan, place);
        }
    }

    /// Whether a legacy request names the session and the revision that were agreed on.
    fn check_session(&mut self, chan: Chan, place: u64) {
        let assigned = self.losses.was_assigned(chan.group(), place);
        if let (None, Some(seq)) = (chan.session(), assigned) {
            return self.remark_http(chan.id, HttpRemark::SessionMissing(seq));
        }
        let Some(agreed) = self.agreed_in(chan.home()) else { return };
        if agreed == chan.version || self.names.text(agreed).as_ref() < Revision::V2025_06_18.text() {
            return;
        }
        let remark = if chan.version.is_none() {
            HttpRemark::VersionMissing(agreed)
        } else {
            HttpRemark::VersionOther { sent: chan.version, agreed }
        };
        self.remark_http(chan.id, remark);
    }

    /// The revision that a legacy conversation has agreed on.
    fn agreed_in(&self, home: Scope) -> Option<Name> {
        let session = self.legacy_session(home)?;
        let revision = self.sessions[session as usize].revision;
        (!revision.is_none()).then_some(revision)
    }

    /// Holds the status of a response against the error in it, where 2026-07-28 says which belongs to it.
    /// Within a stream of events the status had been sent before.
    pub(super) fn check_status(&mut self, exchange: u32, heard: &Heard<'_>) {
        let this = &self.exchanges[exchange as usize];
        if this.era != Some(Era::Modern) || this.channel != heard.chan.id || !heard.chan.is_http() {
            return;
        }
        let Some((talk, http)) = self.https.talk(heard.chan.id) else { return };
        let Some(status) = http.status.filter(|_| !talk.streams) else { return };
        let code = heard.message.error.and_then(|error| error.get("code")?.as_i64());
        let expected = match code {
            Some(-32020) => (400, "HM-011"),
            Some(-32021) => (400, "HM-015"),
            Some(-32022) => (400, "HM-012"),
            Some(-32601) => (404, "HM-013"),
            _ => return,
        };
        if status != expected.0 {
            let code = code.unwrap_or_default();
            self.remark_http(heard.chan.id, HttpRemark::Status { code, status, expected });
        }
    }
}
