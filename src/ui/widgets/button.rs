//! Buttons, segments, tabs and tags in the window's style.

use eframe::egui::accesskit::Role;
use eframe::egui::{
    Align, CornerRadius, Layout, Rect, Response, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};

use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CONTROL, CORNER, CORNER_SMALL, RING};

/// Draws in `rect` without moving the place where the next widget goes.
pub fn place<R>(ui: &mut Ui, rect: Rect, layout: Layout, add: impl FnOnce(&mut Ui) -> R) -> R {
    add(&mut ui.new_child(UiBuilder::new().max_rect(rect).layout(layout)))
}

/// Draws the ring of the keyboard's focus.
pub fn focus_ring(ui: &Ui, response: &Response, radius: impl Into<CornerRadius>) {
    if response.has_focus() {
        let ring = Stroke::new(RING, theme::palette(ui).accent);
        ui.painter().rect_stroke(response.rect, radius, ring, StrokeKind::Inside);
    }
}

/// A square button with an icon; `label` is its accessible name and its tooltip.
pub fn icon(ui: &mut Ui, icon: Icon, label: &str, on: bool) -> Response {
    icon_sized(ui, icon, label, on, CONTROL)
}

/// The same in another size.
pub fn icon_sized(ui: &mut Ui, icon: Icon, label: &str, on: bool, size: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(size), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), on, label));
    let palette = theme::palette(ui);
    if on {
        ui.painter().rect_filled(rect, CORNER, palette.accent_bg);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, CORNER, palette.bg2);
    }
    let colour = match (on, response.hovered()) {
        (true, _) => palette.accent,
        (false, true) => palette.text,
        (false, false) => palette.dim,
    };
    icons::paint(ui.painter(), rect, icon, colour);
    focus_ring(ui, &response, CORNER);
    response.on_hover_text(label)
}

/// A framed button with a word, and an icon before it; `label` is its accessible name.
pub fn framed(ui: &mut Ui, sign: Option<Icon>, word: &str, label: &str, on: bool) -> Response {
    let palette = theme::palette(ui);
    let colour = if on { palette.accent } else { palette.text };
    let galley = ui.painter().layout_no_wrap(word.to_owned(), theme::sans(13.0), colour);
    let sign_width = if sign.is_some() { 18.0 } else { 0.0 };
    let size = vec2(galley.size().x + sign_width + 20.0, CONTROL);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), on, label));
    let fill = match (on, response.hovered()) {
        (true, _) => palette.accent_bg,
        (false, true) => palette.bg2,
        (false, false) => palette.bg1,
    };
    let line = if on { palette.accent } else { palette.line };
    ui.painter().rect(rect, CORNER, fill, Stroke::new(1.0, line), StrokeKind::Inside);
    if let Some(sign) = sign {
        let place = Rect::from_min_size(rect.min + vec2(7.0, 0.0), vec2(18.0, CONTROL));
        icons::paint(ui.painter(), place, sign, colour);
    }
    let at = rect.left_center() + vec2(10.0 + sign_width, -galley.size().y / 2.0);
    ui.painter().galley(at, galley, colour);
    focus_ring(ui, &response, CORNER);
    response
}

/// The button for what is done most, on the accent's ground; `label` is its accessible name.
pub fn primary(ui: &mut Ui, word: &str, label: &str) -> Response {
    let palette = theme::palette(ui);
    let galley = ui.painter().layout_no_wrap(word.to_owned(), theme::semibold(13.0), palette.on_accent);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + 28.0, CONTROL), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let (fill, colour) = match (ui.is_enabled(), response.hovered()) {
        (false, _) => (palette.bg3, palette.dim),
        (true, true) => (palette.accent.gamma_multiply(0.9), palette.on_accent),
        (true, false) => (palette.accent, palette.on_accent),
    };
    ui.painter().rect_filled(rect, CORNER, fill);
    ui.painter().galley_with_override_text_color(rect.center() - galley.size() / 2.0, galley, colour);
    if response.has_focus() {
        ui.painter().rect_stroke(rect.expand(2.0), CORNER, Stroke::new(RING, palette.accent), StrokeKind::Inside);
    }
    response
}

/// A word that can be pressed, without a frame.
pub fn quiet(ui: &mut Ui, word: &str, label: &str) -> Response {
    let palette = theme::palette(ui);
    let galley = ui.painter().layout_no_wrap(word.to_owned(), theme::sans(11.5), palette.dim);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(8.0, 4.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let colour = if response.hovered() { palette.text } else { palette.dim };
    if response.hovered() {
        ui.painter().rect_filled(rect, CORNER_SMALL, palette.bg2);
    }
    ui.painter().galley_with_override_text_color(rect.min + vec2(4.0, 2.0), galley, colour);
    focus_ring(ui, &response, CORNER_SMALL);
    response
}

/// One of several, in one frame. Returns whether the choice changed.
pub fn segmented<T: Copy + PartialEq>(ui: &mut Ui, choice: &mut T, options: &[(T, &str)]) -> bool {
    let palette = theme::palette(ui);
    let mut changed = false;
    let across = Layout::left_to_right(Align::Center);
    let width: f32 = options.iter().map(|(_, word)| segment(ui, word).x).sum();
    let outer = ui.allocate_ui_with_layout(vec2(width, CONTROL), across, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for (value, word) in options {
            let on = *choice == *value;
            let colour = if on { palette.text } else { palette.dim };
            let galley = ui.painter().layout_no_wrap((*word).to_owned(), theme::sans(13.0), colour);
            let (rect, response) = ui.allocate_exact_size(segment(ui, word), Sense::click());
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, word));
            if on || response.hovered() {
                ui.painter().rect_filled(rect.shrink(1.0), CORNER, if on { palette.bg3 } else { palette.bg2 });
            }
            ui.painter().galley(rect.center() - galley.size() / 2.0, galley, colour);
            focus_ring(ui, &response, CORNER);
            if response.clicked() && !on {
                *choice = *value;
                changed = true;
            }
        }
    });
    ui.painter().rect_stroke(outer.response.rect, CORNER, theme::hairline(palette), StrokeKind::Inside);
    changed
}

fn segment(ui: &Ui, word: &str) -> Vec2 {
    let galley = ui.painter().layout_no_wrap(word.to_owned(), theme::sans(13.0), theme::palette(ui).text);
    vec2(galley.size().x + 20.0, CONTROL)
}

/// A row of tabs, underlined where it is on. Returns whether the choice changed.
pub fn tabs<T: Copy + PartialEq>(ui: &mut Ui, choice: &mut T, options: &[(T, &str)]) -> bool {
    let palette = theme::palette(ui);
    let mut changed = false;
    for (value, word) in options {
        let on = *choice == *value;
        let galley = ui.painter().layout_no_wrap((*word).to_owned(), theme::sans(13.0), palette.dim);
        let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x, 32.0), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Tab, true, on, word));
        let colour = if on || response.hovered() { palette.text } else { palette.dim };
        let at = rect.center() - galley.size() / 2.0;
        ui.painter().galley_with_override_text_color(at, galley, colour);
        if on {
            let line = Rect::from_min_max(rect.left_bottom() - vec2(0.0, 2.0), rect.right_bottom());
            ui.painter().rect_filled(line, 0.0, palette.accent);
        }
        focus_ring(ui, &response, CORNER_SMALL);
        if response.clicked() && !on {
            *choice = *value;
            changed = true;
        }
    }
    changed
}

/// What a tag has around its text.
const TAG: Vec2 = vec2(12.0, 4.0);

/// A small label on a ground of its own; red when it stands for an error.
pub fn tag(ui: &mut Ui, text: &str, error: bool) -> Response {
    let palette = theme::palette(ui);
    let (fill, colour) = if error { (palette.err_bg, palette.err) } else { (palette.bg3, palette.dim) };
    let galley = ui.painter().layout_no_wrap(text.to_owned(), theme::medium(10.5), colour);
    let (rect, response) = ui.allocate_exact_size(galley.size() + TAG, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    ui.painter().rect_filled(rect, CORNER_SMALL, fill);
    ui.painter().galley(rect.min + vec2(6.0, 2.0), galley, colour);
    response
}

/// A tag whose text has a colour of its own.
pub fn coloured_tag(ui: &mut Ui, text: &str, colour: eframe::egui::Color32) -> Response {
    let palette = theme::palette(ui);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), theme::medium(10.5), colour);
    let (rect, response) = ui.allocate_exact_size(galley.size() + TAG, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    ui.painter().rect_filled(rect, CORNER_SMALL, palette.bg3);
    ui.painter().galley(rect.min + vec2(6.0, 2.0), galley, colour);
    response
}

/// A small framed button, for lines that have many.
pub fn framed_small(ui: &mut Ui, sign: Option<Icon>, word: &str, label: &str) -> Response {
    let palette = theme::palette(ui);
    let galley = ui.painter().layout_no_wrap(word.to_owned(), theme::sans(11.5), palette.dim);
    let sign_width = if sign.is_some() { 14.0 } else { 0.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + sign_width + 14.0, 22.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let colour = if response.hovered() { palette.text } else { palette.dim };
    let fill = if response.hovered() { palette.bg2 } else { palette.bg1 };
    ui.painter().rect(rect, CORNER, fill, theme::hairline(palette), StrokeKind::Inside);
    if let Some(sign) = sign {
        let place = Rect::from_min_size(rect.min + vec2(3.0, 0.0), vec2(16.0, rect.height()));
        icons::paint(ui.painter(), place, sign, colour);
    }
    let at = rect.left_center() + vec2(7.0 + sign_width, -galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(at, galley, colour);
    focus_ring(ui, &response, CORNER);
    response
}

/// One of a few small choices; its word is its accessible name.
pub fn small(ui: &mut Ui, word: &str, on: bool) -> Response {
    let palette = theme::palette(ui);
    let galley = ui.painter().layout_no_wrap(word.to_owned(), theme::sans(11.5), palette.dim);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(14.0, 8.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), on, word));
    if on || response.hovered() {
        ui.painter().rect_filled(rect, CORNER_SMALL, if on { palette.bg3 } else { palette.bg2 });
    }
    let colour = if on { palette.text } else { palette.dim };
    ui.painter().galley_with_override_text_color(rect.min + vec2(7.0, 4.0), galley, colour);
    focus_ring(ui, &response, CORNER_SMALL);
    response
}

/// How wide [`tag`] would be.
pub fn tag_width(ui: &Ui, text: &str) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), theme::medium(10.5), theme::palette(ui).dim).size().x + TAG.x
}

/// A box to tick. Its edge is stronger than a hairline, or an empty one would hardly be seen.
pub fn check(ui: &mut Ui, ticked: &mut bool, text: &str) -> Response {
    ui.scope(|ui| {
        let edge = theme::palette(ui).mark;
        ui.visuals_mut().widgets.inactive.bg_stroke.color = edge;
        ui.checkbox(ticked, text)
    })
    .inner
}
