//! The arguments of a call while they are filled in: the JSON text that is sent.

use eframe::egui::{Id, TextEdit, Ui};

use crate::ui::theme;

/// What is filled in for one subject.
#[derive(Debug)]
pub struct Arguments {
    text: String,
}

impl Arguments {
    /// Nothing filled in yet, for arguments of this schema (JSON text).
    pub fn new(_schema: Option<&[u8]>) -> Self {
        Self { text: "{}".to_owned() }
    }

    /// The JSON text that is sent.
    pub fn text(&self) -> String {
        self.text.clone()
    }

    /// Fills in JSON text, such as that of an earlier call.
    pub fn set_text(&mut self, text: &str) {
        text.clone_into(&mut self.text);
    }

    /// Draws the editor in the width there is.
    pub fn show(&mut self, ui: &mut Ui, id: Id) {
        let field = TextEdit::multiline(&mut self.text).id(id).font(theme::mono()).desired_width(f32::INFINITY);
        ui.add(field.desired_rows(6)).accessible_name("Arguments as JSON");
    }
}
