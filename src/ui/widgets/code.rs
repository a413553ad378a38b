//! A field for text in the font of the wire, in which JSON is coloured while it is typed. What is typed is never
//! changed; where it stops being JSON is underlined.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat};
use eframe::egui::text_edit::TextEditOutput;
use eframe::egui::{Color32, Frame, Galley, Id, Stroke, TextBuffer, TextEdit, Ui};

use super::sheet::Ink;
use crate::engine::view::{Json, Token, typed_tokens};
use crate::ui::theme::{self, CORNER};

/// Bytes beyond which text is not coloured: it is laid out anew with each stroke.
const COLOURED: usize = 256 * 1024;

/// Where text stops being JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The byte.
    pub at: usize,
    /// The line, from 1.
    pub line: usize,
    /// The sign in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: &'static str,
}

impl Fault {
    /// What keeps a text from being JSON.
    pub fn of(text: &str) -> Option<Self> {
        let fault = Json::parse(text.as_bytes()).err()?;
        let before = text.get(..fault.at).unwrap_or(text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Some(Self { at: fault.at, line, column: before[start..].chars().count() + 1, what: fault.what })
    }

    /// `Line 2, column 5: expected a digit.`
    pub fn sentence(&self) -> String {
        format!("Line {}, column {}: {}.", self.line, self.column, self.what)
    }
}

/// How a field for code is shown.
pub struct Code<'a> {
    /// Tells it from others.
    pub id: Id,
    /// Its accessible name.
    pub label: &'a str,
    /// Rows that it has at least.
    pub rows: usize,
    /// What is shown while it is empty.
    pub hint: &'a str,
    /// Whether its text is to be coloured as JSON.
    pub json: bool,
    /// The byte to underline.
    pub fault: Option<usize>,
    /// The colour of its frame, where it is not the usual one.
    pub frame: Option<Color32>,
}

impl Code<'_> {
    /// Draws the field as wide as there is room.
    pub fn show(&self, ui: &mut Ui, text: &mut dyn TextBuffer) -> TextEditOutput {
        let palette = theme::palette(ui);
        let focused = ui.memory(|memory| memory.has_focus(self.id));
        let line = match (focused, self.frame) {
            (_, Some(colour)) => Stroke::new(1.0, colour),
            (true, None) => Stroke::new(theme::RING, palette.accent),
            (false, None) => theme::hairline(palette),
        };
        let frame = Frame::new().fill(palette.bg0).stroke(line).corner_radius(CORNER).inner_margin(6.0);
        let (json, fault) = (self.json, self.fault);
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, width: f32| colour(ui, text.as_str(), json, fault, width);
        let hint = eframe::egui::RichText::new(self.hint).font(theme::mono()).color(palette.faint);
        let output = TextEdit::multiline(text)
            .id(self.id)
            .font(theme::mono())
            .frame(frame)
            .desired_rows(self.rows)
            .desired_width(f32::INFINITY)
            .hint_text(hint)
            .layouter(&mut layouter)
            .show(ui);
        let _ = output.response.response.clone().accessible_name(self.label);
        output
    }
}

/// The text in colours, the byte at fault underlined.
fn colour(ui: &Ui, text: &str, json: bool, fault: Option<usize>, width: f32) -> Arc<Galley> {
    let palette = theme::palette(ui);
    let format = |colour: Color32, bad: bool| TextFormat {
        font_id: theme::mono(),
        color: colour,
        line_height: Some(theme::LINE),
        underline: if bad { Stroke::new(1.5, palette.err) } else { Stroke::NONE },
        ..Default::default()
    };
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    let mut add = |range: Range<usize>, colour: Color32| {
        // The piece with the fault is cut in three, so that one sign alone is underlined.
        let bad = fault.filter(|at| range.contains(at)).map(|at| {
            let end = text[at..].chars().next().map_or(at, |sign| at + sign.len_utf8());
            at..end.min(range.end)
        });
        match bad {
            Some(bad) => {
                for (piece, is_bad) in
                    [(range.start..bad.start, false), (bad.clone(), true), (bad.end..range.end, false)]
                {
                    job.append(&text[piece], 0.0, format(colour, is_bad));
                }
            }
            None => job.append(&text[range], 0.0, format(colour, false)),
        }
    };
    let mut from = 0;
    if json && text.len() <= COLOURED {
        for (range, token) in typed_tokens(text) {
            if from < range.start {
                add(from..range.start, palette.text);
            }
            from = range.end;
            add(range, ink(token).colour(palette));
        }
    }
    if from < text.len() || text.is_empty() {
        add(from..text.len(), palette.text);
    }
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// The colour of a token.
pub const fn ink(token: Token) -> Ink {
    match token {
        Token::Key => Ink::Key,
        Token::String => Ink::String,
        Token::Number => Ink::Number,
        Token::Literal => Ink::Literal,
        Token::Punctuation => Ink::Dim,
    }
}

#[cfg(test)]
mod tests {
    use super::Fault;

    #[test]
    fn a_fault_is_told_by_line_and_column() {
        assert_eq!(Fault::of("{\"a\": 1}"), None);
        let fault = Fault::of("{\n  \"é\": tru\n}").expect("a fault");
        assert_eq!((fault.line, fault.column), (2, 8));
        assert_eq!(Fault::of("").map(|fault| (fault.line, fault.column)), Some((1, 1)));
        assert!(Fault::of("[1,").expect("a fault").sentence().starts_with("Line 1, column 4: the text ends"));
    }
}
