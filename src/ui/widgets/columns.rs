//! The columns of the timeline: where each lies at a given width, and the header that resizes them.

use eframe::egui::accesskit::Role;
use eframe::egui::{Align2, CursorIcon, Id, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::settings::Columns;
use crate::ui::theme;

/// Height of the header.
pub const HEADER: f32 = 26.0;
/// Space at the left and right of the table.
const PAD: f32 = 8.0;
/// Space between columns.
const GAP: f32 = 8.0;
/// Width of the column of signs.
const SIGN: f32 = 14.0;
/// Below this the column of methods takes room from others.
const LEAST: f32 = 170.0;
/// The range in which a column can be dragged.
const RANGE: std::ops::RangeInclusive<f32> = 32.0..=400.0;

/// Where the columns lie: horizontal spans from the left edge of the table. `None`: no room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spans {
    /// The number.
    pub number: (f32, f32),
    /// The time.
    pub time: Option<(f32, f32)>,
    /// The sign.
    pub sign: (f32, f32),
    /// Method and subject.
    pub method: (f32, f32),
    /// The status.
    pub status: (f32, f32),
    /// The duration.
    pub duration: Option<(f32, f32)>,
    /// The size.
    pub size: Option<(f32, f32)>,
}

impl Spans {
    /// Lays the columns out in `width`; where that is little, size, then time, then duration give way.
    pub fn new(width: f32, columns: &Columns) -> Self {
        let fixed = PAD * 2.0 + columns.number + GAP + SIGN + GAP + columns.status + GAP;
        let mut rest = width - fixed - LEAST;
        let mut fits = |size: f32| {
            // Once a column has had to go, those that matter less go with it.
            let fits = rest >= size + GAP;
            rest = if fits { rest - size - GAP } else { 0.0 };
            fits
        };
        let duration = fits(columns.duration);
        let time = fits(columns.time);
        let size = fits(columns.size);
        let mut left = PAD;
        let mut from_left = |size: f32| {
            let span = (left, left + size);
            left += size + GAP;
            span
        };
        let number = from_left(columns.number);
        let time = time.then(|| from_left(columns.time));
        let sign = from_left(SIGN);
        let mut right = width - PAD;
        let mut from_right = |size: f32| {
            let span = (right - size, right);
            right -= size + GAP;
            span
        };
        let size = size.then(|| from_right(columns.size));
        let duration = duration.then(|| from_right(columns.duration));
        let status = from_right(columns.status);
        Self { number, time, sign, method: (left, right.max(left + 24.0)), status, duration, size }
    }
}

/// The part of a row that a column takes.
pub fn cell(row: Rect, span: (f32, f32)) -> Rect {
    Rect::from_min_max(pos2(row.left() + span.0, row.top()), pos2(row.left() + span.1, row.bottom()))
}

/// Draws the header in `rect` and resizes columns.
pub fn header(ui: &Ui, rect: Rect, spans: &Spans, columns: &mut Columns) {
    let palette = theme::palette(ui);
    ui.painter().rect_filled(rect, 0.0, palette.bg1);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
    let title = |span: Option<(f32, f32)>, text: &str, right: bool| {
        if let Some(span) = span {
            let align = if right { Align2::RIGHT_CENTER } else { Align2::LEFT_CENTER };
            let place = cell(rect, span);
            let painter = ui.painter().with_clip_rect(place);
            painter.text(align.pos_in_rect(&place), align, text, theme::sans(11.0), palette.faint);
        }
    };
    title(Some(spans.number), "#", true);
    title(spans.time, "Time", false);
    title(Some(spans.method), "Method and subject", false);
    title(Some(spans.status), "Status", false);
    title(spans.duration, "Duration", false);
    title(spans.size, "Size", true);
    handle(ui, rect, "number", spans.number.1 + GAP / 2.0, 1.0, &mut columns.number);
    if let Some(time) = spans.time {
        handle(ui, rect, "time", time.1 + GAP / 2.0, 1.0, &mut columns.time);
    }
    handle(ui, rect, "status", spans.status.0 - GAP / 2.0, -1.0, &mut columns.status);
    if let Some(duration) = spans.duration {
        handle(ui, rect, "duration", duration.0 - GAP / 2.0, -1.0, &mut columns.duration);
    }
    if let Some(size) = spans.size {
        handle(ui, rect, "size", size.0 - GAP / 2.0, -1.0, &mut columns.size);
    }
}

fn handle(ui: &Ui, header: Rect, name: &str, x: f32, direction: f32, width: &mut f32) {
    let at = Rect::from_center_size(pos2(header.left() + x, header.center().y), vec2(8.0, header.height()));
    let response = ui
        .interact(at, Id::unique(("column", name)), Sense::DRAG)
        .on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
    response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, format!("Width of the column {name}")));
    if response.dragged() {
        *width = (*width + direction * response.drag_delta().x).clamp(*RANGE.start(), *RANGE.end());
    }
    if response.hovered() || response.dragged() {
        let palette = theme::palette(ui);
        let colour = if response.dragged() { palette.accent } else { palette.mark };
        ui.painter().vline(at.center().x, header.shrink2(vec2(0.0, 5.0)).y_range(), (1.0, colour));
    }
}

#[cfg(test)]
mod tests {
    use super::Spans;
    use crate::ui::settings::Columns;

    #[test]
    fn columns_give_way_in_order_and_never_overlap() {
        let columns = Columns::default();
        let shown = |width: f32| {
            let spans = Spans::new(width, &columns);
            (spans.duration.is_some(), spans.time.is_some(), spans.size.is_some())
        };
        assert_eq!(shown(900.0), (true, true, true));
        assert_eq!(shown(590.0), (true, true, false));
        assert_eq!(shown(500.0), (true, false, false));
        assert_eq!(shown(380.0), (false, false, false));
        for width in [300, 380, 500, 590, 680, 900, 1600] {
            let spans = Spans::new(width as f32, &columns);
            assert!(spans.method.0 < spans.method.1 && spans.sign.1 < spans.method.0, "{width}: {spans:?}");
            assert!(width < 400 || spans.method.1 < spans.status.0, "{width}: {spans:?}");
        }
    }
}
