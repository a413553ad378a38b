//! Choosing one of some values from a list that opens, or several from words that are on or off.

use eframe::egui::accesskit::Role;
use eframe::egui::{
    Button, Popup, Rect, Response, RichText, ScrollArea, Sense, StrokeKind, TextEdit, Ui, WidgetInfo, pos2, vec2,
};

use super::{Edit, control, row};
use crate::schema::{Field, Presence};
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CONTROL, CORNER};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::Cell;
use crate::ui::words;

/// Beyond so many values a list has a line to narrow it.
const MANY: usize = 12;
/// Values that are drawn at most.
const DRAWN: usize = 200;
/// Values of which several can be chosen that are shown as words.
const WORDS: usize = 60;

/// One of some values.
pub fn one(ui: &mut Ui, field: &Field, values: &[(String, String)], edits: &mut Vec<Edit>) -> Response {
    let chosen = field.chosen.first().copied().filter(|_| field.presence == Presence::Value);
    let text = match (field.presence, chosen.and_then(|index| values.get(index))) {
        (Presence::Value, Some((label, _))) => label.as_str(),
        // Something that is none of them stays what is sent.
        (Presence::Value, None) => field.text.as_str(),
        _ => control::hint(field),
    };
    let labels: Vec<&str> = values.iter().map(|(label, _)| label.as_str()).collect();
    let (response, taken) = drop_down(ui, field, text, &labels, chosen);
    if let Some(index) = taken {
        edits.push(Edit::Choose(field.id, index, true));
    }
    response
}

/// Several of some values.
pub fn several(ui: &mut Ui, field: &Field, values: &[(String, String)], edits: &mut Vec<Edit>) -> Response {
    let chosen = if field.presence == Presence::Value { field.chosen.as_slice() } else { &[] };
    let outer = ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let mut whole: Option<Response> = None;
        for (index, (label, _)) in values.iter().enumerate().take(WORDS) {
            let on = chosen.contains(&index);
            let response = control::toggle(ui, label, on, &format!("{}: {label}", row::label(field)), false);
            if response.clicked() {
                edits.push(Edit::Choose(field.id, index, !on));
            }
            whole = Some(match whole {
                Some(whole) => whole.union(response),
                None => response,
            });
        }
        if values.len() > WORDS {
            let more = format!("and {} more, in JSON", words::count((values.len() - WORDS) as u64));
            ui.label(RichText::new(more).color(theme::palette(ui).dim));
        }
        whole
    });
    outer.inner.unwrap_or(outer.response)
}

/// A control that opens a list. Returns the index that was taken.
pub fn drop_down(
    ui: &mut Ui,
    field: &Field,
    text: &str,
    labels: &[&str],
    chosen: Option<usize>,
) -> (Response, Option<usize>) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), CONTROL), Sense::click());
    let name = format!("{}: {}", row::label(field), words::plain(text));
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, ui.is_enabled(), &name));
    let fill = if response.hovered() { palette.bg2 } else { palette.bg0 };
    ui.painter().rect(rect, CORNER, fill, control::edge(ui, field, false), StrokeKind::Inside);
    let colour = if chosen.is_some() { palette.text } else { palette.faint };
    let place = Rect::from_min_max(rect.min + vec2(9.0, 0.0), rect.max - vec2(28.0, 0.0));
    Cell::new().add(&words::plain(text), theme::mono(), colour).paint(ui.painter(), place, false);
    let mark = Rect::from_center_size(pos2(rect.right() - 16.0, rect.center().y), vec2(16.0, 16.0));
    icons::paint(ui.painter(), mark, Icon::Down, palette.dim);
    button::focus_ring(ui, &response, CORNER);
    let mut taken = None;
    Popup::menu(&response).accessible_name("Values").width(rect.width().max(140.0)).show(|ui| {
        taken = list(ui, labels, chosen);
        if taken.is_some() {
            ui.close();
        }
    });
    (response, taken)
}

fn list(ui: &mut Ui, labels: &[&str], chosen: Option<usize>) -> Option<usize> {
    let mut narrow = String::new();
    if labels.len() > MANY {
        let id = ui.scope_id().with("narrow");
        narrow = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_default();
        let edit = TextEdit::singleline(&mut narrow).hint_text("narrow the list").desired_width(f32::INFINITY);
        let response = ui.add(edit).accessible_name("Narrow the list");
        if !response.has_focus() && ui.memory(|memory| memory.focused().is_none()) {
            response.request_focus();
        }
        ui.data_mut(|data| data.insert_temp(id, narrow.clone()));
    }
    let narrow = narrow.to_lowercase();
    let mut taken = None;
    ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
        let fits =
            labels.iter().enumerate().filter(|(_, label)| narrow.is_empty() || label.to_lowercase().contains(&narrow));
        for (index, label) in fits.take(DRAWN) {
            let text = RichText::new(words::plain(label)).font(theme::mono());
            if ui.add(Button::selectable(chosen == Some(index), text).truncate()).clicked() {
                taken = Some(index);
            }
        }
    });
    taken
}
