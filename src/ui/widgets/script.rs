//! The scripts that a sheet shows: JSON laid out in lines, and text as it is.

use std::ops::Range;
use std::sync::Arc;

use super::sheet::{Ink, Script};
use crate::engine::view::{Body, Pretty};

/// Top-level members that are looked at to find the content of a message.
const MEMBERS: usize = 64;

/// The JSON of a body, or the part of it that matters.
#[derive(Debug)]
pub struct JsonScript {
    body: Arc<Body>,
    lines: Range<usize>,
    /// Bytes of the first line that are left out: the name of the member.
    lead: usize,
    /// Spaces that each further line has too many.
    dedent: usize,
}

impl JsonScript {
    /// The JSON of a body: its `params`, `result` or `error`, or the whole message. `None` when it is
    /// not JSON.
    pub fn new(body: &Arc<Body>, whole: bool) -> Option<Self> {
        let pretty = body.pretty.as_ref()?;
        let all = Self { body: Arc::clone(body), lines: 0..pretty.lines.len(), lead: 0, dedent: 0 };
        if whole {
            return Some(all);
        }
        let Some(line) = content_line(pretty) else { return Some(all) };
        let entry = pretty.lines[line];
        let end = entry.fold.map_or(line, |fold| fold as usize);
        let name = pretty.line(line).find(": ").map_or(0, |at| at + 2);
        Some(Self { lines: line..end + 1, lead: name, dedent: entry.indent(), ..all })
    }

    /// The layout that it is a part of.
    pub fn pretty(&self) -> &Pretty {
        static NONE: Pretty = Pretty { text: String::new(), lines: Vec::new(), left_out: 0 };
        self.body.pretty.as_ref().unwrap_or(&NONE)
    }

    /// The layout's line for a line of the script.
    pub fn source(&self, line: usize) -> usize {
        self.lines.start + line
    }

    /// The script's line for a line of the layout, where it has it.
    pub fn own(&self, source: usize) -> Option<usize> {
        self.lines.contains(&source).then(|| source - self.lines.start)
    }

    /// Whether it is the whole message.
    pub fn is_whole(&self) -> bool {
        self.lines.start == 0
    }

    /// Bytes at the start of a line of the layout that the script leaves out.
    fn skip(&self, line: usize) -> usize {
        if line == 0 { self.lead } else { self.dedent }
    }
}

/// The line of the only member that has content, when the others are those of every message.
fn content_line(pretty: &Pretty) -> Option<usize> {
    let mut found = None;
    let mut line = 1;
    for _ in 0..MEMBERS {
        let Some(entry) = pretty.lines.get(line).filter(|entry| entry.is_member() && entry.depth == 1) else { break };
        let text = pretty.line(line).trim_start();
        let name = text.split_once("\":").map_or("", |(name, _)| name.trim_start_matches('"'));
        match name {
            "jsonrpc" | "id" | "method" => {}
            "params" | "result" | "error" if found.is_none() => found = Some(line),
            _ => return None,
        }
        line = entry.fold.map_or(line, |fold| fold as usize) + 1;
    }
    // What follows the members must be the end of the object, or there are more than were looked at.
    (line + 1 == pretty.lines.len()).then_some(found).flatten()
}

impl Script for JsonScript {
    fn count(&self) -> usize {
        self.lines.len()
    }

    fn line(&self, index: usize) -> &str {
        let text = self.pretty().line(self.source(index));
        let text = text.get(self.skip(index)..).unwrap_or_default();
        // The comma after the content belongs to the message around it.
        if index + 1 == self.lines.len() && !self.is_whole() { text.strip_suffix(',').unwrap_or(text) } else { text }
    }

    fn inks(&self, index: usize, add: &mut dyn FnMut(Range<usize>, Ink)) {
        let source = self.source(index);
        let Some(line) = self.pretty().lines.get(source) else { return };
        let origin = line.start + self.skip(index);
        for (range, token) in self.pretty().tokens(source) {
            if range.start < origin {
                continue;
            }
            let ink = super::code::ink(token);
            add(range.start - origin..range.end - origin, ink);
        }
    }

    fn fold(&self, index: usize) -> Option<usize> {
        let fold = self.pretty().lines.get(self.source(index))?.fold?;
        self.own(fold as usize)
    }

    fn folded(&self, index: usize) -> Option<u64> {
        Some(u64::from(self.pretty().lines.get(self.source(index))?.children()))
    }
}

/// Text in lines, with colours where they are known.
#[derive(Debug, Default)]
pub struct TextScript {
    text: String,
    lines: Vec<Range<usize>>,
    inks: Vec<Vec<(Range<usize>, Ink)>>,
}

impl TextScript {
    /// Text without colours.
    pub fn new(text: String) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
            lines.push(start..end);
            start = end + 1;
        }
        if start < text.len() || lines.is_empty() {
            lines.push(start..text.len());
        }
        Self { text, lines, inks: Vec::new() }
    }

    /// The same with colours, for each line its own.
    pub fn with_inks(text: String, inks: Vec<Vec<(Range<usize>, Ink)>>) -> Self {
        Self { inks, ..Self::new(text) }
    }
}

impl Script for TextScript {
    fn count(&self) -> usize {
        self.lines.len()
    }

    fn line(&self, index: usize) -> &str {
        self.lines.get(index).map_or("", |range| &self.text[range.clone()])
    }

    fn inks(&self, index: usize, add: &mut dyn FnMut(Range<usize>, Ink)) {
        for (range, ink) in self.inks.get(index).into_iter().flatten() {
            add(range.clone(), *ink);
        }
    }

    fn fold(&self, _: usize) -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{JsonScript, TextScript};
    use crate::engine::view::{Body, Pretty};
    use crate::model::{EntryKind, Flags};
    use crate::ui::widgets::sheet::Script;

    fn body(text: &str) -> Arc<Body> {
        Arc::new(Body {
            seq: 1,
            kind: EntryKind::Frame,
            side: None,
            at: 0,
            until: 0,
            flags: Flags::default(),
            size: text.len() as u64,
            bytes: text.as_bytes().to_vec(),
            data: None,
            pretty: Pretty::of(text.as_bytes()),
            content: Vec::new(),
        })
    }

    fn shown(text: &str, whole: bool) -> Vec<String> {
        let script = JsonScript::new(&body(text), whole).expect("JSON");
        let lines: Vec<String> = (0..script.count()).map(|line| script.line(line).to_owned()).collect();
        for (index, line) in lines.iter().enumerate() {
            script.inks(index, &mut |range, _| assert!(line.len() + 1 >= range.end, "{line:?} has no {range:?}"));
        }
        lines
    }

    #[test]
    fn the_content_is_shown_without_its_envelope() {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":{"b":[1,2,{"c":1.0}]},"n":1e400},"extra":1}"#;
        let known = call.replace(r#","extra":1"#, "");
        let lines = shown(&known, false);
        assert_eq!(lines.first().map(String::as_str), Some("{"));
        assert_eq!(lines.last().map(String::as_str), Some("}"));
        assert!(lines.contains(&"  \"n\": 1e400".to_owned()), "{lines:?}");
        assert!(shown(call, false)[1].contains("jsonrpc"), "an unknown member must not be hidden");
        assert!(shown(&known, true)[1].contains("jsonrpc"));
        assert_eq!(shown(r#"{"result":{},"id":1,"jsonrpc":"2.0"}"#, false), ["{}"]);
        assert!(shown(r#"{"id":1,"result":1,"error":2}"#, false).len() > 2, "both are shown");
        assert_eq!(shown("[1,2]", false).concat(), "[  1,  2]", "a batch is shown whole");
    }

    #[test]
    fn text_keeps_its_lines() {
        let lines = |text: &str| {
            let script = TextScript::new(text.to_owned());
            (0..script.count()).map(|line| script.line(line).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(lines("a\n\nb\n"), ["a", "", "b"]);
        assert_eq!(lines(""), [""]);
        assert_eq!(lines("\n"), [""]);
    }
}
