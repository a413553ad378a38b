//! Lists: fetched page by page, by itself or by hand, with guards against cursors that lead nowhere; and when they
//! are stale. One list of each kind is held; who asks anew begins it anew.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::flight::{Landing, Purpose};
use super::machine::Client;
use super::page::Page;
use super::send::Post;
use super::{Call, CallId, Items, Kind, List, Order, Outcome, Told};
use crate::mcp::one_line;
use crate::model::{Era, Nanos};
use crate::wire::quote;

/// How many items a list may have.
const MOST_ITEMS: usize = 1_000_000;
/// How many bytes the items and cursors of a list may have.
const MOST_BYTES: usize = 256 << 20;

/// The lists that are held, and those who fetch.
#[derive(Debug, Default)]
pub(super) struct Lists {
    fetches: BTreeMap<CallId, Fetch>,
    held: BTreeMap<Kind, Held>,
}

/// An order that is under way.
#[derive(Debug)]
struct Fetch {
    kind: Kind,
    /// Whether it goes on by itself.
    all: bool,
    /// The cursor of the page that is on its way.
    cursor: Option<String>,
    /// Whether the list is begun anew with the next page.
    anew: bool,
    /// Whether a cursor of its died already.
    restarted: bool,
}

/// A list as far as it was fetched.
#[derive(Debug)]
struct Held {
    /// Who fetches it.
    owner: CallId,
    list: List,
    /// The keys of its items.
    keys: HashSet<String>,
    /// The cursors that were used.
    cursors: HashSet<String>,
    /// The last page, to know it when it comes again.
    last: Option<u64>,
    bytes: usize,
    /// When the first of its pages is out of date.
    expires: Option<Nanos>,
}

impl Held {
    fn new(owner: CallId, now: Nanos) -> Self {
        let list =
            List { items: Items::default(), pages: 0, next: None, stopped: None, hint: None, at: now, stale: false };
        Self { owner, list, keys: HashSet::new(), cursors: HashSet::new(), last: None, bytes: 0, expires: None }
    }

    /// Takes a page that came for `cursor`, and says whether another one follows.
    fn take(&mut self, now: Nanos, kind: Kind, cursor: Option<&str>, page: Page<'_>) {
        self.cursors.extend(cursor.map(str::to_owned));
        self.list.next = page.next;
        self.list.stopped = page.fault;
        let again = self.last == Some(page.hash) && cursor.is_some();
        self.last = Some(page.hash);
        if again && self.list.next.as_ref().is_some_and(|next| self.cursors.contains(next)) {
            self.list.stopped = Some("the server sends the same page again for the cursor that it gave".to_owned());
            return;
        }
        self.list.pages = self.list.pages.saturating_add(1);
        self.list.hint = self.list.hint.take().or(page.hint.clone());
        if let Some((ttl, _)) = page.hint.filter(|(ttl, _)| *ttl > 0) {
            let end = now.saturating_add(Nanos::try_from(ttl).unwrap_or(Nanos::MAX).saturating_mul(1_000_000));
            self.expires = Some(self.expires.map_or(end, |before| before.min(end)));
        }
        if let Some(items) = page.items {
            let items = super::item::items(kind, items, &mut self.keys);
            self.bytes += items.iter().map(|item| item.json.len()).sum::<usize>();
            self.list.items.push(items);
        }
        self.bytes += self.list.next.as_ref().map_or(0, String::len);
        if self.list.stopped.is_none() {
            self.list.stopped = self.led_astray();
        }
    }

    /// What is wrong with the next cursor.
    fn led_astray(&self) -> Option<String> {
        let next = self.list.next.as_ref()?;
        if self.cursors.contains(next) {
            let shown = one_line(next, 40);
            return Some(format!("the server gives the cursor \"{shown}\" a second time, so its pages go in a circle"));
        }
        let full = self.list.items.len() >= MOST_ITEMS || self.bytes >= MOST_BYTES;
        full.then(|| format!("it is too long to be held: {} items", self.list.items.len()))
    }
}

impl Lists {
    pub(super) fn forget(&mut self, call: CallId) {
        self.fetches.remove(&call);
    }

    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.held.values().filter_map(|held| held.expires).min()
    }
}

impl Client {
    /// [`Order::List`].
    pub(super) fn list(&mut self, now: Nanos, call: CallId, kind: Kind) {
        if self.is_ready(now, call, || Order::List(call, kind)) {
            self.fetch(now, call, Fetch { kind, all: true, cursor: None, anew: true, restarted: false });
        }
    }

    /// [`Order::Page`].
    pub(super) fn page(&mut self, now: Nanos, call: CallId, kind: Kind, cursor: Option<String>) {
        if self.is_ready(now, call, || Order::Page(call, kind, cursor.clone())) {
            let anew = cursor.is_none();
            if let Some(held) = self.lists.held.get_mut(&kind).filter(|_| !anew) {
                held.owner = call;
            }
            self.fetch(now, call, Fetch { kind, all: false, cursor, anew, restarted: false });
        }
    }

    fn fetch(&mut self, now: Nanos, call: CallId, fetch: Fetch) {
        self.calls.begin(now, call, Call { method: fetch.kind.method().to_owned(), ..Call::default() });
        self.lists.fetches.insert(call, fetch);
        self.fetch_page(now, call);
    }

    fn fetch_page(&mut self, now: Nanos, call: CallId) {
        let Some(fetch) = self.lists.fetches.get(&call) else { return };
        let params = fetch.cursor.as_ref().map(|cursor| format!(r#"{{"cursor":{}}}"#, quote(cursor)));
        self.post(now, Purpose::Page(call), Post::new(fetch.kind.method(), params));
    }

    /// A page came, or something instead of it.
    pub(super) fn page_landed(&mut self, now: Nanos, call: CallId, landing: Landing<'_>) {
        let Some(fetch) = self.lists.fetches.get_mut(&call) else { return };
        let (kind, cursor) = (fetch.kind, fetch.cursor.take());
        let Landing::Result(result) = landing else {
            return self.page_failed(now, call, kind, cursor.is_some(), landing);
        };
        let all = fetch.all;
        let anew = std::mem::replace(&mut fetch.anew, false);
        let held = self.lists.held.entry(kind).or_insert_with(|| Held::new(call, now));
        if anew {
            *held = Held::new(call, now);
        }
        if held.owner != call {
            let why = "it was given up: the same was listed anew in the meantime";
            return self.ended(now, call, Outcome::Refused(why.to_owned()));
        }
        let legacy = self.peer.as_ref().is_some_and(|peer| peer.era == Era::Legacy);
        held.take(now, kind, cursor.as_deref(), Page::read(kind, result, legacy));
        let most = self.settings.most_pages;
        let goes_on = all && held.list.next.is_some() && held.list.stopped.is_none();
        if goes_on && held.list.pages >= most {
            held.list.stopped = Some(format!("stopped after {most} pages, the most that are fetched by themselves"));
        }
        if goes_on && held.list.stopped.is_none() {
            if let Some(fetch) = self.lists.fetches.get_mut(&call) {
                fetch.cursor.clone_from(&held.list.next);
            }
            self.tell_list(kind);
            return self.next_page(now, call);
        }
        self.tell_list(kind);
        self.ended(now, call, Outcome::Result(result.raw().into()));
    }

    fn next_page(&mut self, now: Nanos, call: CallId) {
        if let Some(called) = self.calls.get_mut(call) {
            called.round = called.round.saturating_add(1);
        }
        self.fetch_page(now, call);
    }

    /// A page did not come. A cursor may have died, since lists change: they begin anew, once.
    fn page_failed(&mut self, now: Nanos, call: CallId, kind: Kind, later: bool, landing: Landing<'_>) {
        let dead = later && landing.code() == Some(-32602);
        if let Some(fetch) = self.lists.fetches.get_mut(&call)
            && dead
            && fetch.all
            && !fetch.restarted
        {
            (fetch.restarted, fetch.anew) = (true, true);
            self.stop_list(now, call, kind, "the server does not know its own cursor any more; the list begins anew");
            return self.next_page(now, call);
        }
        let why = landing.words();
        self.stop_list(now, call, kind, &why);
        self.ended(now, call, landing.outcome());
    }

    fn stop_list(&mut self, now: Nanos, call: CallId, kind: Kind, why: &str) {
        let held = self.lists.held.entry(kind).or_insert_with(|| Held::new(call, now));
        held.list.stopped = Some(why.to_owned());
        self.tell_list(kind);
    }

    fn tell_list(&mut self, kind: Kind) {
        if let Some(held) = self.lists.held.get(&kind) {
            let list = Arc::new(held.list.clone());
            self.tell(Told::List(kind, list));
        }
    }

    /// The server says that a list changed.
    pub(super) fn list_changed(&mut self, kind: Kind) {
        if let Some(held) = self.lists.held.get_mut(&kind).filter(|held| !held.list.stale) {
            (held.list.stale, held.expires) = (true, None);
            self.tell_list(kind);
        }
    }

    pub(super) fn lists_passed(&mut self, now: Nanos) {
        let late = |held: &Held| held.expires.is_some_and(|end| end <= now);
        let late: Vec<Kind> = self.lists.held.iter().filter(|(_, held)| late(held)).map(|(kind, _)| *kind).collect();
        for kind in late {
            if let Some(held) = self.lists.held.get_mut(&kind) {
                held.expires = None;
            }
            self.list_changed(kind);
        }
    }
}
