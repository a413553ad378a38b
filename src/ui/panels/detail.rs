//! The detail: everything about the row that is selected.

use std::sync::Arc;

use eframe::egui::{Align, Layout, Popup, Rect, RichText, Ui, vec2};
use jiff::tz::TimeZone;

use super::copying::{self, What};
use super::find::Find;
use super::http::HttpPanel;
use super::part::Part;
use super::stack::Stack;
use crate::engine::view::{Detail, Row, Status};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::keys::Act;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::cell::Cell;
use crate::ui::words;
use crate::ui::worker::Worker;

/// A way to look at a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// Coloured JSON.
    #[default]
    Pretty,
    /// A tree of values.
    Tree,
    /// The bytes.
    Raw,
    /// When what happened.
    Timing,
    /// The HTTP request: heads, times, events.
    Http,
}

impl Tab {
    /// Every tab with its title.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Pretty, "Pretty"),
        (Self::Tree, "Tree"),
        (Self::Raw, "Raw"),
        (Self::Timing, "Timing"),
        (Self::Http, "HTTP"),
    ];

    /// The tabs that a row has.
    fn of(detail: &Detail) -> &'static [(Self, &'static str)] {
        if detail.http.is_some() { &Self::ALL } else { &Self::ALL[..4] }
    }
}

/// The state of the detail.
#[derive(Default)]
pub struct DetailPanel {
    /// The tab.
    pub tab: Tab,
    /// The request, or the entry by itself.
    pub request: Option<Part>,
    /// The answer.
    pub answer: Option<Part>,
    /// Whether the caret is in the answer.
    pub in_answer: bool,
    /// Whether whole messages are shown rather than their content.
    pub whole: bool,
    /// Whether Raw shows hexadecimal.
    pub hex: bool,
    /// What a frame must not do is done here.
    pub worker: Worker,
    /// The search.
    pub find: Find,
    /// The request and what follows it, scrolled together.
    pub stack: Stack,
    /// The answer beside it.
    pub beside: Stack,
    /// The tab HTTP.
    pub http: HttpPanel,
    /// Whether values of the answer can be used in saved calls.
    pub picks: bool,
    pub(super) wants_pick: bool,
    /// What is said about the last copy, and until when.
    pub said: Option<(String, f64)>,
    shown: Option<Arc<Detail>>,
}

impl DetailPanel {
    /// Takes in what is to be shown; folds and the caret stay where the bodies are the same.
    pub fn sync(&mut self, detail: Option<&Arc<Detail>>) {
        let same = match (&self.shown, detail) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        if !same {
            let other = self.shown.as_ref().map(|old| old.row.key) != detail.map(|new| new.row.key);
            if other {
                self.stack.reset();
                self.beside.reset();
                self.in_answer = detail.is_some_and(|detail| detail.answer.is_some());
            }
            self.shown = detail.cloned();
        }
        let bodies = self.shown.as_ref().map(|detail| (detail.request.clone(), detail.answer.clone()));
        let (request, answer) = bodies.unwrap_or_default();
        let changed = renew(&mut self.request, request.as_ref(), self.whole)
            | renew(&mut self.answer, answer.as_ref(), self.whole);
        if self.answer.is_none() || self.request.is_none() {
            self.in_answer = self.answer.is_some();
        }
        if changed {
            self.find.forget();
        }
    }

    /// The tab that is shown of a row: one that it has.
    fn tab_of(&self, detail: &Detail) -> Tab {
        if Tab::of(detail).iter().any(|(tab, _)| *tab == self.tab) { self.tab } else { Tab::Pretty }
    }

    /// The part with the caret.
    pub fn active(&mut self) -> Option<&mut Part> {
        if self.in_answer { self.answer.as_mut() } else { self.request.as_mut() }
    }

    /// Whether there is a value at the caret that can be used in saved calls.
    pub fn can_pick(&self) -> bool {
        let part = self.answer.as_ref().filter(|_| self.picks && self.in_answer);
        part.is_some_and(|part| part.json().is_some()) && matches!(self.tab, Tab::Pretty | Tab::Tree)
    }

    /// Whether it was asked for in the menu that the value be used, since this was asked last.
    pub fn wants_pick(&mut self) -> bool {
        std::mem::take(&mut self.wants_pick)
    }

    /// Whether there is a command that sends the request again.
    pub fn has_curl(&self) -> bool {
        self.shown.as_ref().and_then(|detail| detail.http.as_ref()).is_some_and(|http| http.curl.is_some())
    }

    /// Copies something and says so.
    pub fn copy(&mut self, ui: &Ui, what: What) {
        let Some(detail) = self.shown.clone() else { return };
        if what == What::Value && self.tab == Tab::Http {
            if let Some(text) = self.http.selected() {
                ui.ctx().copy_text(text);
                self.tell(ui, "Copied the selected text".to_owned());
            }
            return;
        }
        if let Some((text, said)) = copying::text(what, &detail, self.tab, self.active().map(|part| &*part)) {
            ui.ctx().copy_text(text);
            self.tell(ui, said);
        }
    }

    fn tell(&mut self, ui: &Ui, text: String) {
        self.said = Some((text, ui.input(|input| input.time) + 1.6));
        ui.ctx().request_repaint_after_secs(1.7);
    }
}

/// Makes a part show a body. Returns whether it changed.
fn renew(part: &mut Option<Part>, body: Option<&Arc<crate::engine::view::Body>>, whole: bool) -> bool {
    match (part.as_ref(), body) {
        (Some(part), Some(body)) if part.shows(body, whole) => false,
        (None, None) => false,
        (_, body) => {
            *part = body.map(|body| Part::new(body, whole));
            true
        }
    }
}

/// Draws the detail in all the room there is.
pub fn show(
    ui: &mut Ui,
    panel: &mut DetailPanel,
    desk: &mut Desk,
    settings: &mut Settings,
    zone: &TimeZone,
    active: bool,
    acts: &mut Vec<Act>,
) {
    // A resizable panel is as wide as what is in it, so what is in it takes all there is.
    ui.set_min_size(ui.available_size());
    let Some(detail) = desk.detail.clone() else {
        panel.sync(None);
        nothing(ui, desk);
        return;
    };
    panel.sync(Some(&detail));
    ui.spacing_mut().item_spacing.y = 0.0;
    header(ui, panel, &detail, desk, zone);
    tabs(ui, panel, &detail, settings, acts);
    panel.find.bar(ui, &mut panel.request, &mut panel.answer, &mut panel.in_answer);
    let body = ui.available_rect_before_wrap();
    match panel.tab_of(&detail) {
        Tab::Pretty => super::pretty::show(ui, body, panel, &detail, desk, settings, active),
        Tab::Tree => super::tree::show(ui, body, panel, &detail, active),
        Tab::Raw => super::raw::show(ui, body, panel, &detail),
        Tab::Timing => super::timing::show(ui, body, panel, &detail, desk, zone),
        Tab::Http => {
            if super::http::show(ui, body, panel, &detail, desk) {
                panel.copy(ui, What::Curl);
            }
        }
    }
    ui.advance_cursor_after_rect(body);
    say(ui, panel, body);
}

fn nothing(ui: &mut Ui, desk: &Desk) {
    if desk.opened.is_none() {
        return;
    }
    let palette = theme::palette(ui);
    ui.add_space(ui.available_height() * 0.32);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new("Nothing is selected").font(theme::semibold(15.0)).color(palette.text));
        ui.label(RichText::new("Choose a row, or press j.").color(palette.dim));
    });
}

/// What it is in one line, what it took in the next.
fn header(ui: &mut Ui, panel: &mut DetailPanel, detail: &Detail, desk: &mut Desk, zone: &TimeZone) {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 58.0), eframe::egui::Sense::hover());
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
    let first = Rect::from_min_size(rect.min + vec2(14.0, 8.0), vec2(rect.width() - 24.0, 26.0));
    button::place(ui, first, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let more = button::icon_sized(ui, Icon::Copy, "Copy …", false, 26.0);
        Popup::menu(&more).accessible_name("Copy").show(|ui| copying::menu(ui, panel));
        super::resend::show(ui, detail, desk);
        let title = Cell::new()
            .add(&words::plain(&detail.row.method), theme::semibold(15.0), palette.text)
            .add("  ", theme::sans(13.0), palette.text)
            .add(&words::plain(&detail.row.subject), eframe::egui::FontId::monospace(13.0), palette.text);
        // What it is comes first: the tags have what it leaves them, and half of the line at least.
        let line = ui.available_width();
        let needed = title.clone().layout(ui.painter(), line).size().x + 12.0;
        tags(ui, detail, line - needed.min(line / 2.0));
        let width = ui.available_width();
        let place = ui.available_rect_before_wrap();
        let galley = title.layout(ui.painter(), width);
        let size = galley.size();
        let at = Rect::from_min_size(place.left_center() - vec2(0.0, size.y / 2.0), size);
        let cut = galley.elided;
        ui.painter().galley(at.min, galley, palette.text);
        let response = ui.interact(at, ui.scope_id().with("title"), eframe::egui::Sense::hover());
        if cut {
            response.on_hover_text(format!("{} {}", detail.row.method, words::plain(&detail.row.subject)));
        }
    });
    let second = Rect::from_min_max(rect.min + vec2(14.0, 34.0), rect.max - vec2(14.0, 4.0));
    let text = summary(detail, desk.now, zone);
    crate::ui::widgets::cell::text(ui.painter(), second, &text, theme::sans(12.0), palette.dim, false);
}

/// The tags behind the title, as many as there is room for: how it ended before its number, then the
/// revision, then the id, which its request shows as well.
fn tags(ui: &mut Ui, detail: &Detail, room: f32) {
    let row = &detail.row;
    let is_telling = matches!(row.status, Status::Error | Status::Odd | Status::Unanswered | Status::Pending);
    let outcome = Some(short(&row.outcome)).filter(|outcome| is_telling && !outcome.is_empty());
    let revision = detail.revision.as_deref().or(detail.era.map(crate::model::Era::word)).map(short);
    let era = detail.era.map(|era| format!("{} era", era.word())).unwrap_or_default();
    let id = detail.id.as_deref().map(|id| (format!("id {}", short(id)), words::plain(id).into_owned()));
    let (id, whole_id) = id.unzip();
    // In the order from right to left, each with its place in the order of importance.
    let all = [
        (Some(format!("#{}", row.seq)), String::new(), 1),
        (id, whole_id.unwrap_or_default(), 3),
        (revision, era, 2),
        (outcome, row.outcome.to_string(), 0),
    ];
    let mut by_rank: Vec<_> = all.iter().filter_map(|(text, _, rank)| Some((*rank, text.as_ref()?))).collect();
    by_rank.sort_unstable();
    let mut left = room;
    by_rank.retain(|(_, text)| {
        let width = button::tag_width(ui, text) + ui.spacing().item_spacing.x;
        let fits = width <= left;
        left -= if fits { width } else { 0.0 };
        fits
    });
    let kept: Vec<u8> = by_rank.iter().map(|(rank, _)| *rank).collect();
    for (text, hover, rank) in &all {
        let Some(text) = text.as_ref().filter(|_| kept.contains(rank)) else { continue };
        let response = button::tag(ui, text, *rank == 0 && row.status == Status::Error);
        if !hover.is_empty() {
            response.on_hover_text(hover);
        }
    }
}

/// A text that must not take the whole line.
fn short(text: &str) -> String {
    let text = words::plain(text);
    match text.char_indices().nth(22) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

fn summary(detail: &Detail, now: i64, zone: &TimeZone) -> String {
    let Row { at, duration, status, size, .. } = detail.row;
    let mut parts = vec![words::clock(at, zone)];
    match duration {
        Some(duration) => parts.push(words::duration(duration)),
        None if detail.row.going.is_some() => {}
        None if status == Status::Pending => parts.push(format!("pending, {}", words::age(now - at))),
        None => {}
    }
    parts.extend(detail.row.going.map(|going| words::going(&going, now)));
    parts.push(match (&detail.request, &detail.answer) {
        (Some(request), Some(answer)) => format!("{} → {}", words::size(request.size), words::size(answer.size)),
        _ => words::size(size),
    });
    if detail.row.rounds > 1 {
        parts.push(format!("{} rounds", detail.row.rounds));
    }
    parts.join(" · ")
}

/// The tabs, and at their right how they are shown.
fn tabs(ui: &mut Ui, panel: &mut DetailPanel, detail: &Detail, settings: &mut Settings, acts: &mut Vec<Act>) {
    let mut tab = panel.tab_of(detail);
    let palette = theme::palette(ui);
    let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), 32.0));
    button::place(ui, rect.shrink2(vec2(14.0, 0.0)), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        if button::tabs(ui, &mut tab, Tab::of(detail)) {
            panel.tab = tab;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let both = panel.request.is_some() && panel.answer.is_some();
            if both && !matches!(tab, Tab::Timing | Tab::Http) {
                let (icon, label) = if settings.side_by_side {
                    (Icon::Stack, "Request above answer (s)")
                } else {
                    (Icon::Columns, "Request beside answer (s)")
                };
                if button::icon_sized(ui, icon, label, false, 26.0).clicked() {
                    acts.push(Act::SideBySide);
                }
            }
            if tab == Tab::Pretty {
                let label = if panel.whole { "Only the content (e)" } else { "The whole message (e)" };
                if button::icon_sized(ui, Icon::Braces, label, panel.whole, 26.0).clicked() {
                    acts.push(Act::Envelope);
                }
                if button::icon_sized(ui, Icon::Loupe, "Search here (Ctrl+F)", panel.find.is_open(), 26.0).clicked() {
                    acts.push(Act::Find);
                }
            }
        });
    });
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
    ui.advance_cursor_after_rect(rect);
}

/// Says for a moment what was copied.
fn say(ui: &Ui, panel: &mut DetailPanel, body: Rect) {
    let Some((text, until)) = &panel.said else { return };
    if ui.input(|input| input.time) > *until {
        panel.said = None;
        return;
    }
    let palette = theme::palette(ui);
    let galley = ui.painter().layout_no_wrap(text.clone(), theme::sans(12.0), palette.text);
    let size = galley.size() + vec2(24.0, 12.0);
    let rect = Rect::from_center_size(body.center_bottom() - vec2(0.0, 28.0), size);
    ui.painter().rect(rect, theme::CORNER, palette.bg3, theme::hairline(palette), eframe::egui::StrokeKind::Inside);
    ui.painter().galley(rect.min + vec2(12.0, 6.0), galley, palette.text);
}
