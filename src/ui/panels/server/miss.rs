//! Why nothing answered a request: what came nearest, and where it differs.

use eframe::egui::{Color32, Frame, RichText, Ui};

use crate::peer::server::{Miss, Near};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// What somebody wants with what came near.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To begin an answer by hand with what it would have said.
    Start(usize),
    /// To see it on the Traffic page.
    Traffic(u64),
    /// To see the rule.
    Rule(u64),
}

/// Draws it; `waits` says whether an answer by hand is awaited, `recorded` whether places are those of a recording.
pub fn show(ui: &mut Ui, miss: &Miss, waits: bool, recorded: bool) -> Option<Wish> {
    let palette = theme::palette(ui);
    let mut wish = None;
    Frame::new().fill(palette.bg2).corner_radius(theme::CORNER).inner_margin(12.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new("Nothing answers it").font(theme::semibold(13.0)).color(palette.warn));
        ui.label(RichText::new(words::plain(&miss.why)).color(palette.text));
        for (index, near) in miss.near.iter().enumerate() {
            ui.add_space(6.0);
            ui.push_id(("near", index), |ui| {
                let pressed = one(ui, near, index, waits, recorded);
                wish = wish.or(pressed);
            });
        }
    });
    wish
}

fn one(ui: &mut Ui, near: &Near, index: usize, waits: bool, recorded: bool) -> Option<Wish> {
    let palette = theme::palette(ui);
    let mut wish = None;
    ui.horizontal(|ui| {
        let word = if index == 0 { "Nearest:" } else { "Then:" };
        ui.label(RichText::new(word).font(theme::sans(11.5)).color(palette.dim));
        ui.label(RichText::new(words::plain(&near.what)).color(palette.text));
        if waits && !near.steps.is_empty() {
            let label = format!("Start from {}", words::plain(&near.what));
            if button::framed_small(ui, None, "Start from it", &label).clicked() {
                wish = Some(Wish::Start(index));
            }
        }
        if let Some(seq) = near.seq.filter(|_| recorded) {
            if button::quiet(ui, "Show it", &format!("Show {} on the Traffic page", near.what)).clicked() {
                wish = Some(Wish::Traffic(seq));
            }
        } else if let Some(line) = near.place.filter(|_| !recorded)
            && button::quiet(ui, "Show the rule", &format!("Show the rule {}", near.what)).clicked()
        {
            wish = Some(Wish::Rule(line));
        }
    });
    let pointer = if near.pointer.is_empty() { "params as a whole" } else { &near.pointer };
    let came = near.got.as_deref().unwrap_or("nothing");
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = theme::LINE;
        ui.spacing_mut().item_spacing.x = 6.0;
        let word = |ui: &mut Ui, text: &str| {
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
        };
        word(ui, "at");
        value(ui, pointer, palette.key, 0.34);
        word(ui, "it wants");
        value(ui, &near.wanted, palette.text, 0.55);
        word(ui, "and came");
        value(ui, came, palette.warn, 1.0);
    });
    wish
}

/// A value in a part of the room that is left; whole on hover.
fn value(ui: &mut Ui, text: &str, colour: Color32, part: f32) {
    let text = words::plain(text);
    ui.scope(|ui| {
        ui.set_max_width(((ui.available_width() - 60.0) * part).max(40.0));
        let shown = RichText::new(text.as_ref()).font(theme::mono()).color(colour);
        ui.add(eframe::egui::Label::new(shown).truncate()).on_hover_text(text.as_ref());
    });
}
