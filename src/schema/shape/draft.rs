//! A shape in the making: every schema that applies is read into it, once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use super::union::{Union, Word};
use super::{Also, Key, Limits, Part, Rest, Types};
use crate::schema::read::Schema;
use crate::schema::refs::{REFS, Target};
use crate::schema::tree::{Members, Node, NodeId};

/// More schemas than this are not put together for one value.
const MOST: usize = 2000;
/// How many schemas may lead to another one.
const DEEPEST: usize = 150;
/// How much memory one pattern for names may take when it is compiled.
const PATTERN: usize = 1 << 18;
/// How many patterns for names are looked at.
const PATTERNS: usize = 50;

/// Everything that the schemas of a key say.
pub(super) struct Draft<'a> {
    pub(super) schema: &'a Schema,
    pub(super) done: Vec<(NodeId, Word)>,
    seen: HashSet<NodeId>,
    pub(super) types: Types,
    /// Whether a schema names types at all.
    pub(super) typed: bool,
    /// Which types the other words of the schemas are about.
    pub(super) hinted: Types,
    pub(super) nullable: bool,
    /// Nothing fits.
    pub(super) never: bool,
    /// What it is one of: labels and nodes.
    pub(super) choices: Option<Vec<(Option<Arc<str>>, NodeId)>>,
    pub(super) unions: Vec<Union>,
    pub(super) members: Vec<(Arc<str>, Key)>,
    pub(super) index: HashMap<Arc<str>, usize>,
    pub(super) required: HashSet<Arc<str>>,
    pub(super) patterns: Vec<(Regex, NodeId)>,
    pub(super) other_members: Rest,
    pub(super) prefix: Vec<Key>,
    pub(super) other_items: Rest,
    pub(super) limits: Limits,
    pub(super) also: Also,
    pub(super) title: Option<Arc<str>>,
    pub(super) description: Option<Arc<str>>,
    pub(super) default: Option<NodeId>,
    /// The last step of the first `$ref`.
    pub(super) reference: Option<String>,
    /// Schemas of `then`, `else` and dependents, whose members are shown after all others.
    later: Vec<NodeId>,
    /// How many schemas led to the one that is read.
    depth: usize,
}

impl<'a> Draft<'a> {
    pub(super) fn new(schema: &'a Schema, key: &Key) -> Self {
        let mut draft = Self {
            schema,
            done: key
                .iter()
                .filter_map(|part| if let Part::Done(n, w) = part { Some((*n, *w)) } else { None })
                .collect(),
            seen: HashSet::new(),
            types: Types::ALL,
            typed: false,
            hinted: Types(0),
            nullable: false,
            never: false,
            choices: None,
            unions: Vec::new(),
            members: Vec::new(),
            index: HashMap::new(),
            required: HashSet::new(),
            patterns: Vec::new(),
            other_members: Rest::Open,
            prefix: Vec::new(),
            other_items: Rest::Open,
            limits: Limits::default(),
            also: Also::default(),
            title: None,
            description: None,
            default: None,
            reference: None,
            later: Vec::new(),
            depth: 0,
        };
        // What was chosen last says best what it is.
        for part in key.iter().rev() {
            if let Part::Node(node) = part {
                draft.annotate(*node);
            }
        }
        key.iter().for_each(|part| draft.part(*part));
        draft.soften();
        draft
    }

    fn part(&mut self, part: Part) {
        match part {
            Part::Node(node) => self.add(node),
            Part::Done(..) => {}
            Part::Only(types) => {
                self.types = self.types.and(types);
                self.typed = true;
            }
        }
    }

    /// Reads one schema, and those that apply with it.
    pub(super) fn add(&mut self, node: NodeId) {
        if self.depth >= DEEPEST || self.seen.len() >= MOST || !self.seen.insert(node) {
            return;
        }
        self.depth += 1;
        self.read(node);
        self.depth -= 1;
    }

    fn read(&mut self, node: NodeId) {
        let tree = self.schema.tree();
        match tree.node(node) {
            Node::Bool(false) => self.never = true,
            Node::Object(_) => {}
            _ => return,
        }
        self.annotate(node);
        self.types(node);
        self.values(node);
        self.limits.narrow(tree, node);
        self.object(node);
        self.array(node);
        self.conditions(node);
        self.references(node);
        for branch in tree.get(node, "allOf").and_then(|id| tree.items(id)).unwrap_or_default() {
            self.add(*branch);
        }
        self.unions(node);
    }

    fn annotate(&mut self, node: NodeId) {
        let tree = self.schema.tree();
        let text = |word| tree.get_str(node, word).filter(|text| !text.is_empty()).cloned();
        self.title = self.title.take().or_else(|| text("title"));
        self.description = self.description.take().or_else(|| text("description"));
        self.default = self.default.or_else(|| tree.get(node, "default"));
    }

    fn references(&mut self, node: NodeId) {
        for (word, name) in REFS.into_iter().enumerate() {
            let Some(Target::Node(target)) = self.schema.refs().target(node, word) else { continue };
            if self.reference.is_none() {
                let text = self.schema.tree().get_str(node, name);
                self.reference = text.and_then(|text| text.rsplit(['/', '#']).next()).map(str::to_owned);
            }
            self.add(target);
        }
    }

    fn types(&mut self, node: NodeId) {
        let tree = self.schema.tree();
        let named = |id| tree.str(id).and_then(|name| Types::named(name));
        let types = tree.get(node, "type").and_then(|id| match tree.node(id) {
            Node::Array(items) => items.iter().filter_map(|item| named(*item)).reduce(Types::or),
            _ => named(id),
        });
        if let Some(types) = types {
            self.types = self.types.and(types);
            self.typed = true;
        }
        let is_true = |word| tree.get(node, word).is_some_and(|id| matches!(tree.node(id), Node::Bool(true)));
        self.nullable |= is_true("nullable");
        let about = |words: &[&str]| words.iter().any(|word| tree.get(node, word).is_some());
        for (words, types) in HINTS {
            if about(words) {
                self.hinted = self.hinted.or(*types);
            }
        }
    }

    fn values(&mut self, node: NodeId) {
        let tree = self.schema.tree();
        if let Some(value) = tree.get(node, "const") {
            self.narrow(vec![(None, value)]);
        }
        if let Some(values) = tree.get(node, "enum").and_then(|id| tree.items(id)).filter(|values| !values.is_empty()) {
            let names = tree.get(node, "enumNames").and_then(|id| tree.items(id)).unwrap_or_default();
            let label = |index: usize| names.get(index).and_then(|id| tree.str(*id)).cloned();
            self.narrow(values.iter().enumerate().map(|(index, value)| (label(index), *value)).collect());
        }
    }

    /// It is one of these, and of what it was one of before.
    pub(super) fn narrow(&mut self, values: Vec<(Option<Arc<str>>, NodeId)>) {
        let Some(known) = self.choices.take() else {
            self.choices = Some(values);
            return;
        };
        let schema = self.schema;
        let texts: HashSet<String> = known.iter().map(|(_, id)| schema.canonical(*id)).collect();
        self.choices = Some(values.into_iter().filter(|(_, id)| texts.contains(&schema.canonical(*id))).collect());
    }

    fn object(&mut self, node: NodeId) {
        let tree = self.schema.tree();
        for (name, schema) in
            tree.get(node, "properties").and_then(|id| tree.members(id)).into_iter().flat_map(Members::iter)
        {
            self.member(name, schema);
        }
        for name in tree.get(node, "required").and_then(|id| tree.items(id)).unwrap_or_default() {
            self.required.extend(tree.str(*name).cloned());
        }
        for (pattern, schema) in
            tree.get(node, "patternProperties").and_then(|id| tree.members(id)).into_iter().flat_map(Members::iter)
        {
            let compiled =
                (self.patterns.len() < PATTERNS).then(|| RegexBuilder::new(pattern).size_limit(PATTERN).build());
            self.patterns.extend(compiled.and_then(Result::ok).map(|pattern| (pattern, schema)));
        }
        for word in ["additionalProperties", "unevaluatedProperties"] {
            if let Some(rest) = tree.get(node, word) {
                restrict(&mut self.other_members, rest, matches!(tree.node(rest), Node::Bool(false)));
            }
        }
    }

    fn member(&mut self, name: &Arc<str>, schema: NodeId) {
        let part = Part::Node(schema);
        match self.index.get(name) {
            Some(&at) if self.members[at].1.contains(&part) => {}
            Some(&at) => self.members[at].1.push(part),
            None => {
                self.index.insert(Arc::clone(name), self.members.len());
                self.members.push((Arc::clone(name), vec![part]));
            }
        }
    }

    fn array(&mut self, node: NodeId) {
        let tree = self.schema.tree();
        let list = |word| tree.get(node, word).and_then(|id| tree.items(id));
        let (tuple, rest) = match (list("prefixItems"), list("items")) {
            (Some(items), _) => (items, "items"),
            (None, Some(items)) => (items, "additionalItems"),
            (None, None) => (&[][..], "items"),
        };
        for (at, item) in tuple.iter().enumerate() {
            match self.prefix.get_mut(at) {
                Some(key) => key.push(Part::Node(*item)),
                None => self.prefix.push(vec![Part::Node(*item)]),
            }
        }
        for word in [rest, "unevaluatedItems"] {
            if let Some(rest) = tree.get(node, word) {
                restrict(&mut self.other_items, rest, matches!(tree.node(rest), Node::Bool(false)));
            }
        }
        self.also.contains = self.also.contains.or_else(|| tree.get(node, "contains"));
    }

    /// What applies only sometimes: the form shows its members, the validator knows when.
    fn conditions(&mut self, node: NodeId) {
        let tree = self.schema.tree();
        let condition = ["if", "then", "else"].map(|word| tree.get(node, word));
        if condition[0].is_some() {
            self.also.conditions.push(condition);
            self.later.extend(condition[1..].iter().flatten());
        }
        for word in ["dependentRequired", "dependentSchemas", "dependencies"] {
            for (name, what) in tree.get(node, word).and_then(|id| tree.members(id)).into_iter().flat_map(Members::iter)
            {
                match tree.items(what) {
                    Some(names) => {
                        let names = names.iter().filter_map(|id| tree.str(*id)).cloned().collect();
                        self.also.dependents.push((Arc::clone(name), names));
                    }
                    None => self.later.push(what),
                }
            }
        }
    }

    /// Adds the members that are there only sometimes, where nothing else knows them.
    fn soften(&mut self) {
        let tree = self.schema.tree();
        for node in std::mem::take(&mut self.later) {
            let members = tree.get(node, "properties").and_then(|id| tree.members(id));
            for (name, schema) in members.into_iter().flat_map(Members::iter) {
                if !self.index.contains_key(name) {
                    self.member(name, schema);
                }
            }
        }
    }
}

/// The type that words are about, where none is named.
pub(super) fn hinted(types: Types) -> Option<Types> {
    HINTS.iter().map(|(_, hint)| hint.and(types)).find(|hint| !hint.is_empty())
}

/// Words and the types that they are about, most telling first.
const HINTS: &[(&[&str], Types)] = &[
    (&["properties", "required", "additionalProperties", "patternProperties", "minProperties"], Types::OBJECT),
    (&["items", "prefixItems", "contains", "minItems", "uniqueItems"], Types::ARRAY),
    (&["pattern", "minLength", "maxLength", "format"], Types::STRING),
    (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], Types::NUMBER),
];

fn restrict(rest: &mut Rest, by: NodeId, closed: bool) {
    match rest {
        Rest::Closed => {}
        _ if closed => *rest = Rest::Closed,
        Rest::Open => *rest = Rest::Key(vec![Part::Node(by)]),
        Rest::Key(key) if !key.contains(&Part::Node(by)) => key.push(Part::Node(by)),
        Rest::Key(_) => {}
    }
}
