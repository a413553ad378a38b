//! How a value begins: its default where it has one that fits, else what it is when nobody typed anything.

use std::sync::Arc;

use super::item::{Body, Item, Place, Reading};
use super::{Form, MOST, WIDE};
use crate::schema::shape::{Kind, Rest, Shape, type_of};
use crate::schema::tree::{Node, NodeId};
use crate::schema::{FieldId, Presence};
use crate::wire::Json;

/// How deep values are made without anybody asking for them; required members may have required members for ever.
const DEEPEST: usize = 12;
/// How many values are made without anybody asking for them.
const UNASKED: usize = 100_000;
/// How many items of a tuple are made at once.
const TUPLE: usize = 100;

impl Form {
    /// Gives a value its first content.
    pub(super) fn make(&mut self, id: FieldId, depth: usize) {
        let Some(shape) = self.shape(id) else { return };
        if let Some(default) = self.default_of(&shape) {
            let text = self.schema.tree().json(default);
            if let Ok(json) = Json::parse(text.as_bytes()) {
                self.adopt(id, json, depth);
                return;
            }
        }
        let body = self.body(id, &shape, depth);
        if let Some(item) = self.item_mut(id) {
            item.body = body;
        }
    }

    /// What a value is when nobody typed anything.
    pub(super) fn body(&mut self, id: FieldId, shape: &Arc<Shape>, depth: usize) -> Body {
        match &shape.kind {
            Kind::Any | Kind::Choice(_) => Body::Leaf(Reading::Json, String::new()),
            Kind::Text => Body::Leaf(Reading::Text, String::new()),
            Kind::Number => Body::Leaf(Reading::Number, String::new()),
            Kind::Bool => Body::Leaf(Reading::Json, "false".to_owned()),
            Kind::Fixed(text) => Body::Leaf(Reading::Json, text.clone()),
            Kind::Multi(_) => Body::Multi(Vec::new()),
            Kind::Object(_) => {
                let children = self.members(id, shape, depth);
                Body::Object { written: children.clone(), children }
            }
            Kind::Array(array) => {
                let count = if depth < DEEPEST { array.prefix.len().min(TUPLE) } else { 0 };
                Body::Array((0..count).map(|at| self.slot(id, shape, at, depth)).collect())
            }
            Kind::Union(variants) => {
                let mut inner = vec![None; variants.len()];
                let chosen = (!variants.is_empty() && depth < DEEPEST).then_some(0);
                if let Some(first) = chosen {
                    inner[first] = self.inner(id, shape, first);
                    inner[first].into_iter().for_each(|inner| self.make(inner, depth + 1));
                }
                Body::Union { chosen, inner }
            }
        }
    }

    /// The value of a variant, not made yet.
    pub(super) fn inner(&mut self, id: FieldId, shape: &Shape, variant: usize) -> Option<FieldId> {
        let Kind::Union(variants) = &shape.kind else { return None };
        let shape = self.shapes.of(&self.schema, &variants.get(variant)?.key);
        Some(self.grow(Item { required: true, ..Item::new(Some(id), Place::Inner, shape) }))
    }

    /// The item of an array with this index, made.
    pub(super) fn slot(&mut self, id: FieldId, shape: &Shape, at: usize, depth: usize) -> FieldId {
        let rest = if let Kind::Array(array) = &shape.kind { array.key_of(at) } else { Rest::Open };
        let shape = self.shapes.rest(&self.schema, &rest);
        let item = self.grow(Item { added: true, ..Item::new(Some(id), Place::Slot, shape) });
        self.make(item, depth + 1);
        item
    }

    /// The members that the schema names, those made that are there from the beginning.
    pub(super) fn members(&mut self, id: FieldId, shape: &Arc<Shape>, depth: usize) -> Vec<FieldId> {
        let Kind::Object(object) = &shape.kind else { return Vec::new() };
        let in_variant = self.item(id).is_some_and(|item| item.place == Place::Inner);
        let mut children = Vec::with_capacity(object.members.len());
        for (name, key) in &object.members {
            if self.items.len() >= MOST {
                break;
            }
            let shape = self.shapes.of(&self.schema, key);
            let required = object.required.contains(name);
            let item = Item::new(Some(id), Place::Member(Arc::clone(name)), Arc::clone(&shape));
            let child = self.grow(Item { required, presence: Presence::Omit, ..item });
            children.push(child);
            let tells = in_variant && matches!(shape.kind, Kind::Fixed(_));
            let wanted = required || tells || self.default_of(&shape).is_some();
            if wanted && depth < DEEPEST && self.items.len() < UNASKED {
                self.set(child, Presence::Value, Body::Unmade);
                self.make(child, depth + 1);
            }
        }
        // What is required without being named has a place too.
        let mut unnamed: Vec<_> = object.required.iter().filter(|name| !object.index.contains_key(*name)).collect();
        unnamed.sort();
        for name in unnamed.into_iter().take(WIDE) {
            let shape = self.shapes.rest(&self.schema, &object.key_of(name));
            let item = Item::new(Some(id), Place::Member(Arc::clone(name)), shape);
            let child = self.grow(Item { required: true, ..item });
            children.push(child);
            if depth < DEEPEST && self.items.len() < UNASKED {
                self.make(child, depth + 1);
            }
        }
        children
    }

    /// The default of a shape, where it is of the right type. One that is not would only make a bad call.
    pub(super) fn default_of(&self, shape: &Shape) -> Option<NodeId> {
        let default = shape.default?;
        let node = self.schema.tree().node(default);
        let fits = match (&shape.kind, node) {
            (_, Node::Beyond) => false,
            (Kind::Fixed(text), _) => *text == self.schema.tree().json(default),
            (_, Node::Null) => shape.nullable || matches!(shape.kind, Kind::Any),
            (Kind::Choice(choices), _) => {
                let text = self.schema.tree().json(default);
                choices.iter().any(|(_, choice)| *choice == text)
            }
            (Kind::Text, node) => matches!(node, Node::Text(_)),
            (Kind::Number, node) => matches!(node, Node::Number(_)),
            (Kind::Bool, node) => matches!(node, Node::Bool(_)),
            (Kind::Object(_), node) => matches!(node, Node::Object(_)),
            (Kind::Array(_) | Kind::Multi(_), node) => matches!(node, Node::Array(_)),
            (Kind::Any | Kind::Union(_), node) => type_of(node).meets(shape.types),
        };
        fits.then_some(default)
    }
}
