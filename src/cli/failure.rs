//! Why a mode could not do what was asked, as it is said once, at the very end.

use std::error::Error;
use std::io;

/// What stopped a mode.
#[derive(Debug)]
pub(super) enum Failure {
    /// Something went wrong, in whole sentences.
    Said(String),
    /// Whoever read our stdout has gone: no reason to complain, `| head` does it.
    Closed,
}

impl Failure {
    /// The failure that an error stands for: "failed to" and the error, then its causes as far as
    /// they are not in its text already.
    pub(super) fn of(error: &dyn Error) -> Self {
        let mut said = format!("failed to {error}");
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !said.contains(&text) {
                said.push_str(": ");
                said.push_str(&text);
            }
            cause = error.source();
        }
        Self::Said(said)
    }

    /// A failure in words of one's own.
    pub(super) fn said(words: impl Into<String>) -> Self {
        Self::Said(words.into())
    }
}

/// Only writing to stdout gives bare I/O errors here; others say what they were about.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Said(format!("failed to write to stdout: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Failure;

    #[derive(Debug, thiserror::Error)]
    #[error("open the box: {source}")]
    struct Outer {
        source: Inner,
    }

    #[derive(Debug, thiserror::Error)]
    #[error("the lid is stuck")]
    struct Inner {
        source: std::fmt::Error,
    }

    #[test]
    fn causes_are_said_once_each() {
        let error = Outer { source: Inner { source: std::fmt::Error } };
        let Failure::Said(said) = Failure::of(&error) else { panic!("said") };
        assert_eq!(said.matches("the lid is stuck").count(), 1, "{said}");
        assert!(said.starts_with("failed to open the box: the lid is stuck: an error occurred"), "{said}");
    }
}
