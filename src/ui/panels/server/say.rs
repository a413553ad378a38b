//! The tab Notify: what a server says by itself, sent by hand: changed lists and resources, any notification, raw bytes.

use eframe::egui::{Id, RichText, ScrollArea, Ui};

use crate::engine::view::ServerId;
use crate::peer::server::{ClientId, Kind, Order};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::choice::choice;
use crate::ui::widgets::code::{Code, Fault};
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// What is being written.
#[derive(Debug)]
pub struct SayPanel {
    to: Option<ClientId>,
    uri: String,
    method: String,
    params: String,
    raw: String,
    said: Option<String>,
}

impl Default for SayPanel {
    fn default() -> Self {
        Self {
            to: None,
            uri: String::new(),
            method: "notifications/message".to_owned(),
            params: "{\n  \"level\": \"info\",\n  \"data\": \"\"\n}".to_owned(),
            raw: String::new(),
            said: None,
        }
    }
}

impl SayPanel {
    /// Draws the tab in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, id: ServerId) {
        let all = ui.available_rect_before_wrap();
        let palette = theme::palette(ui);
        ui.painter().rect_filled(all, 0.0, palette.bg0);
        ScrollArea::vertical().id_salt("server-say").auto_shrink([false, false]).show(ui, |ui| {
            eframe::egui::Frame::NONE.inner_margin(16.0).show(ui, |ui| {
                ui.set_max_width(720.0);
                let order = self.fields(ui, desk, id);
                if let Some((order, said)) = order {
                    desk.stand.order(id, order);
                    self.said = Some(said);
                }
                if let Some(said) = &self.said {
                    ui.add_space(8.0);
                    ui.label(RichText::new(words::plain(said)).font(theme::sans(11.5)).color(palette.dim));
                }
            });
        });
    }

    fn fields(&mut self, ui: &mut Ui, desk: &Desk, id: ServerId) -> Option<(Order, String)> {
        let mut order = None;
        caption(ui, "Something has changed: said to those who are to be told of it");
        ui.horizontal_wrapped(|ui| {
            let kinds = [(Kind::Tools, "Tools"), (Kind::Resources, "Resources"), (Kind::Prompts, "Prompts")];
            for (kind, word) in kinds {
                if button::framed(ui, None, word, &format!("Say that the list of {word} has changed"), false).clicked()
                {
                    order = Some((Order::Changed(kind), format!("{word}: those who listen were told.")));
                }
            }
        });
        ui.add_space(6.0);
        Field::new("A resource has changed").label("URI of the resource").hint("URI").show(ui, &mut self.uri);
        ui.add_space(4.0);
        ui.add_enabled_ui(!self.uri.trim().is_empty(), |ui| {
            if button::framed(ui, None, "Say so", "Say that the resource has changed", false).clicked() {
                let uri = self.uri.trim().to_owned();
                order = Some((Order::Updated(uri.clone()), format!("{uri}: those who subscribed were told.")));
            }
        });
        ui.add_space(14.0);
        caption(ui, "Any notification or, in the legacy era, any request, to");
        self.whom(ui, desk, id);
        ui.add_space(4.0);
        Field::new("")
            .label("Method of the message")
            .hint("notifications/… or roots/list, ping …")
            .show(ui, &mut self.method);
        ui.add_space(4.0);
        let fault = if self.params.trim().is_empty() { None } else { Fault::of(&self.params) };
        let code = Code {
            id: Id::unique("server-say-params"),
            label: "Params of the message",
            rows: 5,
            hint: "no params",
            json: true,
            fault: fault.as_ref().map(|fault| fault.at),
            frame: fault.as_ref().map(|_| theme::palette(ui).warn),
        };
        code.show(ui, &mut self.params);
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let params = || Some(self.params.trim()).filter(|it| !it.is_empty()).map(|it| it.as_bytes().into());
            let method = self.method.trim().to_owned();
            if button::framed(ui, None, "Send the notification", "Send the notification", false).clicked() {
                let said = format!("{method} was sent.");
                order = Some((Order::Notify(self.to, method.clone(), params()), said));
            }
            if button::framed(ui, None, "Ask", "Send it as a request", false).clicked() {
                let said = format!("{method} was asked; the answer stands in the log.");
                order = Some((Order::Ask(self.to, method, params()), said));
            }
        });
        ui.add_space(14.0);
        caption(ui, "Bytes as they are; on stdio a line end is needed to end the line");
        let code = Code {
            id: Id::unique("server-say-raw"),
            label: "Bytes to send",
            rows: 3,
            hint: "anything",
            json: false,
            fault: None,
            frame: None,
        };
        code.show(ui, &mut self.raw);
        ui.add_space(4.0);
        ui.add_enabled_ui(!self.raw.is_empty(), |ui| {
            if button::framed(ui, None, "Send the bytes", "Send the bytes", false).clicked() {
                let bytes = self.raw.clone().into_bytes().into();
                order = Some((Order::Raw(self.to, bytes), "The bytes were sent.".to_owned()));
            }
        });
        order
    }

    fn whom(&mut self, ui: &mut Ui, desk: &Desk, id: ServerId) {
        let Some(serving) = desk.stand.get(id) else { return };
        let mut options = vec![(None, "all clients".to_owned())];
        let here = serving.clients.iter().filter(|client| client.left.is_none());
        options
            .extend(here.map(|client| (Some(client.id), format!("{} ({})", words::plain(&client.name()), client.id))));
        if !options.iter().any(|(to, _)| *to == self.to) {
            self.to = None;
        }
        choice(ui, "Who is told", &mut self.to, &options, 280.0);
    }
}

fn caption(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::sans(12.0)).color(theme::palette(ui).dim));
    ui.add_space(2.0);
}
