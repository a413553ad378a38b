//! Whether an instance fits its schema, in plain words. With its two files the only place that names jsonschema.
//! Nothing is fetched, patterns may not search for ever, and what cannot be told exactly is said to be unchecked.

mod exact;
mod words;

use jsonschema::{Draft, PatternOptions};
use serde_json::Value;

use super::cost::is_bearable;
use super::dialect::Dialect;
use super::refs::Refs;
use super::tree::Tree;
use crate::wire::Json;
use exact::{Inexact, to_value};

/// Problems beyond these are counted, not told.
const TOLD: usize = 100;
/// What is larger is not checked, in bytes.
const LARGEST: usize = 64 << 20;
/// How many steps a pattern may go back.
const BACKTRACKS: usize = 100_000;
/// How much memory a pattern may take, in bytes.
const PATTERN: usize = 4 << 20;

/// What a schema has against an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where in the instance, as a JSON pointer.
    pub pointer: String,
    /// What is wrong there, in a sentence without the place.
    pub message: String,
    /// The member that is missing there, if that is the problem.
    pub missing: Option<String>,
}

impl Problem {
    fn at_root(message: impl Into<String>) -> Self {
        Self { pointer: String::new(), message: message.into(), missing: None }
    }
}

/// A schema made ready for checking. It may be kept and used from any thread.
#[derive(Debug)]
pub struct Validator {
    dialect: Dialect,
    checker: jsonschema::Validator,
}

impl Validator {
    /// Makes a schema ready, by the dialect that its `$schema` names; 2020-12 where it names none (TL-006).
    ///
    /// # Errors
    ///
    /// Why nothing can be checked against it: it is no valid schema, refers to what is not in it (TL-010), or is of
    /// a dialect that is not known (TL-009).
    pub fn new(schema: &[u8]) -> Result<Self, String> {
        let json = Json::of_frame(schema)
            .map_err(|fault| format!("the schema is not JSON: byte {}: {}", fault.at, fault.what))?;
        let tree = Tree::of(json);
        if tree.cut {
            return Err("the schema is nested too deep or too large; nothing is checked".to_owned());
        }
        let dialect = Dialect::of(&tree)?;
        let refs = Refs::of(&tree);
        if let Some(lost) = refs.lost.first() {
            let why = if lost.external { "leads out of the schema and is not fetched" } else { "leads to nothing" };
            let place = if lost.pointer.is_empty() { "the root" } else { &lost.pointer };
            return Err(format!("the $ref {} at {place} {why}; nothing is checked", lost.reference));
        }
        if !is_bearable(&tree, &refs) {
            return Err("the schema has more branches than can be tried; nothing is checked".to_owned());
        }
        let mut value = to_value(json, &mut Inexact::default()).ok_or("the schema is nested too deep")?;
        if let Value::Object(members) = &mut value {
            members.shift_remove("$schema");
        }
        let checker = build(dialect, &value)?;
        Ok(Self { dialect, checker })
    }

    /// The dialect it is checked by: `2020-12`, `2019-09`, `draft-07`, `draft-06` or `draft-04`.
    pub fn dialect(&self) -> &str {
        self.dialect.name()
    }

    /// What the schema has against an instance; nothing when it fits. At most a hundred are told.
    pub fn problems(&self, json: &[u8]) -> Vec<Problem> {
        let json = match Json::of_frame(json) {
            Ok(json) => json,
            Err(fault) => return vec![Problem::at_root(format!("not JSON: byte {}: {}", fault.at, fault.what))],
        };
        if json.raw().len() > LARGEST {
            return vec![Problem::at_root("larger than 64 MiB; not checked")];
        }
        let mut inexact = Inexact::default();
        let Some(value) = to_value(json, &mut inexact) else {
            return vec![Problem::at_root("nested too deep; not checked")];
        };
        let mut errors = self.checker.iter_errors(&value);
        let mut problems: Vec<Problem> =
            errors.by_ref().filter_map(|error| words::problem(&error, &inexact)).take(TOLD).collect();
        let more = errors.count();
        if more > 0 {
            problems.push(Problem::at_root(format!("and {more} more problems")));
        }
        problems
    }
}

fn build(dialect: Dialect, schema: &Value) -> Result<jsonschema::Validator, String> {
    let draft = match dialect {
        Dialect::Draft04 => Draft::Draft4,
        Dialect::Draft06 => Draft::Draft6,
        Dialect::Draft07 => Draft::Draft7,
        Dialect::Draft201909 => Draft::Draft201909,
        Dialect::Draft202012 => Draft::Draft202012,
    };
    let patterns = PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS).size_limit(PATTERN);
    jsonschema::options()
        .with_draft(draft)
        .should_validate_formats(true)
        .with_pattern_options(patterns)
        .build(schema)
        .map_err(|error| {
            let place = error.instance_path().to_string();
            let place = if place.is_empty() { "the root".to_owned() } else { place };
            let what = words::message(&error);
            format!("this is no valid schema of {}: at {place}: {what}; nothing is checked", dialect.name())
        })
}

#[cfg(test)]
mod tests;
