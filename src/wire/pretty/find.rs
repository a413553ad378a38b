//! Searching the layout.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::Pretty;

/// A text to look for, prepared once.
#[derive(Debug, Clone)]
pub struct Needle(Option<Regex>);

impl Needle {
    /// Looks for `text` as it is. An empty text is found nowhere.
    pub fn new(text: &str, ignore_case: bool) -> Self {
        let wanted = (!text.is_empty()).then(|| RegexBuilder::new(&regex::escape(text)));
        // A text too long to be prepared is found nowhere; the limit is megabytes.
        Self(wanted.and_then(|mut builder| builder.case_insensitive(ignore_case).build().ok()))
    }

    /// Where it stands in `text`, for highlighting what is shown.
    pub fn ranges(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().flat_map(move |regex| regex.find_iter(text)).map(|found| found.range())
    }
}

impl Pretty {
    /// The indexes of the lines in which `needle` stands, in their order.
    pub fn find(&self, needle: &str, ignore_case: bool) -> Vec<usize> {
        self.find_needle(&Needle::new(needle, ignore_case))
    }

    /// The same with a needle that was prepared before.
    pub fn find_needle(&self, needle: &Needle) -> Vec<usize> {
        let mut found = Vec::new();
        let Some(regex) = &needle.0 else { return found };
        let (mut at, mut index) = (0, 0);
        while let Some(hit) = regex.find_at(&self.text, at) {
            index = self.line_at(hit.start(), index);
            let Some(line) = self.lines.get(index) else { break };
            found.push(index);
            at = (line.end + 1).min(self.text.len());
        }
        found
    }

    /// The index of the line that holds an offset of the text, which is no earlier than line `from`.
    /// It strides from there, since hits are often close together.
    fn line_at(&self, offset: usize, mut from: usize) -> usize {
        let mut stride = 1;
        while self.lines.get(from + stride).is_some_and(|line| line.end < offset) {
            from += stride;
            stride *= 2;
        }
        let near = &self.lines[from..(from + stride + 1).min(self.lines.len())];
        from + near.partition_point(|line| line.end < offset)
    }
}
