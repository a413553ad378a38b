//! The first half of the form: the command or URL, its environment or header fields, what a server must prove.

use eframe::egui::{Align2, CollapsingHeader, Id, Key, Response, RichText, TextEdit, Ui};

use super::Faults;
use crate::ui::client::Wish;
use crate::ui::client::wish::{Bearer, Place, Reach, Start};
use crate::ui::icons::Icon;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::choice::choice;
use crate::ui::widgets::field::Field;

/// Draws it. Returns whether Enter was pressed in the command or the URL.
pub(super) fn show(ui: &mut Ui, wish: &mut Wish, faults: &Faults, focus: bool) -> bool {
    let mut reach = wish.reach;
    let ways = [(Reach::Line, "Command"), (Reach::List, "Command as a list"), (Reach::Url, "URL")];
    if button::segmented(ui, &mut reach, &ways) {
        wish.change_reach(reach);
    }
    ui.add_space(8.0);
    let entered = match wish.reach {
        Reach::Line => line(ui, wish, faults, focus),
        Reach::List => list(ui, wish, faults),
        Reach::Url => url(ui, wish, faults, focus),
    };
    ui.add_space(4.0);
    Field::new("Name").label("Name of the server").hint("the command or the host").show(ui, &mut wish.name);
    ui.add_space(4.0);
    if wish.reach == Reach::Url {
        headers(ui, wish, faults);
        trust(ui, wish, faults);
    } else {
        environment(ui, wish, faults);
    }
    entered
}

/// Whether Enter was pressed in a field of one line.
fn entered(ui: &Ui, response: &Response) -> bool {
    response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

fn caption(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::sans(11.5)).color(theme::palette(ui).dim));
}

fn fault(ui: &mut Ui, fault: Option<&str>) {
    if let Some(fault) = fault {
        ui.label(RichText::new(fault).font(theme::sans(11.5)).color(theme::palette(ui).err));
    }
}

fn line(ui: &mut Ui, wish: &mut Wish, faults: &Faults, focus: bool) -> bool {
    caption(ui, "Command, as you would type it; no shell reads it");
    let hint = "npx -y @modelcontextprotocol/server-everything";
    let field = TextEdit::singleline(&mut wish.line).id(Id::unique("connect-line"));
    let field = field.font(theme::mono()).align(Align2::LEFT_CENTER).desired_width(f32::INFINITY).hint_text(hint);
    let response = ui.add(field).accessible_name("Command of the server");
    if focus {
        response.request_focus();
    }
    fault(ui, faults.of(Place::Command, wish.line.is_empty()));
    entered(ui, &response)
}

fn list(ui: &mut Ui, wish: &mut Wish, faults: &Faults) -> bool {
    caption(ui, "Program, then each argument by itself");
    let mut gone = None;
    if wish.list.is_empty() {
        wish.list.push(String::new());
    }
    for (index, word) in wish.list.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let (label, hint) = if index == 0 {
                ("Program".to_owned(), "npx")
            } else {
                (format!("Argument {index}"), "an empty argument")
            };
            let field = TextEdit::singleline(word)
                .font(theme::mono())
                .align(Align2::LEFT_CENTER)
                .desired_width(ui.available_width() - 40.0);
            ui.add(field.hint_text(hint)).accessible_name(&label);
            if button::icon_sized(ui, Icon::Cross, &format!("Remove {}", label.to_lowercase()), false, 24.0).clicked() {
                gone = Some(index);
            }
        });
    }
    if let Some(index) = gone {
        wish.list.remove(index);
    }
    if button::framed(ui, Some(Icon::Plus), "Argument", "Add an argument", false).clicked() {
        wish.list.push(String::new());
    }
    fault(ui, faults.of(Place::Command, wish.list.iter().all(String::is_empty)));
    false
}

fn url(ui: &mut Ui, wish: &mut Wish, faults: &Faults, focus: bool) -> bool {
    caption(ui, "URL of the MCP endpoint, over Streamable HTTP or HTTP+SSE");
    let field = TextEdit::singleline(&mut wish.url).id(Id::unique("connect-url"));
    let field = field
        .font(theme::mono())
        .align(Align2::LEFT_CENTER)
        .desired_width(f32::INFINITY)
        .hint_text("https://example.com/mcp");
    let response = ui.add(field).accessible_name("URL of the server");
    if focus {
        response.request_focus();
    }
    fault(ui, faults.of(Place::Url, wish.url.is_empty()));
    entered(ui, &response)
}

fn environment(ui: &mut Ui, wish: &mut Wish, faults: &Faults) {
    CollapsingHeader::new("Folder and environment").id_salt("connect-environment").show(ui, |ui| {
        Field::new("Folder")
            .label("Folder that the command runs in")
            .hint("the folder of midwire")
            .show(ui, &mut wish.folder);
        ui.add_space(4.0);
        caption(ui, "Environment");
        let starts = [
            (Start::Inherit, "All of ours"),
            (Start::Sdk, "As SDKs pass it on: HOME, PATH and few others"),
            (Start::Only, "Only some of ours"),
            (Start::Empty, "Nothing"),
        ];
        choice(ui, "Environment of the command", &mut wish.start, &starts, 340.0);
        if wish.start == Start::Only {
            let fault = faults.of(Place::Only, wish.only.is_empty());
            let field = Field::new("").label("Variables that are passed on").hint("PATH HOME API_TOKEN").fault(fault);
            field.show(ui, &mut wish.only);
        }
        ui.add_space(4.0);
        caption(ui, "Variables beside or instead of these; ${NAME} and ${keychain:NAME} are filled in");
        pairs(ui, &mut wish.variables, "variable", "NAME", |index| faults.of(Place::Variable(index), true));
    });
}

fn headers(ui: &mut Ui, wish: &mut Wish, faults: &Faults) {
    caption(ui, "Bearer token");
    ui.horizontal(|ui| {
        let sources =
            [(Bearer::None, "none"), (Bearer::Variable, "from a variable"), (Bearer::Keychain, "from the keychain")];
        choice(ui, "Source of the bearer token", &mut wish.bearer, &sources, 170.0);
        if wish.bearer != Bearer::None {
            let hint = if wish.bearer == Bearer::Variable { "API_TOKEN" } else { "the secret's name" };
            let field = TextEdit::singleline(&mut wish.bearer_name)
                .font(theme::mono())
                .align(Align2::LEFT_CENTER)
                .hint_text(hint);
            ui.add(field.desired_width(ui.available_width())).accessible_name("Name of the bearer token's source");
        }
    });
    fault(ui, faults.of(Place::Bearer, wish.bearer_name.is_empty()));
    ui.add_space(4.0);
    let title = format!("Header fields{}", counted(wish.headers.len()));
    CollapsingHeader::new(title).id_salt("connect-headers").show(ui, |ui| {
        caption(ui, "Sent with each request; ${NAME} and ${keychain:NAME} are filled in and never recorded");
        pairs(ui, &mut wish.headers, "header field", "X-Name", |index| faults.of(Place::Header(index), true));
    });
}

fn counted(number: usize) -> String {
    if number == 0 { String::new() } else { format!(" ({number})") }
}

/// Names with values, one pair a line.
fn pairs<'a>(
    ui: &mut Ui,
    pairs: &mut Vec<(String, String)>,
    what: &str,
    hint: &str,
    fault_of: impl Fn(usize) -> Option<&'a str>,
) {
    let mut gone = None;
    for (index, (name, value)) in pairs.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let number = index + 1;
            let field = TextEdit::singleline(name)
                .font(theme::mono())
                .align(Align2::LEFT_CENTER)
                .desired_width(180.0)
                .hint_text(hint);
            ui.add(field).accessible_name(format!("Name of {what} {number}"));
            let field = TextEdit::singleline(value).font(theme::mono()).align(Align2::LEFT_CENTER).hint_text("value");
            let width = ui.available_width() - 40.0;
            ui.add(field.desired_width(width)).accessible_name(format!("Value of {what} {number}"));
            if button::icon_sized(ui, Icon::Cross, &format!("Remove {what} {number}"), false, 24.0).clicked() {
                gone = Some(index);
            }
        });
        fault(ui, fault_of(index));
    }
    if let Some(index) = gone {
        pairs.remove(index);
    }
    if button::framed(ui, Some(Icon::Plus), "Add", &format!("Add a {what}"), false).clicked() {
        pairs.push((String::new(), String::new()));
    }
}

fn trust(ui: &mut Ui, wish: &mut Wish, faults: &Faults) {
    CollapsingHeader::new("Trust").id_salt("connect-trust").show(ui, |ui| {
        let ca = Field::new("Certificates of an authority").hint("a file in PEM, beside those of the system");
        ca.show(ui, &mut wish.ca);
        let fault = faults.of(Place::Fingerprint, wish.fingerprint.is_empty());
        let field = Field::new("Accept one certificate as it is").label("Fingerprint of a certificate");
        field.hint("its SHA-256, which the refusal names").fault(fault).show(ui, &mut wish.fingerprint);
        let fault = faults.of(Place::Certificate, true);
        Field::new("Our certificate").hint("a file in PEM").show(ui, &mut wish.certificate);
        Field::new("Our key").hint("a file in PEM").fault(fault).show(ui, &mut wish.key);
    });
}
