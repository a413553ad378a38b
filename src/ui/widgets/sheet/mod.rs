//! A sheet: many lines of coloured text, of which only those in view are laid out. Lines wrap, fold
//! and can be selected; what is selected or copied is the script's own text, never the drawing.

mod folds;
mod layout;
mod line;
mod pointer;

use std::collections::HashSet;
use std::ops::Range;

use eframe::egui::accesskit::Role;
use eframe::egui::{Align2, Color32, Id, Pos2, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};

use self::layout::Layout;
pub use self::line::Hits;
use super::cell;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, LINE, Palette};
use crate::ui::words;

/// Width of the fold mark beside the text.
const MARK: f32 = 14.0;

/// The colour of a piece of text, by what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Text.
    Plain,
    /// A key, a name, a tag.
    Key,
    /// A string.
    String,
    /// A number.
    Number,
    /// A literal or a keyword.
    Literal,
    /// Punctuation, comments.
    Dim,
    /// A stand-in for something that is not text.
    Odd,
    /// What is only in the later of two texts.
    Added,
    /// What is only in the earlier of two texts.
    Removed,
}

impl Ink {
    /// Its colour.
    pub const fn colour(self, palette: &Palette) -> Color32 {
        match self {
            Self::Plain => palette.text,
            Self::Key => palette.key,
            Self::String => palette.str,
            Self::Number => palette.num,
            Self::Literal => palette.lit,
            Self::Dim => palette.dim,
            Self::Odd => palette.warn,
            Self::Added => palette.ok,
            Self::Removed => palette.err,
        }
    }
}

/// What a sheet shows: lines of text with their colours.
pub trait Script {
    /// How many lines there are.
    fn count(&self) -> usize;

    /// A line, without its end.
    fn line(&self, index: usize) -> &str;

    /// The colours of a line: byte ranges in it, in order; what is between them is plain.
    fn inks(&self, index: usize, add: &mut dyn FnMut(Range<usize>, Ink));

    /// The line that closes what this line opens.
    fn fold(&self, index: usize) -> Option<usize>;

    /// How many things a fold hides, where the script knows.
    fn folded(&self, _index: usize) -> Option<u64> {
        None
    }

    /// The number that stands before a line.
    fn number(&self, index: usize) -> u64 {
        index as u64 + 1
    }
}

/// A place in a script: a line and a byte in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The byte in the line.
    pub byte: usize,
}

/// How a script is shown: what is folded, selected, and where the caret is.
#[derive(Debug, Default)]
pub struct Sheet {
    folded: HashSet<usize>,
    whole: HashSet<usize>,
    /// Counts up whenever what is folded or shown whole has changed.
    changes: u64,
    layout: Option<Layout>,
    /// The line that the keyboard acts on.
    pub caret: usize,
    anchor: Option<Place>,
    head: Place,
}

/// Where and how a sheet is drawn.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// Tells this sheet from others in the window.
    pub id: Id,
    /// Its left and right edge.
    pub sides: (f32, f32),
    /// Where its first row would be, in points; far above the screen when it is scrolled.
    pub top: f64,
    /// What of the screen it may use.
    pub clip: Rect,
    /// Whether the keyboard acts on it.
    pub active: bool,
    /// What a search found in it.
    pub hits: &'a Hits,
}

impl Sheet {
    /// Height of all rows in points when it is `width` wide.
    pub fn height(&mut self, ui: &Ui, script: &dyn Script, width: f32) -> f64 {
        let columns = columns(ui, script, width);
        self.arrange(script, columns).rows() as f64 * f64::from(LINE)
    }

    fn arrange(&mut self, script: &dyn Script, columns: usize) -> &Layout {
        let layout = self.layout.get_or_insert_with(|| Layout::measure(script));
        layout.arrange(script, columns, &self.folded, &self.whole, self.changes);
        layout
    }

    /// The span of a line's rows, in points from the first row; `None` while it is folded away.
    pub fn span(&self, line: usize) -> Option<(f64, f64)> {
        let (first, rows) = self.layout.as_ref()?.place(line)?;
        Some((first as f64 * f64::from(LINE), rows as f64 * f64::from(LINE)))
    }

    /// Draws what is in view. The answer is that of the whole area, so that a menu can be hung on it.
    pub fn show(&mut self, ui: &mut Ui, script: &dyn Script, frame: &Frame<'_>) -> Response {
        let width = frame.sides.1 - frame.sides.0;
        let columns = columns(ui, script, width);
        let rows = self.arrange(script, columns).rows();
        let gutter = gutter(ui, script);
        let area = area(frame, rows);
        let response = ui.interact(area, frame.id, Sense::CLICK | Sense::DRAG);
        let first = ((f64::from(frame.clip.top()) - frame.top) / f64::from(LINE)).floor().max(0.0) as u64;
        let last = ((f64::from(frame.clip.bottom()) - frame.top) / f64::from(LINE)).ceil().max(0.0) as u64;
        let text_left = frame.sides.0 + gutter + MARK;
        self.pointer(ui, script, frame, &response, text_left);
        for row in first..last.min(rows) {
            let y = (frame.top + row as f64 * f64::from(LINE)) as f32;
            let rect = Rect::from_min_max(pos2(frame.sides.0, y), pos2(frame.sides.1, y + LINE));
            self.row(ui, script, frame, row, rect, gutter);
        }
        response
    }

    fn row(&self, ui: &Ui, script: &dyn Script, frame: &Frame<'_>, row: u64, rect: Rect, gutter: f32) {
        let Some(layout) = &self.layout else { return };
        let Some((line, part)) = layout.at(row) else { return };
        let palette = theme::palette(ui);
        if frame.active && line == self.caret {
            ui.painter().rect_filled(rect, 4.0, palette.bg2);
        }
        if part == 0 {
            self.margin(ui, script, line, rect, gutter);
        }
        let left = rect.left() + gutter + MARK;
        let Some(span) = layout.segment(script, line, part) else {
            let text = format!("… show all of it, {}", words::size(script.line(line).len() as u64));
            let indent = layout.hang(script, line) as f32 * column_width(ui);
            let at = Rect::from_min_max(pos2(left + indent, rect.top()), rect.max);
            cell::text(ui.painter(), at, &text, theme::sans(11.5), palette.accent, false);
            return;
        };
        let indent = if part == 0 { 0.0 } else { layout.hang(script, line) as f32 * column_width(ui) };
        let folded = (part == 0 && self.folded.contains(&line)).then(|| folds::note(script, line));
        let drawn = line::draw(ui, script, line, span.clone(), frame.hits, folded.as_deref());
        let at = pos2(left + indent, rect.center().y - drawn.galley.size().y / 2.0);
        if let Some((from, to)) = self.selected_in(line, &span) {
            let (x0, x1) = (drawn.x_of(from), drawn.x_of(to));
            let mark = Rect::from_min_max(pos2(at.x + x0, rect.top()), pos2(at.x + x1.max(x0 + 3.0), rect.bottom()));
            ui.painter().rect_filled(mark, 0.0, palette.accent_bg);
        }
        let label = &script.line(line)[span];
        let node = ui.interact(rect, frame.id.with(row), Sense::hover());
        node.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
        ui.painter().galley(at, drawn.galley, palette.text);
    }

    /// The number and the fold mark before a line.
    fn margin(&self, ui: &Ui, script: &dyn Script, line: usize, rect: Rect, gutter: f32) {
        let palette = theme::palette(ui);
        let at = pos2(rect.left() + gutter - 4.0, rect.center().y);
        let number = script.number(line).to_string();
        ui.painter().text(at, Align2::RIGHT_CENTER, number, theme::mono(), palette.faint);
        if script.fold(line).is_some_and(|end| end > line) {
            let mark = Rect::from_min_size(pos2(rect.left() + gutter, rect.top()), vec2(MARK, LINE));
            let folded = self.folded.contains(&line);
            let colour = if folded { palette.text } else { palette.mark };
            icons::paint(ui.painter(), mark, if folded { Icon::Right } else { Icon::Down }, colour);
        }
    }
}

/// Width of one column of the monospaced font.
fn column_width(ui: &Ui) -> f32 {
    ui.fonts_mut(|fonts| fonts.glyph_width(&theme::mono(), '0'))
}

/// Width of the numbers before the lines.
fn gutter(ui: &Ui, script: &dyn Script) -> f32 {
    let last = script.number(script.count().saturating_sub(1));
    let digits = last.checked_ilog10().unwrap_or(0) + 1;
    column_width(ui) * digits.max(2) as f32 + 6.0
}

/// How many columns fit beside the margin.
fn columns(ui: &Ui, script: &dyn Script, width: f32) -> usize {
    ((width - gutter(ui, script) - MARK - 4.0) / column_width(ui)).floor().max(24.0) as usize
}

/// The visible part of the sheet.
fn area(frame: &Frame<'_>, rows: u64) -> Rect {
    let bottom = frame.top + rows as f64 * f64::from(LINE);
    let top = frame.top.max(f64::from(frame.clip.top())) as f32;
    let bottom = bottom.min(f64::from(frame.clip.bottom())) as f32;
    Rect::from_min_max(Pos2::new(frame.sides.0, top), Pos2::new(frame.sides.1, bottom.max(top)))
}
