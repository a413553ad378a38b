//! The clients of a server: who they are, what they speak, what they listen to.

use eframe::egui::{RichText, ScrollArea, Ui};
use jiff::tz::TimeZone;

use crate::engine::view::{Json, ServerId};
use crate::ui::desk::Desk;
use crate::ui::server::Client;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Draws the tab in all the room there is.
pub fn show(ui: &mut Ui, desk: &Desk, id: ServerId, zone: &TimeZone) {
    let all = ui.available_rect_before_wrap();
    let palette = theme::palette(ui);
    ui.painter().rect_filled(all, 0.0, palette.bg0);
    let Some(serving) = desk.stand.get(id) else { return };
    ScrollArea::vertical().id_salt("server-clients").auto_shrink([false, false]).show(ui, |ui| {
        eframe::egui::Frame::NONE.inner_margin(16.0).show(ui, |ui| {
            if serving.clients.is_empty() {
                ui.label(RichText::new("Nobody has connected yet.").color(palette.dim));
            }
            // Those that are here first, the latest first.
            let (here, gone): (Vec<&Client>, Vec<&Client>) =
                serving.clients.iter().rev().partition(|client| client.left.is_none());
            for client in here.into_iter().chain(gone) {
                ui.push_id(client.id, |ui| one(ui, client, desk, zone));
                ui.add_space(10.0);
            }
        });
    });
}

fn one(ui: &mut Ui, client: &Client, desk: &Desk, zone: &TimeZone) {
    let palette = theme::palette(ui);
    ui.horizontal(|ui| {
        let colour = if client.left.is_none() { palette.text } else { palette.dim };
        let name = RichText::new(words::plain(&client.name())).font(theme::semibold(13.0)).color(colour);
        ui.add(eframe::egui::Label::new(name).truncate());
        button::tag(ui, client.carrier(), false);
        if let Some(who) = &client.who {
            button::tag(ui, &format!("{} {}", who.era.word(), words::plain(who.revision.text())), false);
        }
        if client.left.is_some() {
            button::tag(ui, "gone", false);
        }
    });
    let mut parts = vec![
        format!("client {}", client.id),
        format!("since {}", words::clock(client.at, zone)),
        words::counted(client.requests, "request", "requests"),
        format!("the last {}", words::ago(desk.now - client.last)),
    ];
    if client.is_stateless() {
        parts.push("without a session".to_owned());
    }
    parts.extend(client.left.clone());
    ui.label(RichText::new(words::plain(&parts.join(" · "))).font(theme::sans(11.5)).color(palette.dim));
    if let Some(text) = client.who.as_ref().and_then(|who| who.capabilities.as_ref()).map(|it| capabilities(it)) {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new("can").font(theme::sans(11.5)).color(palette.faint));
            ui.label(RichText::new(words::plain(&text)).font(theme::mono()).color(palette.dim));
        });
    }
    for what in &client.listens {
        ui.label(RichText::new(words::plain(what)).font(theme::sans(11.5)).color(palette.note));
    }
}

/// `sampling, elicitation (form, url), roots`.
fn capabilities(json: &[u8]) -> String {
    let Ok(json) = Json::parse(json) else { return String::from_utf8_lossy(json).into_owned() };
    let name = |json: Json<'_>| json.text().map(std::borrow::Cow::into_owned);
    let parts: Vec<String> = json
        .members()
        .filter_map(|(key, value)| {
            let inner: Vec<String> = value.members().filter_map(|(key, _)| name(key)).take(20).collect();
            let key = name(key)?;
            Some(if inner.is_empty() { key } else { format!("{key} ({})", inner.join(", ")) })
        })
        .take(30)
        .collect();
    if parts.is_empty() { "nothing special".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::capabilities;

    #[test]
    fn capabilities_are_named_with_their_members() {
        let text = br#"{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}}"#;
        assert_eq!(capabilities(text), "roots (listChanged), sampling, elicitation (form, url)");
        assert_eq!(capabilities(b"{}"), "nothing special");
    }
}
