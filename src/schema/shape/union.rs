//! `anyOf` and `oneOf`: whether they list values, allow `null` beside one shape, offer shapes to choose from, or
//! only say what is required.

use std::sync::Arc;

use super::draft::Draft;
use super::{Part, Types};
use crate::schema::refs::Target;
use crate::schema::tree::{Node, NodeId, Tree};

/// More branches than this are not offered.
const MOST: usize = 1000;
/// How many `$ref` are followed to see what a branch is.
const HOPS: usize = 20;
/// Words that say nothing about what a value looks like.
const WEAK: [&str; 16] = [
    "required",
    "not",
    "title",
    "description",
    "$comment",
    "dependentRequired",
    "minProperties",
    "maxProperties",
    "if",
    "then",
    "else",
    "examples",
    "default",
    "deprecated",
    "$id",
    "$anchor",
];

/// Which word makes a union.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::schema) enum Word {
    AnyOf,
    OneOf,
}

impl Word {
    const fn name(self) -> &'static str {
        match self {
            Self::AnyOf => "anyOf",
            Self::OneOf => "oneOf",
        }
    }
}

/// Shapes to choose from.
pub(super) struct Union {
    pub(super) node: NodeId,
    pub(super) word: Word,
    pub(super) branches: Vec<NodeId>,
}

/// What a branch is.
enum Branch {
    Never,
    Null,
    /// One of these values, with what the branch calls them.
    Values(Option<Arc<str>>, Vec<NodeId>),
    Shape,
    Weak,
}

impl Draft<'_> {
    pub(super) fn unions(&mut self, node: NodeId) {
        for word in [Word::AnyOf, Word::OneOf] {
            let tree = self.schema.tree();
            let branches = tree.get(node, word.name()).and_then(|id| tree.items(id)).unwrap_or_default();
            if !branches.is_empty() && !self.done.contains(&(node, word)) {
                self.union(node, word, branches);
            }
        }
    }

    fn union(&mut self, node: NodeId, word: Word, branches: &[NodeId]) {
        let kinds: Vec<(NodeId, Branch)> = branches.iter().map(|id| (*id, self.branch(*id))).collect();
        let has_null = kinds.iter().any(|(_, kind)| matches!(kind, Branch::Null));
        let live: Vec<_> =
            kinds.into_iter().filter(|(_, kind)| !matches!(kind, Branch::Null | Branch::Never)).collect();
        self.nullable |= has_null;
        match live.as_slice() {
            [] if has_null => {
                self.types = self.types.and(Types::NULL);
                self.typed = true;
            }
            [] => self.never = true,
            [(only, Branch::Shape)] => self.add(*only),
            _ if live.iter().all(|(_, kind)| matches!(kind, Branch::Values(..))) => self.listed(live),
            _ if live.iter().all(|(_, kind)| matches!(kind, Branch::Weak)) => {
                self.also.weak.push((node, word, live.iter().map(|(id, _)| *id).collect()));
            }
            _ => {
                let branches = live.iter().take(MOST).map(|(id, _)| *id).collect();
                self.unions.push(Union { node, word, branches });
            }
        }
    }

    fn listed(&mut self, live: Vec<(NodeId, Branch)>) {
        let mut values = Vec::new();
        for (_, branch) in live {
            if let Branch::Values(title, listed) = branch {
                let title = title.filter(|_| listed.len() == 1);
                values.extend(listed.into_iter().map(|value| (title.clone(), value)));
            }
        }
        self.narrow(values);
    }

    fn branch(&self, node: NodeId) -> Branch {
        let tree = self.schema.tree();
        let mut node = node;
        for _ in 0..HOPS {
            let only_refers = tree
                .members(node)
                .is_some_and(|members| members.iter().all(|(name, _)| &**name == "$ref" || WEAK.contains(&&**name)));
            match self.schema.refs().target(node, 0).filter(|_| only_refers) {
                Some(Target::Node(target)) => node = target,
                _ => break,
            }
        }
        plain_branch(tree, node)
    }
}

fn plain_branch(tree: &Tree, node: NodeId) -> Branch {
    let members = match tree.node(node) {
        Node::Bool(false) => return Branch::Never,
        Node::Object(members) => members,
        _ => return Branch::Shape,
    };
    let is_null = |id: NodeId| matches!(tree.node(id), Node::Null);
    if tree.get_str(node, "type").is_some_and(|name| &**name == "null") {
        return Branch::Null;
    }
    let values = match tree.get(node, "const") {
        Some(value) => Some(vec![value]),
        None => tree.get(node, "enum").and_then(|id| tree.items(id)).map(<[NodeId]>::to_vec),
    };
    if let Some(values) = values.filter(|values| !values.is_empty()) {
        if values.iter().all(|id| is_null(*id)) {
            return Branch::Null;
        }
        return Branch::Values(tree.get_str(node, "title").or(tree.get_str(node, "description")).cloned(), values);
    }
    let weak = members.len() > 0 && members.iter().all(|(name, _)| WEAK.contains(&&**name));
    if weak { Branch::Weak } else { Branch::Shape }
}

/// The key of a branch: what applied before, that it is chosen, and what it says.
pub(super) fn chosen(key: &[Part], union: &Union, branch: NodeId) -> Vec<Part> {
    let mut key = key.to_vec();
    key.push(Part::Done(union.node, union.word));
    key.push(Part::Node(branch));
    key
}
