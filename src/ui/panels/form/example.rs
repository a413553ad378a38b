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
    /// The buttons "Made-up example" and, once it is filled in, "Back to what was typed".
    pub fn example(&mut self, ui: &mut Ui) {
        if let Some(Some(made)) = self.example.making.as_mut().map(|it| it.get().map(Option::take)) {
            self.example.making = None;
            match made {
                Some(json) => {
                    let was = self.draft.example(&json);
                    // Of several examples one after the other the way back leads to what a person typed.
                    self.example.was.get_or_insert_with(|| Box::new(was));
                }
                None => self.example.lacking = true,
            }
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
        if self.example.was.is_some() {
            let label = "Give the example up, and go back to what was typed before it";
            if button::quiet(ui, "Back to what was typed", label).on_hover_text(label).clicked()
                && let Some(was) = self.example.was.take()
            {
                self.draft.back_to(*was);
            }
        }
    }
}
