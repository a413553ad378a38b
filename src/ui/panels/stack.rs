//! Blocks one above the other that scroll together, of which only those in view are drawn; their
//! heights are `f64`, since a body may have a million lines.

use std::collections::HashMap;

use eframe::egui::{Align, Id, Layout, Rect, Ui, UiBuilder, pos2, vec2};

use crate::ui::widgets::scroll::{BAR, Scroll};

/// A height that is assumed until a block has been drawn once.
const GUESS: f32 = 40.0;

/// The scroll position, and the heights that were measured.
#[derive(Debug, Default)]
pub struct Stack {
    /// How far it is scrolled.
    pub scroll: Scroll,
    heights: HashMap<&'static str, f32>,
    content: f64,
    height: f32,
}

/// A stack while it is drawn, from the top down.
pub struct Course<'a> {
    stack: &'a mut Stack,
    /// Where it is drawn.
    pub rect: Rect,
    top: f64,
}

impl Stack {
    /// Back to the top; nothing is measured.
    pub fn reset(&mut self) {
        self.scroll = Scroll::default();
        self.heights.clear();
    }

    /// Draws blocks in `rect`.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        id: Id,
        label: &str,
        blocks: impl FnOnce(&mut Ui, &mut Course<'_>),
    ) {
        let clip = ui.clip_rect();
        ui.set_clip_rect(rect.intersect(clip));
        self.height = rect.height();
        self.scroll.wheel(ui, rect, self.content);
        let top = f64::from(rect.top()) - self.scroll.offset;
        let mut course = Course { stack: self, rect, top };
        blocks(ui, &mut course);
        let bottom = course.top;
        let content = bottom - top;
        if (content - self.content).abs() > 0.5 {
            self.content = content;
            self.scroll.clamp(self.height, content);
            ui.ctx().request_repaint();
        }
        ui.set_clip_rect(clip);
        self.scroll.bar(ui, rect, id, content, label);
    }

    /// Height of what is in view, in points.
    pub fn page(&self) -> f64 {
        f64::from(self.height)
    }

    /// Keeps the offset within the content.
    pub fn clamp(&mut self) {
        self.scroll.clamp(self.height, self.content);
    }

    /// Brings a span into view, in points from the top of the content.
    pub fn reveal(&mut self, top: f64, size: f64) {
        let margin = 24.0;
        self.scroll.reveal((top - margin).max(0.0), size + 2.0 * margin, self.height.max(80.0));
    }
}

impl Course<'_> {
    /// Left and right edge of a block.
    pub fn sides(&self) -> (f32, f32) {
        (self.rect.left(), self.rect.right() - BAR)
    }

    /// How far below the top of the content the next block is.
    pub fn depth(&self) -> f64 {
        self.top - f64::from(self.rect.top()) + self.stack.scroll.offset
    }

    /// Leaves a space.
    pub fn space(&mut self, size: f32) {
        self.top += f64::from(size);
    }

    /// A block of a known height that draws itself; `draw` is given where its top is.
    pub fn tall<R>(&mut self, height: f64, draw: impl FnOnce(f64) -> R) -> Option<R> {
        let top = self.top;
        self.top += height;
        let seen = self.top >= f64::from(self.rect.top()) && top <= f64::from(self.rect.bottom());
        seen.then(|| draw(top))
    }

    /// A block of widgets; it takes the height that they take.
    pub fn block(&mut self, ui: &mut Ui, name: &'static str, inset: f32, add: impl FnOnce(&mut Ui)) {
        let known = self.stack.heights.get(name).copied();
        let height = known.unwrap_or(GUESS);
        let top = self.top;
        let seen = self.top + f64::from(height) >= f64::from(self.rect.top()) && top <= f64::from(self.rect.bottom());
        self.top += f64::from(height);
        if !seen && known.is_some() {
            return;
        }
        let (left, right) = self.sides();
        let place = Rect::from_min_size(
            pos2(left + inset, top.clamp(-1e6, 1e6) as f32),
            vec2((right - left - 2.0 * inset).max(40.0), 1e6),
        );
        let builder = UiBuilder::new().id_salt(name).max_rect(place).layout(Layout::top_down(Align::Min));
        let mut child = ui.new_child(builder);
        child.set_clip_rect(self.rect.intersect(ui.clip_rect()));
        child.set_width(place.width());
        add(&mut child);
        let measured = child.min_rect().height();
        if (measured - height).abs() > 0.5 {
            self.stack.heights.insert(name, measured);
            ui.ctx().request_repaint();
        }
    }
}
