//! Resources that were subscribed to with `resources/subscribe` (legacy), so that an update is known to belong to
//! the call that asked for it.

use std::collections::BTreeMap;

use super::CallId;
use crate::wire::Json;

/// How many subscriptions are remembered.
const MOST: usize = 10_000;

/// The subscriptions, by URI.
#[derive(Debug, Default)]
pub(super) struct Subscribed {
    calls: BTreeMap<String, CallId>,
}

impl Subscribed {
    /// A request of this method, with these params, was answered with a result.
    pub(super) fn answered(&mut self, call: CallId, method: &str, params: Option<&[u8]>) {
        let uri =
            || params.and_then(|params| Json::parse(params).ok()?.get("uri")?.text().map(std::borrow::Cow::into_owned));
        match method {
            "resources/subscribe" if self.calls.len() < MOST => {
                self.calls.extend(uri().map(|uri| (uri, call)));
            }
            "resources/unsubscribe" => {
                uri().and_then(|uri| self.calls.remove(&uri));
            }
            _ => {}
        }
    }

    /// The call that subscribed to this resource, or to the one that it lies below (8.18).
    pub(super) fn subscriber(&self, updated: &str) -> Option<CallId> {
        if let Some(call) = self.calls.get(updated) {
            return Some(*call);
        }
        let above = updated.match_indices('/').rev().map(|(at, _)| &updated[..at]);
        above
            .filter(|uri| !uri.ends_with('/'))
            .find_map(|uri| self.calls.get(uri).or_else(|| self.calls.get(&format!("{uri}/"))))
            .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Subscribed;

    #[test]
    fn an_update_belongs_to_whoever_subscribed_to_it_or_above_it() {
        let mut known = Subscribed::default();
        known.answered(1, "resources/subscribe", Some(br#"{"uri":"file:///a"}"#));
        known.answered(2, "resources/subscribe", Some(br#"{"uri":"file:///a/b/"}"#));
        known.answered(3, "resources/read", Some(br#"{"uri":"file:///c"}"#));
        known.answered(4, "resources/subscribe", Some(b"[]"));
        let told =
            ["file:///a", "file:///a/x", "file:///a/b/c/d", "file:///ab", "file:///c"].map(|uri| known.subscriber(uri));
        assert_eq!(told, [Some(1), Some(1), Some(2), None, None]);
        known.answered(5, "resources/unsubscribe", Some(br#"{"uri":"file:///a"}"#));
        assert_eq!((known.subscriber("file:///a"), known.subscriber("file:///a/b/c")), (None, Some(2)));
    }
}
