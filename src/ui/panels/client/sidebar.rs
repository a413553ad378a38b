//! The servers at the left of the Client page: connected ones, those of hosts' files, saved calls.

use eframe::egui::accesskit::Role;
use eframe::egui::{Align2, Id, Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::engine::view::ConnectionId;
use crate::ui::client::{Connection, Standing};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::keys::Act;
use crate::ui::panels::saved::Saved;
use crate::ui::theme::{self, CORNER, Palette};
use crate::ui::widgets::button;
use crate::ui::widgets::cell;
use crate::ui::words;

/// Height of an entry's two lines.
const ITEM: f32 = 44.0;

/// The state of the sidebar.
#[derive(Debug, Default)]
pub struct Sidebar {
    /// The section of saved calls.
    pub saved: Saved,
}

impl Sidebar {
    /// Draws the sidebar in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, acts: &mut Vec<Act>) {
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            if button::framed(ui, Some(Icon::Plus), "Connect", "Connect to a server (Ctrl+N)", false).clicked() {
                acts.push(Act::Connect);
            }
        });
        ScrollArea::vertical().id_salt("servers").auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            title(ui, "CONNECTED");
            let ids: Vec<ConnectionId> = desk.bench.connections.iter().map(|it| it.id).collect();
            for id in ids {
                connection(ui, desk, id);
            }
            self.saved.section(ui, desk, acts);
        });
    }
}

/// The title of a section.
pub fn title(ui: &mut Ui, text: &str) {
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        ui.add_space(14.0);
        ui.label(RichText::new(text).font(theme::medium(10.5)).color(theme::palette(ui).faint));
    });
}

fn connection(ui: &mut Ui, desk: &mut Desk, id: ConnectionId) {
    let current = desk.bench.current == Some(id);
    let Some(connection) = desk.bench.get(id) else { return };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ITEM), Sense::click());
    let inner = rect.shrink2(vec2(8.0, 1.0));
    let name = connection.name();
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, current, words::plain(&name)));
    let palette = theme::palette(ui);
    if current {
        ui.painter().rect_filled(inner, CORNER, palette.accent_bg);
    } else if response.hovered() {
        ui.painter().rect_filled(inner, CORNER, palette.bg2);
    }
    ui.painter().circle_filled(pos2(inner.left() + 12.0, inner.top() + 14.0), 3.5, dot(palette, connection));
    let first = Rect::from_min_max(inner.min + vec2(26.0, 4.0), pos2(inner.right() - 8.0, inner.top() + 24.0));
    let font = if current { theme::semibold(13.0) } else { theme::sans(13.0) };
    cell::text(ui.painter(), first, &words::plain(&name), font, palette.text, false);
    if response.clicked() {
        desk.bench.current = Some(id);
    }
    button::focus_ring(ui, &response, CORNER);
    let _ = (Id::NULL, Align2::LEFT_TOP);
}

fn dot(palette: &Palette, connection: &Connection) -> eframe::egui::Color32 {
    match connection.standing() {
        Standing::Opening => palette.warn,
        Standing::Open => palette.ok,
        Standing::Closed => palette.mark,
        Standing::Failed => palette.err,
    }
}
