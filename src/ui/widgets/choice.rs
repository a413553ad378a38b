//! One of several in a menu: a control that shows what is chosen and opens the rest.

use eframe::egui::accesskit::Role;
use eframe::egui::{Popup, Rect, Sense, StrokeKind, Ui, WidgetInfo, vec2};

use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CONTROL, CORNER};
use crate::ui::widgets::{button, cell};

/// Draws the control, `width` wide; `label` is its accessible name. Returns whether the choice changed.
pub fn choice<T: Clone + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    options: &[(T, impl AsRef<str>)],
    width: f32,
) -> bool {
    let palette = theme::palette(ui);
    let word = options.iter().find(|(value, _)| value == chosen).map_or("…", |(_, word)| word.as_ref()).to_owned();
    let (rect, response) = ui.allocate_exact_size(vec2(width, CONTROL), Sense::click());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, ui.is_enabled(), label);
        info.current_text_value = Some(word.clone());
        info
    });
    let fill = if response.hovered() { palette.bg2 } else { palette.bg0 };
    ui.painter().rect(rect, CORNER, fill, theme::hairline(palette), StrokeKind::Inside);
    let text = Rect::from_min_max(rect.min + vec2(10.0, 0.0), rect.max - vec2(24.0, 0.0));
    let colour = if ui.is_enabled() { palette.text } else { palette.dim };
    cell::text(ui.painter(), text, &word, theme::sans(13.0), colour, false);
    let mark = Rect::from_min_max(rect.right_top() - vec2(22.0, 0.0), rect.right_bottom() - vec2(4.0, 0.0));
    icons::paint(ui.painter(), mark, Icon::Down, palette.dim);
    button::focus_ring(ui, &response, CORNER);
    let mut changed = false;
    Popup::menu(&response).accessible_name(label).width(width).show(|ui| {
        for (value, word) in options {
            if ui.selectable_label(value == chosen, word.as_ref()).clicked() {
                changed = value != chosen;
                *chosen = value.clone();
                ui.close();
            }
        }
    });
    changed
}
