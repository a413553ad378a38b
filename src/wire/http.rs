//! The head of an HTTP/1 message as the exact bytes that it was sent as (RFC 9112): its first line, its
//! fields in their order and spelling, and what it says about the body that follows. Also trailers, which
//! are fields without a first line. It reads no body and knows nothing of connections.
//!
//! Two ways of reading: [`Head::parse`] is for a connection, where a head that two parties may understand
//! differently must be refused; [`Head::read`] is for a recording, where everything can be read somehow.

mod fault;
mod fields;
mod length;
mod writer;

use std::borrow::Cow;

use memchr::memchr;

pub use fault::HeadFault;
pub use fields::Field;
pub use length::{BodyLength, request_length, response_length};
pub use writer::HeadWriter;

use fields::Fields;

/// The most bytes that a head may have. Servers that people use take 8 to 64 KiB.
pub const LONGEST_HEAD: usize = 256 * 1024;

/// One head: its bytes, and where the parts of its first line are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    raw: Vec<u8>,
    start: Start,
    /// Where the fields begin.
    fields: usize,
}

/// What the first line says. Ranges point into the head's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Start {
    Request { method: (usize, usize), target: (usize, usize), minor: u8 },
    Response { status: u16, reason: (usize, usize), minor: u8 },
    Trailers,
}

impl Head {
    /// The first head in `bytes`; `None` when more is needed. `raw().len()` bytes were used; empty lines
    /// before the first line count, as a server passes over them (RFC 9112 2.2).
    ///
    /// Call it again with all the bytes when more have come; that costs one search for the end. What real
    /// servers get wrong is let through (bare LF, folded lines, a space before the colon, lines that are no
    /// fields); in a request the last three are refused, since whoever stands behind may read them otherwise.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, HeadFault> {
        let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len());
        let Some(end) = end(&bytes[start..]) else {
            fault::early(&bytes[start..])?;
            return if bytes.len() > LONGEST_HEAD { Err(HeadFault::TooLong) } else { Ok(None) };
        };
        if start + end > LONGEST_HEAD {
            return Err(HeadFault::TooLong);
        }
        fault::check(&bytes[start..start + end])?;
        Ok(Some(Self::read(&bytes[..start + end])))
    }

    /// A head as it was recorded, whatever state it is in; also trailers. Never fails: what has no first
    /// line of a request or a response is read as trailers.
    pub fn read(bytes: &[u8]) -> Self {
        let first = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len());
        let line_end = memchr(b'\n', &bytes[first..]).map_or(bytes.len(), |at| first + at + 1);
        let line = trim_end(&bytes[first..line_end]);
        let start = Start::read(line, first);
        let fields = if start == Start::Trailers { 0 } else { line_end };
        Self { raw: bytes.to_vec(), start, fields }
    }

    /// All its bytes, from before the first line to behind the empty line.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Whether it is a request's.
    pub fn is_request(&self) -> bool {
        matches!(self.start, Start::Request { .. })
    }

    /// Whether it has no first line: the trailers behind a body.
    pub fn is_trailers(&self) -> bool {
        self.start == Start::Trailers
    }

    /// A request's method; empty when it is not a request.
    pub fn method(&self) -> &str {
        match self.start {
            Start::Request { method, .. } => self.slice(method),
            _ => "",
        }
    }

    /// A request's target, as sent: a path with its query, a whole URL (to a proxy), `host:port` (CONNECT)
    /// or `*`; empty when it is not a request.
    pub fn target(&self) -> &str {
        match self.start {
            Start::Request { target, .. } => self.slice(target),
            _ => "",
        }
    }

    /// A response's status; `None` when it is not a response.
    pub fn status(&self) -> Option<u16> {
        match self.start {
            Start::Response { status, .. } => Some(status),
            _ => None,
        }
    }

    /// A response's reason phrase; empty when there is none.
    pub fn reason(&self) -> &str {
        match self.start {
            Start::Response { reason, .. } => self.slice(reason),
            _ => "",
        }
    }

    /// The second number of the version: 1 for `HTTP/1.1`, 0 for `HTTP/1.0`, 1 for trailers.
    pub fn minor(&self) -> u8 {
        match self.start {
            Start::Request { minor, .. } | Start::Response { minor, .. } => minor,
            Start::Trailers => 1,
        }
    }

    /// The first line with its line end; empty for trailers.
    pub fn start_line(&self) -> &[u8] {
        &self.raw[..self.fields]
    }

    /// The fields in their order. A line that is no field is given with an empty name.
    pub fn fields(&self) -> impl Iterator<Item = Field<'_>> {
        Fields::new(&self.raw[self.fields..])
    }

    /// The value of the first field with this name, in any case.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.fields().find(|field| field.is(name)).map(|field| field.value)
    }

    /// The values of all fields with this name, in any case, in their order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.fields().filter(|field| field.is(name)).map(|field| field.value)
    }

    /// The value of the first field with this name as text; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(String::from_utf8_lossy)
    }

    /// The range as text; what is not UTF-8 at its end is left out.
    fn slice(&self, (from, to): (usize, usize)) -> &str {
        let bytes = &self.raw[from..to];
        std::str::from_utf8(bytes)
            .or_else(|fault| std::str::from_utf8(&bytes[..fault.valid_up_to()]))
            .unwrap_or_default()
    }
}

impl Start {
    /// Reads a first line without its line end; `at` is where it begins.
    fn read(line: &[u8], at: usize) -> Self {
        let words = Words::of(line);
        if let Some(minor) = version(words.first) {
            return match words.second {
                [a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
                    let status = [a, b, c].iter().fold(0, |sum, digit| sum * 10 + u16::from(**digit - b'0'));
                    Self::Response { status, reason: (at + words.third_at, at + line.len()), minor }
                }
                _ => Self::Trailers,
            };
        }
        let end = line.len() - line.iter().rev().take_while(|byte| **byte == b' ').count();
        let last = line[..end].iter().rposition(|byte| *byte == b' ').map_or(0, |space| space + 1);
        match version(&line[last..end]) {
            Some(minor) if !words.first.is_empty() && !words.first.contains(&b':') && last >= words.second_at => {
                let target_end = last.saturating_sub(1).max(words.second_at);
                Self::Request {
                    method: (at, at + words.first.len()),
                    target: (at + words.second_at, at + target_end),
                    minor,
                }
            }
            _ => Self::Trailers,
        }
    }
}

/// The words of a first line.
struct Words<'a> {
    first: &'a [u8],
    second: &'a [u8],
    second_at: usize,
    third_at: usize,
}

impl<'a> Words<'a> {
    fn of(line: &'a [u8]) -> Self {
        let end = |from: usize| memchr(b' ', &line[from..]).map_or(line.len(), |at| from + at);
        let next = |from: usize| from + line[from..].iter().take_while(|byte| **byte == b' ').count();
        let first = end(0);
        let second_at = next(first);
        let second = end(second_at);
        Self { first: &line[..first], second: &line[second_at..second], second_at, third_at: next(second) }
    }
}

/// The minor number of a version such as `HTTP/1.1`; of one without it, such as `HTTP/2`, 0.
fn version(word: &[u8]) -> Option<u8> {
    let numbers = word.strip_prefix(b"HTTP/")?;
    match numbers {
        [major] if major.is_ascii_digit() => Some(0),
        [major, b'.', minor] if major.is_ascii_digit() && minor.is_ascii_digit() => Some(minor - b'0'),
        _ => None,
    }
}

/// Where the head ends: behind its first empty line.
fn end(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = memchr(b'\n', &bytes[from..]) {
        from += at + 1;
        match &bytes[from..] {
            [b'\n', ..] => return Some(from + 1),
            [b'\r', b'\n', ..] => return Some(from + 2),
            _ => {}
        }
    }
    None
}

/// A line without its line end.
fn trim_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests;
