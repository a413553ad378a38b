//! The rail at the left: the pages of the window, and at its foot what concerns the window as a whole.

use eframe::egui::{Align, Layout, Ui};

use crate::ui::icons::Icon;
use crate::ui::keys::Act;
use crate::ui::pages::Page;
use crate::ui::settings::{Settings, Theme};
use crate::ui::widgets::button;

/// Width of the rail.
pub const WIDTH: f32 = 48.0;
/// Size of its buttons.
const BUTTON: f32 = 36.0;

/// Draws the rail; what is pressed is added to `acts`.
pub fn show(ui: &mut Ui, page: Page, settings: &Settings, acts: &mut Vec<Act>) {
    ui.add_space(8.0);
    ui.vertical_centered(|ui| {
        let pages = [
            (Page::Traffic, Icon::Traffic, "Traffic (Ctrl+1)", Act::Traffic),
            (Page::Client, Icon::Client, "Client (Ctrl+2)", Act::Client),
        ];
        for (of, icon, label, act) in pages {
            if button::icon_sized(ui, icon, label, page == of, BUTTON).clicked() {
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
            (Page::Client, true) => "Hide servers ([)",
            (Page::Client, false) => "Show servers ([)",
        };
        if button::icon_sized(ui, Icon::PanelLeft, label, false, BUTTON).clicked() {
            acts.push(Act::Recordings);
        }
    });
}
