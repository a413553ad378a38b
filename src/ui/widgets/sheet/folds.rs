//! Folding and moving in a sheet, by mouse and by keyboard.

use super::{Script, Sheet};

/// Lines that are looked through for what encloses a line.
const LOOK: usize = 1_000_000;

/// What is written after a folded line: how it closes, and how much it hides.
pub fn note(script: &dyn Script, line: usize) -> String {
    let Some(end) = script.fold(line) else { return String::new() };
    let close = script.line(end).trim();
    let Some(members) = script.folded(line) else { return format!(" … {close}") };
    let word = if close.starts_with(']') { "item" } else { "member" };
    format!(" … {close}  {}", crate::ui::words::counted(members, word, &format!("{word}s")))
}

impl Sheet {
    /// Folds what the line opens, or unfolds it.
    pub fn toggle(&mut self, script: &dyn Script, line: usize) {
        if script.fold(line).is_none_or(|end| end <= line) {
            return;
        }
        self.changes += 1;
        if !self.folded.remove(&line) {
            self.folded.insert(line);
        }
    }

    /// Folds everything below the first line.
    pub fn fold_all(&mut self, script: &dyn Script) {
        self.changes += 1;
        self.folded = (1..script.count()).filter(|line| script.fold(*line).is_some_and(|end| end > *line)).collect();
        self.caret = 0;
    }

    /// Unfolds everything.
    pub fn unfold_all(&mut self) {
        self.changes += 1;
        self.folded.clear();
    }

    /// Folds at the caret; where that is folded or cannot be, goes to the line that encloses it.
    pub fn fold_or_leave(&mut self, script: &dyn Script) {
        let can = script.fold(self.caret).is_some_and(|end| end > self.caret);
        if can && !self.folded.contains(&self.caret) {
            self.changes += 1;
            self.folded.insert(self.caret);
            return;
        }
        if let Some(outer) = enclosing(script, self.caret) {
            self.caret = outer;
        }
    }

    /// Unfolds at the caret; where that is done, goes to the next line.
    pub fn unfold_or_enter(&mut self, script: &dyn Script) {
        if self.folded.remove(&self.caret) {
            self.changes += 1;
        } else if script.fold(self.caret).is_some() {
            self.step(1);
        }
    }

    /// Unfolds whatever hides a line.
    pub fn expose(&mut self, script: &dyn Script, line: usize) {
        let before = self.folded.len();
        self.folded.retain(|start| script.fold(*start).is_none_or(|end| line <= *start || line > end));
        self.changes += u64::from(self.folded.len() != before);
    }

    /// Moves the caret by so many shown lines. Returns whether it moved.
    pub fn step(&mut self, by: isize) -> bool {
        let before = self.caret;
        if let Some(line) = self.layout.as_ref().and_then(|layout| layout.neighbour(self.caret, by)) {
            self.caret = line;
        }
        self.caret != before
    }

    /// Shows a line whole that was cut.
    pub fn show_whole(&mut self, line: usize) {
        self.changes += 1;
        self.whole.insert(line);
    }
}

/// The nearest line above that opens what this line is in.
fn enclosing(script: &dyn Script, line: usize) -> Option<usize> {
    (0..line).rev().take(LOOK).find(|start| script.fold(*start).is_some_and(|end| end >= line))
}
