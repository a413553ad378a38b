//! How much work a schema may be for one value: each branch and each reference that applies to the same value counts.
//! References let a few lines ask for more steps than there is time for.

use std::collections::HashMap;

use super::refs::{REFS, Refs, Target};
use super::tree::{Members, NodeId, Tree};

/// What is beyond this is not checked.
const MOST: u64 = 100_000;
/// How many schemas may apply to one value by way of another.
const DEEPEST: usize = 300;

/// Whether a value can be checked against the schema in bearable time.
pub(super) fn is_bearable(tree: &Tree, refs: &Refs) -> bool {
    let mut cost = Cost { tree, refs, known: HashMap::new() };
    (0..=tree.root()).all(|node| tree.members(node).is_none() || cost.of(node, 0) <= MOST)
}

struct Cost<'a> {
    tree: &'a Tree,
    refs: &'a Refs,
    known: HashMap<NodeId, u64>,
}

impl Cost<'_> {
    fn of(&mut self, node: NodeId, depth: usize) -> u64 {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        if depth > DEEPEST {
            return MOST + 1;
        }
        // A circle is gone round once.
        self.known.insert(node, 1);
        let sum = self.beside(node).into_iter().fold(1_u64, |sum, other| sum.saturating_add(self.of(other, depth + 1)));
        self.known.insert(node, sum);
        sum
    }

    /// The schemas that apply to the same value.
    fn beside(&self, node: NodeId) -> Vec<NodeId> {
        let tree = self.tree;
        let targets = (0..REFS.len()).filter_map(|word| match self.refs.target(node, word) {
            Some(Target::Node(target)) => Some(target),
            _ => None,
        });
        let mut found: Vec<NodeId> = targets.collect();
        for word in ["allOf", "anyOf", "oneOf"] {
            found.extend(tree.get(node, word).and_then(|id| tree.items(id)).unwrap_or_default());
        }
        found.extend(["not", "if", "then", "else"].into_iter().filter_map(|word| tree.get(node, word)));
        for word in ["dependentSchemas", "dependencies"] {
            let members = tree.get(node, word).and_then(|id| tree.members(id));
            found.extend(members.into_iter().flat_map(Members::iter).map(|(_, schema)| schema));
        }
        found
    }
}
