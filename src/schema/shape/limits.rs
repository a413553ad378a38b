//! The bounds that a schema sets for strings, numbers and arrays. Where several say something, the strictest counts.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::schema::number::Decimal;
use crate::schema::tree::{Node, NodeId, Tree};

/// Bounds, numbers as they are written.
#[derive(Debug, Default, Clone)]
pub(in crate::schema) struct Limits {
    /// The least number, and whether it itself is out.
    pub(in crate::schema) least: Option<(String, bool)>,
    /// The greatest number, and whether it itself is out.
    pub(in crate::schema) greatest: Option<(String, bool)>,
    pub(in crate::schema) multiples: Vec<String>,
    pub(in crate::schema) lengths: Range,
    pub(in crate::schema) items: Range,
    pub(in crate::schema) members: Range,
    pub(in crate::schema) unique: bool,
    pub(in crate::schema) patterns: Vec<Arc<str>>,
    pub(in crate::schema) format: Option<Arc<str>>,
    /// Whether the string is meant to be long.
    pub(in crate::schema) long: bool,
}

/// How many there may be.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) struct Range {
    pub(in crate::schema) least: u64,
    pub(in crate::schema) most: Option<u64>,
}

impl Range {
    fn narrow(&mut self, tree: &Tree, node: NodeId, [least, most]: [&str; 2]) {
        if let Some(number) = count(tree, node, least) {
            self.least = self.least.max(number);
        }
        if let Some(number) = count(tree, node, most) {
            self.most = Some(self.most.map_or(number, |most| most.min(number)));
        }
    }
}

fn count(tree: &Tree, node: NodeId, word: &str) -> Option<u64> {
    let text = tree.get_number(node, word)?;
    text.parse().ok().or_else(|| {
        let number: f64 = text.parse().ok()?;
        (number >= 0.0 && number.fract() == 0.0 && number < 1e18).then_some(number as u64)
    })
}

impl Limits {
    /// Takes up what one schema says.
    pub(super) fn narrow(&mut self, tree: &Tree, node: NodeId) {
        self.lengths.narrow(tree, node, ["minLength", "maxLength"]);
        self.items.narrow(tree, node, ["minItems", "maxItems"]);
        self.members.narrow(tree, node, ["minProperties", "maxProperties"]);
        self.numbers(tree, node);
        let is_true = |word| tree.get(node, word).is_some_and(|id| matches!(tree.node(id), Node::Bool(true)));
        self.unique |= is_true("uniqueItems");
        self.patterns.extend(tree.get_str(node, "pattern").cloned());
        self.long |= tree.get(node, "contentMediaType").is_some();
        if self.format.is_none() {
            self.format = tree.get_str(node, "format").cloned();
        }
    }

    fn numbers(&mut self, tree: &Tree, node: NodeId) {
        // In draft-04 the exclusive words are switches for the others.
        let switched = |word| tree.get(node, word).is_some_and(|id| matches!(tree.node(id), Node::Bool(true)));
        let number = |word: &str| tree.get_number(node, word);
        let least = number("minimum").map(|text| (text, switched("exclusiveMinimum")));
        let greatest = number("maximum").map(|text| (text, switched("exclusiveMaximum")));
        for bound in [least, number("exclusiveMinimum").map(|text| (text, true))].into_iter().flatten() {
            stricter(&mut self.least, bound, Ordering::Greater);
        }
        for bound in [greatest, number("exclusiveMaximum").map(|text| (text, true))].into_iter().flatten() {
            stricter(&mut self.greatest, bound, Ordering::Less);
        }
        self.multiples.extend(number("multipleOf").map(str::to_owned));
    }
}

fn stricter(bound: &mut Option<(String, bool)>, (text, out): (&str, bool), wanted: Ordering) {
    let found = match bound {
        None => Some(wanted),
        Some((known, _)) => Decimal::read(text).zip(Decimal::read(known)).map(|(new, known)| new.cmp(&known)),
    };
    if found == Some(wanted) || (found == Some(Ordering::Equal) && out) {
        *bound = Some((text.to_owned(), out));
    }
}
