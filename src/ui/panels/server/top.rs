//! The bar above a server: what can be looked at, and how it is stopped.

use eframe::egui::{Align, Layout, RichText, Ui};

use crate::engine::view::ServerId;
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::pages::server::Tab;
use crate::ui::server::{Serving, Standing};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Height of the bar.
pub const HEIGHT: f32 = 44.0;

/// What somebody wants who pressed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To stop it, or take it from the list.
    Stop,
    /// To serve again.
    Again,
    /// To change how it behaves.
    Change,
}

/// Draws the bar. Returns what was pressed.
pub fn show(ui: &mut Ui, tab: &mut Tab, desk: &Desk, id: ServerId) -> Option<Wish> {
    let serving = desk.stand.get(id)?;
    let titles: Vec<(Tab, String)> = Tab::ALL
        .iter()
        .filter(|(tab, _)| *tab != Tab::Rules || serving.mock().is_some())
        .map(|(tab, word)| (*tab, title(*tab, word, serving)))
        .collect();
    let mut wish = None;
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(12.0);
        let options: Vec<(Tab, &str)> = titles.iter().map(|(tab, title)| (*tab, title.as_str())).collect();
        button::segmented(ui, tab, &options);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.add_space(10.0);
            wish = ends(ui, serving);
            if let Some(url) = serving.url.as_ref().filter(|_| ui.available_width() > 240.0) {
                ui.label(RichText::new(words::plain(url)).font(theme::mono()).color(theme::palette(ui).dim));
                if button::icon_sized(ui, Icon::Copy, "Copy the URL", false, 24.0).clicked() {
                    ui.ctx().copy_text(url.clone());
                }
            }
        });
    });
    wish
}

fn title(tab: Tab, word: &str, serving: &Serving) -> String {
    let count = match tab {
        Tab::Requests => serving.requests.len() as u64 + serving.left_out,
        Tab::Clients => serving.clients.iter().filter(|it| it.left.is_none()).count() as u64,
        Tab::Log => serving.words.len() as u64,
        Tab::Rules | Tab::Say | Tab::About => 0,
    };
    if count == 0 { word.to_owned() } else { format!("{word} {}", words::count(count)) }
}

fn ends(ui: &mut Ui, serving: &Serving) -> Option<Wish> {
    let mut wish = None;
    match serving.standing() {
        Standing::Starting | Standing::Serving => {
            if button::framed(ui, Some(Icon::Stop), "Stop", "Stop serving", false).clicked() {
                wish = Some(Wish::Stop);
            }
            if button::icon(ui, Icon::Settings, "How this server behaves", false).clicked() {
                wish = Some(Wish::Change);
            }
        }
        Standing::Stopped | Standing::Failed => {
            if button::framed(ui, None, "Close", "Take the server from the list", false).clicked() {
                wish = Some(Wish::Stop);
            }
            if button::framed(ui, Some(Icon::Again), "Serve again", "Serve again", false).clicked() {
                wish = Some(Wish::Again);
            }
        }
    }
    wish
}
