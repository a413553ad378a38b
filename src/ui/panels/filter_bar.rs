//! The line above the timeline: the filter with its errors, completion and history, and the switches
//! of the timeline.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{
    Align, EventFilter, Galley, Id, Key, Layout, Modifiers, Rect, Stroke, StrokeKind, TextEdit, Ui, pos2, vec2,
};

use super::suggest;
use crate::engine::view::View;
use crate::filter::{Completion, Filter, FilterError};
use crate::ui::desk::Desk;
use crate::ui::icons::{self, Icon};
use crate::ui::keys::Act;
use crate::ui::settings::Settings;
use crate::ui::theme::{self, CONTROL, CORNER, Palette};
use crate::ui::widgets::button;
use crate::ui::words;

/// Height of the bar.
pub const HEIGHT: f32 = 44.0;
/// Below this width the words of the switches are left out.
const NARROW: f32 = 620.0;

/// The text being edited, and where its completion stands.
#[derive(Debug, Default)]
pub struct FilterBar {
    text: String,
    cursor: usize,
    suggestions: Vec<Completion>,
    chosen: Option<usize>,
    dismissed: bool,
    past: Option<usize>,
    error: Option<FilterError>,
    /// Whether the keyboard is to go to the filter.
    pub focus: bool,
    over_list: bool,
}

impl FilterBar {
    /// Empties the filter.
    pub fn clear(&mut self, desk: &mut Desk) {
        self.text.clear();
        self.past = None;
        apply(self, desk);
    }

    /// Puts a filter in.
    pub fn set(&mut self, text: &str, desk: &mut Desk) {
        text.clone_into(&mut self.text);
        self.past = None;
        self.dismissed = true;
        apply(self, desk);
    }
}

/// Draws the bar; what is pressed is added to `acts`.
pub fn show(ui: &mut Ui, bar: &mut FilterBar, desk: &mut Desk, settings: &mut Settings, acts: &mut Vec<Act>) {
    ui.spacing_mut().item_spacing.x = 8.0;
    let narrow = ui.available_width() < NARROW;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add_space(12.0);
        switches(ui, desk, settings, narrow, acts);
        let mut view = desk.view;
        if button::segmented(ui, &mut view, &[(View::Exchanges, "Exchanges"), (View::Messages, "Messages")]) {
            acts.push(Act::View);
        }
        let size = vec2((ui.available_width() - 12.0).max(80.0), CONTROL);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            line(ui, bar, desk, settings);
        });
    });
}

fn switches(ui: &mut Ui, desk: &Desk, settings: &Settings, narrow: bool, acts: &mut Vec<Act>) {
    let live = desk.latest().live;
    let paused = desk.is_paused();
    if live || paused {
        let (icon, word) = if paused { (Icon::Play, "Go on") } else { (Icon::Pause, "Pause") };
        let hint =
            if paused { "Show what has come since (p)" } else { "Let the timeline stand still; recording goes on (p)" };
        let pressed = if narrow {
            button::icon(ui, icon, word, paused).clicked()
        } else {
            button::framed(ui, Some(icon), word, word, paused).on_hover_text(hint).clicked()
        };
        if pressed {
            acts.push(Act::Pause);
        }
    }
    if !live {
        return;
    }
    let on = settings.follow;
    let pressed = if narrow {
        button::icon(ui, Icon::Follow, "Follow", on).clicked()
    } else {
        let hint = "Stay at the end while a recording grows (f)";
        button::framed(ui, Some(Icon::Follow), "Follow", "Follow", on).on_hover_text(hint).clicked()
    };
    if pressed {
        acts.push(Act::Follow);
    }
}

/// The field with the loupe, the text, how many match, and the cross.
fn line(ui: &mut Ui, bar: &mut FilterBar, desk: &mut Desk, settings: &mut Settings) {
    let palette = theme::palette(ui);
    let rect = ui.available_rect_before_wrap();
    let id = Id::unique("filter");
    let focused = ui.memory(|memory| memory.has_focus(id));
    let frame = if focused { Stroke::new(theme::RING, palette.accent) } else { theme::hairline(palette) };
    ui.painter().rect(rect, CORNER, palette.bg0, frame, StrokeKind::Inside);
    let loupe = Rect::from_min_size(rect.min + vec2(6.0, 0.0), vec2(18.0, rect.height()));
    icons::paint(ui.painter(), loupe, Icon::Loupe, palette.dim);
    let right = tail(ui, rect, bar, desk);
    if focused {
        keyboard(ui, id, bar, desk, settings);
    }
    let field = Rect::from_min_max(pos2(rect.left() + 28.0, rect.top()), pos2(right, rect.bottom()));
    edit(ui, field, id, bar, desk);
    list(ui, rect, id, bar, desk);
    if let Some(error) = bar.error.as_ref().filter(|_| !bar.over_list) {
        complain(ui, rect, error, focused && !bar.dismissed && !bar.suggestions.is_empty());
    }
}

/// What stands at the end of the field: how many match, and the cross. Returns where it begins.
fn tail(ui: &mut Ui, rect: Rect, bar: &mut FilterBar, desk: &mut Desk) -> f32 {
    let palette = theme::palette(ui);
    let mut right = rect.right() - 4.0;
    if !bar.text.is_empty() {
        let place = Rect::from_min_max(pos2(right - 22.0, rect.top() + 3.0), pos2(right, rect.bottom() - 3.0));
        let cross = button::place(ui, place, Layout::left_to_right(Align::Center), |ui| {
            button::icon_sized(ui, Icon::Cross, "Clear the filter", false, 22.0)
        });
        if cross.clicked() {
            bar.clear(desk);
        }
        right = place.left() - 4.0;
    }
    let state = desk.state();
    let text = if bar.text.trim().is_empty() {
        words::count(state.total)
    } else {
        format!("{} of {}", words::count(state.matching), words::count(state.total))
    };
    let galley = ui.painter().layout_no_wrap(text, theme::mono(), palette.dim);
    let at = pos2(right - galley.size().x - 4.0, rect.center().y - galley.size().y / 2.0);
    right = at.x - 8.0;
    ui.painter().galley(at, galley, palette.dim);
    if !desk.filter.is_empty() && state.filtered < 1.0 && state.version > 0 {
        let done = rect.width() * state.filtered.clamp(0.0, 1.0);
        let bar = Rect::from_min_size(pos2(rect.left() + 2.0, rect.bottom() - 3.0), vec2((done - 4.0).max(2.0), 2.0));
        ui.painter().rect_filled(bar, 1.0, palette.accent);
    }
    right
}

fn edit(ui: &mut Ui, rect: Rect, id: Id, bar: &mut FilterBar, desk: &mut Desk) {
    let palette = theme::palette(ui);
    let error = bar.error.as_ref().map(|error| error.range.clone());
    let mut layouter = |ui: &Ui, text: &dyn eframe::egui::TextBuffer, _: f32| colour(ui, text.as_str(), error.as_ref());
    let field = TextEdit::singleline(&mut bar.text)
        .id(id)
        .font(theme::mono())
        .frame(eframe::egui::Frame::NONE)
        .desired_width(rect.width())
        .margin(vec2(0.0, 4.0))
        .align(eframe::egui::Align2::LEFT_CENTER)
        .hint_text(hint(palette))
        .event_filter(EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true })
        .layouter(&mut layouter);
    let output = button::place(ui, rect, Layout::left_to_right(Align::Center), |ui| field.show(ui));
    let response = output.response.response.clone().accessible_name("Filter");
    if bar.focus {
        bar.focus = false;
        response.request_focus();
    }
    let cursor = output.cursor_range.map_or(0, |range| range.primary.index.0);
    let byte = bar.text.char_indices().nth(cursor).map_or(bar.text.len(), |(at, _)| at);
    if response.changed() {
        bar.past = None;
        bar.dismissed = false;
        apply(bar, desk);
    }
    if response.changed() || byte != bar.cursor || response.gained_focus() {
        bar.cursor = byte;
        bar.chosen = None;
        bar.suggestions = suggest::suggest(&bar.text, byte, desk.latest());
    }
}

fn hint(palette: &Palette) -> eframe::egui::RichText {
    eframe::egui::RichText::new("Filter: method:tools/call  is:error  latency>200ms  \"text\"  /regex/")
        .font(theme::sans(12.5))
        .color(palette.faint)
}

/// The keys of the field that the field itself must not get.
fn keyboard(ui: &Ui, id: Id, bar: &mut FilterBar, desk: &mut Desk, settings: &mut Settings) {
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let open = !bar.suggestions.is_empty() && !bar.dismissed;
    let down = pressed(Key::ArrowDown);
    let up = pressed(Key::ArrowUp);
    if (down || up) && open && bar.past.is_none() && (down || bar.chosen.is_some()) {
        let count = bar.suggestions.len();
        bar.chosen = match (bar.chosen, down) {
            (None, _) => Some(0),
            (Some(0), false) => None,
            (Some(at), true) => Some((at + 1) % count),
            (Some(at), false) => Some(at - 1),
        };
    } else if down || up {
        recall(ui, id, bar, desk, settings, up);
    }
    if pressed(Key::Tab) && open {
        take(ui, id, bar, desk, bar.chosen.unwrap_or(0));
    }
    if pressed(Key::Enter) {
        match bar.chosen.filter(|_| open) {
            Some(index) => take(ui, id, bar, desk, index),
            None => {
                settings.remember(&bar.text);
                ui.memory_mut(|memory| memory.surrender_focus(id));
            }
        }
    }
    if pressed(Key::Escape) {
        if bar.chosen.is_some() || (open && !bar.text.is_empty()) {
            bar.chosen = None;
            bar.dismissed = true;
        } else if bar.text.is_empty() {
            ui.memory_mut(|memory| memory.surrender_focus(id));
        } else {
            bar.clear(desk);
        }
    }
}

/// Brings back an earlier filter.
fn recall(ui: &Ui, id: Id, bar: &mut FilterBar, desk: &mut Desk, settings: &Settings, older: bool) {
    let count = settings.history.len();
    let next = match (bar.past, older) {
        (None, true) => count.checked_sub(1),
        (Some(at), true) => Some(at.saturating_sub(1)),
        (Some(at), false) if at + 1 < count => Some(at + 1),
        (_, false) => None,
    };
    if next.is_none() && bar.past.is_none() {
        return;
    }
    bar.past = next;
    bar.text = next.and_then(|at| settings.history.get(at)).cloned().unwrap_or_default();
    bar.dismissed = true;
    place_cursor(ui, id, bar.text.chars().count());
    apply(bar, desk);
}

/// Puts a suggestion in.
fn take(ui: &Ui, id: Id, bar: &mut FilterBar, desk: &mut Desk, index: usize) {
    let Some(suggestion) = bar.suggestions.get(index).cloned() else { return };
    if bar.text.get(suggestion.range.clone()).is_none() {
        return;
    }
    bar.text.replace_range(suggestion.range.clone(), &suggestion.insert);
    let end = suggestion.range.start + suggestion.insert.len();
    place_cursor(ui, id, bar.text[..end].chars().count());
    bar.cursor = end;
    bar.chosen = None;
    bar.suggestions = suggest::suggest(&bar.text, end, desk.latest());
    apply(bar, desk);
}

fn place_cursor(ui: &Ui, id: Id, index: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(index))));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// Puts the filter in force, unless it cannot be understood yet: then the last good one stays.
fn apply(bar: &mut FilterBar, desk: &mut Desk) {
    bar.error = Filter::parse(&bar.text).err();
    if bar.error.is_none() && desk.filter != bar.text {
        let view = desk.view;
        desk.show(view, &bar.text);
    }
}

/// The filter in colours: its words in the accent, what cannot be understood underlined.
fn colour(ui: &Ui, text: &str, error: Option<&Range<usize>>) -> Arc<Galley> {
    let palette = theme::palette(ui);
    let mut job = LayoutJob::default();
    for (range, is_word) in suggest::words(text) {
        let bad = error.is_some_and(|error| error.start < range.end && range.start < error.end.max(error.start + 1));
        let colour = if is_word { palette.accent } else { palette.text };
        let underline = if bad { Stroke::new(1.5, palette.err) } else { Stroke::NONE };
        let format = TextFormat { font_id: theme::mono(), color: colour, underline, ..Default::default() };
        job.append(&text[range], 0.0, format);
    }
    job.break_on_newline = false;
    ui.painter().layout_job(job)
}

/// What is wrong with the filter, under the field.
fn complain(ui: &Ui, field: Rect, error: &FilterError, typing: bool) {
    // While a word is being typed its completion is what helps; the error is said when that is closed.
    if typing {
        return;
    }
    let palette = theme::palette(ui);
    let area = eframe::egui::Area::new(Id::unique("filter-error"))
        .fixed_pos(field.left_bottom() + vec2(28.0, 4.0))
        .order(eframe::egui::Order::Foreground)
        .interactable(false);
    area.show(ui.ctx(), |ui| {
        let frame = eframe::egui::Frame::new().fill(palette.err_bg).corner_radius(CORNER).inner_margin(vec2(10.0, 6.0));
        frame.show(ui, |ui| {
            let text = words::plain(&error.message).into_owned();
            ui.label(eframe::egui::RichText::new(text).color(palette.err));
        });
    });
}

/// The completion under the field.
fn list(ui: &Ui, field: Rect, id: Id, bar: &mut FilterBar, desk: &mut Desk) {
    let focused = ui.memory(|memory| memory.has_focus(id));
    let wanted = focused && !bar.dismissed && !bar.text.is_empty() || bar.over_list;
    if !wanted || bar.suggestions.is_empty() {
        bar.over_list = false;
        return;
    }
    let mut taken = None;
    let area = eframe::egui::Area::new(Id::unique("filter-list"))
        .fixed_pos(field.left_bottom() + vec2(20.0, 4.0))
        .order(eframe::egui::Order::Foreground);
    let response = area.show(ui.ctx(), |ui| {
        eframe::egui::Frame::popup(ui.style()).inner_margin(4.0).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (index, suggestion) in bar.suggestions.iter().enumerate().take(10) {
                if suggest::row(ui, suggestion, bar.chosen == Some(index)) {
                    taken = Some(index);
                }
            }
        });
    });
    bar.over_list = response.response.contains_pointer();
    if let Some(index) = taken {
        take(ui, id, bar, desk, index);
        bar.over_list = false;
        ui.memory_mut(|memory| memory.request_focus(id));
    }
}
