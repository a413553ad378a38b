//! How a result differs from the one before of the same call.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::{Id, RichText, Ui};

use super::Shown;
use crate::peer::client::Outcome;
use crate::ui::client::compare::{Comparison, Side, compare};
use crate::ui::panels::pretty;
use crate::ui::panels::stack::Course;
use crate::ui::theme;
use crate::ui::widgets::sheet::{Frame, Hits, Ink, Script, Sheet};
use crate::ui::words;
use crate::ui::worker::{Later, Worker};

/// The comparison, while it is looked at.
#[derive(Default)]
pub(super) struct Difference {
    on: bool,
    made: Option<Later<Lines>>,
    sheet: Sheet,
}

/// A comparison as lines of a sheet.
struct Lines(Comparison);

impl Script for Lines {
    fn count(&self) -> usize {
        self.0.lines.len()
    }

    fn line(&self, index: usize) -> &str {
        &self.0.lines[index].1
    }

    fn inks(&self, index: usize, add: &mut dyn FnMut(Range<usize>, Ink)) {
        let (side, text) = &self.0.lines[index];
        let ink = match side {
            Side::Both | Side::Gap => Ink::Dim,
            Side::Old => Ink::Removed,
            Side::New => Ink::Added,
        };
        add(0..text.len(), ink);
    }

    fn fold(&self, _: usize) -> Option<usize> {
        None
    }
}

impl Difference {
    /// Whether it is looked at.
    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// Looks at it, or no longer.
    pub(super) fn toggle(&mut self) {
        self.on = !self.on;
    }

    /// Another result is shown.
    pub(super) fn forget(&mut self) {
        self.made = None;
        self.sheet = Sheet::default();
    }

    /// Draws it.
    pub(super) fn show(&mut self, ui: &mut Ui, course: &mut Course<'_>, worker: &mut Worker, shown: &Shown<'_>) {
        let result = |call: &crate::ui::client::CallRecord| match &call.outcome {
            Some(Outcome::Result(bytes)) => Some(Arc::clone(bytes)),
            _ => None,
        };
        let (Some(old), Some(new)) = (shown.before.and_then(result), result(shown.call)) else {
            say(ui, course, "There is no earlier result of it.");
            return;
        };
        if self.made.is_none() {
            self.made = worker.start(ui.ctx(), move || {
                let mut comparison = compare(&old, &new);
                for (side, text) in &mut comparison.lines {
                    let sign = match side {
                        Side::Both => "  ",
                        Side::Old => "- ",
                        Side::New => "+ ",
                        Side::Gap => "",
                    };
                    text.insert_str(0, sign);
                }
                Lines(comparison)
            });
        }
        let Some(lines) = self.made.as_mut().and_then(Later::get) else {
            say(ui, course, "Comparing …");
            return;
        };
        let comparison = &lines.0;
        let text = match (&comparison.refused, comparison.added + comparison.removed) {
            (Some(why), _) => why.clone(),
            (None, 0) => "The two results are the same.".to_owned(),
            (None, _) => {
                let added = words::counted(comparison.added as u64, "line", "lines");
                format!(
                    "{added} more (+), {} fewer (-) than in the result before.",
                    words::count(comparison.removed as u64)
                )
            }
        };
        say(ui, course, &text);
        if !comparison.lines.is_empty() {
            let sides = pretty::inner(course);
            let height = self.sheet.height(ui, lines, sides.1 - sides.0);
            let (id, clip, hits) = (Id::unique("client-difference"), course.rect, Hits::default());
            course.tall(height, |top| {
                self.sheet.show(ui, lines, &Frame { id, sides, top, clip, active: false, hits: &hits })
            });
        }
    }
}

fn say(ui: &mut Ui, course: &mut Course<'_>, text: &str) {
    course.block(ui, "difference", 14.0, |ui| {
        ui.label(RichText::new(text).color(theme::palette(ui).dim));
    });
    course.space(6.0);
}
