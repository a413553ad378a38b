//! Elicitation by URL as an error: -32042 of 2025-11-25 is a round of MRTR in 2026-07-28, which has no such error (EC-003,
//! EC-005 … EC-007); and the notification that such an elicitation is over (EL-017).

use super::machine::Server;
use super::rounds::Ask;
use super::running::Go;
use super::states::{METHODS, Question};
use super::{RequestNo, Step};
use crate::mcp::Known;
use crate::model::{Era, Nanos, Revision};
use crate::peer::edit::with;
use crate::wire::{Json, quote};

/// The error that wants URLs to be visited first.
pub(super) const URLS_REQUIRED: i64 = -32042;

impl Server {
    /// A plan answers with [`URLS_REQUIRED`]. In 2026-07-28 its URLs are asked for, and the script is asked anew when the
    /// client comes again, as it is when a client of the legacy era calls once more. Nothing where the error goes out.
    pub(super) fn urls_required(&mut self, now: Nanos, no: RequestNo, error: &[u8]) -> Option<Go> {
        let flight = self.flights.get(no)?;
        if flight.era == Era::Legacy {
            let is_d = flight.revision.nearest_known() == Revision::V2025_11_25;
            if !is_d {
                self.note(no, "-32042 is an error of 2025-11-25 only (EC-007)");
            } else if flight.can().has("elicitation.url") != Known::Yes {
                self.note(no, "-32042 was sent to a client that does not declare elicitation.url (EC-006)");
            }
            return None;
        }
        if flight.task.is_some() || !METHODS.contains(&flight.method.as_str()) {
            return None;
        }
        let asked = asks(error);
        if asked.is_empty() {
            return None;
        }
        let (open, missing) = self.declared(no, asked);
        if open.is_empty() {
            return Some(self.lacks(now, no, &missing));
        }
        Some(self.send_round(now, no, None, &open))
    }

    /// The id of the elicitation by URL that the plan asked for last, where it gave none itself.
    pub(super) fn last_elicitation(&self, no: RequestNo) -> Option<String> {
        let flight = self.flights.get(no)?;
        let before = flight.plan.steps.get(..flight.at)?;
        before.iter().rev().find_map(|step| match step {
            Step::Ask { key, method, .. } if method == "elicitation/create" => Some(self.elicitation_id(no, key)),
            _ => None,
        })
    }

    /// The id of an elicitation that was given none (EL-018).
    pub(super) fn elicitation_id(&self, no: RequestNo, key: &str) -> String {
        self.seal.id(&[b"elicitation", &no.to_be_bytes(), key.as_bytes()])
    }
}

/// What the error asks for; its ids are the keys.
fn asks(error: &[u8]) -> Vec<Ask> {
    let error = Json::parse(error).ok();
    let items = error.and_then(|error| error.pointer("/data/elicitations"));
    let one = |(at, item): (usize, Json<'_>)| {
        let id = item.get("elicitationId").and_then(|id| id.text());
        let key = id.map_or_else(|| format!("url-{}", at + 1), Into::into);
        let params = with(item.raw(), &[("mode", quote("url").as_bytes())])?;
        let question = Question { key, method: "elicitation/create".to_owned(), params: Some(params) };
        Some(Ask { question, forced: false })
    };
    items.iter().flat_map(Json::items).enumerate().filter_map(one).collect()
}
