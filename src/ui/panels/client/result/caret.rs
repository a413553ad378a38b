//! The caret in the column of the result: the value that the keyboard acts on, among all JSON that is shown, and what
//! can be done with it.

use eframe::egui::{Popup, Response, Ui};

use super::{ResultPanel, Tab, Wish};
use crate::engine::view::{Content, ContentKind, quote};
use crate::ui::keys::Act;
use crate::ui::panels::part::Part;
use crate::ui::theme;
use crate::ui::worker::Later;

/// A part of the column that can have the caret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spot {
    /// A block of content.
    Block(usize),
    /// `structuredContent`, or the whole of what came where that is shown.
    Whole,
    /// `_meta`.
    Meta,
}

/// What is wanted of the value at the caret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Want {
    Value,
    Path,
    Pick,
}

/// Where the caret is.
#[derive(Debug, Default)]
pub(super) struct Caret {
    spot: Option<Spot>,
    /// How far down each part begins, in the order in which they are drawn.
    tops: Vec<(Spot, f64)>,
    want: Option<Want>,
    reveal: bool,
}

/// A value of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is: a JSON pointer into the result, and on into JSON in its texts.
    pub pointer: String,
    /// The value, as JSON text.
    pub value: String,
}

impl Caret {
    /// Forgets it all, for another result.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The parts are about to be drawn.
    pub(super) fn begin(&mut self) {
        self.tops.clear();
    }

    /// Whether the caret is in a part, which begins so far down.
    pub(super) fn at(&mut self, spot: Spot, top: f64) -> bool {
        self.tops.push((spot, top));
        self.spot == Some(spot)
    }

    /// What was done to a part with the mouse.
    pub(super) fn touched(&mut self, spot: Spot, response: &Response) {
        if response.clicked() || response.secondary_clicked() || response.drag_started() {
            self.spot = Some(spot);
        }
        Popup::context_menu(response).accessible_name("Value").show(|ui| {
            ui.set_min_width(220.0);
            for (want, label) in [
                (Want::Pick, "Use in a saved call …   (x)"),
                (Want::Value, "Copy the value   (c)"),
                (Want::Path, "Copy the path   (C)"),
            ] {
                if ui.button(label).clicked() {
                    self.want = Some(want);
                    ui.close();
                }
            }
        });
    }
}

impl ResultPanel {
    /// Whether there is a value to be used.
    pub(super) fn has_caret(&self) -> bool {
        match self.tab {
            Tab::Raw => self.raw.panel.can_pick(),
            Tab::Content | Tab::Structured => {
                self.caret.spot.is_some_and(|spot| self.caret.tops.iter().any(|(drawn, _)| *drawn == spot))
            }
            Tab::Timing | Tab::Traffic => false,
        }
    }

    /// The value at the caret is to be used.
    pub(super) fn want_pick(&mut self) {
        self.caret.want = Some(Want::Pick);
    }

    /// The value at the caret, and where it is.
    pub(super) fn found(&mut self) -> Option<Found> {
        if !self.has_caret() {
            return None;
        }
        if self.tab == Tab::Raw {
            return self.raw.found();
        }
        let spot = self.caret.spot?;
        let has_structured = self.answer.as_mut().and_then(Later::get).is_some_and(|it| it.structured.is_some());
        if let Spot::Block(index) = spot {
            let content = self.answer.as_mut().and_then(Later::get)?.blocks.get(index)?.piece.clone()?;
            let part = self.pieces.get_mut(index).and_then(|piece| piece.part());
            return in_content(&content, part);
        }
        let before = match spot {
            Spot::Meta => "/_meta",
            _ if has_structured => "/structuredContent",
            _ => "",
        };
        let part = self.part(spot)?;
        Some(Found { pointer: format!("{before}{}", part.path()?), value: part.value() })
    }

    fn part(&mut self, spot: Spot) -> Option<&mut Part> {
        match spot {
            Spot::Block(index) => self.pieces.get_mut(index)?.part(),
            Spot::Whole => self.structured.as_mut(),
            Spot::Meta => self.meta.as_mut(),
        }
    }

    /// Does what the menu of a value was asked for. Returns what the page has to do.
    pub(super) fn serve(&mut self, ui: &Ui) -> Option<Wish> {
        let want = if self.raw.panel.wants_pick() { Want::Pick } else { self.caret.want.take()? };
        self.caret.want = None;
        match (want, self.found()?) {
            (Want::Pick, found) => return Some(Wish::Pick(found)),
            (Want::Value, found) => ui.ctx().copy_text(found.value),
            (Want::Path, found) => ui.ctx().copy_text(found.pointer),
        }
        None
    }

    /// Copies or picks the value at the caret, as a key asks for.
    pub fn use_value(&mut self, ui: &Ui, act: Act) -> Option<Wish> {
        self.caret.want = Some(match act {
            Act::CopyValue => Want::Value,
            Act::CopyPath => Want::Path,
            _ => Want::Pick,
        });
        self.serve(ui)
    }

    /// Moves the caret, or folds at it. Returns whether there is one to move.
    pub(super) fn move_caret(&mut self, act: Act) -> bool {
        if !matches!(self.tab, Tab::Content | Tab::Structured) || self.difference.is_on() {
            return false;
        }
        let spots: Vec<Spot> = self.caret.tops.iter().map(|(spot, _)| *spot).collect();
        let Some(first) = spots.first().copied() else { return false };
        self.caret.reveal = true;
        let Some(spot) = self.caret.spot.filter(|spot| spots.contains(spot)) else {
            self.caret.spot = Some(first);
            return true;
        };
        let page = (self.stack.page() / f64::from(theme::LINE)) as isize;
        let by = match act {
            Act::Down => 1,
            Act::Up => -1,
            Act::PageDown => page,
            Act::PageUp => -page,
            Act::First => isize::MIN / 2,
            Act::Last => isize::MAX / 2,
            _ => 0,
        };
        let at = spots.iter().position(|it| *it == spot).unwrap_or_default();
        if self.part(spot).is_none() && self.scrolls(at, by) {
            self.caret.reveal = false;
            return false;
        }
        let moved = match self.part(spot) {
            Some(part) if by != 0 => part.sheet.step(by),
            Some(part) => {
                part.fold_by(act);
                true
            }
            None => false,
        };
        if !moved && by != 0 {
            let next = at.saturating_add_signed(by.signum()).min(spots.len() - 1);
            if next == at {
                // Beyond the last value there may be more to see.
                self.caret.reveal = false;
                return false;
            }
            self.caret.spot = Some(spots[next]);
        }
        true
    }

    /// Whether a text is to be scrolled, since its end in that direction is out of view.
    fn scrolls(&self, at: usize, by: isize) -> bool {
        let offset = self.stack.scroll.offset;
        match (self.caret.tops.get(at), self.caret.tops.get(at + 1)) {
            (_, Some((_, below))) if by > 0 => *below > offset + self.stack.page(),
            (Some((_, top)), _) if by < 0 => *top < offset,
            _ => false,
        }
    }

    /// Brings the caret into view after a key has moved it.
    pub(super) fn reveal_caret(&mut self, ui: &Ui) {
        if !std::mem::take(&mut self.caret.reveal) {
            return;
        }
        let Some(spot) = self.caret.spot else { return };
        let Some((_, top)) = self.caret.tops.iter().find(|(it, _)| *it == spot).copied() else { return };
        let span = self.part(spot).and_then(|part| part.sheet.span(part.sheet.caret));
        let (from, size) = span.unwrap_or((0.0, f64::from(theme::LINE)));
        self.stack.reveal(top + from, size);
        ui.ctx().request_repaint();
    }
}

/// Whether the pointer leads to a text, rather than to a block that nothing is known of.
fn is_text(content: &Content) -> bool {
    content.pointer.ends_with("/text")
}

fn whole(content: &Content) -> String {
    quote(&String::from_utf8_lossy(&content.bytes))
}

/// The value at the caret of a block: within the JSON that its text is, or the text as a whole.
fn in_content(content: &Content, part: Option<&mut Part>) -> Option<Found> {
    match (content.kind, part) {
        (ContentKind::Json, Some(part)) => {
            let path = part.path()?;
            // A block that is shown as it was sent is JSON itself; otherwise the whole is a text that holds JSON.
            let value = if path.is_empty() && is_text(content) { whole(content) } else { part.value() };
            Some(Found { pointer: format!("{}{path}", content.pointer), value })
        }
        (ContentKind::Text, _) => Some(Found { pointer: content.pointer.clone(), value: whole(content) }),
        _ => None,
    }
}
