//! A text to look for in the bytes of messages.

use std::fmt;
use std::ops::Range;

use memchr::memmem::Finder;
use regex::bytes::Regex;

use super::lex::{Flags, Value};
use super::name::ignores_case;
use crate::model::EntryKind;

/// A text or a regular expression to look for in bytes as they were on the wire.
#[derive(Debug, Clone)]
pub struct Pattern {
    how: How,
    number: usize,
    /// Only HTTP heads are looked at.
    heads_only: bool,
    /// As it is written in a filter.
    written: Box<str>,
}

#[derive(Debug, Clone)]
enum How {
    /// Bytes as they are.
    Bytes(Box<Finder<'static>>),
    Regex(Box<Regex>),
}

impl Pattern {
    /// Looks for `text`, in either case when it has no capitals. It is found as it is and as JSON may
    /// have escaped it: `é` also where a server sent `\u00e9`, `say "hi"` also as `say \"hi\"`.
    pub(super) fn text(text: &str) -> Result<Self, String> {
        let ignore_case = ignores_case(text);
        let is_plain = text.bytes().all(|byte| byte.is_ascii() && !b"\"\\/\n\r\t".contains(&byte));
        let has_letters = text.bytes().any(|byte| byte.is_ascii_alphabetic());
        let how = if is_plain && !(ignore_case && has_letters) {
            How::Bytes(Box::new(Finder::new(text.as_bytes()).into_owned()))
        } else {
            let source: String = text.chars().map(|character| as_sent(character, ignore_case)).collect();
            let flags = Flags { ignore_case: ignore_case && has_letters, bytes_only: true, ..Flags::default() };
            How::Regex(Box::new(build(&source, flags, Regex::new)?))
        };
        Ok(Self { how, number: 0, heads_only: false, written: quoted(text).into() })
    }

    /// Looks for a regular expression.
    pub(super) fn regex(source: &str, flags: Flags) -> Result<Self, String> {
        let regex = build(source, flags, Regex::new)?;
        let written = format!("/{source}/{flags}").into();
        Ok(Self { how: How::Regex(Box::new(regex)), number: 0, heads_only: false, written })
    }

    /// Looks for a text in HTTP heads, in either case: names of fields have none, and who looks for a value
    /// wants it found. Around a colon there may be spaces; `^` and `$` match at each line.
    pub(super) fn header(value: Value) -> Result<Self, String> {
        let (source, written) = match value {
            Value::Bare(text) | Value::Quoted(text) if text.is_empty() => return Err("there is no text".to_owned()),
            Value::Bare(text) => (spaced(&text), text),
            Value::Quoted(text) => (spaced(&text), quoted(&text)),
            Value::Regex(source, flags) => {
                let written = format!("/{source}/{flags}");
                (format!("(?R){source}"), written)
            }
        };
        let flags = Flags { ignore_case: true, multi_line: true, ..Flags::default() };
        let regex = build(&source, flags, Regex::new)?;
        let written = format!("header:{written}").into();
        Ok(Self { how: How::Regex(Box::new(regex)), number: 0, heads_only: true, written })
    }

    /// Whether it looks into entries of this kind.
    pub fn reads(&self, kind: EntryKind) -> bool {
        !self.heads_only || kind == EntryKind::Head
    }

    /// Its index among the texts of its filter, so that what was found can be kept by number.
    pub const fn number(&self) -> usize {
        self.number
    }

    pub(super) const fn set_number(&mut self, number: usize) {
        self.number = number;
    }

    /// Whether it is in `bytes`.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        match &self.how {
            How::Bytes(finder) => finder.find(bytes).is_some(),
            How::Regex(regex) => regex.is_match(bytes),
        }
    }

    /// Where it stands in `bytes`, for highlighting; matches of nothing are left out.
    pub fn ranges(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        match &self.how {
            How::Bytes(finder) => {
                let length = finder.needle().len();
                finder.find_iter(bytes).map(|at| at..at + length).filter(|range| !range.is_empty()).collect()
            }
            How::Regex(regex) => {
                regex.find_iter(bytes).map(|found| found.range()).filter(|range| !range.is_empty()).collect()
            }
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// A regular expression for a text in a head.
fn spaced(text: &str) -> String {
    let parts: Vec<String> = text.split(':').map(|part| regex::escape(part.trim())).collect();
    parts.join(r"[ \t]*:[ \t]*")
}

/// A regular expression for one character as it is or as JSON escapes it.
fn as_sent(character: char, ignore_case: bool) -> String {
    let escaped = match character {
        '"' | '/' | '\\' => return format!("\\\\?{}", regex::escape(&character.to_string())),
        '\n' => "\\\\n".to_owned(),
        '\r' => "\\\\r".to_owned(),
        '\t' => "\\\\t".to_owned(),
        ascii if ascii.is_ascii() => return regex::escape(&ascii.to_string()),
        other => {
            let mut units = [0; 2];
            let units = other.encode_utf16(&mut units).iter();
            units.map(|unit| format!("\\\\u(?i:{unit:04x})")).collect()
        }
    };
    // Case is folded for ASCII only, so that text is looked for at the speed of bytes; the one other
    // form of a letter is worth its price.
    let other_case: String = if ignore_case { character.to_uppercase().collect() } else { String::new() };
    if other_case.chars().count() == 1 && !other_case.contains(character) {
        return format!("(?:{character}|{other_case}|{escaped}|{})", as_sent_capital(&other_case));
    }
    format!("(?:{character}|{escaped})")
}

fn as_sent_capital(capital: &str) -> String {
    capital.encode_utf16().map(|unit| format!("\\\\u(?i:{unit:04x})")).collect()
}

/// Builds a regular expression, with a message that fits after "the regular expression ".
pub(super) fn build<R>(source: &str, flags: Flags, new: impl Fn(&str) -> Result<R, regex::Error>) -> Result<R, String> {
    let mut letters = String::new();
    letters.extend(flags.ignore_case.then_some('i'));
    letters.extend(flags.dot_all.then_some('s'));
    letters.extend(flags.multi_line.then_some('m'));
    letters.extend(flags.bytes_only.then_some("-u").into_iter().flat_map(str::chars));
    let source = if letters.is_empty() { source.to_owned() } else { format!("(?{letters}){source}") };
    new(&source).map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
        other => {
            // The crate draws a picture over several lines; the last one says what is wrong.
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            format!("the regular expression cannot be read: {}", last.trim_start_matches("error: "))
        }
    })
}

/// A text in quotes as the language reads it back.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
