//! One page of a list, as its result says it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::Kind;
use crate::mcp::one_line_of;
use crate::wire::{Json, JsonKind};

/// A page.
#[derive(Debug)]
pub(super) struct Page<'a> {
    /// The array of items.
    pub(super) items: Option<Json<'a>>,
    /// The cursor of the next page.
    pub(super) next: Option<String>,
    /// `ttlMs` and `cacheScope`.
    pub(super) hint: Option<(u64, String)>,
    /// Why nothing can follow, or why this is no page.
    pub(super) fault: Option<String>,
    /// Of its bytes.
    pub(super) hash: u64,
}

impl<'a> Page<'a> {
    /// Reads a result. In the legacy era an empty cursor means that there is none, as servers use it so; in
    /// 2026-07-28 it is a cursor like any other (PG-003). `null` says the same as nothing (PG-001).
    pub(super) fn read(kind: Kind, result: Json<'a>, legacy: bool) -> Self {
        let (mut items, mut cursor, mut ttl, mut scope) = (None, None, None, None);
        for (key, value) in result.members() {
            match key.text().as_deref() {
                Some("nextCursor") => cursor = Some(value),
                Some("ttlMs") => ttl = value.as_u64(),
                Some("cacheScope") => scope = value.text(),
                Some(name) if name == kind.member() => items = Some(value),
                _ => {}
            }
        }
        let mut fault = None;
        let array = items.filter(|items| items.kind() == JsonKind::Array);
        if array.is_none() {
            fault = Some(format!("the result has no array `{}`", kind.member()));
        }
        let next = cursor.filter(|cursor| !(cursor.is_null() || legacy && cursor.is_text("")));
        let text = next.and_then(|next| next.text());
        if let Some(next) = next.filter(|_| text.is_none()) {
            fault = Some(format!("the cursor of the next page is {}, not a string", one_line_of(next.raw(), 40)));
        }
        let mut hasher = DefaultHasher::new();
        result.raw().hash(&mut hasher);
        Self {
            items: array,
            next: text.map(std::borrow::Cow::into_owned),
            hint: ttl.map(|ttl| (ttl, scope.unwrap_or_default().into_owned())),
            fault,
            hash: hasher.finish(),
        }
    }
}
