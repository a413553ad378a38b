//! A form: the fields of a schema beside the JSON that is sent, for the arguments of tools and prompts, the variables of
//! templates, and what a server asks. What the schema has against a value is said and stops nothing. Of thousands of
//! fields only those in view are drawn.

mod choice;
mod complete;
mod control;
mod draft;
mod example;
mod json;
mod presence;
mod row;

use std::collections::HashMap;

use eframe::egui::{Id, Rect, ScrollArea, Ui, pos2, vec2};

use complete::Suggest;
pub use complete::Wish;
pub use draft::{Draft, Edit, Mode, Verdict};
use example::Example;

use crate::schema::{Control, FieldId};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::worker::{Later, Worker};

/// A height that is assumed of a field until it has been drawn.
const GUESS: f32 = 44.0;
/// How far beyond the edge fields are drawn, so that Tab finds the next one.
const MARGIN: f32 = 160.0;

/// A form and how it is looked at.
pub struct FormPanel {
    /// What is written.
    pub draft: Draft,
    id: Id,
    heights: HashMap<FieldId, f32>,
    focused: Option<FieldId>,
    /// A field that gets the keyboard when it is drawn next.
    wanted: Option<FieldId>,
    suggest: Suggest,
    verdict: Option<(u64, Later<Verdict>)>,
    example: Example,
    worker: Worker,
}

impl FormPanel {
    /// A form by a schema's JSON text. `salt` tells it from others in the window.
    pub fn new(salt: &str, schema: &[u8]) -> Self {
        Self {
            draft: Draft::new(schema),
            id: Id::unique(("form", salt)),
            heights: HashMap::new(),
            focused: None,
            wanted: None,
            suggest: Suggest::default(),
            verdict: None,
            example: Example::default(),
            worker: Worker::default(),
        }
    }

    /// The JSON that is sent.
    pub fn text(&self) -> String {
        self.draft.text()
    }

    /// The switch between form and JSON.
    pub fn switch(&mut self, ui: &mut Ui) {
        button::segmented(ui, &mut self.draft.mode, &[(Mode::Form, "Form"), (Mode::Json, "JSON")]);
    }

    /// Whether values are completed by the server while they are typed: what it is asked is taken with
    /// [`FormPanel::wish`].
    pub fn completes(&mut self, completes: bool) {
        self.suggest.on = completes;
    }

    /// What the server is to be asked for completion now, once.
    pub fn wish(&mut self) -> Option<Wish> {
        self.suggest.wish.take()
    }

    /// What the server offers for a wish; `None` where it offers nothing and need not be asked again.
    pub fn offered(&mut self, wish: &Wish, values: Option<(Vec<String>, String)>) {
        self.suggest.offered(wish, values);
    }

    /// Draws the form no higher than `most`. Returns whether what is sent has changed.
    pub fn show(&mut self, ui: &mut Ui, most: f32) -> bool {
        let before = self.draft.version();
        ui.push_id(self.id, |ui| match self.draft.mode {
            Mode::Json => json::show(ui, self, most),
            Mode::Form if self.draft.fault().is_some() => json::broken(ui, self),
            Mode::Form => self.fields(ui, most),
        });
        self.draft.version() != before
    }

    /// What the schema has against what is sent, as far as that is known; checked by the worker.
    fn verdict(&mut self, ui: &Ui) -> Option<&Verdict> {
        let version = self.draft.version();
        if self.verdict.as_ref().is_none_or(|(of, _)| *of != version) && self.draft.fault().is_none() {
            let work = self.draft.check();
            if let Some(later) = self.worker.start(ui.ctx(), work) {
                self.verdict = Some((version, later));
            }
        }
        let (_, later) = self.verdict.as_mut()?;
        later.get().map(|verdict| &*verdict)
    }

    fn fields(&mut self, ui: &mut Ui, most: f32) {
        let root = self.draft.form().root();
        let (root, open) =
            (root.id, matches!(root.control, Control::Object { open: true } | Control::Array { open: true }));
        if self.draft.form().fields().is_empty() {
            let text = if open { "Nothing is asked for; anything can be sent." } else { "Nothing is asked for." };
            ui.label(eframe::egui::RichText::new(text).color(theme::palette(ui).dim));
        }
        let mut edits = Vec::new();
        let scroll = ScrollArea::vertical().id_salt("fields").max_height(most).auto_shrink([false, true]);
        scroll.show_viewport(ui, |ui, seen| self.visible(ui, seen, &mut edits));
        if open && button::quiet(ui, "+ add a member", "Add a member").clicked() {
            edits.push(Edit::Add(root));
        }
        for edit in edits {
            if let Some(added) = self.draft.apply(edit) {
                self.wanted = Some(added);
            }
        }
    }

    /// Draws the fields that are in view, with room for the others.
    fn visible(&mut self, ui: &mut Ui, seen: Rect, edits: &mut Vec<Edit>) {
        let origin = ui.max_rect().min;
        let width = ui.available_width();
        let count = self.draft.form().fields().len();
        let mut top = 0.0;
        let mut focused = None;
        for index in 0..count {
            let Some(field) = self.draft.form().fields().get(index) else { break };
            let id = field.id;
            let height = self.heights.get(&id).copied().unwrap_or(GUESS);
            let near = top + height >= seen.top() - MARGIN && top <= seen.bottom() + MARGIN;
            // What has the keyboard keeps it only while it is drawn.
            if near || self.focused == Some(id) || self.wanted == Some(id) {
                let field = field.clone();
                let place = Rect::from_min_size(origin + vec2(0.0, top), vec2(width, height));
                let drawn = row::show(ui, self, place, &field, edits);
                if drawn.focused {
                    focused = Some(id);
                }
                if (drawn.height - height).abs() > 0.5 {
                    self.heights.insert(id, drawn.height);
                    ui.ctx().request_repaint();
                }
            }
            top += height;
        }
        self.focused = focused;
        ui.advance_cursor_after_rect(Rect::from_min_max(origin, pos2(origin.x + width, origin.y + top)));
    }
}
