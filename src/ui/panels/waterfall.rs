//! The times of one HTTP request on one scale: sending, waiting, receiving, each event a tick.

use eframe::egui::accesskit::Role;
use eframe::egui::{Id, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use super::stack::Course;
use super::timing::{self, LINE, Span};
use crate::engine::view::HttpDetail;
use crate::model::Nanos;
use crate::ui::theme;
use crate::ui::widgets::cell;
use crate::ui::words;

/// Adds the waterfall to the course; `now` is where what goes on has come to, `awaited` says that somebody
/// waits for it: a stream that is merely open may well be silent.
pub fn show(ui: &mut Ui, course: &mut Course<'_>, http: &HttpDetail, now: Nanos, awaited: bool) {
    let spans = spans(ui, http, now, awaited);
    let start = http.times.at;
    let last_event = http.events.last().map_or(start, |event| event.at);
    let end = spans.iter().map(|span| span.to).max().unwrap_or(start).max(last_event).max(start + 1);
    let sides = course.sides();
    course.space(6.0);
    course.tall(20.0, |top| timing::scale(ui, sides, top as f32, end - start));
    for span in &spans {
        course.tall(f64::from(LINE), |top| timing::line(ui, sides, top as f32, span, start, end));
    }
    if http.is_stream {
        course.tall(f64::from(LINE), |top| ticks(ui, sides, top as f32, http, start, end));
    }
    course.space(8.0);
}

fn spans(ui: &Ui, http: &HttpDetail, now: Nanos, awaited: bool) -> Vec<Span> {
    let palette = theme::palette(ui);
    let times = &http.times;
    let silence = if awaited { palette.warn } else { palette.mark };
    let until = times.ended.unwrap_or(now).max(times.at);
    let sent = times.sent.or(times.responded).unwrap_or(until).max(times.at);
    let span =
        |what: &str, from: Nanos, to: Nanos, colour| Span { what: what.to_owned(), from, to: to.max(from), colour };
    let mut spans = vec![span("request", times.at, sent, palette.c2s)];
    let Some(responded) = times.responded else {
        spans.push(span("waiting", sent, until, palette.warn));
        return ended(spans, http, palette);
    };
    spans.push(span("waiting", sent.min(responded), responded, palette.mark));
    spans.push(span("response head", responded, responded, palette.s2c));
    match times.first_byte {
        Some(first) => {
            spans.push(span("first byte", responded, first, palette.mark));
            let last = times.last_byte.unwrap_or(first);
            spans.push(span("body", first, last, palette.s2c));
            if times.ended.is_none() {
                spans.push(span("silent", last, until, silence));
            }
        }
        None if times.ended.is_none() => spans.push(span("silent", responded, until, silence)),
        None => {}
    }
    ended(spans, http, palette)
}

fn ended(mut spans: Vec<Span>, http: &HttpDetail, palette: &theme::Palette) -> Vec<Span> {
    if let Some(at) = http.times.ended {
        let fine = matches!(http.end, None | Some(crate::model::HttpEnd::Complete));
        let colour = if fine { palette.ok } else { palette.err };
        spans.push(Span { what: "end".to_owned(), from: at, to: at, colour });
    }
    spans
}

/// One line with a tick for each event.
fn ticks(ui: &Ui, sides: (f32, f32), top: f32, http: &HttpDetail, start: Nanos, end: Nanos) {
    let palette = theme::palette(ui);
    let (left, right) = timing::track(sides);
    let middle = top + LINE / 2.0;
    let name = Rect::from_min_size(pos2(sides.0 + 14.0, top), vec2(128.0, LINE));
    cell::text(ui.painter(), name, "events", theme::mono(), palette.text, false);
    ui.painter().hline(left..=right, middle, theme::hairline(palette));
    for event in &http.events {
        let share = (event.at - start) as f64 / (end - start) as f64;
        let x = left + (right - left) * share.clamp(0.0, 1.0) as f32;
        let colour = if event.has_data { palette.s2c } else { palette.mark };
        let height = if event.has_data { 6.0 } else { 3.0 };
        ui.painter().vline(x, (middle - height)..=(middle + height), eframe::egui::Stroke::new(1.5, colour));
    }
    let figure = Rect::from_min_size(pos2(right + 8.0, top), vec2(sides.1 - right - 12.0, LINE));
    cell::text(ui.painter(), figure, &words::count(http.event_count.into()), theme::mono(), palette.dim, true);
    let label = format!("events {}", words::count(http.event_count.into()));
    let all = Rect::from_min_max(pos2(sides.0, top), pos2(sides.1, top + LINE));
    let response = ui.interact(all, Id::unique("event-ticks"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
}
