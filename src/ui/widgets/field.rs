//! A field of a form: its title, what is typed, and what is wrong with it.

use eframe::egui::{Align2, Response, RichText, TextEdit, Ui};

use crate::ui::theme;

/// A field.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// Its accessible name.
    pub label: &'a str,
    /// What stands in it while nothing is typed.
    pub hint: &'a str,
    /// What is wrong with what is typed.
    pub fault: Option<&'a str>,
    /// Lines of text that it shows; one for a field of one line.
    pub rows: usize,
}

impl<'a> Field<'a> {
    /// A field of one line whose accessible name is its title.
    pub const fn new(title: &'a str) -> Self {
        Self { title, label: title, hint: "", fault: None, rows: 1 }
    }

    /// With another accessible name.
    #[must_use]
    pub const fn label(self, label: &'a str) -> Self {
        Self { label, ..self }
    }

    /// With something to stand in it while nothing is typed.
    #[must_use]
    pub const fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    /// With what is wrong.
    #[must_use]
    pub const fn fault(self, fault: Option<&'a str>) -> Self {
        Self { fault, ..self }
    }

    /// With several lines.
    #[must_use]
    pub const fn rows(self, rows: usize) -> Self {
        Self { rows, ..self }
    }

    /// Draws it in the width there is.
    pub fn show(&self, ui: &mut Ui, text: &mut String) -> Response {
        let palette = theme::palette(ui);
        if !self.title.is_empty() {
            ui.label(RichText::new(self.title).font(theme::sans(11.5)).color(palette.dim));
        }
        let field =
            if self.rows > 1 { TextEdit::multiline(text).desired_rows(self.rows) } else { TextEdit::singleline(text) };
        let align = if self.rows > 1 { Align2::LEFT_TOP } else { Align2::LEFT_CENTER };
        let field = field.font(theme::mono()).desired_width(f32::INFINITY).hint_text(self.hint).align(align);
        let response = ui.add(field).accessible_name(self.label);
        if let Some(fault) = self.fault {
            ui.label(RichText::new(fault).font(theme::sans(11.5)).color(palette.err));
        }
        response
    }
}
