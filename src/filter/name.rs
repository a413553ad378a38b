//! A pattern for names (methods, tools, URIs): exact, with wildcards, or a regular expression.

use std::fmt;

use regex::Regex;

use super::lex::{Flags, Value};
use super::pattern::{build, quoted};

/// A pattern that must match a name as a whole; only a regular expression may match a part.
#[derive(Debug, Clone)]
pub(super) struct Name {
    how: How,
    /// As it was written, so that it can be printed.
    value: Value,
}

#[derive(Debug, Clone)]
enum How {
    /// The name itself.
    Exact {
        text: Box<str>,
        ignore_case: bool,
    },
    /// What stands before a `*` at the end.
    Prefix {
        text: Box<str>,
        ignore_case: bool,
    },
    Regex(Box<Regex>),
}

impl Name {
    /// The pattern that a value says; names without capitals match in either case.
    pub(super) fn new(value: Value) -> Result<Self, String> {
        let how = match &value {
            Value::Bare(text) if text.contains('*') => wild(text)?,
            Value::Bare(text) | Value::Quoted(text) => {
                How::Exact { text: text.as_str().into(), ignore_case: ignores_case(text) }
            }
            Value::Regex(source, flags) => How::Regex(Box::new(build(source, *flags, Regex::new)?)),
        };
        Ok(Self { how, value })
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        match &self.how {
            How::Exact { text, ignore_case: false } => name == &**text,
            How::Exact { text, ignore_case: true } => name.eq_ignore_ascii_case(text),
            How::Prefix { text, ignore_case } => name.as_bytes().get(..text.len()).is_some_and(|start| {
                if *ignore_case { start.eq_ignore_ascii_case(text.as_bytes()) } else { start == text.as_bytes() }
            }),
            How::Regex(regex) => regex.is_match(name),
        }
    }

    /// Whether it is cheap to match.
    pub(super) const fn is_plain(&self) -> bool {
        !matches!(self.how, How::Regex(_))
    }
}

fn wild(text: &str) -> Result<How, String> {
    let ignore_case = ignores_case(text);
    match text.strip_suffix('*') {
        Some(start) if !start.contains('*') => Ok(How::Prefix { text: start.into(), ignore_case }),
        _ => {
            let parts: Vec<_> = text.split('*').map(regex::escape).collect();
            let source = format!("^{}$", parts.join(".*"));
            let flags = Flags { ignore_case, dot_all: true, ..Flags::default() };
            Ok(How::Regex(Box::new(build(&source, flags, Regex::new)?)))
        }
    }
}

/// Whether a text without capitals was meant to match in either case.
pub(super) fn ignores_case(text: &str) -> bool {
    !text.contains(char::is_uppercase)
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            // A slash begins a regular expression as soon as one follows that ends it.
            Value::Bare(text) if text.starts_with('/') && text.contains('*') => {
                let parts: Vec<String> = text.split('*').map(|part| regex::escape(part).replace('/', "\\/")).collect();
                let letters = if ignores_case(text) { "is" } else { "s" };
                write!(f, "/^{}$/{letters}", parts.join(".*"))
            }
            Value::Bare(text) if text.starts_with('/') => f.write_str(&quoted(text)),
            Value::Bare(text) => f.write_str(text),
            Value::Quoted(text) => f.write_str(&quoted(text)),
            Value::Regex(source, flags) => write!(f, "/{source}/{flags}"),
        }
    }
}
