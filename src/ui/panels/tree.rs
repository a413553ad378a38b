//! The tab Tree: the bodies as trees of values.

use eframe::egui::{Id, Popup, Rect, RichText, Ui};

use super::copying;
use super::detail::DetailPanel;
use super::pretty;
use super::stack::Course;
use crate::engine::view::Detail;
use crate::ui::theme;
use crate::ui::widgets::tree::ROW;

/// Draws the tab in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, panel: &mut DetailPanel, detail: &Detail, active: bool) {
    let reveal = std::mem::take(&mut panel.find.reveal);
    let mut stack = std::mem::take(&mut panel.stack);
    let mut marks = [None, None];
    stack.show(ui, rect, Id::unique("tree"), "Scroll the tree", |ui, course| {
        for is_answer in [false, true] {
            marks[usize::from(is_answer)] = part(ui, course, panel, detail, is_answer, active);
        }
        course.space(24.0);
    });
    let mark = marks[usize::from(panel.in_answer)];
    let caret = panel.active().and_then(|part| part.seen_tree().map(|tree| tree.caret));
    if let (true, Some(top), Some(caret)) = (reveal, mark, caret) {
        stack.reveal(top + caret as f64 * f64::from(ROW), f64::from(ROW));
        ui.ctx().request_repaint();
    }
    panel.stack = stack;
}

fn part(
    ui: &mut Ui,
    course: &mut Course<'_>,
    panel: &mut DetailPanel,
    detail: &Detail,
    is_answer: bool,
    active: bool,
) -> Option<f64> {
    let slot = if is_answer { &mut panel.answer } else { &mut panel.request };
    let mut part = slot.take()?;
    pretty::title_block(ui, course, &part, detail, is_answer);
    let mark = course.depth();
    let sides = pretty::inner(course);
    let clip = course.rect;
    let has_caret = active && panel.in_answer == is_answer;
    let response = match part.tree() {
        Some(tree) => {
            let height = tree.rows() as f64 * f64::from(ROW);
            let id = Id::unique(("tree", is_answer));
            course.tall(height, |top| tree.show(ui, id, sides, top, clip, has_caret))
        }
        None => {
            course.block(ui, if is_answer { "no-tree-answer" } else { "no-tree" }, 14.0, |ui| {
                let text = RichText::new("This is not JSON; Raw shows its bytes.").color(theme::palette(ui).dim);
                ui.label(text);
            });
            None
        }
    };
    course.space(8.0);
    pretty::line(ui, course);
    let slot = if is_answer { &mut panel.answer } else { &mut panel.request };
    *slot = Some(part);
    if let Some(response) = response {
        if response.clicked() || response.secondary_clicked() {
            panel.in_answer = is_answer;
        }
        Popup::context_menu(&response).accessible_name("Value").show(|ui| copying::menu(ui, panel));
    }
    Some(mark)
}
