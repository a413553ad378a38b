//! The tab Traffic: where the call is in the recording.

use eframe::egui::{RichText, Ui};

use super::{LEAD, Shown};
use crate::ui::desk::Desk;
use crate::ui::panels::stack::Course;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Draws the tab. Returns whether the exchange is to be opened on the Traffic page.
pub(super) fn show(ui: &mut Ui, course: &mut Course<'_>, shown: &Shown<'_>, desk: &Desk) -> bool {
    let Some(connection) = desk.bench.get(shown.id) else { return false };
    let palette = theme::palette(ui);
    let mut pressed = false;
    course.block(ui, "traffic", 14.0, |ui| match &connection.recording {
        None => {
            ui.label(RichText::new("This connection is not recorded.").color(palette.warn));
        }
        Some(path) => {
            ui.label(
                RichText::new("Whatever the client says and hears is recorded like any other traffic.")
                    .color(palette.dim),
            );
            ui.add_space(4.0);
            ui.label(RichText::new(words::plain(&path.display().to_string())).font(theme::mono()));
            ui.add_space(8.0);
            let label = "Show the exchange on the Traffic page";
            pressed = button::framed(ui, Some(LEAD), "Show it on the Traffic page", label, false).clicked();
        }
    });
    pressed
}
