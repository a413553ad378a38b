//! Where a `$ref` leads: `$id` and the anchors of a schema, each with the base that it is relative to. Nothing is
//! fetched: what is not in the schema is external.

use std::collections::HashMap;
use std::sync::Arc;

use url::Url;

use super::tree::{Members, Node, NodeId, Tree};

/// The base of a schema without `$id`. It stands in no schema.
const NOWHERE: &str = "midwire-schema:///";
/// The words that refer to another schema.
pub(super) const REFS: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// What lies below these is data, not schema.
const DATA: [&str; 4] = ["const", "default", "enum", "examples"];
/// Below these stand schemas under names that are no keywords.
const MAPS: [&str; 6] = ["$defs", "definitions", "dependentSchemas", "dependencies", "patternProperties", "properties"];
/// More `$id`, anchors and `$ref` than this are not taken up.
const MOST: usize = 100_000;

/// Where each reference of a schema leads.
#[derive(Debug, Default)]
pub(super) struct Refs {
    /// By the node that holds the `$ref`, for each of [`REFS`].
    targets: HashMap<(NodeId, usize), Target>,
    /// In the order of the text: where, and what does not lead anywhere.
    pub(super) lost: Vec<Lost>,
}

/// Where a reference leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Node(NodeId),
    /// To nothing in this schema.
    Lost,
}

/// A reference that leads to nothing in the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost {
    /// The pointer of the schema that holds it.
    pub(super) pointer: String,
    /// What it says.
    pub(super) reference: Arc<str>,
    /// Whether it names another document, which would have to be fetched.
    pub(super) external: bool,
}

impl Refs {
    pub(super) fn of(tree: &Tree) -> Self {
        let mut survey = Survey { tree, documents: HashMap::new(), anchors: HashMap::new(), found: Vec::new() };
        if let Ok(base) = Url::parse(NOWHERE) {
            let base = Arc::new(base);
            survey.documents.insert(base.to_string(), tree.root());
            survey.walk(tree.root(), &base, &mut String::new());
        }
        let mut refs = Self::default();
        for found in &survey.found {
            let target = survey.target(found);
            refs.targets.insert((found.node, found.word), target.map_or(Target::Lost, Target::Node));
            if target.is_none() {
                let external = survey.is_external(found);
                let reference = Arc::clone(&found.reference);
                refs.lost.push(Lost { pointer: found.pointer.clone(), reference, external });
            }
        }
        refs
    }

    /// Where the reference of a node leads, by its place in [`REFS`].
    pub(super) fn target(&self, node: NodeId, word: usize) -> Option<Target> {
        self.targets.get(&(node, word)).copied()
    }
}

/// A reference, as it stands in the schema.
struct Found {
    node: NodeId,
    word: usize,
    base: Arc<Url>,
    reference: Arc<str>,
    pointer: String,
}

struct Survey<'a> {
    tree: &'a Tree,
    /// By absolute address without fragment.
    documents: HashMap<String, NodeId>,
    /// By address and name.
    anchors: HashMap<(String, String), NodeId>,
    found: Vec<Found>,
}

impl Survey<'_> {
    fn walk(&mut self, id: NodeId, base: &Arc<Url>, pointer: &mut String) {
        if self.found.len() + self.documents.len() + self.anchors.len() > MOST {
            return;
        }
        let tree = self.tree;
        match tree.node(id) {
            Node::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.step(*item, base, pointer, &index.to_string());
                }
            }
            Node::Object(members) => {
                let base = &self.base_of(id, base);
                self.note(id, base, pointer);
                for (name, value) in members.iter().filter(|(name, _)| !DATA.contains(&&***name)) {
                    match tree.members(value).filter(|_| MAPS.contains(&&**name)) {
                        Some(map) => self.map(map, base, pointer, name),
                        None => self.step(value, base, pointer, name),
                    }
                }
            }
            _ => {}
        }
    }

    fn map(&mut self, map: &Members, base: &Arc<Url>, pointer: &mut String, name: &str) {
        let length = pointer.len();
        push_step(pointer, name);
        for (name, schema) in map.iter() {
            self.step(schema, base, pointer, name);
        }
        pointer.truncate(length);
    }

    fn step(&mut self, id: NodeId, base: &Arc<Url>, pointer: &mut String, name: &str) {
        if !matches!(self.tree.node(id), Node::Array(_) | Node::Object(_)) {
            return;
        }
        let length = pointer.len();
        push_step(pointer, name);
        self.walk(id, base, pointer);
        pointer.truncate(length);
    }

    /// The base inside a schema, which its `$id` may change.
    fn base_of(&mut self, id: NodeId, outer: &Arc<Url>) -> Arc<Url> {
        let own = self.tree.get_str(id, "$id").or_else(|| self.tree.get_str(id, "id"));
        let Some(own) = own.filter(|own| !own.starts_with('#')) else { return Arc::clone(outer) };
        let Ok(mut base) = outer.join(own) else { return Arc::clone(outer) };
        base.set_fragment(None);
        self.documents.insert(base.to_string(), id);
        Arc::new(base)
    }

    fn note(&mut self, id: NodeId, base: &Arc<Url>, pointer: &str) {
        let tree = self.tree;
        for word in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = tree.get_str(id, word) {
                self.anchors.insert((base.to_string(), name.to_string()), id);
            }
        }
        // Until draft-07 an anchor was an identifier of only a fragment.
        for word in ["$id", "id"] {
            if let Some(name) = tree.get_str(id, word).and_then(|own| own.strip_prefix('#')) {
                self.anchors.insert((base.to_string(), name.to_owned()), id);
            }
        }
        for (word, name) in REFS.into_iter().enumerate() {
            if let Some(reference) = tree.get_str(id, name) {
                let (base, reference) = (Arc::clone(base), Arc::clone(reference));
                self.found.push(Found { node: id, word, base, reference, pointer: pointer.to_owned() });
            }
        }
    }

    fn target(&self, found: &Found) -> Option<NodeId> {
        let full = found.base.join(&found.reference).ok()?;
        let fragment = unescape(full.fragment().unwrap_or_default());
        let document = without_fragment(&full);
        let root = self.document(&document)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return self.tree.pointer(root, &fragment);
        }
        self.anchors.get(&(document, fragment)).copied()
    }

    fn document(&self, address: &str) -> Option<NodeId> {
        self.documents.get(address).copied()
    }

    fn is_external(&self, found: &Found) -> bool {
        !found.reference.starts_with('#')
            && found.base.join(&found.reference).map_or(true, |full| self.document(&without_fragment(&full)).is_none())
    }
}

fn without_fragment(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.into()
}

/// Appends a step to a JSON pointer.
pub(super) fn push_step(pointer: &mut String, name: &str) {
    pointer.push('/');
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Undoes percent-escapes; what is no escape stays.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| first == b'%');
        let value = escape.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(first));
        rest = if value.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
