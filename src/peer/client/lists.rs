//! Lists of tools, resources, templates, prompts and tasks, page by page.

use super::flight::{Landing, Purpose};
use super::machine::Client;
use super::send::Post;
use super::{Call, CallId, Kind, Order};
use crate::model::Nanos;
use crate::wire::quote;

/// What is known of lists.
#[derive(Debug, Default)]
pub(super) struct Lists;

impl Lists {
    /// When the next list is stale.
    pub(super) const fn wakes_at(&self) -> Option<Nanos> {
        None
    }

    /// A call is over.
    pub(super) const fn forget(&mut self, _call: CallId) {}
}

impl Client {
    /// [`Order::List`].
    pub(super) fn list(&mut self, now: Nanos, call: CallId, kind: Kind) {
        if self.is_ready(now, call, || Order::List(call, kind)) {
            self.fetch_page(now, call, kind, None);
        }
    }

    /// [`Order::Page`].
    pub(super) fn page(&mut self, now: Nanos, call: CallId, kind: Kind, cursor: Option<String>) {
        if self.is_ready(now, call, || Order::Page(call, kind, cursor.clone())) {
            self.fetch_page(now, call, kind, cursor);
        }
    }

    fn fetch_page(&mut self, now: Nanos, call: CallId, kind: Kind, cursor: Option<String>) {
        let params = cursor.map(|cursor| format!(r#"{{"cursor":{}}}"#, quote(&cursor)));
        self.calls.begin(now, call, Call { method: kind.method().to_owned(), ..Call::default() });
        self.post(now, Purpose::Page(call), Post::new(kind.method(), params));
    }

    /// A page came back.
    pub(super) fn page_landed(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        self.ended(now, call, landing.outcome());
    }

    /// The server says that a list changed.
    pub(super) const fn list_changed(&mut self, _kind: Kind) {}

    /// Time has passed.
    pub(super) const fn lists_passed(&mut self, _now: Nanos) {}
}
