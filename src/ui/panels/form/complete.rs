//! Values that the server offers while one is typed: when it is asked, and the list under the field.

use eframe::egui::accesskit::Role;
use eframe::egui::{
    Area, Frame, Id, Key, Modifiers, Order, Response, RichText, ScrollArea, Sense, Ui, WidgetInfo, vec2,
};

use crate::ui::theme::{self, CORNER_SMALL};
use crate::ui::widgets::cell::Cell;
use crate::ui::words;

/// Seconds that nothing must have been typed before the server is asked.
const PAUSE: f64 = 0.25;
/// Values that are kept; the protocol allows no more than a hundred.
const MOST: usize = 100;

/// What the server is to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The argument or variable.
    pub argument: String,
    /// What is typed.
    pub value: String,
    /// The other arguments with their values: `context.arguments`.
    pub others: Vec<(String, String)>,
}

/// Where the completion of a form stands.
#[derive(Debug, Default)]
pub struct Suggest {
    /// Whether the server is asked at all.
    pub on: bool,
    /// What it is to be asked now.
    pub wish: Option<Wish>,
    /// The field, and what was typed in it last.
    at: Option<(String, String)>,
    /// When that was, in seconds of the window's time.
    since: f64,
    asked: bool,
    offers: Vec<String>,
    note: String,
    chosen: Option<usize>,
    dismissed: bool,
    over: bool,
}

impl Suggest {
    /// What the server offers for a wish, unless something else was typed since.
    pub fn offered(&mut self, wish: &Wish, offers: Option<(Vec<String>, String)>) {
        let Some((mut values, note)) = offers else {
            self.on = false;
            self.offers.clear();
            return;
        };
        if self.at.as_ref().is_some_and(|(field, text)| *field == wish.argument && *text == wish.value) {
            values.truncate(MOST);
            values.retain(|value| *value != wish.value);
            self.offers = values;
            self.note = note;
            self.chosen = None;
        }
    }

    fn open(&self) -> bool {
        self.on && !self.dismissed && !self.offers.is_empty()
    }

    /// The keys of the list, which the field must not get. Returns the value that was taken.
    pub fn keys(&mut self, ui: &Ui, field: &str) -> Option<String> {
        if !self.open() || self.at.as_ref().is_none_or(|(at, _)| at != field) {
            return None;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let count = self.offers.len();
        if pressed(Key::ArrowDown) {
            self.chosen = Some(self.chosen.map_or(0, |at| (at + 1) % count));
        }
        if pressed(Key::ArrowUp) {
            self.chosen = Some(self.chosen.map_or(count - 1, |at| at.checked_sub(1).unwrap_or(count - 1)));
        }
        if pressed(Key::Escape) {
            self.dismissed = true;
        }
        let chosen = self.chosen.filter(|_| !self.dismissed)?;
        (pressed(Key::Enter) || pressed(Key::Tab)).then(|| self.take(chosen)).flatten()
    }

    fn take(&mut self, index: usize) -> Option<String> {
        let value = self.offers.get(index).cloned()?;
        self.offers.clear();
        self.chosen = None;
        self.over = false;
        if let Some((_, text)) = &mut self.at {
            text.clone_from(&value);
        }
        self.asked = true;
        Some(value)
    }

    /// Follows what is typed in a field, asks when it rests, and draws the list. Returns the value that was taken.
    pub fn follow(
        &mut self,
        ui: &Ui,
        response: &Response,
        field: &str,
        text: &str,
        changed: bool,
        others: impl FnOnce() -> Vec<(String, String)>,
    ) -> Option<String> {
        let mine = self.at.as_ref().is_some_and(|(at, _)| at == field);
        if !(response.has_focus() || mine && self.over) {
            if mine {
                self.at = None;
                self.offers.clear();
            }
            return None;
        }
        let now = ui.input(|input| input.time);
        if !mine || changed {
            self.at = Some((field.to_owned(), text.to_owned()));
            self.since = now;
            self.asked = false;
            self.dismissed = false;
            self.chosen = None;
            if !mine {
                self.offers.clear();
            }
        }
        if !self.asked {
            if now - self.since >= PAUSE {
                self.asked = true;
                let others = others();
                self.wish = Some(Wish { argument: field.to_owned(), value: text.to_owned(), others });
            } else {
                ui.ctx().request_repaint_after_secs((PAUSE - (now - self.since)) as f32);
            }
        }
        if self.open() { self.list(ui, response) } else { None }
    }

    fn list(&mut self, ui: &Ui, field: &Response) -> Option<String> {
        let mut taken = None;
        let area = Area::new(Id::unique(("offers", field.id)))
            .fixed_pos(field.rect.left_bottom() + vec2(0.0, 2.0))
            .order(Order::Foreground);
        let width = field.rect.width().clamp(160.0, 480.0);
        let shown = area.show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).inner_margin(4.0).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.set_width(width);
                ScrollArea::vertical().max_height(240.0).show(ui, |ui| {
                    for (index, offer) in self.offers.iter().enumerate() {
                        if one(ui, offer, self.chosen == Some(index), width) {
                            taken = Some(index);
                        }
                    }
                });
                if !self.note.is_empty() {
                    let palette = theme::palette(ui);
                    ui.label(RichText::new(&self.note).font(theme::sans(11.0)).color(palette.dim));
                }
            });
        });
        self.over = shown.response.contains_pointer();
        taken.and_then(|index| self.take(index))
    }
}

fn one(ui: &mut Ui, offer: &str, chosen: bool, width: f32) -> bool {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen, offer));
    if chosen {
        response.scroll_to_me(None);
    }
    if chosen || response.hovered() {
        ui.painter().rect_filled(rect, CORNER_SMALL, if chosen { palette.accent_bg } else { palette.bg2 });
    }
    let place = rect.shrink2(vec2(8.0, 0.0));
    Cell::new().add(&words::plain(offer), theme::mono(), palette.text).paint(ui.painter(), place, false);
    response.clicked()
}
