//! The TOML under a project file: tables in the order of the file, JSON text of values, places of faults.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::{Note, ProjectError};
use crate::wire::quote;

/// A value and where it stands.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// A project file that is TOML.
pub(super) struct Source<'i> {
    pub(super) text: &'i str,
    pub(super) root: DeTable<'i>,
}

/// One member of a table.
#[derive(Clone, Copy)]
pub(super) struct Member<'t, 'i> {
    pub(super) name: &'t str,
    /// Where its name stands.
    pub(super) at: usize,
    pub(super) value: &'t Value<'i>,
}

impl<'i> Source<'i> {
    pub(super) fn read(text: &'i str) -> Result<Self, ProjectError> {
        // The parser knows no byte order mark, and places must be those of the file.
        if text.starts_with('\u{feff}') {
            return Err(fault(
                text,
                0,
                "the file begins with a byte order mark, which TOML does not have; take it away",
            ));
        }
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(text.len(), |span| span.start);
            fault(text, at, error.message())
        })?;
        Ok(Self { text, root: table.into_inner() })
    }

    pub(super) fn fault(&self, at: usize, why: impl Into<String>) -> ProjectError {
        fault(self.text, at, why)
    }

    pub(super) fn note(&self, at: usize, text: String) -> Note {
        Note { line: place(self.text, at).0, text }
    }

    /// The value that names lead to, one inside the other.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Value<'i>> {
        let (first, rest) = path.split_first()?;
        let mut value = self.root.get(*first)?;
        for name in rest {
            value = table_of(value)?.get(*name)?;
        }
        Some(value)
    }
}

/// The table that a value is.
pub(super) fn table_of<'t, 'i>(value: &'t Value<'i>) -> Option<&'t DeTable<'i>> {
    if let DeValue::Table(table) = value.get_ref() { Some(table) } else { None }
}

/// The text that a value is.
pub(super) fn text_of<'t>(value: &'t Value<'_>) -> Option<&'t str> {
    if let DeValue::String(text) = value.get_ref() { Some(text) } else { None }
}

/// The members of a table in the order of the file; the parser keeps them by name.
pub(super) fn members<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Member<'t, 'i>> {
    let all = table.iter().map(|(name, value)| Member { name: name.get_ref(), at: name.span().start, value });
    let mut all: Vec<Member<'t, 'i>> = all.collect();
    all.sort_by_key(|member| member.at);
    all
}

/// A value as JSON text: numbers as they are written, tables in the order of the file. The error says what JSON does
/// not have.
pub(super) fn json(value: &Value<'_>) -> Result<String, (usize, String)> {
    let mut out = String::new();
    write_json(value, &mut out)?;
    Ok(out)
}

/// The parser bounds how deep values are, so this may recurse.
fn write_json(value: &Value<'_>, out: &mut String) -> Result<(), (usize, String)> {
    let at = value.span().start;
    match value.get_ref() {
        DeValue::String(text) => out.push_str(&quote(text)),
        DeValue::Integer(number) => out.push_str(&integer(number).map_err(|why| (at, why))?),
        DeValue::Float(number) => {
            let text = number.as_str().trim_start_matches('+');
            if text.contains(['n', 'f']) {
                return Err((at, format!("JSON has no {text}")));
            }
            out.push_str(text);
        }
        DeValue::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        DeValue::Datetime(date) => out.push_str(&quote(&date.to_string())),
        DeValue::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json(item, out)?;
            }
            out.push(']');
        }
        DeValue::Table(table) => {
            out.push('{');
            for (index, member) in members(table).into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                let _ = write!(out, "{}:", quote(member.name));
                write_json(member.value, out)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

fn integer(number: &DeInteger<'_>) -> Result<String, String> {
    let text = number.as_str().trim_start_matches('+');
    if number.radix() == 10 {
        return Ok(text.to_owned());
    }
    let whole = u128::from_str_radix(text, number.radix()).map_err(|_| format!("{number} is too large"))?;
    Ok(whole.to_string())
}

/// Line and column of a place, both counting from 1, the column in characters.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let mut end = at.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

fn fault(text: &str, at: usize, why: impl Into<String>) -> ProjectError {
    let (line, column) = place(text, at);
    ProjectError::Read { line, column, why: why.into() }
}

/// How a table is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// Under a header, which is here.
    Header(Range<usize>),
    /// In braces, which are here.
    Inline(Range<usize>),
    /// Only by dotted names or by headers below it.
    Implied,
}

/// How the table of a value is written.
pub(super) fn form(text: &str, value: &Value<'_>) -> Form {
    let span = value.span();
    match text.as_bytes().get(span.start) {
        Some(b'[') => Form::Header(span),
        Some(b'{') => Form::Inline(span),
        _ => Form::Implied,
    }
}

/// The places of the values that stand under a table's own header, last first: not those under headers of their own.
pub(super) fn direct_ends(text: &str, table: &DeTable<'_>) -> Vec<usize> {
    let mut ends = Vec::new();
    for member in members(table) {
        match (table_of(member.value), form(text, member.value)) {
            (Some(_), Form::Header(_)) => {}
            (Some(inner), Form::Implied) => ends.extend(direct_ends(text, inner)),
            _ => ends.push(member.value.span().end),
        }
    }
    ends.sort_by_key(|end| Reverse(*end));
    ends
}
