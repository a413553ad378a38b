//! The tab Server: how it was reached, who it is, what it can do, its environment and what it writes to stderr. Also
//! what is shown while a connection is being made, and when it failed.

use eframe::egui::{Frame, Grid, Margin, RichText, ScrollArea, Ui};

use crate::engine::client::{Way, line};
use crate::engine::view::{ConnectionId, Json, JsonKind};
use crate::peer::client::{Peer, State};
use crate::ui::client::{Connection, Standing};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

use super::top::Wish;

/// Lines of stderr that are shown.
const LINES: usize = 400;
/// Members of a capability that are named.
const MEMBERS: usize = 40;

/// Draws the tab in all the room there is. Returns what was pressed.
pub fn show(ui: &mut Ui, desk: &Desk, id: ConnectionId) -> Option<Wish> {
    let connection = desk.bench.get(id)?;
    let mut wish = None;
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, theme::palette(ui).bg0);
    ScrollArea::vertical().id_salt(("client-server", id)).auto_shrink([false, false]).show(ui, |ui| {
        Frame::NONE.inner_margin(Margin { left: 16, right: 16, top: 12, bottom: 16 }).show(ui, |ui| {
            ui.set_max_width(900.0);
            ui.spacing_mut().interact_size.y = 18.0;
            wish = standing(ui, connection, desk.now);
            attempts(ui, connection);
            if let Some(peer) = &connection.peer {
                identity(ui, peer);
                capabilities(ui, peer);
                instructions(ui, peer);
            }
            environment(ui, connection);
            stderr(ui, connection);
        });
    });
    wish
}

/// The title of a part.
fn part(ui: &mut Ui, text: &str) {
    ui.add_space(14.0);
    ui.label(RichText::new(text).font(theme::medium(10.5)).color(theme::palette(ui).faint));
    ui.add_space(2.0);
}

fn standing(ui: &mut Ui, connection: &Connection, now: i64) -> Option<Wish> {
    let palette = theme::palette(ui);
    let (title, colour) = match connection.standing() {
        Standing::Opening => ("Connecting …", palette.text),
        Standing::Open => ("Connected", palette.text),
        Standing::Closed => ("The connection is over", palette.text),
        Standing::Failed => ("The connection failed", palette.err),
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).font(theme::semibold(15.0)).color(colour));
        if connection.standing() == Standing::Opening {
            ui.add(eframe::egui::Spinner::new().size(14.0));
            ui.label(RichText::new(words::age(now - connection.since)).color(palette.dim));
        }
    });
    let what = match &connection.target.way {
        Way::Command { command, .. } => line(command),
        Way::Url { url, .. } => url.clone(),
    };
    ui.label(RichText::new(words::plain(&what)).font(theme::mono()).color(palette.dim));
    let mut wish = None;
    if let State::Closed { why, failed } = &connection.state {
        ui.add_space(6.0);
        let frame = Frame::new().fill(if *failed { palette.err_bg } else { palette.bg2 }).corner_radius(theme::CORNER);
        frame.inner_margin(12.0).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new(words::plain(why)).color(palette.text));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                if button::framed(ui, Some(Icon::Again), "Try again", "Try again to connect", false).clicked() {
                    wish = Some(Wish::Retry);
                }
                if button::framed(ui, None, "Edit and try again …", "Edit the connection", false).clicked() {
                    wish = Some(Wish::Edit);
                }
            });
        });
    }
    if let Some(path) = &connection.recording {
        ui.add_space(4.0);
        let text = format!("Recorded in {}", path.display());
        ui.label(RichText::new(words::plain(&text)).font(theme::sans(11.5)).color(palette.dim));
    }
    wish
}

/// How the era was found out, step by step.
fn attempts(ui: &mut Ui, connection: &Connection) {
    if connection.attempts.is_empty() {
        return;
    }
    part(ui, "HOW IT WAS REACHED");
    let palette = theme::palette(ui);
    Grid::new(("client-attempts", connection.id)).num_columns(3).min_col_width(8.0).spacing([10.0, 3.0]).show(
        ui,
        |ui| {
            for attempt in &connection.attempts {
                let (sign, colour) = if attempt.ok { ("→", palette.ok) } else { ("!", palette.warn) };
                ui.label(RichText::new(sign).font(theme::mono()).color(colour));
                ui.label(RichText::new(words::plain(&attempt.what)).color(palette.text));
                ui.add(eframe::egui::Label::new(RichText::new(words::plain(&attempt.came)).color(palette.dim)).wrap());
                ui.end_row();
            }
        },
    );
}

fn identity(ui: &mut Ui, peer: &Peer) {
    part(ui, "WHO IT SAYS IT IS");
    let palette = theme::palette(ui);
    Grid::new("client-identity").num_columns(2).spacing([18.0, 3.0]).show(ui, |ui| {
        let mut row = |name: &str, value: &str| {
            ui.label(RichText::new(words::plain(name)).color(palette.dim));
            let value: String = value.chars().take(2_000).collect();
            ui.label(RichText::new(words::plain(&value)).font(theme::mono()).color(palette.text));
            ui.end_row();
        };
        row("revision", &format!("{} ({} era)", peer.revision.text(), peer.era.word()));
        if !peer.supported.is_empty() {
            row("supported", &peer.supported.join(", "));
        }
        match peer.identity.as_ref().and_then(|bytes| Json::parse(bytes).ok()) {
            Some(json) => {
                for (name, value) in json.members().take(MEMBERS) {
                    row(&name.text().unwrap_or_default(), &written(&value));
                }
            }
            None => row("name", "it does not say"),
        }
    });
}

fn written(value: &Json<'_>) -> String {
    value.text().map_or_else(|| String::from_utf8_lossy(value.raw()).into_owned(), std::borrow::Cow::into_owned)
}

/// What it can do, as a table: each capability with what it says of it.
fn capabilities(ui: &mut Ui, peer: &Peer) {
    part(ui, "WHAT IT CAN DO");
    let palette = theme::palette(ui);
    let Some(bytes) = &peer.capabilities else {
        let text = "It was not asked: a modern server need not answer server/discover.";
        ui.label(RichText::new(text).color(palette.dim));
        return;
    };
    let Some(json) = Json::parse(bytes).ok().filter(|json| json.kind() == JsonKind::Object) else {
        ui.label(RichText::new("capabilities is no object.").color(palette.warn));
        return;
    };
    if json.members().next().is_none() {
        ui.label(RichText::new("It declares nothing.").color(palette.dim));
    }
    Grid::new("client-capabilities").num_columns(2).spacing([18.0, 3.0]).show(ui, |ui| {
        for (name, value) in json.members().take(MEMBERS) {
            ui.label(RichText::new(words::plain(&name.text().unwrap_or_default())).color(palette.text));
            let says: Vec<String> = value
                .members()
                .take(MEMBERS)
                .map(|(name, value)| {
                    let name = name.text().unwrap_or_default().into_owned();
                    match value.as_bool() {
                        Some(true) => name,
                        Some(false) => format!("no {name}"),
                        None if value.raw() == b"{}" => name,
                        None => format!("{name}: {}", written(&value).chars().take(200).collect::<String>()),
                    }
                })
                .collect();
            let says = if says.is_empty() { "yes".to_owned() } else { says.join(", ") };
            ui.label(RichText::new(words::plain(&says)).font(theme::mono()).color(palette.dim));
            ui.end_row();
        }
    });
}

fn instructions(ui: &mut Ui, peer: &Peer) {
    let Some(text) = peer.instructions.as_deref().filter(|text| !text.trim().is_empty()) else { return };
    part(ui, "INSTRUCTIONS TO THE MODEL");
    let palette = theme::palette(ui);
    for line in text.lines().take(400) {
        let line: String = line.chars().take(4_000).collect();
        ui.label(RichText::new(words::plain(&line)).color(palette.text));
    }
}

fn environment(ui: &mut Ui, connection: &Connection) {
    if connection.environment.is_empty() {
        return;
    }
    let count = words::counted(connection.environment.len() as u64, "variable", "variables");
    ui.add_space(10.0);
    let title = RichText::new(format!("Environment it was started with: {count}")).color(theme::palette(ui).dim);
    eframe::egui::CollapsingHeader::new(title).id_salt(("client-environment", connection.id)).show(ui, |ui| {
        Grid::new("client-environment-grid").num_columns(2).spacing([18.0, 1.0]).show(ui, |ui| {
            for (name, value) in connection.environment.iter().take(500) {
                let palette = theme::palette(ui);
                ui.label(RichText::new(words::plain(name)).font(theme::mono()).color(palette.text));
                let value: String = value.chars().take(300).collect();
                ui.label(RichText::new(words::plain(&value)).font(theme::mono()).color(palette.dim));
                ui.end_row();
            }
        });
    });
}

fn stderr(ui: &mut Ui, connection: &Connection) {
    if connection.stderr.is_empty() {
        return;
    }
    part(ui, "STDERR");
    let palette = theme::palette(ui);
    let left_out = connection.stderr.len().saturating_sub(LINES) as u64 + connection.lines_left_out;
    if left_out > 0 {
        let text = format!("… {} earlier lines are in the recording.", words::count(left_out));
        ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
    }
    ui.spacing_mut().item_spacing.y = 1.0;
    for line in connection.stderr.iter().skip(connection.stderr.len().saturating_sub(LINES)) {
        let line: String = line.chars().take(1_000).collect();
        ui.label(RichText::new(words::plain(&line)).font(theme::mono()).color(palette.warn));
    }
}
