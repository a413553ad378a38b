//! What servers ask, wherever somebody is: a strip above every page while a question waits, and a panel over the page
//! in which it is answered.

mod elicit;
mod head;
mod raw;
mod roots;
mod sampling;
mod sheet;
mod strip;
mod url;

use std::collections::{HashMap, HashSet};

use eframe::egui::{Area, Frame, Id, Key, Modifiers, Order, ScrollArea, Ui, pos2, vec2};

use self::sheet::Sheet;
use crate::engine::view::ConnectionId;
use crate::peer::client::{Answer, Order as Asking, QuestionId, Reply};
use crate::ui::client::connection::Asked;
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::worker::Worker;

/// Width of the panel.
const WIDTH: f32 = 560.0;

/// A question of a connection.
type Key2 = (ConnectionId, QuestionId);

/// What was made of a question.
pub struct Done {
    /// The answer.
    answer: Answer,
    /// How the same is answered from now on, where that was asked for.
    always: Option<Reply>,
}

/// The questions and where their answers stand.
#[derive(Default)]
pub struct Questions {
    open: bool,
    current: Option<Key2>,
    sheets: HashMap<Key2, Sheet>,
    /// Questions that have been seen come; a new one opens the panel on the Client page.
    seen: HashSet<Key2>,
    worker: Worker,
    /// Whether the keyboard is in the panel.
    keyboard: bool,
}

impl Questions {
    /// Whether keys belong to the panel rather than to the page.
    pub fn has_keyboard(&self) -> bool {
        self.open && self.keyboard
    }

    /// Opens the panel.
    pub fn open(&mut self) {
        self.open = true;
    }

    /// How many questions wait.
    pub fn count(desk: &Desk) -> usize {
        desk.bench.connections.iter().map(|connection| connection.questions.len()).sum()
    }

    /// Every question that waits, the oldest first.
    fn waiting(desk: &Desk) -> Vec<Key2> {
        let mut all: Vec<(i64, Key2)> = Vec::new();
        for connection in &desk.bench.connections {
            let of = |asked: &Asked| (asked.at, (connection.id, asked.question.id));
            all.extend(connection.questions.iter().map(of));
        }
        all.sort_unstable();
        all.into_iter().map(|(_, key)| key).collect()
    }

    fn find(desk: &Desk, key: Key2) -> Option<&Asked> {
        desk.bench.get(key.0)?.questions.iter().find(|asked| asked.question.id == key.1)
    }

    /// Draws the strip. `by_itself`: a question that has just come opens the panel.
    pub fn strip(&mut self, ui: &mut Ui, desk: &Desk, by_itself: bool) {
        let waiting = Self::waiting(desk);
        self.sheets.retain(|key, _| waiting.contains(key));
        let fresh = waiting.iter().any(|key| !self.seen.contains(key));
        self.seen = waiting.iter().copied().collect();
        if waiting.is_empty() {
            self.open = false;
            self.current = None;
            return;
        }
        if fresh && by_itself {
            self.open = true;
        }
        if self.current.is_none_or(|key| !waiting.contains(&key)) {
            self.current = waiting.first().copied();
        }
        // It says how long a question has been waiting.
        ui.ctx().request_repaint_after_secs(1.0);
        let Some(asked) = self.current.and_then(|key| Self::find(desk, key)) else { return };
        let name = self
            .current
            .and_then(|key| desk.bench.get(key.0))
            .map_or_else(String::new, crate::ui::client::Connection::name);
        if strip::show(ui, asked, &name, waiting.len(), desk.now, self.open) {
            self.open = !self.open;
        }
    }

    /// Draws the panel over the page while it is open.
    pub fn show(&mut self, ui: &Ui, desk: &mut Desk) {
        let Some(key) = self.current.filter(|_| self.open) else {
            self.keyboard = false;
            return;
        };
        let waiting = Self::waiting(desk);
        let all = ui.ctx().content_rect();
        let width = WIDTH.min(all.width() - 80.0);
        let place = pos2(all.right() - width - 24.0, all.top() + 52.0);
        let most = all.height() - 110.0;
        let area = Area::new(Id::unique("questions")).default_pos(place).order(Order::Middle).constrain_to(all);
        let mut done = None;
        let shown = area.show(ui.ctx(), |ui| {
            let palette = theme::palette(ui);
            let frame = Frame::window(ui.style()).stroke(eframe::egui::Stroke::new(1.0, palette.accent));
            frame.inner_margin(16.0).show(ui, |ui| {
                ui.set_width(width - 32.0);
                // An area gives its content the height that it had before, so a panel could never grow.
                ui.set_max_height(most);
                ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
                let Some(asked) = Self::find(desk, key).cloned() else { return };
                match head::show(ui, desk, key, &asked, &waiting) {
                    head::Press::None => {}
                    head::Press::Close => self.open = false,
                    head::Press::To(other) => self.current = Some(other),
                }
                let sheet = self.sheets.entry(key).or_insert_with(|| Sheet::new(key, &asked.question, desk));
                let scroll = ScrollArea::vertical().id_salt(key).max_height(most - 90.0).auto_shrink([false, true]);
                done = scroll.show(ui, |ui| sheet.show(ui, &asked.question, &mut self.worker, most - 240.0)).inner;
            });
        });
        let focused = ui.memory(eframe::egui::Memory::focused);
        let layer = shown.response.layer_id;
        self.keyboard =
            focused.and_then(|id| ui.ctx().read_response(id)).is_some_and(|response| response.layer_id == layer);
        if self.keyboard && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.open = false;
        }
        if let Some(done) = done {
            self.answer(desk, key, done);
        }
    }

    fn answer(&mut self, desk: &mut Desk, key: Key2, done: Done) {
        let method = Self::find(desk, key).map(|asked| asked.question.method.clone()).unwrap_or_default();
        if let (Some(reply), Some(connection)) = (done.always, desk.bench.get(key.0)) {
            let mut settings = (*connection.settings).clone();
            match method.as_str() {
                "elicitation/create" => settings.elicitation = reply,
                "sampling/createMessage" => settings.sampling = reply,
                _ => settings.roots_reply = reply,
            }
            desk.bench.change(key.0, settings);
        }
        desk.bench.order(key.0, Asking::Answer(key.1, done.answer));
        self.sheets.remove(&key);
        // It is gone from the list at once, so that nobody answers it twice; the client confirms it.
        if let Some(connection) = desk.bench.get_mut(key.0) {
            connection.answered(key.1, desk.now);
        }
        let next = Self::waiting(desk);
        self.current = next.first().copied();
        self.open = !next.is_empty();
    }
}
