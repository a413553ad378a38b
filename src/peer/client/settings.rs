//! How a client is to behave: era, identity, capabilities, ids, patience.

use crate::model::{Nanos, Revision};

const SECOND: Nanos = 1_000_000_000;

/// Which era a client speaks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EraChoice {
    /// Asks with `server/discover`, and falls back to `initialize` (2026-07-28, Versioning).
    #[default]
    Auto,
    /// `initialize` at once, with the newest legacy revision; takes what the server offers.
    Legacy,
    /// 2026-07-28 without falling back.
    Modern,
    /// This revision and no other; a server that offers another is told of and left.
    Pinned(Revision),
}

/// What ids look like. The client's own counter; a call may bring an id of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ids {
    /// Integers from this one up.
    Numbers(i64),
    /// Strings: this, and a counter from 1.
    Strings(String),
}

/// How the client answers a kind of question by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Reply {
    /// A person is asked.
    #[default]
    Ask,
    /// This result, as JSON text.
    Result(String),
    /// A decline: `{"action":"decline"}` for elicitation, error -1 for sampling (legacy), -32601 for roots.
    Decline,
    /// A made-up answer that fits: for elicitation, the defaults of the schema and else a valid value; for
    /// sampling, a short text.
    Made,
}

/// How a client is to behave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Which era it speaks.
    pub era: EraChoice,
    /// `clientInfo`, as JSON text.
    pub identity: String,
    /// `capabilities`, as JSON text.
    pub capabilities: String,
    /// What its ids look like.
    pub ids: Ids,
    /// How long the probe of [`EraChoice::Auto`] waits for an answer on stdio. Whatever else a server says in the
    /// meantime does not lengthen it.
    pub probe: Nanos,
    /// How long a request may be without a sign of life; `None`: for ever.
    pub patience: Option<Nanos>,
    /// Whether progress is such a sign.
    pub progress_counts: bool,
    /// How long a request may take in all; `None`: for ever.
    pub cap: Option<Nanos>,
    /// Whether requests carry a progress token.
    pub progress: bool,
    /// `io.modelcontextprotocol/logLevel` of modern requests; set with `logging/setLevel` in legacy sessions.
    /// `None`: nothing is said.
    pub log_level: Option<String>,
    /// What `roots/list` is answered with: the array of roots, as JSON text.
    pub roots: String,
    /// How sampling is answered.
    pub sampling: Reply,
    /// How elicitation is answered.
    pub elicitation: Reply,
    /// How a question for roots is answered; [`Reply::Ask`] means by [`Settings::roots`].
    pub roots_reply: Reply,
    /// Rounds of MRTR that one call may take.
    pub most_rounds: u32,
    /// Whether each round of MRTR waits for [`super::Order::Step`] before it is sent.
    pub step_rounds: bool,
    /// Pages of a list that are fetched by themselves.
    pub most_pages: u32,
    /// Whether tasks are polled by themselves.
    pub poll_tasks: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            era: EraChoice::Auto,
            identity: format!(r#"{{"name":"midwire","title":"midwire","version":"{}"}}"#, env!("CARGO_PKG_VERSION")),
            capabilities: super::CAPABILITIES.to_owned(),
            ids: Ids::Numbers(1),
            probe: 10 * SECOND,
            patience: Some(60 * SECOND),
            progress_counts: true,
            cap: Some(600 * SECOND),
            progress: true,
            log_level: None,
            roots: "[]".to_owned(),
            sampling: Reply::Ask,
            elicitation: Reply::Ask,
            roots_reply: Reply::Ask,
            most_rounds: 10,
            step_rounds: false,
            most_pages: 1_000,
            poll_tasks: true,
        }
    }
}
