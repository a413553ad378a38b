//! *Send again*: a recorded request, byte for byte, over a connection of the Client page. Not the editing of it, and not
//! the making of a connection.

use eframe::egui::{Popup, Ui};

use crate::engine::view::{Body, ConnectionId, Detail};
use crate::model::{Flags, Side};
use crate::peer::client::Kind;
use crate::ui::client::{Standing, Subject};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::widgets::button;
use crate::ui::words;
use crate::wire::{self, Frame, MessageKind};

/// What a recorded request tries out, or why it cannot be sent again.
pub fn subject(request: Option<&Body>) -> Result<Subject, &'static str> {
    let request = request.ok_or("only an answer was recorded")?;
    if request.side != Some(Side::Client) {
        return Err("the server sent it");
    }
    if request.flags.has(Flags::TRUNCATED) {
        return Err("it was not recorded whole");
    }
    let Frame::Message(message) = wire::read(request.payload()) else {
        return Err("it is not one JSON-RPC message");
    };
    if message.kind != MessageKind::Request {
        return Err("it is not a request");
    }
    let (kind, key) = match message.method.as_deref() {
        Some("tools/call") => (Kind::Tools, "name"),
        Some("prompts/get") => (Kind::Prompts, "name"),
        Some("resources/read") => (Kind::Resources, "uri"),
        _ => return Err("only calls of tools, prompts and resources can be sent again"),
    };
    let key = message.params.and_then(|params| params.get(key)).and_then(|json| json.text());
    Ok(Subject::new(kind, key.ok_or("it does not say what it calls")?))
}

/// The button, with a menu of the open connections.
pub fn show(ui: &mut Ui, detail: &Detail, desk: &mut Desk) {
    let subject = subject(detail.request.as_deref());
    let open: Vec<(ConnectionId, String)> = desk
        .bench
        .connections
        .iter()
        .filter(|it| it.standing() == Standing::Open)
        .map(|it| (it.id, it.name()))
        .collect();
    let reason = match &subject {
        Err(why) => Some(*why),
        Ok(_) if open.is_empty() => Some("no connection is open on the Client page"),
        Ok(_) => None,
    };
    let add = |ui: &mut Ui| button::icon_sized(ui, Icon::Again, "Send again …", false, 26.0);
    let response = ui.add_enabled_ui(reason.is_none(), add).inner;
    if let Some(why) = reason {
        response.on_disabled_hover_text(format!("It cannot be sent again: {why}"));
        return;
    }
    let (Ok(subject), Some(request)) = (subject, &detail.request) else { return };
    Popup::menu(&response).accessible_name("Send again").show(|ui| {
        ui.set_min_width(200.0);
        for (id, name) in open {
            if ui.button(format!("Send again to {}", words::plain(&name))).clicked() {
                let now = desk.now;
                desk.bench.again(id, subject.clone(), request.payload().to_vec(), now);
                desk.bench.current = Some(id);
                desk.tried = Some((id, subject.clone()));
                ui.close();
            }
        }
    });
}
