//! Scrolling of content that is drawn by hand: an offset in `f64`, so that ten million rows stay
//! exact where egui's own `f32` offsets would drift, with wheel, bar and keys.

use eframe::egui::accesskit::Role;
use eframe::egui::{CornerRadius, Id, Pos2, Rect, Sense, Ui, Vec2, WidgetInfo};

use crate::ui::theme;

/// Width of the bar's hit area, in points.
pub const BAR: f32 = 12.0;
/// The least height of the bar's thumb.
const THUMB: f32 = 28.0;

/// How far some content is scrolled, in points from its top.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Scroll {
    /// Points above the upper edge.
    pub offset: f64,
}

impl Scroll {
    /// Moves by the wheel when the pointer is over `rect`. Returns how far, in points; upwards is negative.
    pub fn wheel(&mut self, ui: &Ui, rect: Rect, content: f64) -> f64 {
        if !ui.rect_contains_pointer(rect) {
            return self.clamp(rect.height(), content);
        }
        let before = self.offset;
        let delta = ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta.y));
        self.offset -= f64::from(delta);
        self.clamp(rect.height(), content);
        self.offset - before
    }

    /// Keeps the offset within the content.
    pub fn clamp(&mut self, height: f32, content: f64) -> f64 {
        self.offset = self.offset.clamp(0.0, (content - f64::from(height)).max(0.0));
        0.0
    }

    /// Whether the end of the content is in view.
    pub fn is_at_end(self, height: f32, content: f64) -> bool {
        self.offset + f64::from(height) >= content - 1.0
    }

    /// Scrolls as little as needed to bring `top..top + size` into view.
    pub fn reveal(&mut self, top: f64, size: f64, height: f32) {
        let height = f64::from(height);
        if top < self.offset {
            self.offset = top;
        } else if top + size > self.offset + height {
            self.offset = top + size - height;
        }
    }

    /// Draws the bar at the right of `rect` and moves by it. Returns whether it was moved.
    pub fn bar(&mut self, ui: &Ui, rect: Rect, id: Id, content: f64, label: &str) -> bool {
        let height = f64::from(rect.height());
        if content <= height || height <= 0.0 {
            return false;
        }
        let track = Rect::from_min_max(Pos2::new(rect.right() - BAR, rect.top()), rect.max);
        let size = ((height * height / content) as f32).clamp(THUMB.min(rect.height()), rect.height());
        let room = f64::from(track.height() - size);
        let range = content - height;
        let response = ui.interact(track, id, Sense::DRAG | Sense::CLICK);
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollBar, true, label));
        let thumb_at = |offset: f64| track.top() + (offset / range * room) as f32;
        let mut moved = false;
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| room > 0.0) {
            let grip_id = id.with("grip");
            if response.drag_started() || response.clicked() || response.is_pointer_button_down_on() {
                let grip = ui.data_mut(|data| {
                    if response.drag_started() || data.get_temp::<f32>(grip_id).is_none() {
                        let within = pointer.y - thumb_at(self.offset);
                        data.insert_temp(grip_id, if (0.0..=size).contains(&within) { within } else { size / 2.0 });
                    }
                    data.get_temp::<f32>(grip_id).unwrap_or(size / 2.0)
                });
                self.offset = (f64::from(pointer.y - grip - track.top()) / room * range).clamp(0.0, range);
                moved = true;
            }
        }
        if !response.is_pointer_button_down_on() {
            ui.data_mut(|data| data.remove_temp::<f32>(id.with("grip")));
        }
        let palette = theme::palette(ui);
        let strong = response.hovered() || response.dragged();
        let width = if strong { 8.0 } else { 5.0 };
        let thumb =
            Rect::from_min_size(Pos2::new(track.right() - width - 2.0, thumb_at(self.offset)), Vec2::new(width, size));
        let colour = if strong { palette.mark } else { palette.mark.gamma_multiply(0.55) };
        ui.painter().rect_filled(thumb, CornerRadius::same(4), colour);
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::Scroll;

    #[test]
    fn ten_million_rows_stay_exact() {
        let row = 24.0_f64;
        let content = 10_000_000.0 * row;
        let mut scroll = Scroll { offset: content };
        scroll.clamp(600.0, content);
        assert!(scroll.is_at_end(600.0, content));
        let first = (scroll.offset / row).floor();
        assert_eq!(first as u64, 9_999_975);
        scroll.offset -= 1.0;
        assert!((scroll.offset - (first * row - 1.0)).abs() < 1e-6, "a step of one point is not lost");
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "sums of small integers are exact")]
    fn revealing_scrolls_no_more_than_needed() {
        let mut scroll = Scroll { offset: 100.0 };
        scroll.reveal(110.0, 24.0, 200.0);
        assert_eq!(scroll.offset, 100.0);
        scroll.reveal(40.0, 24.0, 200.0);
        assert_eq!(scroll.offset, 40.0);
        scroll.reveal(300.0, 24.0, 200.0);
        assert_eq!(scroll.offset, 124.0);
    }
}
