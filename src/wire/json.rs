//! One JSON value as the exact bytes that it was sent as. Nothing is built: members, items and texts
//! are found in the bytes when they are asked for, so numbers keep their digits and objects their order
//! and their duplicate keys. Nothing recurses, so depth costs no stack.

use std::borrow::Cow;
use std::fmt;

use super::scan::{JsonFault, Scanner, skip, skip_space};
use super::text::decode;

/// One valid JSON value: its exact bytes, without whitespace around them.
///
/// Strings may hold bytes that are not UTF-8; everything else is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Json<'a> {
    raw: &'a [u8],
}

/// The six kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// `1.5e3`
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

impl<'a> Json<'a> {
    /// The value that `bytes` hold, with nothing but whitespace around it.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, JsonFault> {
        let mut scanner = Scanner::new(bytes, 0);
        let start = scanner.value()?;
        let end = scanner.at;
        scanner.space();
        if scanner.at < bytes.len() {
            return scanner.fault("more text follows the JSON value");
        }
        Ok(Self { raw: &bytes[start..end] })
    }

    /// The value that a frame holds: a BOM before it is passed over as well. Offsets of a fault count
    /// from behind the BOM.
    pub fn of_frame(bytes: &'a [u8]) -> Result<Self, JsonFault> {
        Self::parse(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
    }

    /// The value with these bytes, which were found valid.
    pub(super) const fn trusted(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// What kind of value it is.
    pub fn kind(&self) -> JsonKind {
        match self.raw.first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') | None => JsonKind::Null,
            Some(_) => JsonKind::Number,
        }
    }

    /// Its bytes as sent.
    pub const fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// The names and values of an object in their order, duplicates included; nothing for other kinds.
    pub fn members(&self) -> impl Iterator<Item = (Json<'a>, Json<'a>)> + use<'a> {
        let mut inside = Inside::of(self.raw, b'{');
        std::iter::from_fn(move || {
            let name = inside.next()?;
            Some((name, inside.next()?))
        })
    }

    /// The items of an array in their order; nothing for other kinds.
    pub fn items(&self) -> impl Iterator<Item = Json<'a>> + use<'a> {
        let mut inside = Inside::of(self.raw, b'[');
        std::iter::from_fn(move || inside.next())
    }

    /// The member with this name. Of duplicates the last wins, as in most parsers (JR-024).
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        self.members().filter(|(key, _)| key.is_text(name)).last().map(|(_, value)| value)
    }

    /// The value at a JSON pointer (RFC 6901); `""` is the value itself.
    pub fn pointer(&self, pointer: &str) -> Option<Json<'a>> {
        if pointer.is_empty() {
            return Some(*self);
        }
        let mut value = *self;
        for token in pointer.strip_prefix('/')?.split('/') {
            let name = token.replace("~1", "/").replace("~0", "~");
            value = match value.kind() {
                JsonKind::Object => value.get(&name)?,
                JsonKind::Array => value.items().nth(index(&name)?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// A string's text, decoded; bytes that are not UTF-8 and lone surrogates become U+FFFD.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        let inner = self.inner()?;
        if memchr::memchr(b'\\', inner).is_none() {
            return Some(String::from_utf8_lossy(inner));
        }
        Some(Cow::Owned(decode(inner)))
    }

    /// Whether it is a string that says exactly `text`; not when it holds bytes that are not UTF-8.
    pub fn is_text(&self, text: &str) -> bool {
        match self.inner() {
            None => false,
            Some(inner) if inner == text.as_bytes() => !text.contains('\\'),
            Some(inner) => {
                let escaped = memchr::memchr(b'\\', inner).is_some();
                escaped && std::str::from_utf8(inner).is_ok() && decode(inner) == text
            }
        }
    }

    /// A number's text as sent.
    pub fn number(&self) -> Option<&'a str> {
        if self.kind() == JsonKind::Number { std::str::from_utf8(self.raw).ok() } else { None }
    }

    /// A number that is a whole one and fits; `2.0` is 2.
    pub fn as_i64(&self) -> Option<i64> {
        let text = self.number()?;
        text.parse().ok().or_else(|| whole(text).map(|value| value as i64))
    }

    /// A number that is a whole one, not negative, and fits; `2.0` is 2.
    pub fn as_u64(&self) -> Option<u64> {
        let text = self.number()?;
        text.parse().ok().or_else(|| whole(text).filter(|value| *value >= 0.0).map(|value| value as u64))
    }

    /// A number, rounded to the nearest one that fits; nothing where that would be infinite.
    pub fn as_f64(&self) -> Option<f64> {
        self.number()?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// A bool.
    pub fn as_bool(&self) -> Option<bool> {
        match self.raw {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// What lies between a string's quotes.
    pub(super) fn inner(&self) -> Option<&'a [u8]> {
        self.raw.strip_prefix(b"\"")?.strip_suffix(b"\"")
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({})", String::from_utf8_lossy(self.raw))
    }
}

/// Walks over the values inside a container that is known to be valid: names and values by turns for
/// an object.
struct Inside<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Inside<'a> {
    fn of(raw: &'a [u8], opener: u8) -> Self {
        let bytes = if raw.first() == Some(&opener) { &raw[..raw.len() - 1] } else { &[] };
        Self { bytes, at: 1 }
    }

    fn next(&mut self) -> Option<Json<'a>> {
        let mut start = skip_space(self.bytes, self.at);
        if matches!(self.bytes.get(start), Some(b',' | b':')) {
            start = skip_space(self.bytes, start + 1);
        }
        if start >= self.bytes.len() {
            return None;
        }
        self.at = skip(self.bytes, start);
        Some(Json { raw: &self.bytes[start..self.at] })
    }
}

/// An array index of a JSON pointer: digits without a leading zero.
fn index(name: &str) -> Option<usize> {
    let plain = name == "0" || !name.starts_with(['0', '+']);
    if plain { name.parse().ok() } else { None }
}

/// The value of a number with a fraction or an exponent, when it is whole and exact.
fn whole(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0).then_some(value)
}

#[cfg(test)]
mod tests;
