//! What the filter line offers while one types, and how it tells words from text.

use std::ops::Range;

use eframe::egui::accesskit::Role;
use eframe::egui::{Sense, Ui, WidgetInfo, vec2};

use crate::engine::view::State;
use crate::filter::{Completion, Vocabulary, complete};
use crate::ui::theme::{self, CORNER_SMALL};
use crate::ui::widgets::cell::Cell;
use crate::ui::words;

/// How many things are offered at once.
const MOST: usize = 10;

/// What could be typed at the cursor.
pub fn suggest(text: &str, cursor: usize, state: &State) -> Vec<Completion> {
    let vocabulary =
        Vocabulary { methods: &state.methods, tools: &state.tools, sessions: &state.sessions, ..Vocabulary::default() };
    let mut found = complete(text, cursor, &vocabulary);
    // What is there already need not be offered.
    found.retain(|completion| text.get(completion.range.clone()) != Some(completion.insert.trim_end()));
    found.truncate(MOST);
    found
}

/// The text in pieces, each with whether it is a word of the language rather than a value.
pub fn words(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let piece = rest.find(char::is_whitespace).map_or(rest.len(), |end| {
            end + rest[end..].find(|sign: char| !sign.is_whitespace()).unwrap_or(rest.len() - end)
        });
        let token = &rest[..piece];
        let quoted = token.starts_with(['"', '/']);
        let word = match token.find([':', '>', '<', '=']) {
            Some(at) if !quoted => at + 1 + usize::from(token[at + 1..].starts_with('=')),
            _ if matches!(token.trim(), "and" | "or" | "not") => piece,
            _ => 0,
        };
        if word > 0 {
            pieces.push((start..start + word, true));
        }
        if word < piece {
            pieces.push((start + word..start + piece, false));
        }
        start += piece;
    }
    pieces
}

/// Draws a suggestion. Returns whether it was chosen.
pub fn row(ui: &mut Ui, suggestion: &Completion, chosen: bool) -> bool {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(360.0, 24.0), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen, &suggestion.insert));
    if chosen || response.hovered() {
        let ground = if chosen { palette.accent_bg } else { palette.bg2 };
        ui.painter().rect_filled(rect, CORNER_SMALL, ground);
    }
    Cell::new()
        .add(&words::plain(suggestion.insert.trim_end()), theme::mono(), palette.text)
        .add("   ", theme::sans(11.5), palette.dim)
        .add(suggestion.note, theme::sans(11.5), palette.dim)
        .paint(ui.painter(), rect.shrink2(vec2(8.0, 0.0)), false);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_told_from_values_and_nothing_is_lost() {
        for text in ["from:client not method:ping latency>20ms", "\"a:b\" /x>y/ or  size>=1MB  ", "", "é:ü and"] {
            let pieces = words(text);
            let joined: String = pieces.iter().map(|(range, _)| &text[range.clone()]).collect();
            assert_eq!(joined, text);
        }
        let marked = |text: &str| {
            words(text)
                .into_iter()
                .filter(|(_, word)| *word)
                .map(|(range, _)| text[range].to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(marked("from:client not latency>=20ms"), ["from:", "not ", "latency>="]);
        assert_eq!(marked("\"a:b\" /x>y/"), Vec::<String>::new());
    }
}
