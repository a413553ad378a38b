//! The saved calls in the sidebar of the Client page: a project file, its calls and chains, and runs of them.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{Context, Id, Key, Label, Modal, Modifiers, RichText, Ui};

use crate::engine::project::{kept_settings, kept_target};
use crate::engine::view::{ClientCommand, ClientEvent, ConnectionId};
use crate::peer::client::Kind;
use crate::project::{Edit, Project, SavedCall, SavedTarget, What, get};
use crate::ui::client::Subject;
use crate::ui::client::chain::{ChainRun, State};
use crate::ui::client::servers::Servers;
use crate::ui::desk::Desk;
use crate::ui::panels::client::connect::ConnectForm;
use crate::ui::panels::entry::title;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// Where a project begins if nothing else is said.
const USUAL: &str = "calls.midwire.toml";

/// The state of the section.
#[derive(Debug, Default)]
pub struct Saved {
    path: Option<String>,
    project: Option<Arc<Project>>,
    fault: Option<String>,
    saving: Option<(SavedCall, String)>,
    focus: bool,
}

impl Saved {
    fn file(&self) -> PathBuf {
        let path = PathBuf::from(self.path.as_deref().map(str::trim).filter(|it| !it.is_empty()).unwrap_or(USUAL));
        std::path::absolute(&path).unwrap_or(path)
    }

    /// Takes in answers, goes on with a run, and draws the dialog that saves a call.
    pub fn show(&mut self, ctx: &Context, desk: &mut Desk, settings: &mut Settings, form: &mut ConnectForm) {
        if self.path.is_none() {
            let path = settings.project.clone();
            let is_known = !path.is_empty();
            self.path = Some(if is_known { path } else { USUAL.to_owned() });
            if is_known {
                desk.bench.send(ClientCommand::Project(self.file()));
            }
        }
        let wanted = |event: &ClientEvent| matches!(event, ClientEvent::Project(..) | ClientEvent::ProjectTarget(..));
        for event in desk.bench.take_answers(wanted) {
            match event {
                ClientEvent::Project(path, _) if path != self.file() => {}
                ClientEvent::Project(path, Ok(project)) => {
                    settings.project = path.display().to_string();
                    desk.bench.servers.read(&path, &project.targets);
                    (self.project, self.fault) = (Some(project), None);
                }
                ClientEvent::Project(_, Err(why)) => self.fault = Some(format!("Failed to {why}")),
                ClientEvent::ProjectTarget(_, name, Ok(found)) => {
                    let servers = &mut desk.bench.servers;
                    if let Some((name, saved)) =
                        name.and_then(|name| Some((name.clone(), servers.saved(&name)?.clone())))
                    {
                        servers.learn(&name, saved, &found.0);
                    }
                    form.connect(found.0, found.1, desk, settings);
                }
                ClientEvent::ProjectTarget(_, _, Err(why)) => desk.notice(format!("Failed to {why}")),
                _ => {}
            }
        }
        if let Some(call) = desk.bench.to_save.take() {
            let name = match &call.what {
                What::Tool(name) | What::Prompt(name) => name.clone(),
                _ => String::new(),
            };
            if self.project.is_none() {
                // What is there already must be known before something is added to it.
                self.fault = None;
                desk.bench.send(ClientCommand::Project(self.file()));
            }
            self.saving = Some((call, name));
            self.focus = true;
        }
        self.dialog(ctx, desk);
    }

    fn dialog(&mut self, ctx: &Context, desk: &mut Desk) {
        let file = self.file();
        let Some((_, name)) = &mut self.saving else { return };
        let taken = self.project.as_ref().is_some_and(|project| get(&project.calls, name.trim()).is_some());
        let (mut save, mut cancel) = (false, false);
        let modal = Modal::new(Id::unique("save-call")).show(ctx, |ui| {
            ui.set_width(420.0);
            ui.label(RichText::new("Save the call").font(theme::semibold(15.0)));
            ui.label(RichText::new(format!("In {}", file.display())).color(theme::palette(ui).dim));
            let fault = taken.then_some("there is a call of this name; it is replaced");
            let response = Field::new("Name").label("Name of the saved call").fault(fault).show(ui, name);
            if std::mem::take(&mut self.focus) {
                response.request_focus();
            }
            let entered = response.lost_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                save = button::primary(ui, "Save", "Save this call").clicked() || entered;
                cancel = button::framed(ui, None, "Cancel", "Do not save", false).clicked();
            });
        });
        let is_read = self.project.is_some() || self.fault.is_some();
        if save && is_read && !name.trim().is_empty() {
            self.keep(desk);
        } else if cancel || modal.should_close() {
            self.saving = None;
        }
    }

    /// Saves the call, and its server where the file does not have it.
    fn keep(&mut self, desk: &mut Desk) {
        let Some((mut call, name)) = self.saving.take() else { return };
        let file = self.file();
        if let Some(connection) = desk.bench.current() {
            let target = connection.target.clone();
            // Only a server that is surely this one: another could be under another account.
            let known = desk.bench.servers.name_of(&target).map(ToOwned::to_owned);
            let server = known.clone().unwrap_or_else(|| self.free_name(&connection.name()));
            if known.is_none() {
                let settings = kept_settings(&connection.settings);
                let (way, left_out) = kept_target(&target);
                desk.bench.servers.learn(&server, way.clone(), &target);
                let edit = Edit::Target(server.clone(), Box::new(SavedTarget { way, settings }));
                desk.bench.send(ClientCommand::Edit(file.clone(), Box::new(edit)));
                if !left_out.is_empty() {
                    desk.notice(format!("Not saved, because it may be secret: {}", left_out.join(", ")));
                }
            }
            call.target = Some(server);
        }
        let edit = Edit::Call(name.trim().to_owned(), Box::new(call));
        desk.bench.send(ClientCommand::Edit(file, Box::new(edit)));
    }

    /// A name that no other server of the file has.
    fn free_name(&self, wanted: &str) -> String {
        let is_taken = |name: &str| self.project.as_ref().is_some_and(|it| get(&it.targets, name).is_some());
        let mut names = (1_u32..).map(|n| if n == 1 { wanted.to_owned() } else { format!("{wanted}-{n}") });
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// Draws the section in the sidebar's column, below the connections.
    pub fn section(&mut self, ui: &mut Ui, desk: &mut Desk) {
        title(ui, "SAVED CALLS");
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            eframe::egui::Frame::NONE.inner_margin(eframe::egui::Margin::symmetric(14, 2)).show(ui, |ui| {
                self.opening(ui, desk);
                if let Some(fault) = &self.fault {
                    small(ui, fault, theme::palette(ui).err);
                }
                if let Some(project) = self.project.clone() {
                    self.listed(ui, desk, &project);
                }
            });
        });
    }

    fn opening(&mut self, ui: &mut Ui, desk: &mut Desk) {
        let path = self.path.get_or_insert_default();
        let before = path.clone();
        let response = Field::new("").label("Path of the project file").hint(USUAL).show(ui, path);
        if *path != before {
            // What is shown is always what the path names.
            (self.project, self.fault) = (None, None);
            desk.bench.servers = Servers::default();
        }
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if button::quiet(ui, "Open", "Open the project file").clicked() || entered {
            desk.bench.send(ClientCommand::Project(self.file()));
        }
    }

    fn listed(&mut self, ui: &mut Ui, desk: &mut Desk, project: &Project) {
        let palette = theme::palette(ui);
        for note in &project.notes {
            small(ui, &format!("line {}: {}", note.line, note.text), palette.warn);
        }
        for (name, call) in &project.calls {
            let what = described(&call.what);
            let second = format!("{} · {what}", call.target.as_deref().unwrap_or("any server"));
            if button::quiet(ui, &words::plain(name), &format!("Load {}", words::plain(name))).clicked() {
                Self::load(desk, project, call);
            }
            small(ui, &second, palette.dim);
            self.buttons(ui, desk, project, name, call.target.as_ref());
        }
        for (name, chain) in &project.chains {
            ui.label(RichText::new(words::plain(name)).font(theme::medium(12.5)));
            small(ui, &chain.calls.join(" → "), palette.dim);
            let first = chain.calls.first().and_then(|call| get(&project.calls, call));
            self.buttons(ui, desk, project, name, first.and_then(|call| call.target.as_ref()));
        }
    }

    fn load(desk: &mut Desk, project: &Project, call: &SavedCall) {
        match right(desk, project, call.target.as_deref()) {
            Some(id) => desk.bench.current = Some(id),
            None => return desk.notice("No connection to the server of this call is open; connect to it first"),
        }
        let (kind, key) = match &call.what {
            What::Tool(name) => (Kind::Tools, name),
            What::Prompt(name) => (Kind::Prompts, name),
            What::Resource(uri) => (Kind::Resources, uri),
            What::Template(template) => (Kind::Templates, template),
            _ => return desk.notice("This call has no form; it can be run as it is"),
        };
        let arguments = call.arguments.clone().unwrap_or_else(|| "{}".to_owned());
        desk.bench.to_load = Some((Subject::new(kind, key.clone()), arguments));
    }

    fn buttons(&mut self, ui: &mut Ui, desk: &mut Desk, project: &Project, name: &str, target: Option<&String>) {
        let shown = words::plain(name);
        let found = right(desk, project, target.map(String::as_str));
        let found = found.and_then(|id| Some((id, desk.bench.get(id)?.name())));
        let is_running = desk.bench.is_in_run();
        let is_this = desk.bench.run.as_ref().is_some_and(|run| run.name == name);
        ui.horizontal(|ui| {
            if is_running && is_this {
                if button::small(ui, "Stop", false).clicked()
                    && let Some(mut run) = desk.bench.run.take()
                {
                    run.stop(&mut desk.bench);
                    desk.bench.run = Some(run);
                }
            } else if let (Some((id, server)), false) = (found, is_running) {
                let label = format!("Run {shown} over {}", words::plain(&server));
                if button::framed_small(ui, None, "Run", &label).on_hover_text(&label).clicked() {
                    match ChainRun::new(project, &desk.bench.servers, name, id) {
                        Ok(run) => {
                            desk.bench.run = Some(run);
                            desk.bench.go_on(desk.now);
                        }
                        Err(why) => desk.notice(format!("Failed to {why}")),
                    }
                }
            }
            let label = format!("Connect to the server of {shown}");
            if button::framed_small(ui, None, "Connect", &label).on_hover_text(&label).clicked() {
                desk.bench.send(ClientCommand::ProjectTarget(self.file(), target.cloned()));
            }
        });
        if let Some(run) = desk.bench.run.as_ref().filter(|run| run.name == name) {
            for (step, state) in &run.steps {
                told(ui, step, state);
            }
        }
    }
}

/// The open connection that a call for this server of the file goes over. Where a call names none, the only server of
/// the file is meant; where there is none or several, the connection that is shown.
fn right(desk: &Desk, project: &Project, target: Option<&str>) -> Option<ConnectionId> {
    let only = match &project.targets[..] {
        [(only, _)] => Some(only.as_str()),
        _ => None,
    };
    desk.bench.servers.connection(&desk.bench, target.or(only), desk.bench.current.unwrap_or_default())
}

/// One step of a run.
fn told(ui: &mut Ui, step: &str, state: &State) {
    let palette = theme::palette(ui);
    let (text, colour) = match state {
        State::Waiting => (format!("{step}: waiting"), palette.dim),
        State::Running => (format!("{step}: running"), palette.warn),
        State::Failed(why) => (format!("{step}: failed, {why}"), palette.err),
        State::Fine(picked) => {
            let picked: String = picked.iter().map(|(name, value)| format!(" · {name} = {value}")).collect();
            (format!("{step}: ok{picked}"), palette.ok)
        }
    };
    small(ui, &text.chars().take(300).collect::<String>(), colour);
}

fn small(ui: &mut Ui, text: &str, colour: eframe::egui::Color32) {
    ui.add(Label::new(RichText::new(words::plain(text)).font(theme::sans(11.0)).color(colour)).wrap());
}

fn described(what: &What) -> String {
    match what {
        What::Tool(name) | What::Prompt(name) | What::Resource(name) | What::Template(name) => name.clone(),
        What::Method(method) | What::Notification(method) => method.clone(),
        What::Raw(bytes) => format!("{} raw bytes", bytes.len()),
    }
}
