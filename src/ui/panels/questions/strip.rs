//! The strip above every page: that a server waits for somebody, who it is, what it wants, and for how long.

use eframe::egui::{Align, Frame, Label, Layout, Panel, RichText, Ui, vec2};

use crate::engine::view::Json;
use crate::model::Nanos;
use crate::ui::client::connection::Asked;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Bytes of a message that the strip looks at.
const SHOWN: usize = 300;

/// What a question asks for, in a word or two.
pub fn kind(method: &str) -> &str {
    match method {
        "elicitation/create" => "elicitation",
        "sampling/createMessage" => "sampling",
        "roots/list" => "roots",
        other => other,
    }
}

/// Draws the strip; returns whether it was pressed.
pub fn show(ui: &mut Ui, asked: &Asked, server: &str, count: usize, now: Nanos, open: bool) -> bool {
    let palette = theme::palette(ui);
    let frame = Frame::NONE.fill(palette.accent_bg).inner_margin(vec2(14.0, 3.0));
    let mut pressed = false;
    Panel::top("questions").exact_size(34.0).resizable(false).frame(frame).show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let word = if open { "Hide" } else { "Answer" };
            let label = if open { "Hide the question" } else { "Answer the question" };
            pressed = if open {
                button::framed(ui, None, word, label, false).clicked()
            } else {
                button::primary(ui, word, label).clicked()
            };
            let waits = format!("waits {}", words::age(now - asked.at));
            ui.label(RichText::new(waits).font(theme::mono()).color(palette.text));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                let questions = words::counted(count as u64, "question waits", "questions wait");
                ui.label(RichText::new(questions).font(theme::semibold(13.0)).color(palette.accent));
                let who = format!("{} asks: {}", words::plain(server), words::plain(kind(&asked.question.method)));
                ui.label(RichText::new(who).color(palette.text));
                let text = RichText::new(message(asked)).color(palette.dim);
                ui.add(Label::new(text).truncate());
            });
        });
    });
    pressed
}

/// The start of what it says.
fn message(asked: &Asked) -> String {
    let params = asked.question.params.as_ref().and_then(|bytes| Json::parse(bytes).ok());
    let text = params.and_then(|params| {
        let message = params.get("message").or_else(|| params.pointer("/messages/0/content/text"))?;
        Some(message.text()?.chars().take(SHOWN).collect::<String>())
    });
    text.map(|text| words::plain(&text).into_owned()).unwrap_or_default()
}
