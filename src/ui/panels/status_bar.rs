//! The bar at the foot: what is being recorded, how much, what was lost, and the file.

use std::path::PathBuf;

use eframe::egui::{Align, Layout, RichText, Ui};

use crate::ui::client::{Connection, Standing};
use crate::ui::desk::Desk;
use crate::ui::keys::Act;
use crate::ui::pages::Page;
use crate::ui::server::{Serving, Standing as Serves};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Height of the bar.
pub const HEIGHT: f32 = 26.0;

/// Draws the bar; what is pressed is added to `acts`.
pub fn show(ui: &mut Ui, desk: &Desk, page: Page, acts: &mut Vec<Act>) {
    let palette = theme::palette(ui);
    ui.spacing_mut().item_spacing.x = 18.0;
    ui.horizontal_centered(|ui| {
        ui.add_space(12.0);
        let small = |text: String, colour| RichText::new(text).font(theme::sans(11.5)).color(colour);
        let client = if page == Page::Client { desk.bench.current() } else { None };
        let server = if page == Page::Server { desk.stand.current() } else { None };
        let (colour, word) = match (client, server) {
            (Some(connection), _) => connected(connection, palette),
            (None, Some(serving)) => served(serving, palette),
            (None, None) => standing(desk, palette),
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (dot, _) = ui.allocate_exact_size(eframe::egui::Vec2::splat(8.0), eframe::egui::Sense::hover());
            ui.painter().circle_filled(dot.center(), 3.5, colour);
            ui.label(small(word.to_owned(), palette.dim));
        });
        if let Some(connection) = client {
            clients(ui, desk, connection);
        } else if let Some(serving) = server {
            entries(ui, desk, serving.recording.as_ref());
            let waiting = serving.waiting().count() as u64;
            if waiting > 0 {
                ui.label(small(words::counted(waiting, "request waits", "requests wait"), palette.warn));
            }
        } else if desk.opened.is_some() {
            let state = desk.latest();
            ui.label(small(words::counted(state.entries, "entry", "entries"), palette.dim));
            let lost = if state.lost == 0 { palette.dim } else { palette.err };
            ui.label(small(format!("{} lost", words::count(state.lost)), lost))
                .on_hover_text("Entries that the recorder could not write. Traffic itself is never touched.");
            if state.errors > 0 {
                ui.label(small(words::counted(state.errors, "error", "errors"), palette.err));
            }
            if state.pending > 0 {
                ui.label(small(format!("{} pending", words::count(state.pending)), palette.warn));
            }
            if state.read < state.entries {
                let part = state.read as f64 / state.entries.max(1) as f64 * 100.0;
                ui.label(small(format!("reading {part:.0} %"), palette.dim));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            if button::quiet(ui, "? keys", "Show the keys").clicked() {
                acts.push(Act::Help);
            }
            let own = client.map(|it| it.recording.as_ref()).or_else(|| server.map(|it| it.recording.as_ref()));
            if let Some(Some(path)) = own {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                ui.label(small(words::plain(&name).into_owned(), palette.dim))
                    .on_hover_text(path.display().to_string());
            } else if let Some(opened) = desk.opened.as_ref().filter(|_| own.is_none()) {
                let name = opened.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let text = format!("{} · {}", words::plain(&name), words::size(desk.latest().bytes));
                ui.label(small(text, palette.dim)).on_hover_text(opened.path.display().to_string());
            }
        });
    });
}

/// How the connection stands that the Client page shows.
fn connected(connection: &Connection, palette: &theme::Palette) -> (eframe::egui::Color32, &'static str) {
    match (connection.standing(), connection.recording.is_some()) {
        (Standing::Opening, _) => (palette.warn, "connecting"),
        (Standing::Open, true) => (palette.ok, "connected, recording"),
        (Standing::Open, false) => (palette.warn, "connected, not recorded"),
        (Standing::Closed, _) => (palette.mark, "disconnected"),
        (Standing::Failed, _) => (palette.err, "failed"),
    }
}

/// How the server stands that the Server page shows.
fn served(serving: &Serving, palette: &theme::Palette) -> (eframe::egui::Color32, &'static str) {
    match (serving.standing(), serving.recording.is_some()) {
        (Serves::Starting, _) => (palette.warn, "starting"),
        (Serves::Serving, true) => (palette.ok, "serving, recording"),
        (Serves::Serving, false) => (palette.warn, "serving, not recorded"),
        (Serves::Stopped, _) => (palette.mark, "stopped"),
        (Serves::Failed, _) => (palette.err, "failed"),
    }
}

/// How many entries a recording holds, where it is listed.
fn entries(ui: &mut Ui, desk: &Desk, recording: Option<&PathBuf>) {
    let Some(listing) = desk.recordings.iter().find(|it| recording == Some(&it.path)) else { return };
    let text = words::counted(listing.entries, "entry", "entries");
    ui.label(RichText::new(text).font(theme::sans(11.5)).color(theme::palette(ui).dim));
}

/// What of the connection is worth a figure.
fn clients(ui: &mut Ui, desk: &Desk, connection: &Connection) {
    let palette = theme::palette(ui);
    let small = |text: String, colour| RichText::new(text).font(theme::sans(11.5)).color(colour);
    entries(ui, desk, connection.recording.as_ref());
    let running = connection.calls.iter().filter(|call| call.is_running()).count() as u64;
    if running > 0 {
        ui.label(small(format!("{} running", words::count(running)), palette.warn));
    }
    let asked = connection.questions.len() as u64;
    if asked > 0 {
        ui.label(small(format!("{} asked", words::counted(asked, "question", "questions")), palette.warn));
    }
}

fn standing(desk: &Desk, palette: &theme::Palette) -> (eframe::egui::Color32, &'static str) {
    if desk.opened.is_none() {
        return (palette.mark, if desk.opening.is_some() { "opening" } else { "no recording" });
    }
    match (desk.is_paused(), desk.latest().live) {
        (true, _) => (palette.warn, "paused"),
        (false, true) => (palette.ok, "recording"),
        (false, false) => (palette.mark, "ended"),
    }
}
