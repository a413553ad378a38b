//! What a page says of the end of a call in a word: read once, for large ones off the frame.

use super::{Bytes, Outcome};
use crate::model::Nanos;
use crate::wire::Json;

const MILLISECOND: Nanos = 1_000_000;

/// The little that is said of an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gist {
    /// Whether a result says `isError`.
    pub is_error: bool,
    /// The code of an error, as sent.
    pub code: Option<String>,
    /// How long a result may be kept (CH-001).
    pub caching: Option<Caching>,
}

/// The hints of 2026-07-28 on how long a result may be kept. Nothing is ever answered from a cache here; they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caching {
    /// `ttlMs`: for how long it is fresh.
    pub ttl: Nanos,
    /// `cacheScope`: `public`, `private`, or what the server says; empty where it says nothing.
    pub scope: String,
}

impl Gist {
    /// Reads the bytes of an outcome.
    pub fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Result(bytes) => Self::of_result(bytes),
            Outcome::Error(bytes) => {
                let code = Json::parse(bytes).ok().and_then(|json| Some(json.get("code")?.raw().to_vec()));
                Self { code: code.map(|raw| String::from_utf8_lossy(&raw).into_owned()), ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    fn of_result(bytes: &Bytes) -> Self {
        let (mut gist, mut ttl, mut scope) = (Self::default(), None, String::new());
        let Ok(json) = Json::parse(bytes) else { return gist };
        for (name, value) in json.members() {
            match name.text().as_deref() {
                Some("isError") => gist.is_error = value.as_bool().unwrap_or(false),
                Some("ttlMs") => ttl = value.as_u64(),
                Some("cacheScope") => scope = value.text().unwrap_or_default().into_owned(),
                _ => {}
            }
        }
        gist.caching = ttl
            .map(|ttl| Caching { ttl: Nanos::try_from(ttl).unwrap_or(Nanos::MAX).saturating_mul(MILLISECOND), scope });
        gist
    }

    /// Whether reading an outcome takes so long that a frame should not do it.
    pub fn is_long(outcome: &Outcome) -> bool {
        /// Bytes that are read within a frame.
        const AT_ONCE: usize = 128 * 1024;
        matches!(outcome, Outcome::Result(bytes) | Outcome::Error(bytes) if bytes.len() > AT_ONCE)
    }
}

#[cfg(test)]
mod tests {
    use super::{Caching, Gist, Outcome};

    #[test]
    fn what_an_outcome_says_in_a_word() {
        let result = |text: &str| Gist::of(&Outcome::Result(text.as_bytes().into()));
        let hinted = result(r#"{"contents":[],"ttlMs":5000,"cacheScope":"public"}"#);
        assert_eq!(hinted.caching, Some(Caching { ttl: 5_000_000_000, scope: "public".to_owned() }));
        assert_eq!(result(r#"{"ttlMs":18446744073709551615}"#).caching.map(|it| it.ttl), Some(i64::MAX));
        assert_eq!(result(r#"{"ttlMs":"5","cacheScope":"public","isError":"yes"}"#), Gist::default());
        assert!(result(r#"{"content":[],"isError":true}"#).is_error);
        let error = Gist::of(&Outcome::Error(br#"{"code":-32000.0,"message":""}"#[..].into()));
        assert_eq!(error.code.as_deref(), Some("-32000.0"), "as it was sent");
        assert_eq!(Gist::of(&Outcome::Cancelled), Gist::default());
    }
}
