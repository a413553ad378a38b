//! The tokens of one line of the layout, for colouring.

use std::ops::Range;

use super::{Pretty, PrettyLine};
use crate::wire::scan::skip;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// A member's name, quotes included.
    Key,
    /// A string, quotes included.
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
    /// One of `{`, `}`, `[`, `]`, `:` and `,`.
    Punctuation,
}

/// The tokens of one line; see [`Pretty::tokens`]. Whitespace lies between them.
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
    /// Whether the next string is a name because the line begins with one.
    name_first: bool,
    /// Whether the line has more than one value: a small container.
    inside: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(pretty: &'a Pretty, index: usize) -> Self {
        let none = PrettyLine { start: 0, end: 0, depth: 0, fold: None, bits: 0 };
        let line = pretty.lines.get(index).copied().unwrap_or(none);
        let at = line.start + line.indent();
        Self { text: pretty.text.as_bytes(), at, end: line.end, name_first: line.is_member(), inside: false }
    }

    fn token(&mut self, byte: u8) -> (usize, Token) {
        match byte {
            b'{' | b'[' => {
                self.inside = true;
                (self.at + 1, Token::Punctuation)
            }
            b'}' | b']' | b':' | b',' => (self.at + 1, Token::Punctuation),
            b'"' => self.string(),
            b't' | b'f' | b'n' => (self.word(), Token::Literal),
            _ => (self.word(), Token::Number),
        }
    }

    /// A string that is the line's only value goes to the line's end, so it need not be read; it may
    /// have megabytes.
    fn string(&mut self) -> (usize, Token) {
        if self.inside || self.name_first {
            let end = self.word();
            let is_name = std::mem::take(&mut self.name_first) || self.text.get(end) == Some(&b':');
            return (end, if is_name { Token::Key } else { Token::String });
        }
        let has_comma = self.text[self.end - 1] == b',';
        (self.end - usize::from(has_comma), Token::String)
    }

    fn word(&self) -> usize {
        skip(&self.text[..self.end], self.at)
    }
}

impl Iterator for Tokens<'_> {
    /// The range in the text, and what stands there.
    type Item = (Range<usize>, Token);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.end && self.text[self.at] == b' ' {
            self.at += 1;
        }
        let byte = *self.text[..self.end].get(self.at)?;
        let (end, token) = self.token(byte);
        let range = self.at..end;
        self.at = end;
        Some((range, token))
    }
}
