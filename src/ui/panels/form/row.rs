//! One field of a form: its name and type at the left, what it is edited with, and at the right how it is sent.
//! Below them what the schema says about it, and what it has against it.

use eframe::egui::accesskit::Role;
use eframe::egui::text::LayoutJob;
use eframe::egui::{Align, Align2, Layout, Rect, RichText, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::{Edit, FormPanel, control, presence};
use crate::schema::{Control, Field};
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CONTROL};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::Cell;
use crate::ui::words;

/// Space that each level is moved in.
const INDENT: f32 = 14.0;
/// Levels that are moved in at most.
const DEEPEST: u16 = 10;
/// Space between fields.
const GAP: f32 = 8.0;
/// Lines of a description; the whole of it is shown at its name.
const LINES: usize = 3;
/// Width of the column that says how a field is sent.
const PRESENCE: f32 = 68.0;

/// How a field was drawn.
pub struct Drawn {
    /// What it took.
    pub height: f32,
    /// Whether the keyboard is in it.
    pub focused: bool,
}

/// What the field is called by in the accessibility tree: its path.
pub fn label(field: &Field) -> String {
    let path = field.pointer.trim_start_matches('/').replace("~1", "/").replace("~0", "~");
    match (path.is_empty(), field.name.is_empty()) {
        (false, _) => path,
        (true, false) => field.name.clone(),
        (true, true) => "value".to_owned(),
    }
}

/// Draws a field at the top of `place`.
pub fn show(ui: &mut Ui, panel: &mut FormPanel, place: Rect, field: &Field, edits: &mut Vec<Edit>) -> Drawn {
    let indent = INDENT * f32::from(field.depth.min(DEEPEST));
    let names = (place.width() * 0.29).clamp(96.0, 220.0);
    let tail = PRESENCE + if field.removable { 28.0 } else { 0.0 };
    let right = place.right() - tail - 8.0;
    let middle = place.left() + names.max(indent + 72.0) + 12.0;
    guides(ui, place, field.depth.min(DEEPEST));
    let below = place.top() + if field.named { CONTROL + 18.0 } else { 36.0 };
    let head = Rect::from_min_max(pos2(place.left() + indent, place.top()), pos2(middle - 12.0, below));
    name(ui, head, field, edits);
    let body = Rect::from_min_max(pos2(middle, place.top()), pos2(right.max(middle + 60.0), place.top() + 1e5));
    let mut child =
        ui.new_child(UiBuilder::new().id_salt(field.id).max_rect(body).layout(Layout::top_down(Align::Min)));
    child.spacing_mut().item_spacing.y = 4.0;
    child.set_width(body.width());
    let focused = control::show(&mut child, panel, field, edits);
    notes(&mut child, field);
    let bottom = child.min_rect().bottom().max(head.bottom());
    let end = Rect::from_min_size(pos2(place.right() - tail, place.top()), vec2(tail, CONTROL));
    tail_of(ui, end, field, edits);
    Drawn { height: bottom - place.top() + GAP, focused }
}

/// Hairlines that show what lies below what.
fn guides(ui: &Ui, place: Rect, depth: u16) {
    for level in 0..depth {
        let x = place.left() + INDENT * f32::from(level) + 3.0;
        ui.painter().vline(x, place.y_range(), theme::hairline(theme::palette(ui)));
    }
}

/// The name with its star, and the type under it.
fn name(ui: &mut Ui, rect: Rect, field: &Field, edits: &mut Vec<Edit>) {
    let palette = theme::palette(ui);
    let folds = matches!(field.control, Control::Object { .. } | Control::Array { .. } | Control::Variant { .. });
    let line = if field.named { CONTROL } else { 20.0 };
    let first = Rect::from_min_size(rect.min, vec2(rect.width(), line));
    let mut left = first.left();
    if folds {
        let mark = Rect::from_min_size(pos2(left - 2.0, first.top() + 1.0), vec2(18.0, 18.0));
        let word = if field.folded { "Unfold" } else { "Fold" };
        let text = format!("{word} {}", label(field));
        let response = ui.interact(mark, ui.scope_id().with(("fold", field.id)), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(Role::DisclosureTriangle, ui.is_enabled(), !field.folded, text.as_str())
        });
        icons::paint(ui.painter(), mark, if field.folded { Icon::Right } else { Icon::Down }, palette.dim);
        button::focus_ring(ui, &response, theme::CORNER_SMALL);
        if response.clicked() {
            edits.push(Edit::Fold(field.id, !field.folded));
        }
        left += 18.0;
    }
    let at = Rect::from_min_max(pos2(left, first.top()), first.max);
    if field.named {
        rename(ui, at, field, edits);
    } else {
        title(ui, at, field);
    }
    let second = Rect::from_min_max(pos2(rect.left(), first.bottom() + if field.named { 2.0 } else { 0.0 }), rect.max);
    let cut = Cell::new().add(&words::plain(&field.caption), theme::sans(11.0), palette.faint);
    if cut.paint(ui.painter(), second.with_max_y(second.top() + 14.0), false) {
        let hover = ui.interact(second, ui.scope_id().with(("caption", field.id)), Sense::hover());
        hover.on_hover_text(words::plain(&field.caption));
    }
}

fn title(ui: &Ui, rect: Rect, field: &Field) {
    let palette = theme::palette(ui);
    let star = if field.required { 12.0 } else { 0.0 };
    let shown = words::plain(&field.name);
    let galley =
        Cell::new().add(&shown, theme::sans(13.0), palette.text).layout(ui.painter(), (rect.width() - star).max(20.0));
    let size = galley.size();
    let at = pos2(rect.left(), rect.center().y - size.y / 2.0);
    ui.painter().galley(at, galley, palette.text);
    if field.required {
        let at = pos2(rect.left() + size.x + 5.0, rect.center().y);
        ui.painter().text(at, eframe::egui::Align2::LEFT_CENTER, "*", theme::medium(13.0), palette.err);
    }
    let hover = ui.interact(rect, ui.scope_id().with(("name", field.id)), Sense::hover());
    let spoken = format!("{shown}{}, {}", if field.required { " (required)" } else { "" }, field.caption);
    hover.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    hover.on_hover_ui(|ui| {
        ui.set_max_width(420.0);
        let line = |ui: &mut Ui, text: &str, colour| {
            ui.label(RichText::new(words::plain(text)).font(theme::sans(12.0)).color(colour));
        };
        line(ui, field.title.as_deref().unwrap_or(&field.name), palette.text);
        line(ui, &field.caption, palette.dim);
        if let Some(description) = &field.description {
            line(ui, description, palette.text);
        }
    });
}

/// The name of a member that somebody added.
fn rename(ui: &mut Ui, rect: Rect, field: &Field, edits: &mut Vec<Edit>) {
    let mut name = field.name.clone();
    let edit = eframe::egui::TextEdit::singleline(&mut name)
        .id(ui.scope_id().with(("rename", field.id)))
        .font(theme::mono())
        .hint_text("name")
        .margin(vec2(6.0, 2.0))
        .align(Align2::LEFT_CENTER)
        .desired_width(rect.width() - 14.0);
    let response = ui.put(rect, edit).accessible_name(format!("Name of {}", label(field)));
    if response.changed() {
        edits.push(Edit::Rename(field.id, name));
    }
}

/// What stands under a control: what is not as asked for, and the description. Its height does not depend on where the
/// keyboard is: what lies below would move away from a pointer that is just being pressed on it.
fn notes(ui: &mut Ui, field: &Field) {
    let palette = theme::palette(ui);
    for advice in &field.advice {
        ui.label(RichText::new(words::plain(advice)).font(theme::sans(11.5)).color(palette.warn));
    }
    let Some(description) = field.description.as_deref().filter(|text| !text.trim().is_empty()) else { return };
    let text = description.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut job =
        LayoutJob::simple(words::plain(&text).into_owned(), theme::sans(11.5), palette.dim, ui.available_width());
    job.wrap.max_rows = LINES;
    ui.label(job);
}

/// How it is sent, and the cross that takes it away.
fn tail_of(ui: &mut Ui, rect: Rect, field: &Field, edits: &mut Vec<Edit>) {
    let mut left = rect.left();
    if field.presences.len() > 1 {
        let place = Rect::from_min_size(pos2(left, rect.top() + 3.0), vec2(PRESENCE, 22.0));
        presence::show(ui, place, field, edits);
    }
    left += PRESENCE + 4.0;
    if field.removable {
        let place = Rect::from_min_size(pos2(left, rect.top() + 2.0), vec2(24.0, 24.0));
        let text = format!("Take away {}", label(field));
        let pressed = button::place(ui, place, Layout::left_to_right(Align::Center), |ui| {
            button::icon_sized(ui, Icon::Cross, &text, false, 24.0).clicked()
        });
        if pressed {
            edits.push(Edit::Remove(field.id));
        }
    }
}
