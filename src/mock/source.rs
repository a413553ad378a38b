//! The TOML under a mock file: members in the order of the file, JSON text of values, places of faults.

use std::fmt::Write as _;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::Fault;
use crate::wire::quote;

/// A value and where it stands.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// One member of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'t, 'i> {
    pub(super) name: &'t str,
    /// Where its name stands.
    pub(super) at: usize,
    pub(super) value: &'t Value<'i>,
}

/// Reads TOML; the faults are the parser's.
pub(super) fn parse(text: &str) -> Result<DeTable<'_>, Vec<Fault>> {
    // The parser knows no byte order mark, and places must be those of the file.
    if text.starts_with('\u{feff}') {
        let why = "the file begins with a byte order mark, which TOML does not have; take it away";
        return Err(vec![fault(text, 0, why)]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(table.into_inner());
    }
    let of = |error: &toml::de::Error| fault(text, error.span().map_or(text.len(), |span| span.start), error.message());
    Err(errors.iter().map(of).collect())
}

/// The members of a table in the order of the file; the parser keeps them by name.
pub(super) fn members<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Member<'t, 'i>> {
    let all = table.iter().map(|(name, value)| Member { name: name.get_ref(), at: name.span().start, value });
    let mut all: Vec<Member<'t, 'i>> = all.collect();
    all.sort_by_key(|member| member.at);
    all
}

/// The table that a value is.
pub(super) fn table_of<'t, 'i>(value: &'t Value<'i>) -> Option<&'t DeTable<'i>> {
    if let DeValue::Table(table) = value.get_ref() { Some(table) } else { None }
}

/// The text that a value is.
pub(super) fn text_of<'t>(value: &'t Value<'_>) -> Option<&'t str> {
    if let DeValue::String(text) = value.get_ref() { Some(text) } else { None }
}

/// The items that a value is.
pub(super) fn items_of<'t, 'i>(value: &'t Value<'i>) -> Option<&'t [Value<'i>]> {
    if let DeValue::Array(items) = value.get_ref() { Some(items) } else { None }
}

/// What a person calls the kind of a value.
pub(super) fn kind(value: &Value<'_>) -> &'static str {
    match value.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A number as it is written, where a value is one that JSON has.
pub(super) fn number_of(value: &Value<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::Integer(number) => integer(number).ok(),
        DeValue::Float(number) if !number.as_str().contains(['n', 'f']) => {
            Some(number.as_str().trim_start_matches('+').to_owned())
        }
        _ => None,
    }
}

/// A value as JSON text: numbers as they are written, tables in the order of the file, dates as texts. The error says
/// what JSON does not have, and where that stands.
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
        DeValue::Float(number) => match number_of(value) {
            Some(text) => out.push_str(&text),
            None => return Err((at, format!("JSON has no {}", number.as_str()))),
        },
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

/// All that a table says, from its header or brace to the end of its last value, also under headers of its own.
pub(super) fn extent(value: &Value<'_>) -> Range<usize> {
    let span = value.span();
    span.start..end(value)
}

fn end(value: &Value<'_>) -> usize {
    let inner = match value.get_ref() {
        DeValue::Table(table) => table.iter().map(|(name, value)| name.span().end.max(end(value))).max(),
        DeValue::Array(items) => items.iter().map(end).max(),
        _ => None,
    };
    value.span().end.max(inner.unwrap_or(0))
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

/// A fault at a place.
pub(super) fn fault(text: &str, at: usize, message: impl Into<String>) -> Fault {
    let (line, column) = place(text, at);
    Fault { line, column, message: message.into() }
}
