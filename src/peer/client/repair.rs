//! A call whose mirrored header fields the server finds wrong (-32020): the tools are listed anew, from which the link
//! learns what is to be mirrored, and the call is made once more (HM-024). What was typed to be wrong is left alone.

use super::flight::{Landing, Purpose};
use super::machine::Client;
use super::send::Post;
use super::{CallId, Told};
use crate::model::Nanos;
use crate::wire::quote;

/// The error of header fields that disagree with the body.
const HEADER_MISMATCH: i64 = -32020;

impl Client {
    /// Whether a call is to be made once more, since its header fields came from an old list of tools.
    pub(super) fn repairs(&mut self, now: Nanos, call: CallId, landing: &Landing<'_>) -> bool {
        if landing.code() != Some(HEADER_MISMATCH) || !self.closing_cancels() {
            return false;
        }
        let Some(called) = self.calls.get_mut(call) else { return false };
        let asked = &called.request;
        let is_ours = !asked.bare && asked.fields.is_empty() && asked.id.is_none();
        if !is_ours || asked.method != "tools/call" || called.refreshed > 0 {
            return false;
        }
        let why = "the server found header fields that do not agree with the body (-32020): the tools are listed anew, \
                   and the call is made once more";
        self.tell(Told::Link(why.to_owned()));
        self.refresh(now, call, None);
        true
    }

    /// Asks for a page of the tools; the link reads it as well.
    fn refresh(&mut self, now: Nanos, call: CallId, cursor: Option<&str>) {
        if let Some(called) = self.calls.get_mut(call) {
            called.refreshed += 1;
        }
        let params = cursor.map(|cursor| format!(r#"{{"cursor":{}}}"#, quote(cursor)));
        self.post(now, Purpose::Refresh(call), Post::new("tools/list", params));
    }

    /// A page came, or why none did: after the last one the call is made once more.
    pub(super) fn refreshed(&mut self, now: Nanos, call: CallId, landing: &Landing<'_>) {
        let next = match landing {
            Landing::Result(result) => result.get("nextCursor").and_then(|next| next.text()),
            _ => None,
        };
        let Some(called) = self.calls.get(call) else { return };
        match next {
            Some(cursor) if called.refreshed < self.settings.most_pages => self.refresh(now, call, Some(&cursor)),
            _ => {
                let post = Post::of(&called.request, &called.request.method, called.request.params.clone());
                self.post(now, Purpose::Call(call), post);
            }
        }
    }
}
