//! What a mock server has at this moment: which items are listed, and what the protocol's own answers would say, for
//! rules that damage them.

use super::Mock;
use super::damage::ListDamage;
use super::items::Item;
use super::object::{Object, list};
use crate::model::{Nanos, Revision};
use crate::peer::server::{Asked, Bytes, Kind};
use crate::wire::{Json, quote};

/// The lists at this moment.
#[derive(Debug)]
pub(super) struct Lists {
    /// Whether each item is there, unless time says otherwise.
    shown: Vec<bool>,
    /// When each was last put there or taken away by a rule or timer; time does not undo that.
    touched: Vec<bool>,
    /// The items of each kind, as listed.
    listed: [Vec<Bytes>; Kind::ALL.len()],
    /// Up to when time was regarded.
    elapsed: Nanos,
}

impl Lists {
    pub(super) fn new(mock: &Mock) -> Self {
        let items = &mock.content.items;
        let shown = items.iter().map(|item| !item.hidden && item.from.is_none_or(|from| from <= 0)).collect();
        let mut lists =
            Self { shown, touched: vec![false; items.len()], listed: std::array::from_fn(|_| Vec::new()), elapsed: -1 };
        Kind::ALL.into_iter().for_each(|kind| lists.list(mock, kind));
        lists
    }

    /// The items of a kind.
    pub(super) fn of(&self, kind: Kind) -> &[Bytes] {
        &self.listed[number(kind)]
    }

    /// Whether an item is there.
    pub(super) fn has(&self, item: usize) -> bool {
        self.shown.get(item) == Some(&true)
    }

    /// An item comes or goes; whether that changed anything.
    pub(super) fn set(&mut self, mock: &Mock, kind: Kind, name: &str, shown: bool) -> bool {
        let found = mock.content.items.iter().position(|item| item.kind == kind && item.key == name);
        let Some(item) = found else { return false };
        self.touched[item] = true;
        self.put(mock, item, shown)
    }

    /// What time has changed, `elapsed` since serving began; the kinds of list that changed.
    pub(super) fn pass(&mut self, mock: &Mock, elapsed: Nanos) -> Vec<Kind> {
        self.elapsed = elapsed;
        let mut kinds = Vec::new();
        for (index, item) in mock.content.items.iter().enumerate() {
            let timed = item.from.is_some() || item.until.is_some();
            if !timed || self.touched[index] {
                continue;
            }
            let shown = !item.hidden
                && item.from.is_none_or(|from| from <= elapsed)
                && item.until.is_none_or(|until| elapsed < until);
            if self.put(mock, index, shown) && !kinds.contains(&item.kind) {
                kinds.push(item.kind);
            }
        }
        kinds
    }

    /// When time next changes something, counted from when serving began.
    pub(super) fn next(&self, mock: &Mock) -> Option<Nanos> {
        let ends = |item: &Item| [item.from, item.until];
        mock.content.items.iter().flat_map(ends).flatten().filter(|at| *at > self.elapsed).min()
    }

    fn put(&mut self, mock: &Mock, item: usize, shown: bool) -> bool {
        let changed = self.shown[item] != shown;
        self.shown[item] = shown;
        if changed {
            self.list(mock, mock.content.items[item].kind);
        }
        changed
    }

    fn list(&mut self, mock: &Mock, kind: Kind) {
        let items = mock.content.items.iter().enumerate();
        let listed = items.filter(|(index, item)| item.kind == kind && self.shown[*index]);
        self.listed[number(kind)] = listed.map(|(_, item)| item.json.clone()).collect();
    }
}

fn number(kind: Kind) -> usize {
    Kind::ALL.iter().position(|other| *other == kind).unwrap_or(0)
}

/// The result that the protocol's own answer to a request has, as far as the script can tell: lists without pages, the
/// handshake, ping.
pub(super) fn own_result(mock: &Mock, lists: &Lists, asked: &Asked<'_>, damage: Option<ListDamage>) -> Option<String> {
    let about = &mock.about;
    let mut result = Object::default();
    match asked.method {
        "ping" => {}
        "initialize" => {
            let wanted = Json::parse(asked.params?)
                .ok()?
                .get("protocolVersion")
                .and_then(|version| version.text().map(|text| Revision::from_text(&text)));
            let legacy = about.revisions.iter().filter(|revision| revision.era() == crate::model::Era::Legacy);
            let latest = legacy.clone().next_back()?;
            let agreed = legacy.clone().find(|revision| Some(*revision) == wanted.as_ref()).unwrap_or(latest);
            result.text("protocolVersion", Some(agreed.text()));
            result.put("capabilities", about.legacy.clone());
            result.put("serverInfo", about.identity.clone());
            result.text("instructions", about.instructions.as_deref());
        }
        "server/discover" => {
            let versions: Vec<String> = about.revisions.iter().map(|revision| quote(revision.text())).collect();
            result.put("supportedVersions", list(&versions));
            result.put("capabilities", about.modern.clone());
            result.text("instructions", about.instructions.as_deref());
        }
        method => {
            let kind = Kind::ALL.into_iter().find(|kind| kind.method() == method && *kind != Kind::Tasks)?;
            let mut items: Vec<String> = lists.of(kind).iter().map(|item| damaged(item, damage)).collect();
            if damage == Some(ListDamage::DuplicateNames) {
                items.extend_from_within(..);
            }
            result.put(member(kind), list(&items));
            result.maybe("nextCursor", cursor(asked, damage));
        }
    }
    Some(result.json())
}

const fn member(kind: Kind) -> &'static str {
    match kind {
        Kind::Tools => "tools",
        Kind::Resources => "resources",
        Kind::Templates => "resourceTemplates",
        Kind::Prompts => "prompts",
        Kind::Tasks => "tasks",
    }
}

/// An item as it is listed under a fault.
fn damaged(item: &Bytes, damage: Option<ListDamage>) -> String {
    let text = || String::from_utf8_lossy(item).into_owned();
    let Ok(json) = Json::parse(item) else { return text() };
    let mut object = Object::of(json);
    match damage {
        Some(ListDamage::InvalidSchemas) => {
            object.put("inputSchema", r#"{"type":"nonsense","properties":{"a":{"type":5}},"required":"a"}"#);
        }
        Some(ListDamage::MissingSchemas) => object.drop("inputSchema"),
        Some(ListDamage::MissingNames) => object.drop("name"),
        _ => return text(),
    }
    object.json()
}

/// The cursor of a page that is never the last.
fn cursor(asked: &Asked<'_>, damage: Option<ListDamage>) -> Option<String> {
    let params = asked.params.and_then(|params| Json::parse(params).ok());
    let cursor = params.and_then(|params| params.get("cursor")?.text().map(std::borrow::Cow::into_owned));
    match damage {
        Some(ListDamage::EndlessCursors) => {
            let page = cursor.and_then(|cursor| cursor.strip_prefix("page ")?.parse::<u64>().ok()).unwrap_or(1);
            Some(quote(&format!("page {}", page.saturating_add(1))))
        }
        Some(ListDamage::CursorCircle) => Some(quote(if cursor.as_deref() == Some("a") { "b" } else { "a" })),
        _ => None,
    }
}
