//! The keys in the detail: the caret moves and folds, or the detail scrolls where there is none.

use super::detail::{DetailPanel, Tab};
use crate::ui::keys::Act;
use crate::ui::theme;
use crate::ui::widgets::tree::ROW;

impl DetailPanel {
    /// Does what a key asks for.
    pub fn act(&mut self, act: Act) {
        match self.tab {
            Tab::Pretty => self.in_pretty(act),
            Tab::Tree => self.in_tree(act),
            Tab::Raw | Tab::Timing | Tab::Http => self.scroll(act),
        }
    }

    fn scroll(&mut self, act: Act) {
        let line = f64::from(theme::LINE);
        let page = self.stack.page() - line;
        self.stack.scroll.offset += match act {
            Act::Down => line,
            Act::Up => -line,
            Act::PageDown => page,
            Act::PageUp => -page,
            Act::First => f64::MIN / 2.0,
            Act::Last => f64::MAX / 2.0,
            _ => 0.0,
        };
        self.stack.clamp();
    }

    fn in_tree(&mut self, act: Act) {
        let page = (self.stack.page() / f64::from(ROW)) as isize;
        let in_answer = self.in_answer;
        let Some(tree) = self.active().and_then(|part| part.tree()) else { return };
        let moved = match act {
            Act::Down => tree.step(1),
            Act::Up => tree.step(-1),
            Act::PageDown => tree.step(page),
            Act::PageUp => tree.step(-page),
            Act::First => tree.step(isize::MIN),
            Act::Last => tree.step(isize::MAX),
            _ => {
                match act {
                    Act::Fold => tree.leave(),
                    Act::Unfold => tree.enter(),
                    Act::FoldAll => tree.close_all(),
                    Act::Enter => tree.toggle(tree.caret),
                    _ => {}
                }
                true
            }
        };
        self.cross(act, moved, in_answer);
    }

    /// Past the end of the request comes the answer, and back.
    fn cross(&mut self, act: Act, moved: bool, in_answer: bool) {
        let both = self.request.is_some() && self.answer.is_some();
        let down = matches!(act, Act::Down | Act::PageDown | Act::Last);
        let up = matches!(act, Act::Up | Act::PageUp | Act::First);
        if !moved && both && (down && !in_answer || up && in_answer) {
            self.in_answer = !in_answer;
        }
        self.find.reveal = true;
    }

    fn in_pretty(&mut self, act: Act) {
        let page = (self.stack.page() / f64::from(theme::LINE)) as isize;
        let in_answer = self.in_answer;
        let Some(part) = self.active() else { return };
        let moved = match act {
            Act::Down => part.sheet.step(1),
            Act::Up => part.sheet.step(-1),
            Act::PageDown => part.sheet.step(page),
            Act::PageUp => part.sheet.step(-page),
            Act::First => part.sheet.step(isize::MIN / 2),
            Act::Last => part.sheet.step(isize::MAX / 2),
            _ => {
                part.fold_by(act);
                true
            }
        };
        self.cross(act, moved, in_answer);
    }
}
