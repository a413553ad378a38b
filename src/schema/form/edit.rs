//! What somebody does with a form.

use std::sync::Arc;

use super::item::{Body, Item, Place, Reading};
use super::{Form, MOST};
use crate::schema::shape::{Kind, Rest};
use crate::schema::{FieldId, Presence};
use crate::wire::Json;

impl Form {
    /// Takes what was typed, to the letter. An omitted field becomes a value with it. A string that becomes empty is
    /// [`Presence::Empty`]; a number or a choice that does is omitted, where it need not be there.
    pub fn set_text(&mut self, id: FieldId, text: &str) {
        self.ready(id);
        let Some(item) = self.item_mut(id) else { return };
        let Body::Leaf(reading, typed) = &mut item.body else { return };
        text.clone_into(typed);
        let reading = *reading;
        let can_omit = !item.required && item.can_be(Presence::Omit);
        item.presence = match reading {
            Reading::Text if text.is_empty() => Presence::Empty,
            Reading::Number | Reading::Json if text.trim().is_empty() && can_omit => Presence::Omit,
            _ => Presence::Value,
        };
        self.patch(id);
    }

    /// Says whether and how a field is sent. What was typed is kept for when it is a value again.
    pub fn set_presence(&mut self, id: FieldId, presence: Presence) {
        let Some(item) = self.item(id) else { return };
        let possible = presence == Presence::Null || item.can_be(presence);
        if !possible || item.presence == presence {
            return;
        }
        if presence == Presence::Value {
            self.ready(id);
        }
        if let Some(item) = self.item_mut(id) {
            item.presence = presence;
        }
        // A container shows other lines then; a leaf only itself.
        match self.item(id).map(|item| &item.body) {
            Some(Body::Leaf(..) | Body::Multi(_)) => self.patch(id),
            _ => self.changed(),
        }
    }

    /// Chooses, or no longer, the value or shape of this index.
    pub fn choose(&mut self, id: FieldId, index: usize, on: bool) {
        self.ready(id);
        let Some(shape) = self.shape(id) else { return };
        match &shape.kind {
            Kind::Choice(choices) => {
                let Some((_, text)) = choices.get(index) else { return };
                let text = if on { text.clone() } else { String::new() };
                self.set_text(id, &text);
                return;
            }
            Kind::Multi(choices) if index < choices.len() => self.toggle(id, index, on),
            Kind::Union(variants) if on && index < variants.len() => self.choose_variant(id, index),
            _ => return,
        }
        self.changed();
    }

    fn toggle(&mut self, id: FieldId, index: usize, on: bool) {
        let Some(item) = self.item_mut(id) else { return };
        let Body::Multi(chosen) = &mut item.body else { return };
        chosen.retain(|known| *known != index);
        if on {
            chosen.push(index);
        }
        item.presence = if chosen.is_empty() { Presence::Empty } else { Presence::Value };
    }

    fn choose_variant(&mut self, id: FieldId, index: usize) {
        let Some(shape) = self.shape(id) else { return };
        let Some(Body::Union { chosen, inner }) = self.item(id).map(|item| &item.body) else { return };
        let (left, known) =
            (chosen.and_then(|at| inner.get(at).copied().flatten()), inner.get(index).copied().flatten());
        let next = known.or_else(|| {
            let new = self.inner(id, &shape, index)?;
            self.make(new, 0);
            left.into_iter().for_each(|left| self.carry_over(left, new));
            Some(new)
        });
        let Some(item) = self.item_mut(id) else { return };
        item.presence = Presence::Value;
        if let Body::Union { chosen, inner } = &mut item.body {
            *chosen = Some(index);
            inner[index] = next;
        }
    }

    /// What two variants have in common is typed once: members of one name, except constants.
    fn carry_over(&mut self, from: FieldId, to: FieldId) {
        let Some(Body::Object { children, .. }) = self.item(from).map(|item| &item.body) else { return };
        let sent: Vec<FieldId> = children.iter().copied().filter(|child| self.is_sent(*child)).collect();
        for child in sent {
            let Some(name) = self.name(child) else { continue };
            let Some(Body::Object { children, .. }) = self.item(to).map(|item| &item.body) else { return };
            let named = children.iter().copied().find(|other| self.name(*other).is_some_and(|other| other == name));
            let Some(other) = named else { continue };
            if self.shape(other).is_some_and(|shape| matches!(shape.kind, Kind::Fixed(_))) {
                continue;
            }
            let mut text = String::new();
            self.write(child, &mut text);
            if let Ok(json) = Json::parse(text.as_bytes()) {
                self.adopt(other, json, 0);
            }
        }
    }

    /// Adds an item to an array or a member to an object, at the end and open for typing; its number. Nothing where
    /// there is no room.
    pub fn add(&mut self, id: FieldId) -> Option<FieldId> {
        if self.items.len() >= MOST {
            return None;
        }
        self.ready(id);
        let shape = self.shape(id)?;
        let item = self.item(id)?;
        let added = match &item.body {
            Body::Union { chosen, inner } => {
                let inner = chosen.and_then(|at| inner.get(at).copied().flatten())?;
                return self.add(inner);
            }
            Body::Array(items) if item.is_open() => {
                let at = items.len();
                let new = self.slot(id, &shape, at, 0);
                if let Some(Body::Array(items)) = self.item_mut(id).map(|item| &mut item.body) {
                    items.push(new);
                }
                new
            }
            Body::Object { children, .. } if item.is_open() => {
                let name = self.free_name(children);
                self.add_member(id, name)
            }
            _ => return None,
        };
        let was_seen = self.is_open_up(id);
        self.open_up(id);
        if !was_seen || !self.append(id, added) {
            self.changed();
        }
        Some(added)
    }

    fn add_member(&mut self, id: FieldId, name: Arc<str>) -> FieldId {
        let rest = self.rest_of(id, &name);
        let shape = self.shapes.rest(&self.schema, &rest);
        let new = self.grow(Item { added: true, ..Item::new(Some(id), Place::Member(name), shape) });
        self.make(new, 0);
        if let Some(Body::Object { children, written }) = self.item_mut(id).map(|item| &mut item.body) {
            children.push(new);
            written.push(new);
        }
        new
    }

    /// Whether what it holds is shown already.
    fn is_open_up(&self, id: FieldId) -> bool {
        self.item(id).is_some_and(|item| {
            item.presence == Presence::Value && !item.folded && matches!(item.place, Place::Member(_) | Place::Slot)
        })
    }

    /// A value to which something is added is a value, and is seen.
    fn open_up(&mut self, id: FieldId) {
        let Some(item) = self.item_mut(id) else { return };
        item.presence = Presence::Value;
        item.folded = false;
        if let (Place::Inner, Some(parent)) = (item.place.clone(), item.parent) {
            self.open_up(parent);
        }
    }

    fn rest_of(&self, object: FieldId, name: &str) -> Rest {
        match self.item(object).map(|item| &item.shape.kind) {
            Some(Kind::Object(object)) => object.key_of(name),
            _ => Rest::Open,
        }
    }

    fn free_name(&self, children: &[FieldId]) -> Arc<str> {
        let taken: std::collections::HashSet<Arc<str>> =
            children.iter().filter_map(|child| self.name(*child)).collect();
        let names = std::iter::once("name".to_owned()).chain((2..).map(|number| format!("name{number}")));
        names.map(Arc::from).find(|name| !taken.contains(name)).unwrap_or_default()
    }

    /// Takes away an item or an added member.
    pub fn remove(&mut self, id: FieldId) {
        let Some(item) = self.item(id).filter(|item| item.added) else { return };
        let Some(parent) = item.parent else { return };
        match self.item_mut(parent).map(|item| &mut item.body) {
            Some(Body::Array(items)) => items.retain(|item| *item != id),
            Some(Body::Object { children, written }) => {
                children.retain(|child| *child != id);
                written.retain(|child| *child != id);
            }
            _ => return,
        }
        self.reshape_slots(parent);
        self.changed();
    }

    /// Items of a tuple have other shapes when one before them is gone.
    fn reshape_slots(&mut self, id: FieldId) {
        let Some(shape) = self.shape(id) else { return };
        let Kind::Array(array) = &shape.kind else { return };
        if array.prefix.is_empty() {
            return;
        }
        let Some(Body::Array(items)) = self.item(id).map(|item| &item.body) else { return };
        for (at, item) in items.clone().into_iter().enumerate() {
            self.reshape(item, &array.key_of(at));
        }
    }

    /// Gives a value another shape and keeps what it is.
    fn reshape(&mut self, id: FieldId, rest: &Rest) {
        let shape = self.shapes.rest(&self.schema, rest);
        let Some(item) = self.item(id).filter(|item| !Arc::ptr_eq(&item.shape, &shape)) else { return };
        let (presence, was_typed) = (item.presence, self.is_sent(id));
        let mut text = String::new();
        self.write(id, &mut text);
        if let Some(item) = self.item_mut(id) {
            item.shape = shape;
            item.body = Body::Unmade;
        }
        match Json::parse(text.as_bytes()) {
            Ok(json) if was_typed => self.adopt(id, json, 0),
            _ => self.make(id, 0),
        }
        if presence == Presence::Omit {
            self.item_mut(id).into_iter().for_each(|item| item.presence = presence);
        }
    }

    /// Gives an added member another name. A name that another member has is sent twice.
    pub fn rename(&mut self, id: FieldId, name: &str) {
        let Some(item) = self.item_mut(id).filter(|item| item.added) else { return };
        let Place::Member(known) = &mut item.place else { return };
        if **known == *name {
            return;
        }
        *known = name.into();
        let Some(parent) = item.parent else { return };
        let rest = self.rest_of(parent, name);
        self.reshape(id, &rest);
        self.changed();
    }

    /// Hides or shows what lies below a field.
    pub fn fold(&mut self, id: FieldId, folded: bool) {
        if let Some(item) = self.item_mut(id).filter(|item| item.folded != folded) {
            item.folded = folded;
            self.changed();
        }
    }

    /// Sees to it that a value has a content to be changed.
    fn ready(&mut self, id: FieldId) {
        let Some(item) = self.item(id).filter(|item| matches!(item.body, Body::Unmade)) else { return };
        let (presence, shape) = (item.presence, Arc::clone(&item.shape));
        let body = self.body(id, &shape, 0);
        self.set(id, presence, body);
    }
}
