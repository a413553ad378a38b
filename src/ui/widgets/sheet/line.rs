//! One row of a sheet on the screen: colours, hits of a search, and stand-ins for what must not be
//! drawn as it is; with the way back from a place on the screen to a byte of the line.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::text::{CCursor, LayoutJob, TextFormat};
use eframe::egui::{Color32, Galley, Ui, vec2};

use super::{Ink, Script};
use crate::ui::theme::{self, Palette};
use crate::ui::words;

/// What a search found in a script, in order, and which hit is the current one.
#[derive(Debug, Default, Clone)]
pub struct Hits {
    /// Line and byte range in it.
    pub found: Vec<(usize, Range<usize>)>,
    /// Index of the current hit, where it is in this script.
    pub current: Option<usize>,
}

impl Hits {
    /// The hits of one line, each with whether it is the current one.
    fn of(&self, line: usize) -> impl Iterator<Item = (&Range<usize>, bool)> {
        let from = self.found.partition_point(|(at, _)| *at < line);
        let here = self.found[from..].iter().take_while(move |(at, _)| *at == line);
        (from..).zip(here).map(|(index, (_, range))| (range, self.current == Some(index)))
    }
}

/// A row that was laid out.
pub struct Drawn {
    /// The drawing.
    pub galley: Arc<Galley>,
    /// For each character of the drawing, the byte of the line that it stands for; then the end.
    bytes: Vec<usize>,
}

impl Drawn {
    /// Where a byte of the line begins, in points from the left.
    pub fn x_of(&self, byte: usize) -> f32 {
        let index = self.bytes.partition_point(|at| *at < byte);
        self.galley.pos_from_cursor(CCursor::new(index)).left()
    }

    /// The byte of the line at a distance from the left.
    pub fn byte_at(&self, x: f32) -> usize {
        let cursor = self.galley.cursor_from_pos(vec2(x, 1.0));
        self.bytes.get(cursor.index.0).or(self.bytes.last()).copied().unwrap_or_default()
    }
}

/// Lays out the bytes `span` of a line, and `note` after them.
pub fn draw(ui: &Ui, script: &dyn Script, line: usize, span: Range<usize>, hits: &Hits, note: Option<&str>) -> Drawn {
    let palette = theme::palette(ui);
    let mut pieces: Vec<(Range<usize>, Ink)> = Vec::new();
    script.inks(line, &mut |range, ink| {
        if range.end > span.start && range.start < span.end {
            pieces.push((range, ink));
        }
    });
    let marks: Vec<(&Range<usize>, bool)> = hits.of(line).collect();
    let mut pen = Pen { palette, job: LayoutJob::default(), run: String::new(), format: None, bytes: Vec::new() };
    let mut piece = 0;
    for (at, sign) in script.line(line)[span.clone()].char_indices() {
        let byte = span.start + at;
        while pieces.get(piece).is_some_and(|(range, _)| range.end <= byte) {
            piece += 1;
        }
        let ink = pieces.get(piece).filter(|(range, _)| range.start <= byte).map_or(Ink::Plain, |(_, ink)| *ink);
        let hit = marks.iter().find(|(range, _)| range.contains(&byte)).map(|(_, current)| *current);
        pen.write(sign, byte, ink, hit);
    }
    pen.bytes.push(span.end);
    pen.flush();
    if let Some(note) = note {
        pen.job.append(note, 0.0, format(palette.dim, Color32::TRANSPARENT));
    }
    pen.job.wrap.max_width = f32::INFINITY;
    pen.job.break_on_newline = false;
    Drawn { galley: ui.painter().layout_job(pen.job), bytes: pen.bytes }
}

struct Pen<'a> {
    palette: &'a Palette,
    job: LayoutJob,
    run: String,
    format: Option<(Color32, Color32)>,
    bytes: Vec<usize>,
}

impl Pen<'_> {
    fn write(&mut self, sign: char, byte: usize, ink: Ink, hit: Option<bool>) {
        let hidden = words::is_hidden(sign);
        let ink = if hidden { Ink::Odd } else { ink };
        let ground = match hit {
            Some(true) => self.palette.accent_bg,
            Some(false) => self.palette.hit_bg,
            None => Color32::TRANSPARENT,
        };
        let format = (ink.colour(self.palette), ground);
        if self.format != Some(format) {
            self.flush();
            self.format = Some(format);
        }
        let before = self.run.len();
        if hidden {
            self.run.push_str(&words::stand_in(sign));
        } else {
            self.run.push(sign);
        }
        self.bytes.extend(self.run[before..].chars().map(|_| byte));
    }

    fn flush(&mut self) {
        if let Some((colour, ground)) = self.format.filter(|_| !self.run.is_empty()) {
            self.job.append(&self.run, 0.0, format(colour, ground));
            self.run.clear();
        }
    }
}

fn format(colour: Color32, ground: Color32) -> TextFormat {
    TextFormat { font_id: theme::mono(), color: colour, background: ground, expand_bg: 1.0, ..Default::default() }
}
