//! The tab Content: what is worth a remark, then the content piece by piece; for what is no result, what happened and
//! what to do.

use eframe::egui::{Id, Rect, RichText, Ui, pos2};

use super::caret::Spot;
use super::{LEAD, ResultPanel, Shown, Wish, structured};
use crate::engine::view::{Content, ContentKind, Json};
use crate::peer::client::Outcome;
use crate::ui::client::answer::{Block, Remark};
use crate::ui::panels::belongs;
use crate::ui::panels::content;
use crate::ui::panels::pretty;
use crate::ui::panels::stack::Course;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::cell::Cell;
use crate::ui::words;
use crate::ui::worker::Later;

/// Height of a block's title.
const TITLE: f32 = 26.0;
/// Bytes of a body over HTTP that are shown.
const MOST_BODY: usize = 16 * 1024;

impl ResultPanel {
    /// Draws the tab.
    pub(super) fn content(
        &mut self,
        ui: &mut Ui,
        course: &mut Course<'_>,
        shown: &Shown<'_>,
        active: bool,
    ) -> Option<Wish> {
        match &shown.call.outcome {
            None => {
                let what = if shown.call.rounds.is_empty() { "Being sent …" } else { "Waiting for the answer …" };
                course.block(ui, "waiting", 14.0, |ui| {
                    ui.label(RichText::new(what).color(theme::palette(ui).dim));
                });
                None
            }
            Some(Outcome::Result(_)) if self.difference.is_on() => {
                self.difference.show(ui, course, &mut self.worker, shown);
                None
            }
            Some(Outcome::Result(_)) => self.result(ui, course, active),
            Some(Outcome::Error(bytes)) => {
                error(ui, course, bytes);
                self.whole(ui, course, shown, active);
                None
            }
            Some(outcome) => {
                course.block(ui, "failure", 14.0, |ui| failure(ui, outcome));
                None
            }
        }
    }

    fn result(&mut self, ui: &mut Ui, course: &mut Course<'_>, active: bool) -> Option<Wish> {
        let Self { answer, pieces, worker, of, structured: part, meta, caret, .. } = self;
        let Some(answer) = answer.as_mut().and_then(Later::get) else {
            course.block(ui, "reading", 14.0, |ui| {
                ui.label(RichText::new("Reading …").color(theme::palette(ui).dim));
            });
            return None;
        };
        if !answer.has_content {
            // A result of another kind is shown as it is.
            if part.is_none() {
                *part = of.as_ref().map(|body| crate::ui::panels::part::Part::new(body, true));
            }
            structured::part(ui, course, part.as_mut(), caret, Spot::Whole, active);
            return None;
        }
        if !answer.remarks.is_empty() {
            course.block(ui, "remarks", 14.0, |ui| answer.remarks.iter().for_each(|it| remark(ui, it)));
            course.space(4.0);
        }
        let mut wish = None;
        for (index, (block, piece)) in answer.blocks.iter().zip(pieces).enumerate() {
            let sides = course.sides();
            let rect = |top: f64| {
                Rect::from_min_max(pos2(sides.0 + 14.0, top as f32), pos2(sides.1 - 8.0, top as f32 + TITLE))
            };
            if course.tall(f64::from(TITLE), |top| title(ui, rect(top), block, index)) == Some(true) {
                wish = block.uri.clone().map(Wish::Read);
            }
            if let Some(content) = &block.piece {
                if matches!(content.kind, ContentKind::Audio | ContentKind::Blob) {
                    course.tall(22.0, |top| described(ui, sides, top as f32, content));
                } else {
                    let spot = Spot::Block(index);
                    let is_text = matches!(content.kind, ContentKind::Json | ContentKind::Text);
                    let has_caret = is_text && caret.at(spot, course.depth());
                    let id = Id::unique(("client-block", index));
                    if let Some(response) = piece.bare(ui, course, worker, content, id, active && has_caret) {
                        caret.touched(spot, &response);
                    }
                }
            }
            course.space(6.0);
            pretty::line(ui, course);
        }
        if answer.more > 0 {
            let text = format!("… and {} more; Raw has all of them.", words::count(answer.more as u64));
            course.block(ui, "more", 14.0, |ui| {
                ui.label(RichText::new(text).color(theme::palette(ui).dim));
            });
        }
        structured::verdict(ui, course, &answer.fits);
        if meta.is_some() {
            course.block(ui, "meta", 14.0, |ui| {
                ui.label(RichText::new("_meta").font(theme::semibold(11.5)).color(theme::palette(ui).text));
            });
            structured::part(ui, course, meta.as_mut(), caret, Spot::Meta, active);
        }
        wish
    }

    /// The whole of what came, as JSON.
    fn whole(&mut self, ui: &mut Ui, course: &mut Course<'_>, shown: &Shown<'_>, active: bool) {
        if self.structured.is_none() {
            self.structured = shown.call.body.as_ref().map(|body| crate::ui::panels::part::Part::new(body, true));
        }
        structured::part(ui, course, self.structured.as_mut(), &mut self.caret, Spot::Whole, active);
    }
}

/// The title of a block. Returns whether its resource is to be read.
fn title(ui: &mut Ui, rect: Rect, block: &Block, index: usize) -> bool {
    let palette = theme::palette(ui);
    let mut right = rect.right();
    let mut read = false;
    if let Some(uri) = &block.uri {
        let place = Rect::from_min_max(pos2(right - 58.0, rect.top()), rect.max);
        right -= 62.0;
        read = button::place(ui, place, eframe::egui::Layout::right_to_left(eframe::egui::Align::Center), |ui| {
            ui.push_id(index, |ui| {
                let label = format!("Read {}", words::plain(uri));
                button::framed_small(ui, Some(LEAD), "Read", &label).clicked()
            })
            .inner
        });
    }
    Cell::new()
        .add(&words::plain(&block.title), theme::semibold(11.5), palette.text)
        .add("   ", theme::sans(11.5), palette.dim)
        .add(&words::plain(&block.note), theme::sans(11.5), palette.dim)
        .paint(ui.painter(), rect.with_max_x(right), false);
    read
}

fn described(ui: &Ui, sides: (f32, f32), top: f32, piece: &Content) {
    let rect = Rect::from_min_max(pos2(sides.0 + 14.0, top), pos2(sides.1, top + 22.0));
    let text = format!("{} · {}", content::kind(piece), words::size(piece.bytes.len() as u64));
    crate::ui::widgets::cell::text(ui.painter(), rect, &text, theme::sans(12.0), theme::palette(ui).dim, false);
}

fn remark(ui: &mut Ui, remark: &Remark) {
    if remark.warns {
        belongs::notice(ui, &remark.text);
    } else {
        ui.label(RichText::new(&remark.text).color(theme::palette(ui).dim));
    }
    ui.add_space(4.0);
}

/// What an error object says, in the server's words, and what its code stands for.
fn error(ui: &mut Ui, course: &mut Course<'_>, bytes: &[u8]) {
    let json = Json::parse(bytes).ok();
    let message = json.as_ref().and_then(|it| it.get("message")?.text().map(std::borrow::Cow::into_owned));
    let code = json.as_ref().and_then(|it| it.get("code")?.as_i64());
    course.block(ui, "error", 14.0, |ui| {
        let palette = theme::palette(ui);
        let text = message.unwrap_or_else(|| "The error has no message.".to_owned());
        ui.label(RichText::new(words::plain(&text)).color(palette.err));
        if let Some(meaning) = code.and_then(meaning) {
            ui.add_space(2.0);
            ui.label(RichText::new(meaning).color(palette.dim));
        }
    });
    course.space(6.0);
}

/// What a code of JSON-RPC or MCP stands for.
fn meaning(code: i64) -> Option<&'static str> {
    Some(match code {
        -32700 => "-32700: the server could not read the request as JSON.",
        -32600 => "-32600: the server takes this for no request of JSON-RPC.",
        -32601 => "-32601: the server does not know the method, or does not offer it here.",
        -32602 => "-32602: the params do not suit: an unknown name, or arguments that the server does not take.",
        -32603 => "-32603: something broke inside the server; its stderr, on the tab Server, may say what.",
        -32002 => "-32002: there is no such resource.",
        -32042 => "-32042: the server wants something done at a URL first, which stands in data.",
        _ => return None,
    })
}

/// What is said where there is no answer.
fn failure(ui: &mut Ui, outcome: &Outcome) {
    let palette = theme::palette(ui);
    let say = |ui: &mut Ui, text: &str| {
        ui.label(RichText::new(words::plain(text)).color(theme::palette(ui).text));
    };
    match outcome {
        Outcome::Http { why, body, challenge, .. } => {
            say(ui, why);
            if let Some(challenge) = challenge {
                ui.add_space(6.0);
                ui.label(RichText::new("WWW-Authenticate").font(theme::sans(11.5)).color(palette.dim));
                ui.label(RichText::new(words::plain(challenge)).font(theme::mono()));
            }
            if !body.is_empty() {
                ui.add_space(6.0);
                ui.label(RichText::new("Body").font(theme::sans(11.5)).color(palette.dim));
                let text = String::from_utf8_lossy(&body[..body.len().min(MOST_BODY)]).into_owned();
                for line in text.lines().take(60) {
                    ui.label(RichText::new(words::plain(line)).font(theme::mono()));
                }
            }
        }
        Outcome::TimedOut(why) | Outcome::Lost(why) | Outcome::Refused(why) => say(ui, why),
        Outcome::Cancelled => say(ui, "You cancelled it. An answer that still comes is listed below."),
        Outcome::Result(_) | Outcome::Error(_) => {}
    }
}
