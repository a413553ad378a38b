//! JSON in one spelling, so that two values are the same where their texts are: members sorted, numbers without
//! superfluous zeros, strings without superfluous escapes. And JSON on one line, otherwise as it was.

use super::number::Decimal;
use crate::wire::{Json, JsonKind, quote};

/// What is nested deeper is compared as it is written.
const DEEPEST: usize = 100;

/// The one spelling of a value: two values are the same where these texts are.
pub fn canonical(json: Json<'_>) -> String {
    let mut out = String::new();
    write(json, 0, &mut out);
    out
}

fn write(json: Json<'_>, depth: usize, out: &mut String) {
    match json.kind() {
        JsonKind::Number => match json.number().and_then(Decimal::read) {
            Some(number) => out.push_str(&number.canonical()),
            None => out.push_str(&String::from_utf8_lossy(json.raw())),
        },
        JsonKind::String => out.push_str(&plain(json)),
        JsonKind::Array if depth < DEEPEST => {
            out.push('[');
            for item in json.items() {
                write(item, depth + 1, out);
                out.push(',');
            }
            out.push(']');
        }
        JsonKind::Object if depth < DEEPEST => {
            let mut members: Vec<(String, Json<'_>)> =
                json.members().map(|(name, value)| (plain(name), value)).collect();
            members.sort_by(|one, other| one.0.cmp(&other.0));
            out.push('{');
            for (name, value) in members {
                out.push_str(&name);
                out.push(':');
                write(value, depth + 1, out);
                out.push(',');
            }
            out.push('}');
        }
        _ => out.push_str(&compact(json)),
    }
}

/// A string with as few escapes as can be; one that holds half a surrogate pair stays as it is.
fn plain(json: Json<'_>) -> String {
    match text(json) {
        Some(text) => quote(&text),
        None => String::from_utf8_lossy(json.raw()).into_owned(),
    }
}

/// What a string says, where it can be said in UTF-8.
pub(super) fn text(json: Json<'_>) -> Option<String> {
    let text = json.text()?;
    let damaged = text.contains(char::REPLACEMENT_CHARACTER) && !json.is_text(&text);
    let halved = text.contains(char::REPLACEMENT_CHARACTER) && memchr::memmem::find(json.raw(), b"\\u").is_some();
    (!damaged && !halved).then(|| text.into_owned())
}

/// A value on one line: whitespace outside of strings is left out, all else is as it was.
pub(super) fn compact(json: Json<'_>) -> String {
    let text = String::from_utf8_lossy(json.raw());
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in text.chars() {
        if !in_string && matches!(character, ' ' | '\n' | '\r' | '\t') {
            continue;
        }
        in_string ^= character == '"' && !escaped;
        escaped = in_string && character == '\\' && !escaped;
        out.push(character);
    }
    out
}
