//! What the Server page shows where there is nothing yet: no server, no request.

use eframe::egui::{Align, Layout, Rect, RichText, Sense, Ui, vec2};

use crate::ui::icons::{self, Icon};
use crate::ui::keys::Act;
use crate::ui::server::Serving;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// No server: how to begin one.
pub fn show(ui: &mut Ui, acts: &mut Vec<Act>) {
    let all = ui.available_rect_before_wrap();
    let palette = theme::palette(ui);
    ui.painter().rect_filled(all, 0.0, palette.bg0);
    let width = all.width().clamp(200.0, 600.0) - 32.0;
    let place = Rect::from_min_size(all.center_top() + vec2(-width / 2.0, all.height() * 0.22), vec2(width, 340.0));
    button::place(ui, place, Layout::top_down(Align::Min), |ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(40.0, 40.0), Sense::hover());
        ui.painter().rect_filled(rect, theme::CORNER, palette.accent_bg);
        icons::paint(ui.painter(), rect, Icon::Server, palette.accent);
        ui.add_space(8.0);
        ui.label(RichText::new("Stand in for a server").font(theme::semibold(15.0)).color(palette.text));
        let text = "midwire takes the place of the server: it answers from a recording, from a mock file, or lets you \
                    answer each request by hand. So a host can be tested without the real server, offline and always \
                    in the same way.";
        ui.label(RichText::new(text).color(palette.dim));
        ui.add_space(12.0);
        if button::primary(ui, "Serve …", "Begin to serve").clicked() {
            acts.push(Act::Serve);
        }
        ui.add_space(12.0);
        let text = "Any recording can be turned into a mock file: choose it on the Traffic page, then Turn into mock.";
        ui.label(RichText::new(text).color(palette.dim));
    });
}

/// Nobody has asked anything yet: how a host finds the server.
pub fn unasked(ui: &mut Ui, serving: &Serving) {
    let all = ui.available_rect_before_wrap();
    let palette = theme::palette(ui);
    ui.painter().rect_filled(all, 0.0, palette.bg0);
    let width = all.width().clamp(200.0, 560.0) - 32.0;
    let place = Rect::from_min_size(all.center_top() + vec2(-width / 2.0, all.height() * 0.28), vec2(width, 300.0));
    button::place(ui, place, Layout::top_down(Align::Min), |ui| {
        ui.label(RichText::new("Nothing was asked yet").font(theme::semibold(15.0)).color(palette.text));
        let Some(url) = &serving.url else {
            ui.label(RichText::new("The server is being started.").color(palette.dim));
            return;
        };
        ui.label(RichText::new("Point a host at this URL:").color(palette.dim));
        ui.add_space(4.0);
        copied(ui, url, "Copy the URL for the host");
        ui.add_space(8.0);
        ui.label(RichText::new("A host that only starts commands is given this one:").color(palette.dim));
        ui.add_space(4.0);
        copied(ui, &bridge(url), "Copy the command for the host");
    });
}

/// The command by which a host on stdio reaches a server of this window.
pub fn bridge(url: &str) -> String {
    format!("midwire tap --stdio --url {url}")
}

/// A text in the font of the wire with a button that copies it.
pub fn copied(ui: &mut Ui, text: &str, label: &str) {
    ui.horizontal(|ui| {
        if button::icon_sized(ui, Icon::Copy, label, false, 24.0).clicked() {
            ui.ctx().copy_text(text.to_owned());
        }
        let shown = RichText::new(words::plain(text)).font(theme::mono()).color(theme::palette(ui).text);
        ui.add(eframe::egui::Label::new(shown).truncate()).on_hover_text(words::plain(text));
    });
}
