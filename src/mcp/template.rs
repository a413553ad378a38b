//! URI templates of resources (RFC 6570, all four levels): which variables one has, what it expands to, and
//! with which values it expands to a URI.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::wire::{Json, JsonKind};

mod expand;
mod matching;

/// The longest prefix that `{name:length}` may ask for (RFC 6570, 2.4.1).
const LONGEST_PREFIX: u16 = 9_999;

/// A template that is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
    parts: Vec<Part>,
    variables: Vec<Variable>,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// Text, with what is not ASCII percent-encoded (RFC 6570, 3.1).
    Literal(String),
    /// An expression: its operator, and how many of the variables are its.
    Expression(Operator, usize),
}

/// A variable where it stands in a template. One that stands there twice is listed twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name as written; names with percent-encoded triplets are compared as they are.
    pub name: String,
    /// How its expression is expanded.
    pub operator: Operator,
    /// What part of its value is taken.
    pub modifier: Modifier,
}

impl Variable {
    /// Whether each member of its value is expanded as if it stood there by itself.
    pub const fn is_exploded(&self) -> bool {
        matches!(self.modifier, Modifier::Explode)
    }

    /// Whether a URI without it is usual: those of a query, of path parameters, and fragments. (A template has no
    /// required variables; one without a value just is not expanded.)
    pub const fn is_optional(&self) -> bool {
        matches!(
            self.operator,
            Operator::Query | Operator::QueryContinuation | Operator::PathParameters | Operator::Fragment
        )
    }
}

/// The operator of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `{x}`
    Simple,
    /// `{+x}`
    Reserved,
    /// `{#x}`
    Fragment,
    /// `{.x}`
    Label,
    /// `{/x}`
    Path,
    /// `{;x}`
    PathParameters,
    /// `{?x}`
    Query,
    /// `{&x}`
    QueryContinuation,
}

/// What is taken of a variable's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// All of it, lists and maps joined with commas.
    None,
    /// The first characters of a text: `{x:3}`.
    Prefix(u16),
    /// Each member of a list or map as if it stood there by itself: `{x*}`.
    Explode,
}

/// The value of a variable. One that is not given, an empty list and an empty map are not expanded; an empty text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
    /// Names and texts in order.
    Map(Vec<(String, String)>),
}

impl Value {
    /// The value that JSON stands for: arrays are lists, objects maps, other values texts, with numbers as written.
    /// `None` for `null`, and members that are `null` are left out, since both mean undefined (RFC 6570, 2.3).
    pub fn of_json(json: Json<'_>) -> Option<Self> {
        match json.kind() {
            JsonKind::Null => None,
            JsonKind::Array => Some(Self::List(json.items().filter_map(plain).collect())),
            JsonKind::Object => {
                let members =
                    json.members().filter_map(|(name, value)| Some((name.text()?.into_owned(), plain(value)?)));
                Some(Self::Map(members.collect()))
            }
            _ => plain(json).map(Self::Text),
        }
    }
}

/// A JSON value as text; `null` is none.
fn plain(json: Json<'_>) -> Option<String> {
    if json.is_null() {
        return None;
    }
    Some(json.text().map_or_else(|| String::from_utf8_lossy(json.raw()).into_owned(), Cow::into_owned))
}

/// Why there is no template, or no expansion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The text is no template.
    #[error("read the URI template at byte {at}: {why}")]
    Invalid {
        /// Where.
        at: usize,
        /// Why.
        why: String,
    },
    /// A value does not suit its variable.
    #[error("expand the URI template: {why}")]
    Unsuitable {
        /// Why.
        why: String,
    },
}

impl Template {
    /// Reads a template. A text without expressions is one too.
    pub fn read(text: &str) -> Result<Self, TemplateError> {
        let mut template = Self { text: text.to_owned(), parts: Vec::new(), variables: Vec::new() };
        let mut from = 0;
        while let Some(open) = text[from..].find('{').map(|at| at + from) {
            template.literal(&text[from..open], from)?;
            let Some(length) = text[open + 1..].find('}') else {
                return Err(invalid(open, "the expression that begins with `{` has no `}`"));
            };
            template.expression(&text[open + 1..open + 1 + length], open)?;
            from = open + length + 2;
        }
        template.literal(&text[from..], from)?;
        Ok(template)
    }

    /// The template as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its variables in the order in which they stand there.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The URI that it expands to. Names that are no variables of it are passed over.
    pub fn expand(&self, values: &BTreeMap<String, Value>) -> Result<String, TemplateError> {
        let mut uri = String::new();
        let mut variables = self.variables.as_slice();
        for part in &self.parts {
            match part {
                Part::Literal(text) => uri.push_str(text),
                Part::Expression(operator, count) => {
                    let (mine, rest) = variables.split_at(*count);
                    expand::expression(&mut uri, *operator, mine, values)?;
                    variables = rest;
                }
            }
        }
        Ok(uri)
    }

    fn literal(&mut self, text: &str, at: usize) -> Result<(), TemplateError> {
        if let Some(fault) = literal_fault(text) {
            return Err(invalid(at + fault, LITERAL));
        }
        let mut encoded = String::with_capacity(text.len());
        for c in text.chars() {
            if c.is_ascii() { encoded.push(c) } else { expand::encode(&mut encoded, c) }
        }
        self.parts.push(Part::Literal(encoded));
        Ok(())
    }

    fn expression(&mut self, body: &str, at: usize) -> Result<(), TemplateError> {
        let (operator, list) = operator(body, at)?;
        let mut at = at + 1 + body.len() - list.len();
        let before = self.variables.len();
        for spec in list.split(',') {
            let (name, modifier) = modifier(spec, at)?;
            check_name(name, at)?;
            self.variables.push(Variable { name: name.to_owned(), operator, modifier });
            at += spec.len() + 1;
        }
        self.parts.push(Part::Expression(operator, self.variables.len() - before));
        Ok(())
    }
}

fn operator(body: &str, at: usize) -> Result<(Operator, &str), TemplateError> {
    let operator = match body.chars().next() {
        None => return Err(invalid(at, "the expression `{}` names no variable")),
        Some('+') => Operator::Reserved,
        Some('#') => Operator::Fragment,
        Some('.') => Operator::Label,
        Some('/') => Operator::Path,
        Some(';') => Operator::PathParameters,
        Some('?') => Operator::Query,
        Some('&') => Operator::QueryContinuation,
        Some(reserved @ ('=' | ',' | '!' | '@' | '|')) => {
            return Err(invalid(at + 1, format!("the operator `{reserved}` has no meaning yet (RFC 6570, 2.2)")));
        }
        Some(_) => return Ok((Operator::Simple, body)),
    };
    Ok((operator, &body[1..]))
}

fn modifier(spec: &str, at: usize) -> Result<(&str, Modifier), TemplateError> {
    if let Some(name) = spec.strip_suffix('*') {
        return Ok((name, Modifier::Explode));
    }
    let Some((name, length)) = spec.split_once(':') else { return Ok((spec, Modifier::None)) };
    let digits = !length.starts_with('0') && length.bytes().all(|byte| byte.is_ascii_digit());
    match length.parse() {
        Ok(length) if digits && (1..=LONGEST_PREFIX).contains(&length) => Ok((name, Modifier::Prefix(length))),
        _ => {
            let why = format!("the length of a prefix is a number from 1 to {LONGEST_PREFIX}, not `{length}`");
            Err(invalid(at + name.len() + 1, why))
        }
    }
}

/// A name is letters, digits, `_`, percent-encoded triplets, and single dots between them.
fn check_name(name: &str, at: usize) -> Result<(), TemplateError> {
    let bytes = name.as_bytes();
    let (mut from, mut dot) = (0, true);
    while from < bytes.len() {
        let step = match bytes[from] {
            b'%' if expand::is_triplet(&bytes[from..]) => 3,
            b'.' if !dot => 1,
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => 1,
            _ => return Err(invalid(at + from, name_fault(name))),
        };
        dot = bytes[from] == b'.';
        from += step;
    }
    if dot { Err(invalid(at + from, name_fault(name))) } else { Ok(()) }
}

fn name_fault(name: &str) -> String {
    if name.is_empty() {
        return "a variable has no name".to_owned();
    }
    format!("`{name}` is no name of a variable: letters, digits, `_`, `%XX`, and single dots between them")
}

/// What every fault outside of expressions is.
const LITERAL: &str = "outside of expressions there are no spaces, controls, and none of \" ' < > \\ ^ ` | }, and a `%` \
                       is followed by two hexadecimal digits";

/// Where the first character is that may not stand outside of expressions.
fn literal_fault(text: &str) -> Option<usize> {
    let barred = |c: char| c.is_ascii_control() || " \"'<>\\^`|}".contains(c);
    text.char_indices()
        .find(|&(at, c)| barred(c) || (c == '%' && !expand::is_triplet(&text.as_bytes()[at..])))
        .map(|(at, _)| at)
}

fn invalid(at: usize, why: impl Into<String>) -> TemplateError {
    TemplateError::Invalid { at, why: why.into() }
}

#[cfg(test)]
mod tests;
