//! `key=value` and `key:=JSON` on the command line: the words, the places that they name, and the JSON text that
//! they make together. What is typed is kept digit for digit.

use super::shape::Shape;
use super::typed::typed;
use crate::wire::{Json, JsonKind, quote};

/// So deep may a place lie.
const DEPTH: usize = 64;

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    /// The word's part before the sign.
    key: String,
    value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    /// To be typed by the schema.
    Text(String),
    /// As it is.
    Json(Vec<u8>),
}

/// One step to a place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// `.name`, `/name`: a member, or an item where an array is and the name is a number.
    Name(String),
    /// `[3]`.
    Index(usize),
    /// `[]`: behind the last item.
    Next,
}

/// A value while it is put together.
#[derive(Debug)]
enum Node {
    /// JSON text.
    Text(Vec<u8>),
    Object(Vec<(String, Node)>),
    Array(Vec<Node>),
}

impl Given {
    /// Reads a word; an error says what it should be.
    pub(super) fn read(word: &str) -> Result<Self, String> {
        let fault =
            || format!("{word:?} is none of key=value, key:=JSON; write arguments so, or all at once with --json");
        let at = sign(word).ok_or_else(fault)?;
        let (key, value) = (&word[..at], &word[at + 1..]);
        let Some(key) = key.strip_suffix(':') else {
            return Ok(Self { key: key.to_owned(), value: Value::Text(value.to_owned()) });
        };
        let json = Json::parse(value.as_bytes()).map_err(|fault| {
            format!("{word:?}: behind := stands JSON, and this is none: {fault}; for a text write =")
        })?;
        Ok(Self { key: key.to_owned(), value: Value::Json(json.raw().to_vec()) })
    }
}

/// The place of the first `=` that no backslash precedes.
fn sign(word: &str) -> Option<usize> {
    let bytes = word.as_bytes();
    let at = (1..bytes.len()).find(|at| bytes[*at] == b'=' && bytes[at - 1] != b'\\')?;
    (word[..at] != *":").then_some(at)
}

/// The object that the words make, on top of `base` (JSON text of an object), and what is to be said about them.
pub(super) fn build(
    given: &[Given],
    base: Option<&[u8]>,
    schema: Option<Json<'_>>,
) -> Result<(Vec<u8>, Vec<String>), String> {
    let mut root = Node::Text(base.unwrap_or(b"{}").to_vec());
    let mut notes = Vec::new();
    let shape = Shape::of(schema);
    for one in given {
        let steps = steps(&one.key, &shape)?;
        root.put(&steps, one, &shape, &mut notes)?;
    }
    let mut text = Vec::new();
    root.write(&mut text);
    Ok((text, notes))
}

/// The texts that words without a schema make: the arguments of prompts and of completions, which are strings.
pub(super) fn strings(given: &[Given]) -> Result<Vec<u8>, String> {
    let mut root = Node::Object(Vec::new());
    for one in given {
        root.put(&[Step::Name(one.key.clone())], one, &Shape::of(None), &mut Vec::new())?;
    }
    let mut text = Vec::new();
    root.write(&mut text);
    Ok(text)
}

/// The steps of a key: `a.b[0].c`, `/a/b/0/c`, or the name of a member that the schema knows just so.
fn steps(key: &str, shape: &Shape<'_>) -> Result<Vec<Step>, String> {
    if shape.knows(key) {
        return Ok(vec![Step::Name(key.to_owned())]);
    }
    let steps = match key.strip_prefix('/') {
        Some(pointer) => {
            pointer.split('/').map(|token| Step::Name(token.replace("~1", "/").replace("~0", "~"))).collect()
        }
        None => dotted(key)?,
    };
    if steps.len() > DEPTH {
        return Err(format!("{key:?} lies deeper than {DEPTH} steps; give such arguments with --json"));
    }
    Ok(steps)
}

fn dotted(key: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut name = String::new();
    let mut rest = key.chars();
    // Behind a bracket no name is needed before the next dot.
    let mut closed = false;
    while let Some(character) = rest.next() {
        match character {
            '\\' => name.extend(rest.next()),
            '.' if closed && name.is_empty() => closed = false,
            '.' => steps.push(Step::Name(std::mem::take(&mut name))),
            '[' => {
                if !name.is_empty() {
                    steps.push(Step::Name(std::mem::take(&mut name)));
                }
                let index: String = rest.by_ref().take_while(|character| *character != ']').collect();
                let fault =
                    || format!("{key:?}: in brackets stands the number of an item, or nothing for a further one");
                steps.push(if index.is_empty() {
                    Step::Next
                } else {
                    Step::Index(index.parse().map_err(|_| fault())?)
                });
                closed = true;
            }
            other => {
                closed = false;
                name.push(other);
            }
        }
    }
    if !closed {
        steps.push(Step::Name(name));
    }
    Ok(steps)
}

impl Node {
    /// Puts a value at a place below.
    fn put(&mut self, steps: &[Step], given: &Given, shape: &Shape<'_>, notes: &mut Vec<String>) -> Result<(), String> {
        let Some((step, rest)) = steps.split_first() else { return self.set(given, shape, notes) };
        self.open(step, shape, &given.key)?;
        match (&mut *self, step) {
            (Self::Array(items), step) => {
                let index = match step {
                    Step::Index(index) => *index,
                    Step::Next => items.len(),
                    Step::Name(name) => {
                        name.parse().map_err(|_| format!("{}: {name:?} is no item of an array", given.key))?
                    }
                };
                if index > items.len() {
                    let count = items.len();
                    return Err(format!(
                        "{}: there are only {count} items before item {index}; give them first",
                        given.key
                    ));
                }
                if index == items.len() {
                    items.push(Self::Text(Vec::new()));
                }
                items[index].put(rest, given, &shape.item(index), notes)
            }
            (Self::Object(members), Step::Name(name)) => {
                let at = members.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                    members.push((name.clone(), Self::Text(Vec::new())));
                    members.len() - 1
                });
                members[at].1.put(rest, given, &shape.member(name), notes)
            }
            _ => Err(format!("{}: there is no array to take an item of", given.key)),
        }
    }

    /// Sets the value here; of an array that is named again, the next item.
    fn set(&mut self, given: &Given, shape: &Shape<'_>, notes: &mut Vec<String>) -> Result<(), String> {
        let types = shape.types();
        let text = match &given.value {
            Value::Json(json) => json.clone(),
            Value::Text(text) if types.has(JsonKind::Array) && !types.has(JsonKind::String) => {
                if let Some(array) = array_of(text) {
                    array
                } else {
                    self.open(&Step::Next, shape, &given.key)?;
                    let Self::Array(items) = self else { return Ok(()) };
                    let (item, note) = typed(text, &shape.item(items.len()), &given.key);
                    notes.extend(note);
                    items.push(Self::Text(item));
                    return Ok(());
                }
            }
            Value::Text(text) => {
                let (text, note) = typed(text, shape, &given.key);
                notes.extend(note);
                text
            }
        };
        *self = Self::Text(text);
        Ok(())
    }

    /// Makes sure that something can be put below: what was JSON text becomes its members or items.
    fn open(&mut self, step: &Step, shape: &Shape<'_>, key: &str) -> Result<(), String> {
        let Self::Text(text) = self else { return Ok(()) };
        if text.is_empty() {
            let numbered = |name: &String| name.parse::<usize>().is_ok() && shape.types().has(JsonKind::Array);
            let is_array = match step {
                Step::Name(name) => numbered(name),
                Step::Index(_) | Step::Next => true,
            };
            *self = if is_array { Self::Array(Vec::new()) } else { Self::Object(Vec::new()) };
            return Ok(());
        }
        let json = Json::parse(text).map_err(|fault| format!("{key}: {fault}"))?;
        let opened = match json.kind() {
            JsonKind::Object => Self::Object(
                json.members()
                    .map(|(name, value)| {
                        (name.text().unwrap_or_default().into_owned(), Self::Text(value.raw().to_vec()))
                    })
                    .collect(),
            ),
            JsonKind::Array => Self::Array(json.items().map(|item| Self::Text(item.raw().to_vec())).collect()),
            _ => return Err(format!("{key}: what was given for a part of it has no members")),
        };
        *self = opened;
        Ok(())
    }

    /// Writes it; no deeper than places may lie.
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) if text.is_empty() => out.extend_from_slice(b"null"),
            Self::Text(text) => out.extend_from_slice(text),
            Self::Object(members) => {
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push(if index == 0 { b'{' } else { b',' });
                    out.extend_from_slice(quote(name).as_bytes());
                    out.push(b':');
                    value.write(out);
                }
                out.extend_from_slice(if members.is_empty() { b"{}" } else { b"}" });
            }
            Self::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    out.push(if index == 0 { b'[' } else { b',' });
                    value.write(out);
                }
                out.extend_from_slice(if items.is_empty() { b"[]" } else { b"]" });
            }
        }
    }
}

/// A text that is a JSON array already.
fn array_of(text: &str) -> Option<Vec<u8>> {
    let json = Json::parse(text.as_bytes()).ok()?;
    (json.kind() == JsonKind::Array).then(|| json.raw().to_vec())
}

#[cfg(test)]
mod tests;
