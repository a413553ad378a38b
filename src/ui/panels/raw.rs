//! The tab Raw: the bytes as they were on the wire, as text with everything visible or in hexadecimal.

use eframe::egui::{Id, Popup, Rect, RichText, Ui, pos2};

use super::copying;
use super::detail::DetailPanel;
use super::part::Part;
use super::pretty;
use super::stack::Course;
use crate::engine::view::{Body, Detail};
use crate::model::{EntryKind, Flags};
use crate::ui::theme;
use crate::ui::widgets::raw_text::{self, MOST};
use crate::ui::widgets::script::TextScript;
use crate::ui::widgets::sheet::{Frame, Hits, Sheet};
use crate::ui::widgets::{button, hex};
use crate::ui::words;

/// The raw side of a body.
pub struct Raw {
    script: TextScript,
    /// Its sheet.
    pub sheet: Sheet,
    remarks: Vec<String>,
}

impl Raw {
    /// The raw side of a body.
    pub fn new(body: &Body) -> Self {
        // Only lines must end in one.
        let is_line = matches!(body.kind, EntryKind::Frame | EntryKind::Stderr);
        let remarks = raw_text::remarks(&body.bytes, is_line);
        Self { script: raw_text::script(&body.bytes), sheet: Sheet::default(), remarks }
    }

    /// The selected text.
    pub fn selected(&self) -> Option<String> {
        self.sheet.selected_text(&self.script)
    }
}

/// Draws the tab in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, panel: &mut DetailPanel, detail: &Detail) {
    let mut stack = std::mem::take(&mut panel.stack);
    stack.show(ui, rect, Id::unique("raw"), "Scroll the bytes", |ui, course| {
        course.space(8.0);
        let hex = &mut panel.hex;
        course.block(ui, "raw-mode", 14.0, |ui| {
            button::segmented(ui, hex, &[(false, "Text"), (true, "Hex")]);
        });
        for is_answer in [false, true] {
            part(ui, course, panel, detail, is_answer);
        }
        course.space(24.0);
    });
    panel.stack = stack;
}

fn part(ui: &mut Ui, course: &mut Course<'_>, panel: &mut DetailPanel, detail: &Detail, is_answer: bool) {
    let slot = if is_answer { &mut panel.answer } else { &mut panel.request };
    let Some(mut part) = slot.take() else { return };
    pretty::title_block(ui, course, &part, detail, is_answer);
    let response = if panel.hex { bytes(ui, course, &part, is_answer) } else { text(ui, course, &mut part, is_answer) };
    course.space(8.0);
    let name = if is_answer { "raw-answer" } else { "raw-request" };
    course.block(ui, name, 14.0, |ui| remarks(ui, &mut part, panel.hex));
    course.space(8.0);
    pretty::line(ui, course);
    let slot = if is_answer { &mut panel.answer } else { &mut panel.request };
    *slot = Some(part);
    if let Some(response) = response {
        if response.clicked() || response.secondary_clicked() || response.drag_started() {
            panel.in_answer = is_answer;
        }
        Popup::context_menu(&response).accessible_name("Bytes").show(|ui| copying::menu(ui, panel));
    }
}

fn text(ui: &mut Ui, course: &mut Course<'_>, part: &mut Part, is_answer: bool) -> Option<eframe::egui::Response> {
    let sides = pretty::inner(course);
    let clip = course.rect;
    let raw = part.raw();
    let height = raw.sheet.height(ui, &raw.script, sides.1 - sides.0);
    let hits = Hits::default();
    let id = Id::unique(("raw", is_answer));
    let Raw { script, sheet, .. } = raw;
    course.tall(height, |top| sheet.show(ui, script, &Frame { id, sides, top, clip, active: false, hits: &hits }))
}

fn bytes(ui: &mut Ui, course: &mut Course<'_>, part: &Part, is_answer: bool) -> Option<eframe::egui::Response> {
    let sides = pretty::inner(course);
    let clip = course.rect;
    let height = hex::height(&part.body.bytes, sides.1 - sides.0);
    let id = Id::unique(("hex", is_answer));
    let below = Rect::from_min_max(clip.min, pos2(clip.right(), clip.bottom()));
    course.tall(height, |top| hex::show(ui, &part.body.bytes, id, sides, top, below))
}

/// What is unusual about the bytes, and what is left out here.
fn remarks(ui: &mut Ui, part: &mut Part, in_hex: bool) {
    let palette = theme::palette(ui);
    let flags = part.body.flags;
    let size = part.body.bytes.len();
    let mut lines = part.raw().remarks.clone();
    lines.extend(pretty::marks(&part.body).into_iter().map(|mark| format!("Recorded as: {mark}.")));
    if flags.has(Flags::DECODED) {
        lines.push(
            "These bytes are decompressed: over the wire they went as Content-Encoding in the head says.".to_owned(),
        );
    }
    if flags.has(Flags::REDACTED) {
        lines.push("Secrets are left out of these bytes: ••• stands for each.".to_owned());
    }
    if !in_hex && size > MOST {
        let (shown, all) = (words::size(MOST as u64), words::size(size as u64));
        lines.push(format!(
            "The first {shown} of {all} are shown as text; Hex shows all of it, and copying takes all of it."
        ));
    }
    for line in lines {
        ui.label(RichText::new(line).font(theme::sans(11.5)).color(palette.warn));
    }
}
