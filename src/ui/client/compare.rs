//! Two results held against each other, line by line, as they are laid out for reading.

use similar::{Algorithm, ChangeTag, TextDiff};

use crate::engine::view::Pretty;

/// Lines beyond which only the sizes are compared: it would take minutes.
const MOST: usize = 400_000;
/// Lines around a difference that are shown.
const AROUND: usize = 3;

/// A line of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// In both.
    Both,
    /// Only in the earlier one.
    Old,
    /// Only in the later one.
    New,
    /// Lines that are the same are left out here.
    Gap,
}

/// Two texts, compared.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The lines, each with where it is.
    pub lines: Vec<(Side, String)>,
    /// Lines that are only in the later one.
    pub added: usize,
    /// Lines that are only in the earlier one.
    pub removed: usize,
    /// Why they were not compared.
    pub refused: Option<String>,
}

/// Compares an earlier with a later result.
pub fn compare(old: &[u8], new: &[u8]) -> Comparison {
    if old == new {
        return Comparison::default();
    }
    let (old, new) = (text(old), text(new));
    if old.lines().count().max(new.lines().count()) > MOST {
        let refused = Some("They have too many lines to be compared one by one.".to_owned());
        return Comparison { refused, ..Comparison::default() };
    }
    let mut config = TextDiff::configure();
    // Myers takes quadratic time where everything differs; Patience does not.
    config.algorithm(Algorithm::Patience);
    let diff = config.diff_lines(old.as_str(), new.as_str());
    let mut comparison = Comparison::default();
    for (index, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if index > 0 {
            comparison.lines.push((Side::Gap, "…".to_owned()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let side = match change.tag() {
                ChangeTag::Equal => Side::Both,
                ChangeTag::Delete => Side::Old,
                ChangeTag::Insert => Side::New,
            };
            comparison.added += usize::from(side == Side::New);
            comparison.removed += usize::from(side == Side::Old);
            comparison.lines.push((side, change.value().trim_end_matches(['\r', '\n']).to_owned()));
        }
    }
    comparison
}

/// As it is laid out; what is not JSON as it is.
fn text(bytes: &[u8]) -> String {
    Pretty::of(bytes).map_or_else(|| String::from_utf8_lossy(bytes).into_owned(), |pretty| pretty.text)
}

#[cfg(test)]
mod tests {
    use super::{Side, compare};

    #[test]
    fn what_differs_is_shown_with_what_is_around_it() {
        let same = compare(br#"{"a":1}"#, br#"{"a":1}"#);
        assert_eq!((same.added, same.removed, same.lines.len()), (0, 0, 0));
        let items = |last: &str| format!(r#"{{"list":[1,2,3,4,5,6,7,8,9],"n":{last}}}"#);
        let found = compare(items("1.0").as_bytes(), items("1").as_bytes());
        assert_eq!((found.added, found.removed), (1, 1));
        let changed: Vec<_> = found.lines.iter().filter(|(side, _)| *side != Side::Both).collect();
        assert_eq!(changed.len(), 2);
        assert!(changed[0].1.contains("1.0") && changed[0].0 == Side::Old && changed[1].0 == Side::New);
        assert!(compare(b"no JSON", b"{").lines.len() >= 2);
    }
}
