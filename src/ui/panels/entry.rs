//! An entry of a sidebar: a dot, a title, a word at the right, and a second line; and the title of a section.

use eframe::egui::accesskit::Role;
use eframe::egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::theme::{self, CORNER};
use crate::ui::widgets::{button, cell};
use crate::ui::words;

/// Height of an entry's two lines.
const ITEM: f32 = 44.0;

/// An entry as it is drawn.
pub struct Entry<'a> {
    /// Its first line.
    pub title: &'a str,
    /// At the right of the first line.
    pub right: &'a str,
    /// Its second line.
    pub second: &'a str,
    /// The colour of its dot.
    pub dot: eframe::egui::Color32,
    /// Whether it is the one that is shown.
    pub selected: bool,
    /// Whether the second line deserves a look.
    pub warns: bool,
}

/// The title of a section.
pub fn title(ui: &mut Ui, text: &str) {
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        ui.add_space(14.0);
        let text = RichText::new(text).font(theme::medium(10.5)).color(theme::palette(ui).faint);
        ui.add(eframe::egui::Label::new(text).truncate());
    });
    ui.add_space(2.0);
}

/// Draws an entry; `label` is its accessible name.
pub fn draw(ui: &mut Ui, label: &str, entry: &Entry<'_>) -> eframe::egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ITEM), Sense::click());
    let inner = rect.shrink2(vec2(8.0, 1.0));
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, entry.selected, words::plain(label)));
    let palette = theme::palette(ui);
    if entry.selected {
        ui.painter().rect_filled(inner, CORNER, palette.accent_bg);
    } else if response.hovered() {
        ui.painter().rect_filled(inner, CORNER, palette.bg2);
    }
    ui.painter().circle_filled(pos2(inner.left() + 12.0, inner.top() + 14.0), 3.5, entry.dot);
    let right = cell::Cell::new().add(entry.right, theme::sans(11.0), palette.dim).layout(ui.painter(), 80.0);
    let edge = inner.right() - 8.0 - right.size().x;
    ui.painter().galley(pos2(edge, inner.top() + 14.0 - right.size().y / 2.0), right, palette.dim);
    let first = Rect::from_min_max(inner.min + vec2(26.0, 4.0), pos2(edge - 6.0, inner.top() + 24.0));
    let font = if entry.selected { theme::semibold(13.0) } else { theme::sans(13.0) };
    cell::text(ui.painter(), first, &words::plain(entry.title), font, palette.text, false);
    let second = Rect::from_min_max(inner.min + vec2(26.0, 22.0), inner.max - vec2(8.0, 3.0));
    let colour = if entry.warns { palette.warn } else { palette.dim };
    cell::text(ui.painter(), second, &words::plain(entry.second), theme::sans(11.0), colour, false);
    button::focus_ring(ui, &response, CORNER);
    response
}
