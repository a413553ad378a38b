//! One block of a message: text, a picture, a sound, the use of a tool or its result; anything else as it was sent.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use eframe::egui::load::SizedTexture;
use eframe::egui::{ColorImage, Image, RichText, TextureHandle, TextureOptions, Ui, vec2};

use crate::engine::view::{Json, Pretty};
use crate::ui::panels::content::decode;
use crate::ui::theme;
use crate::ui::widgets::audio;
use crate::ui::words;
use crate::ui::worker::{Later, Worker};

/// Bytes of a text that are shown.
const SHOWN: usize = 16 * 1024;
/// Height of a picture.
const HIGHEST: f32 = 180.0;

/// A block.
pub enum Block {
    /// Text.
    Text(String),
    /// A picture, encoded.
    Picture(Vec<u8>, Option<Later<Result<ColorImage, String>>>, Option<TextureHandle>),
    /// Something in words, and what it holds.
    Other(String, String),
}

impl Block {
    /// The block that JSON stands for.
    pub fn of(json: Json<'_>) -> Self {
        let text = |name: &str| json.get(name).and_then(|it| it.text()).map(std::borrow::Cow::into_owned);
        let laid = |json: Json<'_>| cut(&Pretty::of(json.raw()).map(|pretty| pretty.text).unwrap_or_default());
        let kind = text("type").unwrap_or_default();
        match kind.as_str() {
            "text" => Self::Text(cut(&text("text").unwrap_or_default())),
            "image" => {
                let bytes = text("data").and_then(|data| STANDARD.decode(data.as_bytes()).ok());
                bytes.map_or_else(
                    || Self::Other("a picture that is no base64".to_owned(), String::new()),
                    |bytes| Self::Picture(bytes, None, None),
                )
            }
            "audio" => {
                let bytes = text("data").and_then(|data| STANDARD.decode(data.as_bytes()).ok()).unwrap_or_default();
                let media = text("mimeType");
                let what = format!(
                    "a sound, {}, {}",
                    audio::describe(&bytes, media.as_deref()),
                    words::size(bytes.len() as u64)
                );
                Self::Other(what, String::new())
            }
            "tool_use" => {
                let what = format!("uses the tool {}", text("name").unwrap_or_default());
                Self::Other(what, json.get("input").map(laid).unwrap_or_default())
            }
            "tool_result" => {
                let failed = json.get("isError").and_then(|it| it.as_bool()) == Some(true);
                let id = text("toolUseId").unwrap_or_default();
                let what = format!("result of the tool use {id}{}", if failed { ", an error" } else { "" });
                Self::Other(what, json.get("content").map(laid).unwrap_or_default())
            }
            _ => Self::Other("a block of a kind that is not known".to_owned(), laid(json)),
        }
    }

    /// Draws it.
    pub fn show(&mut self, ui: &mut Ui, worker: &mut Worker, place: (usize, usize)) {
        let palette = theme::palette(ui);
        match self {
            Self::Text(text) => {
                for line in text.lines() {
                    ui.label(RichText::new(words::plain(line)).color(palette.text));
                }
            }
            Self::Other(what, inside) => {
                ui.label(RichText::new(words::plain(what)).font(theme::medium(12.0)).color(palette.text));
                for line in inside.lines() {
                    ui.label(RichText::new(words::plain(line)).font(theme::mono()).color(palette.dim));
                }
            }
            Self::Picture(bytes, later, texture) => {
                if let Some(texture) = texture {
                    let size = texture.size_vec2();
                    let size = size * (ui.available_width() / size.x).min(HIGHEST / size.y).min(1.0);
                    let text = format!("A picture of {} × {} pixels", texture.size()[0], texture.size()[1]);
                    ui.add(Image::from_texture(SizedTexture::new(texture.id(), size)).alt_text(text));
                    return;
                }
                if later.is_none() {
                    let bytes = bytes.clone();
                    *later = worker.start(ui.ctx(), move || decode(&bytes));
                }
                match later.as_mut().and_then(Later::get) {
                    Some(Ok(picture)) => {
                        let picture = std::mem::take(picture);
                        let name = format!("sampling {} {}", place.0, place.1);
                        *texture = Some(ui.ctx().load_texture(name, picture, TextureOptions::LINEAR));
                        ui.ctx().request_repaint();
                    }
                    Some(Err(why)) => {
                        let text = format!("This picture cannot be shown: {}", words::plain(why));
                        ui.label(RichText::new(text).color(palette.dim));
                    }
                    None => {
                        ui.add_space(vec2(0.0, 22.0).y);
                    }
                }
            }
        }
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().find(|(at, _)| *at >= SHOWN) {
        Some((at, _)) => format!("{}\n… {} in all", &text[..at], words::size(text.len() as u64)),
        None => text.to_owned(),
    }
}
