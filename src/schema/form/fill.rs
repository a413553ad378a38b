//! From an instance to a form. Whatever does not fit is kept as JSON text, so that nothing is lost.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::item::{Body, Item, Place, Reading};
use super::{Form, MOST, WIDE};
use crate::schema::canon::{canonical, compact, text};
use crate::schema::shape::{Kind, Rest, Shape};
use crate::schema::{FieldId, Presence};
use crate::wire::{Json, JsonKind, quote};

/// What is nested deeper is shown as JSON text.
const DEEPEST: usize = 60;

impl Form {
    /// Takes over an instance as the content of a value.
    pub(super) fn adopt(&mut self, id: FieldId, json: Json<'_>, depth: usize) {
        let Some(shape) = self.shape(id) else { return };
        if json.is_null() && !matches!(shape.kind, Kind::Any | Kind::Fixed(_)) {
            self.set(id, Presence::Null, Body::Unmade);
            return;
        }
        let (presence, body) = self.read(id, &shape, json, depth).unwrap_or_else(|| (Presence::Value, foreign(json)));
        self.set(id, presence, body);
    }

    fn read(&mut self, id: FieldId, shape: &Arc<Shape>, json: Json<'_>, depth: usize) -> Option<(Presence, Body)> {
        if depth > DEEPEST || self.items.len() >= MOST {
            return None;
        }
        let body = match (&shape.kind, json.kind()) {
            (Kind::Text, JsonKind::String) => Body::Leaf(Reading::Text, text(json)?),
            (Kind::Number, JsonKind::Number) => Body::Leaf(Reading::Number, json.number()?.to_owned()),
            (Kind::Choice(choices), _) => {
                let same = choice_of(choices, json, false)?;
                let exact = choice_of(choices, json, true).is_some() || json.kind() == JsonKind::String;
                let text = if exact { choices[same].1.clone() } else { compact(json) };
                Body::Leaf(Reading::Json, text)
            }
            (Kind::Multi(choices), JsonKind::Array) => match several(choices, json) {
                Some(chosen) => Body::Multi(chosen),
                None => self.slots(id, shape, json, depth),
            },
            (Kind::Object(_), JsonKind::Object) => self.object(id, shape, json, depth)?,
            (Kind::Array(_), JsonKind::Array) => self.slots(id, shape, json, depth),
            (Kind::Union(_), _) => self.union(id, shape, json, depth)?,
            _ => return None,
        };
        let empty = match &body {
            Body::Leaf(Reading::Text, text) => text.is_empty(),
            Body::Array(items) => items.is_empty(),
            Body::Multi(chosen) => chosen.is_empty(),
            Body::Object { children, .. } => children.is_empty(),
            _ => false,
        };
        Some((if empty { Presence::Empty } else { Presence::Value }, body))
    }

    /// The members of an object; nothing where a name stands twice, since a form cannot show that.
    fn object(&mut self, id: FieldId, shape: &Arc<Shape>, json: Json<'_>, depth: usize) -> Option<Body> {
        let Kind::Object(object) = &shape.kind else { return None };
        let mut names = HashSet::new();
        let members: Vec<(String, Json<'_>)> =
            json.members().map(|(name, value)| Some((text(name)?, value))).collect::<Option<_>>()?;
        if !members.iter().all(|(name, _)| names.insert(name.as_str())) {
            return None;
        }
        let mut children = self.omitted(id, shape);
        let known: HashMap<Arc<str>, FieldId> =
            children.iter().filter_map(|child| Some((self.name(*child)?, *child))).collect();
        let mut written = Vec::with_capacity(members.len());
        for (name, value) in members {
            let child = known.get(name.as_str()).copied().unwrap_or_else(|| {
                let shape = self.shapes.rest(&self.schema, &object.key_of(&name));
                let item = Item::new(Some(id), Place::Member(name.into()), shape);
                let child = self.grow(Item { added: true, ..item });
                children.push(child);
                child
            });
            self.adopt(child, value, depth + 1);
            written.push(child);
        }
        let present: HashSet<FieldId> = written.iter().copied().collect();
        written.extend(children.iter().filter(|child| !present.contains(child)));
        self.fold_wide(id, children.len());
        Some(Body::Object { children, written })
    }

    /// The members that the schema names, none of them there.
    fn omitted(&mut self, id: FieldId, shape: &Shape) -> Vec<FieldId> {
        let Kind::Object(object) = &shape.kind else { return Vec::new() };
        let mut children = Vec::with_capacity(object.members.len());
        for (name, key) in &object.members {
            let shape = self.shapes.of(&self.schema, key);
            let item = Item::new(Some(id), Place::Member(Arc::clone(name)), shape);
            let required = object.required.contains(name);
            children.push(self.grow(Item { required, presence: Presence::Omit, ..item }));
        }
        children
    }

    fn slots(&mut self, id: FieldId, shape: &Arc<Shape>, json: Json<'_>, depth: usize) -> Body {
        let mut children = Vec::new();
        for (at, value) in json.items().enumerate() {
            let rest = match &shape.kind {
                Kind::Array(array) => array.key_of(at),
                _ => Rest::Open,
            };
            let shape = self.shapes.rest(&self.schema, &rest);
            let child = self.grow(Item { added: true, ..Item::new(Some(id), Place::Slot, shape) });
            self.adopt(child, value, depth + 1);
            children.push(child);
        }
        self.fold_wide(id, children.len());
        Body::Array(children)
    }

    fn union(&mut self, id: FieldId, shape: &Arc<Shape>, json: Json<'_>, depth: usize) -> Option<Body> {
        let Kind::Union(variants) = &shape.kind else { return None };
        let best = self.best(variants, json)?;
        let mut inner = vec![None; variants.len()];
        inner[best] = self.inner(id, shape, best);
        inner[best].into_iter().for_each(|inner| self.adopt(inner, json, depth + 1));
        Some(Body::Union { chosen: Some(best), inner })
    }

    fn fold_wide(&mut self, id: FieldId, children: usize) {
        let wide = children > WIDE;
        if let Some(item) = self.item_mut(id).filter(|item| wide && item.place != Place::Root) {
            item.folded = true;
        }
    }

    pub(super) fn name(&self, id: FieldId) -> Option<Arc<str>> {
        match &self.item(id)?.place {
            Place::Member(name) => Some(Arc::clone(name)),
            _ => None,
        }
    }
}

/// A value that its shape does not expect, as text.
fn foreign(json: Json<'_>) -> Body {
    Body::Leaf(Reading::Json, String::from_utf8_lossy(json.raw()).into_owned())
}

/// Which of the choices a value is; exactly: to the digit.
pub(super) fn choice_of(choices: &[(String, String)], json: Json<'_>, exactly: bool) -> Option<usize> {
    let plain = text(json).map_or_else(|| compact(json), |text| quote(&text));
    let exact = choices.iter().position(|(_, choice)| *choice == plain);
    if exact.is_some() || exactly {
        return exact;
    }
    let wanted = canonical(json);
    choices
        .iter()
        .position(|(_, choice)| Json::parse(choice.as_bytes()).is_ok_and(|choice| canonical(choice) == wanted))
}

/// Which of the choices the items are, where each is there once at most.
fn several(choices: &[(String, String)], json: Json<'_>) -> Option<Vec<usize>> {
    let mut seen = HashSet::new();
    json.items()
        .take(choices.len() + 1)
        .map(|item| choice_of(choices, item, true).filter(|at| seen.insert(*at)))
        .collect()
}
