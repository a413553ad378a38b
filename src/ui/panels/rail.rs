//! The rail at the left: the pages of the window, and at its foot what concerns the window as a whole.

use eframe::egui::{Align, Layout, Rect, Ui, vec2};

use crate::ui::icons::Icon;
use crate::ui::keys::Act;
use crate::ui::pages::Page;
use crate::ui::settings::{Settings, Theme};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Width of the rail.
pub const WIDTH: f32 = 48.0;
/// Size of its buttons.
const BUTTON: f32 = 36.0;

/// Draws the rail; what is pressed is added to `acts`. `questions` of servers and `requests` of hosts wait for an answer.
pub fn show(ui: &mut Ui, page: Page, settings: &Settings, (questions, requests): (usize, usize), acts: &mut Vec<Act>) {
    ui.add_space(8.0);
    ui.vertical_centered(|ui| {
        let pages = [
            (Page::Traffic, Icon::Traffic, "Traffic (Ctrl+1)", Act::Traffic),
            (Page::Client, Icon::Client, "Client (Ctrl+2)", Act::Client),
            (Page::Server, Icon::Server, "Server (Ctrl+3)", Act::Server),
        ];
        for (of, icon, label, act) in pages {
            let (count, one, many) = match of {
                Page::Traffic => (0, "", ""),
                Page::Client => (questions, "question", "questions"),
                Page::Server => (requests, "request", "requests"),
            };
            let label = if count == 0 {
                label.to_owned()
            } else {
                format!("{label}: {}", words::counted(count as u64, one, many))
            };
            let response = button::icon_sized(ui, icon, &label, page == of, BUTTON);
            if count > 0 {
                badge(ui, response.rect, count);
            }
            if response.clicked() {
                acts.push(act);
            }
        }
    });
    ui.with_layout(Layout::bottom_up(Align::Center), |ui| {
        ui.add_space(6.0);
        if button::icon_sized(ui, Icon::Keys, "Keys (?)", false, BUTTON).clicked() {
            acts.push(Act::Help);
        }
        let (icon, label) = match settings.theme {
            Theme::System => (Icon::Screen, "Theme: as the system (t)"),
            Theme::Dark => (Icon::Moon, "Theme: dark (t)"),
            Theme::Light => (Icon::Sun, "Theme: light (t)"),
        };
        if button::icon_sized(ui, icon, label, false, BUTTON).clicked() {
            acts.push(Act::Theme);
        }
        let label = match (page, settings.recordings) {
            (Page::Traffic, true) => "Hide recordings ([)",
            (Page::Traffic, false) => "Show recordings ([)",
            (Page::Client | Page::Server, true) => "Hide servers ([)",
            (Page::Client | Page::Server, false) => "Show servers ([)",
        };
        if button::icon_sized(ui, Icon::PanelLeft, label, false, BUTTON).clicked() {
            acts.push(Act::Recordings);
        }
    });
}

/// How many questions wait, at the corner of an icon.
fn badge(ui: &Ui, icon: Rect, count: usize) {
    let palette = theme::palette(ui);
    let text = if count > 9 { "9+".to_owned() } else { count.to_string() };
    let galley = ui.painter().layout_no_wrap(text, theme::semibold(10.0), palette.on_accent);
    let at = icon.right_top() + vec2(-7.0, 8.0);
    ui.painter().circle_filled(at, 8.0, palette.accent);
    ui.painter().galley(at - galley.size() / 2.0, galley, palette.on_accent);
}
