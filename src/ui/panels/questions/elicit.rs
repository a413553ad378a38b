//! Elicitation by a form: what the server says, and the fields of its schema with their defaults.

use eframe::egui::{Align, Layout, RichText, Ui};

use super::sheet::Made;
use crate::engine::view::Json;
use crate::peer::client::Answer;
use crate::ui::panels::form::FormPanel;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// An elicitation by a form.
pub struct Elicit {
    message: String,
    form: FormPanel,
    faults: Vec<String>,
}

impl Elicit {
    /// The question with these params.
    pub fn new(salt: &str, params: Json<'_>) -> Self {
        let message = params.get("message").and_then(|it| it.text()).unwrap_or_default().into_owned();
        let mut faults = Vec::new();
        let schema = params.get("requestedSchema").map_or_else(
            || {
                faults.push("It has no requestedSchema (EL-001); anything can be answered.".to_owned());
                b"true".to_vec()
            },
            |schema| schema.raw().to_vec(),
        );
        let form = FormPanel::new(salt, &schema);
        faults.extend(form.draft.schema_faults().iter().cloned());
        Self { message, form, faults }
    }

    /// Draws it.
    pub fn show(&mut self, ui: &mut Ui, most: f32) -> Made {
        let palette = theme::palette(ui);
        for line in self.message.lines() {
            ui.label(RichText::new(words::plain(line)).color(palette.text));
        }
        for fault in &self.faults {
            ui.label(RichText::new(words::plain(fault)).font(theme::sans(11.5)).color(palette.warn));
        }
        ui.add_space(4.0);
        self.form.show(ui, most.max(120.0));
        ui.add_space(4.0);
        let mut made = Made::Nothing;
        ui.horizontal(|ui| {
            if button::primary(ui, "Accept", "Accept, and send what is filled in").clicked() {
                made = Made::Result(self.accepted());
            }
            made = decline_or(ui, std::mem::replace(&mut made, Made::Nothing));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if button::framed(ui, None, "Edit as JSON", "Edit the answer as JSON", false).clicked() {
                    made = Made::AsJson(self.accepted());
                }
                self.form.example(ui);
            });
        });
        made
    }

    fn accepted(&self) -> String {
        format!(r#"{{"action":"accept","content":{}}}"#, self.form.text())
    }
}

/// The buttons that every elicitation has.
pub fn decline_or(ui: &mut Ui, made: Made) -> Made {
    let mut made = made;
    if button::framed(ui, None, "Decline", "Decline: say no", false).clicked() {
        made = Made::Decline(Answer::Result(br#"{"action":"decline"}"#.to_vec()));
    }
    let hint = "Cancel: say neither yes nor no, as if the dialog were closed.";
    if button::framed(ui, None, "Cancel", "Cancel: say neither yes nor no", false).on_hover_text(hint).clicked() {
        made = Made::Result(r#"{"action":"cancel"}"#.to_owned());
    }
    made
}
