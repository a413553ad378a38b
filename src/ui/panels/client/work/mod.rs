//! The work area: one item with what it says of itself, what is filled in, the call while it runs, and earlier calls.

mod fresh;
mod head;
mod history;
mod options;
mod rounds;
mod running;
mod values;

use std::collections::HashMap;
use std::sync::Arc;

use self::values::Tied;

use eframe::egui::{Align, Frame, Layout, Margin, RichText, ScrollArea, Ui};

use crate::engine::view::ConnectionId;
use crate::peer::client::{Bytes, Call, CallId, Item, Kind, Order};
use crate::project::What;
use crate::schema::{Schema, Verdict};
use crate::ui::client::call::Saved;
use crate::ui::client::item::Reading;
use crate::ui::client::keeping::{Loading, ToSave, saved_call};
use crate::ui::client::options::Options;
use crate::ui::client::{Standing, Subject};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::panels::arguments::Arguments;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Drafts that are kept; of more the oldest go.
const MOST: usize = 200;

/// What is filled in for one subject, and what is known of it.
pub struct Draft {
    /// The arguments.
    pub arguments: Arguments,
    /// The item, read.
    pub reading: Reading,
    /// What is special about the next call.
    pub options: Options,
    /// Whether the options are shown.
    pub open: bool,
    /// The call that is looked at; `None`: the latest.
    pub shown: Option<CallId>,
    /// What is wrong with the item and its schemas.
    pub faults: Vec<String>,
    /// Who refuses the tool's name or schema.
    pub verdicts: Vec<Verdict>,
    /// Whether all of the description is shown.
    pub whole: bool,
    tied: Tied,
    json: Option<Bytes>,
    touched: u64,
    steps: HashMap<(CallId, u32), String>,
}

impl Draft {
    fn new(subject: &Subject, item: Option<&Item>) -> Self {
        let reading = item.map(|item| Reading::of(item, subject.kind)).unwrap_or_default();
        let schema = reading.input.as_deref().map(Schema::read);
        let mut faults = item.map(|item| item.faults.clone()).unwrap_or_default();
        faults.extend(schema.iter().flat_map(|schema| schema.faults().iter().map(|it| format!("inputSchema: {it}"))));
        let named = item.filter(|it| subject.kind == Kind::Tools && !it.key.is_empty());
        let mut verdicts = named.map(|item| Verdict::of_tool_name(&item.key)).unwrap_or_default();
        verdicts.extend(schema.iter().flat_map(Schema::verdicts));
        let output = reading.output.as_deref().map(Schema::read);
        faults.extend(output.iter().flat_map(|schema| schema.faults().iter().map(|it| format!("outputSchema: {it}"))));
        Self {
            arguments: Arguments::new(subject, item.map(|item| &*item.json)),
            reading,
            options: Options::default(),
            open: false,
            shown: None,
            faults,
            verdicts,
            whole: false,
            tied: Tied::default(),
            json: item.map(|item| Arc::clone(&item.json)),
            touched: 0,
            steps: HashMap::new(),
        }
    }
}

/// The state of the work area.
#[derive(Default)]
pub struct Work {
    drafts: HashMap<(ConnectionId, Subject), Draft>,
    counter: u64,
    below: f32,
}

impl Work {
    /// The draft of a subject; made anew when its item has changed, with what was filled in.
    pub fn draft(&mut self, id: ConnectionId, subject: &Subject, item: Option<&Item>) -> &mut Draft {
        self.counter += 1;
        let key = (id, subject.clone());
        if let Some(old) = self.drafts.get(&key)
            && item.is_some_and(|item| old.json.as_ref() != Some(&item.json))
        {
            let text = old.arguments.text();
            let mut new = Draft::new(subject, item);
            new.arguments.set_text(&text);
            (new.options, new.shown) = (old.options.clone(), old.shown);
            if let Some(old) = self.drafts.get_mut(&key) {
                new.tied = std::mem::take(&mut old.tied);
            }
            self.drafts.insert(key.clone(), new);
        }
        if self.drafts.len() >= MOST && !self.drafts.contains_key(&key) {
            let oldest = self.drafts.iter().min_by_key(|(_, draft)| draft.touched).map(|(key, _)| key.clone());
            oldest.and_then(|key| self.drafts.remove(&key));
        }
        let draft = self.drafts.entry(key).or_insert_with(|| Draft::new(subject, item));
        draft.touched = self.counter;
        draft
    }

    /// The call of a subject that is looked at.
    pub fn shown(&self, id: ConnectionId, subject: &Subject, desk: &Desk) -> Option<CallId> {
        let connection = desk.bench.get(id)?;
        let chosen = self.drafts.get(&(id, subject.clone())).and_then(|draft| draft.shown);
        chosen
            .filter(|call| connection.call(*call).is_some())
            .or_else(|| connection.calls_of(subject).next().map(|it| it.id))
    }

    /// The schema of a tool's output.
    pub fn output(&self, id: ConnectionId, subject: &Subject) -> Option<&[u8]> {
        self.drafts.get(&(id, subject.clone()))?.reading.output.as_deref()
    }

    /// Makes the call that is filled in.
    pub fn call(&mut self, desk: &mut Desk, id: ConnectionId, subject: &Subject) {
        let open = desk.bench.get(id).is_some_and(|it| it.standing() == Standing::Open);
        let Some(draft) = self.drafts.get_mut(&(id, subject.clone())).filter(|_| open) else { return };
        let name = draft.tied.name.clone();
        let answers = name.as_deref().map(|name| desk.bench.answers_of(name)).transpose();
        let (typed, sent) = (draft.arguments.text(), draft.sent_arguments(desk));
        let typed = Some(typed).filter(|typed| *typed != sent);
        let made = draft.arguments.params_of(sent).and_then(|params| Ok((params, answers?)));
        match made {
            Ok((params, answers)) => {
                let mut call = Call { method: subject.method().to_owned(), params: Some(params), ..Call::default() };
                draft.options.apply(&mut call);
                let saved = Saved { name, answers: answers.unwrap_or_default(), typed };
                let now = desk.now;
                draft.shown = desk.bench.call_saved(id, Some(subject.clone()), call, saved, now);
            }
            Err(why) => desk.notice(format!("The call was not made: {why}")),
        }
    }

    /// Notes which saved call was filled into a form.
    pub fn load(&mut self, id: ConnectionId, loading: Loading) {
        if let Some(draft) = self.drafts.get_mut(&(id, loading.subject.clone())) {
            draft.loaded(loading);
        }
    }

    /// A form is a saved call from now on.
    pub fn tie(&mut self, id: ConnectionId, subject: &Subject, name: String) {
        if let Some(draft) = self.drafts.get_mut(&(id, subject.clone())) {
            draft.tied.name = Some(name);
        }
    }

    /// Draws the work area in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, id: ConnectionId, subject: &Subject, item: Option<&Item>) {
        ui.set_min_size(ui.available_size());
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, theme::palette(ui).bg0);
        let shown = self.shown(id, subject, desk);
        let below = self.below;
        self.draft(id, subject, item);
        let key = (id, subject.clone());
        let Some(mut draft) = self.drafts.remove(&key) else { return };
        let margin = Margin { left: 16, right: 14, top: 12, bottom: 8 };
        let mut wanted = false;
        Frame::NONE.inner_margin(margin).show(ui, |ui| {
            let height = ui.available_height();
            head::show(ui, &mut draft, subject, item);
            // What follows the form keeps its place at once; the form has the rest.
            let room = (ui.available_height() - below.clamp(52.0, height * 0.55)).max(80.0);
            draft.arguments.show(ui, desk, id, room);
            ui.add_space(8.0);
            ScrollArea::vertical().id_salt("client-below").auto_shrink([false, true]).show(ui, |ui| {
                values::show(ui, &mut draft, desk);
                wanted = bar(ui, &mut draft, desk, id, subject, shown);
                options::show(ui, &mut draft);
                if let Some(call) = shown {
                    fresh::show(ui, desk, id, call);
                    running::show(ui, desk, id, call);
                    rounds::show(ui, desk, id, call, &mut draft.steps);
                }
                history::show(ui, desk, id, subject, &mut draft, shown);
                self.below = ui.min_rect().bottom() - ui.min_rect().top() + 12.0;
            });
        });
        self.drafts.insert(key, draft);
        if wanted {
            self.call(desk, id, subject);
        }
    }
}

/// The buttons. Returns whether the call is to be made.
fn bar(
    ui: &mut Ui,
    draft: &mut Draft,
    desk: &mut Desk,
    id: ConnectionId,
    subject: &Subject,
    shown: Option<CallId>,
) -> bool {
    let palette = theme::palette(ui);
    let Some(connection) = desk.bench.get(id) else { return false };
    let open = connection.standing() == Standing::Open;
    let running = shown.and_then(|call| connection.call(call)).filter(|call| call.is_running()).map(|call| call.id);
    let is_faulty = draft.options.faults().iter().any(Option::is_some);
    let mut call = false;
    let mut orders = Vec::new();
    ui.horizontal(|ui| {
        ui.add_enabled_ui(open && !is_faulty, |ui| {
            let label = format!("{} {} (Ctrl+Enter)", verb(subject.kind), words::plain(&subject.key));
            call = button::primary(ui, verb(subject.kind), &label).clicked();
        });
        if let Some(running) = running {
            if button::framed(ui, Some(Icon::Stop), "Cancel", "Cancel the call", false).clicked() {
                orders.push(Order::Cancel(running, "cancelled by the person at the window".to_owned()));
            }
            let label = "Wait no longer, without a word to the server";
            if button::framed(ui, None, "Forget", label, false).on_hover_text(label).clicked() {
                orders.push(Order::Forget(running));
            }
        }
        if subject.kind == Kind::Tasks {
            for (word, method) in [("Result", "tasks/result"), ("Cancel the task", "tasks/cancel")] {
                ui.add_enabled_ui(open, |ui| {
                    if button::framed(ui, None, word, method, false).clicked()
                        && let Ok(params) = draft.arguments.params()
                    {
                        let now = desk.now;
                        let call = Call { method: method.to_owned(), params: Some(params), ..Call::default() };
                        draft.shown = desk.bench.call(id, Some(subject.clone()), call, now);
                    }
                });
            }
        }
        if button::framed(ui, None, "Save call", "Save this call in the project file", false).clicked() {
            save(draft, desk, id, subject);
        }
        let special = draft.options.is_special();
        let label = if draft.open { "Hide the options of the call" } else { "Options of the call" };
        if button::framed(ui, None, if special { "Options •" } else { "Options" }, label, draft.open).clicked() {
            draft.open = !draft.open;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let patience = desk.bench.get(id).and_then(|it| it.settings.patience);
            let text =
                patience.map_or_else(|| "no time-out".to_owned(), |it| format!("time-out {} s", it / 1_000_000_000));
            if draft.tied.name.is_some() {
                values::name(ui, draft);
            } else if ui.available_width() > 80.0 && running.is_none() {
                ui.label(RichText::new(text).font(theme::sans(12.0)).color(palette.dim));
            }
        });
    });
    for order in orders {
        desk.bench.order(id, order);
    }
    call
}

/// Hands the call that is filled in over to be saved.
fn save(draft: &Draft, desk: &mut Desk, id: ConnectionId, subject: &Subject) {
    let mut call = Call { method: subject.method().to_owned(), ..Call::default() };
    draft.options.apply(&mut call);
    // The arguments need not be JSON, such as those with a variable in the place of a number.
    call.params = if subject.kind == Kind::Templates { None } else { draft.arguments.params_of("{}".to_owned()).ok() };
    match saved_call(&call) {
        Ok((mut saved, left_out)) => {
            if subject.kind == Kind::Templates {
                // What it expands to now is not what is meant.
                saved.what = What::Template(subject.key.clone());
            }
            if draft.arguments.is_asked_for() {
                saved.arguments =
                    draft.kept_arguments().filter(|text| saved.arguments.is_some() || text.trim() != "{}");
            }
            if !left_out.is_empty() {
                desk.notice(format!("Header fields that may be secrets are not saved: {}", left_out.join(", ")));
            }
            let (subject, name) = (Some(subject.clone()), draft.tied.name.clone());
            desk.bench.to_save = Some(ToSave { connection: id, subject, name, call: saved });
        }
        Err(why) => desk.notice(format!("The call was not saved: {why}")),
    }
}

/// What is done with a subject.
fn verb(kind: Kind) -> &'static str {
    match kind {
        Kind::Tools => "Call",
        Kind::Resources | Kind::Templates => "Read",
        Kind::Prompts => "Get",
        Kind::Tasks => "State",
    }
}
