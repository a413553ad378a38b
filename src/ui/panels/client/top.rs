//! The bar above a connection: what can be looked at, with how many there are, and who is at the other end.

use eframe::egui::{Align, Layout, RichText, Ui};

use crate::engine::view::ConnectionId;
use crate::engine::view::Json;
use crate::peer::client::{Kind, State};
use crate::ui::client::{Connection, Standing};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::pages::client::Tab;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Height of the bar.
pub const HEIGHT: f32 = 44.0;

/// What somebody wants who pressed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To change how the connection behaves.
    Change,
    /// To end or forget it.
    Disconnect,
    /// To connect again.
    Retry,
    /// To edit what was connected to, and connect again.
    Edit,
}

/// Draws the bar. Returns what was pressed.
pub fn show(ui: &mut Ui, tab: &mut Tab, desk: &Desk, id: ConnectionId) -> Option<Wish> {
    let connection = desk.bench.get(id)?;
    let titles: Vec<(Tab, String)> = Tab::ALL.iter().map(|(tab, word)| (*tab, title(*tab, word, connection))).collect();
    let mut wish = None;
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(12.0);
        let options: Vec<(Tab, &str)> = titles.iter().map(|(tab, title)| (*tab, title.as_str())).collect();
        // Before anything is known of the server, only how it is being reached can be looked at.
        let mut shown = if connection.peer.is_none() && *tab != Tab::Frame { Tab::Server } else { *tab };
        if button::segmented(ui, &mut shown, &options) {
            *tab = shown;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.add_space(10.0);
            wish = ends(ui, connection);
            who(ui, connection);
        });
    });
    wish
}

fn title(tab: Tab, word: &str, connection: &Connection) -> String {
    let count = match tab {
        Tab::Stream => Some(connection.notifications.len()).filter(|count| *count > 0),
        _ => tab.kind().and_then(|kind| connection.lists.get(&kind)).map(|list| list.items.len()),
    };
    count.map_or_else(|| word.to_owned(), |count| format!("{word} {}", words::count(count as u64)))
}

fn ends(ui: &mut Ui, connection: &Connection) -> Option<Wish> {
    let mut wish = None;
    let (word, label) = match connection.standing() {
        Standing::Open => ("Disconnect", "Disconnect from the server"),
        Standing::Opening => ("Give up", "Give up connecting"),
        Standing::Closed | Standing::Failed => ("Close", "Take the connection from the list"),
    };
    if button::framed(ui, None, word, label, false).clicked() {
        wish = Some(Wish::Disconnect);
    }
    match connection.standing() {
        Standing::Closed | Standing::Failed => {
            if button::framed(ui, Some(Icon::Again), "Connect again", "Connect again", false).clicked() {
                wish = Some(Wish::Retry);
            }
        }
        Standing::Open => {
            if button::icon(ui, Icon::Settings, "How this connection behaves", false).clicked() {
                wish = Some(Wish::Change);
            }
        }
        Standing::Opening => {
            ui.add(eframe::egui::Spinner::new().size(14.0));
        }
    }
    wish
}

fn who(ui: &mut Ui, connection: &Connection) {
    let palette = theme::palette(ui);
    let name = Json::parse(connection.settings.identity.as_bytes())
        .ok()
        .and_then(|json| json.get("name")?.text().map(std::borrow::Cow::into_owned))
        .unwrap_or_else(|| "nobody".to_owned());
    if ui.available_width() > 220.0 {
        let text = format!("identity: {}", words::plain(&name));
        ui.label(RichText::new(text).font(theme::sans(12.0)).color(palette.dim))
            .on_hover_text(words::plain(&connection.settings.identity));
    }
    if let (State::Open(_) | State::Closed { .. }, Some(peer)) = (&connection.state, &connection.peer)
        && ui.available_width() > 110.0
    {
        button::tag(ui, &format!("{} {}", peer.era.word(), words::plain(peer.revision.text())), false);
    }
}

impl Tab {
    /// The list that it shows.
    pub const fn kind(self) -> Option<Kind> {
        match self {
            Self::Tools => Some(Kind::Tools),
            Self::Resources => Some(Kind::Resources),
            Self::Templates => Some(Kind::Templates),
            Self::Prompts => Some(Kind::Prompts),
            Self::Tasks => Some(Kind::Tasks),
            Self::Stream | Self::Frame | Self::Server => None,
        }
    }
}
