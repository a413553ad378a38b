//! The JSON view of a form: the text that is sent, as typed, with where it stops being JSON and what the schema has
//! against it.

use eframe::egui::{RichText, ScrollArea, Ui};

use super::{FormPanel, Mode};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::Code;
use crate::ui::words;

/// Problems that are listed.
const LISTED: usize = 20;
/// Height that is kept for them.
const FOOT: f32 = 64.0;

/// Draws the editor and what is to be said about its text.
pub fn show(ui: &mut Ui, panel: &mut FormPanel, most: f32) {
    let id = panel.id.with("json");
    let fault = panel.draft.fault().cloned();
    let frame = fault.as_ref().map(|_| theme::palette(ui).warn);
    let scroll = ScrollArea::vertical().id_salt("json").max_height((most - FOOT).max(80.0)).auto_shrink([false, true]);
    let changed = scroll.show(ui, |ui| {
        let at = fault.as_ref().map(|fault| fault.at);
        let code = Code { id, label: "Arguments as JSON", rows: 8, hint: "", json: true, fault: at, frame };
        code.show(ui, panel.draft.json()).response.response.changed()
    });
    if changed.inner {
        panel.draft.typed();
    }
    ui.add_space(4.0);
    verdict(ui, panel);
}

/// What is wrong with the text, or what the schema has against it.
fn verdict(ui: &mut Ui, panel: &mut FormPanel) {
    let palette = theme::palette(ui);
    let line = |ui: &mut Ui, text: &str, colour| {
        ui.label(RichText::new(words::plain(text)).font(theme::sans(11.5)).color(colour));
    };
    if let Some(fault) = panel.draft.fault() {
        let text = format!("{} Sent as it is.", fault.sentence());
        return line(ui, &text, palette.warn);
    }
    let Some(verdict) = panel.verdict(ui) else { return };
    if let Some(why) = &verdict.failed {
        let text = format!("It cannot be checked against the schema: {why}");
        return line(ui, &text, palette.warn);
    }
    if verdict.problems.is_empty() {
        return line(ui, &format!("It fits the schema ({}).", verdict.dialect), palette.ok);
    }
    for problem in verdict.problems.iter().take(LISTED) {
        let place = if problem.pointer.is_empty() { "the whole" } else { &problem.pointer };
        line(ui, &format!("{place}: {}", problem.message), palette.warn);
    }
    if verdict.problems.len() > LISTED {
        let more = format!("and {} more", words::count((verdict.problems.len() - LISTED) as u64));
        line(ui, &more, palette.warn);
    }
}

/// What stands where the form would be, while the text is no JSON.
pub fn broken(ui: &mut Ui, panel: &mut FormPanel) {
    let palette = theme::palette(ui);
    let why = panel.draft.fault().map(crate::ui::widgets::code::Fault::sentence).unwrap_or_default();
    let frame = eframe::egui::Frame::new().fill(palette.bg2).corner_radius(theme::CORNER).inner_margin(12.0);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new("The text is no JSON, so the form cannot show it").font(theme::semibold(13.0)));
        ui.label(RichText::new(format!("{why} It is sent as typed.")).color(palette.warn));
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            if button::framed(ui, None, "Go on with the JSON", "Go on with the JSON", false).clicked() {
                panel.draft.mode = Mode::Json;
            }
            let label = "Give the text up and go back to the form";
            if button::framed(ui, None, "Back to the form as it was", label, false).clicked() {
                panel.draft.back_to_form();
            }
        });
    });
}
