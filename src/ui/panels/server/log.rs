//! The tab Log: what a server heard and noted beside its requests.

use eframe::egui::accesskit::Role;
use eframe::egui::{Align, Id, Layout, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use jiff::tz::TimeZone;

use crate::engine::view::ServerId;
use crate::ui::desk::Desk;
use crate::ui::server::Word;
use crate::ui::theme::{self, ROW};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::widgets::scroll::Scroll;
use crate::ui::words;

/// Bytes of a message of which a row shows the beginning.
const SHORT: usize = 400;

/// The state of the tab.
#[derive(Debug, Default)]
pub struct LogPanel {
    scroll: Scroll,
    away: bool,
}

impl LogPanel {
    /// Scrolls by so many rows.
    pub fn step(&mut self, by: i64) {
        self.scroll.offset += by as f64 * f64::from(ROW);
        self.away = true;
    }

    /// Draws the tab in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &Desk, id: ServerId, zone: &TimeZone) {
        let rect = ui.available_rect_before_wrap();
        let palette = theme::palette(ui);
        ui.painter().rect_filled(rect, 0.0, palette.bg0);
        let Some(serving) = desk.stand.get(id) else { return };
        if serving.words.is_empty() {
            button::place(ui, rect.shrink(16.0), Layout::top_down(Align::Min), |ui| {
                let text = "Notifications of clients, and what is odd about what they say, appear here.";
                ui.label(RichText::new(text).color(palette.dim));
            });
            return;
        }
        let content = serving.words.len() as f64 * f64::from(ROW);
        if self.scroll.wheel(ui, rect, content) < 0.0 {
            self.away = true;
        }
        if !self.away {
            self.scroll.offset = content;
        }
        self.scroll.clamp(rect.height(), content);
        if self.scroll.is_at_end(rect.height(), content) {
            self.away = false;
        }
        let clip = ui.clip_rect();
        ui.set_clip_rect(rect.intersect(clip));
        let first = (self.scroll.offset / f64::from(ROW)) as usize;
        let last = (first + (rect.height() / ROW) as usize + 2).min(serving.words.len());
        for index in first..last {
            let top = (index as f64 * f64::from(ROW) - self.scroll.offset) as f32 + rect.top();
            let row = Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), ROW));
            line(ui, row, &serving.words[index], index, zone);
        }
        ui.set_clip_rect(clip);
        if self.scroll.bar(ui, rect, Id::unique("server-log-bar"), content, "Scroll the log") {
            self.away = true;
        }
        ui.advance_cursor_after_rect(rect);
    }
}

fn line(ui: &Ui, rect: Rect, word: &Word, index: usize, zone: &TimeZone) {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, Id::unique(("server-word", index)), Sense::hover());
    let text = words::plain(&word.text);
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, text.clone()));
    let left = Rect::from_min_max(rect.min + vec2(14.0, 0.0), pos2(rect.left() + 110.0, rect.bottom()));
    cell::text(ui.painter(), left, &words::clock(word.at, zone), theme::mono(), palette.dim, false);
    let colour = if word.warns { palette.warn } else { palette.note };
    let message = String::from_utf8_lossy(&word.message[..word.message.len().min(SHORT)]);
    let rest = Rect::from_min_max(pos2(rect.left() + 114.0, rect.top()), rect.max - vec2(16.0, 0.0));
    Cell::new()
        .add(&text, theme::sans(12.5), colour)
        .add("   ", theme::mono(), palette.dim)
        .add(&words::plain(&message), theme::mono(), palette.dim)
        .paint(ui.painter(), rest, false);
    response.on_hover_text(format!("{text}\n{}", words::plain(&message)));
}
