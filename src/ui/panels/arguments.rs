//! What is filled in for one subject: the arguments of a tool or prompt, the variables of a resource template, with
//! the completion that servers offer for the last two.

use std::collections::BTreeMap;

use eframe::egui::{Frame, RichText, Ui};

use super::form::{FormPanel, Wish};
use crate::engine::view::{ConnectionId, Json, Template, TemplateValue, quote};
use crate::model::Nanos;
use crate::peer::client::{Call, CallId, Kind, Order, Outcome, completion};
use crate::ui::client::{Connection, Subject, params};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// How long a completion is waited for.
const PATIENCE: Nanos = 15_000_000_000;

/// What is filled in for one subject.
pub struct Arguments {
    subject: Subject,
    item: Vec<u8>,
    form: FormPanel,
    template: Option<Result<Template, String>>,
    asked: Option<(CallId, Wish)>,
}

impl Arguments {
    /// Nothing filled in yet, for an item of a list, given as its JSON text; where there is none, anything can be.
    pub fn new(subject: &Subject, item: Option<&[u8]>) -> Self {
        let item = item.unwrap_or_default().to_vec();
        let json = Json::parse(&item).ok();
        let template = (subject.kind == Kind::Templates).then(|| {
            let text = json.and_then(|item| item.get("uriTemplate")?.text()).unwrap_or(subject.key.as_str().into());
            Template::read(&text).map_err(|error| error.to_string())
        });
        let schema = match (subject.kind, json) {
            (Kind::Tools, Some(item)) => item.get("inputSchema").map_or(b"true".to_vec(), |it| it.raw().to_vec()),
            (Kind::Prompts, Some(item)) => params::prompt_schema(item).into_bytes(),
            (Kind::Templates, _) => template_schema(template.as_ref().and_then(|it| it.as_ref().ok())),
            (Kind::Tools | Kind::Prompts, None) => b"true".to_vec(),
            (Kind::Resources | Kind::Tasks, _) => params::object(&[], &[]).into_bytes(),
        };
        let salt = format!("{}\n{}", subject.kind.method(), subject.key);
        let form = FormPanel::new(&salt, &schema);
        Self { subject: subject.clone(), item, form, template, asked: None }
    }

    /// The item that it was made for, to notice that the list has changed.
    pub fn item(&self) -> &[u8] {
        &self.item
    }

    /// The arguments as JSON text, as they are sent.
    pub fn text(&self) -> String {
        self.form.text()
    }

    /// Fills in JSON text, such as that of an earlier call.
    pub fn set_text(&mut self, text: &str) {
        self.form.draft.fill(text);
    }

    /// The form, to switch it to JSON, to fill in an example, or to reset it.
    pub fn form(&mut self) -> &mut FormPanel {
        &mut self.form
    }

    /// Whether there is anything to fill in.
    pub fn is_asked_for(&self) -> bool {
        !matches!(self.subject.kind, Kind::Resources | Kind::Tasks)
    }

    /// The params of the request. An error says why there can be none: a template that is none.
    pub fn params(&self) -> Result<Vec<u8>, String> {
        self.params_of(self.text())
    }

    /// The same with other arguments (JSON text) in the place of what is filled in.
    pub fn params_of(&self, text: String) -> Result<Vec<u8>, String> {
        let json = Json::parse(&self.item).ok();
        let arguments = match self.subject.kind {
            Kind::Templates => self.uri(&text)?,
            Kind::Resources => self.subject.key.clone(),
            Kind::Prompts if json.is_some_and(|item| item.get("arguments").is_none()) => {
                // A prompt without arguments is asked for without any, unless some were typed.
                Some(text).filter(|text| text.trim() != "{}").unwrap_or_default()
            }
            _ => text,
        };
        Ok(params::of(&self.subject, json, &arguments))
    }

    /// The URI that a template expands to.
    fn uri(&self, text: &str) -> Result<String, String> {
        let template = match &self.template {
            Some(Ok(template)) => template,
            Some(Err(why)) => return Err(why.clone()),
            None => return Ok(self.subject.key.clone()),
        };
        let json = Json::parse(text.as_bytes()).map_err(|fault| format!("byte {}: {}", fault.at, fault.what))?;
        let values: BTreeMap<String, TemplateValue> = json
            .members()
            .filter_map(|(name, value)| Some((name.text()?.into_owned(), TemplateValue::of_json(value)?)))
            .collect();
        template.expand(&values).map_err(|error| error.to_string())
    }

    /// Draws the form no higher than `most`. Returns whether what is sent has changed.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, connection: ConnectionId, most: f32) -> bool {
        if !self.is_asked_for() {
            return false;
        }
        if let Some(Err(why)) = &self.template {
            refused(ui, &self.subject.key, why);
            return false;
        }
        self.complete(desk, connection);
        let room = if self.template.is_some() { most - 44.0 } else { most };
        let changed = self.form.show(ui, room.max(60.0));
        if self.template.is_some() {
            self.expansion(ui);
        }
        changed
    }

    /// The URI as it is now.
    fn expansion(&self, ui: &mut Ui) {
        let palette = theme::palette(ui);
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.label(RichText::new("URI").font(theme::sans(11.5)).color(palette.dim));
            match self.uri(&self.text()) {
                Ok(uri) => {
                    if button::icon_sized(ui, Icon::Copy, "Copy the URI", false, 22.0).clicked() {
                        ui.ctx().copy_text(uri.clone());
                    }
                    let text = RichText::new(words::plain(&uri)).font(theme::mono()).color(palette.text);
                    let response = ui.add(eframe::egui::Label::new(text).truncate());
                    response.on_hover_text(words::plain(&uri));
                }
                Err(why) => {
                    ui.label(RichText::new(words::plain(&why)).color(palette.warn));
                }
            }
        });
    }

    /// Asks the server for completion, and takes in what it offers.
    fn complete(&mut self, desk: &mut Desk, id: ConnectionId) {
        let Some(connection) = desk.bench.get(id) else { return };
        let wanted = matches!(self.subject.kind, Kind::Prompts | Kind::Templates);
        if self.asked.is_none() {
            self.form.completes(wanted && offers_completion(connection));
        }
        if let Some((call, _)) = &self.asked {
            let call = *call;
            let Some(record) = connection.call(call) else {
                self.asked = None;
                return;
            };
            if let Some(outcome) = &record.outcome {
                let offered = match outcome {
                    Outcome::Result(bytes) => params::offers(bytes).or(Some((Vec::new(), String::new()))),
                    Outcome::Error(bytes) if is_unknown_method(bytes) => None,
                    _ => Some((Vec::new(), String::new())),
                };
                if let Some((_, wish)) = self.asked.take() {
                    self.form.offered(&wish, offered);
                }
                // Completion is no call of the person's: it would only bury the others.
                if let Some(connection) = desk.bench.get_mut(id) {
                    connection.calls.retain(|record| record.id != call);
                }
            }
        }
        if let Some(wish) = self.form.wish() {
            if let Some((call, _)) = self.asked.take() {
                desk.bench.order(id, Order::Forget(call));
            }
            let reference = self.reference();
            let others = object(&wish.others);
            let params = completion(&reference, &wish.argument, &wish.value, others.as_deref());
            let method = "completion/complete".to_owned();
            let call = Call { method, params: Some(params), patience: Some(PATIENCE), ..Call::default() };
            self.asked = desk.bench.call(id, None, call, desk.now).map(|call| (call, wish));
        }
    }

    /// What is completed: the member `ref`.
    fn reference(&self) -> String {
        match &self.template {
            Some(Ok(template)) => format!(r#"{{"type":"ref/resource","uri":{}}}"#, quote(template.text())),
            _ => format!(r#"{{"type":"ref/prompt","name":{}}}"#, quote(&self.subject.key)),
        }
    }
}

/// Whether it is worth asking a server for completion: unless it says what it has and does not name it. In 2024-11-05
/// there was no capability for it.
fn offers_completion(connection: &Connection) -> bool {
    let oldest = connection.peer.as_ref().is_some_and(|peer| peer.revision.text() == "2024-11-05");
    oldest || connection.declares("completions").unwrap_or(true)
}

/// The other arguments as an object; nothing where there are none.
fn object(others: &[(String, String)]) -> Option<Vec<u8>> {
    let members: Vec<String> = others.iter().map(|(name, text)| format!("{}:{}", quote(name), quote(text))).collect();
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")).into_bytes())
}

fn is_unknown_method(error: &[u8]) -> bool {
    Json::parse(error).ok().and_then(|json| json.get("code")?.as_i64()) == Some(-32601)
}

/// The schema of a template's variables: texts, and for those that are exploded anything.
fn template_schema(template: Option<&Template>) -> Vec<u8> {
    let mut members: Vec<String> = Vec::new();
    let mut required = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for variable in template.map(Template::variables).unwrap_or_default() {
        if names.contains(&variable.name.as_str()) {
            continue;
        }
        names.push(&variable.name);
        let name = quote(&variable.name);
        let shape = if variable.is_exploded() {
            r#"{"description":"A text, a list as [\"a\",\"b\"], or a map as {\"k\":\"v\"}; each member is expanded by itself."}"#
        } else {
            r#"{"type":"string"}"#
        };
        members.push(format!("{name}:{shape}"));
        if !variable.is_optional() {
            required.push(name);
        }
    }
    params::object(&members, &required).into_bytes()
}

/// What is said of a template that is none.
fn refused(ui: &mut Ui, template: &str, why: &str) {
    let palette = theme::palette(ui);
    let frame = Frame::new().fill(palette.err_bg).corner_radius(theme::CORNER).inner_margin(12.0);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new("This is no URI template, so it cannot be expanded").font(theme::semibold(13.0)));
        ui.label(RichText::new(words::plain(template)).font(theme::mono()).color(palette.text));
        ui.label(RichText::new(format!("Failed to {}.", words::plain(why))).color(palette.err));
    });
}
