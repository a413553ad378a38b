//! The tab Timing: when what happened, on one scale.

use eframe::egui::{Color32, Id, Rect, Sense, Ui, pos2, vec2};
use jiff::tz::TimeZone;

use super::detail::DetailPanel;
use super::timeline;
use crate::engine::view::{Detail, Status};
use crate::model::{Nanos, Side};
use crate::ui::desk::Desk;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::cell;
use crate::ui::words;

/// Height of a line.
pub const LINE: f32 = 30.0;

/// Something that took time, or a moment.
pub struct Span {
    /// What it is.
    pub what: String,
    /// When it began.
    pub from: Nanos,
    /// When it ended.
    pub to: Nanos,
    /// Its colour.
    pub colour: Color32,
}

/// Draws the tab in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, panel: &mut DetailPanel, detail: &Detail, desk: &Desk, zone: &TimeZone) {
    let spans = spans(theme::palette(ui), detail, desk.now);
    let Some(start) = spans.iter().map(|span| span.from).min() else { return };
    let end = spans.iter().map(|span| span.to).max().unwrap_or(start).max(start + 1);
    let mut stack = std::mem::take(&mut panel.stack);
    stack.show(ui, rect, Id::unique("timing"), "Scroll the times", |ui, course| {
        let sides = course.sides();
        course.space(10.0);
        course.tall(20.0, |top| scale(ui, sides, top as f32, end - start));
        for span in &spans {
            course.tall(f64::from(LINE), |top| line(ui, sides, top as f32, span, start, end));
        }
        course.space(12.0);
        course.block(ui, "times", 14.0, |ui| times(ui, detail, zone));
        course.space(24.0);
    });
    panel.stack = stack;
}

fn spans(palette: &Palette, detail: &Detail, now: Nanos) -> Vec<Span> {
    let row = &detail.row;
    let mut spans = Vec::new();
    let (at, until) = detail.request.as_ref().map_or((row.at, row.at), |body| (body.at, body.until));
    let from_client = detail.request.as_ref().is_none_or(|body| body.side == Some(Side::Client));
    let (asks, answers) = if from_client { (palette.c2s, palette.s2c) } else { (palette.s2c, palette.c2s) };
    let first = if detail.answer.is_some() || row.status != Status::None { "request" } else { "message" };
    spans.push(Span { what: first.to_owned(), from: at, to: until, colour: asks });
    if let Some(answer) = &detail.answer {
        spans.push(Span { what: "waiting".to_owned(), from: until, to: answer.at, colour: palette.mark });
    } else if row.status == Status::Pending {
        spans.push(Span { what: "waiting".to_owned(), from: until, to: now.max(until), colour: palette.warn });
    }
    for attached in &detail.belongs {
        let moment = at + attached.after;
        let (_, colour) = timeline::sign(palette, attached.sign);
        spans.push(Span { what: words::plain(&attached.what).into_owned(), from: moment, to: moment, colour });
    }
    if let Some(answer) = &detail.answer {
        spans.push(Span { what: "answer".to_owned(), from: answer.at, to: answer.until, colour: answers });
    }
    spans
}

/// The part of the width that holds the bars.
pub fn track(sides: (f32, f32)) -> (f32, f32) {
    (sides.0 + 150.0, sides.1 - 84.0)
}

/// The scale above the bars.
pub fn scale(ui: &Ui, sides: (f32, f32), top: f32, whole: Nanos) {
    let palette = theme::palette(ui);
    let (left, right) = track(sides);
    for part in 0..=4_u8 {
        let share = f32::from(part) / 4.0;
        let x = left + (right - left) * share;
        let text = words::duration((whole as f64 * f64::from(share)) as Nanos);
        let text = if part == 0 { "0".to_owned() } else { text };
        let align = match part {
            0 => eframe::egui::Align2::LEFT_TOP,
            4 => eframe::egui::Align2::RIGHT_TOP,
            _ => eframe::egui::Align2::CENTER_TOP,
        };
        if part % 2 == 0 || right - left > 320.0 {
            ui.painter().text(pos2(x, top), align, text, theme::sans(11.0), palette.faint);
        }
        ui.painter().vline(x, (top + 16.0)..=(top + 20.0), theme::hairline(palette));
    }
}

/// One line: the name, the bar, how long it took.
pub fn line(ui: &Ui, sides: (f32, f32), top: f32, span: &Span, start: Nanos, end: Nanos) {
    let palette = theme::palette(ui);
    let (left, right) = track(sides);
    let x = |at: Nanos| left + (right - left) * ((at - start) as f64 / (end - start) as f64) as f32;
    let name = Rect::from_min_size(pos2(sides.0 + 14.0, top), vec2(128.0, LINE));
    cell::text(ui.painter(), name, &span.what, theme::mono(), palette.text, false);
    let middle = top + LINE / 2.0;
    ui.painter().hline(left..=right, middle, theme::hairline(palette));
    let (from, to) = (x(span.from), x(span.to));
    let bar = Rect::from_min_max(
        pos2(from.min(right - 3.0), middle - 4.0),
        pos2(to.max(from + 3.0).min(right.max(from + 3.0)), middle + 4.0),
    );
    ui.painter().rect_filled(bar, 2.0, span.colour);
    let text = if span.to > span.from { words::duration(span.to - span.from) } else { words::after(span.from - start) };
    let figure = Rect::from_min_size(pos2(right + 8.0, top), vec2(sides.1 - right - 12.0, LINE));
    cell::text(ui.painter(), figure, &text, theme::mono(), palette.dim, true);
    let id = Id::unique(("span", top as i32));
    let all = Rect::from_min_max(pos2(sides.0, top), pos2(sides.1, top + LINE));
    let label = format!("{} {}", span.what, words::after(span.from - start));
    let response = ui.interact(all, id, Sense::hover());
    response.widget_info(|| eframe::egui::WidgetInfo::labeled(eframe::egui::accesskit::Role::Label, true, &label));
}

/// The absolute times.
fn times(ui: &mut Ui, detail: &Detail, zone: &TimeZone) {
    let palette = theme::palette(ui);
    let bodies = [("request", &detail.request), ("answer", &detail.answer)];
    ui.spacing_mut().interact_size.y = 18.0;
    eframe::egui::Grid::new("times").num_columns(2).spacing([16.0, 2.0]).show(ui, |ui| {
        for (what, body) in bodies.into_iter().filter_map(|(what, body)| Some((what, body.as_ref()?))) {
            let moments = if body.until > body.at {
                &[("first byte of", body.at), ("last byte of", body.until)][..]
            } else {
                &[("", body.at)]
            };
            for (which, at) in moments {
                let name = format!("{which} {what}");
                ui.label(eframe::egui::RichText::new(name.trim()).font(theme::sans(12.0)).color(palette.dim));
                ui.label(eframe::egui::RichText::new(words::moment(*at, zone)).font(theme::mono()).color(palette.text));
                ui.end_row();
            }
        }
    });
}
