//! The tab Server: what is served, how a host finds it, and what it is recorded in.

use eframe::egui::{RichText, ScrollArea, Ui};

use super::blank::{bridge, copied};
use crate::engine::view::ServerId;
use crate::ui::desk::Desk;
use crate::ui::server::Standing;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// What somebody wants who pressed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To see its recording on the Traffic page.
    Traffic,
}

/// Draws the tab in all the room there is.
pub fn show(ui: &mut Ui, desk: &Desk, id: ServerId) -> Option<Wish> {
    let all = ui.available_rect_before_wrap();
    let palette = theme::palette(ui);
    ui.painter().rect_filled(all, 0.0, palette.bg0);
    let serving = desk.stand.get(id)?;
    let mut wish = None;
    ScrollArea::vertical().id_salt("server-about").auto_shrink([false, false]).show(ui, |ui| {
        eframe::egui::Frame::NONE.inner_margin(16.0).show(ui, |ui| {
            let title = RichText::new(words::plain(&serving.name())).font(theme::semibold(15.0)).color(palette.text);
            ui.label(title);
            let (colour, state) = match serving.standing() {
                Standing::Starting => (palette.warn, "It is being started.".to_owned()),
                Standing::Serving => (palette.ok, format!("It serves since {}.", words::age(desk.now - serving.since))),
                Standing::Stopped => (palette.dim, format!("It does not serve: {}.", serving.state.1)),
                Standing::Failed => (palette.err, serving.state.1.clone()),
            };
            ui.label(RichText::new(words::plain(&state)).color(colour));
            match &serving.source {
                Some(Ok(what)) => {
                    ui.label(RichText::new(words::plain(what)).color(palette.dim));
                }
                Some(Err(why)) => {
                    let text = format!("Failed to {why}. What was read before is served on.");
                    ui.label(RichText::new(words::plain(&text)).color(palette.err));
                }
                None => {}
            }
            if !serving.wish.path.is_empty() {
                section(ui, "ANSWERS FROM");
                copied(ui, &serving.wish.path, "Copy the path of the source");
            }
            if let Some(url) = &serving.url {
                section(ui, "FOR A HOST THAT SPEAKS HTTP");
                copied(ui, url, "Copy the URL of the server");
                section(ui, "FOR A HOST THAT STARTS A COMMAND");
                copied(ui, &bridge(url), "Copy the command of the server");
                let text = "The command carries stdio to this window, so requests can be answered by hand. \
                            midwire serve --snippet HOST prints the entry for a host's own file.";
                ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
            }
            section(ui, "RECORDED IN");
            match &serving.recording {
                Some(path) => {
                    copied(ui, &path.display().to_string(), "Copy the path of the recording");
                    ui.add_space(4.0);
                    let label = "Show the recording on the Traffic page";
                    if button::framed(ui, None, "Show it on the Traffic page", label, false).clicked() {
                        wish = Some(Wish::Traffic);
                    }
                }
                None => {
                    ui.label(RichText::new("It is not recorded.").color(palette.warn));
                }
            }
        });
    });
    wish
}

fn section(ui: &mut Ui, title: &str) {
    ui.add_space(14.0);
    ui.label(RichText::new(title).font(theme::medium(10.5)).color(theme::palette(ui).faint));
    ui.add_space(2.0);
}
