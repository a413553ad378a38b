//! Which hosts and SDKs refuse a schema that others take: only what is known, each with its ground.

/// That somebody refuses a schema, or may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Who: a host, an SDK, a provider's API.
    pub who: &'static str,
    /// Whether it is certain; otherwise it may be so, for some versions or some uses.
    pub certain: bool,
    /// What is refused, with what follows, in a sentence.
    pub what: String,
    /// Where in the schema, as a JSON pointer.
    pub pointer: String,
    /// How it is known.
    pub ground: &'static str,
}

pub(super) fn of(_: &super::Schema) -> Vec<Verdict> {
    Vec::new()
}
