//! *Send again* and *Edit and send*: a recorded message over a connection of the Client page, byte for byte, with its
//! arguments in the form there, or raw. The making of a connection is asked for in [`connect`].

pub mod connect;

use std::sync::Arc;

use eframe::egui::{Popup, Response, Ui};

use crate::engine::client::Way;
use crate::engine::view::{Body, ConnectionId, Detail, Frame, MessageKind, read_frame};
use crate::model::{EntryKind, Flags, Side};
use crate::peer::client::Kind;
use crate::ui::client::{Connection, Errand, Reconnect, Standing, Subject, params};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::panels::frames::LONGEST;
use crate::ui::widgets::button;
use crate::ui::words;

/// Open connections that a menu offers.
const MOST: usize = 6;

/// A recorded message that can be sent again.
struct Recorded {
    bytes: Arc<[u8]>,
    /// What it is for people: its method and what it calls.
    what: String,
    is_request: bool,
    /// What it tries out, where the Client page has a form for that, and its arguments there.
    form: Option<(Subject, String)>,
}

impl Recorded {
    /// What a row recorded, or why that cannot be sent again.
    fn of(request: Option<&Body>) -> Result<Self, &'static str> {
        let body = request.ok_or("no message of the client is in this row")?;
        if body.side != Some(Side::Client) {
            return Err("the client did not send it");
        }
        if !matches!(body.kind, EntryKind::Frame | EntryKind::Body) {
            return Err("it is no message");
        }
        if body.flags.has(Flags::TRUNCATED) {
            return Err("it was not recorded whole");
        }
        let bytes = body.payload();
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        if bytes.is_empty() {
            return Err("it is empty");
        }
        let mut recorded =
            Self { bytes: bytes.into(), what: "the recorded bytes".to_owned(), is_request: false, form: None };
        match read_frame(bytes) {
            Frame::Message(message) => {
                recorded.is_request = message.kind == MessageKind::Request;
                if let Some(method) = message.method.as_deref() {
                    method.clone_into(&mut recorded.what);
                }
                if recorded.is_request {
                    recorded.form = message.method.as_deref().and_then(|method| form(method, message.params?));
                }
                if let Some((subject, _)) = &recorded.form {
                    recorded.what = format!("{} {}", recorded.what, subject.key);
                }
            }
            Frame::Batch(_) => "the recorded batch".clone_into(&mut recorded.what),
            _ => {}
        }
        Ok(recorded)
    }

    /// Sends it as it is, but for its id where that is to be new.
    fn again(&self, new_id: bool) -> Errand {
        let bytes = Arc::clone(&self.bytes);
        match &self.form {
            Some((subject, _)) => Errand::Again { subject: subject.clone(), bytes, new_id },
            None => Errand::Raw { bytes, new_id },
        }
    }

    /// Puts it where it can be edited; `None` for what is too long for that.
    fn edit(&self) -> Option<Errand> {
        match &self.form {
            Some((subject, arguments)) => Some(Errand::Fill(subject.clone(), arguments.clone())),
            None => (self.bytes.len() <= LONGEST).then(|| Errand::Type(Arc::clone(&self.bytes))),
        }
    }
}

/// What a request tries out for which there is a form, and its arguments there, digit for digit. What the protocol adds
/// (`_meta`) is made anew when it is sent.
fn form(method: &str, params: crate::engine::view::Json<'_>) -> Option<(Subject, String)> {
    let text = |key: &str| params.get(key).and_then(|json| json.text().map(std::borrow::Cow::into_owned));
    let arguments = || params::arguments_in(params.raw()).unwrap_or_else(|| "{}".to_owned());
    Some(match method {
        "tools/call" => (Subject::new(Kind::Tools, text("name")?), arguments()),
        "prompts/get" => (Subject::new(Kind::Prompts, text("name")?), arguments()),
        "resources/read" => (Subject::new(Kind::Resources, text("uri")?), "{}".to_owned()),
        _ => return None,
    })
}

/// The button, with its menu. A key may have asked for the menu.
pub fn show(ui: &mut Ui, detail: &Detail, desk: &mut Desk) {
    let reason = Recorded::of(detail.request.as_deref()).err();
    let add = |ui: &mut Ui| button::icon_sized(ui, Icon::Again, "Send again … (r)", false, 26.0);
    let response = ui.add_enabled_ui(reason.is_none(), add).inner;
    let by_key = std::mem::take(&mut desk.resend);
    if let Some(why) = reason {
        let why = format!("It cannot be sent again: {why}");
        if by_key {
            desk.notice(why.clone());
        }
        response.on_disabled_hover_text(why);
        return;
    }
    if by_key {
        Popup::open_id(ui.ctx(), Popup::default_response_id(&response));
    }
    Popup::menu(&response).accessible_name("Send again").show(|ui| {
        ui.set_min_width(220.0);
        menu(ui, detail, desk, by_key);
    });
}

/// The ways to send what a row recorded, or why there is none. The first has the keyboard where `focus` asks for it.
pub fn menu(ui: &mut Ui, detail: &Detail, desk: &mut Desk, focus: bool) {
    let recorded = match Recorded::of(detail.request.as_deref()) {
        Ok(recorded) => recorded,
        Err(why) => {
            ui.add_enabled_ui(false, |ui| ui.button(format!("Send again: {why}")));
            return;
        }
    };
    let mut focus = focus;
    let mut item = |ui: &mut Ui, text: String| -> Response {
        let response = ui.button(text);
        if std::mem::take(&mut focus) {
            response.request_focus();
        }
        response
    };
    let (mut chosen, open) = (None, open(desk));
    // What is chosen without a look must not reach another server than that of the recording.
    let is_known = open.first().and_then(|(id, _)| desk.bench.get(*id)).is_some_and(|it| is_of_recording(desk, it));
    let mut asked = None;
    if !is_known {
        asked = connections(ui, detail, desk, &recorded, &mut item);
        if !open.is_empty() {
            ui.separator();
        }
    }
    for (id, name) in open {
        let name = words::plain(&name).into_owned();
        if item(ui, format!("Send again to {name}")).on_hover_text("Byte for byte, with its id").clicked() {
            chosen = Some((id, recorded.again(false)));
        }
        if recorded.is_request && item(ui, format!("Send again to {name} with a new id")).clicked() {
            chosen = Some((id, recorded.again(true)));
        }
        if let Some(errand) = recorded.edit()
            && item(ui, format!("Edit and send to {name} …")).clicked()
        {
            chosen = Some((id, errand));
        }
    }
    if is_known {
        ui.separator();
        asked = connections(ui, detail, desk, &recorded, &mut item);
    }
    if let Some((id, errand)) = chosen {
        let now = desk.now;
        desk.bench.entrust(id, errand, now);
        ui.close();
    }
    if let Some(errand) = asked {
        ask(detail, desk, recorded.what, errand);
        ui.close();
    }
}

/// What is to be done over a new connection, where the recording says to what.
fn connections(
    ui: &mut Ui,
    detail: &Detail,
    desk: &Desk,
    recorded: &Recorded,
    item: &mut impl FnMut(&mut Ui, String) -> Response,
) -> Option<Errand> {
    let Some(server) = server(detail, desk) else {
        let add = |ui: &mut Ui| ui.button("Connect and send");
        let why = "The recording says neither by which command nor at which URL its server was reached. Connect to it \
                   on the Client page first.";
        ui.add_enabled_ui(false, add).inner.on_disabled_hover_text(why);
        return None;
    };
    let server = words::plain(&server).into_owned();
    let mut wanted = None;
    if item(ui, format!("Connect to {server} and send …")).clicked() {
        wanted = Some(recorded.again(false));
    }
    if let Some(errand) = recorded.edit()
        && item(ui, format!("Connect to {server}, edit and send …")).clicked()
    {
        wanted = Some(errand);
    }
    wanted
}

/// What the server of the recording is called: of a forward proxy's, by the host of the request.
fn server(detail: &Detail, desk: &Desk) -> Option<String> {
    let facts = &desk.opened.as_ref()?.facts;
    if !facts.command.is_empty() || facts.url.is_some() {
        return Some(facts.name.clone());
    }
    let url = detail.http.as_ref()?.url.as_deref()?;
    Some(url.split_once("://")?.1.split(['/', '?']).next()?.to_owned())
}

fn ask(detail: &Detail, desk: &mut Desk, what: String, errand: Errand) {
    let Some(opened) = desk.opened.clone() else { return };
    let url = detail.http.as_ref().and_then(|http| http.url.clone());
    desk.reconnect = Some(Reconnect::ask(&mut desk.bench, &opened.path, url, detail.era, what, errand));
}

/// Open connections; first those to the server of the recording.
fn open(desk: &Desk) -> Vec<(ConnectionId, String)> {
    let open = desk.bench.connections.iter().filter(|it| it.standing() == Standing::Open);
    let mut open: Vec<&Connection> = open.collect();
    open.sort_by_key(|it| !is_of_recording(desk, it));
    open.into_iter().take(MOST).map(|it| (it.id, it.name())).collect()
}

/// Whether a connection is to what was recorded, as far as the recording says.
fn is_of_recording(desk: &Desk, connection: &Connection) -> bool {
    desk.opened.as_ref().is_some_and(|opened| match &connection.target.way {
        Way::Command { command, .. } => *command == opened.facts.command,
        Way::Url { url, .. } => Some(url) == opened.facts.url.as_ref(),
    })
}
