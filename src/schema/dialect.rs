//! Which dialect a schema declares.

use super::tree::{Node, Tree};

/// The dialects that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Draft04,
    Draft06,
    Draft07,
    Draft201909,
    Draft202012,
}

/// Addresses without scheme and without `#` at the end.
const ADDRESSES: [(&str, Dialect); 7] = [
    ("json-schema.org/draft-04/schema", Dialect::Draft04),
    ("json-schema.org/draft-06/schema", Dialect::Draft06),
    ("json-schema.org/draft-07/schema", Dialect::Draft07),
    ("json-schema.org/draft/2019-09/schema", Dialect::Draft201909),
    ("json-schema.org/draft/2020-12/schema", Dialect::Draft202012),
    // Addresses of whatever is newest; they are still seen.
    ("json-schema.org/schema", Dialect::Draft202012),
    ("json-schema.org/draft/next/schema", Dialect::Draft202012),
];

impl Dialect {
    /// The dialect that `$schema` names; 2020-12 where there is none (TL-006).
    pub(super) fn of(tree: &Tree) -> Result<Self, String> {
        let Some(declared) = tree.get(tree.root(), "$schema") else { return Ok(Self::Draft202012) };
        let Node::Text(address) = tree.node(declared) else {
            return Err("the $schema of the schema is no string; nothing can be checked".to_owned());
        };
        let plain = address.trim_end_matches('#');
        let plain = plain.strip_prefix("https://").or(plain.strip_prefix("http://")).unwrap_or(plain);
        ADDRESSES.iter().find(|(known, _)| *known == plain).map(|(_, dialect)| *dialect).ok_or_else(|| {
            format!("the dialect {address} that $schema names is not known here; nothing is checked (TL-009)")
        })
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Draft04 => "draft-04",
            Self::Draft06 => "draft-06",
            Self::Draft07 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }
}
