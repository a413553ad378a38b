//! What a schema asks of one value, put together from everything that applies to it: `$ref`, `allOf`, the chosen
//! branch of `anyOf` and `oneOf`. A shape knows its members by keys and not by their shapes, so a schema that refers
//! to itself is no trouble: shapes are made when somebody looks.

mod caption;
mod draft;
mod finish;
mod limits;
mod union;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use regex::Regex;

use super::field::Choices;
use super::read::Schema;
use super::tree::NodeId;

pub(super) use finish::type_of;
pub(super) use limits::Limits;
pub(super) use union::Word;

/// More shapes than this are not kept for one form.
const MOST: usize = 200_000;

/// The schemas that apply to one value together, and what has been decided about them.
pub(super) type Key = Vec<Part>;

/// A part of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A schema.
    Node(NodeId),
    /// That a branch of this schema's union is chosen; the branch is another part.
    Done(NodeId, Word),
    /// Only these types.
    Only(Types),
}

/// A set of JSON's types. `number` is both bits, `integer` one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Types(pub(super) u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOL: Self = Self(2);
    pub(super) const OBJECT: Self = Self(4);
    pub(super) const ARRAY: Self = Self(8);
    pub(super) const INTEGER: Self = Self(16);
    pub(super) const NUMBER: Self = Self(16 | 32);
    pub(super) const STRING: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "object" => Self::OBJECT,
            "array" => Self::ARRAY,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            _ => return None,
        })
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether a value of this other type may be one of these.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each of them, `null` left out.
    pub(super) fn kinds(self) -> Vec<Self> {
        // Text comes after what is narrower: some servers read text in one way only.
        let all = [Self::BOOL, Self::NUMBER, Self::STRING, Self::OBJECT, Self::ARRAY];
        all.into_iter().map(|kind| self.and(kind)).filter(|kind| !kind.is_empty()).collect()
    }
}

/// What a schema asks of one value.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    /// Whether `null` is asked for too.
    pub(super) nullable: bool,
    pub(super) types: Types,
    pub(super) title: Option<Arc<str>>,
    pub(super) description: Option<Arc<str>>,
    pub(super) caption: Arc<str>,
    pub(super) default: Option<NodeId>,
    pub(super) limits: Limits,
    pub(super) also: Also,
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Kind {
    /// Anything, or what cannot be told.
    Any,
    Text,
    Number,
    Bool,
    Choice(Choices),
    /// Always this JSON text.
    Fixed(String),
    /// An array of some of these.
    Multi(Choices),
    Object(Box<ObjectShape>),
    Array(ArrayShape),
    Union(Vec<Variant>),
}

/// One of several shapes.
#[derive(Debug)]
pub(super) struct Variant {
    pub(super) label: String,
    pub(super) key: Key,
}

#[derive(Debug, Default)]
pub(super) struct ObjectShape {
    pub(super) members: Vec<(Arc<str>, Key)>,
    pub(super) index: HashMap<Arc<str>, usize>,
    pub(super) required: HashSet<Arc<str>>,
    pub(super) patterns: Vec<(Regex, NodeId)>,
    pub(super) rest: Rest,
}

#[derive(Debug, Default)]
pub(super) struct ArrayShape {
    pub(super) prefix: Vec<Key>,
    pub(super) rest: Rest,
}

/// What members and items may be that are not named.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) enum Rest {
    #[default]
    Open,
    Closed,
    Key(Key),
}

/// What matters only to who makes up an instance.
#[derive(Debug, Default)]
pub(super) struct Also {
    /// Unions whose branches say no more than what is required.
    pub(super) weak: Vec<(NodeId, Word, Vec<NodeId>)>,
    /// `if`, `then`, `else`.
    pub(super) conditions: Vec<[Option<NodeId>; 3]>,
    /// What a member brings with it.
    pub(super) dependents: Vec<(Arc<str>, Vec<Arc<str>>)>,
    pub(super) contains: Option<NodeId>,
}

impl ObjectShape {
    /// What applies to the member of this name.
    pub(super) fn key_of(&self, name: &str) -> Rest {
        let mut key: Key = self.index.get(name).map(|&index| self.members[index].1.clone()).unwrap_or_default();
        let matching = self.patterns.iter().filter(|(pattern, _)| pattern.is_match(name));
        key.extend(matching.map(|(_, node)| Part::Node(*node)));
        if key.is_empty() && !self.index.contains_key(name) { self.rest.clone() } else { Rest::Key(key) }
    }
}

impl ArrayShape {
    /// What applies to the item of this index.
    pub(super) fn key_of(&self, index: usize) -> Rest {
        self.prefix.get(index).map_or_else(|| self.rest.clone(), |key| Rest::Key(key.clone()))
    }
}

/// The shapes that were looked at.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    made: HashMap<Key, Arc<Shape>>,
}

impl Shapes {
    pub(super) fn of(&mut self, schema: &Schema, key: &Key) -> Arc<Shape> {
        if let Some(shape) = self.made.get(key) {
            return Arc::clone(shape);
        }
        let shape = Arc::new(Shape::new(schema, key, 0));
        if self.made.len() < MOST {
            self.made.insert(key.clone(), Arc::clone(&shape));
        }
        shape
    }

    /// The shape of what is not named: anything where it is open, and where it should not be there at all.
    pub(super) fn rest(&mut self, schema: &Schema, rest: &Rest) -> Arc<Shape> {
        match rest {
            Rest::Key(key) => self.of(schema, key),
            Rest::Open | Rest::Closed => self.of(schema, &Key::new()),
        }
    }
}
