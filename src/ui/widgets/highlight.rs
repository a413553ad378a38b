//! Colours for text that is not JSON: what a server read from a file, HTML, Markdown. Run on the worker.

use std::ops::Range;
use std::sync::OnceLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::script::TextScript;
use super::sheet::Ink;

/// Text beyond this is not coloured.
const MOST: usize = 256 * 1024;

/// The text in lines, coloured where its language is known from its media type, the extension of its
/// name, or its first line.
pub fn script(text: String, media: Option<&str>, extension: Option<&str>) -> TextScript {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    if text.len() > MOST {
        return TextScript::new(text);
    }
    let set = SYNTAXES.get_or_init(SyntaxSet::load_defaults_newlines);
    match syntax(set, &text, media, extension) {
        Some(syntax) => {
            let inks = text.split_inclusive('\n').scan(State::new(syntax), |state, line| Some(state.line(set, line)));
            let inks = inks.collect();
            TextScript::with_inks(text, inks)
        }
        None => TextScript::new(text),
    }
}

fn syntax<'a>(
    set: &'a SyntaxSet,
    text: &str,
    media: Option<&str>,
    extension: Option<&str>,
) -> Option<&'a SyntaxReference> {
    let by_media = media.and_then(|media| media.split_once('/')).and_then(|(_, name)| {
        let name = name.split(';').next().unwrap_or(name).trim();
        let name = name.strip_prefix("x-").unwrap_or(name);
        let name = name.rsplit('+').next().unwrap_or(name);
        match name {
            "plain" => None,
            "markdown" => set.find_syntax_by_extension("md"),
            "javascript" | "ecmascript" => set.find_syntax_by_extension("js"),
            "python" => set.find_syntax_by_extension("py"),
            name => set.find_syntax_by_token(name),
        }
    });
    by_media
        .or_else(|| extension.and_then(|extension| set.find_syntax_by_extension(extension)))
        .or_else(|| set.find_syntax_by_first_line(text.lines().next().unwrap_or_default()))
}

struct State {
    parse: ParseState,
    stack: ScopeStack,
}

impl State {
    fn new(syntax: &SyntaxReference) -> Self {
        Self { parse: ParseState::new(syntax), stack: ScopeStack::new() }
    }

    fn line(&mut self, set: &SyntaxSet, line: &str) -> Vec<(Range<usize>, Ink)> {
        let mut inks = Vec::new();
        let mut from = 0;
        let end = line.trim_end_matches('\n').len();
        let mut add = |range: Range<usize>, ink: Ink| {
            let range = range.start.min(end)..range.end.min(end);
            if ink != Ink::Plain && !range.is_empty() {
                inks.push((range, ink));
            }
        };
        for (at, change) in self.parse.parse_line(line, set).unwrap_or_default() {
            add(from..at, ink(&self.stack));
            from = at;
            // A stack that a syntax has confused costs colours, nothing else.
            let _ = self.stack.apply(&change);
        }
        add(from..line.len(), ink(&self.stack));
        inks
    }
}

/// The colour of a piece by the innermost scope that has one.
fn ink(stack: &ScopeStack) -> Ink {
    static INKS: OnceLock<Vec<(Scope, Ink)>> = OnceLock::new();
    let inks = INKS.get_or_init(|| {
        let known = [
            ("comment", Ink::Dim),
            ("string", Ink::String),
            ("constant.numeric", Ink::Number),
            ("constant", Ink::Literal),
            ("keyword", Ink::Literal),
            ("storage", Ink::Literal),
            ("entity.name", Ink::Key),
            ("support", Ink::Key),
            ("markup.heading", Ink::Key),
            ("markup.raw", Ink::String),
            ("markup.underline.link", Ink::Key),
        ];
        known.into_iter().filter_map(|(name, ink)| Some((Scope::new(name).ok()?, ink))).collect()
    });
    let mut scopes = stack.as_slice().iter().rev();
    let found = scopes.find_map(|scope| inks.iter().find(|(known, _)| known.is_prefix_of(*scope)));
    found.map_or(Ink::Plain, |(_, ink)| *ink)
}

#[cfg(test)]
mod tests {
    use super::script;
    use crate::ui::widgets::sheet::{Ink, Script};

    fn pieces(text: &str, media: Option<&str>, extension: Option<&str>) -> Vec<(String, Ink)> {
        let script = script(text.to_owned(), media, extension);
        let mut pieces = Vec::new();
        for line in 0..script.count() {
            script.inks(line, &mut |range, ink| pieces.push((script.line(line)[range].to_owned(), ink)));
        }
        pieces
    }

    #[test]
    fn the_language_is_told_by_media_type_name_or_first_line() {
        let rust = pieces("fn main() { let x = 1; } // end", None, Some("rs"));
        assert!(rust.contains(&("fn".to_owned(), Ink::Literal)), "{rust:?}");
        assert!(rust.contains(&("1".to_owned(), Ink::Number)), "{rust:?}");
        assert!(rust.iter().any(|(text, ink)| text.contains("end") && *ink == Ink::Dim), "{rust:?}");
        assert!(!pieces("# Title\n\ntext", Some("text/markdown"), None).is_empty());
        assert!(!pieces("#!/bin/sh\necho 'x'\n", None, None).is_empty());
        assert_eq!(pieces("just text\nand more", Some("text/plain"), None), []);
    }
}
