//! One value of a form: its place, its shape, and what is typed.

use std::sync::Arc;

use crate::schema::shape::{Kind, Rest, Shape};
use crate::schema::{FieldId, Presence};

/// One value.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) parent: Option<FieldId>,
    pub(super) place: Place,
    pub(super) shape: Arc<Shape>,
    /// Whether the schema requires it, as a member.
    pub(super) required: bool,
    /// Whether the schema does not name it: it was added, and can be taken away.
    pub(super) added: bool,
    pub(super) presence: Presence,
    pub(super) body: Body,
    pub(super) folded: bool,
}

/// Where a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    /// A member of this name.
    Member(Arc<str>),
    /// An item of an array.
    Slot,
    /// What a variant is, at the same place as the variant.
    Inner,
}

/// What is typed.
#[derive(Debug)]
pub(super) enum Body {
    /// Nothing yet: it was never there.
    Unmade,
    Leaf(Reading, String),
    Object {
        /// In the order in which they are shown.
        children: Vec<FieldId>,
        /// In the order in which they are sent.
        written: Vec<FieldId>,
    },
    Array(Vec<FieldId>),
    /// Which are chosen.
    Multi(Vec<usize>),
    Union {
        chosen: Option<usize>,
        /// What is typed in each; what was left stays for when it is chosen again.
        inner: Vec<Option<FieldId>>,
    },
}

/// How the text of a leaf is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// It is the string.
    Text,
    /// It is a number, or else a string.
    Number,
    /// It is JSON, or else a string.
    Json,
}

impl Item {
    pub(super) fn new(parent: Option<FieldId>, place: Place, shape: Arc<Shape>) -> Self {
        Self {
            parent,
            place,
            shape,
            required: false,
            added: false,
            presence: Presence::Value,
            body: Body::Unmade,
            folded: false,
        }
    }

    /// Whether its kind has an empty value, which is another than what is typed.
    pub(super) fn has_empty(&self) -> bool {
        let by_kind = matches!(self.shape.kind, Kind::Text | Kind::Object(_) | Kind::Array(_) | Kind::Multi(_));
        match self.body {
            Body::Leaf(Reading::Text, _) | Body::Object { .. } | Body::Array(_) | Body::Multi(_) => true,
            Body::Unmade => by_kind,
            _ => by_kind && self.presence == Presence::Empty,
        }
    }

    /// The empty value of its type.
    pub(super) fn empty(&self) -> &'static str {
        match (&self.body, &self.shape.kind) {
            (Body::Object { .. }, _) | (_, Kind::Object(_)) => "{}",
            (Body::Array(_) | Body::Multi(_), _) | (_, Kind::Array(_) | Kind::Multi(_)) => "[]",
            _ => "\"\"",
        }
    }

    /// Which states it can have: the value first, and not being there last for what is required.
    pub(super) fn presences(&self) -> Vec<Presence> {
        let null = self.shape.nullable || self.presence == Presence::Null;
        let null = null.then_some(Presence::Null);
        let empty = self.has_empty().then_some(Presence::Empty);
        let omit = matches!(self.place, Place::Member(_)).then_some(Presence::Omit);
        let (before, after) = if self.required { (None, omit) } else { (omit, None) };
        before.into_iter().chain(null).chain(empty).chain([Presence::Value]).chain(after).collect()
    }

    pub(super) fn can_be(&self, presence: Presence) -> bool {
        self.presences().contains(&presence)
    }

    /// Whether something can be added to it.
    pub(super) fn is_open(&self) -> bool {
        match (&self.body, &self.shape.kind) {
            (Body::Object { .. } | Body::Unmade, Kind::Object(object)) => {
                object.rest != Rest::Closed || !object.patterns.is_empty()
            }
            (Body::Array(items), Kind::Array(array)) => array.rest != Rest::Closed || items.len() < array.prefix.len(),
            (Body::Unmade, Kind::Array(_)) | (Body::Array(_) | Body::Object { .. }, _) => true,
            _ => false,
        }
    }
}
