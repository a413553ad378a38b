//! The revisions of the protocol and the two eras that they fall into.

use std::fmt;

/// How a revision works: with a handshake and a session, or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2024-11-05 … 2025-11-25: `initialize`, sessions, requests in both directions.
    Legacy,
    /// 2026-07-28: stateless, `_meta` on each request, `server/discover`, MRTR.
    Modern,
}

impl Era {
    /// The word for labels and exports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

/// A revision of the protocol. Revisions are dates, and a date that is none of the five is kept as
/// it was sent (protocol revision strings are opaque to a peer that does not know them).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Revision {
    /// 2024-11-05.
    V2024_11_05,
    /// 2025-03-26.
    V2025_03_26,
    /// 2025-06-18.
    V2025_06_18,
    /// 2025-11-25.
    V2025_11_25,
    /// 2026-07-28.
    V2026_07_28,
    /// Any other string, as sent.
    Other(Box<str>),
}

impl Revision {
    /// The five known revisions, oldest first.
    pub const KNOWN: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The revision that `text` names.
    pub fn from_text(text: &str) -> Self {
        Self::KNOWN.into_iter().find(|known| known.text() == text).unwrap_or_else(|| Self::Other(text.into()))
    }

    /// The revision's string on the wire.
    pub fn text(&self) -> &str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
            Self::Other(text) => text,
        }
    }

    /// The known revision whose rules apply: itself, or for an unknown string the nearest lower
    /// known one (the strings are dates, so their order as text is their order in time).
    #[must_use]
    pub fn nearest_known(&self) -> Self {
        match self {
            Self::Other(text) => {
                let lower = Self::KNOWN.into_iter().rev().find(|known| known.text() <= &**text);
                lower.unwrap_or(Self::V2024_11_05)
            }
            known => known.clone(),
        }
    }

    /// The era that the revision belongs to.
    pub fn era(&self) -> Era {
        if self.nearest_known() == Self::V2026_07_28 { Era::Modern } else { Era::Legacy }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::{Era, Revision};

    #[test]
    fn unknown_revisions_are_kept_and_ruled_by_the_nearest_lower_known_one() {
        let draft = Revision::from_text("2025-08-01");
        assert_eq!(draft.text(), "2025-08-01");
        assert_eq!(draft.nearest_known(), Revision::V2025_06_18);
        assert_eq!(draft.era(), Era::Legacy);
        assert_eq!(Revision::from_text("2027-01-01").era(), Era::Modern);
        assert_eq!(Revision::from_text("1.0").nearest_known(), Revision::V2024_11_05);
        assert_eq!(Revision::from_text("2026-07-28").era(), Era::Modern);
    }
}
