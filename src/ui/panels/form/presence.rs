//! How a field is sent: left out, `null`, empty, or as typed.

use eframe::egui::accesskit::Role;
use eframe::egui::{Popup, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::{Edit, row};
use crate::schema::{Control, Field, Presence};
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CORNER_SMALL};
use crate::ui::widgets::button;

/// The word for a state.
pub const fn word(presence: Presence) -> &'static str {
    match presence {
        Presence::Omit => "omit",
        Presence::Null => "null",
        Presence::Empty => "empty",
        Presence::Value => "value",
    }
}

/// What a state means for a field.
fn meaning(presence: Presence, control: &Control) -> &'static str {
    match (presence, control) {
        (Presence::Omit, _) => "it is not sent at all",
        (Presence::Null, _) => "null is sent",
        (Presence::Empty, Control::Object { .. }) => "{} is sent",
        (Presence::Empty, Control::Array { .. } | Control::Choices(_)) => "[] is sent",
        (Presence::Empty, _) => "\"\" is sent",
        (Presence::Value, _) => "what is typed is sent",
    }
}

/// Draws the chooser.
pub fn show(ui: &mut Ui, rect: Rect, field: &Field, edits: &mut Vec<Edit>) {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, ui.scope_id().with(("presence", field.id)), Sense::click());
    let label = format!("{}: {}", row::label(field), word(field.presence));
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, ui.is_enabled(), &label));
    let fill = if response.hovered() { palette.bg2 } else { palette.bg1 };
    ui.painter().rect(rect, CORNER_SMALL, fill, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let colour = if field.presence == Presence::Value { palette.dim } else { palette.text };
    let at = rect.left_center() + vec2(9.0, 0.0);
    ui.painter().text(at, eframe::egui::Align2::LEFT_CENTER, word(field.presence), theme::sans(11.0), colour);
    let mark = Rect::from_center_size(pos2(rect.right() - 11.0, rect.center().y), vec2(14.0, 14.0));
    icons::paint(ui.painter(), mark, Icon::Down, palette.dim);
    button::focus_ring(ui, &response, CORNER_SMALL);
    Popup::menu(&response).accessible_name("How it is sent").show(|ui| {
        ui.set_min_width(210.0);
        for presence in &field.presences {
            let on = *presence == field.presence;
            let mut text = eframe::egui::text::LayoutJob::default();
            let format = |font, colour| eframe::egui::TextFormat { font_id: font, color: colour, ..Default::default() };
            let first = if on { palette.accent } else { palette.text };
            text.append(word(*presence), 0.0, format(theme::medium(12.5), first));
            text.append(meaning(*presence, &field.control), 10.0, format(theme::sans(11.5), palette.dim));
            if ui.add(eframe::egui::Button::selectable(on, text)).clicked() {
                edits.push(Edit::Presence(field.id, *presence));
                ui.close();
            }
        }
    });
    let hint = RichText::new(meaning(field.presence, &field.control)).font(theme::sans(11.5));
    response.on_hover_text(hint);
}
