//! A schema as it was sent, read once: its nodes, where its references lead, and what is wrong with it.

use std::sync::OnceLock;

use super::dialect::Dialect;
use super::refs::Refs;
use super::tree::{Node, NodeId, Tree};
use super::{Validator, Verdict, canon, verdict};
use crate::wire::Json;

/// How many lost references are told one by one.
const TOLD: usize = 10;

/// A JSON Schema, whatever it is: an object, `true`, `false`, or no schema at all.
#[derive(Debug, Default)]
pub struct Schema {
    text: Vec<u8>,
    tree: Tree,
    refs: Refs,
    faults: Vec<String>,
    validator: OnceLock<Result<Validator, String>>,
    all_faults: OnceLock<Vec<String>>,
}

impl Schema {
    /// Reads a schema. What is wrong with it is in [`Schema::faults`]; a form is there all the same.
    pub fn read(text: &[u8]) -> Self {
        let mut schema = Self { text: text.to_vec(), ..Self::default() };
        match Json::of_frame(text) {
            Ok(json) => {
                schema.tree = Tree::of(json);
                schema.refs = Refs::of(&schema.tree);
                schema.look();
            }
            Err(fault) => schema.faults.push(format!("the schema is not JSON: byte {}: {}", fault.at, fault.what)),
        }
        schema
    }

    fn look(&mut self) {
        let what = match self.tree.node(self.tree.root()) {
            Node::Object(_) | Node::Bool(_) => None,
            Node::Null => Some("null"),
            Node::Number(_) => Some("a number"),
            Node::Text(_) => Some("a string"),
            Node::Array(_) => Some("an array"),
            Node::Beyond => Some("nothing"),
        };
        self.faults.extend(what.map(|what| format!("the schema is {what}, where an object belongs")));
        if self.tree.cut {
            self.faults
                .push("the schema is nested too deep or too large; the rest of it is taken for anything".to_owned());
        }
        if let Err(fault) = Dialect::of(&self.tree) {
            self.faults.push(fault);
        }
        for lost in self.refs.lost.iter().take(TOLD) {
            let (place, reference) =
                (if lost.pointer.is_empty() { "the root" } else { &lost.pointer }, &lost.reference);
            self.faults.push(if lost.external {
                format!("the $ref {reference} at {place} leads out of the schema; it is not fetched (TL-010)")
            } else {
                format!("the $ref {reference} at {place} leads to nothing in the schema")
            });
        }
        if self.refs.lost.len() > TOLD {
            self.faults.push(format!("{} more $ref lead to nothing", self.refs.lost.len() - TOLD));
        }
    }

    /// Its text as it was sent.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What is wrong with it, in sentences. Whether it is valid in its dialect is found out when this is called for
    /// the first time.
    pub fn faults(&self) -> &[String] {
        self.all_faults.get_or_init(|| {
            let mut faults = self.faults.clone();
            if let (true, Err(fault)) = (faults.is_empty(), self.validator()) {
                faults.push(fault.clone());
            }
            faults
        })
    }

    /// What checks instances against it, made ready when it is asked for the first time.
    ///
    /// # Errors
    ///
    /// Why nothing can be checked, as [`Validator::new`] says it.
    pub fn validator(&self) -> Result<&Validator, &String> {
        self.validator.get_or_init(|| Validator::new(&self.text)).as_ref()
    }

    /// Which hosts and SDKs refuse it as a tool's `inputSchema`, or may, and why.
    pub fn verdicts(&self) -> Vec<Verdict> {
        verdict::of(self)
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(super) fn refs(&self) -> &Refs {
        &self.refs
    }

    /// The one spelling of a value in the schema.
    pub(super) fn canonical(&self, node: NodeId) -> String {
        let text = self.tree.json(node);
        Json::parse(text.as_bytes()).map(canon::canonical).unwrap_or(text)
    }
}
