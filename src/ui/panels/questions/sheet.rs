//! One question while it is answered: by what is made for its kind, or as raw JSON.

use eframe::egui::{RichText, Ui};

use super::Done;
use super::elicit::Elicit;
use super::raw::Raw;
use super::roots::Roots;
use super::sampling::Sampling;
use super::url::Address;
use crate::engine::view::{ConnectionId, Json, Pretty};
use crate::peer::client::{Answer, Question, QuestionId, Reply};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::Code;
use crate::ui::worker::Worker;

/// Bytes of the params that are shown as they were sent.
const SHOWN: usize = 64 * 1024;

/// What is made for a kind of question.
enum Kind {
    Elicit(Box<Elicit>),
    Url(Address),
    Sampling(Box<Sampling>),
    Roots(Roots),
    Unknown,
}

/// A question while it is answered.
pub struct Sheet {
    kind: Kind,
    raw: Raw,
    /// Whether the answer is for all that follow.
    always: bool,
    sent: Option<String>,
    show_sent: bool,
    salt: String,
}

/// What a kind of question has come to in a frame.
pub enum Made {
    /// Nothing yet.
    Nothing,
    /// The result, as JSON text.
    Result(String),
    /// A decline that can be remembered as one.
    Decline(Answer),
    /// The result is to be written as JSON, beginning with this.
    AsJson(String),
}

impl Sheet {
    /// A sheet for a question.
    pub fn new(key: (ConnectionId, QuestionId), question: &Question, desk: &Desk) -> Self {
        let salt = format!("question {} {}", key.0, key.1);
        let json = question.params.as_ref().and_then(|bytes| Json::parse(bytes).ok());
        let is_url = json.and_then(|params| params.get("mode")).is_some_and(|mode| mode.is_text("url"));
        let kind = match (question.method.as_str(), json) {
            ("elicitation/create", Some(params)) if is_url => Kind::Url(Address::new(params)),
            ("elicitation/create", Some(params)) => Kind::Elicit(Box::new(Elicit::new(&salt, params))),
            ("sampling/createMessage", Some(params)) => Kind::Sampling(Box::new(Sampling::new(params))),
            ("roots/list", _) => {
                let roots = desk.bench.get(key.0).map(|it| it.settings.roots.clone()).unwrap_or_default();
                Kind::Roots(Roots::new(roots))
            }
            _ => Kind::Unknown,
        };
        let mut raw = Raw::default();
        if matches!(kind, Kind::Unknown) {
            raw.begin("{}".to_owned());
        }
        Self { kind, raw, always: false, sent: None, show_sent: false, salt }
    }

    /// Draws the sheet; returns what was made of the question.
    pub fn show(&mut self, ui: &mut Ui, question: &Question, worker: &mut Worker, most: f32) -> Option<Done> {
        let rounds = question.round > 0;
        if self.raw.is_open() {
            if matches!(self.kind, Kind::Unknown) {
                let text = "midwire does not know this method. Its params are below; write the result as JSON.";
                ui.label(RichText::new(text).color(theme::palette(ui).dim));
                self.show_sent = true;
            }
            let back = !matches!(self.kind, Kind::Unknown);
            let answer = self.raw.show(ui, &self.salt, rounds, back);
            self.foot(ui, question);
            return answer.map(|answer| self.done(answer));
        }
        let made = match &mut self.kind {
            Kind::Elicit(elicit) => elicit.show(ui, most),
            Kind::Url(address) => address.show(ui),
            Kind::Sampling(sampling) => sampling.show(ui, &self.salt, worker, rounds),
            Kind::Roots(roots) => roots.show(ui, &self.salt),
            Kind::Unknown => Made::Nothing,
        };
        self.foot(ui, question);
        match made {
            Made::Nothing => None,
            Made::Result(text) => Some(self.done(Answer::Result(text.into_bytes()))),
            Made::Decline(answer) => {
                let always = self.always.then_some(Reply::Decline);
                Some(Done { answer, always })
            }
            Made::AsJson(text) => {
                self.raw.begin(text);
                None
            }
        }
    }

    fn done(&self, answer: Answer) -> Done {
        let always = match (&answer, self.always) {
            (Answer::Result(text), true) => Some(Reply::Result(String::from_utf8_lossy(text).into_owned())),
            _ => None,
        };
        Done { answer, always }
    }

    /// What stands under every kind: whether to answer like this from now on, an error instead, and what was sent.
    fn foot(&mut self, ui: &mut Ui, question: &Question) {
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            let known = !matches!(self.kind, Kind::Unknown);
            if known {
                let hint = "This answer is kept in the connection's settings and given by itself.";
                button::check(ui, &mut self.always, "Answer like this from now on").on_hover_text(hint);
            }
            ui.with_layout(eframe::egui::Layout::right_to_left(eframe::egui::Align::Center), |ui| {
                let word = if self.show_sent { "Hide what was sent" } else { "What was sent" };
                if button::quiet(ui, word, word).clicked() {
                    self.show_sent = !self.show_sent;
                }
                if !self.raw.is_open() && button::quiet(ui, "Answer with an error", "Answer with an error").clicked() {
                    self.raw.begin_error();
                }
            });
        });
        if self.show_sent {
            let text = self.sent.get_or_insert_with(|| sent(question));
            let id = eframe::egui::Id::unique((self.salt.as_str(), "sent"));
            let code =
                Code { id, label: "What was sent", rows: 3, hint: "no params", json: true, fault: None, frame: None };
            code.show(ui, &mut text.as_str());
        }
    }
}

fn sent(question: &Question) -> String {
    let bytes = question.params.as_deref().unwrap_or_default();
    let text = Pretty::of(bytes).map_or_else(|| String::from_utf8_lossy(bytes).into_owned(), |pretty| pretty.text);
    match text.char_indices().find(|(at, _)| *at >= SHOWN) {
        Some((at, _)) => format!("{}\n…", &text[..at]),
        None => text,
    }
}
