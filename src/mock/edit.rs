//! Changes of a mock file in its text: what is not changed stays byte for byte.

use std::ops::Range;

use super::source::{fault, place};
use super::{Fault, read_with};

/// Replaces a piece of a mock file (a [`super::Rule::range`]) and leaves all else byte for byte. Refused where the file
/// would be no mock any more, or the new piece has faults: these are returned, with their places in the text that would
/// be. Files that the mock names are not read.
pub fn edit(text: &str, range: Range<usize>, new: &str) -> Result<String, Vec<Fault>> {
    let whole = text.get(..range.start).zip(text.get(range.end.max(range.start)..));
    let Some((before, after)) = whole else {
        return Err(vec![fault(text, range.start, "the rule is not there any more: the file has changed since")]);
    };
    let changed = format!("{before}{new}{after}");
    // Names of files are taken for files that are empty JSON objects: whether they can be read is told when it is served.
    let read = read_with(&changed, &|_| Ok(b"{}".to_vec()));
    if read.mock.is_none() {
        return Err(read.faults);
    }
    let known = read_with(text, &|_| Ok(b"{}".to_vec())).faults;
    let (first, last) = (place(&changed, range.start).0, place(&changed, range.start + new.len()).0);
    let here = |fault: &Fault| (first..=last).contains(&fault.line);
    let faults: Vec<Fault> = read
        .faults
        .into_iter()
        .filter(|fault| here(fault) || !known.iter().any(|known| known.message == fault.message))
        .collect();
    if faults.is_empty() { Ok(changed) } else { Err(faults) }
}
