//! *Send again* and *Edit and send*: a recorded request over a connection of the Client page, byte for byte, or with its
//! arguments in the form there. Not the making of a connection.

use eframe::egui::{Popup, Ui};

use crate::engine::client::Way;
use crate::engine::view::{Body, ConnectionId, Detail, Frame, MessageKind, read_frame};
use crate::model::{Flags, Side};
use crate::peer::client::Kind;
use crate::ui::client::{Connection, Standing, Subject, params};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::widgets::button;
use crate::ui::words;

/// What a recorded request tries out, or why it cannot be sent again.
pub fn subject(request: Option<&Body>) -> Result<Subject, &'static str> {
    let request = request.ok_or("only an answer was recorded")?;
    if request.side != Some(Side::Client) {
        return Err("the server sent it");
    }
    if request.flags.has(Flags::TRUNCATED) {
        return Err("it was not recorded whole");
    }
    let Frame::Message(message) = read_frame(request.payload()) else {
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
    let open = open(desk);
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
        for (id, name) in &open {
            let id = *id;
            if ui.button(format!("Send again to {}", words::plain(name))).clicked() {
                let now = desk.now;
                desk.bench.again(id, subject.clone(), request.payload().to_vec(), now);
                desk.bench.current = Some(id);
                desk.tried = Some((id, subject.clone()));
                ui.close();
            }
        }
        ui.separator();
        for (id, name) in &open {
            if ui.button(format!("Edit and send to {} …", words::plain(name))).clicked() {
                desk.bench.current = Some(*id);
                desk.bench.to_load = Some((subject.clone(), arguments(request)));
                desk.tried = Some((*id, subject.clone()));
                ui.close();
            }
        }
    });
}

/// The open connections; first those to the server of the recording.
fn open(desk: &Desk) -> Vec<(ConnectionId, String)> {
    let open = desk.bench.connections.iter().filter(|it| it.standing() == Standing::Open);
    let mut open: Vec<&Connection> = open.collect();
    open.sort_by_key(|it| !is_of_recording(desk, it));
    open.into_iter().map(|it| (it.id, it.name())).collect()
}

/// Whether a connection is to what was recorded, as far as the recording says.
fn is_of_recording(desk: &Desk, connection: &Connection) -> bool {
    desk.opened.as_ref().is_some_and(|opened| match &connection.target.way {
        Way::Command { command, .. } => *command == opened.facts.command,
        Way::Url { url, .. } => Some(url) == opened.facts.url.as_ref(),
    })
}

/// The arguments as recorded, digit for digit. What the protocol adds (`_meta`) is made anew when it is sent.
fn arguments(request: &Body) -> String {
    let Frame::Message(message) = read_frame(request.payload()) else { return "{}".to_owned() };
    let found = message.params.and_then(|it| params::arguments_in(it.raw()));
    found.unwrap_or_else(|| "{}".to_owned())
}
