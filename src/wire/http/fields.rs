//! The fields of a head, found in its bytes when they are asked for: names and values as sent, folded
//! lines with the field that they continue.

use memchr::{memchr, memchr2};

use super::trim_end;

/// One field of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its name, in the case in which it was sent; empty when the line is no field (it has no colon).
    pub name: &'a [u8],
    /// Its value without the spaces around it. That of folded lines has the line ends in it.
    pub value: &'a [u8],
    /// The whole line, or the lines when it is folded, with the line end.
    pub raw: &'a [u8],
}

impl<'a> Field<'a> {
    /// Whether this is its name, in any case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    fn read(raw: &'a [u8]) -> Self {
        let line = trim_end(raw);
        match memchr(b':', line) {
            Some(colon) => Self { name: line[..colon].trim_ascii(), value: line[colon + 1..].trim_ascii(), raw },
            None => Self { name: b"", value: line.trim_ascii(), raw },
        }
    }
}

/// Walks over the fields of a head, up to its empty line.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Begins behind the first line.
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        if matches!(self.rest, [] | [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r']) {
            return None;
        }
        let mut end = line_end(self.rest, 0);
        while matches!(self.rest.get(end), Some(b' ' | b'\t')) {
            end = line_end(self.rest, end);
        }
        let (raw, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Field::read(raw))
    }
}

/// Where the line that begins at `from` ends, its line end included.
fn line_end(bytes: &[u8], from: usize) -> usize {
    memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |at| from + at + 1)
}

/// Whether `bytes` could stand in a field's value without ending the line.
pub(super) fn fits_a_line(bytes: &[u8]) -> bool {
    memchr2(b'\r', b'\n', bytes).is_none() && memchr(0, bytes).is_none()
}
