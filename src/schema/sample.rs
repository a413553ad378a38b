//! Instances made up for a schema: what is required and no more, each value as plain as its bounds allow. What was
//! made up is checked; where it does not fit, another way is tried.

mod number;
mod pattern;
mod string;

use std::collections::HashSet;
use std::sync::Arc;

use super::Schema;
use super::shape::{ArrayShape, Kind, ObjectShape, Part, Rest, Shape, Shapes, Types};
use crate::wire::quote;

/// How deep instances are.
const DEEPEST: usize = 24;
/// How many values one way may take.
const VALUES: usize = 20_000;
/// How many items or members are made up for one value.
const MANY: u64 = 2000;
/// How many branches are tried at each union.
const TURNS: usize = 8;

/// What is made up where a condition stands in the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Ignored,
    Met,
    Unmet,
}

/// One way to make up an instance.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// Whether optional members are there as well.
    full: bool,
    condition: Condition,
    /// Which branch is taken first, and which value of a list.
    turn: usize,
}

/// A small instance that fits the schema, the same each time; nothing where none was found, or where nothing can be
/// checked against the schema.
pub fn sample(schema: &Schema) -> Option<String> {
    let validator = schema.validator().ok()?;
    let root = vec![Part::Node(schema.tree().root())];
    let mut tried = HashSet::new();
    let first = Way { full: false, condition: Condition::Ignored, turn: 0 };
    let mut maker = Maker { schema, shapes: Shapes::default(), way: first, left: 0 };
    for way in ways() {
        (maker.way, maker.left) = (way, VALUES);
        let Some(text) = maker.value(&root, 0, 0) else { continue };
        if tried.insert(text.clone()) && validator.problems(text.as_bytes()).is_empty() {
            return Some(text);
        }
    }
    None
}

fn ways() -> impl Iterator<Item = Way> {
    let conditions = [Condition::Ignored, Condition::Met, Condition::Unmet];
    [false, true].into_iter().flat_map(move |full| {
        conditions.into_iter().flat_map(move |condition| (0..TURNS).map(move |turn| Way { full, condition, turn }))
    })
}

struct Maker<'a> {
    schema: &'a Schema,
    shapes: Shapes,
    way: Way,
    left: usize,
}

impl Maker<'_> {
    /// A value for everything that applies; `salt` tells values apart that must not be the same.
    fn value(&mut self, key: &[Part], depth: usize, salt: usize) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        let mut key = key.to_vec();
        let mut shape = self.shapes.of(self.schema, &key);
        // Each round decides at least one union or condition, of which there are finitely many.
        for _ in 0..TURNS * 4 {
            let Some(more) = self.decided(&key, &shape) else { break };
            key = more;
            shape = self.shapes.of(self.schema, &key);
        }
        if depth > DEEPEST {
            return shape.nullable.then(|| "null".to_owned());
        }
        let made = match &shape.kind {
            Kind::Any => self.any(&shape, salt),
            Kind::Text => string::make(&shape.limits, salt),
            Kind::Number => number::make(&shape, salt),
            Kind::Bool => Some(if (self.way.turn + salt) % 2 == 1 { "true" } else { "false" }.to_owned()),
            Kind::Choice(choices) => {
                choices.get((self.way.turn + salt) % choices.len().max(1)).map(|(_, text)| text.clone())
            }
            Kind::Fixed(text) => Some(text.clone()),
            Kind::Multi(choices) => {
                let least = shape.limits.items.least.max(salt.min(1) as u64).min(MANY) as usize;
                let texts: Vec<&str> =
                    choices.iter().cycle().skip(salt).take(least).map(|(_, text)| text.as_str()).collect();
                Some(format!("[{}]", texts.join(",")))
            }
            Kind::Object(object) => self.object(&shape, object, depth, salt),
            Kind::Array(array) => self.array(&shape, array, depth, salt),
            Kind::Union(variants) => {
                let count = variants.len();
                let turn = self.way.turn;
                let order = (0..count.min(50)).map(|at| (at + turn) % count);
                order.into_iter().find_map(|at| self.value(&variants[at].key, depth + 1, salt))
            }
        };
        made.or_else(|| shape.nullable.then(|| "null".to_owned()))
    }

    /// The key with one more thing decided: a branch that only says what is required, or a condition.
    fn decided(&self, key: &[Part], shape: &Shape) -> Option<Vec<Part>> {
        let mut key = key.to_vec();
        if let Some((node, word, branches)) = shape.also.weak.first() {
            key.push(Part::Done(*node, *word));
            key.push(Part::Node(*branches.get(self.way.turn % branches.len().max(1))?));
            return Some(key);
        }
        let wanted = match self.way.condition {
            Condition::Ignored => return None,
            Condition::Met => 1,
            Condition::Unmet => 2,
        };
        let open = shape.also.conditions.iter().filter_map(|condition| Some((condition[0]?, condition[wanted])));
        for (when, then) in open {
            let parts = if wanted == 1 { [Some(when), then] } else { [None, then] };
            let new: Vec<Part> =
                parts.into_iter().flatten().map(Part::Node).filter(|part| !key.contains(part)).collect();
            if !new.is_empty() {
                key.extend(new);
                return Some(key);
            }
        }
        None
    }

    fn any(&self, shape: &Shape, salt: usize) -> Option<String> {
        let all = [
            (Types::STRING, quote(&format!("text{}", if salt == 0 { String::new() } else { salt.to_string() }))),
            (Types::NUMBER, format!("{}", salt + 1)),
            (Types::OBJECT, "{}".to_owned()),
            (Types::BOOL, "true".to_owned()),
            (Types::ARRAY, "[]".to_owned()),
            (Types::NULL, "null".to_owned()),
        ];
        let fitting: Vec<String> =
            all.into_iter().filter(|(types, _)| types.meets(shape.types)).map(|(_, text)| text).collect();
        fitting.get(self.way.turn % fitting.len().max(1)).cloned()
    }

    fn object(&mut self, shape: &Shape, object: &ObjectShape, depth: usize, salt: usize) -> Option<String> {
        let wanted = self.wanted(shape, object, depth);
        let mut parts = Vec::new();
        let mut names = HashSet::new();
        for name in wanted {
            let required = object.required.contains(&name);
            // The first member alone is made unlike others; the rest may be the same.
            let salt = if names.is_empty() { salt } else { 0 };
            match self.rest(&object.key_of(&name), depth, salt) {
                Some(value) => {
                    parts.push(format!("{}:{value}", quote(&name)));
                    names.insert(name);
                }
                None if required => return None,
                None => {}
            }
        }
        let least = shape.limits.members.least.max(u64::from(salt > 0 && parts.is_empty())).min(MANY);
        let others: Vec<Arc<str>> = object.members.iter().map(|(name, _)| Arc::clone(name)).collect();
        let made_up = (0..).map_while(|at| new_name(object, at + salt));
        for name in others.into_iter().chain(made_up.take(MANY as usize * 2)) {
            if parts.len() as u64 >= least {
                break;
            }
            if names.contains(&name) {
                continue;
            }
            let value = self.rest(&object.key_of(&name), depth, salt);
            parts.extend(value.map(|value| format!("{}:{value}", quote(&name))));
            names.insert(name);
        }
        Some(format!("{{{}}}", parts.join(",")))
    }

    /// The members that are there, in the order of the schema.
    fn wanted(&self, shape: &Shape, object: &ObjectShape, depth: usize) -> Vec<Arc<str>> {
        let mut wanted: HashSet<Arc<str>> = object.required.clone();
        if self.way.full && depth < 3 {
            let most = shape.limits.members.most.unwrap_or(MANY).min(MANY) as usize;
            wanted.extend(object.members.iter().map(|(name, _)| Arc::clone(name)).take(most));
        }
        for _ in 0..shape.also.dependents.len().min(20) {
            let brought = shape.also.dependents.iter().filter(|(name, _)| wanted.contains(name));
            let brought: Vec<Arc<str>> = brought.flat_map(|(_, names)| names.iter().cloned()).collect();
            wanted.extend(brought);
        }
        let mut list: Vec<Arc<str>> =
            object.members.iter().map(|(name, _)| name).filter(|name| wanted.contains(*name)).cloned().collect();
        let mut unnamed: Vec<Arc<str>> = wanted.into_iter().filter(|name| !object.index.contains_key(name)).collect();
        unnamed.sort();
        list.extend(unnamed);
        list
    }

    fn array(&mut self, shape: &Shape, array: &ArrayShape, depth: usize, salt: usize) -> Option<String> {
        let limits = &shape.limits;
        let contained = shape.also.contains;
        let least = limits.items.least.max(array.prefix.len() as u64).max(u64::from(contained.is_some() || salt > 0));
        let least = least.min(limits.items.most.unwrap_or(MANY)).min(MANY) as usize;
        let mut items = Vec::with_capacity(least);
        for at in 0..least {
            let salt = if limits.unique { at + salt } else { salt };
            let mut rest = array.key_of(at);
            if let Some(contains) = contained.filter(|_| at == array.prefix.len()) {
                rest = match rest {
                    Rest::Key(key) => Rest::Key(key.into_iter().chain([Part::Node(contains)]).collect()),
                    Rest::Open => Rest::Key(vec![Part::Node(contains)]),
                    Rest::Closed => Rest::Closed,
                };
            }
            match self.rest(&rest, depth, salt) {
                Some(item) => items.push(item),
                None if (at as u64) < limits.items.least => return None,
                None => break,
            }
        }
        Some(format!("[{}]", items.join(",")))
    }

    fn rest(&mut self, rest: &Rest, depth: usize, salt: usize) -> Option<String> {
        match rest {
            Rest::Closed => None,
            Rest::Open => self.value(&[], depth + 1, salt),
            Rest::Key(key) => self.value(key, depth + 1, salt),
        }
    }
}

/// The name of a member that the schema does not name but allows.
fn new_name(object: &ObjectShape, at: usize) -> Option<Arc<str>> {
    if let Some((pattern, _)) = object.patterns.first() {
        let name = pattern::make(pattern.as_str(), at);
        if let Some(name) = name.filter(|name| pattern.is_match(name)) {
            return Some(name.into());
        }
    }
    (object.rest != Rest::Closed).then(|| format!("name{}", at + 1).into())
}

#[cfg(test)]
mod tests;
