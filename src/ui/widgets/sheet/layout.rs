//! How the lines of a script fall into rows: folds taken out, long lines wrapped. Measured once, laid
//! out anew when the width or a fold changes; a row is then found by bisection.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::Script;
use crate::ui::words;

/// Columns of a line that are shown before the rest has to be asked for.
const LONG: usize = 4_000;
/// Columns of a line beyond which words are no longer kept together.
const MUCH: usize = 64 * 1024;
/// How far back from the end of a row a space is looked for.
const BACK: usize = 24;
/// The same as [`LONG`] for a line without spaces, such as base64, of which nobody reads much.
const SOLID: usize = 400;

/// Marks a measured line as plain ASCII, where a column is a byte.
const PLAIN: u32 = 1 << 31;

/// The rows of a script.
#[derive(Debug)]
pub struct Layout {
    /// Columns of each line, with the mark of those that are plain.
    widths: Vec<u32>,
    /// The lines that are shown, with the row at which each begins.
    shown: Vec<(u32, u64)>,
    rows: u64,
    columns: usize,
    changes: u64,
    folded: HashSet<usize>,
    whole: HashSet<usize>,
    /// Where the rows begin of long lines that are shown whole and are not plain.
    starts: HashMap<usize, Vec<usize>>,
}

impl Layout {
    /// Measures every line.
    pub fn measure(script: &dyn Script) -> Self {
        let widths = (0..script.count()).map(|index| width(script.line(index))).collect();
        Self {
            widths,
            shown: Vec::new(),
            rows: 0,
            columns: 0,
            changes: 0,
            folded: HashSet::new(),
            whole: HashSet::new(),
            starts: HashMap::new(),
        }
    }

    /// Lays the lines out in `columns`, unless that was done already: `changes` counts up with the sets.
    pub fn arrange(
        &mut self,
        script: &dyn Script,
        columns: usize,
        folded: &HashSet<usize>,
        whole: &HashSet<usize>,
        changes: u64,
    ) {
        if self.columns == columns && self.changes == changes {
            return;
        }
        self.columns = columns;
        self.changes = changes;
        self.folded.clone_from(folded);
        self.whole.clone_from(whole);
        self.shown.clear();
        self.rows = 0;
        let mut line = 0;
        while line < self.widths.len() {
            self.shown.push((line as u32, self.rows));
            self.rows += self.rows_of(script, line);
            line = match script.fold(line) {
                Some(end) if folded.contains(&line) && end >= line => end + 1,
                _ => line + 1,
            };
        }
        let uneven = whole.iter().copied().filter(|line| *line < self.widths.len() && !self.is_even(script, *line));
        self.starts =
            uneven.map(|line| (line, starts(script.line(line), columns, hang(script.line(line), columns)))).collect();
    }

    /// Whether the rows of a line are all equally wide, so that they need not be looked for: a column is
    /// a byte, and there are no words to keep together, or too many.
    fn is_even(&self, script: &dyn Script, line: usize) -> bool {
        let plain = self.widths[line] & PLAIN != 0;
        plain && (self.columns_of(line) <= self.columns || self.columns_of(line) > MUCH || is_solid(script.line(line)))
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    fn columns_of(&self, line: usize) -> usize {
        (self.widths[line] & !PLAIN) as usize
    }

    /// How many columns of a line are shown, where that is not all of it.
    fn limit(&self, script: &dyn Script, line: usize) -> Option<usize> {
        if self.columns_of(line) <= SOLID || self.whole.contains(&line) {
            return None;
        }
        let limit = if is_solid(script.line(line)) { SOLID } else { LONG };
        (self.columns_of(line) > limit + limit / 4).then_some(limit)
    }

    fn rows_of(&self, script: &dyn Script, line: usize) -> u64 {
        if self.folded.contains(&line) {
            return 1;
        }
        let limit = self.limit(script, line);
        let cut = limit.is_some();
        let columns = limit.unwrap_or_else(|| self.columns_of(line));
        if columns <= self.columns {
            return 1;
        }
        let text = script.line(line);
        let hang = hang(text, self.columns);
        if !self.is_even(script, line) {
            let text = &text[..cut_at(text, columns)];
            return starts(text, self.columns, hang).len() as u64 + u64::from(cut);
        }
        1 + (columns - self.columns).div_ceil(self.columns - hang) as u64 + u64::from(cut)
    }

    /// The line of a row, and which of the line's rows it is.
    pub fn at(&self, row: u64) -> Option<(usize, u64)> {
        if row >= self.rows {
            return None;
        }
        let place = self.shown.partition_point(|(_, first)| *first <= row).checked_sub(1)?;
        let (line, first) = self.shown[place];
        Some((line as usize, row - first))
    }

    /// The first row of a line and how many it has; `None` while it is folded away.
    pub fn place(&self, line: usize) -> Option<(u64, u64)> {
        let place = self.shown.binary_search_by_key(&(line as u32), |(line, _)| *line).ok()?;
        let first = self.shown[place].1;
        let next = self.shown.get(place + 1).map_or(self.rows, |(_, first)| *first);
        Some((first, next - first))
    }

    /// The line shown after or before this one.
    pub fn neighbour(&self, line: usize, by: isize) -> Option<usize> {
        let place = self.shown.partition_point(|(shown, _)| (*shown as usize) < line);
        let place = place.saturating_add_signed(by).min(self.shown.len().checked_sub(1)?);
        Some(self.shown[place].0 as usize)
    }

    /// By how many columns the further rows of a line are set in.
    pub fn hang(&self, script: &dyn Script, line: usize) -> usize {
        hang(script.line(line), self.columns)
    }

    /// The bytes of a line that are in one of its rows; `None` for the row that offers the rest.
    pub fn segment(&self, script: &dyn Script, line: usize, part: u64) -> Option<Range<usize>> {
        let text = script.line(line);
        if self.folded.contains(&line) {
            return Some(0..cut_at(text, self.columns));
        }
        let hang = hang(text, self.columns);
        let part = part as usize;
        let limit = self.limit(script, line).unwrap_or(usize::MAX);
        if self.is_even(script, line) {
            let start = if part == 0 { 0 } else { self.columns + (part - 1) * (self.columns - hang) };
            let size = if part == 0 { self.columns } else { self.columns - hang };
            let end = (start + size).min(text.len()).min(limit);
            return (start < end || part == 0).then_some(start..end.max(start));
        }
        let owned;
        let starts = if let Some(starts) = self.starts.get(&line) {
            starts
        } else {
            owned = self::starts(&text[..cut_at(text, limit)], self.columns, hang);
            &owned
        };
        let start = *starts.get(part)?;
        let end = starts.get(part + 1).copied().unwrap_or_else(|| cut_at(text, limit));
        Some(start..end)
    }
}

/// How many columns a character takes on the screen.
pub fn columns_of(sign: char) -> usize {
    match sign {
        ' '..='~' => 1,
        _ if words::is_hidden(sign) => words::stand_in(sign).chars().count(),
        // East Asian scripts and pictographs are about two columns wide in the fallback fonts.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

fn width(text: &str) -> u32 {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.len().min(PLAIN as usize - 1) as u32 | PLAIN;
    }
    text.chars().map(columns_of).sum::<usize>().min(PLAIN as usize - 1) as u32
}

/// Whether a line goes on for long without a space.
fn is_solid(text: &str) -> bool {
    let from = text.len().min(100);
    let probe = &text.as_bytes()[from..text.len().min(SOLID)];
    !probe.is_empty() && memchr::memchr(b' ', probe).is_none()
}

/// How far the further rows of a line are set in: two columns more than its text.
fn hang(text: &str, columns: usize) -> usize {
    let indent = text.bytes().take_while(|byte| *byte == b' ').count();
    (indent + 2).min(columns / 2)
}

/// The byte at which so many columns are full.
fn cut_at(text: &str, columns: usize) -> usize {
    if columns >= text.len() {
        return text.len();
    }
    let mut taken = 0;
    for (at, sign) in text.char_indices() {
        taken += columns_of(sign);
        if taken > columns {
            return at;
        }
    }
    text.len()
}

/// The bytes at which the rows of a line begin.
fn starts(text: &str, columns: usize, hang: usize) -> Vec<usize> {
    let mut starts = vec![0];
    let (mut taken, mut room) = (0, columns);
    // Where the row could end instead: after the last space, and how many columns that far.
    let mut space = None;
    let mut begun = false;
    for (at, sign) in text.char_indices() {
        let wide = columns_of(sign);
        if taken + wide > room {
            let (start, moved) = match space {
                Some((after, before)) if taken - before <= BACK && after < at => (after, taken - before),
                _ => (at, 0),
            };
            starts.push(start);
            taken = moved;
            room = columns - hang;
            space = None;
        }
        taken += wide;
        // The indentation is no place to break.
        begun |= sign != ' ';
        if sign == ' ' && begun {
            space = Some((at + 1, taken));
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ops::Range;

    use super::Layout;
    use crate::ui::widgets::sheet::{Ink, Script};

    struct Lines(Vec<(String, Option<usize>)>);

    impl Script for Lines {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn line(&self, index: usize) -> &str {
            &self.0[index].0
        }

        fn inks(&self, _: usize, _: &mut dyn FnMut(Range<usize>, Ink)) {}

        fn fold(&self, index: usize) -> Option<usize> {
            self.0[index].1
        }
    }

    /// Every row as text, after checking that rows and places agree.
    fn rows(script: &Lines, columns: usize, folded: &[usize], whole: &[usize]) -> Vec<String> {
        let mut layout = Layout::measure(script);
        let set = |lines: &[usize]| lines.iter().copied().collect::<HashSet<_>>();
        layout.arrange(script, columns, &set(folded), &set(whole), 0);
        (0..layout.rows())
            .map(|row| {
                let (line, part) = layout.at(row).expect("a row has a line");
                let (first, count) = layout.place(line).expect("a shown line has a place");
                assert!(row >= first && row < first + count);
                layout.segment(script, line, part).map_or("MORE".to_owned(), |span| script.line(line)[span].to_owned())
            })
            .collect()
    }

    #[test]
    fn lines_wrap_and_nothing_is_lost() {
        let text = "  \"abcdefghijklmnopqrstuvwxyz\"";
        let script = Lines(vec![(text.to_owned(), None), (String::new(), None), ("x".to_owned(), None)]);
        let wrapped = rows(&script, 12, &[], &[]);
        assert_eq!(wrapped, ["  \"abcdefghi", "jklmnopq", "rstuvwxy", "z\"", "", "x"]);
        let wide = Lines(vec![("日本語の長い文字列です\u{202e}end".to_owned(), None)]);
        let wrapped = rows(&wide, 9, &[], &[]);
        assert_eq!(wrapped.concat(), "日本語の長い文字列です\u{202e}end");
        assert_eq!(wrapped[0], "日本語の", "two columns each");
    }

    #[test]
    fn words_are_kept_together_where_they_fit() {
        let script = Lines(vec![("  the quick brown fox jumps over everything".to_owned(), None)]);
        let wrapped = rows(&script, 16, &[], &[]);
        assert_eq!(wrapped, ["  the quick ", "brown fox ", "jumps over ", "everything"]);
    }

    #[test]
    fn a_fold_takes_its_lines_out() {
        let lines = [("{", Some(3)), ("  a", None), ("  b", None), ("}", None), ("z", None)];
        let script = Lines(lines.map(|(text, fold)| (text.to_owned(), fold)).to_vec());
        assert_eq!(rows(&script, 40, &[0], &[]), ["{", "z"]);
        assert_eq!(rows(&script, 40, &[], &[]).len(), 5);
        let mut layout = Layout::measure(&script);
        layout.arrange(&script, 40, &HashSet::from([0]), &HashSet::new(), 0);
        assert_eq!((layout.place(1), layout.neighbour(0, 1), layout.neighbour(4, 1)), (None, Some(4), Some(4)));
    }

    #[test]
    fn a_very_long_line_is_cut_until_it_is_asked_for() {
        for sign in ["x", "é", "日"] {
            let script = Lines(vec![(sign.repeat(300_000), None), ("end".to_owned(), None)]);
            let cut = rows(&script, 100, &[], &[]);
            assert!(cut.len() < 60, "{sign}: {} rows", cut.len());
            assert_eq!(cut[cut.len() - 2..], ["MORE", "end"]);
            let whole = rows(&script, 100, &[], &[0]);
            assert_eq!(whole[..whole.len() - 1].concat(), sign.repeat(300_000));
        }
    }
}
