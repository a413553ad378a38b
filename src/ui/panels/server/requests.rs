//! What was asked of a server: one entry for each request, the latest at the end, of which only those in view are drawn.

use std::collections::HashMap;

use eframe::egui::accesskit::Role;
use eframe::egui::{
    Align, Align2, Color32, Id, Key, Layout, Modifiers, Rect, RichText, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2,
};

use crate::engine::view::ServerId;
use crate::model::Nanos;
use crate::peer::server::RequestNo;
use crate::ui::desk::Desk;
use crate::ui::server::{Asked, Fate, Serving};
use crate::ui::theme::{self, CORNER, Palette};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::widgets::scroll::Scroll;
use crate::ui::words;

/// Height of a row with its two lines.
const ROW: f32 = 44.0;

/// The state of the list.
#[derive(Debug, Default)]
pub struct Requests {
    selected: HashMap<ServerId, RequestNo>,
    scroll: Scroll,
    /// Whether somebody has scrolled away from the end.
    away: bool,
    filter: String,
    focus: bool,
    reveal: bool,
    height: f32,
    /// The server and the filter that the list was drawn for last.
    of: Option<ServerId>,
}

impl Requests {
    /// The request that is selected.
    pub fn selected(&self, id: ServerId) -> Option<RequestNo> {
        self.selected.get(&id).copied()
    }

    /// Selects a request.
    pub fn select(&mut self, id: ServerId, request: RequestNo) {
        self.selected.insert(id, request);
        self.reveal = true;
    }

    /// Puts the keyboard into the filter.
    pub fn to_filter(&mut self) {
        self.focus = true;
    }

    /// Clears the filter; whether there was one.
    pub fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.filter).is_empty()
    }

    /// Rows that fit on the screen.
    pub fn page(&self) -> isize {
        ((self.height / ROW) as isize - 1).max(1)
    }

    /// Moves the selection by so many of the rows that match.
    pub fn step(&mut self, serving: &Serving, by: isize) {
        let rows = self.matching(serving);
        let Some(last) = rows.len().checked_sub(1) else { return };
        let at = self.selected(serving.id).and_then(|number| rows.binary_search(&number).ok());
        let next = match at {
            Some(at) => at.saturating_add_signed(by).min(last),
            None if by < 0 => last,
            // Without a selection the first step leads to the first row.
            None => usize::try_from(by - 1).unwrap_or(0).min(last),
        };
        self.select(serving.id, rows[next]);
        self.away = next != last;
    }

    /// Shows the newest request again, and stays there.
    pub fn follow(&mut self) {
        self.away = false;
    }

    fn matching(&self, serving: &Serving) -> Vec<RequestNo> {
        let filter = self.filter.trim().to_lowercase();
        let fits = |it: &&Asked| {
            let by = it.by.as_ref().map_or("", |(by, _)| by);
            filter.is_empty() || [&it.method, &it.subject, by].iter().any(|text| text.to_lowercase().contains(&filter))
        };
        serving.requests.iter().filter(fits).map(|it| it.request).collect()
    }

    /// Draws the column in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &Desk, id: ServerId, active: bool) {
        ui.set_min_size(ui.available_size());
        let Some(serving) = desk.stand.get(id) else { return };
        if self.of.replace(id) != Some(id) {
            self.away = false;
        }
        self.bar(ui);
        let rect = ui.available_rect_before_wrap();
        self.height = rect.height();
        let rows = self.matching(serving);
        if rows.is_empty() {
            let text = if serving.requests.is_empty() { "What is asked appears here." } else { "Nothing matches." };
            button::place(ui, rect.shrink(14.0), Layout::top_down(Align::Min), |ui| {
                ui.label(RichText::new(text).color(theme::palette(ui).dim));
            });
            return;
        }
        let content = rows.len() as f64 * f64::from(ROW);
        if self.scroll.wheel(ui, rect, content) < 0.0 {
            self.away = true;
        }
        if !self.away {
            self.scroll.offset = content;
        }
        if std::mem::take(&mut self.reveal)
            && let Some(at) = self.selected(id).and_then(|number| rows.binary_search(&number).ok())
        {
            self.scroll.reveal(at as f64 * f64::from(ROW), f64::from(ROW), rect.height());
            self.away = at + 1 < rows.len();
        }
        self.scroll.clamp(rect.height(), content);
        if self.scroll.is_at_end(rect.height(), content) {
            self.away = false;
        }
        let clip = ui.clip_rect();
        ui.set_clip_rect(rect.intersect(clip));
        let first = (self.scroll.offset / f64::from(ROW)) as usize;
        let last = (first + (rect.height() / ROW) as usize + 2).min(rows.len());
        for (at, number) in rows.iter().enumerate().take(last).skip(first) {
            let top = (at as f64 * f64::from(ROW) - self.scroll.offset) as f32 + rect.top();
            let row = Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), ROW));
            if let Some(asked) = serving.request(*number) {
                let selected = self.selected(id) == Some(*number);
                if line(ui, row, serving, asked, selected, active, desk.now) {
                    self.selected.insert(id, *number);
                }
            }
        }
        ui.set_clip_rect(clip);
        if self.scroll.bar(ui, rect, Id::unique("server-requests-bar"), content, "Scroll the requests") {
            self.away = true;
        }
        ui.advance_cursor_after_rect(rect);
    }

    fn bar(&mut self, ui: &mut Ui) {
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            let field = TextEdit::singleline(&mut self.filter)
                .desired_width(ui.available_width() - 18.0)
                .hint_text("filter requests")
                .align(Align2::LEFT_CENTER);
            let response = ui.add(field).accessible_name("Filter requests");
            if std::mem::take(&mut self.focus) {
                response.request_focus();
            }
            if response.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
                self.filter.clear();
                response.surrender_focus();
            }
        });
        ui.add_space(4.0);
    }
}

/// Where a request stands, in words, with its colour.
pub fn fate(asked: &Asked, palette: &Palette) -> (&'static str, Color32) {
    match asked.fate() {
        Fate::Waiting => ("waits for you", palette.warn),
        Fate::Running => ("running", palette.warn),
        Fate::Answered => ("answered", palette.ok),
        Fate::Error => ("error", palette.err),
        Fate::Otherwise => ("no answer", palette.warn),
        Fate::Cancelled => ("cancelled", palette.dim),
    }
}

/// One row. Returns whether it was pressed.
fn line(ui: &Ui, rect: Rect, serving: &Serving, asked: &Asked, is_selected: bool, active: bool, now: Nanos) -> bool {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, Id::unique(("server-request", serving.id, asked.request)), Sense::click());
    let (word, colour) = fate(asked, palette);
    let label = format!("{} {} {} {word}", asked.request, words::plain(&asked.method), words::plain(&asked.subject));
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_selected, label.clone()));
    if is_selected {
        ui.painter().rect_filled(rect, 0.0, palette.accent_bg);
        if active {
            let edge = Rect::from_min_max(rect.min, pos2(rect.left() + 2.0, rect.bottom()));
            ui.painter().rect_filled(edge, 0.0, palette.accent);
        }
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, palette.bg2);
    }
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
    let right = rect.right() - 14.0;
    let state = Cell::new().add(word, theme::medium(11.0), colour).layout(ui.painter(), 110.0);
    let edge = right - state.size().x;
    ui.painter().galley(pos2(edge, rect.top() + 13.5 - state.size().y / 2.0), state, colour);
    let first = Rect::from_min_max(rect.min + vec2(12.0, 4.0), pos2(edge - 8.0, rect.top() + 23.0));
    let (subject, method) =
        if asked.subject.is_empty() { (&asked.method, "") } else { (&asked.subject, &*asked.method) };
    let font = if is_selected { theme::semibold(13.0) } else { theme::sans(13.0) };
    Cell::new()
        .add(&words::plain(subject), font, palette.text)
        .add("  ", theme::sans(12.0), palette.dim)
        .add(&words::plain(method), theme::mono(), palette.dim)
        .paint(ui.painter(), first, false);
    let took = match (&asked.ended, asked.took) {
        // What the protocol answers by itself takes no time at all.
        (Some(_), 0) => String::new(),
        (Some(_), took) => words::duration(took),
        (None, _) => words::age(now - asked.at),
    };
    let took = Cell::new().add(&took, theme::sans(11.0), palette.dim).layout(ui.painter(), 80.0);
    let edge = right - took.size().x;
    ui.painter().galley(pos2(edge, rect.top() + 31.5 - took.size().y / 2.0), took, palette.dim);
    let second = Rect::from_min_max(rect.min + vec2(12.0, 22.0), pos2(edge - 8.0, rect.bottom() - 4.0));
    let (text, warns) = why(serving, asked);
    let colour = if warns { palette.warn } else { palette.dim };
    cell::text(ui.painter(), second, &words::plain(&text), theme::sans(11.0), colour, false);
    button::focus_ring(ui, &response, CORNER);
    response.on_hover_text(words::plain(&text)).clicked()
}

/// Who asked and what answers, or why nothing does.
fn why(serving: &Serving, asked: &Asked) -> (String, bool) {
    let who = serving.client(asked.client).map_or_else(String::new, |client| format!("{} · ", client.name()));
    match (&asked.by, &asked.miss) {
        (Some((by, _)), None) => (format!("{who}{by}"), false),
        (Some((by, _)), Some(_)) => (format!("{who}missed, then {by}"), true),
        (None, Some(miss)) => (format!("{who}{}", miss.why), true),
        (None, None) => (who.trim_end_matches(" · ").to_owned(), false),
    }
}
