//! A JSON text as nodes in one list: read once, looked up often, numbers as sent. What is nested too deep or is too
//! much is a node of its own, so that walking a tree is always bounded.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::wire::{Json, JsonKind, quote};

/// How deep containers may be nested. Nobody writes such a schema by hand, and everything that walks is safe.
pub(super) const DEEPEST: usize = 100;
/// How many values a schema may have.
const MOST: usize = 2_000_000;
/// Objects with more members than this are looked up by an index.
const FEW: usize = 16;

/// Number of a node.
pub(super) type NodeId = u32;

/// A value.
#[derive(Debug)]
pub(super) enum Node {
    Null,
    Bool(bool),
    /// As sent.
    Number(Box<str>),
    Text(Arc<str>),
    Array(Vec<NodeId>),
    Object(Members),
    /// Something nested too deep, or beyond the limit of values.
    Beyond,
}

/// The members of an object in their order, duplicates included.
#[derive(Debug, Default)]
pub(super) struct Members {
    list: Vec<(Arc<str>, NodeId)>,
    index: Option<HashMap<Arc<str>, NodeId>>,
}

impl Members {
    fn new(list: Vec<(Arc<str>, NodeId)>) -> Self {
        let index = (list.len() > FEW).then(|| list.iter().cloned().collect());
        Self { list, index }
    }

    /// The member of this name; of duplicates the last.
    pub(super) fn get(&self, name: &str) -> Option<NodeId> {
        match &self.index {
            Some(index) => index.get(name).copied(),
            None => self.list.iter().rev().find(|(key, _)| &**key == name).map(|(_, node)| *node),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Arc<str>, NodeId)> {
        self.list.iter().map(|(name, node)| (name, *node))
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

/// All nodes of a text; the root is the last.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Whether something is [`Node::Beyond`].
    pub(super) cut: bool,
}

impl Tree {
    pub(super) fn of(json: Json<'_>) -> Self {
        let mut tree = Self::default();
        let root = tree.read(json, 0);
        debug_assert_eq!(root, tree.root());
        tree
    }

    fn read(&mut self, json: Json<'_>, depth: usize) -> NodeId {
        let node = match json.kind() {
            _ if self.nodes.len() >= MOST => self.beyond(),
            JsonKind::Null => Node::Null,
            JsonKind::Bool => Node::Bool(json.as_bool() == Some(true)),
            JsonKind::Number => Node::Number(json.number().unwrap_or_default().into()),
            JsonKind::String => Node::Text(json.text().unwrap_or_default().into()),
            _ if depth >= DEEPEST => self.beyond(),
            JsonKind::Array => Node::Array(json.items().map(|item| self.read(item, depth + 1)).collect()),
            JsonKind::Object => {
                let member = |(name, value): (Json<'_>, Json<'_>)| {
                    (name.text().unwrap_or_default().into(), self.read(value, depth + 1))
                };
                Node::Object(Members::new(json.members().map(member).collect()))
            }
        };
        self.nodes.push(node);
        self.nodes.len() as NodeId - 1
    }

    fn beyond(&mut self) -> Node {
        self.cut = true;
        Node::Beyond
    }

    pub(super) fn root(&self) -> NodeId {
        (self.nodes.len() as NodeId).saturating_sub(1)
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id as usize).unwrap_or(&Node::Beyond)
    }

    /// The member of this name, of an object.
    pub(super) fn get(&self, id: NodeId, name: &str) -> Option<NodeId> {
        self.members(id)?.get(name)
    }

    pub(super) fn members(&self, id: NodeId) -> Option<&Members> {
        if let Node::Object(members) = self.node(id) { Some(members) } else { None }
    }

    pub(super) fn items(&self, id: NodeId) -> Option<&[NodeId]> {
        if let Node::Array(items) = self.node(id) { Some(items) } else { None }
    }

    pub(super) fn str(&self, id: NodeId) -> Option<&Arc<str>> {
        if let Node::Text(text) = self.node(id) { Some(text) } else { None }
    }

    /// The text of the member of this name, where it is a string.
    pub(super) fn get_str(&self, id: NodeId, name: &str) -> Option<&Arc<str>> {
        self.str(self.get(id, name)?)
    }

    /// The number of the member of this name, as sent.
    pub(super) fn get_number(&self, id: NodeId, name: &str) -> Option<&str> {
        if let Node::Number(text) = self.node(self.get(id, name)?) { Some(text) } else { None }
    }

    /// The node at a JSON pointer below a node.
    pub(super) fn pointer(&self, from: NodeId, pointer: &str) -> Option<NodeId> {
        if pointer.is_empty() {
            return Some(from);
        }
        let mut at = from;
        for step in pointer.strip_prefix('/')?.split('/') {
            let name = step.replace("~1", "/").replace("~0", "~");
            at = match self.node(at) {
                Node::Object(members) => members.get(&name)?,
                Node::Array(items) => *items.get(name.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(at)
    }

    /// A node as JSON text on one line, numbers as sent.
    pub(super) fn json(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.write(id, &mut out);
        out
    }

    fn write(&self, id: NodeId, out: &mut String) {
        match self.node(id) {
            Node::Null | Node::Beyond => out.push_str("null"),
            Node::Bool(value) => {
                let _ = write!(out, "{value}");
            }
            Node::Number(text) => out.push_str(text),
            Node::Text(text) => out.push_str(&quote(text)),
            Node::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    self.write(*item, out);
                }
                out.push(']');
            }
            Node::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(&quote(name));
                    out.push(':');
                    self.write(value, out);
                }
                out.push('}');
            }
        }
    }
}
