//! The button that fills a form with a made-up instance of its schema, and the way back to what was typed before.

use eframe::egui::Ui;

use super::FormPanel;
use super::draft::Was;
use crate::ui::widgets::button;
use crate::ui::worker::Later;

/// What has become of the example.
#[derive(Default)]
pub(super) struct Example {
    /// It is being made: a large schema takes its time.
    making: Option<Later<Option<String>>>,
    /// None was found that fits the schema.
    lacking: bool,
    /// What stood there before it.
    was: Option<Box<Was>>,
}

impl FormPanel {
    /// The button "Made-up example", in whose place stands the way back once it is filled in: it is the same each time.
    pub fn example(&mut self, ui: &mut Ui) {
        if let Some(Some(made)) = self.example.making.as_mut().map(|it| it.get().map(Option::take)) {
            self.example.making = None;
            match made {
                Some(json) => self.example.was = Some(Box::new(self.draft.example(&json))),
                None => self.example.lacking = true,
            }
        }
        if self.example.was.is_some() {
            let label = "Give the example up, and go back to what was typed before it";
            if button::quiet(ui, "Undo example", label).on_hover_text(label).clicked()
                && let Some(was) = self.example.was.take()
            {
                self.draft.back_to(*was);
            }
            return;
        }
        let label = "Fill in a made-up example that fits the schema";
        let hint =
            if self.example.lacking { "Nothing was found that fits this schema." } else { "An example is being made." };
        ui.add_enabled_ui(self.example.making.is_none() && !self.example.lacking, |ui| {
            let button = button::quiet(ui, "Made-up example", label).on_hover_text(label);
            if button.on_disabled_hover_text(hint).clicked() {
                self.example.making = self.worker.start(ui.ctx(), self.draft.sample());
            }
        });
    }
}
