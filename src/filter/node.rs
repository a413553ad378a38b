//! A filter as a tree: terms joined by and, or, not. Cheap questions are asked first.

use std::fmt;

use super::facts::Facts;
use super::pattern::Pattern;
use super::term::Term;
use crate::model::EntryKind;

/// A part of a filter. It is never deeper than the parser lets parentheses be.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// All of them; two or more, none of which is itself an `All`.
    All(Vec<Node>),
    /// Any of them; two or more, none of which is itself an `Any`.
    Any(Vec<Node>),
    /// The opposite of something that is not itself an opposite.
    Not(Box<Node>),
    Term(Term),
    Text(Pattern),
}

impl Node {
    /// All of `nodes`, of which there is at least one.
    pub(super) fn all(nodes: Vec<Self>) -> Option<Self> {
        Self::join(nodes, Self::All, |node| match node {
            Self::All(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// Any of `nodes`, of which there is at least one.
    pub(super) fn any(nodes: Vec<Self>) -> Option<Self> {
        Self::join(nodes, Self::Any, |node| match node {
            Self::Any(inner) => Ok(inner),
            other => Err(other),
        })
    }

    fn join(nodes: Vec<Self>, make: fn(Vec<Self>) -> Self, open: fn(Self) -> Result<Vec<Self>, Self>) -> Option<Self> {
        let mut flat = Vec::with_capacity(nodes.len());
        for node in nodes {
            match open(node) {
                Ok(inner) => flat.extend(inner),
                Err(node) => flat.push(node),
            }
        }
        flat.sort_by_key(Self::cost);
        if flat.len() < 2 { flat.pop() } else { Some(make(flat)) }
    }

    pub(super) fn opposite(self) -> Self {
        match self {
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// A rank by which questions are ordered; whatever reads bytes comes last.
    fn cost(&self) -> u8 {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().map(Self::cost).max().unwrap_or(0),
            Self::Not(inner) => inner.cost(),
            Self::Term(term) => term.cost(),
            Self::Text(_) => u8::MAX,
        }
    }

    pub(super) fn needs_text(&self) -> bool {
        self.cost() == u8::MAX
    }

    pub(super) fn matches(&self, facts: &Facts<'_>, text: &mut dyn FnMut(&Pattern) -> bool) -> bool {
        match self {
            Self::All(nodes) => nodes.iter().all(|node| node.matches(facts, text)),
            Self::Any(nodes) => nodes.iter().any(|node| node.matches(facts, text)),
            Self::Not(inner) => !inner.matches(facts, text),
            Self::Term(term) => term.matches(facts),
            Self::Text(pattern) => text(pattern),
        }
    }

    /// Gathers the patterns that are asked for in messages and not ruled out.
    pub(super) fn patterns<'a>(&'a self, wanted: bool, found: &mut Vec<&'a Pattern>) {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|node| node.patterns(wanted, found)),
            Self::Not(inner) => inner.patterns(!wanted, found),
            Self::Text(pattern) if wanted && pattern.reads(EntryKind::Frame) => found.push(pattern),
            Self::Term(_) | Self::Text(_) => {}
        }
    }

    /// Gathers all patterns.
    pub(super) fn texts<'a>(&'a self, found: &mut Vec<&'a Pattern>) {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().for_each(|node| node.texts(found)),
            Self::Not(inner) => inner.texts(found),
            Self::Text(pattern) => found.push(pattern),
            Self::Term(_) => {}
        }
    }

    /// Numbers the patterns in the order of [`Node::texts`]; returns the next number.
    pub(super) fn number(&mut self, next: usize) -> usize {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter_mut().fold(next, |next, node| node.number(next)),
            Self::Not(inner) => inner.number(next),
            Self::Term(_) => next,
            Self::Text(pattern) => {
                pattern.set_number(next);
                next + 1
            }
        }
    }

    fn fmt_inside(&self, f: &mut fmt::Formatter<'_>, needs_parentheses: bool) -> fmt::Result {
        if needs_parentheses { write!(f, "({self})") } else { write!(f, "{self}") }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(nodes) => nodes.iter().enumerate().try_for_each(|(index, node)| {
                f.write_str(if index == 0 { "" } else { " " })?;
                node.fmt_inside(f, matches!(node, Self::Any(_)))
            }),
            Self::Any(nodes) => nodes.iter().enumerate().try_for_each(|(index, node)| {
                f.write_str(if index == 0 { "" } else { " or " })?;
                node.fmt(f)
            }),
            Self::Not(inner) => {
                f.write_str("not ")?;
                inner.fmt_inside(f, matches!(**inner, Self::All(_) | Self::Any(_)))
            }
            Self::Term(term) => term.fmt(f),
            Self::Text(pattern) => pattern.fmt(f),
        }
    }
}
