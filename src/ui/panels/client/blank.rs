//! What the Client page shows where there is nothing yet: no connection, nothing chosen, a connection that is over.

use eframe::egui::{Frame, Rect, RichText, Sense, Ui, vec2};

use super::list::noun;
use crate::peer::client::{Kind, State};
use crate::ui::client::Connection;
use crate::ui::icons::{self, Icon};
use crate::ui::keys::Act;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// No connection: how to make one.
pub fn show(ui: &mut Ui, acts: &mut Vec<Act>) {
    let all = ui.available_rect_before_wrap();
    let palette = theme::palette(ui);
    ui.painter().rect_filled(all, 0.0, palette.bg0);
    let width = all.width().clamp(200.0, 600.0) - 32.0;
    let place = Rect::from_min_size(all.center_top() + vec2(-width / 2.0, all.height() * 0.22), vec2(width, 320.0));
    button::place(ui, place, eframe::egui::Layout::top_down(eframe::egui::Align::Min), |ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(40.0, 40.0), Sense::hover());
        ui.painter().rect_filled(rect, theme::CORNER, palette.accent_bg);
        icons::paint(ui.painter(), rect, Icon::Client, palette.accent);
        ui.add_space(8.0);
        ui.label(RichText::new("Try a server by hand").font(theme::semibold(15.0)).color(palette.text));
        let text = "midwire takes the place of the host: list what a server has, call its tools, answer what it asks. \
                    Everything is recorded, and no model is needed.";
        ui.label(RichText::new(text).color(palette.dim));
        ui.add_space(12.0);
        if button::primary(ui, "Connect to a server", "Connect to a first server").clicked() {
            acts.push(Act::Connect);
        }
        ui.add_space(12.0);
        let text = "A command such as npx -y @modelcontextprotocol/server-everything, or a URL. The servers in the \
                    files of hosts on this machine stand at the left.";
        ui.label(RichText::new(text).color(palette.dim));
    });
}

/// Nothing is chosen from the list.
pub fn unchosen(ui: &mut Ui, kind: Kind) {
    let all = ui.available_rect_before_wrap();
    let palette = theme::palette(ui);
    ui.painter().rect_filled(all, 0.0, palette.bg0);
    ui.add_space(all.height() * 0.32);
    ui.vertical_centered(|ui| {
        let word = noun(kind).trim_end_matches('s');
        ui.label(RichText::new(format!("No {word} is chosen")).font(theme::semibold(15.0)).color(palette.text));
        ui.label(RichText::new("Choose one at the left, or press j.").color(palette.dim));
    });
}

/// Above the page of a connection that is over: why, since what it had can still be looked at.
pub fn ended(ui: &mut Ui, connection: &Connection) {
    let State::Closed { why, .. } = &connection.state else { return };
    Frame::NONE.inner_margin(vec2(14.0, 5.0)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(words::plain(why)).color(theme::palette(ui).text));
    });
}
