//! One server-sent event, read from its bytes as a browser does it.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// What one event says. Fields that the standard ignores read as "not there".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// Its `event`, when that is not empty; without one it is called `message`.
    pub name: Option<Cow<'a, str>>,
    /// Its `id`; empty when it takes the last id back.
    pub id: Option<Cow<'a, str>>,
    /// Its `retry`, in milliseconds.
    pub retry: Option<u64>,
    /// Its `data` lines joined with LF; `None` when it has none. Empty in a priming event (SE-004).
    pub data: Option<Cow<'a, [u8]>>,
    /// Whether an empty line ends it; without one it is never dispatched (SE-006).
    pub complete: bool,
    bytes: &'a [u8],
}

impl<'a> Event<'a> {
    /// Reads an event as [`Events`](super::Events) gives it out. A BOM at its start is passed over: that
    /// is where a stream may have one.
    pub fn read(bytes: &'a [u8]) -> Self {
        let mut event = Self { name: None, id: None, retry: None, data: None, complete: false, bytes };
        let mut lines = Lines::of(bytes);
        for line in &mut lines {
            if let Some((name, value)) = field(line) {
                event.field(name, value);
            }
        }
        event.complete = lines.complete;
        event
    }

    /// Its comments, without their colon and one space.
    pub fn comments(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        Lines::of(self.bytes).filter_map(|line| line.strip_prefix(b":").map(without_space))
    }

    fn field(&mut self, name: &[u8], value: &'a [u8]) {
        match name {
            b"data" => {
                self.data = Some(match self.data.take() {
                    None => Cow::Borrowed(value),
                    Some(before) => {
                        let mut joined = before.into_owned();
                        joined.push(b'\n');
                        joined.extend_from_slice(value);
                        Cow::Owned(joined)
                    }
                });
            }
            b"event" => self.name = Some(String::from_utf8_lossy(value)).filter(|name| !name.is_empty()),
            // SE-007: an id with a NUL is none, and a time that is no number neither.
            b"id" if memchr(0, value).is_none() => self.id = Some(String::from_utf8_lossy(value)),
            b"retry" => self.retry = number(value).or(self.retry),
            _ => {}
        }
    }
}

/// The data of an event, where its JSON-RPC message is; `None` without a `data` field, or when it is
/// empty: such an event is no message (SE-004).
pub fn data(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    Event::read(bytes).data.filter(|data| !data.is_empty())
}

fn number(value: &[u8]) -> Option<u64> {
    let is_number = value.iter().all(u8::is_ascii_digit);
    if is_number { std::str::from_utf8(value).ok()?.parse().ok() } else { None }
}

/// The name and value of a line that is no comment.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    match memchr(b':', line) {
        Some(0) => None,
        Some(colon) => Some((&line[..colon], without_space(&line[colon + 1..]))),
        None => Some((line, b"")),
    }
}

fn without_space(value: &[u8]) -> &[u8] {
    value.strip_prefix(b" ").unwrap_or(value)
}

/// Walks over the lines of an event, up to the empty line that ends it. Empty lines before its first
/// line are passed over.
struct Lines<'a> {
    rest: &'a [u8],
    begun: bool,
    /// Whether the empty line was seen.
    complete: bool,
}

impl<'a> Lines<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), begun: false, complete: false }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if self.rest.is_empty() || (self.begun && self.complete) {
                return None;
            }
            let Some(end) = memchr2(b'\r', b'\n', self.rest) else {
                self.complete = false;
                return Some(std::mem::take(&mut self.rest));
            };
            let line = &self.rest[..end];
            let width = if self.rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
            self.rest = &self.rest[end + width..];
            self.complete = line.is_empty();
            if !line.is_empty() {
                self.begun = true;
                return Some(line);
            }
        }
    }
}
