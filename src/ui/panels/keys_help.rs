//! The sheet of keys.

use eframe::egui::{Context, Grid, Id, Modal, RichText};

use crate::ui::icons::Icon;
use crate::ui::keys::SHEET;
use crate::ui::theme;
use crate::ui::widgets::button;

/// Draws the sheet over the window while `open`.
pub fn show(ctx: &Context, open: &mut bool) {
    if !*open {
        return;
    }
    let modal = Modal::new(Id::unique("keys")).show(ctx, |ui| {
        let palette = theme::palette(ui);
        ui.set_width(660.0);
        ui.spacing_mut().interact_size.y = 18.0;
        ui.horizontal(|ui| {
            ui.label(RichText::new("Keys").font(theme::semibold(15.0)));
            ui.with_layout(eframe::egui::Layout::right_to_left(eframe::egui::Align::Center), |ui| {
                if button::icon(ui, Icon::Cross, "Close the keys", false).clicked() {
                    ui.close();
                }
            });
        });
        ui.add_space(4.0);
        ui.columns_const(|columns: &mut [eframe::egui::Ui; 2]| {
            for (index, (title, lines)) in SHEET.iter().enumerate() {
                let ui = &mut columns[usize::from(matches!(index, 2 | 3 | 5))];
                ui.label(RichText::new(title.to_uppercase()).font(theme::medium(10.5)).color(palette.faint));
                Grid::new(*title).num_columns(2).spacing([16.0, 4.0]).min_col_width(96.0).show(ui, |ui| {
                    for (keys, what, _) in *lines {
                        ui.label(RichText::new(*keys).font(theme::mono()).color(palette.accent));
                        ui.label(RichText::new(*what).color(palette.text));
                        ui.end_row();
                    }
                });
                ui.add_space(10.0);
            }
        });
    });
    if modal.should_close() {
        *open = false;
    }
}
