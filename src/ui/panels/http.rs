//! The tab HTTP: what was asked and how it was answered, when, in which heads, by which events; and the
//! command that asks again.

use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Id, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use super::belongs;
use super::detail::DetailPanel;
use super::heads::Shown;
use super::stack::Course;
use super::waterfall;
use crate::engine::view::{Detail, EventView, HttpDetail, RowKey};
use crate::model::{HttpEnd, Nanos};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::theme::{self, CORNER_SMALL};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::words;

/// Height of an event's line.
const EVENT: f32 = 20.0;

/// The state of the tab.
#[derive(Default)]
pub struct HttpPanel {
    of: Option<Arc<HttpDetail>>,
    heads: Vec<Shown>,
    curl: Option<Shown>,
}

impl HttpPanel {
    /// Takes in what is to be shown; what is selected stays where the heads are the same.
    fn sync(&mut self, http: &Arc<HttpDetail>) {
        if self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, http)) {
            return;
        }
        let same = self.of.as_ref().is_some_and(|of| of.heads == http.heads && of.curl == http.curl);
        if !same {
            self.heads = http.heads.iter().map(Shown::head).collect();
            self.curl = http.curl.as_ref().map(Shown::curl);
        }
        self.of = Some(Arc::clone(http));
    }

    /// The selected text.
    pub fn selected(&self) -> Option<String> {
        self.heads.iter().chain(&self.curl).find_map(Shown::selected)
    }
}

/// Draws the tab in `rect`. Returns whether the command is to be copied.
pub fn show(ui: &mut Ui, rect: Rect, panel: &mut DetailPanel, detail: &Detail, desk: &mut Desk) -> bool {
    let Some(http) = &detail.http else { return false };
    panel.http.sync(http);
    let mut copy = false;
    let mut chosen = None;
    let now = desk.now;
    let mut stack = std::mem::take(&mut panel.stack);
    stack.show(ui, rect, Id::unique("http"), "Scroll the HTTP request", |ui, course| {
        course.space(10.0);
        course.block(ui, "http-summary", 14.0, |ui| summary(ui, http, now));
        let awaited = detail.row.going.is_some_and(|going| going.awaited);
        waterfall::show(ui, course, http, now, awaited);
        if !http.changes.is_empty() || !http.why.is_empty() {
            course.block(ui, "http-notices", 14.0, |ui| notices(ui, http));
            course.space(6.0);
        }
        super::pretty::line(ui, course);
        for (index, head) in panel.http.heads.iter_mut().enumerate() {
            head.show(ui, course, http, index);
        }
        if let (Some(curl), Some(shown)) = (&http.curl, &mut panel.http.curl) {
            shown.show(ui, course, http, usize::MAX);
            course.space(6.0);
            course.block(ui, "http-curl", 14.0, |ui| {
                copy = button::framed(ui, Some(Icon::Copy), "Copy as curl", "Copy as curl (u)", false).clicked();
                for note in &curl.notes {
                    ui.label(RichText::new(note).font(theme::sans(11.5)).color(theme::palette(ui).dim));
                }
            });
            course.space(8.0);
        }
        if http.is_stream {
            chosen = events(ui, course, http);
        }
        course.space(24.0);
    });
    panel.stack = stack;
    if let Some(seq) = chosen {
        desk.jump(RowKey::Entry(seq));
    }
    copy
}

/// What was asked, what came back, how it stands.
fn summary(ui: &mut Ui, http: &HttpDetail, now: Nanos) {
    let palette = theme::palette(ui);
    let url = http.url.as_deref().unwrap_or(&http.target);
    let asked = format!("{} {}", http.method, url);
    ui.label(RichText::new(words::plain(&asked)).font(theme::mono()).color(palette.text));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let bad = http.status.is_some_and(|status| status >= 400);
        let response = http.heads.iter().rfind(|head| head.kind == crate::engine::view::HeadKind::Response);
        let line = response.map_or("no response", |head| head.line.as_str());
        let (version, status) = line.split_once(' ').unwrap_or(("", line));
        button::tag(ui, &words::plain(status), bad);
        if response.is_some() {
            button::tag(ui, version, false);
        }
        let abnormal = !matches!(http.end, None | Some(HttpEnd::Complete));
        button::tag(ui, &standing(http, now), abnormal);
        let (sent, received) = (words::size(http.sent_bytes), words::size(http.received_bytes));
        for text in [format!("{sent} → {received}"), format!("channel {}", http.channel)] {
            // What belongs together stays in one line.
            let text = text.replace(' ', "\u{a0}");
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
        }
    });
}

/// How it stands, in words.
pub fn standing(http: &HttpDetail, now: Nanos) -> String {
    let events = words::counted(http.event_count.into(), "event", "events");
    let silent = |since: Nanos| words::age(now - since);
    match (http.end, http.times.responded) {
        (Some(end), _) => format!("{} after {}", end_words(end), words::duration(lasted(http))),
        (None, None) => format!("no response yet, waiting {}", silent(http.times.at)),
        (None, Some(responded)) if http.is_stream => {
            let since = http.times.last_byte.unwrap_or(responded);
            format!("open: {events}, silent for {}", silent(since))
        }
        (None, Some(responded)) => format!("going on, {}", silent(responded)),
    }
}

fn lasted(http: &HttpDetail) -> Nanos {
    http.times.ended.map_or(0, |ended| ended - http.times.at)
}

const fn end_words(end: HttpEnd) -> &'static str {
    match end {
        HttpEnd::Complete => "complete",
        HttpEnd::ClientGone => "the client went away",
        HttpEnd::ServerGone => "the server went away",
        HttpEnd::Failed => "failed",
        HttpEnd::Refused => "refused by midwire",
        HttpEnd::Stopped => "the tap was stopped",
    }
}

/// Why it ended as it did, and what was changed on the way.
fn notices(ui: &mut Ui, http: &HttpDetail) {
    if !http.why.is_empty() {
        belongs::notice(ui, &sentence(&http.why));
        ui.add_space(6.0);
    }
    for change in &http.changes {
        let text = if change.to.is_empty() {
            format!("midwire left out {} on the way.", change.what)
        } else {
            format!("midwire passed {} on as: {}", change.what, change.to)
        };
        belongs::notice(ui, &text);
        ui.add_space(6.0);
    }
}

/// A reason as a sentence by itself.
fn sentence(why: &str) -> String {
    let mut signs = why.chars();
    signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}

/// The events of the stream. Returns the entry of one that was pressed.
fn events(ui: &mut Ui, course: &mut Course<'_>, http: &HttpDetail) -> Option<u64> {
    let sides = course.sides();
    course.space(8.0);
    course.tall(22.0, |top| {
        let palette = theme::palette(ui);
        let rect = Rect::from_min_max(pos2(sides.0 + 14.0, top as f32), pos2(sides.1 - 8.0, top as f32 + 22.0));
        let title = words::counted(http.event_count.into(), "event", "events");
        cell::text(ui.painter(), rect, &title, theme::semibold(11.5), palette.text, false);
    });
    let mut chosen = None;
    for event in &http.events {
        let rect =
            |top: f64| Rect::from_min_max(pos2(sides.0 + 14.0, top as f32), pos2(sides.1 - 8.0, top as f32 + EVENT));
        if course.tall(f64::from(EVENT), |top| line(ui, rect(top), event, http.times.at)) == Some(true) {
            chosen = Some(event.seq);
        }
    }
    let more = u64::from(http.event_count).saturating_sub(http.events.len() as u64);
    if more > 0 {
        course.block(ui, "more-events", 14.0, |ui| {
            let text = format!(
                "… and {} more; channel:{} shows all in the view of messages",
                words::count(more),
                http.channel
            );
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(theme::palette(ui).dim));
        });
    }
    chosen
}

/// One event. Returns whether it was pressed.
fn line(ui: &Ui, rect: Rect, event: &EventView, start: Nanos) -> bool {
    let palette = theme::palette(ui);
    let name = event.name.as_deref().unwrap_or("message");
    let mut marks = Vec::new();
    marks.extend(event.id.as_deref().map(|id| format!("id {id}")));
    marks.extend(event.retry.map(|retry| format!("retry {retry} ms")));
    let marks = marks.join(", ");
    let label = format!("event {} {name} {marks} {}", words::after(event.at - start), event.text);
    let response = ui.interact(rect, Id::unique(("event", event.seq)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, words::plain(&label)));
    if response.hovered() {
        ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), CORNER_SMALL, palette.bg2);
    }
    button::focus_ring(ui, &response, CORNER_SMALL);
    let time = Rect::from_min_size(rect.min, vec2(86.0, EVENT));
    cell::text(ui.painter(), time, &words::after(event.at - start), theme::mono(), palette.dim, false);
    let rest = rect.with_min_x(time.right());
    let cut = Cell::new()
        .add("← ", theme::mono(), palette.s2c)
        .add(&words::plain(name), theme::mono(), if event.has_data { palette.s2c } else { palette.dim })
        .add(if marks.is_empty() { "" } else { "  " }, theme::mono(), palette.dim)
        .add(&words::plain(&marks), theme::mono(), palette.dim)
        .add("  ", theme::mono(), palette.dim)
        .add(&words::plain(&event.text), theme::mono(), palette.text)
        .paint(ui.painter(), rest, false);
    let clicked = response.clicked();
    if cut {
        response.on_hover_text(words::plain(&label));
    }
    clicked
}
