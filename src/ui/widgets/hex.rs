//! Bytes in hexadecimal with their ASCII, any number of them: only the rows in view are written.

use eframe::egui::accesskit::Role;
use eframe::egui::{Id, Rect, Response, Sense, Ui, WidgetInfo, pos2};

use super::cell::Cell;
use crate::ui::theme::{self, LINE};

/// Width at which sixteen bytes fit in a row rather than eight.
const WIDE: f32 = 590.0;

/// How many bytes stand in a row.
fn per_row(width: f32) -> usize {
    if width >= WIDE { 16 } else { 8 }
}

/// Height of all rows.
pub fn height(bytes: &[u8], width: f32) -> f64 {
    bytes.len().div_ceil(per_row(width)).max(1) as f64 * f64::from(LINE)
}

/// Draws the rows in view.
pub fn show(ui: &mut Ui, bytes: &[u8], id: Id, sides: (f32, f32), top: f64, clip: Rect) -> Response {
    let size = per_row(sides.1 - sides.0);
    let rows = bytes.len().div_ceil(size);
    let first = ((f64::from(clip.top()) - top) / f64::from(LINE)).floor().max(0.0) as usize;
    let last = ((f64::from(clip.bottom()) - top) / f64::from(LINE)).ceil().max(0.0) as usize;
    let digits = if bytes.len() > 0xFFFF { 8 } else { 4 };
    for row in first..last.min(rows) {
        let start = row * size;
        let part = &bytes[start..(start + size).min(bytes.len())];
        let y = (top + row as f64 * f64::from(LINE)) as f32;
        let rect = Rect::from_min_max(pos2(sides.0 + 8.0, y), pos2(sides.1, y + LINE));
        line(ui, id.with(row), rect, start, part, size, digits);
    }
    let area = Rect::from_min_max(pos2(sides.0, (top as f32).max(clip.top())), pos2(sides.1, clip.bottom()));
    ui.interact(area, id, Sense::CLICK)
}

fn line(ui: &Ui, id: Id, rect: Rect, start: usize, part: &[u8], size: usize, digits: usize) {
    let palette = theme::palette(ui);
    let (hex, ascii) = (hex(part, size), ascii(part));
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{start:0digits$x} {hex} {ascii}")));
    Cell::new()
        .add(&format!("{start:0digits$x}  "), theme::mono(), palette.faint)
        .add(&hex, theme::mono(), palette.text)
        .add(&ascii, theme::mono(), palette.dim)
        .paint(ui.painter(), rect, false);
}

/// `7b 22 6a 73  6f 6e …`, padded to the width of a full row.
fn hex(part: &[u8], size: usize) -> String {
    let mut out = String::with_capacity(size * 3 + 4);
    for index in 0..size {
        match part.get(index) {
            Some(byte) => out.extend([digit(byte >> 4), digit(byte & 15), ' ']),
            None => out.push_str("   "),
        }
        if index % 8 == 7 {
            out.push(' ');
        }
    }
    out
}

/// A hexadecimal digit.
fn digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('?')
}

fn ascii(part: &[u8]) -> String {
    part.iter().map(|byte| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '·' }).collect()
}

#[cfg(test)]
mod tests {
    use super::{ascii, hex};

    #[test]
    fn a_short_row_is_as_wide_as_a_full_one() {
        assert_eq!(hex(b"{\"j\"}\r\n", 8), "7b 22 6a 22 7d 0d 0a    ".to_owned() + " ");
        assert_eq!(hex(b"{", 16).len(), hex(&[0; 16], 16).len());
        assert_eq!(ascii(b"{\"\x00\xff~"), "{\"··~");
    }
}
