//! The expansion of one expression, as RFC 6570 (3.2 and appendix A) lays it down.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Modifier, Operator, TemplateError, Value, Variable};

/// How an operator expands.
struct Manner {
    /// What stands before the first value.
    first: &'static str,
    /// What stands between values.
    between: &'static str,
    /// Whether values bring their names.
    named: bool,
    /// What stands after the name of an empty value.
    empty: &'static str,
    /// Whether reserved characters and percent-encoded triplets stay as they are.
    reserved: bool,
}

impl Operator {
    const fn manner(self) -> Manner {
        let (first, between, named, empty, reserved) = match self {
            Self::Simple => ("", ",", false, "", false),
            Self::Reserved => ("", ",", false, "", true),
            Self::Fragment => ("#", ",", false, "", true),
            Self::Label => (".", ".", false, "", false),
            Self::Path => ("/", "/", false, "", false),
            Self::PathParameters => (";", ";", true, "", false),
            Self::Query => ("?", "&", true, "=", false),
            Self::QueryContinuation => ("&", "&", true, "=", false),
        };
        Manner { first, between, named, empty, reserved }
    }
}

/// Appends what an expression expands to.
pub(super) fn expression(
    uri: &mut String,
    operator: Operator,
    variables: &[Variable],
    values: &BTreeMap<String, Value>,
) -> Result<(), TemplateError> {
    let manner = operator.manner();
    let mut before = manner.first;
    for variable in variables {
        let Some(value) = values.get(&variable.name).filter(|value| is_defined(value)) else { continue };
        uri.push_str(before);
        before = manner.between;
        match (value, variable.modifier) {
            (Value::Text(text), modifier) => {
                let text = if let Modifier::Prefix(length) = modifier { prefix(text, length) } else { text };
                manner.pair(uri, manner.named.then_some(&variable.name), text);
            }
            (_, Modifier::Prefix(_)) => {
                let why = format!("`{}` is cut to a prefix, so its value must be one text", variable.name);
                return Err(TemplateError::Unsuitable { why });
            }
            (Value::List(list), Modifier::Explode) => {
                let name = manner.named.then_some(&variable.name);
                joined(uri, list, manner.between, |uri, item| manner.pair(uri, name, item));
            }
            (Value::Map(map), Modifier::Explode) => {
                joined(uri, map, manner.between, |uri, (name, value)| manner.member(uri, name, value));
            }
            (Value::List(list), Modifier::None) => {
                manner.name(uri, &variable.name);
                joined(uri, list, ",", |uri, item| manner.text(uri, item));
            }
            (Value::Map(map), Modifier::None) => {
                manner.name(uri, &variable.name);
                joined(uri, map, ",", |uri, (name, value)| {
                    manner.text(uri, name);
                    uri.push(',');
                    manner.text(uri, value);
                });
            }
        }
    }
    Ok(())
}

/// An empty list and an empty map are as if they were not given (2.3).
fn is_defined(value: &Value) -> bool {
    match value {
        Value::Text(_) => true,
        Value::List(list) => !list.is_empty(),
        Value::Map(map) => !map.is_empty(),
    }
}

/// The first characters of a text.
fn prefix(text: &str, length: u16) -> &str {
    text.char_indices().nth(usize::from(length)).map_or(text, |(at, _)| &text[..at])
}

fn joined<T>(uri: &mut String, items: &[T], between: &str, mut write: impl FnMut(&mut String, &T)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            uri.push_str(between);
        }
        write(uri, item);
    }
}

impl Manner {
    /// A text with the name of its variable, where there is one.
    fn pair(&self, uri: &mut String, name: Option<&String>, text: &str) {
        if let Some(name) = name {
            uri.push_str(name);
            uri.push_str(if text.is_empty() { self.empty } else { "=" });
        }
        self.text(uri, text);
    }

    /// A member of an exploded map: its own name stands before its value.
    fn member(&self, uri: &mut String, name: &str, text: &str) {
        self.text(uri, name);
        uri.push_str(if self.named && text.is_empty() { self.empty } else { "=" });
        self.text(uri, text);
    }

    /// The name before a list or map that is written as one value.
    fn name(&self, uri: &mut String, name: &str) {
        if self.named {
            uri.push_str(name);
            uri.push('=');
        }
    }

    fn text(&self, uri: &mut String, text: &str) {
        for (at, c) in text.char_indices() {
            let stays = c.is_ascii_alphanumeric() || "-._~".contains(c);
            let reserved = ":/?#[]@!$&'()*+,;=".contains(c) || (c == '%' && is_triplet(&text.as_bytes()[at..]));
            if stays || (self.reserved && reserved) { uri.push(c) } else { encode(uri, c) }
        }
    }
}

/// Whether bytes begin with a `%` and two hexadecimal digits.
pub(super) fn is_triplet(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'%') && bytes.get(1..3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
}

/// Appends a character as percent-encoded UTF-8.
pub(super) fn encode(uri: &mut String, c: char) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        // Writing to a String cannot fail.
        let _ = write!(uri, "%{byte:02X}");
    }
}
