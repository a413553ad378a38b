//! One request: who asks what, which rule answers or why none does, the answer by hand while it is awaited, what was
//! done, and what it ended with.

use std::collections::HashMap;

use eframe::egui::{Id, RichText, ScrollArea, Ui};
use jiff::tz::TimeZone;

use super::answer::{AnswerPanel, Done};
use super::{miss, requests};
use crate::engine::view::{Pretty, ServerId};
use crate::peer::server::{Ended, RequestNo};
use crate::ui::desk::Desk;
use crate::ui::server::wish::From;
use crate::ui::server::{Asked, Serving};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::Code;
use crate::ui::words;

/// Bytes of a message that are shown here; the Traffic page shows all.
const SHOWN: usize = 64 * 1024;
/// Answers by hand that are kept while they are being written.
const MOST_DRAFTS: usize = 200;

/// What somebody wants beyond this request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To see a recorded request of the source on the Traffic page.
    Source(u64),
    /// To see the request itself there.
    Traffic,
    /// To see the rule at this line.
    Rule(u64),
}

/// The state of the work area.
#[derive(Default)]
pub struct Work {
    drafts: HashMap<(ServerId, RequestNo), AnswerPanel>,
    /// What is shown of the messages, laid out once.
    laid: HashMap<(ServerId, RequestNo, bool), (usize, String)>,
}

impl Work {
    /// Draws the request in all the room there is.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        desk: &mut Desk,
        id: ServerId,
        request: RequestNo,
        zone: &TimeZone,
    ) -> Option<Wish> {
        let all = ui.available_rect_before_wrap();
        ui.painter().rect_filled(all, 0.0, theme::palette(ui).bg0);
        let serving = desk.stand.get(id)?;
        let asked = serving.request(request)?;
        self.tidy(serving);
        let (mut wish, mut done) = (None, None);
        let now = desk.now;
        let scroll = ScrollArea::vertical().id_salt(("server-work", id, request)).auto_shrink([false, false]);
        scroll.show(ui, |ui| {
            eframe::egui::Frame::NONE.inner_margin(16.0).show(ui, |ui| {
                ui.set_width(ui.available_width());
                wish = head(ui, serving, asked, zone);
                if let Some(missed) = &asked.miss {
                    ui.add_space(8.0);
                    let recorded = serving.wish.from == From::Recording;
                    match miss::show(ui, missed, asked.waits, recorded) {
                        Some(miss::Wish::Start(index)) => {
                            let draft = self.draft(serving, asked);
                            if let Some(near) = missed.near.get(index) {
                                draft.begin(&near.steps);
                            }
                        }
                        Some(miss::Wish::Traffic(seq)) => wish = Some(Wish::Source(seq)),
                        Some(miss::Wish::Rule(line)) => wish = Some(Wish::Rule(line)),
                        None => {}
                    }
                }
                if asked.waits {
                    ui.add_space(8.0);
                    let salt = salt(id, request);
                    // So that what sends it is in view.
                    let used = ui.cursor().top() - ui.min_rect().top();
                    let most = (all.height() - used - 190.0).max(140.0);
                    done = self.draft(serving, asked).show(ui, asked, &salt, now, most);
                }
                section(ui, "ASKED");
                self.body(ui, (id, request, true), asked.params(), "What was asked");
                steps(ui, asked);
                self.ending(ui, id, asked);
            });
        });
        self.finish(desk, id, request, done);
        wish
    }

    /// Sends the answer that is being written, as it is.
    pub fn send(&mut self, desk: &mut Desk, id: ServerId, request: RequestNo) {
        let waits = desk.stand.get(id).and_then(|it| it.request(request)).is_some_and(|it| it.waits);
        let done = self.drafts.get(&(id, request)).filter(|_| waits).map(AnswerPanel::done);
        self.finish(desk, id, request, done);
    }

    fn finish(&mut self, desk: &mut Desk, id: ServerId, request: RequestNo, done: Option<Done>) {
        let Some(done) = done else { return };
        match done {
            Done::Steps(steps) => desk.stand.answer(id, request, steps),
            Done::Order(order) => desk.stand.order(id, order),
        }
        self.drafts.remove(&(id, request));
    }

    fn draft(&mut self, serving: &Serving, asked: &Asked) -> &mut AnswerPanel {
        let key = (serving.id, asked.request);
        self.drafts.entry(key).or_insert_with(|| {
            let output = serving.output_schema(asked);
            AnswerPanel::new(&salt(key.0, key.1), asked, output.as_deref())
        })
    }

    /// Forgets what belongs to requests that are over.
    fn tidy(&mut self, serving: &Serving) {
        if self.drafts.len() > MOST_DRAFTS {
            let waits = |request| serving.request(request).is_some_and(|it| it.waits);
            self.drafts.retain(|(of, request), _| *of == serving.id && waits(*request));
        }
        if self.laid.len() > MOST_DRAFTS {
            self.laid.clear();
        }
    }

    /// A message, laid out; the beginning of a large one.
    fn body(&mut self, ui: &mut Ui, key: (ServerId, RequestNo, bool), bytes: &[u8], label: &str) {
        let laid = self.laid.entry(key).or_insert_with(|| (bytes.len(), shown(bytes)));
        if laid.0 != bytes.len() {
            *laid = (bytes.len(), shown(bytes));
        }
        let id = Id::unique(("server-body", key.0, key.1, label));
        let code = Code { id, label, rows: 1, hint: "nothing", json: true, fault: None, frame: None };
        code.show(ui, &mut laid.1.as_str());
        if bytes.len() > SHOWN {
            let text = format!("{} in all; the Traffic page shows the rest.", words::size(bytes.len() as u64));
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(theme::palette(ui).dim));
        }
    }

    fn ending(&mut self, ui: &mut Ui, id: ServerId, asked: &Asked) {
        let palette = theme::palette(ui);
        match &asked.ended {
            None => {}
            Some(Ended::Result(bytes)) => {
                section(ui, "RESULT");
                self.body(ui, (id, asked.request, false), bytes, "The result");
            }
            Some(Ended::Error(bytes)) => {
                section(ui, "ERROR");
                self.body(ui, (id, asked.request, false), bytes, "The error");
            }
            Some(Ended::Otherwise(what)) => {
                section(ui, "NO ANSWER");
                ui.label(RichText::new(words::plain(what)).color(palette.warn));
            }
            Some(Ended::Cancelled) => {
                section(ui, "CANCELLED");
                ui.label(RichText::new("The client cancelled it, or went away.").color(palette.dim));
            }
        }
    }
}

fn salt(id: ServerId, request: RequestNo) -> String {
    format!("answer {id} {request}")
}

/// What is shown of a message.
fn shown(bytes: &[u8]) -> String {
    if bytes.len() > SHOWN {
        return format!("{}\n…", String::from_utf8_lossy(&bytes[..SHOWN]));
    }
    Pretty::of(bytes).map_or_else(|| String::from_utf8_lossy(bytes).into_owned(), |pretty| pretty.text)
}

fn section(ui: &mut Ui, title: &str) {
    ui.add_space(12.0);
    ui.label(RichText::new(title).font(theme::medium(10.5)).color(theme::palette(ui).faint));
    ui.add_space(2.0);
}

/// What it is in one line, who asks in the next, and what answers in the third.
fn head(ui: &mut Ui, serving: &Serving, asked: &Asked, zone: &TimeZone) -> Option<Wish> {
    let palette = theme::palette(ui);
    let mut wish = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let title = if asked.subject.is_empty() { &asked.method } else { &asked.subject };
        let title = RichText::new(words::plain(title)).font(theme::semibold(15.0)).color(palette.text);
        ui.scope(|ui| {
            ui.set_max_width((ui.available_width() - 220.0).max(80.0));
            ui.add(eframe::egui::Label::new(title).truncate());
        });
        let (word, colour) = requests::fate(asked, palette);
        button::coloured_tag(ui, word, colour);
        button::tag(ui, asked.era.word(), false);
        if button::quiet(ui, "Show in Traffic", "Show the request on the Traffic page").clicked() {
            wish = Some(Wish::Traffic);
        }
    });
    let who = serving
        .client(asked.client)
        .map_or_else(|| format!("client {}", asked.client), crate::ui::server::Client::name);
    let at = words::clock(asked.at, zone);
    let took = if asked.ended.is_some() { format!(" · {}", words::duration(asked.took)) } else { String::new() };
    let text = format!("{} · id {} · {} · {at}{took}", asked.method, asked.id, who);
    ui.label(RichText::new(words::plain(&text)).font(theme::sans(12.0)).color(palette.dim));
    if let Some((by, nth)) = &asked.by {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new("Answered by").font(theme::sans(12.0)).color(palette.dim));
            let again = if *nth > 1 { format!(", the {nth}. time") } else { String::new() };
            let text = format!("{}{again}", words::plain(by));
            ui.label(RichText::new(text).font(theme::sans(12.0)).color(palette.text));
            let (word, label, at) = match (asked.place, serving.wish.from) {
                (Some(line), From::Mock) => (format!("line {line}"), "Show the rule", Wish::Rule(line)),
                (Some(seq), From::Recording) => {
                    (format!("entry {seq}"), "Show the recorded request", Wish::Source(seq))
                }
                _ => return,
            };
            if button::quiet(ui, &word, label).clicked() {
                wish = Some(at);
            }
        });
    }
    wish
}

/// What was done about it, with times relative to the request.
fn steps(ui: &mut Ui, asked: &Asked) {
    if asked.steps.is_empty() {
        return;
    }
    let palette = theme::palette(ui);
    section(ui, "MEANWHILE");
    for (at, what) in &asked.steps {
        ui.horizontal(|ui| {
            ui.spacing_mut().interact_size.y = theme::LINE;
            let start = ui.cursor().left();
            ui.label(RichText::new(words::after(at - asked.at)).font(theme::mono()).color(palette.dim));
            ui.add_space((start + 84.0 - ui.cursor().left()).max(0.0));
            let text = RichText::new(words::plain(what)).color(palette.note);
            ui.add(eframe::egui::Label::new(text).truncate()).on_hover_text(words::plain(what));
        });
    }
}
