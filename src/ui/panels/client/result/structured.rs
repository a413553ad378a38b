//! The tab Structured: `structuredContent`, and how it stands to the tool's schema.

use eframe::egui::{CornerRadius, Frame, Id, Margin, Rect, RichText, Ui, pos2};

use super::ResultPanel;
use super::caret::{Caret, Spot};
use crate::ui::client::answer::Fits;
use crate::ui::panels::part::Part;
use crate::ui::panels::pretty;
use crate::ui::panels::stack::Course;
use crate::ui::theme;
use crate::ui::words;
use crate::ui::worker::Later;

/// Draws the tab.
pub(super) fn show(ui: &mut Ui, course: &mut Course<'_>, panel: &mut ResultPanel, active: bool) {
    let Some(answer) = panel.answer.as_mut().and_then(Later::get) else { return };
    verdict(ui, course, &answer.fits);
    if answer.structured.is_none() {
        course.block(ui, "no-structured", 14.0, |ui| {
            ui.label(RichText::new("The result has no structuredContent.").color(theme::palette(ui).dim));
        });
        return;
    }
    part(ui, course, panel.structured.as_mut(), &mut panel.caret, Spot::Whole, active);
}

/// A body as coloured JSON, with the caret where it is there.
pub(super) fn part(
    ui: &mut Ui,
    course: &mut Course<'_>,
    part: Option<&mut Part>,
    caret: &mut Caret,
    spot: Spot,
    active: bool,
) {
    let Some(part) = part else { return };
    let sides = pretty::inner(course);
    let height = part.height(ui, sides.1 - sides.0);
    let clip = course.rect;
    let has_caret = caret.at(spot, course.depth());
    let id = Id::unique(("client-part", spot == Spot::Meta));
    if let Some(response) = course.tall(height, |top| part.show(ui, id, sides, top, clip, active && has_caret)) {
        caret.touched(spot, &response);
    }
    course.space(8.0);
}

/// How structured content stands to the schema, in a frame of its own.
pub(super) fn verdict(ui: &mut Ui, course: &mut Course<'_>, fits: &Fits) {
    let (good, title, lines) = match fits {
        Fits::Unasked => return,
        Fits::Yes(dialect) => {
            (true, "structuredContent matches outputSchema".to_owned(), vec![format!("{dialect}, 0 errors")])
        }
        Fits::No(dialect, problems) => {
            let place = |pointer: &str| if pointer.is_empty() { "the whole".to_owned() } else { pointer.to_owned() };
            let lines = problems.iter().map(|it| format!("{}: {}", place(&it.pointer), it.message)).collect();
            let count = words::counted(problems.len() as u64, "error", "errors");
            (false, format!("structuredContent does not match outputSchema · {dialect}, {count}"), lines)
        }
        Fits::Unchecked(why) => (false, "structuredContent was not checked".to_owned(), vec![why.clone()]),
        Fits::Missing => {
            let text = "The tool has an outputSchema, so its results must have structuredContent.";
            (false, "structuredContent is missing".to_owned(), vec![text.to_owned()])
        }
    };
    course.space(6.0);
    course.block(ui, "verdict", 14.0, |ui| {
        let palette = theme::palette(ui);
        let corners = CornerRadius { nw: 0, ne: 6, sw: 0, se: 6 };
        let margin = Margin { left: 12, right: 10, top: 7, bottom: 8 };
        let frame = Frame::new().fill(palette.bg2).corner_radius(corners).inner_margin(margin);
        let response = frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new(title).font(theme::semibold(12.5)).color(palette.text));
            for line in &lines {
                ui.label(RichText::new(words::plain(line)).font(theme::sans(12.0)).color(palette.dim));
            }
        });
        let rect = response.response.rect;
        let bar = Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
        ui.painter().rect_filled(bar, 0.0, if good { palette.ok } else { palette.warn });
    });
    course.space(8.0);
}
