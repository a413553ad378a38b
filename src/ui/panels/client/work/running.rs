//! A call while it runs: how far it is, when it will be given up, and its task.

use eframe::egui::accesskit::Role;
use eframe::egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::engine::view::ConnectionId;
use crate::model::Nanos;
use crate::peer::client::{CallId, Order};
use crate::ui::client::{CallRecord, Connection};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Draws it, where there is anything to tell.
pub(super) fn show(ui: &mut Ui, desk: &mut Desk, id: ConnectionId, call: CallId) {
    let now = desk.now;
    let mut order = None;
    if let Some(connection) = desk.bench.get(id)
        && let Some(record) = connection.call(call)
    {
        if record.is_running() {
            ui.add_space(8.0);
            progress(ui, record, now);
            countdown(ui, connection, record, now);
        }
        if record.task.is_some() {
            ui.add_space(6.0);
            order = task(ui, record, now);
        }
    }
    if let Some(order) = order {
        desk.bench.order(id, order);
    }
}

/// The bar: filled where the server says how much there is, otherwise moving.
fn progress(ui: &mut Ui, record: &CallRecord, now: Nanos) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 6.0), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, palette.bg3);
    let part = record.progress.as_ref().and_then(|progress| {
        let total = progress.total.as_ref()?.parse::<f64>().ok().filter(|total| *total > 0.0)?;
        Some((progress.done.parse::<f64>().ok()? / total).clamp(0.0, 1.0) as f32)
    });
    let label = match &record.progress {
        Some(progress) => {
            let of = progress.total.as_ref().map(|total| format!(" of {total}")).unwrap_or_default();
            format!("Progress {}{of}", progress.done)
        }
        None => "Running".to_owned(),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, words::plain(&label)));
    match part {
        Some(part) => {
            let done = Rect::from_min_size(rect.min, vec2(rect.width() * part, rect.height()));
            ui.painter().rect_filled(done, 3.0, palette.accent);
        }
        None => {
            // Somewhere along the bar, by the wall clock: it shows that the window lives, not how far it is.
            let phase = ((now - record.at).rem_euclid(2_000_000_000) as f32) / 2e9;
            let left = rect.left() + phase * (rect.width() - 60.0);
            let piece = Rect::from_min_max(pos2(left, rect.top()), pos2(left + 60.0, rect.bottom()));
            ui.painter().rect_filled(piece, 3.0, palette.accent);
        }
    }
    if let Some(progress) = &record.progress {
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            ui.label(RichText::new(words::plain(&label)).color(palette.text));
            let times = words::counted(progress.count, "time", "times");
            let text = format!("told {times}, last {}", words::ago(now - progress.at));
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
        });
        if let Some(message) = &progress.message {
            let text = RichText::new(words::plain(message)).color(palette.note);
            ui.add(eframe::egui::Label::new(text).truncate()).on_hover_text(words::plain(message));
        }
    }
}

/// When it will be given up, by the clock that runs out first.
fn countdown(ui: &mut Ui, connection: &Connection, record: &CallRecord, now: Nanos) {
    let palette = theme::palette(ui);
    let settings = &connection.settings;
    let own = record.call.as_deref();
    let sent = record.rounds.last().map_or(record.at, |round| round.at);
    let is_round = record.rounds.last().is_some_and(|round| round.result.is_some());
    let waits = connection.questions.iter().any(|asked| asked.question.call.is_none_or(|call| call == record.id));
    let steps = settings.step_rounds && record.rounds.last().is_some_and(|round| round.next.is_some());
    if waits || steps {
        let what = if waits { "It waits for your answer" } else { "It waits for you to send the next round" };
        // Between two rounds no request is under way, so no clock runs.
        let cap = own.and_then(|call| call.cap).or(settings.cap).filter(|_| waits && !is_round);
        let text = match cap {
            Some(cap) => format!("{what}; given up in {} at the latest.", words::age((sent + cap - now).max(0))),
            None => format!("{what}."),
        };
        ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.warn));
        return;
    }
    let patience = own.and_then(|call| call.patience).or(settings.patience);
    let cap = own.and_then(|call| call.cap).or(settings.cap);
    let life = record.progress.as_ref().filter(|_| settings.progress_counts).map_or(sent, |it| it.at.max(sent));
    let silent = patience.map(|patience| life + patience - now);
    let in_all = cap.map(|cap| record.at + cap - now);
    let text = match (silent, in_all) {
        (None, None) => "It is waited for without a limit.".to_owned(),
        (Some(left), None) => format!("Given up in {} unless something comes.", words::age(left.max(0))),
        (None, Some(left)) => format!("Given up in {}.", words::age(left.max(0))),
        (Some(silent), Some(in_all)) if silent < in_all => {
            format!(
                "Given up in {} unless something comes, in {} at the latest.",
                words::age(silent.max(0)),
                words::age(in_all)
            )
        }
        (Some(_), Some(in_all)) => format!("Given up in {} at the latest.", words::age(in_all.max(0))),
    };
    ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
}

/// The task of a call.
fn task(ui: &mut Ui, record: &CallRecord, now: Nanos) -> Option<Order> {
    let palette = theme::palette(ui);
    let task = record.task.as_ref()?;
    let mut order = None;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Task").font(theme::semibold(12.5)));
        button::tag(ui, &words::plain(&task.status), task.status == "failed");
        let polls = words::counted(task.polls.into(), "poll", "polls");
        let next = task.next.map(|at| format!(", the next in {}", words::age(at - now))).unwrap_or_default();
        ui.label(RichText::new(format!("{polls}{next}")).font(theme::sans(11.5)).color(palette.dim));
        if record.is_running() {
            if button::framed_small(ui, None, "Poll now", "Ask for the task's state now").clicked() {
                order = Some(Order::Poll(record.id));
            }
            if button::framed_small(ui, None, "Cancel the task", "Cancel the task").clicked() {
                order = Some(Order::Cancel(record.id, "cancelled by the person at the window".to_owned()));
            }
        }
    });
    let text = RichText::new(words::plain(&task.id)).font(theme::mono()).color(palette.dim);
    ui.add(eframe::egui::Label::new(text).truncate()).on_hover_text(words::plain(&task.id));
    if let Some(message) = &task.message {
        ui.label(RichText::new(words::plain(message)).color(palette.text));
    }
    order
}
