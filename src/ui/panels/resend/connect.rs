//! The question before something recorded is sent over a new connection to the server of its recording: what will be run
//! or reached, the secrets that were left out, and as whom.

use eframe::egui::{Align2, Context, Frame, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::engine::client::Way;
use crate::engine::imitation::Original;
use crate::peer::client::EraChoice;
use crate::ui::client::{Reconnect, Wish};
use crate::ui::desk::Desk;
use crate::ui::panels::client::connect::command;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// Width of the question.
const WIDTH: f32 = 580.0;

/// Draws the question while something is to be sent over a new connection, and connects when it is agreed to.
pub fn show(ctx: &Context, desk: &mut Desk, settings: &mut Settings) {
    let Some(mut asked) = desk.reconnect.take() else { return };
    asked.learn(&mut desk.bench);
    let height = (ctx.content_rect().height() - 220.0).max(160.0);
    let mut agreed = false;
    let id = Id::unique("reconnect");
    // Its top stays where it is while the recording is read.
    let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 64.0));
    let modal = Modal::new(id).area(area).show(ctx, |ui| {
        Frame::NONE.inner_margin(10.0).show(ui, |ui| {
            ui.set_width(WIDTH);
            title(ui, &asked);
            // It grows from a line to all that the recording says, so it takes what it needs, not what it had.
            let scroll = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
            scroll.auto_shrink([false, true]).show(ui, |ui| {
                ui.set_width(WIDTH - 14.0);
                body(ui, &mut asked);
            });
            ui.add_space(10.0);
            agreed = foot(ui, &asked);
        });
    });
    if agreed && let Some(target) = asked.target() {
        let conduct = asked.settings();
        // What lacks its secrets is no use later.
        if target.given.is_empty() {
            settings.remember_target(&Wish::of(&target, &conduct));
        }
        let now = desk.now;
        let id = desk.bench.connect(target, conduct, now);
        desk.bench.entrust(id, asked.errand, now);
    } else if !modal.should_close() {
        desk.reconnect = Some(asked);
    }
}

fn title(ui: &mut Ui, asked: &Reconnect) {
    let palette = theme::palette(ui);
    let is_command = matches!(&asked.original, Some(Ok(it)) if matches!(it.target.way, Way::Command { .. }));
    let title = if is_command { "Run this command and send?" } else { "Connect to this server and send?" };
    ui.label(RichText::new(title).font(theme::semibold(15.0)));
    let what = words::plain(&asked.what);
    let then = if asked.errand.sends() {
        format!("{what} goes out, byte for byte, as soon as the connection stands.")
    } else {
        format!("{what} can be edited as soon as the connection stands; nothing is sent by itself.")
    };
    ui.label(RichText::new(then).color(palette.dim));
    ui.add_space(6.0);
}

fn body(ui: &mut Ui, asked: &mut Reconnect) {
    let palette = theme::palette(ui);
    let original = match asked.original.clone() {
        None => {
            ui.label(RichText::new("The recording is being read …").color(palette.dim));
            return;
        }
        Some(Err(why)) => {
            ui.label(RichText::new(words::plain(&format!("failed to {why}"))).color(palette.err));
            return;
        }
        Some(Ok(original)) => original,
    };
    server(ui, asked, &original);
    secrets(ui, asked);
    ui.add_space(8.0);
    if let Some(client) = asked.client() {
        let text = format!("As the recorded client: {}", words::plain(&client));
        let hint = "It says that it is this client and declares the capabilities that this declared; otherwise it is \
                    midwire.";
        button::check(ui, &mut asked.as_client, &text).on_hover_text(hint);
    }
    if let Some(choice) = asked.choice() {
        let revision = match &choice {
            EraChoice::Pinned(revision) => format!("revision {}", revision.text()),
            EraChoice::Modern => "the modern era".to_owned(),
            _ => "the legacy era".to_owned(),
        };
        let text = format!("In {revision}, as recorded");
        let hint = "Otherwise the newest that the server speaks is agreed upon, in which the message may be wrong.";
        button::check(ui, &mut asked.as_recorded, &text).on_hover_text(hint);
    }
}

fn server(ui: &mut Ui, asked: &mut Reconnect, original: &Original) {
    let palette = theme::palette(ui);
    let from = original.target.from.as_deref().unwrap_or("the recording");
    match &original.target.way {
        way @ Way::Command { .. } => {
            let text = format!("It comes from {} and runs as you, with your rights.", words::plain(from));
            ui.label(RichText::new(text).color(palette.dim));
            ui.add_space(4.0);
            command(ui, way);
        }
        Way::Url { .. } if asked.is_url_free() => {
            let fault = asked.url_fault();
            Field::new("URL").label("URL of the server").fault(fault.as_deref()).show(ui, &mut asked.url);
        }
        Way::Url { url, .. } => {
            ui.label(RichText::new(words::plain(url)).font(theme::mono()).color(palette.text));
        }
    }
}

/// A field for each secret that was left out.
fn secrets(ui: &mut Ui, asked: &mut Reconnect) {
    let missing = asked.missing().to_vec();
    if missing.is_empty() {
        return;
    }
    let palette = theme::palette(ui);
    ui.add_space(8.0);
    ui.label(RichText::new("LEFT OUT OF THE RECORDING").font(theme::medium(10.5)).color(palette.faint));
    let text = "What you give is used for this connection and kept nowhere. ${NAME} takes it from a variable, \
                ${keychain:NAME} from the keychain.";
    ui.label(RichText::new(text).color(palette.dim));
    for (index, secret) in missing.iter().enumerate() {
        ui.add_space(4.0);
        let caption = words::plain(&format!("{}: {}", secret.place, secret.shown)).into_owned();
        ui.label(RichText::new(caption).font(theme::mono()).color(palette.text));
        let hint = if secret.is_header { "left out when empty" } else { "needed" };
        let Some(value) = asked.values.get_mut(index) else { continue };
        // A reference is no secret, and is to be read while it is typed.
        let hidden = !value.starts_with('$');
        let field = TextEdit::singleline(value).font(theme::mono()).align(Align2::LEFT_CENTER).password(hidden);
        let field = field.hint_text(hint).desired_width(f32::INFINITY);
        let response =
            ui.add(field).accessible_name(format!("Secret {} for {}", index + 1, words::plain(&secret.place)));
        if std::mem::take(&mut asked.focus) {
            response.request_focus();
        }
    }
}

/// The buttons. Returns whether it was agreed to.
fn foot(ui: &mut Ui, asked: &Reconnect) -> bool {
    let mut agreed = false;
    let ready = asked.is_ready();
    ui.horizontal(|ui| {
        let is_command = matches!(&asked.original, Some(Ok(it)) if matches!(it.target.way, Way::Command { .. }));
        let word = match (is_command, asked.errand.sends()) {
            (true, true) => "Run it and send",
            (true, false) => "Run it and edit",
            (false, true) => "Connect and send",
            (false, false) => "Connect and edit",
        };
        let entered = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
        let clicked = ui.add_enabled_ui(ready, |ui| button::primary(ui, word, word).clicked()).inner;
        agreed = ready && (clicked || entered);
        if button::framed(ui, None, "Cancel", "Do not connect", false).clicked() {
            ui.close();
        }
        if (0..asked.values.len()).any(|index| asked.is_lacking(index)) {
            ui.label(RichText::new("A secret is needed first.").color(theme::palette(ui).dim));
        }
    });
    agreed
}
