//! What happened while a call ran, with times relative to its beginning.

use eframe::egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use jiff::tz::TimeZone;

use crate::ui::client::CallRecord;
use crate::ui::client::call::{Event, Sort};
use crate::ui::panels::stack::Course;
use crate::ui::theme;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::words;

/// Height of a line.
const LINE: f32 = 20.0;

/// Draws it; with the times of day and of each round where `timing`.
pub(super) fn show(ui: &mut Ui, course: &mut Course<'_>, call: &CallRecord, now: i64, zone: &TimeZone, timing: bool) {
    if timing {
        times(ui, course, call, now, zone);
    }
    if call.course.is_empty() {
        return;
    }
    course.space(8.0);
    course.block(ui, "while", 14.0, |ui| {
        let palette = theme::palette(ui);
        let title = if call.outcome.is_some() { "While it ran" } else { "While it runs" };
        ui.label(RichText::new(title).font(theme::semibold(11.5)).color(palette.text));
        if call.left_out > 0 {
            let text = format!("{} earlier ones were let go.", words::count(call.left_out));
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
        }
    });
    for (index, event) in call.course.iter().enumerate() {
        let sides = course.sides();
        course.tall(f64::from(LINE), |top| {
            let rect = Rect::from_min_max(pos2(sides.0 + 14.0, top as f32), pos2(sides.1 - 8.0, top as f32 + LINE));
            line(ui, rect, call, event, index);
        });
    }
}

fn line(ui: &Ui, rect: Rect, call: &CallRecord, event: &Event, index: usize) {
    let palette = theme::palette(ui);
    let label = format!("{} {}", event.what, event.text);
    let response = ui.interact(rect, eframe::egui::Id::unique(("client-course", index)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(eframe::egui::accesskit::Role::Label, true, words::plain(&label)));
    let time = Rect::from_min_size(rect.min, vec2(86.0, LINE));
    cell::text(ui.painter(), time, &words::after(event.at - call.at), theme::mono(), palette.dim, false);
    let (sign, colour) = match event.sort {
        Sort::Notification => ("·", palette.note),
        Sort::Question => ("←", palette.s2c),
        Sort::Course => ("→", palette.c2s),
        Sort::Odd => ("!", palette.warn),
    };
    let cut = Cell::new()
        .add(sign, theme::mono(), colour)
        .add(" ", theme::mono(), colour)
        .add(&words::plain(&event.what), theme::mono(), colour)
        .add("  ", theme::mono(), palette.dim)
        .add(&words::plain(&event.text), theme::mono(), palette.text)
        .paint(ui.painter(), rect.with_min_x(time.right()), false);
    if cut {
        response.on_hover_text(words::plain(&label));
    }
}

fn times(ui: &mut Ui, course: &mut Course<'_>, call: &CallRecord, now: i64, zone: &TimeZone) {
    let mut lines = vec![("Asked for".to_owned(), words::moment(call.at, zone))];
    for round in &call.rounds {
        let what = if call.round_count() > 1 { format!("Round {} sent", round.number) } else { "Sent".to_owned() };
        lines.push((what, words::after(round.at - call.at)));
    }
    if let Some(progress) = &call.progress {
        let text = format!("{}, {} in all", words::after(progress.at - call.at), words::count(progress.count));
        lines.push(("Last progress".to_owned(), text));
    }
    lines.push(match &call.outcome {
        Some(_) => ("Took".to_owned(), words::duration(call.took)),
        None => ("Running for".to_owned(), words::age(now - call.at)),
    });
    course.block(ui, "times", 14.0, |ui| {
        eframe::egui::Grid::new("client-times").num_columns(2).spacing([18.0, 2.0]).show(ui, |ui| {
            for (what, when) in lines {
                ui.label(RichText::new(what).color(theme::palette(ui).dim));
                ui.label(RichText::new(when).font(theme::mono()));
                ui.end_row();
            }
        });
    });
}
