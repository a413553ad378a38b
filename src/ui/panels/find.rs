//! Searching in the detail.

use eframe::egui::{Align, Frame, Id, Key, Layout, Modifiers, RichText, TextEdit, Ui, vec2};

use super::part::Part;
use crate::engine::view::Needle;
use crate::ui::icons::Icon;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// The search: its text, and where it stands.
#[derive(Default)]
pub struct Find {
    open: bool,
    focus: bool,
    text: String,
    stale: bool,
    at: usize,
    /// Whether the current hit is to be brought into view.
    pub reveal: bool,
}

impl Find {
    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Opens it and goes there.
    pub fn open(&mut self) {
        self.open = true;
        self.focus = true;
        self.stale = true;
    }

    /// Closes it. Returns whether it was open.
    pub fn close(&mut self) -> bool {
        std::mem::replace(&mut self.open, false)
    }

    /// The bodies have changed: what was found is found anew.
    pub fn forget(&mut self) {
        self.stale = true;
        self.at = 0;
    }

    /// Goes to the next hit, or to the one before.
    pub fn go(&mut self, request: &mut Option<Part>, answer: &mut Option<Part>, in_answer: &mut bool, by: isize) {
        let total = count(request.as_ref()) + count(answer.as_ref());
        if total == 0 {
            return;
        }
        self.at = (self.at as isize + by).rem_euclid(total as isize) as usize;
        self.mark(request, answer, in_answer);
    }

    /// Marks the current hit and puts the caret on it.
    fn mark(&mut self, request: &mut Option<Part>, answer: &mut Option<Part>, in_answer: &mut bool) {
        let first = count(request.as_ref());
        *in_answer = self.at >= first;
        for (part, from) in [(request, 0), (answer, first)] {
            let Some(part) = part else { continue };
            part.hits.current = self.at.checked_sub(from).filter(|at| *at < part.hits.found.len());
            if let Some((line, _)) = part.hits.current.and_then(|at| part.hits.found.get(at)).cloned() {
                part.with(|sheet, script| {
                    sheet.expose(script, line);
                    sheet.caret = line;
                });
            }
        }
        self.reveal = true;
    }

    /// Draws the bar while it is open, and searches.
    pub fn bar(&mut self, ui: &mut Ui, request: &mut Option<Part>, answer: &mut Option<Part>, in_answer: &mut bool) {
        if !self.open {
            clear(request);
            clear(answer);
            return;
        }
        let id = Id::unique("find");
        let palette = theme::palette(ui);
        let focused = ui.memory(|memory| memory.has_focus(id));
        let press = |key, modifiers| focused && ui.input_mut(|input| input.consume_key(modifiers, key));
        let mut by = 0;
        if press(Key::Enter, Modifiers::SHIFT) {
            by = -1;
        } else if press(Key::Enter, Modifiers::NONE) {
            by = 1;
        }
        let mut close = press(Key::Escape, Modifiers::NONE);
        let frame = Frame::new().fill(palette.bg1).inner_margin(vec2(14.0, 4.0));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                let field = TextEdit::singleline(&mut self.text)
                    .id(id)
                    .font(theme::mono())
                    .desired_width((ui.available_width() - 210.0).max(80.0))
                    .hint_text("Search in this message");
                let response = ui.add(field).accessible_name("Search in the detail");
                if std::mem::take(&mut self.focus) {
                    response.request_focus();
                }
                self.stale |= response.changed();
                self.search(request, answer, in_answer);
                let total = count(request.as_ref()) + count(answer.as_ref());
                let text = match (self.text.is_empty(), total) {
                    (true, _) => String::new(),
                    (false, 0) => "no hit".to_owned(),
                    _ => format!("{} of {}", words::count(self.at as u64 + 1), words::count(total as u64)),
                };
                ui.label(RichText::new(text).font(theme::mono()).color(palette.dim));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.spacing_mut().item_spacing.x = 2.0;
                    close |= button::icon_sized(ui, Icon::Cross, "Close the search (Esc)", false, 24.0).clicked();
                    if button::icon_sized(ui, Icon::Down, "Next hit (n)", false, 24.0).clicked() {
                        by = 1;
                    }
                    if button::icon_sized(ui, Icon::Up, "Previous hit (N)", false, 24.0).clicked() {
                        by = -1;
                    }
                });
            });
        });
        if by != 0 {
            self.go(request, answer, in_answer, by);
        }
        if close {
            self.open = false;
        }
    }

    fn search(&mut self, request: &mut Option<Part>, answer: &mut Option<Part>, in_answer: &mut bool) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        // Upper case in the text asks for just that; otherwise case does not matter.
        let needle = Needle::new(&self.text, !self.text.chars().any(char::is_uppercase));
        for part in [&mut *request, &mut *answer].into_iter().flatten() {
            part.find(&needle);
        }
        self.at = 0;
        if count(request.as_ref()) + count(answer.as_ref()) > 0 {
            self.mark(request, answer, in_answer);
        }
    }
}

fn count(part: Option<&Part>) -> usize {
    part.map_or(0, |part| part.hits.found.len())
}

fn clear(part: &mut Option<Part>) {
    if let Some(part) = part
        && !part.hits.found.is_empty()
    {
        part.hits = crate::ui::widgets::sheet::Hits::default();
    }
}
