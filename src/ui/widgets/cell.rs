//! Text in a given width: one line, cut with an ellipsis.

use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{Align, Color32, FontId, Galley, Painter, Rect, pos2};

/// Pieces of text in their colours.
#[derive(Clone, Default)]
pub struct Cell(LayoutJob);

impl Cell {
    /// An empty cell.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a piece.
    #[must_use]
    pub fn add(mut self, text: &str, font: FontId, colour: Color32) -> Self {
        self.0.append(
            text,
            0.0,
            TextFormat { font_id: font, color: colour, valign: Align::Center, ..Default::default() },
        );
        self
    }

    /// Lays it out in one line of at most `width` points.
    pub fn layout(mut self, painter: &Painter, width: f32) -> Arc<Galley> {
        self.0.wrap =
            TextWrapping { max_width: width, max_rows: 1, break_anywhere: true, overflow_character: Some('…') };
        self.0.break_on_newline = false;
        painter.layout_job(self.0)
    }

    /// Draws it in `rect`, centred in height, at the left or at the right. Returns whether it was cut.
    pub fn paint(self, painter: &Painter, rect: Rect, right: bool) -> bool {
        let galley = self.layout(painter, rect.width());
        let elided = galley.elided;
        let x = if right { rect.right() - galley.size().x } else { rect.left() };
        let y = rect.center().y - galley.size().y / 2.0;
        painter.galley(pos2(x, y), galley, Color32::PLACEHOLDER);
        elided
    }
}

/// One piece of text, drawn in `rect`. Returns whether it was cut.
pub fn text(painter: &Painter, rect: Rect, text: &str, font: FontId, colour: Color32, right: bool) -> bool {
    Cell::new().add(text, font, colour).paint(painter, rect, right)
}
