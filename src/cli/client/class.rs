//! How a command of the client ended, as a class of its own: its exit code, its word in `--envelope`, and what it
//! means. The help text on exit codes is made of this table.

use crate::peer::client::Outcome;

/// The classes, in the order of their exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Class {
    /// It was answered with a result.
    Fine,
    /// The server answered, but not well: an error of JSON-RPC, or a result with `isError`.
    Answered,
    /// It could not be started, or was not understood.
    Usage,
    /// The server could not be reached, or was lost.
    Connection,
    /// An HTTP response that is no answer.
    Http,
    /// No answer in time.
    Late,
    /// What was said cannot be gone on with.
    Protocol,
    /// Cancelled by whoever started it.
    Interrupted,
}

impl Class {
    const ALL: [Self; 8] = [
        Self::Fine,
        Self::Answered,
        Self::Usage,
        Self::Connection,
        Self::Http,
        Self::Late,
        Self::Protocol,
        Self::Interrupted,
    ];

    /// What a shell sees.
    pub(in crate::cli) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Answered => 1,
            Self::Usage => 2,
            Self::Connection => 3,
            Self::Http => 4,
            Self::Late => 5,
            Self::Protocol => 6,
            Self::Interrupted => 130,
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Answered => "the server answered with an error, or the tool says isError; doctor: a finding",
            Self::Usage => "not understood, refused, or the server's command could not be started",
            Self::Connection => "no connection: name, TCP, proxy, TLS; or it was lost, or the server's process ended",
            Self::Http => "an HTTP response that is no answer: 401, 403, 404, 5xx, a page of HTML",
            Self::Late => "no answer in time (--timeout, --max-time)",
            Self::Protocol => "not to be gone on with: no common revision, unreadable, too many rounds, given up",
            Self::Interrupted => "interrupted (Ctrl-C); the request was cancelled",
        }
    }

    /// What the end of a call means.
    pub(in crate::cli) fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Result(_) if outcome.is_ok() => Self::Fine,
            Outcome::Result(_) | Outcome::Error(_) => Self::Answered,
            Outcome::Http { status: Some(_), .. } => Self::Http,
            Outcome::Http { status: None, .. } | Outcome::Lost(_) => Self::Connection,
            Outcome::TimedOut(_) => Self::Late,
            Outcome::Cancelled => Self::Interrupted,
            Outcome::Refused(_) => Self::Protocol,
        }
    }
}

/// The lines of the help text.
pub(in crate::cli) fn table() -> String {
    Class::ALL.iter().map(|class| format!("{:<4} {}\n", class.code(), class.meaning())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_has_its_code() {
        let bytes = |text: &str| std::sync::Arc::<[u8]>::from(text.as_bytes());
        let http = |status| Outcome::Http { status, why: String::new(), body: bytes(""), challenge: None };
        for (outcome, code) in [
            (Outcome::Result(bytes(r#"{"content":[]}"#)), 0),
            (Outcome::Result(bytes(r#"{"isError":false}"#)), 0),
            (Outcome::Result(bytes(r#"{"content":[],"isError":true}"#)), 1),
            (Outcome::Result(bytes("7")), 0),
            (Outcome::Error(bytes(r#"{"code":-32601,"message":""}"#)), 1),
            (Outcome::Lost("gone".to_owned()), 3),
            (http(None), 3),
            (http(Some(401)), 4),
            (Outcome::TimedOut("60 s".to_owned()), 5),
            (Outcome::Refused("eleven rounds".to_owned()), 6),
            (Outcome::Cancelled, 130),
        ] {
            assert_eq!(Class::of(&outcome).code(), code, "{outcome:?}");
        }
        assert_eq!(table().lines().count(), 8);
        assert!(table().starts_with("0    fine\n1    "), "{}", table());
    }
}
