//! From lexemes to a tree. `or` binds least, then `and`, which may be left out, then `not`.

use std::iter::Peekable;
use std::ops::Range;

use super::FilterError;
use super::lex::{Lexeme, Lexer, Value};
use super::node::Node;
use super::pattern::Pattern;
use super::term::Term;
use super::word::Word;

/// How deep parentheses may be nested, so that neither reading nor matching needs much stack.
const DEEPEST: usize = 50;

type Lexed = (Lexeme, Range<usize>);

pub(super) fn parse(text: &str) -> Result<Option<Node>, FilterError> {
    let mut lexer = Lexer::new(text);
    let lexemes = std::iter::from_fn(|| lexer.next()).collect::<Result<Vec<_>, _>>()?;
    if lexemes.is_empty() {
        return Ok(None);
    }
    let mut parser = Parser { lexemes: lexemes.into_iter().peekable(), end: text.len(), depth: 0 };
    let node = parser.any()?;
    match parser.lexemes.next() {
        None => Ok(Some(node)),
        Some((_, range)) => fail(range, "this `)` closes nothing"),
    }
}

fn fail<T>(range: Range<usize>, message: impl Into<String>) -> Result<T, FilterError> {
    Err(FilterError { range, message: message.into() })
}

struct Parser {
    lexemes: Peekable<std::vec::IntoIter<Lexed>>,
    /// The length of the text.
    end: usize,
    depth: usize,
}

impl Parser {
    fn any(&mut self) -> Result<Node, FilterError> {
        let mut nodes = vec![self.all()?];
        while self.lexemes.next_if(|(lexeme, _)| *lexeme == Lexeme::Or).is_some() {
            nodes.push(self.all()?);
        }
        self.join(Node::any(nodes))
    }

    fn all(&mut self) -> Result<Node, FilterError> {
        let mut nodes = vec![self.one()?];
        loop {
            let has_and = self.lexemes.next_if(|(lexeme, _)| *lexeme == Lexeme::And).is_some();
            let ends = matches!(self.lexemes.peek(), None | Some((Lexeme::Or | Lexeme::Close, _)));
            if ends && !has_and {
                return self.join(Node::all(nodes));
            }
            nodes.push(self.one()?);
        }
    }

    /// A joined list is empty only when it was given nothing, which cannot be.
    fn join(&self, joined: Option<Node>) -> Result<Node, FilterError> {
        joined.map_or_else(|| fail(self.end..self.end, "something is missing here"), Ok)
    }

    fn one(&mut self) -> Result<Node, FilterError> {
        let mut is_opposite = false;
        let mut last = None;
        while let Some((_, range)) = self.lexemes.next_if(|(lexeme, _)| *lexeme == Lexeme::Not) {
            is_opposite = !is_opposite;
            last = Some(range);
        }
        let node = match self.lexemes.next() {
            Some((Lexeme::Open, range)) => self.group(&range)?,
            Some((Lexeme::Text(value), range)) => text(value, range)?,
            Some((Lexeme::Ask { word: Word::Header, operator: None, value }, range)) => header(value, range)?,
            Some((Lexeme::Ask { word, operator, value }, range)) => {
                Node::Term(Term::new(word, operator, value).or_else(|message| fail(range, message))?)
            }
            Some((Lexeme::And | Lexeme::Or | Lexeme::Not, range)) => {
                return fail(range, "something must stand on both sides; to look for the word, put it in quotes");
            }
            Some((Lexeme::Close, range)) => return fail(range, "something must stand before this `)`"),
            None if last.is_some() => return fail(self.end..self.end, "`not` needs something to its right"),
            None => return fail(self.end..self.end, "something must follow here"),
        };
        Ok(if is_opposite { node.opposite() } else { node })
    }

    fn group(&mut self, open: &Range<usize>) -> Result<Node, FilterError> {
        if self.depth == DEEPEST {
            return fail(open.clone(), format!("parentheses are nested more than {DEEPEST} deep"));
        }
        self.depth += 1;
        let node = self.any()?;
        self.depth -= 1;
        match self.lexemes.next() {
            Some((Lexeme::Close, _)) => Ok(node),
            Some((_, range)) => fail(range, "a `)` must stand before this"),
            None => fail(open.clone(), "this `(` is never closed"),
        }
    }
}

fn text(value: Value, range: Range<usize>) -> Result<Node, FilterError> {
    let pattern = match value {
        Value::Bare(text) | Value::Quoted(text) if text.is_empty() => Err("there is no text between the quotes".into()),
        Value::Bare(text) | Value::Quoted(text) => Pattern::text(&text),
        Value::Regex(source, flags) => Pattern::regex(&source, flags),
    };
    pattern.map(Node::Text).or_else(|message: String| fail(range, message))
}

fn header(value: Value, range: Range<usize>) -> Result<Node, FilterError> {
    Pattern::header(value).map(Node::Text).or_else(|message| fail(range, message))
}
