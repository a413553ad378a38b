//! From what the schemas say to what a value is: one kind, and how it is shown.

use std::collections::HashSet;
use std::sync::Arc;

use super::draft::{Draft, hinted};
use super::{ArrayShape, Key, Kind, ObjectShape, Part, Shape, Types, Variant, caption, union};
use crate::schema::field::Choices;
use crate::schema::read::Schema;
use crate::schema::tree::{Node, NodeId};

/// How far shapes look into others to say what they are.
const PEEK: usize = 2;
/// Labels are cut here, in characters.
const LABEL: usize = 60;

impl Shape {
    /// The shape of a key, as seen from so many shapes above.
    pub(super) fn new(schema: &Schema, key: &Key, above: usize) -> Self {
        let mut draft = Draft::new(schema, key);
        let nullable = draft.nullable || (draft.typed && draft.types.meets(Types::NULL));
        let (kind, listed_null) = kind(&mut draft, key, above);
        let mut shape = Self {
            nullable: nullable || listed_null,
            types: draft.types,
            title: draft.title.take(),
            description: draft.description.take(),
            caption: "".into(),
            default: draft.default,
            limits: std::mem::take(&mut draft.limits),
            also: std::mem::take(&mut draft.also),
            kind,
        };
        if matches!(&shape.kind, Kind::Fixed(text) if text == "null") {
            shape.nullable = false;
        }
        let item = || item_caption(schema, &shape, above);
        shape.caption = caption::of(schema, &shape, draft.reference.as_deref(), draft.never, &item()).into();
        shape
    }
}

/// What it is, and whether `null` is among the values that are listed.
fn kind(draft: &mut Draft<'_>, key: &Key, above: usize) -> (Kind, bool) {
    if draft.never {
        return (Kind::Any, false);
    }
    if let Some(values) = draft.choices.take() {
        return listed(draft, values);
    }
    if let Some(first) = draft.unions.first() {
        let keys: Vec<_> =
            first.branches.iter().map(|branch| (union::chosen(key, first, *branch), Some(*branch))).collect();
        return (variants(draft, keys, above), false);
    }
    let known = if draft.typed { draft.types } else { draft.hinted.and(draft.types) };
    let kinds = known.kinds();
    match kinds.as_slice() {
        [one] => (single(draft, *one, above), false),
        [] if draft.typed && draft.types.meets(Types::NULL) => (Kind::Fixed("null".to_owned()), false),
        [_, ..] if !draft.typed => (single(draft, hinted(known).unwrap_or(known), above), false),
        several if several.is_empty() || several.len() > 4 => (Kind::Any, false),
        several => {
            let with = |types: &Types| key.iter().copied().chain([Part::Only(*types)]).collect();
            (variants(draft, several.iter().map(|types| (with(types), None)).collect(), above), false)
        }
    }
}

fn single(draft: &mut Draft<'_>, types: Types, above: usize) -> Kind {
    match types {
        Types::STRING => Kind::Text,
        Types::BOOL => Kind::Bool,
        Types::OBJECT => Kind::Object(Box::new(ObjectShape {
            members: std::mem::take(&mut draft.members),
            index: std::mem::take(&mut draft.index),
            required: std::mem::take(&mut draft.required),
            patterns: std::mem::take(&mut draft.patterns),
            rest: draft.other_members.clone(),
        })),
        Types::ARRAY => array(draft, above),
        _ => Kind::Number,
    }
}

fn array(draft: &mut Draft<'_>, above: usize) -> Kind {
    let shape = ArrayShape { prefix: std::mem::take(&mut draft.prefix), rest: draft.other_items.clone() };
    if let (true, super::Rest::Key(key), true) = (shape.prefix.is_empty(), &shape.rest, above < PEEK) {
        let item = Shape::new(draft.schema, key, above + 1);
        if let (Kind::Choice(choices), false) = (item.kind, item.nullable) {
            return Kind::Multi(choices);
        }
    }
    Kind::Array(shape)
}

/// A choice of values, those of other types left out.
fn listed(draft: &Draft<'_>, values: Vec<(Option<Arc<str>>, NodeId)>) -> (Kind, bool) {
    let tree = draft.schema.tree();
    let mut seen = HashSet::new();
    let mut has_null = false;
    let mut choices = Vec::new();
    for (label, id) in values {
        let is_null = matches!(tree.node(id), Node::Null);
        has_null |= is_null;
        if is_null || !type_of(tree.node(id)).meets(draft.types) {
            continue;
        }
        let text = tree.json(id);
        if seen.insert(draft.schema.canonical(id)) {
            let own = tree.str(id).map_or_else(|| text.clone(), ToString::to_string);
            choices.push((label.map_or(own, |label| label.to_string()), text));
        }
    }
    let both = choices.len() == 2 && choices.iter().all(|(_, text)| text == "true" || text == "false");
    let kind = match choices.as_slice() {
        _ if both => Kind::Bool,
        [] if has_null => Kind::Fixed("null".to_owned()),
        [] => Kind::Any,
        [(_, text)] => Kind::Fixed(text.clone()),
        _ => Kind::Choice(Choices::from(choices)),
    };
    (kind, has_null)
}

pub(in crate::schema) fn type_of(node: &Node) -> Types {
    match node {
        Node::Null => Types::NULL,
        Node::Bool(_) => Types::BOOL,
        Node::Number(_) => Types::NUMBER,
        Node::Text(_) => Types::STRING,
        Node::Array(_) => Types::ARRAY,
        Node::Object(_) => Types::OBJECT,
        Node::Beyond => Types(0),
    }
}

/// The shapes to choose from, those left out that nothing fits.
fn variants(draft: &Draft<'_>, keys: Vec<(Key, Option<NodeId>)>, above: usize) -> Kind {
    let mut variants: Vec<Variant> = Vec::new();
    let mut labels = HashSet::new();
    for (at, (key, branch)) in keys.into_iter().enumerate() {
        let shape = (above < PEEK).then(|| Shape::new(draft.schema, &key, above + 1));
        if shape.as_ref().is_some_and(|shape| shape.types.without(Types::NULL).is_empty()) {
            continue;
        }
        let label = branch.and_then(|branch| named(draft.schema, branch)).or_else(|| shape.as_ref().map(described));
        let label = label.filter(|label| !label.is_empty()).unwrap_or_else(|| format!("shape {}", at + 1));
        let label = if labels.insert(label.clone()) { label } else { format!("{label} ({})", at + 1) };
        variants.push(Variant { label, key });
    }
    Kind::Union(variants)
}

/// What a branch is called by itself: its title, the constant that tells it from others, the name it is kept under.
fn named(schema: &Schema, branch: NodeId) -> Option<String> {
    let tree = schema.tree();
    let target = schema.refs().target(branch, 0);
    let inner = if let Some(crate::schema::refs::Target::Node(inner)) = target { inner } else { branch };
    let title = tree.get_str(branch, "title").or(tree.get_str(inner, "title")).filter(|title| !title.trim().is_empty());
    if let Some(title) = title {
        return Some(cut(title));
    }
    if let Some(label) = discriminator(schema, inner) {
        return Some(label);
    }
    let reference = tree.get_str(branch, "$ref").and_then(|text| text.rsplit(['/', '#']).next());
    let name = reference.filter(|name| !name.is_empty()).map(cut);
    name.or_else(|| tree.get_str(branch, "description").or(tree.get_str(inner, "description")).map(|text| cut(text)))
}

/// The members that can be only one value: `type = "image"`.
fn discriminator(schema: &Schema, node: NodeId) -> Option<String> {
    let tree = schema.tree();
    let members = tree.members(tree.get(node, "properties")?)?;
    let fixed = members.iter().take(50).filter_map(|(name, id)| {
        let single = tree.get(id, "enum").and_then(|id| tree.items(id)).filter(|values| values.len() == 1);
        let value = tree.get(id, "const").or(single.and_then(|values| values.first().copied()))?;
        Some(format!("{name} = {}", tree.json(value)))
    });
    let label = fixed.take(2).collect::<Vec<_>>().join(", ");
    (!label.is_empty()).then(|| cut(&label))
}

fn described(shape: &Shape) -> String {
    if let Kind::Object(object) = &shape.kind
        && !object.members.is_empty()
    {
        let names: Vec<&str> = object.members.iter().take(3).map(|(name, _)| &**name).collect();
        let more = if object.members.len() > 3 { ", …" } else { "" };
        return cut(&format!("{{{}{more}}}", names.join(", ")));
    }
    cut(&shape.caption)
}

fn cut(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(LABEL) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// What the items of an array are, in words.
fn item_caption(schema: &Schema, shape: &Shape, above: usize) -> String {
    match &shape.kind {
        Kind::Array(array) => match &array.rest {
            super::Rest::Key(key) if above < PEEK => Shape::new(schema, key, above + 1).caption.to_string(),
            _ => String::new(),
        },
        Kind::Object(object) => match &object.rest {
            super::Rest::Key(key) if above < PEEK && object.members.is_empty() => {
                Shape::new(schema, key, above + 1).caption.to_string()
            }
            _ => String::new(),
        },
        _ => String::new(),
    }
}
