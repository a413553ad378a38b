//! The pieces of content in a body that are worth opening by themselves: pictures are shown, JSON and
//! other text open on demand, sounds are described.

use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::load::SizedTexture;
use eframe::egui::{
    ColorImage, Id, Image, Rect, Response, Sense, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::part::Part;
use super::pretty;
use super::stack::Course;
use crate::engine::view::{Body, Content, ContentKind, Pretty};
use crate::model::EntryKind;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CORNER, CORNER_SMALL};
use crate::ui::widgets::audio;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::widgets::highlight;
use crate::ui::widgets::script::TextScript;
use crate::ui::widgets::sheet::{Frame, Hits, Sheet};
use crate::ui::words;
use crate::ui::worker::{Later, Worker};

/// Height of a piece's title.
const TITLE: f32 = 26.0;
/// The largest picture that is decoded, in pixels a side.
const LARGEST: u32 = 12_000;
/// Pixels a side to which a picture is brought down before it is shown.
const SHOWN: u32 = 1_600;
/// Height of a picture on the screen, in points.
const HIGHEST: f32 = 320.0;
/// Pieces that are listed.
const MOST: usize = 50;

/// What is made of a piece once it is opened.
enum Made {
    Json(Box<Part>),
    Text(Box<(TextScript, Sheet)>),
    Picture(Result<ColorImage, String>),
    Shown(TextureHandle, [usize; 2]),
}

/// A piece and whether it is open.
struct Piece {
    open: bool,
    made: Option<Later<Made>>,
}

/// The pieces of a body.
pub struct Pieces(Vec<Piece>);

impl Pieces {
    /// The pieces of a body; pictures are open from the start.
    pub fn new(body: &Body) -> Self {
        let open = |content: &Content| content.kind == ContentKind::Image;
        Self(body.content.iter().take(MOST).map(|content| Piece { open: open(content), made: None }).collect())
    }

    /// One piece by itself, open.
    pub fn one() -> Self {
        Self(vec![Piece { open: true, made: None }])
    }

    /// Draws the first piece, without a title; with the caret where it is `active`. The answer is that of its text.
    pub fn bare(
        &mut self,
        ui: &mut Ui,
        course: &mut Course<'_>,
        worker: &mut Worker,
        content: &Content,
        id: Id,
        active: bool,
    ) -> Option<Response> {
        let piece = self.0.first_mut()?;
        if piece.made.is_none() {
            piece.made = make(ui, worker, content, "");
        }
        opened(ui, course, piece, id, active)
    }

    /// The JSON of the first piece, once it is made.
    pub fn part(&mut self) -> Option<&mut Part> {
        match self.0.first_mut()?.made.as_mut()?.get()? {
            Made::Json(part) => Some(part),
            _ => None,
        }
    }
}

/// Adds the pieces of a part to the course.
pub fn show(
    ui: &mut Ui,
    course: &mut Course<'_>,
    part: &mut Part,
    worker: &mut Worker,
    subject: &str,
    is_answer: bool,
) {
    let body = Arc::clone(&part.body);
    let pieces = part.pieces();
    for (index, (piece, content)) in pieces.0.iter_mut().zip(&body.content).enumerate() {
        let id = Id::unique(("piece", is_answer, index));
        let sides = course.sides();
        let rect =
            |top: f64| Rect::from_min_max(pos2(sides.0 + 14.0, top as f32), pos2(sides.1 - 8.0, top as f32 + TITLE));
        if course.tall(f64::from(TITLE), |top| title(ui, id, rect(top), piece, content)) == Some(true) {
            piece.open = !piece.open;
        }
        let opens = !matches!(content.kind, ContentKind::Audio | ContentKind::Blob);
        if piece.open && opens {
            if piece.made.is_none() {
                piece.made = make(ui, worker, content, subject);
            }
            opened(ui, course, piece, id, false);
            course.space(6.0);
        }
    }
    if !pieces.0.is_empty() {
        course.space(6.0);
        pretty::line(ui, course);
    }
}

/// The line that says what a piece is. Returns whether it was pressed.
fn title(ui: &Ui, id: Id, rect: Rect, piece: &Piece, content: &Content) -> bool {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, id, Sense::click());
    let opens = !matches!(content.kind, ContentKind::Audio | ContentKind::Blob);
    let kind = kind(content);
    response.widget_info(|| {
        WidgetInfo::selected(Role::DisclosureTriangle, opens, piece.open, format!("{kind} {}", content.pointer))
    });
    if response.hovered() && opens {
        ui.painter().rect_filled(rect, CORNER_SMALL, palette.bg2);
    }
    crate::ui::widgets::button::focus_ring(ui, &response, CORNER_SMALL);
    if opens {
        let mark = Rect::from_min_size(rect.min, vec2(18.0, TITLE));
        icons::paint(ui.painter(), mark, if piece.open { Icon::Down } else { Icon::Right }, palette.accent);
    }
    let size = words::size(content.bytes.len() as u64);
    let media = content.media.as_deref().map(|media| format!("{} · ", words::plain(media))).unwrap_or_default();
    Cell::new()
        .add(&kind, theme::medium(12.0), palette.text)
        .add("   ", theme::sans(11.5), palette.dim)
        .add(&format!("{media}{size}"), theme::sans(11.5), palette.dim)
        .add("   ", theme::sans(11.5), palette.dim)
        .add(&words::plain(&content.pointer), theme::mono(), palette.faint)
        .paint(ui.painter(), rect.with_min_x(rect.left() + 20.0), false);
    response.clicked() && opens
}

/// What a piece is, in words.
pub fn kind(content: &Content) -> String {
    match content.kind {
        ContentKind::Image => "Picture".to_owned(),
        ContentKind::Audio => format!("Sound, {}", audio::describe(&content.bytes, content.media.as_deref())),
        ContentKind::Json => "JSON inside text".to_owned(),
        ContentKind::Text => {
            let lines =
                memchr::memchr_iter(b'\n', &content.bytes[..content.bytes.len().min(1 << 20)]).count() as u64 + 1;
            format!("Text, {}", words::counted(lines, "line", "lines"))
        }
        ContentKind::Blob => "Binary data".to_owned(),
    }
}

fn make(ui: &Ui, worker: &mut Worker, content: &Content, subject: &str) -> Option<Later<Made>> {
    let bytes = Arc::clone(&content.bytes);
    let media = content.media.clone();
    let extension = subject.rsplit_once('.').map(|(_, extension)| extension.to_owned());
    match content.kind {
        ContentKind::Json => worker.start(ui.ctx(), move || Made::Json(Box::new(nested(&bytes)))),
        ContentKind::Image => worker.start(ui.ctx(), move || Made::Picture(decode(&bytes))),
        _ => worker.start(ui.ctx(), move || {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let script = highlight::script(text, media.as_deref(), extension.as_deref());
            Made::Text(Box::new((script, Sheet::default())))
        }),
    }
}

/// JSON inside text, as a body of its own.
fn nested(bytes: &Arc<[u8]>) -> Part {
    let body = Body {
        seq: 0,
        kind: EntryKind::Frame,
        side: None,
        at: 0,
        until: 0,
        flags: crate::model::Flags::default(),
        size: bytes.len() as u64,
        bytes: bytes.to_vec(),
        data: None,
        pretty: Pretty::of(bytes),
        content: Vec::new(),
    };
    Part::new(&Arc::new(body), true)
}

/// A picture's pixels, within limits that a hostile one cannot break.
pub fn decode(bytes: &[u8]) -> Result<ColorImage, String> {
    let mut reader = image::ImageReader::new(std::io::Cursor::new(bytes));
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(LARGEST);
    limits.max_image_height = Some(LARGEST);
    reader.limits(limits);
    let reader = reader.with_guessed_format().map_err(|error| error.to_string())?;
    let picture = reader.decode().map_err(|error| error.to_string())?;
    let picture =
        if picture.width() > SHOWN || picture.height() > SHOWN { picture.thumbnail(SHOWN, SHOWN) } else { picture };
    let pixels = picture.into_rgba8();
    let size = [pixels.width() as usize, pixels.height() as usize];
    Ok(ColorImage::from_rgba_unmultiplied(size, pixels.as_raw()))
}

/// Draws what was made of a piece. The answer is that of its text.
fn opened(ui: &mut Ui, course: &mut Course<'_>, piece: &mut Piece, id: Id, active: bool) -> Option<Response> {
    let sides = pretty::inner(course);
    let clip = course.rect;
    let hits = Hits::default();
    let id = id.with("open");
    let Some(made) = piece.made.as_mut().and_then(Later::get) else {
        course.tall(22.0, |top| note(ui, sides, top as f32, "Reading …"));
        return None;
    };
    if let Made::Picture(Ok(picture)) = made {
        let size = picture.size;
        let texture = ui.ctx().load_texture("picture", std::mem::take(picture), TextureOptions::LINEAR);
        *made = Made::Shown(texture, size);
    }
    match made {
        Made::Json(part) => {
            let height = part.height(ui, sides.1 - sides.0);
            return course.tall(height, |top| part.show(ui, id, sides, top, clip, active));
        }
        Made::Text(text) => {
            let (script, sheet) = text.as_mut();
            let height = sheet.height(ui, script, sides.1 - sides.0);
            return course
                .tall(height, |top| sheet.show(ui, script, &Frame { id, sides, top, clip, active, hits: &hits }));
        }
        Made::Picture(result) => {
            let why = result.as_ref().err().cloned().unwrap_or_default();
            let text = format!("This picture cannot be shown: {}", words::plain(&why));
            course.tall(22.0, |top| note(ui, sides, top as f32, &text));
        }
        Made::Shown(texture, pixels) => {
            let size = fit(*pixels, sides.1 - sides.0 - 40.0);
            course.tall(f64::from(size.y + 12.0), |top| picture(ui, sides, top as f32, texture, size, *pixels));
        }
    }
    None
}

/// How large a picture is drawn: as it is, or smaller.
fn fit(pixels: [usize; 2], width: f32) -> Vec2 {
    let size = vec2(pixels[0].max(1) as f32, pixels[1].max(1) as f32);
    size * (width / size.x).min(HIGHEST / size.y).min(1.0)
}

fn picture(ui: &mut Ui, sides: (f32, f32), top: f32, texture: &TextureHandle, size: Vec2, pixels: [usize; 2]) {
    let palette = theme::palette(ui);
    let rect = Rect::from_min_size(pos2(sides.0 + 28.0, top + 4.0), size);
    let frame = rect.expand(4.0);
    ui.painter().rect(frame, CORNER, palette.bg0, theme::hairline(palette), eframe::egui::StrokeKind::Inside);
    let text = format!("{} × {} pixels", pixels[0], pixels[1]);
    ui.put(rect, Image::from_texture(SizedTexture::new(texture.id(), size)).alt_text(&text)).on_hover_text(text);
}

fn note(ui: &Ui, sides: (f32, f32), top: f32, text: &str) {
    let rect = Rect::from_min_max(pos2(sides.0 + 28.0, top), pos2(sides.1, top + 22.0));
    cell::text(ui.painter(), rect, text, theme::sans(12.0), theme::palette(ui).dim, false);
}
