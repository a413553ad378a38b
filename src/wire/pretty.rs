//! JSON laid out in lines for reading, every number and key exactly as sent. It lays out and finds its
//! way; colours, folding and scrolling are for whoever shows it.

mod find;
mod layout;
mod pointer;
mod tokens;

use super::Json;
use layout::Limits;

pub use find::Needle;
pub use tokens::{Token, Tokens};

/// JSON text laid out in lines.
///
/// One member or item stands on each line; small containers of scalars stay on one line, as in
/// `"_meta": { "progressToken": 0 }`. Without its whitespace outside strings the text is the JSON as it
/// was sent, except that bytes which are not UTF-8 are U+FFFD.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pretty {
    /// The laid-out text; lines are separated by LF.
    pub text: String,
    /// Its lines.
    pub lines: Vec<PrettyLine>,
    /// How many bytes of the JSON at its end are not laid out, because it would take too many lines or
    /// too much memory; 0 for all but the absurd.
    pub left_out: usize,
}

/// One line of the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrettyLine {
    /// Where it begins in the text, indentation included.
    pub start: usize,
    /// Where it ends, line end excluded.
    pub end: usize,
    /// How deep it is nested. It is indented by [`PrettyLine::indent`] spaces, which has a limit.
    pub depth: u32,
    /// The index of the line that closes the container which this line opens.
    pub fold: Option<u32>,
    /// How many members or items that container has, above the bits below.
    bits: u32,
}

impl PrettyLine {
    /// It begins with a member's name.
    const MEMBER: u32 = 1;
    /// It closes a container.
    const CLOSER: u32 = 2;
    /// Where the count of children begins.
    const CHILDREN: u32 = 2;
    /// The depth beyond which lines are indented no further, so that text stays linear in its source.
    const DEEPEST_INDENT: u32 = 64;

    /// How many spaces it begins with.
    pub fn indent(&self) -> usize {
        2 * self.depth.min(Self::DEEPEST_INDENT) as usize
    }

    /// How many members or items the container has that it opens; 0 where `fold` is `None`.
    pub const fn children(&self) -> u32 {
        self.bits >> Self::CHILDREN
    }

    /// Whether it is only the end of a container.
    pub const fn is_closer(&self) -> bool {
        self.bits & Self::CLOSER != 0
    }

    /// Whether it begins with a member's name.
    pub const fn is_member(&self) -> bool {
        self.bits & Self::MEMBER != 0
    }
}

impl Pretty {
    /// Lays out the JSON value that `bytes` hold. A BOM and whitespace around it are dropped; `None`
    /// when it is not JSON.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        Some(layout::lay_out(Json::of_frame(bytes).ok()?, Limits::USUAL))
    }

    /// The text of a line with its indentation; empty when there is no such line.
    pub fn line(&self, index: usize) -> &str {
        self.lines.get(index).map_or("", |line| &self.text[line.start..line.end])
    }

    /// The tokens of a line in their order, as ranges of the text. Only that line is read, and of a
    /// long string no more than its ends.
    pub fn tokens(&self, index: usize) -> Tokens<'_> {
        Tokens::of(self, index)
    }

    /// The laid-out value of a line without its name and without the comma behind it: the whole
    /// container where the line opens or closes one.
    pub fn value(&self, index: usize) -> &str {
        let Some(index) = self.opener(index) else { return "" };
        let line = self.lines[index];
        let last = line.fold.map_or(line, |fold| self.lines[fold as usize]);
        let start = self.name_of(&line).map_or(line.start + line.indent(), |name| name.end + ": ".len());
        let value = &self.text[start..last.end];
        value.strip_suffix(',').unwrap_or(value)
    }

    /// The index of the line where the value begins to which a line belongs: for the end of a container
    /// the line that opens it, for others the line itself.
    pub fn opener(&self, index: usize) -> Option<usize> {
        let line = self.lines.get(index)?;
        if !line.is_closer() {
            return Some(index);
        }
        (0..index).rev().find(|&above| self.lines[above].fold == Some(index as u32))
    }

    /// Where a line's member name stands in the text, quotes included.
    fn name_of(&self, line: &PrettyLine) -> Option<std::ops::Range<usize>> {
        let start = line.start + line.indent();
        line.is_member().then(|| start..super::scan::skip(self.text.as_bytes(), start))
    }
}

#[cfg(test)]
mod tests;
