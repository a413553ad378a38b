//! What an item says of itself: title, badges, description, and what is wrong with it.

use eframe::egui::{Align, CollapsingHeader, Layout, RichText, ScrollArea, Ui};

use super::Draft;
use crate::peer::client::Item;
use crate::ui::client::Subject;
use crate::ui::panels::belongs;
use crate::ui::panels::client::result::{Sort, tag};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Characters of a description that are shown at first.
const SHORT: usize = 280;
/// Characters of a description that are shown at all.
const LONG: usize = 20_000;

/// Draws it.
pub(super) fn show(ui: &mut Ui, draft: &mut Draft, subject: &Subject, item: Option<&Item>) {
    let palette = theme::palette(ui);
    let title = item.map_or(subject.key.as_str(), |item| item.title.as_str());
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if draft.arguments.is_asked_for() {
                draft.arguments.form().switch(ui);
                draft.arguments.form().example(ui);
            }
            ui.with_layout(Layout::left_to_right(Align::Center).with_main_wrap(false), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let room = (ui.available_width() - 4.0).max(40.0);
                let title = RichText::new(words::plain(title)).font(theme::semibold(15.0)).color(palette.text);
                ui.scope(|ui| {
                    ui.set_max_width(room);
                    ui.add(eframe::egui::Label::new(title).truncate()).on_hover_text(words::plain(&subject.key));
                });
                for badge in &draft.reading.badges {
                    let width = button::tag_width(ui, &badge.text) + 6.0;
                    if ui.available_width() < width {
                        break;
                    }
                    let response = if badge.warns {
                        tag(ui, &badge.text, Sort::Waiting)
                    } else {
                        button::tag(ui, &badge.text, false)
                    };
                    response.on_hover_text(badge.hover);
                }
            });
        });
    });
    if title != subject.key {
        ui.label(RichText::new(words::plain(&subject.key)).font(theme::mono()).color(palette.dim));
    }
    description(ui, draft);
    facts(ui, draft);
    faults(ui, draft);
    ui.add_space(6.0);
}

fn description(ui: &mut Ui, draft: &mut Draft) {
    let palette = theme::palette(ui);
    let Some(text) = draft.reading.description.as_deref().map(str::trim).filter(|it| !it.is_empty()) else { return };
    let is_long = text.chars().nth(SHORT).is_some() || text.lines().count() > 4;
    let lines =
        if draft.whole || !is_long { text.to_owned() } else { text.lines().take(4).collect::<Vec<_>>().join("\n") };
    let cut: String = lines.chars().take(if draft.whole { LONG } else { SHORT }).collect();
    let ellipsis = if is_long && !draft.whole { " …" } else { "" };
    let shown = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for line in format!("{cut}{ellipsis}").lines() {
            ui.label(RichText::new(words::plain(line)).color(palette.dim));
        }
    };
    if draft.whole {
        ScrollArea::vertical().id_salt("client-description").max_height(220.0).show(ui, shown);
    } else {
        shown(ui);
    }
    if is_long {
        let (word, label) =
            if draft.whole { ("less", "Less of the description") } else { ("more", "All of the description") };
        if button::quiet(ui, word, label).clicked() {
            draft.whole = !draft.whole;
        }
    }
}

fn facts(ui: &mut Ui, draft: &Draft) {
    if draft.reading.facts.is_empty() {
        return;
    }
    let palette = theme::palette(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, value) in &draft.reading.facts {
            let value: String = value.chars().take(120).collect();
            ui.label(RichText::new(*name).font(theme::sans(11.5)).color(palette.faint));
            ui.label(RichText::new(words::plain(&value)).font(theme::sans(11.5)).color(palette.dim));
            ui.add_space(8.0);
        }
    });
}

fn faults(ui: &mut Ui, draft: &Draft) {
    for fault in draft.faults.iter().take(6) {
        ui.add_space(4.0);
        belongs::notice(ui, fault);
    }
    if draft.verdicts.is_empty() {
        return;
    }
    let count = words::counted(draft.verdicts.len() as u64, "host or API", "hosts or APIs");
    let title =
        RichText::new(format!("{count} may refuse this tool")).font(theme::sans(12.0)).color(theme::palette(ui).warn);
    CollapsingHeader::new(title).id_salt("client-verdicts").show(ui, |ui| {
        for verdict in draft.verdicts.iter().take(20) {
            let palette = theme::palette(ui);
            let sure = if verdict.certain { "" } else { " (may)" };
            let text = format!("{}{sure}: {}", verdict.who, verdict.what);
            ui.label(RichText::new(words::plain(&text)).font(theme::sans(12.0)).color(palette.text));
            let place = if verdict.pointer.is_empty() { String::new() } else { format!("{} · ", verdict.pointer) };
            let text = format!("{}{}", words::plain(&place), verdict.ground);
            ui.label(RichText::new(text).font(theme::sans(11.0)).color(palette.dim));
        }
    });
}
