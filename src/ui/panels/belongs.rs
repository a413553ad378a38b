//! What stands below the bodies: remarks, and what belongs to the exchange, each a way to its row.

use eframe::egui::accesskit::Role;
use eframe::egui::{CornerRadius, Frame, Margin, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use super::detail::DetailPanel;
use super::stack::Course;
use super::timeline;
use crate::engine::view::{Attached, Detail};
use crate::ui::desk::Desk;
use crate::ui::theme::{self, CORNER_SMALL};
use crate::ui::widgets::cell::Cell;
use crate::ui::words;

/// Entries that are shown before the rest has to be asked for in the timeline.
const MOST: usize = 200;

/// Adds the blocks.
pub fn show(ui: &mut Ui, course: &mut Course<'_>, panel: &mut DetailPanel, detail: &Detail, desk: &mut Desk) {
    let _ = panel;
    if !detail.remarks.is_empty() {
        course.space(8.0);
        course.block(ui, "remarks", 14.0, |ui| {
            for remark in &detail.remarks {
                notice(ui, remark);
                ui.add_space(6.0);
            }
        });
    }
    if !detail.belongs.is_empty() {
        course.space(8.0);
        course.block(ui, "belongs", 14.0, |ui| {
            let palette = theme::palette(ui);
            ui.label(RichText::new("Belongs together").font(theme::semibold(11.5)).color(palette.text));
            ui.add_space(2.0);
            for attached in detail.belongs.iter().take(MOST) {
                if entry(ui, attached) {
                    desk.jump(attached.key);
                }
            }
            if let Some(more) = detail.belongs.len().checked_sub(MOST).filter(|more| *more > 0) {
                ui.label(RichText::new(format!("… and {more} more")).font(theme::sans(11.5)).color(palette.dim));
            }
        });
    }
    course.space(24.0);
}

/// A calm notice: what is unusual, and what it means.
pub fn notice(ui: &mut Ui, text: &str) {
    let palette = theme::palette(ui);
    let corners = CornerRadius { nw: 0, ne: 6, sw: 0, se: 6 };
    let frame = Frame::new().fill(palette.bg2).corner_radius(corners).inner_margin(Margin {
        left: 12,
        right: 10,
        top: 7,
        bottom: 8,
    });
    let response = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(words::plain(text)).font(theme::sans(12.5)).color(palette.text));
    });
    let rect = response.response.rect;
    let bar = Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
    ui.painter().rect_filled(bar, 0.0, palette.warn);
}

/// One thing that belongs to the exchange. Returns whether it was pressed.
fn entry(ui: &mut Ui, attached: &Attached) -> bool {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::click());
    let label = format!("{} {}", attached.what, attached.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &label));
    if response.hovered() {
        ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), CORNER_SMALL, palette.bg2);
    }
    crate::ui::widgets::button::focus_ring(ui, &response, CORNER_SMALL);
    let time = Rect::from_min_size(rect.min, vec2(86.0, 20.0));
    crate::ui::widgets::cell::text(
        ui.painter(),
        time,
        &words::after(attached.after),
        theme::mono(),
        palette.dim,
        false,
    );
    let (sign, colour) = timeline::sign(palette, attached.sign);
    let rest = Rect::from_min_max(pos2(time.right(), rect.top()), rect.max);
    let mut cell = Cell::new().add(sign, theme::mono(), colour).add(" ", theme::mono(), colour).add(
        &words::plain(&attached.what),
        theme::mono(),
        colour,
    );
    if !attached.text.is_empty() {
        cell =
            cell.add("  ", theme::mono(), palette.dim).add(&words::plain(&attached.text), theme::mono(), palette.text);
    }
    if !attached.certain {
        cell = cell.add("  perhaps", theme::sans(11.5), palette.dim);
    }
    let cut = cell.paint(ui.painter(), rest, false);
    let clicked = response.clicked();
    let response = response.on_hover_cursor(eframe::egui::CursorIcon::PointingHand);
    if cut {
        response.on_hover_text(words::plain(&label));
    } else if !attached.certain {
        response.on_hover_text("It names no request, so it may belong to another that was open at the same time.");
    }
    clicked
}
