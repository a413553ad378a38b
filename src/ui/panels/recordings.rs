//! The list of recordings: live ones first, then by day; runs of one host and command together.

use std::path::PathBuf;

use eframe::egui::accesskit::Role;
use eframe::egui::{Align2, Id, Popup, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};
use jiff::tz::TimeZone;

use super::listing::{self, Entry, Item};
use crate::engine::view::{Command, Listing};
use crate::ui::desk::Desk;
use crate::ui::theme::{self, CORNER, Palette};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::widgets::scroll::Scroll;
use crate::ui::words;

/// Height of a recording's two lines.
const ITEM: f32 = 44.0;
/// Height of a group's title.
const TITLE: f32 = 28.0;

/// The state of the list: where it is scrolled, what is to be deleted.
#[derive(Debug, Default)]
pub struct Recordings {
    scroll: Scroll,
    plan: Vec<Item>,
    planned: Option<(u64, String)>,
    /// A recording that is deleted once that is confirmed.
    pub doomed: Option<PathBuf>,
}

/// Draws the list in all the room there is.
pub fn show(ui: &mut Ui, recordings: &mut Recordings, desk: &mut Desk, zone: &TimeZone) {
    let all = ui.available_rect_before_wrap();
    plan(recordings, desk, zone);
    let content = f64::from(recordings.plan.iter().map(height).sum::<f32>() + 8.0);
    recordings.scroll.wheel(ui, all, content);
    let clip = ui.clip_rect();
    ui.set_clip_rect(all.intersect(clip));
    let mut top = all.top() - recordings.scroll.offset as f32 + 4.0;
    let plan = std::mem::take(&mut recordings.plan);
    for item in &plan {
        let rect = Rect::from_min_size(pos2(all.left(), top), vec2(all.width(), height(item)));
        top = rect.bottom();
        if !rect.intersects(all) {
            continue;
        }
        match item {
            Item::Title(title) => {
                let at = pos2(rect.left() + 14.0, rect.bottom() - 5.0);
                let palette = theme::palette(ui);
                ui.painter().text(at, Align2::LEFT_BOTTOM, title, theme::medium(10.5), palette.faint);
            }
            Item::Recording(entry) => recording(ui, rect, entry, recordings, desk, zone),
        }
    }
    recordings.plan = plan;
    ui.set_clip_rect(clip);
    recordings.scroll.bar(ui, all, Id::unique("recordings-bar"), content, "Scroll the recordings");
    ui.advance_cursor_after_rect(all);
}

fn height(item: &Item) -> f32 {
    match item {
        Item::Title(_) => TITLE,
        Item::Recording(_) => ITEM,
    }
}

/// Draws up the list anew when it has changed, or when the day has.
fn plan(recordings: &mut Recordings, desk: &Desk, zone: &TimeZone) {
    let today = words::date(desk.now, zone);
    let current = recordings.planned.as_ref().is_some_and(|(listed, day)| *listed == desk.listed && *day == today);
    if !current {
        recordings.plan = listing::plan(&desk.recordings, desk.now, zone);
        recordings.planned = Some((desk.listed, today));
    }
}

fn recording(ui: &mut Ui, rect: Rect, entry: &Entry, recordings: &mut Recordings, desk: &mut Desk, zone: &TimeZone) {
    let Some(listing) = desk.recordings.get(entry.index).cloned() else { return };
    let current = desk.is_current(&listing.path);
    let inner = rect.shrink2(vec2(8.0, 1.0));
    let response = ui.interact(inner, Id::unique(("recording", &listing.path)), Sense::click());
    let title = listing::title(&listing);
    let label = entry.label.map(|label| format!(" {label}")).unwrap_or_default();
    let name = format!("{title}{label}, {}", words::counted(listing.entries, "entry", "entries"));
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, current, &name));
    let palette = theme::palette(ui);
    if current {
        ui.painter().rect_filled(inner, CORNER, palette.accent_bg);
    } else if response.hovered() || response.context_menu_opened() {
        ui.painter().rect_filled(inner, CORNER, palette.bg2);
    }
    button::focus_ring(ui, &response, CORNER);
    draw(ui, inner, &listing, entry, current, desk, zone);
    menu(&response, &listing, recordings, desk);
    if response.clicked() && !(current && desk.opening.is_none()) {
        desk.open(listing.path.clone());
    }
    response.on_hover_ui_at_pointer(|ui| facts(ui, &listing, zone));
}

fn draw(ui: &Ui, rect: Rect, listing: &Listing, entry: &Entry, current: bool, desk: &Desk, zone: &TimeZone) {
    let palette = theme::palette(ui);
    let indent = if entry.label.is_some() { 12.0 } else { 0.0 };
    let left = rect.left() + 26.0 + indent;
    let dot = pos2(rect.left() + 12.0 + indent, rect.top() + 14.0);
    ui.painter().circle_filled(dot, 3.5, dot_colour(palette, listing));
    let count = words::count(listing.entries);
    let faint = if current { palette.dim } else { palette.faint };
    let count = Cell::new().add(&count, theme::sans(11.0), palette.dim).layout(ui.painter(), 80.0);
    let right = rect.right() - 8.0 - count.size().x;
    ui.painter().galley(pos2(right, rect.top() + 14.0 - count.size().y / 2.0), count, palette.dim);
    let first = Rect::from_min_max(pos2(left, rect.top() + 4.0), pos2(right - 6.0, rect.top() + 24.0));
    let font = if current { theme::semibold(13.0) } else { theme::sans(13.0) };
    let mut title = Cell::new().add(&words::plain(&listing::title(listing)), font, palette.text);
    if let Some(label) = entry.label {
        title = title.add("  ", theme::sans(12.0), faint).add(label, theme::sans(12.0), faint);
    }
    title.paint(ui.painter(), first, false);
    let second = Rect::from_min_max(pos2(left, rect.top() + 22.0), pos2(rect.right() - 8.0, rect.bottom() - 3.0));
    let words = listing::second_line(listing, entry, desk.now, zone);
    cell::text(ui.painter(), second, &words::plain(&words), theme::sans(11.0), palette.dim, false);
}

fn dot_colour(palette: &Palette, listing: &Listing) -> eframe::egui::Color32 {
    match (listing.live, listing::has_failed(listing)) {
        (_, true) => palette.err,
        (true, false) => palette.ok,
        (false, false) => palette.mark,
    }
}

fn menu(response: &Response, listing: &Listing, recordings: &mut Recordings, desk: &mut Desk) {
    Popup::context_menu(response).accessible_name("Recording").show(|ui| {
        ui.set_min_width(180.0);
        if ui.button("Open").clicked() {
            desk.open(listing.path.clone());
        }
        if ui.button("Copy the path").clicked() {
            ui.ctx().copy_text(listing.path.display().to_string());
        }
        if let Ok(facts) = &listing.facts
            && !facts.command.is_empty()
            && ui.button("Copy the server's command").clicked()
        {
            ui.ctx().copy_text(facts.command.join(" "));
        }
        ui.separator();
        if ui.button("Serve it …").clicked() {
            desk.to_serve = Some(listing.path.clone());
        }
        if ui.button("Turn into a mock file …").clicked() {
            desk.to_turn = Some(listing.path.clone());
        }
        ui.separator();
        if let Some(folder) = listing.path.parent()
            && ui.button("Show the folder").clicked()
        {
            ui.ctx().open_url(eframe::egui::OpenUrl::new_tab(format!("file://{}", folder.display())));
        }
        ui.separator();
        ui.add_enabled_ui(!listing.live, |ui| {
            if ui.button("Delete …").on_disabled_hover_text("It is still being recorded.").clicked() {
                recordings.doomed = Some(listing.path.clone());
            }
        });
    });
}

/// Everything that is known about a recording, for the tooltip.
fn facts(ui: &mut Ui, listing: &Listing, zone: &TimeZone) {
    let palette = theme::palette(ui);
    ui.set_max_width(520.0);
    let line = |ui: &mut Ui, text: &str, colour| {
        ui.label(eframe::egui::RichText::new(words::plain(text)).font(theme::sans(11.5)).color(colour));
    };
    match &listing.facts {
        Err(why) => line(ui, why, palette.err),
        Ok(facts) => {
            if !facts.command.is_empty() {
                let command = words::plain(&facts.command.join(" ")).into_owned();
                ui.label(eframe::egui::RichText::new(command).font(theme::mono()).color(palette.text));
            }
            line(ui, &format!("since {}", words::moment(facts.started, zone)), palette.dim);
            let parties = [("client", &listing.client), ("server", &listing.server), ("revision", &listing.revision)];
            for (what, text) in parties.into_iter().filter_map(|(what, text)| Some((what, text.as_ref()?))) {
                line(ui, &format!("{what} {text}"), palette.dim);
            }
            if facts.lost > 0 {
                line(
                    ui,
                    &format!("{} could not be recorded", words::counted(facts.lost, "entry", "entries")),
                    palette.err,
                );
            }
        }
    }
    line(ui, &format!("{} · {}", listing.path.display(), words::size(listing.bytes)), palette.dim);
}

/// Asks before a recording is deleted.
pub fn confirm(ui: &Ui, recordings: &mut Recordings, desk: &mut Desk) {
    let Some(path) = recordings.doomed.clone() else { return };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let modal = eframe::egui::Modal::new(Id::unique("delete")).show(ui.ctx(), |ui| {
        ui.set_width(380.0);
        let palette = theme::palette(ui);
        ui.label(eframe::egui::RichText::new("Delete this recording?").font(theme::semibold(15.0)));
        ui.label(eframe::egui::RichText::new(words::plain(&name)).font(theme::mono()).color(palette.text));
        ui.label(
            eframe::egui::RichText::new("The file is removed from disk. This cannot be undone.").color(palette.dim),
        );
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            if button::framed(ui, None, "Delete", "Delete the recording", false).clicked() {
                desk.send(Command::Delete(path.clone()));
                ui.close();
            }
            if button::framed(ui, None, "Keep", "Keep the recording", false).clicked() {
                ui.close();
            }
        });
    });
    if modal.should_close() {
        recordings.doomed = None;
    }
}
