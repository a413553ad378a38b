//! Sampling: what the server wants a model to be asked, and the answer that somebody gives in the model's place.

use eframe::egui::{Align, Align2, Frame, Id, Layout, Popup, RichText, TextEdit, Ui};

use super::sheet::Made;
use crate::engine::view::{Json, quote};
use crate::peer::client::Answer;
use crate::ui::icons::Icon;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::Code;
use crate::ui::words;
use crate::ui::worker::Worker;

mod block;

use block::Block;

/// Messages that are shown; of more the latest.
const MOST: usize = 40;

/// A question for sampling.
pub struct Sampling {
    facts: Vec<(&'static str, String)>,
    system: Option<String>,
    messages: Vec<(String, Vec<Block>)>,
    left_out: usize,
    warnings: Vec<String>,
    answer: String,
    model: String,
    stop: String,
}

impl Sampling {
    /// The question with these params.
    pub fn new(params: Json<'_>) -> Self {
        let all: Vec<Json<'_>> = params.get("messages").map(|list| list.items().collect()).unwrap_or_default();
        let left_out = all.len().saturating_sub(MOST);
        let messages = all[left_out..].iter().map(|message| message_of(*message)).collect();
        let hint = params.pointer("/modelPreferences/hints/0/name").and_then(|name| name.text());
        let mut warnings = Vec::new();
        if params.get("maxTokens").is_none() {
            warnings.push("It has no maxTokens (SM-001).".to_owned());
        }
        if params.get("messages").is_none() {
            warnings.push("It has no messages (SM-001).".to_owned());
        }
        Self {
            facts: facts(params),
            system: params.get("systemPrompt").and_then(|it| it.text()).map(std::borrow::Cow::into_owned),
            messages,
            left_out,
            warnings,
            answer: String::new(),
            model: hint.map_or_else(|| "by-hand".to_owned(), std::borrow::Cow::into_owned),
            stop: "endTurn".to_owned(),
        }
    }

    /// Draws it. `rounds`: it is a question of MRTR, in which there are no errors.
    pub fn show(&mut self, ui: &mut Ui, salt: &str, worker: &mut Worker, rounds: bool) -> Made {
        let palette = theme::palette(ui);
        let facts: Vec<String> =
            self.facts.iter().map(|(name, text)| format!("{name} {}", words::plain(text))).collect();
        ui.label(RichText::new(facts.join(" · ")).font(theme::sans(12.0)).color(palette.dim));
        for warning in &self.warnings {
            ui.label(RichText::new(warning).font(theme::sans(11.5)).color(palette.warn));
        }
        if let Some(system) = &self.system {
            titled(ui, "system", |ui| {
                for line in system.lines() {
                    ui.label(RichText::new(words::plain(line)).color(palette.dim));
                }
            });
        }
        if self.left_out > 0 {
            let text = format!("{} before these", words::counted(self.left_out as u64, "message", "messages"));
            ui.label(RichText::new(text).color(palette.dim));
        }
        for (index, (role, blocks)) in self.messages.iter_mut().enumerate() {
            titled(ui, role, |ui| {
                for (place, block) in blocks.iter_mut().enumerate() {
                    block.show(ui, worker, (index, place));
                }
            });
        }
        ui.separator();
        self.write(ui, salt);
        self.buttons(ui, rounds)
    }

    /// The answer in the model's place.
    fn write(&mut self, ui: &mut Ui, salt: &str) {
        let palette = theme::palette(ui);
        let code = Code {
            id: Id::unique((salt, "answer")),
            label: "Answer of the model",
            rows: 4,
            hint: "what the model says",
            json: false,
            fault: None,
            frame: None,
        };
        code.show(ui, &mut self.answer);
        ui.horizontal(|ui| {
            ui.label(RichText::new("model").font(theme::sans(12.0)).color(palette.dim));
            let model = line(&mut self.model, 150.0);
            ui.add(model).accessible_name("Name of the model");
            ui.label(RichText::new("stopReason").font(theme::sans(12.0)).color(palette.dim));
            let stop = line(&mut self.stop, 90.0);
            ui.add(stop).accessible_name("Stop reason");
            let more = button::icon_sized(ui, Icon::Down, "Known stop reasons", false, 24.0);
            Popup::menu(&more).accessible_name("Stop reasons").show(|ui| {
                for word in ["endTurn", "stopSequence", "maxTokens", "toolUse"] {
                    if ui.selectable_label(self.stop == word, word).clicked() {
                        word.clone_into(&mut self.stop);
                        ui.close();
                    }
                }
            });
        });
    }

    fn buttons(&mut self, ui: &mut Ui, rounds: bool) -> Made {
        let mut made = Made::Nothing;
        ui.horizontal(|ui| {
            if button::primary(ui, "Send", "Send the model's answer").clicked() {
                made = Made::Result(self.result());
            }
            let hint = if rounds { "The call is given up." } else { "An error -1, as the specification has it." };
            let reject = button::framed(ui, None, "Reject", "Reject: no model is asked", false);
            if reject.on_hover_text(hint).clicked() {
                let error = br#"{"code":-1,"message":"The user rejected the sampling request"}"#;
                made = Made::Decline(Answer::Error(error.to_vec()));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if button::framed(ui, None, "Edit as JSON", "Edit the answer as JSON", false).clicked() {
                    made = Made::AsJson(self.result());
                }
            });
        });
        made
    }

    fn result(&self) -> String {
        let (text, model) = (quote(&self.answer), quote(&self.model));
        let stop = if self.stop.is_empty() { String::new() } else { format!(r#","stopReason":{}"#, quote(&self.stop)) };
        format!(r#"{{"role":"assistant","content":{{"type":"text","text":{text}}},"model":{model}{stop}}}"#)
    }
}

/// A line of text of the height of controls.
fn line(text: &mut String, width: f32) -> TextEdit<'_> {
    TextEdit::singleline(text).font(theme::mono()).desired_width(width).align(Align2::LEFT_CENTER)
}

/// What is to be known about the model that is wanted.
fn facts(params: Json<'_>) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let raw = |json: Json<'_>| String::from_utf8_lossy(json.raw()).into_owned();
    let hints: Vec<String> = params
        .pointer("/modelPreferences/hints")
        .map(|list| list.items().filter_map(|hint| Some(hint.get("name")?.text()?.into_owned())).collect())
        .unwrap_or_default();
    if !hints.is_empty() {
        facts.push(("model", hints.join(", ")));
    }
    let simple = [
        ("at most", "/maxTokens"),
        ("temperature", "/temperature"),
        ("cost", "/modelPreferences/costPriority"),
        ("speed", "/modelPreferences/speedPriority"),
        ("intelligence", "/modelPreferences/intelligencePriority"),
        ("stops at", "/stopSequences"),
        ("context", "/includeContext"),
        ("tool choice", "/toolChoice/mode"),
    ];
    for (name, pointer) in simple {
        if let Some(value) = params.pointer(pointer) {
            let unit = if name == "at most" { " tokens" } else { "" };
            facts.push((
                name,
                format!("{}{unit}", value.text().map_or_else(|| raw(value), std::borrow::Cow::into_owned)),
            ));
        }
    }
    let tools: Vec<String> = params
        .get("tools")
        .map(|list| list.items().filter_map(|tool| Some(tool.get("name")?.text()?.into_owned())).collect())
        .unwrap_or_default();
    if !tools.is_empty() {
        facts.push(("tools", tools.join(", ")));
    }
    facts
}

/// The role and the blocks of a message: one block, or since 2025-11-25 several.
fn message_of(message: Json<'_>) -> (String, Vec<Block>) {
    let role = message.get("role").and_then(|role| role.text()).unwrap_or("no role".into()).into_owned();
    let Some(content) = message.get("content") else { return (role, Vec::new()) };
    let several: Vec<Block> = content.items().map(Block::of).collect();
    let blocks = if content.raw().starts_with(b"[") { several } else { vec![Block::of(content)] };
    (role, blocks)
}

fn titled(ui: &mut Ui, title: &str, add: impl FnOnce(&mut Ui)) {
    let palette = theme::palette(ui);
    let frame = Frame::new().fill(palette.bg0).corner_radius(theme::CORNER).inner_margin(8.0);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(words::plain(title)).font(theme::medium(11.0)).color(palette.note));
        add(ui);
    });
}
