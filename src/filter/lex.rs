//! The text of a filter as a row of lexemes.

use std::fmt;
use std::ops::Range;

use super::FilterError;
use super::quantity::Operator;
use super::word::{Word, nearest};

/// One lexeme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lexeme {
    Open,
    Close,
    And,
    Or,
    Not,
    /// A text to look for.
    Text(Value),
    /// A question about a fact. `:` has no operator of its own.
    Ask {
        word: Word,
        operator: Option<Operator>,
        value: Value,
    },
}

/// A value as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Bare(String),
    Quoted(String),
    Regex(String, Flags),
}

/// The letters after a regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flags {
    /// `i`
    pub(super) ignore_case: bool,
    /// `s`: the dot matches line ends too.
    pub(super) dot_all: bool,
    /// `m`: `^` and `$` match at lines.
    pub(super) multi_line: bool,
    /// Not written: bytes rather than characters.
    pub(super) bytes_only: bool,
}

impl Flags {
    fn from_letters(letters: &str) -> Option<Self> {
        let mut flags = Self::default();
        for letter in letters.chars() {
            match letter {
                'i' => flags.ignore_case = true,
                's' => flags.dot_all = true,
                'm' => flags.multi_line = true,
                _ => return None,
            }
        }
        Some(flags)
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = [(self.ignore_case, "i"), (self.dot_all, "s"), (self.multi_line, "m")];
        letters.iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, letter)| f.write_str(letter))
    }
}

/// Reads lexemes, each with its range in the text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

type Lexed = Result<Lexeme, FilterError>;

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next lexeme; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Result<(Lexeme, Range<usize>), FilterError>> {
        self.space();
        let start = self.at;
        let first = self.rest().chars().next()?;
        let lexeme = match first {
            '(' => self.single(Lexeme::Open),
            ')' => self.single(Lexeme::Close),
            '-' if self.negates() => self.single(Lexeme::Not),
            '"' => self.quoted().map(Lexeme::Text),
            '/' => self.regex().map(Lexeme::Text),
            _ => self.word(),
        };
        Some(lexeme.map(|lexeme| (lexeme, start..self.at)))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn single(&mut self, lexeme: Lexeme) -> Lexed {
        self.at += 1;
        Ok(lexeme)
    }

    /// Whether a `-` takes back what follows, rather than being part of a number or an option's name.
    fn negates(&self) -> bool {
        let next = self.rest().chars().nth(1);
        next.is_some_and(|next| !next.is_whitespace() && !next.is_ascii_digit() && next != '-' && next != ')')
    }

    fn fail<T>(range: Range<usize>, message: impl Into<String>) -> Result<T, FilterError> {
        Err(FilterError { range, message: message.into() })
    }

    /// A text in quotes. Only `\"` and `\\` are escapes, so that JSON can be pasted as it is.
    fn quoted(&mut self) -> Result<Value, FilterError> {
        let start = self.at;
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1).peekable();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.at = start + at + 1;
                    self.ends_here("a closing quote")?;
                    return Ok(Value::Quoted(text));
                }
                '\\' => match characters.next_if(|(_, next)| matches!(next, '"' | '\\')) {
                    Some((_, next)) => text.push(next),
                    None => text.push('\\'),
                },
                other => text.push(other),
            }
        }
        Self::fail(start..self.text.len(), "the closing quote is missing")
    }

    fn regex(&mut self) -> Result<Value, FilterError> {
        let start = self.at;
        let Some((source, letters)) = self.slashes() else {
            let range = start..self.text.len();
            return Self::fail(range, "the closing `/` is missing; to look for a text with slashes, put it in quotes");
        };
        let end = self.at + source.len() + 2;
        let Some(flags) = Flags::from_letters(letters) else {
            let message = format!("`{letters}` after a regular expression is none of i, s, m; a path goes in quotes");
            return Self::fail(end..end + letters.len(), message);
        };
        self.at = end + letters.len();
        Ok(Value::Regex(source.to_owned(), flags))
    }

    /// What stands between slashes, and what follows up to the end of the word.
    fn slashes(&self) -> Option<(&'a str, &'a str)> {
        let inner = self.rest().strip_prefix('/')?;
        let mut escaped = false;
        let end = inner.find(|character: char| {
            let closes = character == '/' && !escaped;
            escaped = character == '\\' && !escaped;
            closes
        })?;
        let after = &inner[end + 1..];
        let letters = after.find(ends_bare).map_or(after, |length| &after[..length]);
        (end > 0).then_some((&inner[..end], letters))
    }

    fn ends_here(&self, what: &str) -> Result<(), FilterError> {
        match self.rest().chars().next() {
            Some(next) if !ends_bare(next) => {
                let message = format!("a space must follow {what}; a quote inside quotes is written \\\"");
                Self::fail(self.at..self.at + next.len_utf8(), message)
            }
            _ => Ok(()),
        }
    }

    fn bare(&mut self) -> &'a str {
        let rest = self.rest();
        let bare = rest.find(ends_bare).map_or(rest, |end| &rest[..end]);
        self.at += bare.len();
        bare
    }

    /// A word by itself, or a question about a fact.
    fn word(&mut self) -> Lexed {
        let start = self.at;
        let rest = self.rest();
        let name = &rest[..rest.find(|c: char| !(c.is_ascii_alphabetic() || c == '_')).unwrap_or(rest.len())];
        let word = Word::from_text(name);
        self.at += name.len();
        if word.is_some_and(|word| word.measure().is_some()) {
            let before = self.at;
            self.space();
            if Operator::ALL.iter().all(|(text, _)| !self.rest().starts_with(text)) {
                self.at = before;
            }
        }
        let has_colon = self.rest().starts_with(':');
        self.at += usize::from(has_colon);
        let operator = Operator::ALL.iter().find(|(text, _)| self.rest().starts_with(text));
        self.at += operator.map_or(0, |(text, _)| text.len());
        if name.is_empty() || (!has_colon && operator.is_none()) {
            self.at = start;
            return Ok(self.bare_word());
        }
        let Some(word) = word else { return Self::fail(start..self.at, unknown(&self.text[start..self.at], name)) };
        self.ask(start, word, operator.map(|(_, operator)| *operator))
    }

    fn bare_word(&mut self) -> Lexeme {
        let bare = self.bare();
        match bare.to_ascii_lowercase().as_str() {
            "and" => Lexeme::And,
            "or" => Lexeme::Or,
            "not" => Lexeme::Not,
            _ => Lexeme::Text(Value::Bare(bare.to_owned())),
        }
    }

    fn ask(&mut self, start: usize, word: Word, operator: Option<Operator>) -> Lexed {
        if operator.is_some() && word.measure().is_some() {
            self.space();
        }
        let value = if self.rest().starts_with('"') {
            self.quoted()?
        } else if self.slashes().is_some_and(|(_, letters)| Flags::from_letters(letters).is_some()) {
            self.regex()?
        } else {
            Value::Bare(self.bare().to_owned())
        };
        if value == Value::Bare(String::new()) {
            let written = self.text[start..self.at].trim_end();
            return Self::fail(
                start..start + written.len(),
                format!("`{written}` needs a value, as in `{}`", word.example()),
            );
        }
        Ok(Lexeme::Ask { word, operator, value })
    }
}

/// Whether a character ends a word without quotes.
fn ends_bare(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')')
}

fn unknown(written: &str, name: &str) -> String {
    let words = Word::ALL.iter().map(|(_, text, ..)| *text);
    match nearest(name, words) {
        Some(near) => format!("unknown word `{written}`; did you mean `{}`?", written.replacen(name, near, 1)),
        None => format!("unknown word `{written}`; to look for it as text, put it in quotes"),
    }
}
