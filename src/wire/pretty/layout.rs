//! The writing of the layout: one walk over JSON that is known to be valid, without recursion.

use super::{Pretty, PrettyLine};
use crate::wire::Json;
use crate::wire::scan::{skip, skip_space};

/// A container of scalars stays on one line when it takes no more than this.
const SMALL: usize = 60;

/// Where the layout stops, so that a hostile body cannot take gigabytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) lines: usize,
    /// Bytes of text.
    pub(super) text: usize,
}

impl Limits {
    /// Four million lines take 128 MB, and a body of 64 MiB with any content seldom reaches the second.
    pub(super) const USUAL: Self = Self { lines: 4_000_000, text: 256 << 20 };
}

const SPACES: &str = match std::str::from_utf8(&[b' '; 2 * PrettyLine::DEEPEST_INDENT as usize]) {
    Ok(spaces) => spaces,
    Err(_) => "",
};

pub(super) fn lay_out(json: Json<'_>, limits: Limits) -> Pretty {
    let bytes = json.raw();
    let mut layout = Layout {
        bytes,
        text: std::str::from_utf8(bytes).ok(),
        at: 0,
        out: Pretty { text: String::with_capacity(bytes.len() + bytes.len() / 4), ..Pretty::default() },
        open: Vec::new(),
        start: 0,
        bits: 0,
        limits,
    };
    layout.run();
    layout.out
}

/// A container whose end has not been reached.
struct Open {
    /// The line that opens it.
    line: u32,
    children: u32,
    is_object: bool,
}

struct Layout<'a> {
    bytes: &'a [u8],
    /// The same as text, when all of it is UTF-8.
    text: Option<&'a str>,
    /// Where the source is read next.
    at: usize,
    out: Pretty,
    open: Vec<Open>,
    /// Where the current line begins.
    start: usize,
    /// The bits of the current line.
    bits: u32,
    limits: Limits,
}

impl Layout<'_> {
    fn run(&mut self) {
        loop {
            let is_complete = self.value();
            if self.out.left_out > 0 || (is_complete && !self.after_value()) {
                break;
            }
        }
        self.end_line();
    }

    /// Writes the value at hand; of a container that takes several lines only its opening. True when
    /// the value is complete.
    fn value(&mut self) -> bool {
        let byte = self.bytes.get(self.at).copied();
        let is_object = byte == Some(b'{');
        if !is_object && byte != Some(b'[') {
            self.copy_token();
            return true;
        }
        if let Some(end) = self.small_end() {
            self.write_small(end);
            return true;
        }
        self.out.text.push(if is_object { '{' } else { '[' });
        self.open.push(Open { line: self.out.lines.len() as u32, children: 1, is_object });
        self.at = skip_space(self.bytes, self.at + 1);
        self.next_child();
        false
    }

    /// Writes what follows a complete value, up to the start of the next. False at the end.
    fn after_value(&mut self) -> bool {
        while let Some(open) = self.open.last_mut() {
            self.at = skip_space(self.bytes, self.at);
            if self.bytes.get(self.at) == Some(&b',') {
                open.children += 1;
                self.out.text.push(',');
                self.at = skip_space(self.bytes, self.at + 1);
                self.next_child();
                return self.out.left_out == 0;
            }
            self.at += 1;
            self.close();
        }
        false
    }

    /// Starts the line of a member or an item, and writes the member's name; or stops at the limit.
    fn next_child(&mut self) {
        if self.out.lines.len() >= self.limits.lines || self.out.text.len() >= self.limits.text {
            self.out.left_out = self.bytes.len() - self.at;
            return;
        }
        self.end_line();
        self.begin_line();
        if self.open.last().is_some_and(|open| open.is_object) {
            self.bits |= PrettyLine::MEMBER;
            self.name();
        }
    }

    fn name(&mut self) {
        self.copy_token();
        self.out.text.push_str(": ");
        self.at = skip_space(self.bytes, self.at);
        self.at = skip_space(self.bytes, self.at + 1);
    }

    fn close(&mut self) {
        self.end_line();
        let Some(open) = self.open.pop() else { return };
        self.begin_line();
        self.bits |= PrettyLine::CLOSER;
        self.out.text.push(if open.is_object { '}' } else { ']' });
        let closer = self.out.lines.len() as u32;
        if let Some(opener) = self.out.lines.get_mut(open.line as usize) {
            opener.fold = Some(closer);
            opener.bits |= open.children << PrettyLine::CHILDREN;
        }
    }

    fn begin_line(&mut self) {
        self.out.text.push('\n');
        self.start = self.out.text.len();
        let indent = (2 * self.open.len()).min(SPACES.len());
        self.out.text.push_str(&SPACES[..indent]);
    }

    fn end_line(&mut self) {
        let opens = self.open.last().is_some_and(|open| open.line as usize == self.out.lines.len());
        let depth = self.open.len() - usize::from(opens);
        let end = self.out.text.len();
        let line = PrettyLine { start: self.start, end, depth: depth as u32, fold: None, bits: self.bits };
        self.out.lines.push(line);
        self.bits = 0;
    }

    fn copy_token(&mut self) {
        let end = skip(self.bytes, self.at);
        match self.text {
            Some(text) => self.out.text.push_str(&text[self.at..end]),
            None => self.out.text.push_str(&String::from_utf8_lossy(&self.bytes[self.at..end])),
        }
        self.at = end;
    }

    /// Where the container at hand ends, when it is small enough for one line. It looks ahead no
    /// further than that takes, so that the whole stays linear.
    fn small_end(&self) -> Option<usize> {
        let inside = skip_space(self.bytes, self.at + 1);
        if matches!(self.bytes[inside], b'}' | b']') {
            return Some(inside + 1);
        }
        if self.open.is_empty() {
            return None;
        }
        let horizon = (self.at + 4 * SMALL).min(self.bytes.len());
        let (mut at, mut width) = (self.at + 1, "{  }".len());
        while at < horizon {
            match self.bytes[at] {
                b' ' | b'\n' | b'\r' | b'\t' => at += 1,
                b'}' | b']' => return Some(at + 1),
                b',' | b':' => (at, width) = (at + 1, width + 2),
                b'{' | b'[' => {
                    let end = skip_space(&self.bytes[..horizon], at + 1);
                    if !matches!(self.bytes.get(end), Some(b'}' | b']')) {
                        return None;
                    }
                    (at, width) = (end + 1, width + 2);
                }
                _ => {
                    let end = skip(&self.bytes[..horizon], at);
                    (at, width) = (end, width + end - at);
                }
            }
            if width > SMALL {
                return None;
            }
        }
        None
    }

    /// Writes the container that ends at `end` on the current line.
    fn write_small(&mut self, end: usize) {
        let is_padded = self.bytes[self.at] == b'{' && skip_space(self.bytes, self.at + 1) + 1 < end;
        self.out.text.push(char::from(self.bytes[self.at]));
        self.at += 1;
        if is_padded {
            self.out.text.push(' ');
        }
        loop {
            self.at = skip_space(self.bytes, self.at);
            if self.at + 1 == end {
                break;
            }
            match self.bytes[self.at] {
                byte @ (b',' | b':') => self.out.text.extend([char::from(byte), ' ']),
                byte @ (b'{' | b'[' | b'}' | b']') => self.out.text.push(char::from(byte)),
                _ => {
                    self.copy_token();
                    continue;
                }
            }
            self.at += 1;
        }
        if is_padded {
            self.out.text.push(' ');
        }
        self.out.text.push(char::from(self.bytes[self.at]));
        self.at = end;
    }
}
