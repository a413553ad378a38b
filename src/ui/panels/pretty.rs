//! The tab Pretty: request above answer, or beside it, then what is worth knowing about them.

use eframe::egui::{Id, Popup, Rect, Response, Ui, pos2};

use super::belongs;
use super::copying;
use super::detail::DetailPanel;
use super::part::Part;
use super::stack::Course;
use crate::engine::view::{Body, Detail, RowKey, Status};
use crate::model::{EntryKind, Flags, Side};
use crate::ui::desk::Desk;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::cell::Cell;
use crate::ui::words;

/// Height of a part's title.
const HEAD: f64 = 28.0;

/// Draws the tab in `rect`.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    panel: &mut DetailPanel,
    detail: &Detail,
    desk: &mut Desk,
    settings: &Settings,
    active: bool,
) {
    with(ui, rect, panel, detail, settings, active, |ui, course, panel| belongs::show(ui, course, panel, detail, desk));
}

/// Draws only request and answer in `rect`.
pub fn bodies(ui: &mut Ui, rect: Rect, panel: &mut DetailPanel, detail: &Detail, settings: &Settings, active: bool) {
    with(ui, rect, panel, detail, settings, active, |_, course, _| course.space(24.0));
}

/// Draws request and answer, and what comes after them.
fn with(
    ui: &mut Ui,
    rect: Rect,
    panel: &mut DetailPanel,
    detail: &Detail,
    settings: &Settings,
    active: bool,
    after: impl FnOnce(&mut Ui, &mut Course<'_>, &mut DetailPanel),
) {
    let both = panel.request.is_some() && panel.answer.is_some();
    let beside = settings.side_by_side && both;
    let (left, right) = if beside { halves(ui, rect) } else { (rect, Rect::NOTHING) };
    let reveal = std::mem::take(&mut panel.find.reveal);
    let mut stack = std::mem::take(&mut panel.stack);
    let mut marks = Marks::default();
    stack.show(ui, left, Id::unique("detail-left"), "Scroll the detail", |ui, course| {
        marks.request = part(ui, course, panel, detail, false, active);
        if !beside {
            marks.answer = part(ui, course, panel, detail, true, active);
        }
        after(ui, course, panel);
    });
    let mut other = std::mem::take(&mut panel.beside);
    if beside {
        other.show(ui, right, Id::unique("detail-right"), "Scroll the answer", |ui, course| {
            marks.answer = part(ui, course, panel, detail, true, active);
        });
    }
    if reveal {
        let mark = if panel.in_answer { marks.answer } else { marks.request };
        let span = panel.active().and_then(|part| part.sheet.span(part.sheet.caret));
        if let (Some(top), Some((from, size))) = (mark, span) {
            let stack = if panel.in_answer && beside { &mut other } else { &mut stack };
            stack.reveal(top + from, size);
            ui.ctx().request_repaint();
        }
    }
    panel.stack = stack;
    panel.beside = other;
}

/// How far down the sheets begin.
#[derive(Default)]
struct Marks {
    request: Option<f64>,
    answer: Option<f64>,
}

fn halves(ui: &Ui, rect: Rect) -> (Rect, Rect) {
    let middle = rect.center().x.round();
    ui.painter().vline(middle, rect.y_range(), theme::hairline(theme::palette(ui)));
    let left = Rect::from_min_max(rect.min, pos2(middle, rect.bottom()));
    (left, Rect::from_min_max(pos2(middle + 1.0, rect.top()), rect.max))
}

/// Draws request or answer; returns how far down its sheet begins.
fn part(
    ui: &mut Ui,
    course: &mut Course<'_>,
    panel: &mut DetailPanel,
    detail: &Detail,
    is_answer: bool,
    active: bool,
) -> Option<f64> {
    let slot = if is_answer { &mut panel.answer } else { &mut panel.request };
    let mut part = slot.take()?;
    title_block(ui, course, &part, detail, is_answer);
    let mark = course.depth();
    let has_caret = panel.in_answer == is_answer;
    let sides = inner(course);
    let height = part.height(ui, sides.1 - sides.0);
    let clip = course.rect;
    let id = Id::unique(("sheet", is_answer));
    let response = course.tall(height, |top| part.show(ui, id, sides, top, clip, active && has_caret));
    course.space(8.0);
    line(ui, course);
    super::content::show(ui, course, &mut part, &mut panel.worker, &detail.row.subject, is_answer);
    let slot = if is_answer { &mut panel.answer } else { &mut panel.request };
    *slot = Some(part);
    if let Some(response) = response {
        touched(&response, panel, is_answer);
    }
    Some(mark)
}

/// The title above a body.
pub fn title_block(ui: &Ui, course: &mut Course<'_>, part: &Part, detail: &Detail, is_answer: bool) {
    let sides = course.sides();
    course.space(4.0);
    course.tall(HEAD, |top| head(ui, sides, top, part, detail, is_answer));
}

/// The hairline below a body.
pub fn line(ui: &Ui, course: &mut Course<'_>) {
    let width = course.rect;
    course.tall(1.0, |top| ui.painter().hline(width.x_range(), top as f32, theme::hairline(theme::palette(ui))));
}

/// Left and right edge of a sheet.
pub fn inner(course: &Course<'_>) -> (f32, f32) {
    let (left, right) = course.sides();
    (left + 6.0, right - 2.0)
}

fn touched(response: &Response, panel: &mut DetailPanel, is_answer: bool) {
    if response.clicked() || response.secondary_clicked() || response.drag_started() {
        panel.in_answer = is_answer;
        let other = if is_answer { &mut panel.request } else { &mut panel.answer };
        if let Some(other) = other {
            other.sheet.deselect();
        }
    }
    Popup::context_menu(response).accessible_name("Message").show(|ui| {
        copying::menu(ui, panel);
        ui.separator();
        let Some(part) = panel.active() else { return };
        if ui.button("Fold or unfold   (h l)").clicked() {
            part.with(|sheet, script| sheet.toggle(script, sheet.caret));
        }
        if ui.button("Fold all   (-)").clicked() {
            part.with(|sheet, script| sheet.fold_all(script));
        }
        if ui.button("Unfold all   (+)").clicked() {
            part.sheet.unfold_all();
        }
    });
}

/// The title of a part: the sign and what it is, who sent it, when.
fn head(ui: &Ui, sides: (f32, f32), top: f64, part: &Part, detail: &Detail, is_answer: bool) {
    let palette = theme::palette(ui);
    let top = top as f32;
    let rect = Rect::from_min_max(pos2(sides.0 + 14.0, top), pos2(sides.1 - 8.0, top + HEAD as f32));
    let body = &part.body;
    let (sign, colour) = match body.side {
        Some(Side::Client) => ("→ ", palette.c2s),
        Some(Side::Server) => ("← ", palette.s2c),
        None => ("∙ ", palette.dim),
    };
    let mut right = vec![words::size(body.size)];
    right.extend(marks(body));
    let right =
        Cell::new().add(&right.join(" · "), theme::sans(11.5), palette.dim).layout(ui.painter(), rect.width() / 2.0);
    let width = right.size().x;
    ui.painter().galley(pos2(rect.right() - width, rect.center().y - right.size().y / 2.0), right, palette.dim);
    Cell::new()
        .add(sign, theme::mono_medium(12.0), colour)
        .add(title(detail, body, is_answer), theme::semibold(11.5), colour)
        .add("   ", theme::sans(11.5), palette.dim)
        .add(&source(detail, body, is_answer), theme::sans(11.5), palette.dim)
        .paint(ui.painter(), rect.with_max_x(rect.right() - width - 8.0), false);
}

fn title(detail: &Detail, body: &Body, is_answer: bool) -> &'static str {
    let pretty = body.pretty.as_ref();
    let of_http = detail.answer.is_some() && matches!(detail.row.key, RowKey::Entry(_));
    match (body.kind, body.side) {
        (EntryKind::Head, Some(Side::Client)) => return "Request head",
        (EntryKind::Head, _) => return "Response head",
        (EntryKind::Body, Some(Side::Client)) if of_http => return "Request body",
        (EntryKind::Body, _) if of_http => return "Response body",
        (EntryKind::Body, _) if pretty.is_none() => return "Body",
        (EntryKind::Event, _) if pretty.is_none() => return "Event",
        _ => {}
    }
    match (is_answer, detail.row.status) {
        (true, Status::Error) if pretty.is_some_and(|pretty| pretty.line_of("/error").is_some()) => "Error",
        (true, Status::Error) => "Result, isError",
        (true, _) => "Result",
        (false, _) if detail.answer.is_some() || detail.row.status != Status::None => "Request",
        (false, _) if pretty.is_some() => "Message",
        (false, _) => "Line",
    }
}

fn source(detail: &Detail, body: &Body, is_answer: bool) -> String {
    let side = body.side.map_or("", Side::word);
    match (&detail.request, is_answer) {
        (Some(request), true) => format!("{side} · {} later", words::duration(body.until - request.at)),
        _ => side.to_owned(),
    }
}

/// What is special about a body, in words.
pub fn marks(body: &Body) -> Vec<String> {
    let marks = [
        (Flags::TRUNCATED, "only the head was kept"),
        (Flags::UNFINISHED, "unfinished"),
        (Flags::NO_NEWLINE, "no line end"),
        (Flags::UNDELIVERED, "not delivered"),
        (Flags::AFTER_LOSS, "after a loss"),
        (Flags::DECODED, "decompressed"),
        (Flags::REDACTED, "secrets left out"),
    ];
    marks.into_iter().filter(|(flag, _)| body.flags.has(*flag)).map(|(_, word)| word.to_owned()).collect()
}
