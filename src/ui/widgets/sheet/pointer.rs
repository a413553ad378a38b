//! The mouse in a sheet: folding, the caret, and selecting text, also text that is scrolled away.

use std::ops::Range;

use eframe::egui::{CursorIcon, Pos2, Response, Ui};

use super::{Frame, Hits, Place, Script, Sheet, column_width, line};
use crate::ui::theme::LINE;

impl Sheet {
    pub(super) fn pointer(
        &mut self,
        ui: &Ui,
        script: &dyn Script,
        frame: &Frame<'_>,
        response: &Response,
        text_left: f32,
    ) {
        if response.hovered() {
            let over_text = ui.ctx().pointer_hover_pos().is_some_and(|pointer| pointer.x > text_left);
            ui.ctx().set_cursor_icon(if over_text { CursorIcon::Text } else { CursorIcon::Default });
        }
        let Some(pointer) = response.interact_pointer_pos() else { return };
        let Some((line, part)) = self.row_at(frame, pointer) else { return };
        if response.clicked() {
            if pointer.x < text_left {
                self.toggle(script, line);
            } else if self.is_offer(script, line, part) {
                self.show_whole(line);
            }
            self.anchor = None;
            self.caret = line;
        }
        if response.secondary_clicked() {
            self.caret = line;
        }
        if response.double_clicked() && pointer.x >= text_left {
            let place = self.place_at(ui, script, frame, pointer, text_left);
            self.select_piece(script, place);
        }
        if response.drag_started() {
            self.caret = line;
            let from = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            self.anchor = Some(self.place_at(ui, script, frame, from, text_left));
        }
        if response.dragged() {
            self.head = self.place_at(ui, script, frame, pointer, text_left);
        }
    }

    fn row_at(&self, frame: &Frame<'_>, pointer: Pos2) -> Option<(usize, u64)> {
        let layout = self.layout.as_ref()?;
        let row = ((f64::from(pointer.y) - frame.top) / f64::from(LINE)).floor().max(0.0) as u64;
        layout.at(row.min(layout.rows().checked_sub(1)?))
    }

    fn is_offer(&self, script: &dyn Script, line: usize, part: u64) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.segment(script, line, part).is_none())
    }

    fn place_at(&self, ui: &Ui, script: &dyn Script, frame: &Frame<'_>, pointer: Pos2, text_left: f32) -> Place {
        let Some((line, part)) = self.row_at(frame, pointer) else { return Place::default() };
        let Some(layout) = &self.layout else { return Place::default() };
        let Some(span) = layout.segment(script, line, part) else {
            return Place { line, byte: script.line(line).len() };
        };
        let indent = if part == 0 { 0.0 } else { layout.hang(script, line) as f32 * column_width(ui) };
        let drawn = line::draw(ui, script, line, span, &Hits::default(), None);
        Place { line, byte: drawn.byte_at(pointer.x - text_left - indent) }
    }

    /// Selects the coloured piece at a place: a key, a string, a number.
    fn select_piece(&mut self, script: &dyn Script, place: Place) {
        let mut piece: Option<Range<usize>> = None;
        script.inks(place.line, &mut |range, _| {
            if range.contains(&place.byte) || range.end == place.byte && piece.is_none() {
                piece = Some(range);
            }
        });
        if let Some(piece) = piece {
            self.anchor = Some(Place { line: place.line, byte: piece.start });
            self.head = Place { line: place.line, byte: piece.end };
        }
    }

    /// What is selected, in order; `None` when nothing is.
    fn selection(&self) -> Option<(Place, Place)> {
        let anchor = self.anchor?;
        let (from, to) = if anchor <= self.head { (anchor, self.head) } else { (self.head, anchor) };
        (from != to).then_some((from, to))
    }

    /// The selected bytes within a part of a line.
    pub(super) fn selected_in(&self, line: usize, span: &Range<usize>) -> Option<(usize, usize)> {
        let (from, to) = self.selection()?;
        if line < from.line || line > to.line {
            return None;
        }
        let start = if line == from.line { from.byte.max(span.start) } else { span.start };
        let end = if line == to.line { to.byte.min(span.end) } else { span.end };
        (start < end || (start == end && span.is_empty())).then_some((start, end))
    }

    /// The selected text, exactly as it is in the script.
    pub fn selected_text(&self, script: &dyn Script) -> Option<String> {
        let (from, to) = self.selection()?;
        let mut text = String::new();
        for line in from.line..=to.line.min(script.count().checked_sub(1)?) {
            let whole = script.line(line);
            let start = if line == from.line { from.byte.min(whole.len()) } else { 0 };
            let end = if line == to.line { to.byte.min(whole.len()) } else { whole.len() };
            text.push_str(whole.get(start..end).unwrap_or_default());
            if line < to.line {
                text.push('\n');
            }
        }
        Some(text)
    }

    /// Selects nothing.
    pub fn deselect(&mut self) {
        self.anchor = None;
    }
}
