//! The heads of an HTTP request as sheets: names and values aligned, selectable, secrets that were left out
//! marked. Which heads there are is for the engine to say.

use std::fmt::Write as _;
use std::ops::Range;

use eframe::egui::{Id, Rect, Ui, pos2};

use super::pretty;
use super::stack::Course;
use crate::engine::view::{Curl, HeadKind, HeadView, HttpDetail};
use crate::model::Side;
use crate::ui::theme;
use crate::ui::widgets::cell::Cell;
use crate::ui::widgets::script::TextScript;
use crate::ui::widgets::sheet::{Frame, Hits, Ink, Sheet};
use crate::ui::words;

/// Longer names do not push the values further to the right.
const WIDEST: usize = 28;
/// Height of a head's title.
const TITLE: f64 = 28.0;
/// What stands for a secret that was left out.
const LEFT_OUT: &str = "   (left out)";

/// A text with its sheet.
pub struct Shown {
    title: String,
    side: Option<Side>,
    at: i64,
    script: TextScript,
    sheet: Sheet,
}

impl Shown {
    /// A head.
    pub fn head(head: &HeadView) -> Self {
        let title = match head.kind {
            HeadKind::Request => "Request head",
            HeadKind::Informational => "Informational head",
            HeadKind::Response => "Response head",
            HeadKind::Trailers => "Trailers",
        };
        let script = script(head);
        Self { title: title.to_owned(), side: head.side, at: head.at, script, sheet: Sheet::default() }
    }

    /// A command.
    pub fn curl(curl: &Curl) -> Self {
        let inks = curl.text.lines().map(|_| Vec::new()).collect();
        let script = TextScript::with_inks(curl.text.clone(), inks);
        Self { title: "As a command".to_owned(), side: None, at: 0, script, sheet: Sheet::default() }
    }

    /// The selected text.
    pub fn selected(&self) -> Option<String> {
        self.sheet.selected_text(&self.script)
    }

    /// Draws it.
    pub fn show(&mut self, ui: &mut Ui, course: &mut Course<'_>, http: &HttpDetail, index: usize) {
        let sides = course.sides();
        course.space(4.0);
        course.tall(TITLE, |top| self.title(ui, sides, top as f32, http));
        let sides = pretty::inner(course);
        let clip = course.rect;
        let Self { script, sheet, .. } = self;
        let height = sheet.height(ui, script, sides.1 - sides.0);
        let hits = Hits::default();
        let id = Id::unique(("head", index));
        course.tall(height, |top| sheet.show(ui, script, &Frame { id, sides, top, clip, active: false, hits: &hits }));
        course.space(8.0);
        pretty::line(ui, course);
    }

    fn title(&self, ui: &Ui, sides: (f32, f32), top: f32, http: &HttpDetail) {
        let palette = theme::palette(ui);
        let rect = Rect::from_min_max(pos2(sides.0 + 14.0, top), pos2(sides.1 - 8.0, top + TITLE as f32));
        let (sign, colour) = match self.side {
            Some(Side::Client) => ("→ ", palette.c2s),
            Some(Side::Server) => ("← ", palette.s2c),
            None => ("", palette.text),
        };
        let when = if self.at == 0 || self.at == http.times.at {
            String::new()
        } else {
            words::after(self.at - http.times.at)
        };
        Cell::new()
            .add(sign, theme::mono_medium(12.0), colour)
            .add(&self.title, theme::semibold(11.5), colour)
            .add("   ", theme::sans(11.5), palette.dim)
            .add(&when, theme::sans(11.5), palette.dim)
            .paint(ui.painter(), rect, false);
    }
}

/// A head as text: the first line, then a field a line, names as wide as the widest.
fn script(head: &HeadView) -> TextScript {
    let wide = head.fields.iter().map(|field| field.name.chars().count()).filter(|wide| *wide <= WIDEST).max();
    let wide = wide.unwrap_or(0);
    let mut text = String::new();
    let mut inks: Vec<Vec<(Range<usize>, Ink)>> = Vec::new();
    if !head.line.is_empty() {
        text.push_str(&one_line(&head.line));
        text.push('\n');
        inks.push(Vec::new());
    }
    for field in &head.fields {
        let start = text.len();
        let name = one_line(&field.name);
        let _ = write!(text, "{name}:{}", " ".repeat(wide.saturating_sub(name.chars().count()) + 1));
        let value = text.len();
        text.push_str(&one_line(&field.value));
        let mut line = vec![(0..name.len() + 1, Ink::Key)];
        if field.masked {
            text.push_str(LEFT_OUT);
            line.push((value - start..text.len() - start, Ink::Odd));
        }
        text.push('\n');
        inks.push(line);
    }
    text.pop();
    TextScript::with_inks(text, inks)
}

/// A text that keeps to its line; folded fields have line ends in their values.
fn one_line(text: &str) -> String {
    text.replace('\r', "⟨CR⟩").replace('\n', "↵")
}

#[cfg(test)]
mod tests {
    use super::script;
    use crate::engine::view::{FieldView, HeadKind, HeadView};
    use crate::ui::widgets::sheet::{Ink, Script};

    #[test]
    fn values_stand_below_each_other_and_secrets_are_marked() {
        let field = |name: &str, value: &str, masked| FieldView { name: name.into(), value: value.into(), masked };
        let head = HeadView {
            seq: 1,
            at: 0,
            side: None,
            kind: HeadKind::Request,
            line: "POST /mcp HTTP/1.1".to_owned(),
            fields: vec![
                field("Accept", "a,\r\n b", false),
                field("Authorization", "Bearer •••", true),
                field("X-A-Name-That-Is-Longer-Than-All", "v", false),
            ],
        };
        let script = script(&head);
        let lines: Vec<&str> = (0..script.count()).map(|line| script.line(line)).collect();
        assert_eq!(
            lines,
            [
                "POST /mcp HTTP/1.1",
                "Accept:        a,⟨CR⟩↵ b",
                "Authorization: Bearer •••   (left out)",
                "X-A-Name-That-Is-Longer-Than-All: v"
            ]
        );
        let mut odd = Vec::new();
        script.inks(2, &mut |range, ink| odd.push((lines[2][range].to_owned(), ink)));
        assert_eq!(odd, [("Authorization:".to_owned(), Ink::Key), ("Bearer •••   (left out)".to_owned(), Ink::Odd)]);
    }
}
