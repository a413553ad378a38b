//! The column at the right: what a call ended with, what came while it ran, and how it differs from the one before.

mod blocks;
mod caret;
mod course;
mod difference;
mod structured;
mod traffic;

use std::sync::Arc;

use eframe::egui::{Align, Layout, Rect, RichText, Sense, Ui, vec2};
use jiff::tz::TimeZone;

use self::caret::Caret;
pub use self::caret::Found;
use self::difference::Difference;
use super::raw::RawSide;
use crate::engine::view::{Body, ConnectionId};
use crate::peer::client::{CallId, Outcome};
use crate::ui::client::CallRecord;
use crate::ui::client::answer::{self, Answer};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::keys::Act;
use crate::ui::panels::content::Pieces;
use crate::ui::panels::part::Part;
use crate::ui::panels::stack::Stack;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::cell;
use crate::ui::words;
use crate::ui::worker::{Later, Worker};

/// A way to look at what came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// Piece by piece.
    #[default]
    Content,
    /// Structured content and what its schema says.
    Structured,
    /// Request and answer as they are.
    Raw,
    /// When what happened.
    Timing,
    /// Where it is in the recording.
    Traffic,
}

/// What somebody wants who pressed something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// To read the resource with this URI.
    Read(String),
    /// To see the exchange on the Traffic page.
    Traffic,
    /// To use this value in saved calls.
    Pick(Found),
}

/// The state of the column.
#[derive(Default)]
pub struct ResultPanel {
    /// How it is looked at.
    pub tab: Tab,
    shown: Option<(ConnectionId, CallId)>,
    of: Option<Arc<Body>>,
    answer: Option<Later<Answer>>,
    pieces: Vec<Pieces>,
    structured: Option<Part>,
    meta: Option<Part>,
    difference: Difference,
    caret: Caret,
    raw: RawSide,
    stack: Stack,
    worker: Worker,
}

/// What of the page the column needs to know of the call.
pub struct Shown<'a> {
    /// Its connection.
    pub id: ConnectionId,
    /// The call.
    pub call: &'a CallRecord,
    /// The one before it of the same subject that ended with a result.
    pub before: Option<&'a CallRecord>,
    /// `outputSchema` of the tool.
    pub output: Option<&'a [u8]>,
}

impl ResultPanel {
    /// Draws the column in all the room there is. Returns what was wished.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        shown: Option<&Shown<'_>>,
        desk: &Desk,
        settings: &Settings,
        zone: &TimeZone,
        active: bool,
    ) -> Option<Wish> {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = 0.0;
        let Some(shown) = shown else {
            nothing(ui);
            return None;
        };
        self.sync(ui, shown);
        self.header(ui, shown, desk.now);
        let mut wish = None;
        self.tabs(ui, shown.call);
        let body = ui.available_rect_before_wrap();
        if self.tab == Tab::Raw {
            self.raw.show(ui, body, shown.call, settings, active);
        } else {
            let mut stack = std::mem::take(&mut self.stack);
            self.caret.begin();
            let id = eframe::egui::Id::unique("client-result");
            stack.show(ui, body, id, "Scroll the result", |ui, course| {
                course.space(8.0);
                match self.tab {
                    Tab::Content | Tab::Raw => {
                        let wanted = self.content(ui, course, shown, active);
                        wish = wish.take().or(wanted);
                    }
                    Tab::Structured => structured::show(ui, course, self, active),
                    Tab::Timing => {}
                    Tab::Traffic => {
                        if traffic::show(ui, course, shown, desk) {
                            wish = Some(Wish::Traffic);
                        }
                    }
                }
                if matches!(self.tab, Tab::Content | Tab::Timing) {
                    course::show(ui, course, shown.call, desk.now, zone, self.tab == Tab::Timing);
                }
                course.space(24.0);
            });
            self.stack = stack;
            self.reveal_caret(ui);
        }
        ui.advance_cursor_after_rect(body);
        wish.or_else(|| self.serve(ui))
    }

    /// What the keyboard acts on.
    pub fn raw(&mut self) -> &mut RawSide {
        &mut self.raw
    }

    /// Does what a key asks for: moves the caret, or scrolls where there is none.
    pub fn act(&mut self, act: Act) {
        if self.tab == Tab::Raw {
            return self.raw.panel.act(act);
        }
        if self.move_caret(act) {
            return;
        }
        let line = f64::from(theme::LINE);
        let stack = &mut self.stack;
        let page = stack.page() - line;
        stack.scroll.offset += match act {
            Act::Down => line,
            Act::Up => -line,
            Act::PageDown => page,
            Act::PageUp => -page,
            Act::First => f64::MIN / 2.0,
            Act::Last => f64::MAX / 2.0,
            _ => 0.0,
        };
        stack.clamp();
    }

    /// Takes in the call and, once it is laid out, what it ended with.
    fn sync(&mut self, ui: &Ui, shown: &Shown<'_>) {
        let key = (shown.id, shown.call.id);
        if self.shown != Some(key) {
            self.shown = Some(key);
            self.of = None;
            self.stack.reset();
        }
        let same = match (&self.of, &shown.call.body) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        if !same || self.of.is_none() {
            self.answer = None;
            self.pieces.clear();
            (self.structured, self.meta) = (None, None);
            self.difference.forget();
            self.caret.forget();
            self.of.clone_from(&shown.call.body);
        }
        if self.answer.is_none()
            && let Some(body) = &self.of
        {
            let body = Arc::clone(body);
            let output = shown.output.map(<[u8]>::to_vec);
            let of_tool = shown.call.method == "tools/call";
            let is_result = matches!(shown.call.outcome, Some(Outcome::Result(_)));
            if is_result {
                self.answer =
                    self.worker.start(ui.ctx(), move || answer::read(&body.bytes, of_tool, output.as_deref()));
            }
        }
        if let Some(answer) = self.answer.as_mut().and_then(Later::get) {
            if self.pieces.len() != answer.blocks.len() {
                self.pieces = answer.blocks.iter().map(|_| Pieces::one()).collect();
            }
            if self.structured.is_none() {
                self.structured = answer.structured.as_ref().map(|body| Part::new(body, true));
            }
            if self.meta.is_none() {
                self.meta = answer.meta.as_ref().map(|body| Part::new(body, true));
            }
        }
    }

    fn header(&mut self, ui: &mut Ui, shown: &Shown<'_>, now: i64) {
        let palette = theme::palette(ui);
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 64.0), Sense::hover());
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
        let first = Rect::from_min_size(rect.min + vec2(14.0, 8.0), vec2(rect.width() - 24.0, 28.0));
        button::place(ui, first, Layout::left_to_right(Align::Center), |ui| {
            ui.label(RichText::new("Result").font(theme::semibold(15.0)).color(palette.text));
            let (word, sort) = status(shown.call);
            let response = tag(ui, &word, sort);
            if let Some(why) = shown.call.outcome.as_ref().and_then(Outcome::why) {
                response.on_hover_text(words::plain(why));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let can = shown.before.is_some() && shown.call.body.is_some();
                let label = "Compare with the previous result of the same call";
                ui.add_enabled_ui(can, |ui| {
                    let on = self.difference.is_on();
                    let pressed = button::framed(ui, None, "Compare with last", label, on);
                    if pressed.on_disabled_hover_text("There is no earlier result of it yet.").clicked() {
                        self.difference.toggle();
                        self.tab = Tab::Content;
                    }
                });
            });
        });
        let mut second = Rect::from_min_max(rect.min + vec2(14.0, 37.0), rect.max - vec2(10.0, 4.0));
        if self.has_caret() {
            button::place(ui, second, Layout::right_to_left(Align::Center), |ui| {
                let response = button::framed_small(ui, None, "Use value …", "Use the value in a saved call (x)");
                second.max.x = response.rect.left() - 8.0;
                if response.on_hover_text("Use the value at the caret in a saved call (x)").clicked() {
                    self.want_pick();
                }
            });
        }
        cell::text(ui.painter(), second, &summary(shown.call, now), theme::sans(12.0), palette.dim, false);
    }

    fn tabs(&mut self, ui: &mut Ui, call: &CallRecord) {
        let palette = theme::palette(ui);
        let answer = self.answer.as_mut().and_then(Later::get);
        let blocks = answer.as_ref().map(|answer| answer.blocks.len() + answer.more).filter(|count| *count > 0);
        let content = blocks.map_or_else(|| "Content".to_owned(), |count| format!("Content {count}"));
        let structured = answer.as_ref().is_some_and(|answer| answer.structured.is_some());
        let mut options = vec![(Tab::Content, content.as_str())];
        if structured || call.method == "tools/call" {
            options.push((Tab::Structured, "Structured"));
        }
        options.extend([(Tab::Raw, "Raw"), (Tab::Timing, "Timing"), (Tab::Traffic, "Traffic")]);
        if !options.iter().any(|(tab, _)| *tab == self.tab) {
            self.tab = Tab::Content;
        }
        let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), 32.0));
        let before = self.tab;
        button::place(ui, rect.shrink2(vec2(14.0, 0.0)), Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            button::tabs(ui, &mut self.tab, &options);
            if self.tab == Tab::Raw {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| self.raw.switch(ui));
            }
        });
        if before != self.tab {
            self.stack.reset();
        }
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
        ui.advance_cursor_after_rect(rect);
    }
}

fn nothing(ui: &mut Ui) {
    let palette = theme::palette(ui);
    ui.add_space(ui.available_height() * 0.32);
    ui.vertical_centered(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.label(RichText::new("No result yet").font(theme::semibold(15.0)).color(palette.text));
        ui.label(RichText::new("Make a call, with Ctrl+Enter.").color(palette.dim));
    });
}

/// How good or bad a status is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// It went well.
    Good,
    /// It is not over.
    Waiting,
    /// It went wrong.
    Bad,
}

/// How a call stands, in a word or two.
pub fn status(call: &CallRecord) -> (String, Sort) {
    match &call.outcome {
        None => ("running".to_owned(), Sort::Waiting),
        Some(Outcome::Result(_)) if call.gist.is_error => ("isError".to_owned(), Sort::Bad),
        Some(Outcome::Result(_)) => ("ok".to_owned(), Sort::Good),
        Some(Outcome::Error(_)) => {
            (call.gist.code.clone().map_or_else(|| "error".to_owned(), |code| format!("error {code}")), Sort::Bad)
        }
        Some(Outcome::Http { status: Some(status), .. }) => (format!("HTTP {status}"), Sort::Bad),
        Some(Outcome::Http { status: None, .. }) => ("no response".to_owned(), Sort::Bad),
        Some(Outcome::TimedOut(_)) => ("timed out".to_owned(), Sort::Bad),
        Some(Outcome::Cancelled) => ("cancelled".to_owned(), Sort::Waiting),
        Some(Outcome::Lost(_)) => ("lost".to_owned(), Sort::Bad),
        Some(Outcome::Refused(_)) => ("not sent".to_owned(), Sort::Bad),
    }
}

/// A tag in the colour of what it says.
pub fn tag(ui: &mut Ui, text: &str, sort: Sort) -> eframe::egui::Response {
    let palette = theme::palette(ui);
    let colour = match sort {
        Sort::Good => palette.ok,
        Sort::Waiting => palette.warn,
        Sort::Bad => palette.err,
    };
    button::coloured_tag(ui, text, colour)
}

/// What it took: `388 ms · 24.6 KB · id 7`.
fn summary(call: &CallRecord, now: i64) -> String {
    let mut parts = Vec::new();
    match &call.outcome {
        None => parts.push(format!("for {}", words::age(now - call.at))),
        Some(_) => parts.push(words::duration(call.took)),
    }
    if let Some(Outcome::Result(bytes) | Outcome::Error(bytes)) = &call.outcome {
        parts.push(words::size(bytes.len() as u64));
    }
    if let Some(id) = call.request_id() {
        parts.push(format!("id {}", words::plain(&id.to_string())));
    }
    if call.round_count() > 1 {
        parts.push(format!("{} rounds", call.round_count()));
    }
    parts.join(" · ")
}

/// The icon of something that leads elsewhere.
const LEAD: Icon = Icon::Right;
