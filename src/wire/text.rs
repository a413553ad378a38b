//! The escapes of JSON strings: put in when a literal is written, undone when a text is read.

use std::fmt::Write as _;

use super::scan::plain;

/// A string as a JSON literal, quotes included. U+0085, U+2028 and U+2029 are escaped as well, since
/// some readers of lines take them for line ends.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..'\x20' | '\x7F'..'\u{A0}' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Undoes the escapes of a valid string.
pub(super) fn decode(inner: &[u8]) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let end = plain_run(inner, at);
        out.push_str(&String::from_utf8_lossy(&inner[at..end]));
        at = end;
        if inner.get(at) == Some(&b'\\') {
            at = escape(inner, at, &mut out);
        }
    }
    out
}

/// The end of the run without escapes. In a valid string only a backslash ends it.
fn plain_run(inner: &[u8], at: usize) -> usize {
    let end = plain(inner, at);
    if matches!(inner.get(end), None | Some(b'\\')) { end } else { end + 1 }
}

/// Undoes the escape at `at` and returns where the text goes on.
fn escape(inner: &[u8], at: usize, out: &mut String) -> usize {
    let plain = match inner.get(at + 1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\x08',
        Some(b'f') => '\x0C',
        Some(b'u') => return unicode(inner, at, out),
        Some(&other) => char::from(other),
        None => char::REPLACEMENT_CHARACTER,
    };
    out.push(plain);
    at + 2
}

fn unicode(inner: &[u8], at: usize, out: &mut String) -> usize {
    let Some(first) = unit(inner, at) else {
        out.push(char::REPLACEMENT_CHARACTER);
        return inner.len();
    };
    if let Some(second) = unit(inner, at + 6)
        && let Some(Ok(pair)) = char::decode_utf16([first, second]).next()
        && first & 0xF800 == 0xD800
    {
        out.push(pair);
        return at + 12;
    }
    out.push(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER));
    at + 6
}

/// The UTF-16 unit of a `\uXXXX` at `at`, if there is one.
fn unit(inner: &[u8], at: usize) -> Option<u16> {
    let digits = inner.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
