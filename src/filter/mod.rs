//! The filter language: one language for the window, the command line and, later, intercept rules.
//! It judges facts that it is given; it fetches nothing and knows nothing of recordings.
//!
//! ```text
//! method:tools/call latency>200ms          both must hold (`and` may be left out)
//! is:error or is:pending                   either
//! not from:server   -tool:echo             negation
//! (is:late or is:cancelled) size>1MB       grouping
//! tool:search_*   method:/^tools/          wildcards and regular expressions for names
//! status>=400   header:mcp-session-id     the HTTP status; text in the heads alone
//! timeout  "two words"  /time(d )?out/i    text anywhere in the bytes of a message
//! ```
//!
//! [`Word`] lists the words before the colon. Names must match as a whole; `*` stands for any part.
//! Text and names without capitals match in either case. Text is found as sent and as JSON escapes it.

mod complete;
mod facts;
mod lex;
mod name;
mod node;
mod parse;
mod pattern;
mod quantity;
mod term;
mod word;

use std::fmt;
use std::ops::Range;

pub use complete::{Completion, Vocabulary, complete};
pub use facts::{Facts, Is};
pub use pattern::Pattern;
pub use word::Word;

use node::Node;

/// A filter, ready to judge rows. Its text form is a filter that means the same.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// `None` matches everything.
    root: Option<Node>,
}

/// Why a text is no filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FilterError {
    /// The bytes of the text that are at fault; empty at its end when something is missing.
    pub range: Range<usize>,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl Filter {
    /// Reads a filter. Nothing but whitespace is the filter that matches everything.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let mut root = parse::parse(text)?;
        if let Some(root) = &mut root {
            root.number(0);
        }
        Ok(Self { root })
    }

    /// Whether it matches everything because nothing was asked for.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Whether it looks for text, so that bytes must be read.
    pub fn needs_text(&self) -> bool {
        self.root.as_ref().is_some_and(Node::needs_text)
    }

    /// Whether a row matches. `text` is asked, after all cheaper questions, whether a pattern is in the
    /// row's bytes.
    pub fn matches(&self, facts: &Facts<'_>, text: &mut dyn FnMut(&Pattern) -> bool) -> bool {
        self.root.as_ref().is_none_or(|root| root.matches(facts, text))
    }

    /// The texts that the messages of a matching row may contain, for highlighting; not those that they
    /// must not, and not those of HTTP heads.
    pub fn patterns(&self) -> Vec<&Pattern> {
        let mut found = Vec::new();
        if let Some(root) = &self.root {
            root.patterns(true, &mut found);
        }
        found
    }

    /// All texts that [`Filter::matches`] may ask for, each at the index that is its
    /// [`Pattern::number`].
    pub fn texts(&self) -> Vec<&Pattern> {
        let mut found = Vec::new();
        if let Some(root) = &self.root {
            root.texts(&mut found);
        }
        found
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.as_ref().map_or(Ok(()), |root| root.fmt(f))
    }
}

#[cfg(test)]
mod tests;
