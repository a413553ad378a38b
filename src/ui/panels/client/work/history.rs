//! Earlier calls of the same item: to look at them again, or to fill in what they were made with.

use eframe::egui::accesskit::Role;
use eframe::egui::{Align, Layout, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use super::Draft;
use crate::engine::view::ConnectionId;
use crate::peer::client::{CallId, Outcome};
use crate::ui::client::{CallRecord, Subject, params};
use crate::ui::desk::Desk;
use crate::ui::panels::client::result::{Sort, status};
use crate::ui::theme::{self, CORNER_SMALL};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::words;

/// Calls that are listed.
const MOST: usize = 50;
/// Height of a line.
const LINE: f32 = 24.0;

/// Draws them, where there are any.
pub(super) fn show(
    ui: &mut Ui,
    desk: &Desk,
    id: ConnectionId,
    subject: &Subject,
    draft: &mut Draft,
    shown: Option<CallId>,
) {
    let Some(connection) = desk.bench.get(id) else { return };
    let total = connection.calls_of(subject).count();
    if total == 0 {
        return;
    }
    ui.add_space(12.0);
    let palette = theme::palette(ui);
    ui.label(RichText::new("CALLS").font(theme::medium(10.5)).color(palette.faint));
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut fill = None;
    for call in connection.calls_of(subject).take(MOST) {
        let (pressed, again) = line(ui, call, shown == Some(call.id), desk.now);
        if pressed {
            draft.shown = Some(call.id);
        }
        if again {
            fill = call.call.as_ref().and_then(|it| it.params.as_deref()).and_then(params::arguments_in);
        }
    }
    if total > MOST {
        let text = format!("… and {} earlier", words::count((total - MOST) as u64));
        ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
    }
    if let Some(text) = fill {
        draft.arguments.set_text(&text);
    }
}

/// One call. Returns whether it is to be shown, and whether its arguments are to be filled in.
fn line(ui: &mut Ui, call: &CallRecord, is_shown: bool, now: i64) -> (bool, bool) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    let (word, sort) = status(call);
    let number = call.id;
    let label = format!("Call {number} {word}");
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_shown, words::plain(&label)));
    if is_shown || response.hovered() {
        ui.painter().rect_filled(rect, CORNER_SMALL, if is_shown { palette.bg2 } else { palette.bg1 });
    }
    button::focus_ring(ui, &response, CORNER_SMALL);
    let colour = match sort {
        Sort::Good => palette.ok,
        Sort::Waiting => palette.warn,
        Sort::Bad => palette.err,
    };
    let left = Rect::from_min_max(rect.min + vec2(6.0, 0.0), pos2(rect.left() + 96.0, rect.bottom()));
    cell::text(ui.painter(), left, &word, theme::sans(12.0), colour, false);
    let mut again = false;
    let mut right = rect.right() - 4.0;
    let has_arguments = call.call.as_ref().and_then(|it| it.params.as_deref()).is_some();
    if has_arguments && matches!(call.method.as_str(), "tools/call" | "prompts/get") {
        let place = Rect::from_min_max(pos2(right - 50.0, rect.top()), pos2(right, rect.bottom()));
        again = button::place(ui, place, Layout::right_to_left(Align::Center), |ui| {
            let label = format!("Fill in the arguments of call {number}");
            ui.push_id(number, |ui| button::quiet(ui, "fill in", &label).clicked()).inner
        });
        right -= 54.0;
    }
    let mut parts = vec![words::ago(now - call.at)];
    if call.outcome.is_some() {
        parts.push(words::duration(call.took));
    }
    if let Some(Outcome::Result(bytes)) = &call.outcome {
        parts.push(words::size(bytes.len() as u64));
    }
    if call.round_count() > 1 {
        parts.push(format!("{} rounds", call.round_count()));
    }
    let arguments = call.call.as_ref().and_then(|it| it.params.as_deref());
    // Enough of the arguments to tell one call from another; they may be megabytes.
    let text = arguments.map(|it| String::from_utf8_lossy(&it[..it.len().min(300)]).into_owned()).unwrap_or_default();
    let text = text.split_once("\"arguments\":").map_or("", |(_, rest)| rest);
    let text = if arguments.is_some_and(|it| it.len() <= 300) { text.strip_suffix('}').unwrap_or(text) } else { text };
    let cell_rect = Rect::from_min_max(pos2(left.right() + 4.0, rect.top()), pos2(right, rect.bottom()));
    Cell::new()
        .add(&parts.join(" · "), theme::sans(12.0), palette.dim)
        .add("   ", theme::sans(12.0), palette.dim)
        .add(&words::plain(text), theme::mono(), palette.dim)
        .paint(ui.painter(), cell_rect, false);
    (response.clicked(), again)
}
