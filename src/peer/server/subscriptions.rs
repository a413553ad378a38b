//! Who listens to what: `resources/subscribe` and `subscriptions/listen`, and to whom changes are told.

use super::fault::{Fault, METHOD};
use super::machine::Server;
use super::{ClientId, Kind, RequestNo};
use crate::model::Nanos;

impl Server {
    /// The protocol's own answer to `resources/subscribe`, `resources/unsubscribe` and `subscriptions/listen`.
    pub(super) fn own_subscription(&mut self, now: Nanos, no: RequestNo) {
        self.refuse(now, no, &Fault::new(METHOD, "nothing can be subscribed to here"));
    }

    /// A list has changed.
    pub(super) fn changed(&mut self, _now: Nanos, kind: Kind) {
        if kind == Kind::Tools {
            self.annotated.forget();
        }
    }

    /// A resource has changed.
    pub(super) fn updated(&mut self, _now: Nanos, _uri: &str) {}

    /// Ends every `subscriptions/listen` in order.
    pub(super) fn end_listening(&mut self, _now: Nanos) {}

    /// A request is over: if it listened, it does so no more.
    pub(super) fn unlisten(&mut self, _no: RequestNo) {}

    /// A client has gone.
    pub(super) fn unsubscribe_all(&mut self, _client: ClientId) {}
}
