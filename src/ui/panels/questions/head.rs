//! The head of the panel: which server asks what, in the course of which call and in which round, and since when.

use eframe::egui::{Align, Label, Layout, RichText, Ui};

use super::strip;
use crate::engine::view::ConnectionId;
use crate::peer::client::QuestionId;
use crate::ui::client::Connection;
use crate::ui::client::connection::Asked;
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// What was pressed in the head.
pub enum Press {
    /// Nothing.
    None,
    /// The cross.
    Close,
    /// Another question.
    To((ConnectionId, QuestionId)),
}

/// Draws the head.
pub fn show(
    ui: &mut Ui,
    desk: &Desk,
    key: (ConnectionId, QuestionId),
    asked: &Asked,
    waiting: &[(ConnectionId, QuestionId)],
) -> Press {
    let palette = theme::palette(ui);
    let mut press = Press::None;
    let question = &asked.question;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if button::icon_sized(ui, Icon::Cross, "Close the question; it goes on waiting", false, 24.0).clicked() {
                press = Press::Close;
            }
            if waiting.len() > 1 {
                let at = waiting.iter().position(|other| *other == key).unwrap_or(0);
                let next = waiting[(at + 1) % waiting.len()];
                let before = waiting[(at + waiting.len() - 1) % waiting.len()];
                if button::icon_sized(ui, Icon::Right, "The next question", false, 24.0).clicked() {
                    press = Press::To(next);
                }
                let text = format!("{} of {}", at + 1, waiting.len());
                ui.label(RichText::new(text).font(theme::mono()).color(palette.dim));
                if button::icon_sized(ui, Icon::Up, "The question before", false, 24.0).clicked() {
                    press = Press::To(before);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let name = desk.bench.get(key.0).map(Connection::name).unwrap_or_default();
                let title = format!("{} asks: {}", words::plain(&name), words::plain(strip::kind(&question.method)));
                let title = RichText::new(title).font(theme::semibold(15.0)).color(palette.text);
                ui.add(Label::new(title).truncate());
            });
        });
    });
    ui.add(Label::new(RichText::new(course(desk, key.0, asked)).font(theme::sans(12.0)).color(palette.dim)).truncate());
    ui.separator();
    press
}

/// `in tools/call search_docs · round 1, "version" · waits 12 s`
fn course(desk: &Desk, connection: ConnectionId, asked: &Asked) -> String {
    let question = &asked.question;
    let call = question.call.and_then(|call| desk.bench.get(connection)?.call(call));
    let mut parts = vec![match call {
        Some(call) => {
            let key = call.subject.as_ref().map(|subject| format!(" {}", subject.key)).unwrap_or_default();
            format!("in {}{}", words::plain(&call.method), words::plain(&key))
        }
        None => "belongs to no call that is known".to_owned(),
    }];
    if question.round > 0 {
        let key = question.key.as_deref().map(|key| format!(", {}", words::plain(key))).unwrap_or_default();
        parts.push(format!("round {}{key}", question.round));
    }
    if let Some(id) = &question.request {
        parts.push(format!("request {id}"));
    }
    parts.push(format!("waits {}", words::age(desk.now - asked.at)));
    parts.join(" · ")
}
