//! What is special about the next call, while that is looked at.

use eframe::egui::{Frame, Ui};

use super::Draft;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::field::Field;

/// Draws it while it is open.
pub(super) fn show(ui: &mut Ui, draft: &mut Draft) {
    if !draft.open {
        return;
    }
    let palette = theme::palette(ui);
    let faults = draft.options.faults();
    let [id, ttl, fields, patience, cap] = faults.each_ref().map(Option::as_deref);
    let options = &mut draft.options;
    ui.add_space(6.0);
    let frame = Frame::new().fill(palette.bg1).stroke(theme::hairline(palette)).corner_radius(theme::CORNER);
    frame.inner_margin(10.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.columns_const(|columns: &mut [Ui; 3]| {
            let field = Field::new("Id, as JSON").label("Id of the call").hint("the next one").fault(id);
            field.show(&mut columns[0], &mut options.id);
            let field = Field::new("Silent for at most (s)").label("Time-out of the call").hint("default");
            field.fault(patience).show(&mut columns[1], &mut options.patience);
            let field = Field::new("In all at most (s)").label("Cap of the call").hint("default");
            field.fault(cap).show(&mut columns[2], &mut options.cap);
        });
        ui.add_space(2.0);
        button::check(ui, &mut options.bare, "Bare: nothing is added, neither _meta nor a progress token");
        ui.horizontal(|ui| {
            button::check(ui, &mut options.task, "As a task (2025-11-25)");
            if options.task {
                ui.vertical(|ui| {
                    ui.set_width(200.0);
                    Field::new("")
                        .label("Lifetime of the task")
                        .hint("ttl in ms")
                        .fault(ttl)
                        .show(ui, &mut options.ttl);
                });
            }
        });
        let field =
            Field::new("Header fields on HTTP, one a line").label("Header fields of the call").fault(fields).rows(2);
        field.hint("X-Name: value").show(ui, &mut options.fields);
    });
}
